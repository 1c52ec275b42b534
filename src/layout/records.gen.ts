// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { packClientOrderId, unpackClientOrderId } from '../base/client-order-id.ts'
import { type Int64, readInt64, writeInt64 } from '../base/int64.ts'
import type { AccountId, Atoms, Lots, Ms, OrderId, OrderListId, QuoteAtoms, SymbolId, Ticks } from '../base/units.ts'
import { headOf, type RecordBuffer } from './record-buffer.ts'

export const COMMAND_SLOT_BYTES = 128

/** the last record that the command caused; its answer is complete */
export const FLAG_LAST = 1
/** a command whose stages are stamped (shared/stamps.ts) */
export const FLAG_TIMED = 2
/** a Trade of an auction: both orders rested, and an AuctionSection stands behind it */
export const FLAG_AUCTION = 4

/** Number of each record type. */
export const RecordType = {
  PlaceOrder: 1,
  CancelOrder: 2,
  CancelOpenOrders: 3,
  QueryOrder: 4,
  QueryOpenOrders: 5,
  QueryBook: 6,
  PlaceOrderList: 7,
  CancelOrderList: 8,
  ReplaceOrder: 9,
  AmendOrder: 10,
  CancelSessionOrders: 11,
  OrderAccepted: 16,
  Trade: 17,
  OrderRested: 18,
  OrderClosed: 19,
  MatchPrevented: 20,
  OrderTriggered: 22,
  OrderReleased: 23,
  OrderReplenished: 24,
  OrderAmended: 25,
  OrderListChanged: 26,
  OrderDecremented: 28,
  PhaseChanged: 29,
  AuctionUncrossed: 30,
  Rejected: 64,
  OrderState: 65,
  QueryEnd: 66,
  BookBegin: 67,
  BookLevel: 68,
  BookEnd: 69,
  ReplaceResult: 71,
  OrderListRejected: 72,
  AuctionIndicative: 73,
} as const

/** Throws a RangeError when the section is missing. */
export function present<T>(section: T | undefined, name: string): T {
  if (section === undefined) throw new RangeError('a section is missing: ' + name)
  return section
}

/** What the terms of a detailed order do not say, as it stands after the event. */
export interface DetailsSectionFields {
  orderListId: OrderListId
  stopTicks: Ticks
  icebergLots: Lots
  strategyId: Int64
  trailingMs: Ms
  workingMs: Ms
  strategyType: number
  trailingDelta: number
  phase: number
  amendments: number
  preventedLots: Lots
}

export function readDetailsSection(buffer: RecordBuffer, at: number): DetailsSectionFields {
  return {
    orderListId: buffer.f64[(at >> 3) + 0] as OrderListId,
    stopTicks: buffer.f64[(at >> 3) + 1] as Ticks,
    icebergLots: buffer.f64[(at >> 3) + 2] as Lots,
    strategyId: readInt64(buffer.i32, (at >> 2) + 6),
    trailingMs: buffer.f64[(at >> 3) + 4] as Ms,
    workingMs: buffer.f64[(at >> 3) + 5] as Ms,
    strategyType: buffer.i32[(at >> 2) + 12]!,
    trailingDelta: buffer.i32[(at >> 2) + 13]!,
    phase: buffer.i32[(at >> 2) + 14]!,
    amendments: buffer.i32[(at >> 2) + 15]!,
    preventedLots: buffer.f64[(at >> 3) + 8] as Lots,
  }
}

/** Writes the section and returns the offset after it. */
export function writeDetailsSection(buffer: RecordBuffer, at: number, fields: DetailsSectionFields): number {
  buffer.f64[(at >> 3) + 0] = fields.orderListId
  buffer.f64[(at >> 3) + 1] = fields.stopTicks
  buffer.f64[(at >> 3) + 2] = fields.icebergLots
  writeInt64(buffer.i32, (at >> 2) + 6, fields.strategyId)
  buffer.f64[(at >> 3) + 4] = fields.trailingMs
  buffer.f64[(at >> 3) + 5] = fields.workingMs
  buffer.i32[(at >> 2) + 12] = fields.strategyType
  buffer.i32[(at >> 2) + 13] = fields.trailingDelta
  buffer.i32[(at >> 2) + 14] = fields.phase
  buffer.i32[(at >> 2) + 15] = fields.amendments
  buffer.f64[(at >> 3) + 8] = fields.preventedLots
  return at + 72
}

