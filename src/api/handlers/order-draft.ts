/**
 * Turns the parameters of an order into the integers of its command, or into a fault, in one pass. The steps
 * stand in the order that the protocol prescribes (rest-api.md, New order): parameters that the order's
 * type demands and refuses, symbol, prevention mode, stateless filters, features of the symbol. Every order
 * passes here once: single or leg of a list, placed, tested or replacing another. The legs of a list take
 * each step together, so a fault of an earlier step wins, whichever leg has it.
 *
 * Behind this file numbers are integers, never text. The engine checks what depends on the owner or the book.
 */
import {
  DETAILED,
  hasPendingPair,
  isMarketType,
  isStopType,
  namesOf,
  OrderListKind,
  type OrderTerms,
  OrderType,
  PegPriceType,
  packTerms,
  paysPending,
  ROUTED,
  type SelfTradePrevention,
  Side,
  sideOf,
  TimeInForce,
  timeInForceOf,
  typeOf,
} from '../../base/codes.ts'
import { type Int64, isMore, product } from '../../base/int64.ts'
import { baseAtomsOf, Notional } from '../../base/notional.ts'
import { Lots, QuoteAtoms, type SymbolId, Ticks } from '../../base/units.ts'
import { noExtras, type OrderExtras } from '../../layout/order.gen.ts'
import type { ExchangeSpec, SymbolGroup, SymbolSpec } from '../../market/listing.ts'
import type { Context, Request } from '../context.ts'
import { Fault } from '../errors.ts'
import { labelNames, type OrderLabel } from '../order-labels.ts'
import { Param, paramNames, RareParam, slotOf } from '../parameters.ts'
import type { Params } from '../params.ts'
import {
  assetFault,
  icebergPartsFault,
  lotsOf,
  marketNotionalFault,
  notionalFault,
  percentPriceFault,
  quoteAmountFault,
  stepsIn,
  ticksOf,
  trailingDeltaFault,
} from './order-filters.ts'

export interface OrderDraft {
  readonly spec: SymbolSpec
  readonly terms: OrderTerms
  /** 0 for MARKET and what becomes one. */
  readonly priceTicks: Ticks
  /** 0 for MARKET by quote amount, and for an order that gets its quantity later. */
  readonly lots: Lots
  /** 0 for all others. */
  readonly quoteAtoms: QuoteAtoms
  readonly extras: Readonly<OrderExtras>
  /** The text that was sent; undefined when it is to be generated. */
  readonly clientOrderId: string | undefined
}
type OpenDraft = { -readonly [Key in keyof OrderDraft]: OrderDraft[Key] }

/** One order of a request: its parameters, and what its operation decides of it. */
export interface AskedOrder {
  readonly form: OrderForm
  readonly type: OrderType
  readonly side: Side
}

/** Places of an order's parameters. A form lacks those that none of its types takes. */
export interface OrderFields {
  /** An order without it gets its quantity later (faqs/opo.md). */
  readonly quantity?: Param
  readonly price: Param
  readonly clientOrderId: Param
  readonly icebergQty: Param
  /** By place in labelNames. */
  readonly labels: readonly Param[]
  readonly timeInForce?: Param
  readonly stopPrice?: Param
  readonly trailingDelta?: Param
  readonly quoteOrderQty?: Param
  readonly peg?: readonly [priceType: Param, offsetType: Param, offsetValue: Param]
}
type Field = Exclude<keyof OrderFields, 'labels' | 'peg'>

interface TypeRule {
  readonly required: readonly Param[]
  readonly refused: readonly Param[]
  /** At least one of them must be sent. */
  readonly either: readonly [Param, Param] | undefined
}

/** The parameters that describe an order, and what each type demands and refuses of them. */
export interface OrderForm {
  readonly fields: OrderFields
  /** By type. */
  readonly rules: readonly TypeRule[]
}

