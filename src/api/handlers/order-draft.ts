/**
 * From the parameters of an order to the integers of its command: the symbol, the prevention mode,
 * the stateless filters, what the symbol takes. Past this file no text means a number. Single orders
 * and legs of lists, placed, tested or replacing another, all pass here.
 */
import {
  DETAILED,
  isStopType,
  type OrderTerms,
  OrderType,
  packTerms,
  type SelfTradePrevention,
  type Side,
  TimeInForce,
  timeInForceOf,
  typeOf,
} from '../../base/codes.ts'
import type { Int64 } from '../../base/int64.ts'
import { Notional } from '../../base/notional.ts'
import { Lots, type Ms, QuoteAtoms, Ticks } from '../../base/units.ts'
import { noExtras, type OrderExtras } from '../../layout/order-extras.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { Context } from '../context.ts'
import { Fault } from '../errors.ts'
import { labelNames, type OrderLabel } from '../order-labels.ts'
import { NewOrderRespType, Param } from '../parameters.ts'
import type { Params } from '../params.ts'
import {
  icebergPartsFault,
  lotsOf,
  marketNotionalFault,
  notionalFault,
  percentPriceFault,
  quoteAmountFault,
  ticksOf,
  trailingDeltaFault,
} from './filters.ts'
import { formFault, type OrderFields, type OrderForm, singleOrder } from './order-form.ts'

export interface OrderDraft {
  readonly terms: OrderTerms
  /** 0 for MARKET and what becomes one. */
  readonly priceTicks: Ticks
  /** 0 for MARKET by quote amount. */
  readonly lots: Lots
  /** 0 for all others. */
  readonly quoteAtoms: QuoteAtoms
  readonly extras: Readonly<OrderExtras>
}

/** A single order, and how its placement is to be answered. */
export interface SingleDraft {
  readonly spec: SymbolSpec
  readonly order: OrderDraft
  /** NewOrderRespType. */
  readonly form: number
}

/** What the orders of one request are judged by. */
interface DraftSetting {
  readonly spec: SymbolSpec
  readonly params: Params
  readonly prevention: SelfTradePrevention
  readonly context: Context
  readonly nowMs: Ms
  /** Whether they are legs of a list, which are always detailed. */
  readonly areLegs: boolean
}

/** How refusals name a type (supplement 2a.7). */
const typeLabels: Readonly<Record<OrderType, string>> = {
  [OrderType.LIMIT]: 'Limit',
  [OrderType.MARKET]: 'Market',
  [OrderType.LIMIT_MAKER]: 'Limit maker',
  [OrderType.STOP_LOSS]: 'Stop loss',
  [OrderType.STOP_LOSS_LIMIT]: 'Stop loss limit',
  [OrderType.TAKE_PROFIT]: 'Take profit',
  [OrderType.TAKE_PROFIT_LIMIT]: 'Take profit limit',
}

const isMarketType = (type: OrderType): boolean =>
  type === OrderType.MARKET || type === OrderType.STOP_LOSS || type === OrderType.TAKE_PROFIT

/** LIMIT and MARKET are answered in full, all others acknowledged (supplement 2a.2). */
const defaultForm = (type: OrderType): number =>
  type === OrderType.LIMIT || type === OrderType.MARKET
    ? NewOrderRespType.FULL
    : NewOrderRespType.ACK

export function draftSingle(params: Params, context: Context, nowMs: Ms): SingleDraft | Fault {
  const type = params.numbers[Param.type] as OrderType
  const fault = formFault(singleOrder, type, params)
  if (fault !== undefined) return fault
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) return new Fault('INVALID_SYMBOL')
  const prevention = preventionOf(spec, params)
  if (prevention === undefined) return new Fault('PREVENTION_MODE_REFUSED')
  const setting = { spec, params, prevention, context, nowMs, areLegs: false }
  const order = draftOrder(setting, singleOrder, type, params.numbers[Param.side] as Side)
  if (order instanceof Fault) return order
  const form = params.number(Param.newOrderRespType) ?? defaultForm(type)
  return orderFault(spec, order) ?? { spec, order, form }
}

/** The mode sent, or the symbol's default; undefined for one that the symbol does not allow. */
export function preventionOf(spec: SymbolSpec, params: Params): SelfTradePrevention | undefined {
  if (!params.has(Param.selfTradePreventionMode)) return spec.preventionDefault
  const mode = params.numbers[Param.selfTradePreventionMode] as SelfTradePrevention
  return spec.preventionModes.includes(mode) ? mode : undefined
}

/** An order that its form has nothing against, through the stateless filters. */
export function draftOrder(
  setting: DraftSetting,
  { fields }: OrderForm,
  type: OrderType,
  side: Side,
): OrderDraft | Fault {
  const { spec, params, prevention, areLegs } = setting
  const tif = sentNumber(params, fields.timeInForce) ?? TimeInForce.GTC
  const plain = packTerms(side, type, tif as TimeInForce, prevention)
  const detailed = areLegs || hasDetails(type, fields, params)
  const draft: OrderDraft = {
    terms: detailed ? plain | DETAILED : plain,
    priceTicks: Ticks(0),
    lots: Lots(0),
    quoteAtoms: QuoteAtoms(0),
    extras: detailed ? labelsOf(fields, params) : noExtras,
  }
  if (fields.quoteOrderQty !== undefined && params.has(fields.quoteOrderQty)) {
    return draftAmount(spec, draft, params.units(fields.quoteOrderQty)!)
  }
  const fault = isMarketType(type)
    ? sizeMarket(setting, fields, draft)
    : sizeLimit(setting, fields, side, draft)
  if (fault !== undefined) return fault
  if (!detailed) return draft
  return addDetails(setting, fields, type, side, draft.lots, draft.extras) ?? draft
}

