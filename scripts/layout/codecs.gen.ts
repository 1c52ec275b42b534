// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { packClientOrderId, unpackClientOrderId } from '../../src/base/client-order-id.ts'
import { type Int64, readInt64, writeInt64 } from '../../src/base/int64.ts'
import type { AccountId, AssetId, Atoms, Lots, Ms, OrderId, OrderListId, QuoteAtoms, SymbolId, Ticks, TradeId } from '../../src/base/units.ts'
import { headOf, type RecordBuffer } from '../../src/layout/record-buffer.ts'
import { present, type DetailsSectionFields, readDetailsSection, writeDetailsSection, type PreventionSectionFields, readPreventionSection, writePreventionSection, type AuctionSectionFields, readAuctionSection, writeAuctionSection } from '../../src/layout/records.gen.ts'

export * from '../../src/layout/records.gen.ts'

/** Enter an order. Stateless checks have passed. */
export interface PlaceOrderRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  terms: number
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
  expiresMs: Ms
  clientOrderId: string
  stopTicks: Ticks
  icebergLots: Lots
  strategyId: Int64
  trailingDelta: number
  strategyType: number
}

export function readPlaceOrder(buffer: RecordBuffer, at: number): PlaceOrderRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    terms: buffer.i32[(at >> 2) + 5]!,
    priceTicks: buffer.f64[(at >> 3) + 3] as Ticks,
    lots: buffer.f64[(at >> 3) + 4] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
    expiresMs: buffer.f64[(at >> 3) + 6] as Ms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 14),
    stopTicks: buffer.f64[(at >> 3) + 11] as Ticks,
    icebergLots: buffer.f64[(at >> 3) + 12] as Lots,
    strategyId: readInt64(buffer.i32, (at >> 2) + 26),
    trailingDelta: buffer.i32[(at >> 2) + 28]!,
    strategyType: buffer.i32[(at >> 2) + 29]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writePlaceOrder(
  buffer: RecordBuffer,
  at: number,
  record: PlaceOrderRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(1, 120, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.terms
  buffer.f64[(at >> 3) + 3] = record.priceTicks
  buffer.f64[(at >> 3) + 4] = record.lots
  writeInt64(buffer.i32, (at >> 2) + 10, record.quoteAtoms)
  buffer.f64[(at >> 3) + 6] = record.expiresMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 14) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  buffer.f64[(at >> 3) + 11] = record.stopTicks
  buffer.f64[(at >> 3) + 12] = record.icebergLots
  writeInt64(buffer.i32, (at >> 2) + 26, record.strategyId)
  buffer.i32[(at >> 2) + 28] = record.trailingDelta
  buffer.i32[(at >> 2) + 29] = record.strategyType
  return at + 120
}

/** Answer one open order as OrderState, or Rejected NO_SUCH_ORDER when it is not open. */
export interface QueryOrderRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  spare: number
  orderId: OrderId
  clientOrderId: string
}

export function readQueryOrder(buffer: RecordBuffer, at: number): QueryOrderRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    spare: buffer.i32[(at >> 2) + 5]!,
    orderId: buffer.f64[(at >> 3) + 3] as OrderId,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 8),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeQueryOrder(
  buffer: RecordBuffer,
  at: number,
  record: QueryOrderRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(4, 64, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.spare
  buffer.f64[(at >> 3) + 3] = record.orderId
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 8) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 64
}

/** Answer a page of the open orders of the account as OrderState, by orderId, then QueryEnd. */
export interface QueryOpenOrdersRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  limit: number
  afterOrderId: OrderId
  untilOrderId: OrderId
}

export function readQueryOpenOrders(buffer: RecordBuffer, at: number): QueryOpenOrdersRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    limit: buffer.i32[(at >> 2) + 5]!,
    afterOrderId: buffer.f64[(at >> 3) + 3] as OrderId,
    untilOrderId: buffer.f64[(at >> 3) + 4] as OrderId,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeQueryOpenOrders(
  buffer: RecordBuffer,
  at: number,
  record: QueryOpenOrdersRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(5, 40, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.limit
  buffer.f64[(at >> 3) + 3] = record.afterOrderId
  buffer.f64[(at >> 3) + 4] = record.untilOrderId
  return at + 40
}

/** Answer a piece of the book as BookBegin, BookLevel for each level, BookEnd. */
export interface QueryBookRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  side: number
  limit: number
  afterTicks: Ticks
}

export function readQueryBook(buffer: RecordBuffer, at: number): QueryBookRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    side: buffer.i32[(at >> 2) + 4]!,
    limit: buffer.i32[(at >> 2) + 5]!,
    afterTicks: buffer.f64[(at >> 3) + 3] as Ticks,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeQueryBook(
  buffer: RecordBuffer,
  at: number,
  record: QueryBookRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(6, 32, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.side
  buffer.i32[(at >> 2) + 5] = record.limit
  buffer.f64[(at >> 3) + 3] = record.afterTicks
  return at + 32
}

/** Enter an order list, whole or not at all. OCO: the stop-loss leg, the other leg. OTO: the working leg, the pending one. OTOCO: the working leg, the pending stop-loss leg, the other pending leg. */
export interface PlaceOrderListRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  kind: number
  expiresMs: Ms
  listClientOrderId: string
  terms1: number
  spare1: number
  priceTicks1: Ticks
  lots1: Lots
  clientOrderId1: string
  stopTicks1: Ticks
  icebergLots1: Lots
  strategyId1: Int64
  trailingDelta1: number
  strategyType1: number
  terms2: number
  spare2: number
  priceTicks2: Ticks
  lots2: Lots
  clientOrderId2: string
  stopTicks2: Ticks
  icebergLots2: Lots
  strategyId2: Int64
  trailingDelta2: number
  strategyType2: number
  terms3: number
  spare3: number
  priceTicks3: Ticks
  lots3: Lots
  clientOrderId3: string
  stopTicks3: Ticks
  icebergLots3: Lots
  strategyId3: Int64
  trailingDelta3: number
  strategyType3: number
}