/** The match that self-trade prevention prevented, as the order sees it that lost by it. */
export interface PreventionSectionFields {
  preventedMatchId: number
  tradeGroupId: number
  counterOrderId: OrderId
  lastPreventedLots: Lots
  matchLots: Lots
  priceTicks: Ticks
}

export function readPreventionSection(buffer: RecordBuffer, at: number): PreventionSectionFields {
  return {
    preventedMatchId: buffer.f64[(at >> 3) + 0]!,
    tradeGroupId: buffer.f64[(at >> 3) + 1]!,
    counterOrderId: buffer.f64[(at >> 3) + 2] as OrderId,
    lastPreventedLots: buffer.f64[(at >> 3) + 3] as Lots,
    matchLots: buffer.f64[(at >> 3) + 4] as Lots,
    priceTicks: buffer.f64[(at >> 3) + 5] as Ticks,
  }
}

/** Writes the section and returns the offset after it. */
export function writePreventionSection(buffer: RecordBuffer, at: number, fields: PreventionSectionFields): number {
  buffer.f64[(at >> 3) + 0] = fields.preventedMatchId
  buffer.f64[(at >> 3) + 1] = fields.tradeGroupId
  buffer.f64[(at >> 3) + 2] = fields.counterOrderId
  buffer.f64[(at >> 3) + 3] = fields.lastPreventedLots
  buffer.f64[(at >> 3) + 4] = fields.matchLots
  buffer.f64[(at >> 3) + 5] = fields.priceTicks
  return at + 48
}

/** What a trade of an auction has beside an ordinary one's: its price is that of neither order. */
export interface AuctionSectionFields {
  makerPriceTicks: Ticks
}

export function readAuctionSection(buffer: RecordBuffer, at: number): AuctionSectionFields {
  return {
    makerPriceTicks: buffer.f64[(at >> 3) + 0] as Ticks,
  }
}

/** Writes the section and returns the offset after it. */
export function writeAuctionSection(buffer: RecordBuffer, at: number, fields: AuctionSectionFields): number {
  buffer.f64[(at >> 3) + 0] = fields.makerPriceTicks
  return at + 8
}

/** Cancel one open order, found by orderId, by its client id, or by both agreeing. */
export interface CancelOrderRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  restrictions: number
  orderId: OrderId
  expiresMs: Ms
  origClientOrderId: string
  clientOrderId: string
}

export function readCancelOrder(buffer: RecordBuffer, at: number): CancelOrderRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    restrictions: buffer.i32[(at >> 2) + 5]!,
    orderId: buffer.f64[(at >> 3) + 3] as OrderId,
    expiresMs: buffer.f64[(at >> 3) + 4] as Ms,
    origClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 10),
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 18),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeCancelOrder(
  buffer: RecordBuffer,
  at: number,
  record: CancelOrderRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(2, 104, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.restrictions
  buffer.f64[(at >> 3) + 3] = record.orderId
  buffer.f64[(at >> 3) + 4] = record.expiresMs
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, (at >> 2) + 10) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 18) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 104
}

/** Cancel every open order of the account on the symbol, oldest first. */
export interface CancelOpenOrdersRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  spare: number
  expiresMs: Ms
  clientOrderId: string
}

export function readCancelOpenOrders(buffer: RecordBuffer, at: number): CancelOpenOrdersRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    spare: buffer.i32[(at >> 2) + 5]!,
    expiresMs: buffer.f64[(at >> 3) + 3] as Ms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 8),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeCancelOpenOrders(
  buffer: RecordBuffer,
  at: number,
  record: CancelOpenOrdersRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(3, 64, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.spare
  buffer.f64[(at >> 3) + 3] = record.expiresMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 8) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 64
}

/** Cancel every open order of the account that belongs to a session, oldest first. */
export interface CancelSessionOrdersRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  session: number
  clientOrderId: string
}

export function readCancelSessionOrders(buffer: RecordBuffer, at: number): CancelSessionOrdersRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    session: buffer.i32[(at >> 2) + 5]!,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 6),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeCancelSessionOrders(
  buffer: RecordBuffer,
  at: number,
  record: CancelSessionOrdersRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(11, 56, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.session
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 6) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 56
}

