/**
 * The shapes of order lists: which orders the parameters of a list ask for, in the order of its command. Of a
 * pair the stop-loss leg comes first (rest-api.md, order lists). order-draft.ts reads each order.
 */
import { OrderType, Side } from '../../base/codes.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { labelFields, prefixedLabels } from '../order-labels.ts'
import {
  type LegPrefix,
  Param,
  type ParamName,
  paramNames,
  RareParam,
  slotOf,
} from '../parameters.ts'
import type { Params } from '../params.ts'
import { type AskedOrder, formOf, type OrderForm } from './order-draft.ts'

/** Returns the legs, or the fault of their shape. */
export type ListShape = (params: Params) => readonly AskedOrder[] | Fault

/** The old OCO's LIMIT_MAKER leg, and its STOP_LOSS or STOP_LOSS_LIMIT leg. */
const oldLimitLeg = formOf({
  quantity: Param.quantity,
  price: Param.price,
  clientOrderId: RareParam.limitClientOrderId,
  icebergQty: RareParam.limitIcebergQty,
  labels: prefixedLabels('limit').map(slotOf),
})
const oldStopLeg = formOf({
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
    peg: [slot('PegPriceType'), slot('PegOffsetType'), slot('PegOffsetValue')],
    ...(waits ? { stopPrice: slot('StopPrice'), trailingDelta: slot('TrailingDelta') } : {}),
  })
}

const legForms: Readonly<Record<LegPrefix, OrderForm>> = {
  above: legForm('above', Param.quantity),
  below: legForm('below', Param.quantity),
  working: legForm('working', RareParam.workingQuantity),
  pending: legForm('pending', RareParam.pendingQuantity),
  pendingAbove: legForm('pendingAbove', RareParam.pendingQuantity),
  pendingBelow: legForm('pendingBelow', RareParam.pendingQuantity),
}

/** Forms of the same orders without a quantity. */
const unsizedForms: ReadonlyMap<OrderForm, OrderForm> = new Map(
  Object.values(legForms).map((form) => {
    const { quantity: _, ...fields } = form.fields
    return [form, formOf(fields)]
  }),
)

const isStopLoss = (type: OrderType): boolean =>
  type === OrderType.STOP_LOSS || type === OrderType.STOP_LOSS_LIMIT

/** The types of an OCO's legs, and the refusal of each on the wrong side, by Side. */
const wrongSides: Readonly<Partial<Record<OrderType, readonly [buy: ErrorId, sell: ErrorId]>>> = {
  [OrderType.LIMIT_MAKER]: ['OCO_LIMIT_OF_BUY_ABOVE', 'OCO_LIMIT_OF_SELL_BELOW'],
  [OrderType.STOP_LOSS]: ['OCO_STOP_LOSS_OF_BUY_BELOW', 'OCO_STOP_LOSS_OF_SELL_ABOVE'],
  [OrderType.STOP_LOSS_LIMIT]: ['OCO_STOP_LOSS_OF_BUY_BELOW', 'OCO_STOP_LOSS_OF_SELL_ABOVE'],
  [OrderType.TAKE_PROFIT]: ['OCO_TAKE_PROFIT_OF_BUY_ABOVE', 'OCO_TAKE_PROFIT_OF_SELL_BELOW'],
  [OrderType.TAKE_PROFIT_LIMIT]: ['OCO_TAKE_PROFIT_OF_BUY_ABOVE', 'OCO_TAKE_PROFIT_OF_SELL_BELOW'],
}

/** Returns the fault of a pair whose orders cancel each other. */
function pairFault(side: Side, above: OrderType, below: OrderType): Fault | undefined {
  const wrongAbove = wrongSides[above]
  const wrongBelow = wrongSides[below]
  if (wrongAbove === undefined || wrongBelow === undefined)
    return new Fault('OCO_TYPE_NOT_SUPPORTED')
  if (above === OrderType.LIMIT_MAKER && below === OrderType.LIMIT_MAKER) {
    return new Fault('OCO_WITHOUT_TRIGGER')
  }
  // A stop-loss belongs where the price runs to its owner's loss, all others on the other side.
  const stopLossIsAbove = side === Side.BUY
  if (isStopLoss(above) !== stopLossIsAbove) return new Fault(wrongAbove[side])
  return isStopLoss(below) === stopLossIsAbove ? new Fault(wrongBelow[side]) : undefined
}

function legOf(params: Params, prefix: LegPrefix, side: Param): AskedOrder {
  return {
    form: legForms[prefix],
    type: params.numbers[slotOf(`${prefix}Type`)] as OrderType,
    side: params.numbers[side] as Side,
  }
}

function pairOf(
  params: Params,
  abovePrefix: LegPrefix,
  belowPrefix: LegPrefix,
  side: Param,
): readonly AskedOrder[] | Fault {
  const above = legOf(params, abovePrefix, side)
  const below = legOf(params, belowPrefix, side)
  const fault = pairFault(above.side, above.type, below.type)
  return fault ?? (isStopLoss(above.type) ? [above, below] : [below, above])
}

export const ocoShape: ListShape = (params) => pairOf(params, 'above', 'below', Param.side)

export const oldOcoShape: ListShape = (params) => {
  const side = params.numbers[Param.side] as Side
  const limitsStop = params.has(RareParam.stopLimitPrice)
  const tif = RareParam.stopLimitTimeInForce
  if (limitsStop && !params.has(tif)) return new Fault('COMBINATION_LACKS', paramNames[tif]!)
  const stopType = limitsStop ? OrderType.STOP_LOSS_LIMIT : OrderType.STOP_LOSS
  return [
    { form: oldStopLeg, type: stopType, side },
    { form: oldLimitLeg, type: OrderType.LIMIT_MAKER, side },
  ]
}

const workingLeg = (params: Params): AskedOrder => legOf(params, 'working', RareParam.workingSide)

export const otoShape: ListShape = (params) => [
  workingLeg(params),
  legOf(params, 'pending', RareParam.pendingSide),
]

/** Binance's tables have `pendingBelowType` as optional, but an OTOCO has two pending orders. */
export const otocoShape: ListShape = (params) => {
  const type = RareParam.pendingBelowType
  if (!params.has(type)) return new Fault('COMBINATION_LACKS', paramNames[type]!)
  const pair = pairOf(params, 'pendingAbove', 'pendingBelow', RareParam.pendingSide)
  return pair instanceof Fault ? pair : [workingLeg(params), ...pair]
}

/** The pending orders sell what the working one buys, and get their quantity from it (faqs/opo.md). */
const paying =
  (shape: ListShape): ListShape =>
  (params) => {
    const { numbers } = params
    if (numbers[RareParam.workingSide] !== Side.BUY) return new Fault('OPO_WORKING_MUST_BE_BUY')
    if (numbers[RareParam.pendingSide] !== Side.SELL) return new Fault('OPO_PENDING_MUST_BE_SELL')
    const legs = shape(params)
    if (legs instanceof Fault) return legs
    return legs.map((leg, index) =>
      index === 0 ? leg : { ...leg, form: unsizedForms.get(leg.form)! },
    )
  }

export const opoShape = paying(otoShape)
export const opocoShape = paying(otocoShape)
