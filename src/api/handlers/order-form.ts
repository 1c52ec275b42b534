/**
 * The parameters that describe an order: a form for single orders, for the two legs of the old OCO
 * and for each leg of an order list, with what every type demands and refuses of them (supplement
 * 2a.2, 2a.4). Rules are made once for each form; nothing here knows a symbol.
 */
import { OrderType, TimeInForce } from '../../base/codes.ts'
import { Fault } from '../errors.ts'
import { labelFields, labelNames, prefixedLabels } from '../order-labels.ts'
import {
  type LegPrefix,
  Param,
  type ParamName,
  paramNames,
  RareParam,
  slotOf,
} from '../parameters.ts'
import type { Params } from '../params.ts'

/** Places of an order's parameters. A form lacks those that none of its types takes. */
export interface OrderFields {
  readonly quantity: Param
  readonly price: Param
  readonly clientOrderId: Param
  readonly icebergQty: Param
  /** By place in labelNames. */
  readonly labels: readonly Param[]
  readonly timeInForce?: Param
  readonly stopPrice?: Param
  readonly trailingDelta?: Param
  readonly quoteOrderQty?: Param
}

interface TypeRule {
  readonly required: readonly Param[]
  readonly refused: readonly Param[]
  /** At least one of them must be sent. */
  readonly trigger?: readonly [stopPrice: Param, trailingDelta: Param]
}

export interface OrderForm {
  readonly fields: OrderFields
  /** By type. */
  readonly rules: readonly TypeRule[]
}

type Field = Exclude<keyof OrderFields, 'labels'>
interface TypeFields {
  readonly required: readonly Field[]
  readonly refused: readonly Field[]
  readonly waits: boolean
}

const marketStop: TypeFields = {
  required: ['quantity'],
  refused: ['timeInForce', 'price', 'quoteOrderQty', 'icebergQty'],
  waits: true,
}
const limitStop: TypeFields = {
  required: ['timeInForce', 'quantity', 'price'],
  refused: ['quoteOrderQty'],
  waits: true,
}

const fieldsOfTypes: Readonly<Record<OrderType, TypeFields>> = {
  [OrderType.LIMIT]: {
    required: ['timeInForce', 'quantity', 'price'],
    refused: ['quoteOrderQty', 'stopPrice', 'trailingDelta'],
    waits: false,
  },
  [OrderType.MARKET]: {
    required: [],
    refused: ['timeInForce', 'price', 'icebergQty', 'stopPrice', 'trailingDelta'],
    waits: false,
  },
  [OrderType.LIMIT_MAKER]: {
    required: ['quantity', 'price'],
    refused: ['timeInForce', 'quoteOrderQty', 'stopPrice', 'trailingDelta'],
    waits: false,
  },
  [OrderType.STOP_LOSS]: marketStop,
  [OrderType.STOP_LOSS_LIMIT]: limitStop,
  [OrderType.TAKE_PROFIT]: marketStop,
  [OrderType.TAKE_PROFIT_LIMIT]: limitStop,
}

function formOf(fields: OrderFields): OrderForm {
  const slots = (names: readonly Field[]): Param[] =>
    names.map((name) => fields[name]).filter((slot) => slot !== undefined)
  const { stopPrice, trailingDelta } = fields
  const rules = Object.values(OrderType).map((type): TypeRule => {
    const { required, refused, waits } = fieldsOfTypes[type]
    const rule = { required: slots(required), refused: slots(refused) }
    const triggered = waits && stopPrice !== undefined && trailingDelta !== undefined
    return triggered ? { ...rule, trigger: [stopPrice, trailingDelta] } : rule
  })
  return { fields, rules }
}

export const singleOrder = formOf({
  quantity: Param.quantity,
  price: Param.price,
  clientOrderId: Param.newClientOrderId,
  icebergQty: Param.icebergQty,
  labels: labelNames.map(slotOf),
  timeInForce: Param.timeInForce,
  stopPrice: Param.stopPrice,
  trailingDelta: Param.trailingDelta,
  quoteOrderQty: Param.quoteOrderQty,
})