/** A TypeRule by names of fields. */
type TypeFields = readonly [
  required: readonly Field[],
  refused: readonly Field[],
  either?: readonly [Field, Field],
]

const marketStop: TypeFields = [
  ['quantity'],
  ['timeInForce', 'price', 'quoteOrderQty', 'icebergQty'],
  ['stopPrice', 'trailingDelta'],
]
const limitStop: TypeFields = [
  ['timeInForce', 'quantity', 'price'],
  ['quoteOrderQty'],
  ['stopPrice', 'trailingDelta'],
]
const fieldsOfTypes: Readonly<Record<OrderType, TypeFields>> = {
  [OrderType.LIMIT]: [
    ['timeInForce', 'quantity', 'price'],
    ['quoteOrderQty', 'stopPrice', 'trailingDelta'],
  ],
  [OrderType.MARKET]: [
    [],
    ['timeInForce', 'price', 'icebergQty', 'stopPrice', 'trailingDelta'],
    ['quantity', 'quoteOrderQty'],
  ],
  [OrderType.LIMIT_MAKER]: [
    ['quantity', 'price'],
    ['timeInForce', 'quoteOrderQty', 'stopPrice', 'trailingDelta'],
  ],
  [OrderType.STOP_LOSS]: marketStop,
  [OrderType.STOP_LOSS_LIMIT]: limitStop,
  [OrderType.TAKE_PROFIT]: marketStop,
  [OrderType.TAKE_PROFIT_LIMIT]: limitStop,
}

/** Looks the fields' places up once, so that requests search no names. */
export function formOf(fields: OrderFields): OrderForm {
  const slots = (names: readonly Field[]) => names.flatMap((name) => fields[name] ?? [])
  const rules = Object.values(OrderType).map((type): TypeRule => {
    const [required, refused, either = []] = fieldsOfTypes[type]
    const [one, other] = slots(either)
    return {
      required: slots(required),
      refused: slots(refused),
      either: one === undefined || other === undefined ? undefined : [one, other],
    }
  })
  return { fields, rules }
}

const singleOrder = formOf({
  quantity: Param.quantity,
  price: Param.price,
  clientOrderId: Param.newClientOrderId,
  icebergQty: Param.icebergQty,
  labels: labelNames.map(slotOf),
  timeInForce: Param.timeInForce,
  stopPrice: Param.stopPrice,
  trailingDelta: Param.trailingDelta,
  quoteOrderQty: Param.quoteOrderQty,
  peg: [RareParam.pegPriceType, RareParam.pegOffsetType, RareParam.pegOffsetValue],
})

/** An order that is routed: LIMIT or MARKET, by its quantity. */
const routedOrder = formOf({
  quantity: Param.quantity,
  price: Param.price,
  clientOrderId: Param.newClientOrderId,
  icebergQty: Param.icebergQty,
  labels: labelNames.map(slotOf),
  timeInForce: Param.timeInForce,
})

/** Drafts a single order. */
export const draftOrder = (request: Request, context: Context): OrderDraft | Fault =>
  draftOf(singleOrder, request, context)

/** Drafts an order that takes from all books of its symbol's group. */
export function draftRouted(request: Request, context: Context): OrderDraft | Fault {
  const draft = draftOf(routedOrder, request, context)
  if (draft instanceof Fault) return draft
  const { spec, terms } = draft
  const type = typeOf(terms)
  if (groupOf(spec, context) === undefined) return notSupported('SOR')
  if (type !== OrderType.LIMIT && type !== OrderType.MARKET) return notSupported(typeLabels[type]!)
  return { ...draft, terms: terms | ROUTED }
}

function draftOf(form: OrderForm, request: Request, context: Context): OpenDraft | Fault {
  const { params } = request
  const type = params.numbers[Param.type] as OrderType
  const fault = sentFault(form, type, params)
  if (fault !== undefined) return fault
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) return new Fault('INVALID_SYMBOL')
  const side = params.numbers[Param.side] as Side
  const draft = begunDraft(spec, form.fields, type, side, params, false)
  if (draft instanceof Fault) return draft
  const filtered = filterFault(draft, form.fields, request, context)
  return filtered ?? supportFault(draft) ?? draft
}