export function readPlaceOrderList(buffer: RecordBuffer, at: number): PlaceOrderListRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    kind: buffer.i32[(at >> 2) + 5]!,
    expiresMs: buffer.f64[(at >> 3) + 3] as Ms,
    listClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 8),
    terms1: buffer.i32[(at >> 2) + 16]!,
    spare1: buffer.i32[(at >> 2) + 17]!,
    priceTicks1: buffer.f64[(at >> 3) + 9] as Ticks,
    lots1: buffer.f64[(at >> 3) + 10] as Lots,
    clientOrderId1: unpackClientOrderId(buffer.i32, (at >> 2) + 22),
    stopTicks1: buffer.f64[(at >> 3) + 15] as Ticks,
    icebergLots1: buffer.f64[(at >> 3) + 16] as Lots,
    strategyId1: readInt64(buffer.i32, (at >> 2) + 34),
    trailingDelta1: buffer.i32[(at >> 2) + 36]!,
    strategyType1: buffer.i32[(at >> 2) + 37]!,
    terms2: buffer.i32[(at >> 2) + 38]!,
    spare2: buffer.i32[(at >> 2) + 39]!,
    priceTicks2: buffer.f64[(at >> 3) + 20] as Ticks,
    lots2: buffer.f64[(at >> 3) + 21] as Lots,
    clientOrderId2: unpackClientOrderId(buffer.i32, (at >> 2) + 44),
    stopTicks2: buffer.f64[(at >> 3) + 26] as Ticks,
    icebergLots2: buffer.f64[(at >> 3) + 27] as Lots,
    strategyId2: readInt64(buffer.i32, (at >> 2) + 56),
    trailingDelta2: buffer.i32[(at >> 2) + 58]!,
    strategyType2: buffer.i32[(at >> 2) + 59]!,
    terms3: buffer.i32[(at >> 2) + 60]!,
    spare3: buffer.i32[(at >> 2) + 61]!,
    priceTicks3: buffer.f64[(at >> 3) + 31] as Ticks,
    lots3: buffer.f64[(at >> 3) + 32] as Lots,
    clientOrderId3: unpackClientOrderId(buffer.i32, (at >> 2) + 66),
    stopTicks3: buffer.f64[(at >> 3) + 37] as Ticks,
    icebergLots3: buffer.f64[(at >> 3) + 38] as Lots,
    strategyId3: readInt64(buffer.i32, (at >> 2) + 78),
    trailingDelta3: buffer.i32[(at >> 2) + 80]!,
    strategyType3: buffer.i32[(at >> 2) + 81]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writePlaceOrderList(
  buffer: RecordBuffer,
  at: number,
  record: PlaceOrderListRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(7, 328, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.kind
  buffer.f64[(at >> 3) + 3] = record.expiresMs
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, (at >> 2) + 8) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  buffer.i32[(at >> 2) + 16] = record.terms1
  buffer.i32[(at >> 2) + 17] = record.spare1
  buffer.f64[(at >> 3) + 9] = record.priceTicks1
  buffer.f64[(at >> 3) + 10] = record.lots1
  if (!packClientOrderId(record.clientOrderId1, buffer.i32, (at >> 2) + 22) && record.clientOrderId1 !== '') throw new RangeError('clientOrderId1 is not a client order id')
  buffer.f64[(at >> 3) + 15] = record.stopTicks1
  buffer.f64[(at >> 3) + 16] = record.icebergLots1
  writeInt64(buffer.i32, (at >> 2) + 34, record.strategyId1)
  buffer.i32[(at >> 2) + 36] = record.trailingDelta1
  buffer.i32[(at >> 2) + 37] = record.strategyType1
  buffer.i32[(at >> 2) + 38] = record.terms2
  buffer.i32[(at >> 2) + 39] = record.spare2
  buffer.f64[(at >> 3) + 20] = record.priceTicks2
  buffer.f64[(at >> 3) + 21] = record.lots2
  if (!packClientOrderId(record.clientOrderId2, buffer.i32, (at >> 2) + 44) && record.clientOrderId2 !== '') throw new RangeError('clientOrderId2 is not a client order id')
  buffer.f64[(at >> 3) + 26] = record.stopTicks2
  buffer.f64[(at >> 3) + 27] = record.icebergLots2
  writeInt64(buffer.i32, (at >> 2) + 56, record.strategyId2)
  buffer.i32[(at >> 2) + 58] = record.trailingDelta2
  buffer.i32[(at >> 2) + 59] = record.strategyType2
  buffer.i32[(at >> 2) + 60] = record.terms3
  buffer.i32[(at >> 2) + 61] = record.spare3
  buffer.f64[(at >> 3) + 31] = record.priceTicks3
  buffer.f64[(at >> 3) + 32] = record.lots3
  if (!packClientOrderId(record.clientOrderId3, buffer.i32, (at >> 2) + 66) && record.clientOrderId3 !== '') throw new RangeError('clientOrderId3 is not a client order id')
  buffer.f64[(at >> 3) + 37] = record.stopTicks3
  buffer.f64[(at >> 3) + 38] = record.icebergLots3
  writeInt64(buffer.i32, (at >> 2) + 78, record.strategyId3)
  buffer.i32[(at >> 2) + 80] = record.trailingDelta3
  buffer.i32[(at >> 2) + 81] = record.strategyType3
  return at + 328
}