/** An order ended without being filled whole: releasedAtoms moved from locked to free, but for what another leg of its list still needs. */
export interface OrderClosedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  account: AccountId
  terms: number
  orderId: OrderId
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
  status: number
  reason: number
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  createdMs: Ms
  restedLots: Lots
  updateId: number
  releasedAtoms: Atoms
  clientOrderId: string
  origClientOrderId: string
  prevention?: PreventionSectionFields | undefined
  details?: DetailsSectionFields | undefined
}

export function readOrderClosed(buffer: RecordBuffer, at: number): OrderClosedRecord {
  const preventionAt = buffer.i32[(at >> 2) + 18]! === 7 ? at + 200 : -1
  const detailsAt = (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 200 + (buffer.i32[(at >> 2) + 18]! === 7 ? 48 : 0) : -1
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    timeMs: buffer.f64[(at >> 3) + 2] as Ms,
    sequence: buffer.f64[(at >> 3) + 3]!,
    account: buffer.i32[(at >> 2) + 8] as AccountId,
    terms: buffer.i32[(at >> 2) + 9]!,
    orderId: buffer.f64[(at >> 3) + 5] as OrderId,
    priceTicks: buffer.f64[(at >> 3) + 6] as Ticks,
    lots: buffer.f64[(at >> 3) + 7] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
    status: buffer.i32[(at >> 2) + 18]!,
    reason: buffer.i32[(at >> 2) + 19]!,
    filledLots: buffer.f64[(at >> 3) + 10] as Lots,
    filledAtoms: readInt64(buffer.i32, (at >> 2) + 22) as QuoteAtoms,
    preventedLots: buffer.f64[(at >> 3) + 12] as Lots,
    createdMs: buffer.f64[(at >> 3) + 13] as Ms,
    restedLots: buffer.f64[(at >> 3) + 14] as Lots,
    updateId: buffer.f64[(at >> 3) + 15]!,
    releasedAtoms: readInt64(buffer.i32, (at >> 2) + 32) as Atoms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 34),
    origClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 42),
    prevention: preventionAt < 0 ? undefined : readPreventionSection(buffer, preventionAt),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderClosed(
  buffer: RecordBuffer,
  at: number,
  record: OrderClosedRecord,
  flags = 0,
): number {
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.i32[(at >> 2) + 8] = record.account
  buffer.i32[(at >> 2) + 9] = record.terms
  buffer.f64[(at >> 3) + 5] = record.orderId
  buffer.f64[(at >> 3) + 6] = record.priceTicks
  buffer.f64[(at >> 3) + 7] = record.lots
  writeInt64(buffer.i32, (at >> 2) + 16, record.quoteAtoms)
  buffer.i32[(at >> 2) + 18] = record.status
  buffer.i32[(at >> 2) + 19] = record.reason
  buffer.f64[(at >> 3) + 10] = record.filledLots
  writeInt64(buffer.i32, (at >> 2) + 22, record.filledAtoms)
  buffer.f64[(at >> 3) + 12] = record.preventedLots
  buffer.f64[(at >> 3) + 13] = record.createdMs
  buffer.f64[(at >> 3) + 14] = record.restedLots
  buffer.f64[(at >> 3) + 15] = record.updateId
  writeInt64(buffer.i32, (at >> 2) + 32, record.releasedAtoms)
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 34) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, (at >> 2) + 42) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  let end = at + 200
  if (record.status === 7) {
    end = writePreventionSection(buffer, end, present(record.prevention, 'prevention'))
  }
  if ((record.terms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.details, 'details'))
  }
  buffer.i32[at >> 2] = headOf(19, end - at, flags)
  return end
}

/** A match of two orders of one owner was prevented; OrderClosed of whichever expires follows. */
export interface MatchPreventedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  takerAccount: AccountId
  makerAccount: AccountId
  takerTerms: number
  makerTerms: number
  tradeGroupId: number
  preventedMatchId: number
  priceTicks: Ticks
  takerOrderId: OrderId
  makerOrderId: OrderId
  takerPreventedLots: Lots
  makerPreventedLots: Lots
  transferredLots: Lots
  transferredAtoms: QuoteAtoms
  buyerReleasedAtoms: QuoteAtoms
  matchLots: Lots
}