/** Drafts the orders of a list, in the order in which the engine accepts them. */
export function draftList(
  kind: OrderListKind,
  legs: readonly AskedOrder[],
  request: Request,
  context: Context,
): readonly OrderDraft[] | Fault {
  const { params } = request
  for (const { form, type } of legs) {
    const fault = sentFault(form, type, params) ?? legIcebergFault(form.fields, params)
    if (fault !== undefined) return fault
  }
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) return new Fault('INVALID_SYMBOL')
  const drafts: OrderDraft[] = []
  for (const { form, type, side } of legs) {
    const draft = begunDraft(spec, form.fields, type, side, params, true)
    if (draft instanceof Fault) return draft
    const fault = filterFault(draft, form.fields, request, context)
    if (fault !== undefined) return fault
    drafts.push(draft)
  }
  const refused = listFault(spec, kind)
  if (refused !== undefined) return refused
  for (const draft of drafts) {
    const fault = supportFault(draft)
    if (fault !== undefined) return fault
  }
  return drafts
}

/** Returns the fault of a parameter that the type demands and lacks, or refuses and has. */
function sentFault(form: OrderForm, type: OrderType, params: Params): Fault | undefined {
  const { required, refused, either } = form.rules[type]!
  const { price, peg } = form.fields
  for (const slot of required) {
    const isGiven = params.has(slot) || (slot === price && isPegged(peg, params))
    if (!isGiven) return new Fault('MANDATORY_PARAMETER', paramNames[slot]!)
  }
  for (const slot of refused) {
    if (!params.has(slot)) continue
    return slot === form.fields.timeInForce
      ? new Fault('TIME_IN_FORCE_NOT_REQUIRED')
      : new Fault('PARAMETER_NOT_REQUIRED', paramNames[slot]!)
  }
  if (peg !== undefined && params.hasRare) {
    const fault = pegFault(peg, params)
    if (fault !== undefined) return fault
  }
  if (either === undefined) return undefined
  const [one, other] = either
  if (!params.has(one) && !params.has(other)) {
    return new Fault('ONE_OF_TWO_PARAMETERS', paramNames[one]!, paramNames[other]!)
  }
  // A MARKET order is by quantity or by quote amount.
  const areBoth = type === OrderType.MARKET && params.has(one) && params.has(other)
  return areBoth ? new Fault('BAD_COMBINATION') : undefined
}

const isPegged = (peg: OrderFields['peg'], params: Params): boolean =>
  peg !== undefined && params.hasRare && params.has(peg[0])

/** The offset is sent whole, with the peg, or not at all. */
function pegFault(
  [priceType, offsetType, offsetValue]: NonNullable<OrderFields['peg']>,
  params: Params,
): Fault | undefined {
  const [hasType, hasValue] = [params.has(offsetType), params.has(offsetValue)]
  if (!hasType && !hasValue) return undefined
  const lacking = !params.has(priceType) ? priceType : hasType ? offsetValue : offsetType
  return hasType && hasValue && params.has(priceType)
    ? undefined
    : new Fault('COMBINATION_LACKS', paramNames[lacking]!)
}

/** An iceberg leg must be GTC. Single orders are checked after their filters. */
function legIcebergFault(
  { icebergQty, timeInForce }: OrderFields,
  params: Params,
): Fault | undefined {
  if (timeInForce === undefined || !params.has(icebergQty) || !params.has(timeInForce)) {
    return undefined
  }
  return params.numbers[timeInForce] === TimeInForce.GTC
    ? undefined
    : new Fault('ICEBERG_REQUIRES_GTC', paramNames[icebergQty]!, paramNames[timeInForce]!)
}