/** Cancel every open leg of one list, found by its id, by its client id, or by both. */
export interface CancelOrderListRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  spare: number
  orderListId: OrderListId
  expiresMs: Ms
  listClientOrderId: string
  clientOrderId: string
}

export function readCancelOrderList(buffer: RecordBuffer, at: number): CancelOrderListRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    spare: buffer.i32[(at >> 2) + 5]!,
    orderListId: buffer.f64[(at >> 3) + 3] as OrderListId,
    expiresMs: buffer.f64[(at >> 3) + 4] as Ms,
    listClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 10),
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 18),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeCancelOrderList(
  buffer: RecordBuffer,
  at: number,
  record: CancelOrderListRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(8, 104, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.spare
  buffer.f64[(at >> 3) + 3] = record.orderListId
  buffer.f64[(at >> 3) + 4] = record.expiresMs
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, (at >> 2) + 10) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 18) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 104
}

/** Cancel an order, then place another (supplement 2a.5). Answered by the events of what succeeded and ReplaceResult. */
export interface ReplaceOrderRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  terms: number
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
  expiresMs: Ms
  clientOrderId: string
  stopTicks: Ticks
  icebergLots: Lots
  strategyId: Int64
  trailingDelta: number
  strategyType: number
  cancelOrderId: OrderId
  cancelRestrictions: number
  mode: number
  cancelOrigClientOrderId: string
  cancelClientOrderId: string
}

export function readReplaceOrder(buffer: RecordBuffer, at: number): ReplaceOrderRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    terms: buffer.i32[(at >> 2) + 5]!,
    priceTicks: buffer.f64[(at >> 3) + 3] as Ticks,
    lots: buffer.f64[(at >> 3) + 4] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
    expiresMs: buffer.f64[(at >> 3) + 6] as Ms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 14),
    stopTicks: buffer.f64[(at >> 3) + 11] as Ticks,
    icebergLots: buffer.f64[(at >> 3) + 12] as Lots,
    strategyId: readInt64(buffer.i32, (at >> 2) + 26),
    trailingDelta: buffer.i32[(at >> 2) + 28]!,
    strategyType: buffer.i32[(at >> 2) + 29]!,
    cancelOrderId: buffer.f64[(at >> 3) + 15] as OrderId,
    cancelRestrictions: buffer.i32[(at >> 2) + 32]!,
    mode: buffer.i32[(at >> 2) + 33]!,
    cancelOrigClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 34),
    cancelClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 42),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeReplaceOrder(
  buffer: RecordBuffer,
  at: number,
  record: ReplaceOrderRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(9, 200, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.terms
  buffer.f64[(at >> 3) + 3] = record.priceTicks
  buffer.f64[(at >> 3) + 4] = record.lots
  writeInt64(buffer.i32, (at >> 2) + 10, record.quoteAtoms)
  buffer.f64[(at >> 3) + 6] = record.expiresMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 14) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  buffer.f64[(at >> 3) + 11] = record.stopTicks
  buffer.f64[(at >> 3) + 12] = record.icebergLots
  writeInt64(buffer.i32, (at >> 2) + 26, record.strategyId)
  buffer.i32[(at >> 2) + 28] = record.trailingDelta
  buffer.i32[(at >> 2) + 29] = record.strategyType
  buffer.f64[(at >> 3) + 15] = record.cancelOrderId
  buffer.i32[(at >> 2) + 32] = record.cancelRestrictions
  buffer.i32[(at >> 2) + 33] = record.mode
  if (!packClientOrderId(record.cancelOrigClientOrderId, buffer.i32, (at >> 2) + 34) && record.cancelOrigClientOrderId !== '') throw new RangeError('cancelOrigClientOrderId is not a client order id')
  if (!packClientOrderId(record.cancelClientOrderId, buffer.i32, (at >> 2) + 42) && record.cancelClientOrderId !== '') throw new RangeError('cancelClientOrderId is not a client order id')
  return at + 200
}

/** Lower the quantity of an open order, which keeps its priority (supplement 2a.6). */
export interface AmendOrderRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  spare: number
  orderId: OrderId
  lots: Lots
  expiresMs: Ms
  origClientOrderId: string
  clientOrderId: string
}

export function readAmendOrder(buffer: RecordBuffer, at: number): AmendOrderRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    spare: buffer.i32[(at >> 2) + 5]!,
    orderId: buffer.f64[(at >> 3) + 3] as OrderId,
    lots: buffer.f64[(at >> 3) + 4] as Lots,
    expiresMs: buffer.f64[(at >> 3) + 5] as Ms,
    origClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 12),
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 20),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeAmendOrder(
  buffer: RecordBuffer,
  at: number,
  record: AmendOrderRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(10, 112, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.spare
  buffer.f64[(at >> 3) + 3] = record.orderId
  buffer.f64[(at >> 3) + 4] = record.lots
  buffer.f64[(at >> 3) + 5] = record.expiresMs
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, (at >> 2) + 12) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 20) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 112
}

/** An order entered the engine and its funds are held: heldAtoms moved from free to locked (quote for BUY, base for SELL). First event of its execution. A stop, or a pending leg, waits from here on. */
export interface OrderAcceptedRecord {
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
  heldAtoms: Atoms
  clientOrderId: string
  details?: DetailsSectionFields | undefined
}

export function readOrderAccepted(buffer: RecordBuffer, at: number): OrderAcceptedRecord {
  const detailsAt = (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 112 : -1
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
    heldAtoms: readInt64(buffer.i32, (at >> 2) + 18) as Atoms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 20),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderAccepted(
  buffer: RecordBuffer,
  at: number,
  record: OrderAcceptedRecord,
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
  writeInt64(buffer.i32, (at >> 2) + 18, record.heldAtoms)
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 20) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  let end = at + 112
  if ((record.terms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.details, 'details'))
  }
  buffer.i32[at >> 2] = headOf(16, end - at, flags)
  return end
}

