/**
 * The text of the user stream's executionReport (supplement 2e.2): what it says of the order, of the
 * event, and the members that only some reports have. execution-reporter.ts finds out what to say.
 */

import {
  type OrderStatus,
  type OrderTerms,
  OrderType,
  RejectReason,
  Side,
  sideOf,
  timeInForceOf,
  typeOf,
} from '../../base/codes.ts'
import { Notional } from '../../base/notional.ts'
import type { Atoms, Lots, Ms, OrderId, QuoteAtoms, Ticks, TradeId } from '../../base/units.ts'
import type { OrderRowDetails } from '../../history/account-history.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { forEachLabel, orderLabels } from '../order-labels.ts'
import { priceText, quantityText, timeOf, unitsText, ZERO } from './decimals.ts'
import { listIdOf } from './order-details.ts'
import { preventionName, sideNames, statusNames, timeInForceNames, typeNames } from './terms.ts'

/** What the report says of the event whatever its kind. */
export interface Envelope {
  readonly spec: SymbolSpec
  /** `E`: when it is sent. */
  readonly eventTimeMs: Ms
  /** `T`: when it happened. */
  readonly timeMs: Ms
  /** `I`; -1 for a refusal, which is no event. */
  readonly executionId: number
  readonly microseconds: boolean
}

/** What it says of its order, in the engine's units. */
export interface ReportedOrder {
  /** -1 for one that was refused. */
  readonly orderId: OrderId
  readonly terms: OrderTerms
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly filledLots: Lots
  readonly filledAtoms: QuoteAtoms
  readonly createdMs: Ms
  /** `W`: when it began to work; -1 while it has not. */
  readonly workingMs: Ms
  /** `c`: the id that the event goes by. */
  readonly clientOrderId: string
  /** `C`: the order's own id, when a cancel gave it another; else ''. */
  readonly renamedFrom: string
  /** Of a detailed order. */
  readonly details: OrderRowDetails | undefined
}

/** What it says of the event. */
export interface Occurrence {
  readonly execution:
    | 'NEW'
    | 'TRADE'
    | 'CANCELED'
    | 'EXPIRED'
    | 'TRADE_PREVENTION'
    | 'REPLACED'
    | 'REJECTED'
  readonly status: OrderStatus
  /** `w`: whether the order is on the book afterwards; true for the NEW of any that works. */
  readonly working: boolean
  readonly fill?: Fill
  readonly prevention?: Prevention
  /** `eR`. */
  readonly expiryReason?: string
  /** `r`; NONE when left out. */
  readonly rejectReason?: string
}

export interface Fill {
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly tradeId: TradeId
  readonly commission: Commission
  readonly isMaker: boolean
}

export interface Commission {
  readonly asset: AssetSpec
  readonly atoms: Atoms
}

/** A prevented match, as one side of it sees it. */
export interface Prevention {
  readonly preventedMatchId: number
  /** Lost by the order so far, and this time. */
  readonly preventedLots: Lots
  readonly lastPreventedLots: Lots
  /** -1 for none. */
  readonly tradeGroupId: number
  readonly counterOrderId: OrderId
  /** What would have traded. */
  readonly matchLots: Lots
  readonly priceTicks: Ticks
}

/** The asset that a side of a trade receives, in which it usually pays. */
export const receivedAsset = (spec: SymbolSpec, terms: OrderTerms): AssetSpec =>
  sideOf(terms) === Side.BUY ? spec.base : spec.quote

/** Orders that never rest: they are on the book only as they are new. */
export const isMarketType = (terms: OrderTerms): boolean => {
  const type = typeOf(terms)
  return type === OrderType.MARKET || type === OrderType.STOP_LOSS || type === OrderType.TAKE_PROFIT
}

/** `r` of a refused order (user-data-stream.md, Order Reject Reason); NONE for all others. */
export function rejectName(reason: number): string {
  switch (reason) {
    case RejectReason.INSUFFICIENT_BALANCE:
      return 'INSUFFICIENT_BALANCES'
    case RejectReason.WOULD_TRIGGER_IMMEDIATELY:
      return 'STOP_PRICE_WOULD_TRIGGER_IMMEDIATELY'
    case RejectReason.WOULD_MATCH_IMMEDIATELY:
      return 'WOULD_MATCH_IMMEDIATELY'
    case RejectReason.PRICES_NOT_RELATED:
      return 'OCO_BAD_PRICES'
    default:
      return 'NONE'
  }
}