/** Begins a draft with all that needs no filter. Legs are always detailed. */
function begunDraft(
  spec: SymbolSpec,
  fields: OrderFields,
  type: OrderType,
  side: Side,
  params: Params,
  isLeg: boolean,
): OpenDraft | Fault {
  const mode = params.number(Param.selfTradePreventionMode) as SelfTradePrevention | undefined
  if (mode !== undefined && !spec.preventionModes.includes(mode)) {
    return new Fault('PREVENTION_MODE_REFUSED')
  }
  const tif = sentNumber(params, fields.timeInForce) ?? TimeInForce.GTC
  const plain = packTerms(side, type, tif as TimeInForce, mode ?? spec.preventionDefault)
  const isDetailed = isLeg || hasDetails(type, fields, params)
  return {
    spec,
    terms: isDetailed ? plain | DETAILED : plain,
    priceTicks: Ticks(0),
    lots: Lots(0),
    quoteAtoms: QuoteAtoms(0),
    extras: isDetailed ? labelsOf(fields, params) : noExtras,
    clientOrderId: params.text(fields.clientOrderId),
  }
}

const sentNumber = (params: Params, slot: Param | undefined): number | undefined =>
  slot === undefined ? undefined : params.number(slot)

function hasDetails(
  type: OrderType,
  { icebergQty, labels, peg }: OrderFields,
  params: Params,
): boolean {
  if (isStopType(type) || params.has(icebergQty) || isPegged(peg, params)) return true
  for (const slot of labels) if (params.has(slot)) return true
  return false
}

/** Returns extras that have the order's labels and its peg only. */
function labelsOf({ labels, peg }: OrderFields, params: Params): OrderExtras {
  const extras = { ...noExtras }
  if (peg !== undefined && isPegged(peg, params)) {
    extras.pegPriceType = params.numbers[peg[0]]!
    extras.pegLevels = params.number(peg[2]) ?? 0
  }
  // The kind of each label has what its field holds.
  const values: Record<OrderLabel, Int64> = extras
  for (let i = 0; i < labels.length; i++) {
    const sent = params.long(labels[i]!)
    if (sent !== undefined) values[labelNames[i]!] = sent
  }
  return extras
}

/** Applies the filters in their order, and writes into the draft what passes. */
function filterFault(
  draft: OpenDraft,
  fields: OrderFields,
  request: Request,
  context: Context,
): Fault | undefined {
  const { quoteOrderQty } = fields
  const { exchange } = context
  if (quoteOrderQty !== undefined && request.params.has(quoteOrderQty)) {
    const fault = amountFault(draft, request.params.units(quoteOrderQty)!)
    return fault ?? movedFault(draft, exchange)
  }
  const fault =
    (isMarketType(typeOf(draft.terms))
      ? marketFault(draft, fields, request, context)
      : limitFault(draft, fields, request, context)) ?? movedFault(draft, exchange)
  if (fault !== undefined || draft.extras === noExtras) return fault
  return extrasFault(draft, draft.extras, fields, request.params)
}

/** MAX_ASSET. What a MARKET order moves besides what it names is foreseen by the engine. */
function movedFault(draft: OrderDraft, exchange: ExchangeSpec): Fault | undefined {
  if (exchange.assetLimits.length === 0) return undefined
  const { spec, priceTicks, lots, quoteAtoms } = draft
  const worth = quoteAtoms === 0 ? new Notional(spec).up(priceTicks, lots) : quoteAtoms
  return assetFault(spec, exchange, baseAtomsOf(lots, spec.atomsPerLot), worth)
}

function amountFault(draft: OpenDraft, units: Int64): Fault | undefined {
  if (units === 0) return new Fault('INVALID_QUANTITY')
  draft.quoteAtoms = QuoteAtoms(units)
  return quoteAmountFault(draft.spec, draft.quoteAtoms)
}