/** Two orders met at the maker's price. The buyer's locked falls by quoteAtoms plus buyerReleasedAtoms, the seller's locked by the quantity; each receives the other side. In an auction both rested: the later order is the taker, and its level loses tradeLots after the maker's. A commission is taken from what is received, or moves from free where it is in another asset; account 0 receives it. */
export interface TradeRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  tradeId: TradeId
  priceTicks: Ticks
  tradeLots: Lots
  quoteAtoms: QuoteAtoms
  updateId: number
  buyerReleasedAtoms: QuoteAtoms
  takerPriceTicks: Ticks
  takerQuoteAtoms: QuoteAtoms
  takerAccount: AccountId
  takerTerms: number
  takerStatus: number
  takerCommissionAssetId: AssetId
  takerOrderId: OrderId
  takerLots: Lots
  takerFilledLots: Lots
  takerFilledAtoms: QuoteAtoms
  takerCommissionAtoms: Atoms
  takerCreatedMs: Ms
  takerClientOrderId: string
  makerAccount: AccountId
  makerTerms: number
  makerStatus: number
  makerCommissionAssetId: AssetId
  makerOrderId: OrderId
  makerLots: Lots
  makerFilledLots: Lots
  makerFilledAtoms: QuoteAtoms
  makerCommissionAtoms: Atoms
  makerCreatedMs: Ms
  makerClientOrderId: string
  takerDetails?: DetailsSectionFields | undefined
  makerDetails?: DetailsSectionFields | undefined
  auction?: AuctionSectionFields | undefined
}

export function readTrade(buffer: RecordBuffer, at: number): TradeRecord {
  const takerDetailsAt = (buffer.i32[(at >> 2) + 25]! & 512) === 512 ? at + 288 : -1
  const makerDetailsAt = (buffer.i32[(at >> 2) + 49]! & 512) === 512 ? at + 288 + ((buffer.i32[(at >> 2) + 25]! & 512) === 512 ? 72 : 0) : -1
  const auctionAt = (buffer.i32[(at >> 2) + 0]! & 1024) === 1024 ? at + 288 + ((buffer.i32[(at >> 2) + 25]! & 512) === 512 ? 72 : 0) + ((buffer.i32[(at >> 2) + 49]! & 512) === 512 ? 72 : 0) : -1
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    timeMs: buffer.f64[(at >> 3) + 2] as Ms,
    sequence: buffer.f64[(at >> 3) + 3]!,
    tradeId: buffer.f64[(at >> 3) + 4] as TradeId,
    priceTicks: buffer.f64[(at >> 3) + 5] as Ticks,
    tradeLots: buffer.f64[(at >> 3) + 6] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 14) as QuoteAtoms,
    updateId: buffer.f64[(at >> 3) + 8]!,
    buyerReleasedAtoms: readInt64(buffer.i32, (at >> 2) + 18) as QuoteAtoms,
    takerPriceTicks: buffer.f64[(at >> 3) + 10] as Ticks,
    takerQuoteAtoms: readInt64(buffer.i32, (at >> 2) + 22) as QuoteAtoms,
    takerAccount: buffer.i32[(at >> 2) + 24] as AccountId,
    takerTerms: buffer.i32[(at >> 2) + 25]!,
    takerStatus: buffer.i32[(at >> 2) + 26]!,
    takerCommissionAssetId: buffer.i32[(at >> 2) + 27] as AssetId,
    takerOrderId: buffer.f64[(at >> 3) + 14] as OrderId,
    takerLots: buffer.f64[(at >> 3) + 15] as Lots,
    takerFilledLots: buffer.f64[(at >> 3) + 16] as Lots,
    takerFilledAtoms: readInt64(buffer.i32, (at >> 2) + 34) as QuoteAtoms,
    takerCommissionAtoms: readInt64(buffer.i32, (at >> 2) + 36) as Atoms,
    takerCreatedMs: buffer.f64[(at >> 3) + 19] as Ms,
    takerClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 40),
    makerAccount: buffer.i32[(at >> 2) + 48] as AccountId,
    makerTerms: buffer.i32[(at >> 2) + 49]!,
    makerStatus: buffer.i32[(at >> 2) + 50]!,
    makerCommissionAssetId: buffer.i32[(at >> 2) + 51] as AssetId,
    makerOrderId: buffer.f64[(at >> 3) + 26] as OrderId,
    makerLots: buffer.f64[(at >> 3) + 27] as Lots,
    makerFilledLots: buffer.f64[(at >> 3) + 28] as Lots,
    makerFilledAtoms: readInt64(buffer.i32, (at >> 2) + 58) as QuoteAtoms,
    makerCommissionAtoms: readInt64(buffer.i32, (at >> 2) + 60) as Atoms,
    makerCreatedMs: buffer.f64[(at >> 3) + 31] as Ms,
    makerClientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 64),
    takerDetails: takerDetailsAt < 0 ? undefined : readDetailsSection(buffer, takerDetailsAt),
    makerDetails: makerDetailsAt < 0 ? undefined : readDetailsSection(buffer, makerDetailsAt),
    auction: auctionAt < 0 ? undefined : readAuctionSection(buffer, auctionAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeTrade(
  buffer: RecordBuffer,
  at: number,
  record: TradeRecord,
  flags = 0,
): number {
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.f64[(at >> 3) + 4] = record.tradeId
  buffer.f64[(at >> 3) + 5] = record.priceTicks
  buffer.f64[(at >> 3) + 6] = record.tradeLots
  writeInt64(buffer.i32, (at >> 2) + 14, record.quoteAtoms)
  buffer.f64[(at >> 3) + 8] = record.updateId
  writeInt64(buffer.i32, (at >> 2) + 18, record.buyerReleasedAtoms)
  buffer.f64[(at >> 3) + 10] = record.takerPriceTicks
  writeInt64(buffer.i32, (at >> 2) + 22, record.takerQuoteAtoms)
  buffer.i32[(at >> 2) + 24] = record.takerAccount
  buffer.i32[(at >> 2) + 25] = record.takerTerms
  buffer.i32[(at >> 2) + 26] = record.takerStatus
  buffer.i32[(at >> 2) + 27] = record.takerCommissionAssetId
  buffer.f64[(at >> 3) + 14] = record.takerOrderId
  buffer.f64[(at >> 3) + 15] = record.takerLots
  buffer.f64[(at >> 3) + 16] = record.takerFilledLots
  writeInt64(buffer.i32, (at >> 2) + 34, record.takerFilledAtoms)
  writeInt64(buffer.i32, (at >> 2) + 36, record.takerCommissionAtoms)
  buffer.f64[(at >> 3) + 19] = record.takerCreatedMs
  if (!packClientOrderId(record.takerClientOrderId, buffer.i32, (at >> 2) + 40) && record.takerClientOrderId !== '') throw new RangeError('takerClientOrderId is not a client order id')
  buffer.i32[(at >> 2) + 48] = record.makerAccount
  buffer.i32[(at >> 2) + 49] = record.makerTerms
  buffer.i32[(at >> 2) + 50] = record.makerStatus
  buffer.i32[(at >> 2) + 51] = record.makerCommissionAssetId
  buffer.f64[(at >> 3) + 26] = record.makerOrderId
  buffer.f64[(at >> 3) + 27] = record.makerLots
  buffer.f64[(at >> 3) + 28] = record.makerFilledLots
  writeInt64(buffer.i32, (at >> 2) + 58, record.makerFilledAtoms)
  writeInt64(buffer.i32, (at >> 2) + 60, record.makerCommissionAtoms)
  buffer.f64[(at >> 3) + 31] = record.makerCreatedMs
  if (!packClientOrderId(record.makerClientOrderId, buffer.i32, (at >> 2) + 64) && record.makerClientOrderId !== '') throw new RangeError('makerClientOrderId is not a client order id')
  let end = at + 288
  if ((record.takerTerms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.takerDetails, 'takerDetails'))
  }
  if ((record.makerTerms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.makerDetails, 'makerDetails'))
  }
  if ((flags & 4) === 4) {
    end = writeAuctionSection(buffer, end, present(record.auction, 'auction'))
  }
  buffer.i32[at >> 2] = headOf(17, end - at, flags)
  return end
}