const sentNumber = (params: Params, slot: Param | undefined): number | undefined =>
  slot === undefined ? undefined : params.number(slot)

function hasDetails(type: OrderType, fields: OrderFields, params: Params): boolean {
  return (
    isStopType(type) ||
    params.has(fields.icebergQty) ||
    fields.labels.some((slot) => params.has(slot))
  )
}

/** The order's labels, and nothing else that it asks for. */
function labelsOf(fields: OrderFields, params: Params): OrderExtras {
  const extras = { ...noExtras }
  // The kind of each label has what its field holds.
  const labels: Record<OrderLabel, Int64> = extras
  for (const [i, name] of labelNames.entries()) {
    const sent = params.long(fields.labels[i]!)
    if (sent !== undefined) labels[name] = sent
  }
  return extras
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

function sizeLimit(
  { spec, params, context, nowMs }: DraftSetting,
  fields: OrderFields,
  side: Side,
  draft: Writable<OrderDraft>,
): Fault | undefined {
  if (params.numbers[fields.quantity] === 0) return new Fault('INVALID_QUANTITY')
  if (params.numbers[fields.price] === 0) return new Fault('INVALID_PRICE')
  const priceTicks = ticksOf(spec, params.units(fields.price)!, fields.price)
  if (priceTicks instanceof Fault) return priceTicks
  if (spec.bounds.percentPrices.length > 0) {
    const tape = context.tape(spec.id)
    const fault = percentPriceFault(spec, side, priceTicks, tape, nowMs)
    if (fault !== undefined) return fault
  }
  const lots = lotsOf(spec, params.units(fields.quantity)!, false, fields.quantity)
  if (lots instanceof Fault) return lots
  draft.priceTicks = priceTicks
  draft.lots = lots
  return notionalFault(spec, priceTicks, lots)
}

function sizeMarket(
  { spec, params, context, nowMs }: DraftSetting,
  fields: OrderFields,
  draft: Writable<OrderDraft>,
): Fault | undefined {
  const units = params.units(fields.quantity)!
  if (units === 0) return new Fault('INVALID_QUANTITY')
  const lots = lotsOf(spec, units, true, fields.quantity)
  if (lots instanceof Fault) return lots
  draft.lots = lots
  return marketNotionalFault(spec, lots, context.tape(spec.id), nowMs)
}

function draftAmount(
  spec: SymbolSpec,
  draft: Writable<OrderDraft>,
  units: Int64,
): OrderDraft | Fault {
  if (units === 0) return new Fault('INVALID_QUANTITY')
  draft.quoteAtoms = QuoteAtoms(units)
  return quoteAmountFault(spec, draft.quoteAtoms) ?? draft
}

function addDetails(
  { spec, params }: DraftSetting,
  fields: OrderFields,
  type: OrderType,
  side: Side,
  lots: Lots,
  extras: OrderExtras,
): Fault | undefined {
  const { stopPrice } = fields
  const stopUnits = stopPrice === undefined ? undefined : params.units(stopPrice)
  if (stopUnits !== undefined) {
    const stopTicks = ticksOf(spec, stopUnits, stopPrice!)
    if (stopTicks instanceof Fault) return stopTicks
    extras.stopTicks = stopTicks
  }
  const icebergUnits = params.units(fields.icebergQty)
  if (icebergUnits !== undefined) {
    const icebergLots = lotsOf(spec, icebergUnits, false, fields.icebergQty)
    if (icebergLots instanceof Fault) return icebergLots
    extras.icebergLots = icebergLots
    const fault = icebergPartsFault(spec, lots, icebergLots)
    if (fault !== undefined) return fault
  }
  const delta = sentNumber(params, fields.trailingDelta)
  if (delta === undefined) return undefined
  extras.trailingDelta = delta
  return trailingDeltaFault(spec, type, side, delta)
}

/** Why an order that passes the filters cannot be taken on this symbol. */
export function orderFault(spec: SymbolSpec, order: OrderDraft): Fault | undefined {
  const { features } = spec
  const { trailingDelta, icebergLots } = order.extras
  const type = typeOf(order.terms)
  if (!features.orderTypes.includes(type)) return notSupported(typeLabels[type])
  if (order.quoteAtoms > 0) {
    return features.quoteOrderQtyMarket ? undefined : new Fault('QUOTE_AMOUNT_NOT_SUPPORTED')
  }
  if (!isMarketType(type) && isWorthNothing(spec, order)) return new Fault('NOTIONAL_IS_ZERO')
  if (trailingDelta > 0 && !features.trailingStop) return notSupported('Trailing stop')
  if (icebergLots === 0) return undefined
  if (!features.iceberg) return notSupported('Iceberg')
  if (timeInForceOf(order.terms) !== TimeInForce.GTC) return new Fault('UNSUPPORTED_COMBINATION')
  return icebergLots < order.lots ? undefined : new Fault('ICEBERG_EXCEEDS_QUANTITY')
}

const notSupported = (label: string): Fault => new Fault('ORDER_TYPE_NOT_SUPPORTED', label)

/** Whether the order's notional is finer than the wire can show. */
const isWorthNothing = (spec: SymbolSpec, { priceTicks, lots }: OrderDraft): boolean =>
  new Notional(spec).down(priceTicks, lots) < 1