function marketFault(
  draft: OpenDraft,
  fields: OrderFields,
  { params, nowMs }: Request,
  context: Context,
): Fault | undefined {
  const { spec } = draft
  const { quantity, stopPrice } = fields
  if (quantity === undefined) return undefined
  const units = params.units(quantity)!
  if (units === 0) return new Fault('INVALID_QUANTITY')
  const lots = lotsOf(spec, units, true, quantity)
  if (lots instanceof Fault) return lots
  draft.lots = lots
  const stopUnits = (stopPrice === undefined ? undefined : params.units(stopPrice)) ?? 0
  const group = fields === routedOrder.fields ? groupOf(spec, context) : undefined
  const untradedUnits =
    bestAcross(group?.symbols ?? [spec.id], sideOf(draft.terms), context) ||
    product(stepsIn(stopUnits, spec.tickUnits), spec.tickUnits)
  const reference = context.reference(spec.id).unitsAt(nowMs)
  const tape = context.tape(spec.id)
  return marketNotionalFault(spec, lots, tape, nowMs, untradedUnits, reference)
}

/**
 * Returns the price that a MARKET order of the side would meet first in these books, in 10^-8 of the quote asset; 0 where
 * nothing rests.
 */
function bestAcross(books: readonly SymbolId[], side: Side, context: Context): Int64 {
  let best: Int64 = 0
  for (const id of books) {
    const { bestAskTicks, bestBidTicks } = context.depth(id)
    const ticks = side === Side.BUY ? bestAskTicks : bestBidTicks
    const units = product(ticks, context.symbols[id]!.tickUnits)
    const isBetter = side === Side.BUY ? isMore(best, units) : isMore(units, best)
    if (units !== 0 && (best === 0 || isBetter)) best = units
  }
  return best
}

const groupOf = ({ id }: SymbolSpec, { groups }: Context): SymbolGroup | undefined =>
  groups.find(({ symbols }) => symbols.includes(id))

function limitFault(
  draft: OpenDraft,
  { quantity, price }: OrderFields,
  { params, nowMs }: Request,
  context: Context,
): Fault | undefined {
  const { spec } = draft
  if (quantity !== undefined && params.numbers[quantity] === 0) {
    return new Fault('INVALID_QUANTITY')
  }
  const priceUnits = params.units(price)
  if (priceUnits === undefined) {
    // The engine judges the price of the peg.
    if (quantity === undefined) return undefined
    const lots = lotsOf(spec, params.units(quantity)!, false, quantity)
    if (lots instanceof Fault) return lots
    draft.lots = lots
    return undefined
  }
  if (priceUnits === 0) return new Fault('INVALID_PRICE')
  const priceTicks = ticksOf(spec, priceUnits, price)
  if (priceTicks instanceof Fault) return priceTicks
  if (spec.bounds.percentPrices.length > 0) {
    const tape = context.tape(spec.id)
    const reference = context.reference(spec.id).unitsAt(nowMs)
    const fault = percentPriceFault(spec, sideOf(draft.terms), priceTicks, tape, nowMs, reference)
    if (fault !== undefined) return fault
  }
  draft.priceTicks = priceTicks
  if (quantity === undefined) return undefined
  const lots = lotsOf(spec, params.units(quantity)!, false, quantity)
  if (lots instanceof Fault) return lots
  draft.lots = lots
  return notionalFault(spec, priceTicks, lots)
}