/** What is left of the order whose execution it is joined the end of its price level; of an iceberg, its first slice. */
export interface OrderRestedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  account: AccountId
  terms: number
  orderId: OrderId
  priceTicks: Ticks
  restedLots: Lots
  updateId: number
}

export function readOrderRested(buffer: RecordBuffer, at: number): OrderRestedRecord {
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
    restedLots: buffer.f64[(at >> 3) + 7] as Lots,
    updateId: buffer.f64[(at >> 3) + 8]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderRested(
  buffer: RecordBuffer,
  at: number,
  record: OrderRestedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(18, 72, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.i32[(at >> 2) + 8] = record.account
  buffer.i32[(at >> 2) + 9] = record.terms
  buffer.f64[(at >> 3) + 5] = record.orderId
  buffer.f64[(at >> 3) + 6] = record.priceTicks
  buffer.f64[(at >> 3) + 7] = record.restedLots
  buffer.f64[(at >> 3) + 8] = record.updateId
  return at + 72
}

/** The price woke a stop, which now works as an order. Begins its execution. */
export interface OrderTriggeredRecord {
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
  heldAtoms: Atoms
  createdMs: Ms
  clientOrderId: string
  details?: DetailsSectionFields | undefined
}

export function readOrderTriggered(buffer: RecordBuffer, at: number): OrderTriggeredRecord {
  const detailsAt = (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 120 : -1
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
    heldAtoms: readInt64(buffer.i32, (at >> 2) + 18) as Atoms,
    createdMs: buffer.f64[(at >> 3) + 10] as Ms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 22),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderTriggered(
  buffer: RecordBuffer,
  at: number,
  record: OrderTriggeredRecord,
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
  writeInt64(buffer.i32, (at >> 2) + 18, record.heldAtoms)
  buffer.f64[(at >> 3) + 10] = record.createdMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 22) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  let end = at + 120
  if ((record.terms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.details, 'details'))
  }
  buffer.i32[at >> 2] = headOf(22, end - at, flags)
  return end
}

/** The working order of its list was filled, and a pending leg goes live: it works, or, a stop, waits for its trigger. Begins its execution. */
export interface OrderReleasedRecord {
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
  heldAtoms: Atoms
  createdMs: Ms
  clientOrderId: string
  details?: DetailsSectionFields | undefined
}

export function readOrderReleased(buffer: RecordBuffer, at: number): OrderReleasedRecord {
  const detailsAt = (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 120 : -1
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
    heldAtoms: readInt64(buffer.i32, (at >> 2) + 18) as Atoms,
    createdMs: buffer.f64[(at >> 3) + 10] as Ms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 22),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderReleased(
  buffer: RecordBuffer,
  at: number,
  record: OrderReleasedRecord,
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
  writeInt64(buffer.i32, (at >> 2) + 18, record.heldAtoms)
  buffer.f64[(at >> 3) + 10] = record.createdMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 22) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  let end = at + 120
  if ((record.terms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.details, 'details'))
  }
  buffer.i32[at >> 2] = headOf(23, end - at, flags)
  return end
}