export function executionReport(
  envelope: Envelope,
  order: ReportedOrder,
  occurrence: Occurrence,
): string {
  const { spec, microseconds } = envelope
  const { terms, details } = order
  const stop = details === undefined ? ZERO : priceText(spec, details.stopTicks)
  const iceberg = details === undefined ? ZERO : quantityText(spec, details.icebergLots)
  const head =
    `{"e":"executionReport","E":${timeOf(envelope.eventTimeMs, microseconds)},` +
    `"s":"${spec.name}","c":"${order.clientOrderId}","S":"${sideNames[sideOf(terms)]}",` +
    `"o":"${typeNames[typeOf(terms)]}","f":"${timeInForceNames[timeInForceOf(terms)]}",` +
    `"q":"${quantityText(spec, order.lots)}","p":"${priceText(spec, order.priceTicks)}",` +
    `"P":"${stop}","F":"${iceberg}","g":${listIdOf(details)},"C":"${order.renamedFrom}"`
  const event =
    `"x":"${occurrence.execution}","X":"${statusNames[occurrence.status]}",` +
    `"r":"${occurrence.rejectReason ?? 'NONE'}","i":${order.orderId},` +
    `"z":"${quantityText(spec, order.filledLots)}",` +
    `"T":${timeOf(envelope.timeMs, microseconds)},"I":${envelope.executionId},` +
    `"w":${occurrence.working},"O":${timeOf(order.createdMs, microseconds)},` +
    `"Z":"${unitsText(order.filledAtoms)}","Q":"${unitsText(order.quoteAtoms)}"`
  return (
    `${head},${event},` +
    `${fillMembers(spec, occurrence.fill)}${conditionalMembers(envelope, order, occurrence)},` +
    `"V":"${preventionName(terms)}"}`
  )
}

function fillMembers(spec: SymbolSpec, fill: Fill | undefined): string {
  if (fill === undefined) {
    return `"l":"${ZERO}","L":"${ZERO}","n":"0","N":null,"t":-1,"m":false,"M":false,"Y":"${ZERO}"`
  }
  const { asset, atoms } = fill.commission
  return (
    `"l":"${quantityText(spec, fill.lots)}","L":"${priceText(spec, fill.priceTicks)}",` +
    `"n":"${unitsText(atoms)}","N":"${asset.name}","t":${fill.tradeId},"m":${fill.isMaker},` +
    `"M":true,"Y":"${unitsText(fill.quoteAtoms)}"`
  )
}

/** Each after a comma; absent where there is nothing to say. */
function conditionalMembers(
  { spec, microseconds }: Envelope,
  { workingMs, details }: ReportedOrder,
  { prevention, expiryReason }: Occurrence,
): string {
  const time = (timeMs: Ms) => timeOf(timeMs, microseconds)
  let text = workingMs < 0 ? '' : `,"W":${time(workingMs)}`
  if (details !== undefined) {
    const { trailingDelta, trailingMs } = details
    if (trailingDelta > 0) text += `,"d":${trailingDelta}`
    if (trailingDelta > 0 && trailingMs >= 0) text += `,"D":${time(trailingMs)}`
    forEachLabel(details, (name, value) => {
      text += `,"${orderLabels[name]}":${value}`
    })
  }
  if (prevention !== undefined) text += preventionMembers(spec, prevention)
  return expiryReason === undefined ? text : `${text},"eR":"${expiryReason}"`
}

/** Spec, Events 4, and what would have been `l`, `L` and `Y` without the prevention. */
function preventionMembers(spec: SymbolSpec, prevention: Prevention): string {
  const { tradeGroupId, priceTicks, matchLots } = prevention
  return (
    `,"v":${prevention.preventedMatchId},` +
    `"A":"${quantityText(spec, prevention.preventedLots)}",` +
    `"B":"${quantityText(spec, prevention.lastPreventedLots)}","u":${tradeGroupId},` +
    `"U":${prevention.counterOrderId},"Cs":"${spec.name}",` +
    `"pl":"${quantityText(spec, matchLots)}","pL":"${priceText(spec, priceTicks)}",` +
    `"pY":"${unitsText(new Notional(spec).down(priceTicks, matchLots))}"`
  )
}