export function readMatchPrevented(buffer: RecordBuffer, at: number): MatchPreventedRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    timeMs: buffer.f64[(at >> 3) + 2] as Ms,
    sequence: buffer.f64[(at >> 3) + 3]!,
    takerAccount: buffer.i32[(at >> 2) + 8] as AccountId,
    makerAccount: buffer.i32[(at >> 2) + 9] as AccountId,
    takerTerms: buffer.i32[(at >> 2) + 10]!,
    makerTerms: buffer.i32[(at >> 2) + 11]!,
    tradeGroupId: buffer.f64[(at >> 3) + 6]!,
    preventedMatchId: buffer.f64[(at >> 3) + 7]!,
    priceTicks: buffer.f64[(at >> 3) + 8] as Ticks,
    takerOrderId: buffer.f64[(at >> 3) + 9] as OrderId,
    makerOrderId: buffer.f64[(at >> 3) + 10] as OrderId,
    takerPreventedLots: buffer.f64[(at >> 3) + 11] as Lots,
    makerPreventedLots: buffer.f64[(at >> 3) + 12] as Lots,
    transferredLots: buffer.f64[(at >> 3) + 13] as Lots,
    transferredAtoms: readInt64(buffer.i32, (at >> 2) + 28) as QuoteAtoms,
    buyerReleasedAtoms: readInt64(buffer.i32, (at >> 2) + 30) as QuoteAtoms,
    matchLots: buffer.f64[(at >> 3) + 16] as Lots,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeMatchPrevented(
  buffer: RecordBuffer,
  at: number,
  record: MatchPreventedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(20, 136, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.i32[(at >> 2) + 8] = record.takerAccount
  buffer.i32[(at >> 2) + 9] = record.makerAccount
  buffer.i32[(at >> 2) + 10] = record.takerTerms
  buffer.i32[(at >> 2) + 11] = record.makerTerms
  buffer.f64[(at >> 3) + 6] = record.tradeGroupId
  buffer.f64[(at >> 3) + 7] = record.preventedMatchId
  buffer.f64[(at >> 3) + 8] = record.priceTicks
  buffer.f64[(at >> 3) + 9] = record.takerOrderId
  buffer.f64[(at >> 3) + 10] = record.makerOrderId
  buffer.f64[(at >> 3) + 11] = record.takerPreventedLots
  buffer.f64[(at >> 3) + 12] = record.makerPreventedLots
  buffer.f64[(at >> 3) + 13] = record.transferredLots
  writeInt64(buffer.i32, (at >> 2) + 28, record.transferredAtoms)
  writeInt64(buffer.i32, (at >> 2) + 30, record.buyerReleasedAtoms)
  buffer.f64[(at >> 3) + 16] = record.matchLots
  return at + 136
}

/** An open order's quantity was lowered to `lots`: releasedAtoms moved from locked to free. It keeps its priority. */
export interface OrderAmendedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  account: AccountId
  terms: number
  orderId: OrderId
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
  oldLots: Lots
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  createdMs: Ms
  removedLots: Lots
  updateId: number
  releasedAtoms: Atoms
  clientOrderId: string
  origClientOrderId: string
  details?: DetailsSectionFields | undefined
}

export function readOrderAmended(buffer: RecordBuffer, at: number): OrderAmendedRecord {
  const detailsAt = (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 200 : -1
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    timeMs: buffer.f64[(at >> 3) + 2] as Ms,
    sequence: buffer.f64[(at >> 3) + 3]!,
    account: buffer.i32[(at >> 2) + 8] as AccountId,
    terms: buffer.i32[(at >> 2) + 9]!,
    orderId: buffer.f64[(at >> 3) + 5] as OrderId,
    priceTicks: buffer.f64[(at >> 3) + 6] as Ticks,
    lots: buffer.f64[(at >> 3) + 7] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
    oldLots: buffer.f64[(at >> 3) + 9] as Lots,
    filledLots: buffer.f64[(at >> 3) + 10] as Lots,
    filledAtoms: readInt64(buffer.i32, (at >> 2) + 22) as QuoteAtoms,
    preventedLots: buffer.f64[(at >> 3) + 12] as Lots,
    createdMs: buffer.f64[(at >> 3) + 13] as Ms,
    removedLots: buffer.f64[(at >> 3) + 14] as Lots,
    updateId: buffer.f64[(at >> 3) + 15]!,
    releasedAtoms: readInt64(buffer.i32, (at >> 2) + 32) as Atoms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 34),
    origClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 42),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderAmended(
  buffer: RecordBuffer,
  at: number,
  record: OrderAmendedRecord,
  flags = 0,
): number {
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.i32[(at >> 2) + 8] = record.account
  buffer.i32[(at >> 2) + 9] = record.terms
  buffer.f64[(at >> 3) + 5] = record.orderId
  buffer.f64[(at >> 3) + 6] = record.priceTicks
  buffer.f64[(at >> 3) + 7] = record.lots
  writeInt64(buffer.i32, (at >> 2) + 16, record.quoteAtoms)
  buffer.f64[(at >> 3) + 9] = record.oldLots
  buffer.f64[(at >> 3) + 10] = record.filledLots
  writeInt64(buffer.i32, (at >> 2) + 22, record.filledAtoms)
  buffer.f64[(at >> 3) + 12] = record.preventedLots
  buffer.f64[(at >> 3) + 13] = record.createdMs
  buffer.f64[(at >> 3) + 14] = record.removedLots
  buffer.f64[(at >> 3) + 15] = record.updateId
  writeInt64(buffer.i32, (at >> 2) + 32, record.releasedAtoms)
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 34) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, (at >> 2) + 42) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  let end = at + 200
  if ((record.terms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.details, 'details'))
  }
  buffer.i32[at >> 2] = headOf(25, end - at, flags)
  return end
}