/** An iceberg's slice was filled; the next one joined the end of its level. */
export interface OrderReplenishedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  account: AccountId
  terms: number
  orderId: OrderId
  priceTicks: Ticks
  restedLots: Lots
  updateId: number
}

export function readOrderReplenished(buffer: RecordBuffer, at: number): OrderReplenishedRecord {
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
    restedLots: buffer.f64[(at >> 3) + 7] as Lots,
    updateId: buffer.f64[(at >> 3) + 8]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderReplenished(
  buffer: RecordBuffer,
  at: number,
  record: OrderReplenishedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(24, 72, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.i32[(at >> 2) + 8] = record.account
  buffer.i32[(at >> 2) + 9] = record.terms
  buffer.f64[(at >> 3) + 5] = record.orderId
  buffer.f64[(at >> 3) + 6] = record.priceTicks
  buffer.f64[(at >> 3) + 7] = record.restedLots
  buffer.f64[(at >> 3) + 8] = record.updateId
  return at + 72
}

/** Self-trade prevention took quantity from an order that continues: releasedAtoms moved from locked to free. Follows its MatchPrevented. */
export interface OrderDecrementedRecord {
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
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  createdMs: Ms
  removedLots: Lots
  updateId: number
  releasedAtoms: Atoms
  clientOrderId: string
  prevention?: PreventionSectionFields | undefined
  details?: DetailsSectionFields | undefined
}

export function readOrderDecremented(buffer: RecordBuffer, at: number): OrderDecrementedRecord {
  const preventionAt = at + 160
  const detailsAt = (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 160 + 48 : -1
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
    filledLots: buffer.f64[(at >> 3) + 9] as Lots,
    filledAtoms: readInt64(buffer.i32, (at >> 2) + 20) as QuoteAtoms,
    preventedLots: buffer.f64[(at >> 3) + 11] as Lots,
    createdMs: buffer.f64[(at >> 3) + 12] as Ms,
    removedLots: buffer.f64[(at >> 3) + 13] as Lots,
    updateId: buffer.f64[(at >> 3) + 14]!,
    releasedAtoms: readInt64(buffer.i32, (at >> 2) + 30) as Atoms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 32),
    prevention: preventionAt < 0 ? undefined : readPreventionSection(buffer, preventionAt),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderDecremented(
  buffer: RecordBuffer,
  at: number,
  record: OrderDecrementedRecord,
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
  buffer.f64[(at >> 3) + 9] = record.filledLots
  writeInt64(buffer.i32, (at >> 2) + 20, record.filledAtoms)
  buffer.f64[(at >> 3) + 11] = record.preventedLots
  buffer.f64[(at >> 3) + 12] = record.createdMs
  buffer.f64[(at >> 3) + 13] = record.removedLots
  buffer.f64[(at >> 3) + 14] = record.updateId
  writeInt64(buffer.i32, (at >> 2) + 30, record.releasedAtoms)
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 32) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  let end = at + 160
  end = writePreventionSection(buffer, end, present(record.prevention, 'prevention'))
  if ((record.terms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.details, 'details'))
  }
  buffer.i32[at >> 2] = headOf(28, end - at, flags)
  return end
}

/** The symbol's phase, or how it ends, is another from here on. An execution of its own, or within that of the order whose price interrupts trading, before the order rests or ends. */
export interface PhaseChangedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  phase: number
  nextPhase: number
  cause: number
  bandBasisPoints: number
  endsMs: Ms
  windowMs: Ms
  orderId: OrderId
  resumptions: number
  extensions: number
  closeTicks: Ticks
  auctionTicks: Ticks
  auctionVolume: Int64
  auctionSurplus: Int64
}

export function readPhaseChanged(buffer: RecordBuffer, at: number): PhaseChangedRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    timeMs: buffer.f64[(at >> 3) + 2] as Ms,
    sequence: buffer.f64[(at >> 3) + 3]!,
    phase: buffer.i32[(at >> 2) + 8]!,
    nextPhase: buffer.i32[(at >> 2) + 9]!,
    cause: buffer.i32[(at >> 2) + 10]!,
    bandBasisPoints: buffer.i32[(at >> 2) + 11]!,
    endsMs: buffer.f64[(at >> 3) + 6] as Ms,
    windowMs: buffer.f64[(at >> 3) + 7] as Ms,
    orderId: buffer.f64[(at >> 3) + 8] as OrderId,
    resumptions: buffer.i32[(at >> 2) + 18]!,
    extensions: buffer.i32[(at >> 2) + 19]!,
    closeTicks: buffer.f64[(at >> 3) + 10] as Ticks,
    auctionTicks: buffer.f64[(at >> 3) + 11] as Ticks,
    auctionVolume: readInt64(buffer.i32, (at >> 2) + 24),
    auctionSurplus: readInt64(buffer.i32, (at >> 2) + 26),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writePhaseChanged(
  buffer: RecordBuffer,
  at: number,
  record: PhaseChangedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(29, 112, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.i32[(at >> 2) + 8] = record.phase
  buffer.i32[(at >> 2) + 9] = record.nextPhase
  buffer.i32[(at >> 2) + 10] = record.cause
  buffer.i32[(at >> 2) + 11] = record.bandBasisPoints
  buffer.f64[(at >> 3) + 6] = record.endsMs
  buffer.f64[(at >> 3) + 7] = record.windowMs
  buffer.f64[(at >> 3) + 8] = record.orderId
  buffer.i32[(at >> 2) + 18] = record.resumptions
  buffer.i32[(at >> 2) + 19] = record.extensions
  buffer.f64[(at >> 3) + 10] = record.closeTicks
  buffer.f64[(at >> 3) + 11] = record.auctionTicks
  writeInt64(buffer.i32, (at >> 2) + 24, record.auctionVolume)
  writeInt64(buffer.i32, (at >> 2) + 26, record.auctionSurplus)
  return at + 112
}

/** A call has ended: price and cut of its auction. The trades follow in executions of their own, until PhaseChanged; no order enters, changes or leaves meanwhile except by them. */
export interface AuctionUncrossedRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  timeMs: Ms
  sequence: number
  priceTicks: Ticks
  referenceTicks: Ticks
  volume: Int64
  surplus: Int64
  cutOrderId: OrderId
  nextPhase: number
  isBound: number
}