function extrasFault(
  { spec, terms, lots }: OrderDraft,
  extras: OrderExtras,
  { stopPrice, icebergQty, trailingDelta }: OrderFields,
  params: Params,
): Fault | undefined {
  const stopUnits = stopPrice === undefined ? undefined : params.units(stopPrice)
  if (stopUnits !== undefined) {
    const stopTicks = ticksOf(spec, stopUnits, stopPrice!)
    if (stopTicks instanceof Fault) return stopTicks
    extras.stopTicks = stopTicks
  }
  const icebergUnits = params.units(icebergQty)
  if (icebergUnits !== undefined) {
    const icebergLots = lotsOf(spec, icebergUnits, false, icebergQty)
    if (icebergLots instanceof Fault) return icebergLots
    extras.icebergLots = icebergLots
    const fault = icebergPartsFault(spec, lots, icebergLots)
    if (fault !== undefined) return fault
  }
  const delta = sentNumber(params, trailingDelta)
  if (delta === undefined) return undefined
  extras.trailingDelta = delta
  return trailingDeltaFault(spec, typeOf(terms), sideOf(terms), delta)
}

/** An OTOCO is an OTO whose pending orders are an OCO; OPO and OPOCO are an OTO and an OTOCO. */
function listFault({ features }: SymbolSpec, kind: OrderListKind): Fault | undefined {
  const isOco = kind === OrderListKind.OCO
  const refused = (name: string) => new Fault('ORDER_LIST_NOT_SUPPORTED', name)
  if (!isOco && !features.oto) return refused('OTO')
  if (paysPending(kind) && !features.opo) return refused('OPO')
  return (isOco || hasPendingPair(kind)) && !features.oco ? refused('OCO') : undefined
}

/** How refusals name a type (errors.md): 'Stop loss limit'. */
const typeLabels = namesOf(OrderType).map(
  (name) => name[0]! + name.slice(1).toLowerCase().replaceAll('_', ' '),
)
const notSupported = (label: string): Fault => new Fault('ORDER_TYPE_NOT_SUPPORTED', label)

/** Returns the fault of an order that passes the filters and needs a feature that its symbol lacks. */
function supportFault(draft: OrderDraft): Fault | undefined {
  const { spec, terms, priceTicks, lots } = draft
  const { features } = spec
  const { trailingDelta, icebergLots, pegPriceType } = draft.extras
  const type = typeOf(terms)
  const isSized = lots > 0
  if (!features.orderTypes.includes(type)) return notSupported(typeLabels[type]!)
  if (pegPriceType !== 0) {
    const fault = pegTypeFault(draft, pegPriceType)
    if (fault !== undefined) return fault
  }
  if (draft.quoteAtoms > 0) {
    return features.quoteOrderQtyMarket ? undefined : new Fault('QUOTE_AMOUNT_NOT_SUPPORTED')
  }
  // Its notional is finer than the wire can show.
  const isWorthNothing = isSized && priceTicks > 0 && new Notional(spec).down(priceTicks, lots) < 1
  if (isWorthNothing) return new Fault('NOTIONAL_IS_ZERO')
  if (trailingDelta > 0 && !features.trailingStop) return notSupported('Trailing stop')
  if (icebergLots === 0) return undefined
  if (!features.iceberg) return notSupported('Iceberg')
  if (timeInForceOf(terms) !== TimeInForce.GTC) return new Fault('UNSUPPORTED_COMBINATION')
  return isSized && icebergLots >= lots ? new Fault('ICEBERG_EXCEEDS_QUANTITY') : undefined
}

/** What may be pegged, and how (faqs/pegged_orders.md). */
function pegTypeFault({ spec, terms }: OrderDraft, pegPriceType: number): Fault | undefined {
  const type = typeOf(terms)
  if (!spec.features.pegInstructions) return new Fault('PEG_NOT_SUPPORTED')
  if (isMarketType(type)) return new Fault('PEG_OF_OTHER_TYPE')
  const isPrimary = pegPriceType === PegPriceType.PRIMARY_PEG
  // An order at the best price of its own side takes nothing at once.
  const isLost = type === OrderType.LIMIT && isPrimary && timeInForceOf(terms) !== TimeInForce.GTC
  const isTaking = type === OrderType.LIMIT_MAKER && !isPrimary
  return isLost || isTaking ? new Fault('PEG_NOT_OF_TYPE') : undefined
}