/** An order list was placed, has changed or is done. Follows what happened to its legs. */
export interface OrderListChangedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  account: AccountId
  kind: number
  statusType: number
  orderStatus: number
  orderListId: OrderListId
  legs: number
  orderId1: OrderId
  orderId2: OrderId
  orderId3: OrderId
  listClientOrderId: string
  clientOrderId1: string
  clientOrderId2: string
  clientOrderId3: string
}

export function readOrderListChanged(buffer: RecordBuffer, at: number): OrderListChangedRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    timeMs: buffer.f64[(at >> 3) + 2] as Ms,
    sequence: buffer.f64[(at >> 3) + 3]!,
    account: buffer.i32[(at >> 2) + 8] as AccountId,
    kind: buffer.i32[(at >> 2) + 9]!,
    statusType: buffer.i32[(at >> 2) + 10]!,
    orderStatus: buffer.i32[(at >> 2) + 11]!,
    orderListId: buffer.f64[(at >> 3) + 6] as OrderListId,
    legs: buffer.f64[(at >> 3) + 7]!,
    orderId1: buffer.f64[(at >> 3) + 8] as OrderId,
    orderId2: buffer.f64[(at >> 3) + 9] as OrderId,
    orderId3: buffer.f64[(at >> 3) + 10] as OrderId,
    listClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 22),
    clientOrderId1: unpackClientOrderId(buffer.i32, (at >> 2) + 30),
    clientOrderId2: unpackClientOrderId(buffer.i32, (at >> 2) + 38),
    clientOrderId3: unpackClientOrderId(buffer.i32, (at >> 2) + 46),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderListChanged(
  buffer: RecordBuffer,
  at: number,
  record: OrderListChangedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(26, 216, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.i32[(at >> 2) + 8] = record.account
  buffer.i32[(at >> 2) + 9] = record.kind
  buffer.i32[(at >> 2) + 10] = record.statusType
  buffer.i32[(at >> 2) + 11] = record.orderStatus
  buffer.f64[(at >> 3) + 6] = record.orderListId
  buffer.f64[(at >> 3) + 7] = record.legs
  buffer.f64[(at >> 3) + 8] = record.orderId1
  buffer.f64[(at >> 3) + 9] = record.orderId2
  buffer.f64[(at >> 3) + 10] = record.orderId3
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, (at >> 2) + 22) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId1, buffer.i32, (at >> 2) + 30) && record.clientOrderId1 !== '') throw new RangeError('clientOrderId1 is not a client order id')
  if (!packClientOrderId(record.clientOrderId2, buffer.i32, (at >> 2) + 38) && record.clientOrderId2 !== '') throw new RangeError('clientOrderId2 is not a client order id')
  if (!packClientOrderId(record.clientOrderId3, buffer.i32, (at >> 2) + 46) && record.clientOrderId3 !== '') throw new RangeError('clientOrderId3 is not a client order id')
  return at + 216
}

/** The command was refused and changed nothing. */
export interface RejectedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  reason: number
  spare: number
}