export function readAuctionUncrossed(buffer: RecordBuffer, at: number): AuctionUncrossedRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    timeMs: buffer.f64[(at >> 3) + 2] as Ms,
    sequence: buffer.f64[(at >> 3) + 3]!,
    priceTicks: buffer.f64[(at >> 3) + 4] as Ticks,
    referenceTicks: buffer.f64[(at >> 3) + 5] as Ticks,
    volume: readInt64(buffer.i32, (at >> 2) + 12),
    surplus: readInt64(buffer.i32, (at >> 2) + 14),
    cutOrderId: buffer.f64[(at >> 3) + 8] as OrderId,
    nextPhase: buffer.i32[(at >> 2) + 18]!,
    isBound: buffer.i32[(at >> 2) + 19]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeAuctionUncrossed(
  buffer: RecordBuffer,
  at: number,
  record: AuctionUncrossedRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(30, 80, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.timeMs
  buffer.f64[(at >> 3) + 3] = record.sequence
  buffer.f64[(at >> 3) + 4] = record.priceTicks
  buffer.f64[(at >> 3) + 5] = record.referenceTicks
  writeInt64(buffer.i32, (at >> 2) + 12, record.volume)
  writeInt64(buffer.i32, (at >> 2) + 14, record.surplus)
  buffer.f64[(at >> 3) + 8] = record.cutOrderId
  buffer.i32[(at >> 2) + 18] = record.nextPhase
  buffer.i32[(at >> 2) + 19] = record.isBound
  return at + 80
}

/** One open order as it stands. */
export interface OrderStateRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  account: AccountId
  terms: number
  orderId: OrderId
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  createdMs: Ms
  updatedMs: Ms
  clientOrderId: string
  details?: DetailsSectionFields | undefined
}

export function readOrderState(buffer: RecordBuffer, at: number): OrderStateRecord {
  const detailsAt = (buffer.i32[(at >> 2) + 5]! & 512) === 512 ? at + 128 : -1
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    account: buffer.i32[(at >> 2) + 4] as AccountId,
    terms: buffer.i32[(at >> 2) + 5]!,
    orderId: buffer.f64[(at >> 3) + 3] as OrderId,
    priceTicks: buffer.f64[(at >> 3) + 4] as Ticks,
    lots: buffer.f64[(at >> 3) + 5] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 12) as QuoteAtoms,
    filledLots: buffer.f64[(at >> 3) + 7] as Lots,
    filledAtoms: readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
    preventedLots: buffer.f64[(at >> 3) + 9] as Lots,
    createdMs: buffer.f64[(at >> 3) + 10] as Ms,
    updatedMs: buffer.f64[(at >> 3) + 11] as Ms,
    clientOrderId: unpackClientOrderId(buffer.i32, (at >> 2) + 24),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeOrderState(
  buffer: RecordBuffer,
  at: number,
  record: OrderStateRecord,
  flags = 0,
): number {
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.account
  buffer.i32[(at >> 2) + 5] = record.terms
  buffer.f64[(at >> 3) + 3] = record.orderId
  buffer.f64[(at >> 3) + 4] = record.priceTicks
  buffer.f64[(at >> 3) + 5] = record.lots
  writeInt64(buffer.i32, (at >> 2) + 12, record.quoteAtoms)
  buffer.f64[(at >> 3) + 7] = record.filledLots
  writeInt64(buffer.i32, (at >> 2) + 16, record.filledAtoms)
  buffer.f64[(at >> 3) + 9] = record.preventedLots
  buffer.f64[(at >> 3) + 10] = record.createdMs
  buffer.f64[(at >> 3) + 11] = record.updatedMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, (at >> 2) + 24) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  let end = at + 128
  if ((record.terms & 512) === 512) {
    end = writeDetailsSection(buffer, end, present(record.details, 'details'))
  }
  buffer.i32[at >> 2] = headOf(65, end - at, flags)
  return end
}

/** A page of open orders ends. */
export interface QueryEndRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  isWhole: number
  spare: number
  untilOrderId: OrderId
}

export function readQueryEnd(buffer: RecordBuffer, at: number): QueryEndRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    isWhole: buffer.i32[(at >> 2) + 4]!,
    spare: buffer.i32[(at >> 2) + 5]!,
    untilOrderId: buffer.f64[(at >> 3) + 3] as OrderId,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeQueryEnd(
  buffer: RecordBuffer,
  at: number,
  record: QueryEndRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(66, 32, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.isWhole
  buffer.i32[(at >> 2) + 5] = record.spare
  buffer.f64[(at >> 3) + 3] = record.untilOrderId
  return at + 32
}

/** Levels of the book follow: those after the price and side that the query names. */
export interface BookBeginRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  side: number
  phase: number
  afterTicks: Ticks
  updateId: number
  sequence: number
  tradeId: TradeId
  lastPriceTicks: Ticks
  closeTicks: Ticks
  closeMs: Ms
  auctionTicks: Ticks
  auctionMs: Ms
  auctionVolume: Int64
  auctionSurplus: Int64
}