/** The old OCO's LIMIT_MAKER leg, and its STOP_LOSS or STOP_LOSS_LIMIT leg. */
export const oldLimitLeg = formOf({
  quantity: Param.quantity,
  price: Param.price,
  clientOrderId: RareParam.limitClientOrderId,
  icebergQty: RareParam.limitIcebergQty,
  labels: prefixedLabels('limit').map(slotOf),
})
export const oldStopLeg = formOf({
  quantity: Param.quantity,
  price: RareParam.stopLimitPrice,
  clientOrderId: RareParam.stopClientOrderId,
  icebergQty: RareParam.stopIcebergQty,
  labels: prefixedLabels('stop').map(slotOf),
  timeInForce: RareParam.stopLimitTimeInForce,
  stopPrice: Param.stopPrice,
  trailingDelta: Param.trailingDelta,
})

function legForm(prefix: LegPrefix, quantity: Param): OrderForm {
  const slot = (field: string) => slotOf(`${prefix}${field}` as ParamName)
  const waits = prefix !== 'working'
  return formOf({
    quantity,
    price: slot('Price'),
    clientOrderId: slot('ClientOrderId'),
    icebergQty: slot('IcebergQty'),
    labels: labelFields.map(slot),
    timeInForce: slot('TimeInForce'),
    ...(waits ? { stopPrice: slot('StopPrice'), trailingDelta: slot('TrailingDelta') } : {}),
  })
}

export const legForms: Readonly<Record<LegPrefix, OrderForm>> = {
  above: legForm('above', Param.quantity),
  below: legForm('below', Param.quantity),
  working: legForm('working', RareParam.workingQuantity),
  pending: legForm('pending', RareParam.pendingQuantity),
  pendingAbove: legForm('pendingAbove', RareParam.pendingQuantity),
  pendingBelow: legForm('pendingBelow', RareParam.pendingQuantity),
}

/** What is missing of an order of this type, or sent in vain. */
export function formFault(form: OrderForm, type: OrderType, params: Params): Fault | undefined {
  const { required, refused, trigger } = form.rules[type]!
  for (const slot of required) {
    if (!params.has(slot)) return new Fault('MANDATORY_PARAMETER', paramNames[slot]!)
  }
  for (const slot of refused) {
    if (!params.has(slot)) continue
    return slot === form.fields.timeInForce
      ? new Fault('TIME_IN_FORCE_NOT_REQUIRED')
      : new Fault('PARAMETER_NOT_REQUIRED', paramNames[slot]!)
  }
  if (trigger !== undefined) return oneOfFault(trigger, params)
  return type === OrderType.MARKET ? amountFault(form.fields, params) : undefined
}

/** A MARKET order is by quantity or by quote amount, where its form has both. */
function amountFault({ quantity, quoteOrderQty }: OrderFields, params: Params): Fault | undefined {
  if (quoteOrderQty === undefined) return undefined
  const both = params.has(quantity) && params.has(quoteOrderQty)
  return both ? new Fault('BAD_COMBINATION') : oneOfFault([quantity, quoteOrderQty], params)
}

function oneOfFault(slots: readonly [Param, Param], params: Params): Fault | undefined {
  if (params.has(slots[0]) || params.has(slots[1])) return undefined
  return new Fault('ONE_OF_TWO_PARAMETERS', paramNames[slots[0]]!, paramNames[slots[1]]!)
}

/** Checks that an iceberg leg is GTC. Single orders are checked after their filters. */
export function legIcebergFault({ fields }: OrderForm, params: Params): Fault | undefined {
  const { icebergQty, timeInForce } = fields
  if (timeInForce === undefined || !params.has(icebergQty) || !params.has(timeInForce)) {
    return undefined
  }
  return params.numbers[timeInForce] === TimeInForce.GTC
    ? undefined
    : new Fault('ICEBERG_REQUIRES_GTC', paramNames[icebergQty]!, paramNames[timeInForce]!)
}