export function readRejected(buffer: RecordBuffer, at: number): RejectedRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    reason: buffer.i32[(at >> 2) + 4]!,
    spare: buffer.i32[(at >> 2) + 5]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeRejected(
  buffer: RecordBuffer,
  at: number,
  record: RejectedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(64, 24, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.reason
  buffer.i32[(at >> 2) + 5] = record.spare
  return at + 24
}

/** How both halves of a ReplaceOrder ended; the events of what succeeded come before it. Its last record. Says again what was to be placed, at the same offsets, so that streams can report its refusal. */
export interface ReplaceResultRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  terms: number
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
  timeMs: Ms
  clientOrderId: string
  stopTicks: Ticks
  icebergLots: Lots
  strategyId: Int64
  trailingDelta: number
  strategyType: number
  cancelReason: number
  orderReason: number
}

export function readReplaceResult(buffer: RecordBuffer, at: number): ReplaceResultRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    terms: buffer.i32[(at >> 2) + 5]!,
    priceTicks: buffer.f64[(at >> 3) + 3] as Ticks,
    lots: buffer.f64[(at >> 3) + 4] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
    timeMs: buffer.f64[(at >> 3) + 6] as Ms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 14),
    stopTicks: buffer.f64[(at >> 3) + 11] as Ticks,
    icebergLots: buffer.f64[(at >> 3) + 12] as Lots,
    strategyId: readInt64(buffer.i32, (at >> 2) + 26),
    trailingDelta: buffer.i32[(at >> 2) + 28]!,
    strategyType: buffer.i32[(at >> 2) + 29]!,
    cancelReason: buffer.i32[(at >> 2) + 30]!,
    orderReason: buffer.i32[(at >> 2) + 31]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeReplaceResult(
  buffer: RecordBuffer,
  at: number,
  record: ReplaceResultRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(71, 128, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.terms
  buffer.f64[(at >> 3) + 3] = record.priceTicks
  buffer.f64[(at >> 3) + 4] = record.lots
  writeInt64(buffer.i32, (at >> 2) + 10, record.quoteAtoms)
  buffer.f64[(at >> 3) + 6] = record.timeMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 14) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  buffer.f64[(at >> 3) + 11] = record.stopTicks
  buffer.f64[(at >> 3) + 12] = record.icebergLots
  writeInt64(buffer.i32, (at >> 2) + 26, record.strategyId)
  buffer.i32[(at >> 2) + 28] = record.trailingDelta
  buffer.i32[(at >> 2) + 29] = record.strategyType
  buffer.i32[(at >> 2) + 30] = record.cancelReason
  buffer.i32[(at >> 2) + 31] = record.orderReason
  return at + 128
}

/** A PlaceOrderList was refused and changed nothing. Says again what was to be placed, so that streams can report its refusal. */
export interface OrderListRejectedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  kind: number
  reason: number
  legs: number
  timeMs: Ms
  listClientOrderId: string
  clientOrderId1: string
  clientOrderId2: string
  clientOrderId3: string
}

export function readOrderListRejected(buffer: RecordBuffer, at: number): OrderListRejectedRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    kind: buffer.i32[(at >> 2) + 5]!,
    reason: buffer.i32[(at >> 2) + 6]!,
    legs: buffer.i32[(at >> 2) + 7]!,
    timeMs: buffer.f64[(at >> 3) + 4] as Ms,
    listClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 10),
    clientOrderId1: unpackClientOrderId(buffer.i32, (at >> 2) + 18),
    clientOrderId2: unpackClientOrderId(buffer.i32, (at >> 2) + 26),
    clientOrderId3: unpackClientOrderId(buffer.i32, (at >> 2) + 34),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderListRejected(
  buffer: RecordBuffer,
  at: number,
  record: OrderListRejectedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(72, 168, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.kind
  buffer.i32[(at >> 2) + 6] = record.reason
  buffer.i32[(at >> 2) + 7] = record.legs
  buffer.f64[(at >> 3) + 4] = record.timeMs
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, (at >> 2) + 10) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId1, buffer.i32, (at >> 2) + 18) && record.clientOrderId1 !== '') throw new RangeError('clientOrderId1 is not a client order id')
  if (!packClientOrderId(record.clientOrderId2, buffer.i32, (at >> 2) + 26) && record.clientOrderId2 !== '') throw new RangeError('clientOrderId2 is not a client order id')
  if (!packClientOrderId(record.clientOrderId3, buffer.i32, (at >> 2) + 34) && record.clientOrderId3 !== '') throw new RangeError('clientOrderId3 is not a client order id')
  return at + 168
}