export function readBookBegin(buffer: RecordBuffer, at: number): BookBeginRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    side: buffer.i32[(at >> 2) + 4]!,
    phase: buffer.i32[(at >> 2) + 5]!,
    afterTicks: buffer.f64[(at >> 3) + 3] as Ticks,
    updateId: buffer.f64[(at >> 3) + 4]!,
    sequence: buffer.f64[(at >> 3) + 5]!,
    tradeId: buffer.f64[(at >> 3) + 6] as TradeId,
    lastPriceTicks: buffer.f64[(at >> 3) + 7] as Ticks,
    closeTicks: buffer.f64[(at >> 3) + 8] as Ticks,
    closeMs: buffer.f64[(at >> 3) + 9] as Ms,
    auctionTicks: buffer.f64[(at >> 3) + 10] as Ticks,
    auctionMs: buffer.f64[(at >> 3) + 11] as Ms,
    auctionVolume: readInt64(buffer.i32, (at >> 2) + 24),
    auctionSurplus: readInt64(buffer.i32, (at >> 2) + 26),
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeBookBegin(
  buffer: RecordBuffer,
  at: number,
  record: BookBeginRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(67, 112, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.side
  buffer.i32[(at >> 2) + 5] = record.phase
  buffer.f64[(at >> 3) + 3] = record.afterTicks
  buffer.f64[(at >> 3) + 4] = record.updateId
  buffer.f64[(at >> 3) + 5] = record.sequence
  buffer.f64[(at >> 3) + 6] = record.tradeId
  buffer.f64[(at >> 3) + 7] = record.lastPriceTicks
  buffer.f64[(at >> 3) + 8] = record.closeTicks
  buffer.f64[(at >> 3) + 9] = record.closeMs
  buffer.f64[(at >> 3) + 10] = record.auctionTicks
  buffer.f64[(at >> 3) + 11] = record.auctionMs
  writeInt64(buffer.i32, (at >> 2) + 24, record.auctionVolume)
  writeInt64(buffer.i32, (at >> 2) + 26, record.auctionSurplus)
  return at + 112
}

/** One price level. */
export interface BookLevelRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  side: number
  orderCount: number
  priceTicks: Ticks
  levelLots: Lots
}

export function readBookLevel(buffer: RecordBuffer, at: number): BookLevelRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    side: buffer.i32[(at >> 2) + 4]!,
    orderCount: buffer.i32[(at >> 2) + 5]!,
    priceTicks: buffer.f64[(at >> 3) + 3] as Ticks,
    levelLots: buffer.f64[(at >> 3) + 4] as Lots,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeBookLevel(
  buffer: RecordBuffer,
  at: number,
  record: BookLevelRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(68, 40, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.side
  buffer.i32[(at >> 2) + 5] = record.orderCount
  buffer.f64[(at >> 3) + 3] = record.priceTicks
  buffer.f64[(at >> 3) + 4] = record.levelLots
  return at + 40
}

/** A piece of the book ends. */
export interface BookEndRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  isWhole: number
  spare: number
}

export function readBookEnd(buffer: RecordBuffer, at: number): BookEndRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    isWhole: buffer.i32[(at >> 2) + 4]!,
    spare: buffer.i32[(at >> 2) + 5]!,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeBookEnd(
  buffer: RecordBuffer,
  at: number,
  record: BookEndRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(69, 24, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.i32[(at >> 2) + 4] = record.isWhole
  buffer.i32[(at >> 2) + 5] = record.spare
  return at + 24
}

/** What the auction would come to if the call ended now. Sent to all gateways while the phase is AUCTION_MATCH, seldom enough to be a small share of the work. */
export interface AuctionIndicativeRecord {
  symbolId: SymbolId
  gateway: number
  correlation: number
  priceTicks: Ticks
  referenceTicks: Ticks
  volume: Int64
  surplus: Int64
  timeMs: Ms
}

export function readAuctionIndicative(buffer: RecordBuffer, at: number): AuctionIndicativeRecord {
  return {
    symbolId: buffer.i32[(at >> 2) + 1] as SymbolId,
    gateway: buffer.i32[(at >> 2) + 2]!,
    correlation: buffer.i32[(at >> 2) + 3]!,
    priceTicks: buffer.f64[(at >> 3) + 2] as Ticks,
    referenceTicks: buffer.f64[(at >> 3) + 3] as Ticks,
    volume: readInt64(buffer.i32, (at >> 2) + 8),
    surplus: readInt64(buffer.i32, (at >> 2) + 10),
    timeMs: buffer.f64[(at >> 3) + 6] as Ms,
  }
}

/** Writes the whole record and returns the offset after it. */
export function writeAuctionIndicative(
  buffer: RecordBuffer,
  at: number,
  record: AuctionIndicativeRecord,
  flags = 0,
): number {
  buffer.i32[at >> 2] = headOf(73, 56, flags)
  buffer.i32[(at >> 2) + 1] = record.symbolId
  buffer.i32[(at >> 2) + 2] = record.gateway
  buffer.i32[(at >> 2) + 3] = record.correlation
  buffer.f64[(at >> 3) + 2] = record.priceTicks
  buffer.f64[(at >> 3) + 3] = record.referenceTicks
  writeInt64(buffer.i32, (at >> 2) + 8, record.volume)
  writeInt64(buffer.i32, (at >> 2) + 10, record.surplus)
  buffer.f64[(at >> 3) + 6] = record.timeMs
  return at + 56
}
