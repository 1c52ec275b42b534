// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { packClientOrderId, unpackClientOrderId } from '../base/client-order-id.ts'
import { headOf, type RecordBuffer } from './record-buffer.ts'

export const COMMAND_SLOT_BYTES = 128
export const LIST_LEG_BYTES = 88

/** the last record that the command caused; its answer is complete */
export const FLAG_LAST = 1
/** a command whose stages are stamped (shared/stamps.ts) */
export const FLAG_TIMED = 2

/** Offsets common to all records: add `at >> 2` (i32) or `at >> 3` (int). */
export const RecordHeader = { head: 0, symbolId: 1, gateway: 2, correlation: 3 } as const
export const EventHeader = { head: 0, symbolId: 1, gateway: 2, correlation: 3, timeMs: 2, sequence: 3 } as const

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
  OrderDetails: 21,
  OrderTriggered: 22,
  OrderReleased: 23,
  OrderReplenished: 24,
  OrderAmended: 25,
  OrderListChanged: 26,
  TradeCommission: 27,
  OrderDecremented: 28,
  Rejected: 64,
  OrderState: 65,
  QueryEnd: 66,
  BookBegin: 67,
  BookLevel: 68,
  BookEnd: 69,
  OrderStateDetails: 70,
  ReplaceResult: 71,
  OrderListRejected: 72,
} as const

/** Enter an order. Stateless checks have passed. */
export const PlaceOrder = {
  type: 1,
  bytes: 120,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: side, type, time in force, prevention mode, detailed, session */
  terms: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 3,
  /** int: quantity; 0 for a MARKET order by quote amount */
  lots: 4,
  /** int: quote amount of a MARKET order; else 0 */
  quoteAtoms: 5,
  /** int: refuse when the clock is past this: timestamp + recvWindow; 0 never */
  expiresMs: 6,
  /** id: chosen by the client or by the gateway; never none */
  clientOrderId: 14,
  /** int: only written and read when the terms say detailed: stop price; of a trailing stop, where tracking starts */
  stopTicks: 11,
  /** int: only written and read when the terms say detailed: the quantity shown at a time */
  icebergLots: 12,
  /** int: only written and read when the terms say detailed */
  strategyId: 13,
  /** i32: only written and read when the terms say detailed: basis points */
  trailingDelta: 28,
  /** i32: only written and read when the terms say detailed */
  strategyType: 29,
} as const

export interface PlaceOrderRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  terms: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  expiresMs: number
  clientOrderId: string
  stopTicks: number
  icebergLots: number
  strategyId: number
  trailingDelta: number
  strategyType: number
}

export function readPlaceOrder(buffer: RecordBuffer, at: number): PlaceOrderRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    terms: buffer.i32[word + 5]!,
    priceTicks: buffer.f64[double + 3]!,
    lots: buffer.f64[double + 4]!,
    quoteAtoms: buffer.f64[double + 5]!,
    expiresMs: buffer.f64[double + 6]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 14),
    stopTicks: buffer.f64[double + 11]!,
    icebergLots: buffer.f64[double + 12]!,
    strategyId: buffer.f64[double + 13]!,
    trailingDelta: buffer.i32[word + 28]!,
    strategyType: buffer.i32[word + 29]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writePlaceOrder(
  buffer: RecordBuffer,
  at: number,
  record: PlaceOrderRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(1, 120, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.terms
  buffer.f64[double + 3] = record.priceTicks
  buffer.f64[double + 4] = record.lots
  buffer.f64[double + 5] = record.quoteAtoms
  buffer.f64[double + 6] = record.expiresMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 14) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  buffer.f64[double + 11] = record.stopTicks
  buffer.f64[double + 12] = record.icebergLots
  buffer.f64[double + 13] = record.strategyId
  buffer.i32[word + 28] = record.trailingDelta
  buffer.i32[word + 29] = record.strategyType
  return at + 120
}

/** Cancel one open order, found by orderId, by its client id, or by both agreeing. */
export const CancelOrder = {
  type: 2,
  bytes: 104,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: must own the order */
  account: 4,
  /** i32: CancelRestrictions */
  restrictions: 5,
  /** int: 0 when found by client id */
  orderId: 3,
  /** int: as PlaceOrder */
  expiresMs: 4,
  /** id: the id to find; none when found by orderId */
  origClientOrderId: 10,
  /** id: the cancel's own id */
  clientOrderId: 18,
} as const

export interface CancelOrderRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  restrictions: number
  orderId: number
  expiresMs: number
  origClientOrderId: string
  clientOrderId: string
}

export function readCancelOrder(buffer: RecordBuffer, at: number): CancelOrderRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    restrictions: buffer.i32[word + 5]!,
    orderId: buffer.f64[double + 3]!,
    expiresMs: buffer.f64[double + 4]!,
    origClientOrderId: unpackClientOrderId(buffer.i32, word + 10),
    clientOrderId: unpackClientOrderId(buffer.i32, word + 18),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeCancelOrder(
  buffer: RecordBuffer,
  at: number,
  record: CancelOrderRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(2, 104, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.restrictions
  buffer.f64[double + 3] = record.orderId
  buffer.f64[double + 4] = record.expiresMs
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, word + 10) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 18) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 104
}

/** Cancel every open order of the account on the symbol, oldest first. */
export const CancelOpenOrders = {
  type: 3,
  bytes: 64,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: zero */
  spare: 5,
  /** int: as PlaceOrder */
  expiresMs: 3,
  /** id: the cancels' own id */
  clientOrderId: 8,
} as const

export interface CancelOpenOrdersRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  spare: number
  expiresMs: number
  clientOrderId: string
}

export function readCancelOpenOrders(buffer: RecordBuffer, at: number): CancelOpenOrdersRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
    expiresMs: buffer.f64[double + 3]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 8),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeCancelOpenOrders(
  buffer: RecordBuffer,
  at: number,
  record: CancelOpenOrdersRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(3, 64, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.spare
  buffer.f64[double + 3] = record.expiresMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 8) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 64
}

/** Answer one open order as OrderState, or Rejected NO_SUCH_ORDER when it is not open. */
export const QueryOrder = {
  type: 4,
  bytes: 64,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: must own the order */
  account: 4,
  /** i32: zero */
  spare: 5,
  /** int: 0 when found by client id */
  orderId: 3,
  /** id: none when found by orderId */
  clientOrderId: 8,
} as const

export interface QueryOrderRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  spare: number
  orderId: number
  clientOrderId: string
}

export function readQueryOrder(buffer: RecordBuffer, at: number): QueryOrderRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
    orderId: buffer.f64[double + 3]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 8),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeQueryOrder(
  buffer: RecordBuffer,
  at: number,
  record: QueryOrderRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(4, 64, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.spare
  buffer.f64[double + 3] = record.orderId
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 8) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 64
}

/** Answer a page of the open orders of the account as OrderState, by orderId, then QueryEnd. */
export const QueryOpenOrders = {
  type: 5,
  bytes: 40,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: orders on the page */
  limit: 5,
  /** int: the last orderId of the page before; 0 for the first page */
  afterOrderId: 3,
  /** int: as the first QueryEnd says; 0 for the first page */
  untilOrderId: 4,
} as const

export interface QueryOpenOrdersRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  limit: number
  afterOrderId: number
  untilOrderId: number
}

export function readQueryOpenOrders(buffer: RecordBuffer, at: number): QueryOpenOrdersRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    limit: buffer.i32[word + 5]!,
    afterOrderId: buffer.f64[double + 3]!,
    untilOrderId: buffer.f64[double + 4]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeQueryOpenOrders(
  buffer: RecordBuffer,
  at: number,
  record: QueryOpenOrdersRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(5, 40, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.limit
  buffer.f64[double + 3] = record.afterOrderId
  buffer.f64[double + 4] = record.untilOrderId
  return at + 40
}

/** Answer a piece of the book as BookBegin, BookLevel for each level, BookEnd. */
export const QueryBook = {
  type: 6,
  bytes: 32,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: Side; after the last BUY the piece goes on with the best SELL */
  side: 4,
  /** i32: levels in the piece */
  limit: 5,
  /** int: levels of the side beyond this price; 0 from the best one on */
  afterTicks: 3,
} as const

export interface QueryBookRecord {
  symbolId: number
  gateway: number
  correlation: number
  side: number
  limit: number
  afterTicks: number
}

export function readQueryBook(buffer: RecordBuffer, at: number): QueryBookRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    side: buffer.i32[word + 4]!,
    limit: buffer.i32[word + 5]!,
    afterTicks: buffer.f64[double + 3]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeQueryBook(
  buffer: RecordBuffer,
  at: number,
  record: QueryBookRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(6, 32, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.side
  buffer.i32[word + 5] = record.limit
  buffer.f64[double + 3] = record.afterTicks
  return at + 32
}

/** Enter an order list, whole or not at all. OCO: the stop-loss leg, the other leg. OTO: the working leg, the pending one. OTOCO: the working leg, the pending stop-loss leg, the other pending leg. */
export const PlaceOrderList = {
  type: 7,
  bytes: 328,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: OrderListKind */
  kind: 5,
  /** int: as PlaceOrder */
  expiresMs: 3,
  /** id: never none */
  listClientOrderId: 8,
  /** i32: as PlaceOrder; every leg is detailed */
  terms1: 16,
  /** i32 */
  strategyType1: 17,
  /** int: limit price; 0 for none */
  priceTicks1: 9,
  /** int: quantity */
  lots1: 10,
  /** int */
  stopTicks1: 11,
  /** int */
  icebergLots1: 12,
  /** int */
  strategyId1: 13,
  /** i32 */
  trailingDelta1: 28,
  /** i32: zero */
  spare1: 29,
  /** id */
  clientOrderId1: 30,
  /** i32: as PlaceOrder; every leg is detailed */
  terms2: 38,
  /** i32 */
  strategyType2: 39,
  /** int: limit price; 0 for none */
  priceTicks2: 20,
  /** int: quantity */
  lots2: 21,
  /** int */
  stopTicks2: 22,
  /** int */
  icebergLots2: 23,
  /** int */
  strategyId2: 24,
  /** i32 */
  trailingDelta2: 50,
  /** i32: zero */
  spare2: 51,
  /** id */
  clientOrderId2: 52,
  /** i32: as PlaceOrder; every leg is detailed */
  terms3: 60,
  /** i32 */
  strategyType3: 61,
  /** int: limit price; 0 for none */
  priceTicks3: 31,
  /** int: quantity */
  lots3: 32,
  /** int */
  stopTicks3: 33,
  /** int */
  icebergLots3: 34,
  /** int */
  strategyId3: 35,
  /** i32 */
  trailingDelta3: 72,
  /** i32: zero */
  spare3: 73,
  /** id */
  clientOrderId3: 74,
} as const

export interface PlaceOrderListRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  kind: number
  expiresMs: number
  listClientOrderId: string
  terms1: number
  strategyType1: number
  priceTicks1: number
  lots1: number
  stopTicks1: number
  icebergLots1: number
  strategyId1: number
  trailingDelta1: number
  spare1: number
  clientOrderId1: string
  terms2: number
  strategyType2: number
  priceTicks2: number
  lots2: number
  stopTicks2: number
  icebergLots2: number
  strategyId2: number
  trailingDelta2: number
  spare2: number
  clientOrderId2: string
  terms3: number
  strategyType3: number
  priceTicks3: number
  lots3: number
  stopTicks3: number
  icebergLots3: number
  strategyId3: number
  trailingDelta3: number
  spare3: number
  clientOrderId3: string
}

export function readPlaceOrderList(buffer: RecordBuffer, at: number): PlaceOrderListRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    kind: buffer.i32[word + 5]!,
    expiresMs: buffer.f64[double + 3]!,
    listClientOrderId: unpackClientOrderId(buffer.i32, word + 8),
    terms1: buffer.i32[word + 16]!,
    strategyType1: buffer.i32[word + 17]!,
    priceTicks1: buffer.f64[double + 9]!,
    lots1: buffer.f64[double + 10]!,
    stopTicks1: buffer.f64[double + 11]!,
    icebergLots1: buffer.f64[double + 12]!,
    strategyId1: buffer.f64[double + 13]!,
    trailingDelta1: buffer.i32[word + 28]!,
    spare1: buffer.i32[word + 29]!,
    clientOrderId1: unpackClientOrderId(buffer.i32, word + 30),
    terms2: buffer.i32[word + 38]!,
    strategyType2: buffer.i32[word + 39]!,
    priceTicks2: buffer.f64[double + 20]!,
    lots2: buffer.f64[double + 21]!,
    stopTicks2: buffer.f64[double + 22]!,
    icebergLots2: buffer.f64[double + 23]!,
    strategyId2: buffer.f64[double + 24]!,
    trailingDelta2: buffer.i32[word + 50]!,
    spare2: buffer.i32[word + 51]!,
    clientOrderId2: unpackClientOrderId(buffer.i32, word + 52),
    terms3: buffer.i32[word + 60]!,
    strategyType3: buffer.i32[word + 61]!,
    priceTicks3: buffer.f64[double + 31]!,
    lots3: buffer.f64[double + 32]!,
    stopTicks3: buffer.f64[double + 33]!,
    icebergLots3: buffer.f64[double + 34]!,
    strategyId3: buffer.f64[double + 35]!,
    trailingDelta3: buffer.i32[word + 72]!,
    spare3: buffer.i32[word + 73]!,
    clientOrderId3: unpackClientOrderId(buffer.i32, word + 74),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writePlaceOrderList(
  buffer: RecordBuffer,
  at: number,
  record: PlaceOrderListRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(7, 328, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.kind
  buffer.f64[double + 3] = record.expiresMs
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, word + 8) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  buffer.i32[word + 16] = record.terms1
  buffer.i32[word + 17] = record.strategyType1
  buffer.f64[double + 9] = record.priceTicks1
  buffer.f64[double + 10] = record.lots1
  buffer.f64[double + 11] = record.stopTicks1
  buffer.f64[double + 12] = record.icebergLots1
  buffer.f64[double + 13] = record.strategyId1
  buffer.i32[word + 28] = record.trailingDelta1
  buffer.i32[word + 29] = record.spare1
  if (!packClientOrderId(record.clientOrderId1, buffer.i32, word + 30) && record.clientOrderId1 !== '') throw new RangeError('clientOrderId1 is not a client order id')
  buffer.i32[word + 38] = record.terms2
  buffer.i32[word + 39] = record.strategyType2
  buffer.f64[double + 20] = record.priceTicks2
  buffer.f64[double + 21] = record.lots2
  buffer.f64[double + 22] = record.stopTicks2
  buffer.f64[double + 23] = record.icebergLots2
  buffer.f64[double + 24] = record.strategyId2
  buffer.i32[word + 50] = record.trailingDelta2
  buffer.i32[word + 51] = record.spare2
  if (!packClientOrderId(record.clientOrderId2, buffer.i32, word + 52) && record.clientOrderId2 !== '') throw new RangeError('clientOrderId2 is not a client order id')
  buffer.i32[word + 60] = record.terms3
  buffer.i32[word + 61] = record.strategyType3
  buffer.f64[double + 31] = record.priceTicks3
  buffer.f64[double + 32] = record.lots3
  buffer.f64[double + 33] = record.stopTicks3
  buffer.f64[double + 34] = record.icebergLots3
  buffer.f64[double + 35] = record.strategyId3
  buffer.i32[word + 72] = record.trailingDelta3
  buffer.i32[word + 73] = record.spare3
  if (!packClientOrderId(record.clientOrderId3, buffer.i32, word + 74) && record.clientOrderId3 !== '') throw new RangeError('clientOrderId3 is not a client order id')
  return at + 328
}

/** Cancel every open leg of one list, found by its id, by its client id, or by both. */
export const CancelOrderList = {
  type: 8,
  bytes: 104,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: must own the list */
  account: 4,
  /** i32: zero */
  spare: 5,
  /** int: -1 when found by client id */
  orderListId: 3,
  /** int: as PlaceOrder */
  expiresMs: 4,
  /** id: none when found by orderListId */
  listClientOrderId: 10,
  /** id: the cancels' own id */
  clientOrderId: 18,
} as const

export interface CancelOrderListRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  spare: number
  orderListId: number
  expiresMs: number
  listClientOrderId: string
  clientOrderId: string
}

export function readCancelOrderList(buffer: RecordBuffer, at: number): CancelOrderListRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
    orderListId: buffer.f64[double + 3]!,
    expiresMs: buffer.f64[double + 4]!,
    listClientOrderId: unpackClientOrderId(buffer.i32, word + 10),
    clientOrderId: unpackClientOrderId(buffer.i32, word + 18),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeCancelOrderList(
  buffer: RecordBuffer,
  at: number,
  record: CancelOrderListRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(8, 104, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.spare
  buffer.f64[double + 3] = record.orderListId
  buffer.f64[double + 4] = record.expiresMs
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, word + 10) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 18) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 104
}

/** Cancel an order, then place another (supplement 2a.5). Answered by the events of what succeeded and ReplaceResult. */
export const ReplaceOrder = {
  type: 9,
  bytes: 200,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: side, type, time in force, prevention mode, detailed, session */
  terms: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 3,
  /** int: quantity; 0 for a MARKET order by quote amount */
  lots: 4,
  /** int: quote amount of a MARKET order; else 0 */
  quoteAtoms: 5,
  /** int: refuse when the clock is past this: timestamp + recvWindow; 0 never */
  expiresMs: 6,
  /** id: chosen by the client or by the gateway; never none */
  clientOrderId: 14,
  /** int: only written and read when the terms say detailed: stop price; of a trailing stop, where tracking starts */
  stopTicks: 11,
  /** int: only written and read when the terms say detailed: the quantity shown at a time */
  icebergLots: 12,
  /** int: only written and read when the terms say detailed */
  strategyId: 13,
  /** i32: only written and read when the terms say detailed: basis points */
  trailingDelta: 28,
  /** i32: only written and read when the terms say detailed */
  strategyType: 29,
  /** int: 0 when found by client id */
  cancelOrderId: 15,
  /** i32: CancelRestrictions */
  cancelRestrictions: 32,
  /** i32: CancelReplaceMode */
  mode: 33,
  /** id: none when found by orderId */
  cancelOrigClientOrderId: 34,
  /** id: the cancel's own id */
  cancelClientOrderId: 42,
} as const

export interface ReplaceOrderRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  terms: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  expiresMs: number
  clientOrderId: string
  stopTicks: number
  icebergLots: number
  strategyId: number
  trailingDelta: number
  strategyType: number
  cancelOrderId: number
  cancelRestrictions: number
  mode: number
  cancelOrigClientOrderId: string
  cancelClientOrderId: string
}

export function readReplaceOrder(buffer: RecordBuffer, at: number): ReplaceOrderRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    terms: buffer.i32[word + 5]!,
    priceTicks: buffer.f64[double + 3]!,
    lots: buffer.f64[double + 4]!,
    quoteAtoms: buffer.f64[double + 5]!,
    expiresMs: buffer.f64[double + 6]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 14),
    stopTicks: buffer.f64[double + 11]!,
    icebergLots: buffer.f64[double + 12]!,
    strategyId: buffer.f64[double + 13]!,
    trailingDelta: buffer.i32[word + 28]!,
    strategyType: buffer.i32[word + 29]!,
    cancelOrderId: buffer.f64[double + 15]!,
    cancelRestrictions: buffer.i32[word + 32]!,
    mode: buffer.i32[word + 33]!,
    cancelOrigClientOrderId: unpackClientOrderId(buffer.i32, word + 34),
    cancelClientOrderId: unpackClientOrderId(buffer.i32, word + 42),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeReplaceOrder(
  buffer: RecordBuffer,
  at: number,
  record: ReplaceOrderRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(9, 200, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.terms
  buffer.f64[double + 3] = record.priceTicks
  buffer.f64[double + 4] = record.lots
  buffer.f64[double + 5] = record.quoteAtoms
  buffer.f64[double + 6] = record.expiresMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 14) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  buffer.f64[double + 11] = record.stopTicks
  buffer.f64[double + 12] = record.icebergLots
  buffer.f64[double + 13] = record.strategyId
  buffer.i32[word + 28] = record.trailingDelta
  buffer.i32[word + 29] = record.strategyType
  buffer.f64[double + 15] = record.cancelOrderId
  buffer.i32[word + 32] = record.cancelRestrictions
  buffer.i32[word + 33] = record.mode
  if (!packClientOrderId(record.cancelOrigClientOrderId, buffer.i32, word + 34) && record.cancelOrigClientOrderId !== '') throw new RangeError('cancelOrigClientOrderId is not a client order id')
  if (!packClientOrderId(record.cancelClientOrderId, buffer.i32, word + 42) && record.cancelClientOrderId !== '') throw new RangeError('cancelClientOrderId is not a client order id')
  return at + 200
}

/** Lower the quantity of an open order, which keeps its priority (supplement 2a.6). */
export const AmendOrder = {
  type: 10,
  bytes: 112,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: must own the order */
  account: 4,
  /** i32: zero */
  spare: 5,
  /** int: 0 when found by client id */
  orderId: 3,
  /** int: the new quantity */
  lots: 4,
  /** int: as PlaceOrder */
  expiresMs: 5,
  /** id: none when found by orderId */
  origClientOrderId: 12,
  /** id: the order's new client id; none: it keeps its own */
  clientOrderId: 20,
} as const

export interface AmendOrderRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  spare: number
  orderId: number
  lots: number
  expiresMs: number
  origClientOrderId: string
  clientOrderId: string
}

export function readAmendOrder(buffer: RecordBuffer, at: number): AmendOrderRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
    orderId: buffer.f64[double + 3]!,
    lots: buffer.f64[double + 4]!,
    expiresMs: buffer.f64[double + 5]!,
    origClientOrderId: unpackClientOrderId(buffer.i32, word + 12),
    clientOrderId: unpackClientOrderId(buffer.i32, word + 20),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeAmendOrder(
  buffer: RecordBuffer,
  at: number,
  record: AmendOrderRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(10, 112, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.spare
  buffer.f64[double + 3] = record.orderId
  buffer.f64[double + 4] = record.lots
  buffer.f64[double + 5] = record.expiresMs
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, word + 12) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 20) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 112
}

/** Cancel every open order of the account that belongs to a session, oldest first. */
export const CancelSessionOrders = {
  type: 11,
  bytes: 56,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: as the terms of its orders name it */
  session: 5,
  /** id: the cancels' own id */
  clientOrderId: 6,
} as const

export interface CancelSessionOrdersRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  session: number
  clientOrderId: string
}

export function readCancelSessionOrders(buffer: RecordBuffer, at: number): CancelSessionOrdersRecord {
  const word = at >> 2
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    session: buffer.i32[word + 5]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 6),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeCancelSessionOrders(
  buffer: RecordBuffer,
  at: number,
  record: CancelSessionOrdersRecord,
  flags = 0,
): number {
  const word = at >> 2
  buffer.i32[word] = headOf(11, 56, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.session
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 6) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 56
}

/** An order entered the engine and its funds are held: heldAtoms moved from free to locked (quote for BUY, base for SELL). First event of its turn, but for its OrderDetails. A stop, or a pending leg, waits from here on. */
export const OrderAccepted = {
  type: 16,
  bytes: 112,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: 9,
  /** int: counts from 1 within the symbol */
  orderId: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 6,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 7,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 8,
  /** int: LIMIT: price × quantity, rounded up, or quantity; MARKET: the cost of the sweep, rounded up at each price; a leg of a list: what the legs before it do not hold already */
  heldAtoms: 9,
  /** id: the order's id */
  clientOrderId: 20,
} as const

export interface OrderAcceptedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  heldAtoms: number
  clientOrderId: string
}

export function readOrderAccepted(buffer: RecordBuffer, at: number): OrderAcceptedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    lots: buffer.f64[double + 7]!,
    quoteAtoms: buffer.f64[double + 8]!,
    heldAtoms: buffer.f64[double + 9]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 20),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderAccepted(
  buffer: RecordBuffer,
  at: number,
  record: OrderAcceptedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(16, 112, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.lots
  buffer.f64[double + 8] = record.quoteAtoms
  buffer.f64[double + 9] = record.heldAtoms
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 20) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 112
}

/** Two orders met at the maker's price. The buyer's locked falls by quoteAtoms plus buyerReleasedAtoms, the seller's locked by the quantity; each receives the other side less commission, which account 0 receives. */
export const Trade = {
  type: 17,
  bytes: 208,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner of the arriving order */
  takerAccount: 8,
  /** i32: owner of the resting order */
  makerAccount: 9,
  /** i32: as OrderAccepted */
  takerTerms: 10,
  /** i32: as OrderAccepted */
  makerTerms: 11,
  /** int: counts from 1 within the symbol */
  tradeId: 6,
  /** int: the maker's price */
  priceTicks: 7,
  /** int: quantity that changed hands */
  tradeLots: 8,
  /** int: what it paid: price × quantity, rounded down */
  quoteAtoms: 9,
  /** int: depth version after the maker's level lost tradeLots */
  updateId: 10,
  /** int */
  takerOrderId: 11,
  /** int: cumulative, this trade included */
  takerFilledLots: 12,
  /** int: cumulative quote, this trade included */
  takerFilledAtoms: 13,
  /** int: in the asset the taker receives */
  takerCommissionAtoms: 14,
  /** int */
  makerOrderId: 15,
  /** int: cumulative, this trade included */
  makerFilledLots: 16,
  /** int: cumulative quote, this trade included */
  makerFilledAtoms: 17,
  /** int: in the asset the maker receives */
  makerCommissionAtoms: 18,
  /** int: the maker's original quantity */
  makerLots: 19,
  /** int: when the maker's order was accepted */
  makerCreatedMs: 20,
  /** int: quote that moves from locked to free: price improvement of a BUY taker, and what the buyer held only for rounding */
  buyerReleasedAtoms: 21,
  /** id */
  makerClientOrderId: 44,
} as const

export interface TradeRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  takerAccount: number
  makerAccount: number
  takerTerms: number
  makerTerms: number
  tradeId: number
  priceTicks: number
  tradeLots: number
  quoteAtoms: number
  updateId: number
  takerOrderId: number
  takerFilledLots: number
  takerFilledAtoms: number
  takerCommissionAtoms: number
  makerOrderId: number
  makerFilledLots: number
  makerFilledAtoms: number
  makerCommissionAtoms: number
  makerLots: number
  makerCreatedMs: number
  buyerReleasedAtoms: number
  makerClientOrderId: string
}

export function readTrade(buffer: RecordBuffer, at: number): TradeRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    takerAccount: buffer.i32[word + 8]!,
    makerAccount: buffer.i32[word + 9]!,
    takerTerms: buffer.i32[word + 10]!,
    makerTerms: buffer.i32[word + 11]!,
    tradeId: buffer.f64[double + 6]!,
    priceTicks: buffer.f64[double + 7]!,
    tradeLots: buffer.f64[double + 8]!,
    quoteAtoms: buffer.f64[double + 9]!,
    updateId: buffer.f64[double + 10]!,
    takerOrderId: buffer.f64[double + 11]!,
    takerFilledLots: buffer.f64[double + 12]!,
    takerFilledAtoms: buffer.f64[double + 13]!,
    takerCommissionAtoms: buffer.f64[double + 14]!,
    makerOrderId: buffer.f64[double + 15]!,
    makerFilledLots: buffer.f64[double + 16]!,
    makerFilledAtoms: buffer.f64[double + 17]!,
    makerCommissionAtoms: buffer.f64[double + 18]!,
    makerLots: buffer.f64[double + 19]!,
    makerCreatedMs: buffer.f64[double + 20]!,
    buyerReleasedAtoms: buffer.f64[double + 21]!,
    makerClientOrderId: unpackClientOrderId(buffer.i32, word + 44),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeTrade(
  buffer: RecordBuffer,
  at: number,
  record: TradeRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(17, 208, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.takerAccount
  buffer.i32[word + 9] = record.makerAccount
  buffer.i32[word + 10] = record.takerTerms
  buffer.i32[word + 11] = record.makerTerms
  buffer.f64[double + 6] = record.tradeId
  buffer.f64[double + 7] = record.priceTicks
  buffer.f64[double + 8] = record.tradeLots
  buffer.f64[double + 9] = record.quoteAtoms
  buffer.f64[double + 10] = record.updateId
  buffer.f64[double + 11] = record.takerOrderId
  buffer.f64[double + 12] = record.takerFilledLots
  buffer.f64[double + 13] = record.takerFilledAtoms
  buffer.f64[double + 14] = record.takerCommissionAtoms
  buffer.f64[double + 15] = record.makerOrderId
  buffer.f64[double + 16] = record.makerFilledLots
  buffer.f64[double + 17] = record.makerFilledAtoms
  buffer.f64[double + 18] = record.makerCommissionAtoms
  buffer.f64[double + 19] = record.makerLots
  buffer.f64[double + 20] = record.makerCreatedMs
  buffer.f64[double + 21] = record.buyerReleasedAtoms
  if (!packClientOrderId(record.makerClientOrderId, buffer.i32, word + 44) && record.makerClientOrderId !== '') throw new RangeError('makerClientOrderId is not a client order id')
  return at + 208
}

/** What is left of the order whose turn it is joined the end of its price level; of an iceberg, its first slice. */
export const OrderRested = {
  type: 18,
  bytes: 72,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: as OrderAccepted */
  terms: 9,
  /** int */
  orderId: 5,
  /** int */
  priceTicks: 6,
  /** int: what joined the level */
  restedLots: 7,
  /** int: depth version after it */
  updateId: 8,
} as const

export interface OrderRestedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  restedLots: number
  updateId: number
}

export function readOrderRested(buffer: RecordBuffer, at: number): OrderRestedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    restedLots: buffer.f64[double + 7]!,
    updateId: buffer.f64[double + 8]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderRested(
  buffer: RecordBuffer,
  at: number,
  record: OrderRestedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(18, 72, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.restedLots
  buffer.f64[double + 8] = record.updateId
  return at + 72
}

/** An order ended without being filled whole: releasedAtoms moved from locked to free, but for what another leg of its list still needs. */
export const OrderClosed = {
  type: 19,
  bytes: 200,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: 9,
  /** int: counts from 1 within the symbol */
  orderId: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 6,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 7,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 8,
  /** i32: OrderStatus: CANCELED, EXPIRED or EXPIRED_IN_MATCH */
  status: 18,
  /** i32: ExpiryReason */
  reason: 19,
  /** int */
  filledLots: 10,
  /** int: cumulative quote */
  filledAtoms: 11,
  /** int: lost to self-trade prevention */
  preventedLots: 12,
  /** int: when it was accepted */
  createdMs: 13,
  /** int: what left its price level; 0 when it never rested */
  restedLots: 14,
  /** int: depth version after it; unchanged when it never rested */
  updateId: 15,
  /** int: quote for BUY, base for SELL */
  releasedAtoms: 16,
  /** id: a cancel's id; else the order's own */
  clientOrderId: 34,
  /** id: the order's own id */
  origClientOrderId: 42,
} as const

export interface OrderClosedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  status: number
  reason: number
  filledLots: number
  filledAtoms: number
  preventedLots: number
  createdMs: number
  restedLots: number
  updateId: number
  releasedAtoms: number
  clientOrderId: string
  origClientOrderId: string
}

export function readOrderClosed(buffer: RecordBuffer, at: number): OrderClosedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    lots: buffer.f64[double + 7]!,
    quoteAtoms: buffer.f64[double + 8]!,
    status: buffer.i32[word + 18]!,
    reason: buffer.i32[word + 19]!,
    filledLots: buffer.f64[double + 10]!,
    filledAtoms: buffer.f64[double + 11]!,
    preventedLots: buffer.f64[double + 12]!,
    createdMs: buffer.f64[double + 13]!,
    restedLots: buffer.f64[double + 14]!,
    updateId: buffer.f64[double + 15]!,
    releasedAtoms: buffer.f64[double + 16]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 34),
    origClientOrderId: unpackClientOrderId(buffer.i32, word + 42),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderClosed(
  buffer: RecordBuffer,
  at: number,
  record: OrderClosedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(19, 200, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.lots
  buffer.f64[double + 8] = record.quoteAtoms
  buffer.i32[word + 18] = record.status
  buffer.i32[word + 19] = record.reason
  buffer.f64[double + 10] = record.filledLots
  buffer.f64[double + 11] = record.filledAtoms
  buffer.f64[double + 12] = record.preventedLots
  buffer.f64[double + 13] = record.createdMs
  buffer.f64[double + 14] = record.restedLots
  buffer.f64[double + 15] = record.updateId
  buffer.f64[double + 16] = record.releasedAtoms
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 34) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, word + 42) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  return at + 200
}

/** A match of two orders of one owner was prevented; OrderClosed of whichever expires follows. */
export const MatchPrevented = {
  type: 20,
  bytes: 136,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32 */
  takerAccount: 8,
  /** i32 */
  makerAccount: 9,
  /** i32: the taker's prevention mode decides */
  takerTerms: 10,
  /** i32 */
  makerTerms: 11,
  /** int: -1 when it was the same account */
  tradeGroupId: 6,
  /** int: counts from 0 within the symbol */
  preventedMatchId: 7,
  /** int: the maker's price */
  priceTicks: 8,
  /** int */
  takerOrderId: 9,
  /** int */
  makerOrderId: 10,
  /** int: lost by the taker; 0 when it goes on unchanged */
  takerPreventedLots: 11,
  /** int: lost by the maker; 0 when it stays unchanged */
  makerPreventedLots: 12,
  /** int: TRANSFER between two accounts: these changed hands as in a Trade, without commission; else 0 */
  transferredLots: 13,
  /** int: what they paid: price × quantity, rounded down */
  transferredAtoms: 14,
  /** int: with transferredLots: as Trade */
  buyerReleasedAtoms: 15,
  /** int: what would have traded: the less of what both had left, as shown */
  matchLots: 16,
} as const

export interface MatchPreventedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  takerAccount: number
  makerAccount: number
  takerTerms: number
  makerTerms: number
  tradeGroupId: number
  preventedMatchId: number
  priceTicks: number
  takerOrderId: number
  makerOrderId: number
  takerPreventedLots: number
  makerPreventedLots: number
  transferredLots: number
  transferredAtoms: number
  buyerReleasedAtoms: number
  matchLots: number
}

export function readMatchPrevented(buffer: RecordBuffer, at: number): MatchPreventedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    takerAccount: buffer.i32[word + 8]!,
    makerAccount: buffer.i32[word + 9]!,
    takerTerms: buffer.i32[word + 10]!,
    makerTerms: buffer.i32[word + 11]!,
    tradeGroupId: buffer.f64[double + 6]!,
    preventedMatchId: buffer.f64[double + 7]!,
    priceTicks: buffer.f64[double + 8]!,
    takerOrderId: buffer.f64[double + 9]!,
    makerOrderId: buffer.f64[double + 10]!,
    takerPreventedLots: buffer.f64[double + 11]!,
    makerPreventedLots: buffer.f64[double + 12]!,
    transferredLots: buffer.f64[double + 13]!,
    transferredAtoms: buffer.f64[double + 14]!,
    buyerReleasedAtoms: buffer.f64[double + 15]!,
    matchLots: buffer.f64[double + 16]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeMatchPrevented(
  buffer: RecordBuffer,
  at: number,
  record: MatchPreventedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(20, 136, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.takerAccount
  buffer.i32[word + 9] = record.makerAccount
  buffer.i32[word + 10] = record.takerTerms
  buffer.i32[word + 11] = record.makerTerms
  buffer.f64[double + 6] = record.tradeGroupId
  buffer.f64[double + 7] = record.preventedMatchId
  buffer.f64[double + 8] = record.priceTicks
  buffer.f64[double + 9] = record.takerOrderId
  buffer.f64[double + 10] = record.makerOrderId
  buffer.f64[double + 11] = record.takerPreventedLots
  buffer.f64[double + 12] = record.makerPreventedLots
  buffer.f64[double + 13] = record.transferredLots
  buffer.f64[double + 14] = record.transferredAtoms
  buffer.f64[double + 15] = record.buyerReleasedAtoms
  buffer.f64[double + 16] = record.matchLots
  return at + 136
}

/** What the terms of a detailed order do not say. Stands right before the event that begins the order's turn (OrderAccepted, OrderTriggered, OrderReleased) and is true for the whole of it; and right before any OrderClosed, OrderAmended, OrderDecremented, MatchPrevented or Trade that concerns it otherwise, as maker or at rest. */
export const OrderDetails = {
  type: 21,
  bytes: 128,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: basis points; 0 when it does not trail */
  trailingDelta: 9,
  /** int: the order it is about */
  orderId: 5,
  /** int: -1 when it is in no list */
  orderListId: 6,
  /** int: stop price asked for; 0 for none */
  stopTicks: 7,
  /** int: quantity shown at a time; 0 when it shows all */
  icebergLots: 8,
  /** int: -1 for none */
  strategyId: 9,
  /** i32: 0 for none */
  strategyType: 20,
  /** i32: OrderPhase before the event */
  phase: 21,
  /** int: when its tracking started; -1 while it has not */
  trailingMs: 11,
  /** int: when it began to work, ms; -1 while it has not */
  workingMs: 12,
  /** int: best price since tracking started; 0 while it has not */
  extremeTicks: 13,
  /** int: lost to self-trade prevention before the event */
  preventedLots: 14,
  /** int: how often its quantity was amended */
  amendments: 15,
} as const

export interface OrderDetailsRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  trailingDelta: number
  orderId: number
  orderListId: number
  stopTicks: number
  icebergLots: number
  strategyId: number
  strategyType: number
  phase: number
  trailingMs: number
  workingMs: number
  extremeTicks: number
  preventedLots: number
  amendments: number
}

export function readOrderDetails(buffer: RecordBuffer, at: number): OrderDetailsRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    trailingDelta: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    orderListId: buffer.f64[double + 6]!,
    stopTicks: buffer.f64[double + 7]!,
    icebergLots: buffer.f64[double + 8]!,
    strategyId: buffer.f64[double + 9]!,
    strategyType: buffer.i32[word + 20]!,
    phase: buffer.i32[word + 21]!,
    trailingMs: buffer.f64[double + 11]!,
    workingMs: buffer.f64[double + 12]!,
    extremeTicks: buffer.f64[double + 13]!,
    preventedLots: buffer.f64[double + 14]!,
    amendments: buffer.f64[double + 15]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderDetails(
  buffer: RecordBuffer,
  at: number,
  record: OrderDetailsRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(21, 128, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.trailingDelta
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.orderListId
  buffer.f64[double + 7] = record.stopTicks
  buffer.f64[double + 8] = record.icebergLots
  buffer.f64[double + 9] = record.strategyId
  buffer.i32[word + 20] = record.strategyType
  buffer.i32[word + 21] = record.phase
  buffer.f64[double + 11] = record.trailingMs
  buffer.f64[double + 12] = record.workingMs
  buffer.f64[double + 13] = record.extremeTicks
  buffer.f64[double + 14] = record.preventedLots
  buffer.f64[double + 15] = record.amendments
  return at + 128
}

/** The price woke a stop, which now works as an order. Begins its turn. */
export const OrderTriggered = {
  type: 22,
  bytes: 120,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: 9,
  /** int: counts from 1 within the symbol */
  orderId: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 6,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 7,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 8,
  /** int: moves from free to locked; negative: back */
  heldAtoms: 9,
  /** int: when it was accepted */
  createdMs: 10,
  /** id */
  clientOrderId: 22,
} as const

export interface OrderTriggeredRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  heldAtoms: number
  createdMs: number
  clientOrderId: string
}

export function readOrderTriggered(buffer: RecordBuffer, at: number): OrderTriggeredRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    lots: buffer.f64[double + 7]!,
    quoteAtoms: buffer.f64[double + 8]!,
    heldAtoms: buffer.f64[double + 9]!,
    createdMs: buffer.f64[double + 10]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 22),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderTriggered(
  buffer: RecordBuffer,
  at: number,
  record: OrderTriggeredRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(22, 120, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.lots
  buffer.f64[double + 8] = record.quoteAtoms
  buffer.f64[double + 9] = record.heldAtoms
  buffer.f64[double + 10] = record.createdMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 22) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 120
}

/** The working order of its list was filled, and a pending leg goes live: it works, or, a stop, waits for its trigger. Begins its turn. */
export const OrderReleased = {
  type: 23,
  bytes: 120,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: 9,
  /** int: counts from 1 within the symbol */
  orderId: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 6,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 7,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 8,
  /** int: moves from free to locked; negative: back */
  heldAtoms: 9,
  /** int: when it was accepted */
  createdMs: 10,
  /** id */
  clientOrderId: 22,
} as const

export interface OrderReleasedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  heldAtoms: number
  createdMs: number
  clientOrderId: string
}

export function readOrderReleased(buffer: RecordBuffer, at: number): OrderReleasedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    lots: buffer.f64[double + 7]!,
    quoteAtoms: buffer.f64[double + 8]!,
    heldAtoms: buffer.f64[double + 9]!,
    createdMs: buffer.f64[double + 10]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 22),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderReleased(
  buffer: RecordBuffer,
  at: number,
  record: OrderReleasedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(23, 120, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.lots
  buffer.f64[double + 8] = record.quoteAtoms
  buffer.f64[double + 9] = record.heldAtoms
  buffer.f64[double + 10] = record.createdMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 22) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 120
}

/** An iceberg's slice was filled; the next one joined the end of its level. */
export const OrderReplenished = {
  type: 24,
  bytes: 72,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: as OrderAccepted */
  terms: 9,
  /** int */
  orderId: 5,
  /** int */
  priceTicks: 6,
  /** int: what joined the level */
  restedLots: 7,
  /** int: depth version after it */
  updateId: 8,
} as const

export interface OrderReplenishedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  restedLots: number
  updateId: number
}

export function readOrderReplenished(buffer: RecordBuffer, at: number): OrderReplenishedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    restedLots: buffer.f64[double + 7]!,
    updateId: buffer.f64[double + 8]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderReplenished(
  buffer: RecordBuffer,
  at: number,
  record: OrderReplenishedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(24, 72, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.restedLots
  buffer.f64[double + 8] = record.updateId
  return at + 72
}

/** An open order's quantity was lowered to `lots`: releasedAtoms moved from locked to free. It keeps its priority. */
export const OrderAmended = {
  type: 25,
  bytes: 200,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: 9,
  /** int: counts from 1 within the symbol */
  orderId: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 6,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 7,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 8,
  /** int: quantity before */
  oldLots: 9,
  /** int */
  filledLots: 10,
  /** int: cumulative quote */
  filledAtoms: 11,
  /** int: lost to self-trade prevention */
  preventedLots: 12,
  /** int: when it was accepted */
  createdMs: 13,
  /** int: what its price level lost; 0 when what shows is unchanged */
  removedLots: 14,
  /** int: depth version after it */
  updateId: 15,
  /** int: quote for BUY, base for SELL */
  releasedAtoms: 16,
  /** id: the order's id from here on */
  clientOrderId: 34,
  /** id: the order's id before */
  origClientOrderId: 42,
} as const

export interface OrderAmendedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  oldLots: number
  filledLots: number
  filledAtoms: number
  preventedLots: number
  createdMs: number
  removedLots: number
  updateId: number
  releasedAtoms: number
  clientOrderId: string
  origClientOrderId: string
}

export function readOrderAmended(buffer: RecordBuffer, at: number): OrderAmendedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    lots: buffer.f64[double + 7]!,
    quoteAtoms: buffer.f64[double + 8]!,
    oldLots: buffer.f64[double + 9]!,
    filledLots: buffer.f64[double + 10]!,
    filledAtoms: buffer.f64[double + 11]!,
    preventedLots: buffer.f64[double + 12]!,
    createdMs: buffer.f64[double + 13]!,
    removedLots: buffer.f64[double + 14]!,
    updateId: buffer.f64[double + 15]!,
    releasedAtoms: buffer.f64[double + 16]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 34),
    origClientOrderId: unpackClientOrderId(buffer.i32, word + 42),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderAmended(
  buffer: RecordBuffer,
  at: number,
  record: OrderAmendedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(25, 200, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.lots
  buffer.f64[double + 8] = record.quoteAtoms
  buffer.f64[double + 9] = record.oldLots
  buffer.f64[double + 10] = record.filledLots
  buffer.f64[double + 11] = record.filledAtoms
  buffer.f64[double + 12] = record.preventedLots
  buffer.f64[double + 13] = record.createdMs
  buffer.f64[double + 14] = record.removedLots
  buffer.f64[double + 15] = record.updateId
  buffer.f64[double + 16] = record.releasedAtoms
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 34) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  if (!packClientOrderId(record.origClientOrderId, buffer.i32, word + 42) && record.origClientOrderId !== '') throw new RangeError('origClientOrderId is not a client order id')
  return at + 200
}

/** An order list was placed, has changed or is done. Follows what happened to its legs. */
export const OrderListChanged = {
  type: 26,
  bytes: 216,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: OrderListKind */
  kind: 9,
  /** i32: ListStatusType */
  statusType: 10,
  /** i32: ListOrderStatus */
  orderStatus: 11,
  /** int: counts from 1 across the exchange */
  orderListId: 6,
  /** int: 2 or 3 */
  legs: 7,
  /** int: of the leg accepted first, which has the lowest id */
  orderId1: 8,
  /** int */
  orderId2: 9,
  /** int: 0 when there are two */
  orderId3: 10,
  /** id */
  listClientOrderId: 22,
  /** id: the legs' ids as they are now */
  clientOrderId1: 30,
  /** id */
  clientOrderId2: 38,
  /** id: none when there are two */
  clientOrderId3: 46,
} as const

export interface OrderListChangedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  kind: number
  statusType: number
  orderStatus: number
  orderListId: number
  legs: number
  orderId1: number
  orderId2: number
  orderId3: number
  listClientOrderId: string
  clientOrderId1: string
  clientOrderId2: string
  clientOrderId3: string
}

export function readOrderListChanged(buffer: RecordBuffer, at: number): OrderListChangedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    kind: buffer.i32[word + 9]!,
    statusType: buffer.i32[word + 10]!,
    orderStatus: buffer.i32[word + 11]!,
    orderListId: buffer.f64[double + 6]!,
    legs: buffer.f64[double + 7]!,
    orderId1: buffer.f64[double + 8]!,
    orderId2: buffer.f64[double + 9]!,
    orderId3: buffer.f64[double + 10]!,
    listClientOrderId: unpackClientOrderId(buffer.i32, word + 22),
    clientOrderId1: unpackClientOrderId(buffer.i32, word + 30),
    clientOrderId2: unpackClientOrderId(buffer.i32, word + 38),
    clientOrderId3: unpackClientOrderId(buffer.i32, word + 46),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderListChanged(
  buffer: RecordBuffer,
  at: number,
  record: OrderListChangedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(26, 216, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.kind
  buffer.i32[word + 10] = record.statusType
  buffer.i32[word + 11] = record.orderStatus
  buffer.f64[double + 6] = record.orderListId
  buffer.f64[double + 7] = record.legs
  buffer.f64[double + 8] = record.orderId1
  buffer.f64[double + 9] = record.orderId2
  buffer.f64[double + 10] = record.orderId3
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, word + 22) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId1, buffer.i32, word + 30) && record.clientOrderId1 !== '') throw new RangeError('clientOrderId1 is not a client order id')
  if (!packClientOrderId(record.clientOrderId2, buffer.i32, word + 38) && record.clientOrderId2 !== '') throw new RangeError('clientOrderId2 is not a client order id')
  if (!packClientOrderId(record.clientOrderId3, buffer.i32, word + 46) && record.clientOrderId3 !== '') throw new RangeError('clientOrderId3 is not a client order id')
  return at + 216
}

/** One side's commission of the Trade that follows is paid in another asset than it receives: it moves from the account's free to account 0's, and the Trade's own commission of that side is 0. */
export const TradeCommission = {
  type: 27,
  bytes: 64,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: who pays */
  account: 8,
  /** i32: in what */
  assetId: 9,
  /** i32: 1 for the maker of the trade, 0 for the taker */
  isMaker: 10,
  /** i32: zero */
  spare: 11,
  /** int */
  atoms: 6,
  /** int */
  tradeId: 7,
} as const

export interface TradeCommissionRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  assetId: number
  isMaker: number
  spare: number
  atoms: number
  tradeId: number
}

export function readTradeCommission(buffer: RecordBuffer, at: number): TradeCommissionRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    assetId: buffer.i32[word + 9]!,
    isMaker: buffer.i32[word + 10]!,
    spare: buffer.i32[word + 11]!,
    atoms: buffer.f64[double + 6]!,
    tradeId: buffer.f64[double + 7]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeTradeCommission(
  buffer: RecordBuffer,
  at: number,
  record: TradeCommissionRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(27, 64, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.assetId
  buffer.i32[word + 10] = record.isMaker
  buffer.i32[word + 11] = record.spare
  buffer.f64[double + 6] = record.atoms
  buffer.f64[double + 7] = record.tradeId
  return at + 64
}

/** Self-trade prevention took quantity from an order that goes on: releasedAtoms moved from locked to free. Follows its MatchPrevented. */
export const OrderDecremented = {
  type: 28,
  bytes: 160,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: the batch's time, ms since the Unix epoch */
  timeMs: 2,
  /** int: place among the symbol's events, from 1, without gaps */
  sequence: 3,
  /** i32: owner */
  account: 8,
  /** i32: side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: 9,
  /** int: counts from 1 within the symbol */
  orderId: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 6,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 7,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 8,
  /** int */
  filledLots: 9,
  /** int: cumulative quote */
  filledAtoms: 10,
  /** int: lost so far, this time included */
  preventedLots: 11,
  /** int: when it was accepted */
  createdMs: 12,
  /** int: what its price level lost; 0 when it does not rest */
  removedLots: 13,
  /** int: depth version after it */
  updateId: 14,
  /** int: quote for BUY, base for SELL */
  releasedAtoms: 15,
  /** id */
  clientOrderId: 32,
} as const

export interface OrderDecrementedRecord {
  symbolId: number
  gateway: number
  correlation: number
  timeMs: number
  sequence: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  filledLots: number
  filledAtoms: number
  preventedLots: number
  createdMs: number
  removedLots: number
  updateId: number
  releasedAtoms: number
  clientOrderId: string
}

export function readOrderDecremented(buffer: RecordBuffer, at: number): OrderDecrementedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    timeMs: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    account: buffer.i32[word + 8]!,
    terms: buffer.i32[word + 9]!,
    orderId: buffer.f64[double + 5]!,
    priceTicks: buffer.f64[double + 6]!,
    lots: buffer.f64[double + 7]!,
    quoteAtoms: buffer.f64[double + 8]!,
    filledLots: buffer.f64[double + 9]!,
    filledAtoms: buffer.f64[double + 10]!,
    preventedLots: buffer.f64[double + 11]!,
    createdMs: buffer.f64[double + 12]!,
    removedLots: buffer.f64[double + 13]!,
    updateId: buffer.f64[double + 14]!,
    releasedAtoms: buffer.f64[double + 15]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 32),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderDecremented(
  buffer: RecordBuffer,
  at: number,
  record: OrderDecrementedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(28, 160, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.timeMs
  buffer.f64[double + 3] = record.sequence
  buffer.i32[word + 8] = record.account
  buffer.i32[word + 9] = record.terms
  buffer.f64[double + 5] = record.orderId
  buffer.f64[double + 6] = record.priceTicks
  buffer.f64[double + 7] = record.lots
  buffer.f64[double + 8] = record.quoteAtoms
  buffer.f64[double + 9] = record.filledLots
  buffer.f64[double + 10] = record.filledAtoms
  buffer.f64[double + 11] = record.preventedLots
  buffer.f64[double + 12] = record.createdMs
  buffer.f64[double + 13] = record.removedLots
  buffer.f64[double + 14] = record.updateId
  buffer.f64[double + 15] = record.releasedAtoms
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 32) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 160
}

/** The command was refused and changed nothing. */
export const Rejected = {
  type: 64,
  bytes: 24,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: RejectReason */
  reason: 4,
  /** i32: zero */
  spare: 5,
} as const

export interface RejectedRecord {
  symbolId: number
  gateway: number
  correlation: number
  reason: number
  spare: number
}

export function readRejected(buffer: RecordBuffer, at: number): RejectedRecord {
  const word = at >> 2
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    reason: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeRejected(
  buffer: RecordBuffer,
  at: number,
  record: RejectedRecord,
  flags = 0,
): number {
  const word = at >> 2
  buffer.i32[word] = headOf(64, 24, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.reason
  buffer.i32[word + 5] = record.spare
  return at + 24
}

/** One open order as it stands. */
export const OrderState = {
  type: 65,
  bytes: 128,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: 5,
  /** int: counts from 1 within the symbol */
  orderId: 3,
  /** int: limit price; 0 for MARKET */
  priceTicks: 4,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 5,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 6,
  /** int */
  filledLots: 7,
  /** int: cumulative quote */
  filledAtoms: 8,
  /** int */
  preventedLots: 9,
  /** int */
  createdMs: 10,
  /** int: when it last changed: fill, trigger, release, decrement, amendment */
  updatedMs: 11,
  /** id */
  clientOrderId: 24,
} as const

export interface OrderStateRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  terms: number
  orderId: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  filledLots: number
  filledAtoms: number
  preventedLots: number
  createdMs: number
  updatedMs: number
  clientOrderId: string
}

export function readOrderState(buffer: RecordBuffer, at: number): OrderStateRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    terms: buffer.i32[word + 5]!,
    orderId: buffer.f64[double + 3]!,
    priceTicks: buffer.f64[double + 4]!,
    lots: buffer.f64[double + 5]!,
    quoteAtoms: buffer.f64[double + 6]!,
    filledLots: buffer.f64[double + 7]!,
    filledAtoms: buffer.f64[double + 8]!,
    preventedLots: buffer.f64[double + 9]!,
    createdMs: buffer.f64[double + 10]!,
    updatedMs: buffer.f64[double + 11]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 24),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderState(
  buffer: RecordBuffer,
  at: number,
  record: OrderStateRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(65, 128, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.terms
  buffer.f64[double + 3] = record.orderId
  buffer.f64[double + 4] = record.priceTicks
  buffer.f64[double + 5] = record.lots
  buffer.f64[double + 6] = record.quoteAtoms
  buffer.f64[double + 7] = record.filledLots
  buffer.f64[double + 8] = record.filledAtoms
  buffer.f64[double + 9] = record.preventedLots
  buffer.f64[double + 10] = record.createdMs
  buffer.f64[double + 11] = record.updatedMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 24) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  return at + 128
}

/** A page of open orders ends. */
export const QueryEnd = {
  type: 66,
  bytes: 32,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: 1 when no page follows */
  isWhole: 4,
  /** i32: zero */
  spare: 5,
  /** int: the pages have the orders up to this one */
  untilOrderId: 3,
} as const

export interface QueryEndRecord {
  symbolId: number
  gateway: number
  correlation: number
  isWhole: number
  spare: number
  untilOrderId: number
}

export function readQueryEnd(buffer: RecordBuffer, at: number): QueryEndRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    isWhole: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
    untilOrderId: buffer.f64[double + 3]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeQueryEnd(
  buffer: RecordBuffer,
  at: number,
  record: QueryEndRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(66, 32, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.isWhole
  buffer.i32[word + 5] = record.spare
  buffer.f64[double + 3] = record.untilOrderId
  return at + 32
}

/** Levels of the book follow: those after the price and side that the query names. */
export const BookBegin = {
  type: 67,
  bytes: 64,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: Side */
  side: 4,
  /** i32: zero */
  spare: 5,
  /** int: 0 from the best one on */
  afterTicks: 3,
  /** int: depth version */
  updateId: 4,
  /** int: last event sequence */
  sequence: 5,
  /** int: last trade id */
  tradeId: 6,
  /** int: price of the last trade; 0 when there was none */
  lastPriceTicks: 7,
} as const

export interface BookBeginRecord {
  symbolId: number
  gateway: number
  correlation: number
  side: number
  spare: number
  afterTicks: number
  updateId: number
  sequence: number
  tradeId: number
  lastPriceTicks: number
}

export function readBookBegin(buffer: RecordBuffer, at: number): BookBeginRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    side: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
    afterTicks: buffer.f64[double + 3]!,
    updateId: buffer.f64[double + 4]!,
    sequence: buffer.f64[double + 5]!,
    tradeId: buffer.f64[double + 6]!,
    lastPriceTicks: buffer.f64[double + 7]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeBookBegin(
  buffer: RecordBuffer,
  at: number,
  record: BookBeginRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(67, 64, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.side
  buffer.i32[word + 5] = record.spare
  buffer.f64[double + 3] = record.afterTicks
  buffer.f64[double + 4] = record.updateId
  buffer.f64[double + 5] = record.sequence
  buffer.f64[double + 6] = record.tradeId
  buffer.f64[double + 7] = record.lastPriceTicks
  return at + 64
}

/** One price level. */
export const BookLevel = {
  type: 68,
  bytes: 40,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: Side */
  side: 4,
  /** i32: orders on it */
  orderCount: 5,
  /** int */
  priceTicks: 3,
  /** int: their open quantity together */
  levelLots: 4,
} as const

export interface BookLevelRecord {
  symbolId: number
  gateway: number
  correlation: number
  side: number
  orderCount: number
  priceTicks: number
  levelLots: number
}

export function readBookLevel(buffer: RecordBuffer, at: number): BookLevelRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    side: buffer.i32[word + 4]!,
    orderCount: buffer.i32[word + 5]!,
    priceTicks: buffer.f64[double + 3]!,
    levelLots: buffer.f64[double + 4]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeBookLevel(
  buffer: RecordBuffer,
  at: number,
  record: BookLevelRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(68, 40, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.side
  buffer.i32[word + 5] = record.orderCount
  buffer.f64[double + 3] = record.priceTicks
  buffer.f64[double + 4] = record.levelLots
  return at + 40
}

/** A piece of the book ends. */
export const BookEnd = {
  type: 69,
  bytes: 24,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: 1 when no level follows */
  isWhole: 4,
  /** i32: zero */
  spare: 5,
} as const

export interface BookEndRecord {
  symbolId: number
  gateway: number
  correlation: number
  isWhole: number
  spare: number
}

export function readBookEnd(buffer: RecordBuffer, at: number): BookEndRecord {
  const word = at >> 2
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    isWhole: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeBookEnd(
  buffer: RecordBuffer,
  at: number,
  record: BookEndRecord,
  flags = 0,
): number {
  const word = at >> 2
  buffer.i32[word] = headOf(69, 24, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.isWhole
  buffer.i32[word + 5] = record.spare
  return at + 24
}

/** As OrderDetails, of the OrderState that follows. */
export const OrderStateDetails = {
  type: 70,
  bytes: 112,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: basis points; 0 when it does not trail */
  trailingDelta: 5,
  /** int: the order it is about */
  orderId: 3,
  /** int: -1 when it is in no list */
  orderListId: 4,
  /** int: stop price asked for; 0 for none */
  stopTicks: 5,
  /** int: quantity shown at a time; 0 when it shows all */
  icebergLots: 6,
  /** int: -1 for none */
  strategyId: 7,
  /** i32: 0 for none */
  strategyType: 16,
  /** i32: OrderPhase before the event */
  phase: 17,
  /** int: when its tracking started; -1 while it has not */
  trailingMs: 9,
  /** int: when it began to work, ms; -1 while it has not */
  workingMs: 10,
  /** int: best price since tracking started; 0 while it has not */
  extremeTicks: 11,
  /** int: lost to self-trade prevention before the event */
  preventedLots: 12,
  /** int: how often its quantity was amended */
  amendments: 13,
} as const

export interface OrderStateDetailsRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  trailingDelta: number
  orderId: number
  orderListId: number
  stopTicks: number
  icebergLots: number
  strategyId: number
  strategyType: number
  phase: number
  trailingMs: number
  workingMs: number
  extremeTicks: number
  preventedLots: number
  amendments: number
}

export function readOrderStateDetails(buffer: RecordBuffer, at: number): OrderStateDetailsRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    trailingDelta: buffer.i32[word + 5]!,
    orderId: buffer.f64[double + 3]!,
    orderListId: buffer.f64[double + 4]!,
    stopTicks: buffer.f64[double + 5]!,
    icebergLots: buffer.f64[double + 6]!,
    strategyId: buffer.f64[double + 7]!,
    strategyType: buffer.i32[word + 16]!,
    phase: buffer.i32[word + 17]!,
    trailingMs: buffer.f64[double + 9]!,
    workingMs: buffer.f64[double + 10]!,
    extremeTicks: buffer.f64[double + 11]!,
    preventedLots: buffer.f64[double + 12]!,
    amendments: buffer.f64[double + 13]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderStateDetails(
  buffer: RecordBuffer,
  at: number,
  record: OrderStateDetailsRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(70, 112, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.trailingDelta
  buffer.f64[double + 3] = record.orderId
  buffer.f64[double + 4] = record.orderListId
  buffer.f64[double + 5] = record.stopTicks
  buffer.f64[double + 6] = record.icebergLots
  buffer.f64[double + 7] = record.strategyId
  buffer.i32[word + 16] = record.strategyType
  buffer.i32[word + 17] = record.phase
  buffer.f64[double + 9] = record.trailingMs
  buffer.f64[double + 10] = record.workingMs
  buffer.f64[double + 11] = record.extremeTicks
  buffer.f64[double + 12] = record.preventedLots
  buffer.f64[double + 13] = record.amendments
  return at + 112
}

/** How both halves of a ReplaceOrder ended; the events of what succeeded come before it. Its last record. Says again what was to be placed, at the same offsets, so that streams can report its refusal. */
export const ReplaceResult = {
  type: 71,
  bytes: 128,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: side, type, time in force, prevention mode, detailed, session */
  terms: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 3,
  /** int: quantity; 0 for a MARKET order by quote amount */
  lots: 4,
  /** int: quote amount of a MARKET order; else 0 */
  quoteAtoms: 5,
  /** int: the batch's time, ms */
  timeMs: 6,
  /** id: chosen by the client or by the gateway; never none */
  clientOrderId: 14,
  /** int: only written and read when the terms say detailed: stop price; of a trailing stop, where tracking starts */
  stopTicks: 11,
  /** int: only written and read when the terms say detailed: the quantity shown at a time */
  icebergLots: 12,
  /** int: only written and read when the terms say detailed */
  strategyId: 13,
  /** i32: only written and read when the terms say detailed: basis points */
  trailingDelta: 28,
  /** i32: only written and read when the terms say detailed */
  strategyType: 29,
  /** i32: RejectReason, or 0 when the order was canceled */
  cancelReason: 30,
  /** i32: RejectReason, 0 when the order was accepted, -1 when not attempted */
  orderReason: 31,
} as const

export interface ReplaceResultRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  terms: number
  priceTicks: number
  lots: number
  quoteAtoms: number
  timeMs: number
  clientOrderId: string
  stopTicks: number
  icebergLots: number
  strategyId: number
  trailingDelta: number
  strategyType: number
  cancelReason: number
  orderReason: number
}

export function readReplaceResult(buffer: RecordBuffer, at: number): ReplaceResultRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    terms: buffer.i32[word + 5]!,
    priceTicks: buffer.f64[double + 3]!,
    lots: buffer.f64[double + 4]!,
    quoteAtoms: buffer.f64[double + 5]!,
    timeMs: buffer.f64[double + 6]!,
    clientOrderId: unpackClientOrderId(buffer.i32, word + 14),
    stopTicks: buffer.f64[double + 11]!,
    icebergLots: buffer.f64[double + 12]!,
    strategyId: buffer.f64[double + 13]!,
    trailingDelta: buffer.i32[word + 28]!,
    strategyType: buffer.i32[word + 29]!,
    cancelReason: buffer.i32[word + 30]!,
    orderReason: buffer.i32[word + 31]!,
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeReplaceResult(
  buffer: RecordBuffer,
  at: number,
  record: ReplaceResultRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(71, 128, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.terms
  buffer.f64[double + 3] = record.priceTicks
  buffer.f64[double + 4] = record.lots
  buffer.f64[double + 5] = record.quoteAtoms
  buffer.f64[double + 6] = record.timeMs
  if (!packClientOrderId(record.clientOrderId, buffer.i32, word + 14) && record.clientOrderId !== '') throw new RangeError('clientOrderId is not a client order id')
  buffer.f64[double + 11] = record.stopTicks
  buffer.f64[double + 12] = record.icebergLots
  buffer.f64[double + 13] = record.strategyId
  buffer.i32[word + 28] = record.trailingDelta
  buffer.i32[word + 29] = record.strategyType
  buffer.i32[word + 30] = record.cancelReason
  buffer.i32[word + 31] = record.orderReason
  return at + 128
}

/** A PlaceOrderList was refused and changed nothing. Says again what was to be placed, so that streams can report its refusal. */
export const OrderListRejected = {
  type: 72,
  bytes: 168,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** i32: owner */
  account: 4,
  /** i32: OrderListKind */
  kind: 5,
  /** i32: RejectReason */
  reason: 6,
  /** i32: 2 or 3 */
  legs: 7,
  /** int: the batch's time, ms */
  timeMs: 4,
  /** id */
  listClientOrderId: 10,
  /** id */
  clientOrderId1: 18,
  /** id */
  clientOrderId2: 26,
  /** id: none when there are two */
  clientOrderId3: 34,
} as const

export interface OrderListRejectedRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  kind: number
  reason: number
  legs: number
  timeMs: number
  listClientOrderId: string
  clientOrderId1: string
  clientOrderId2: string
  clientOrderId3: string
}

export function readOrderListRejected(buffer: RecordBuffer, at: number): OrderListRejectedRecord {
  const word = at >> 2
  const double = at >> 3
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    kind: buffer.i32[word + 5]!,
    reason: buffer.i32[word + 6]!,
    legs: buffer.i32[word + 7]!,
    timeMs: buffer.f64[double + 4]!,
    listClientOrderId: unpackClientOrderId(buffer.i32, word + 10),
    clientOrderId1: unpackClientOrderId(buffer.i32, word + 18),
    clientOrderId2: unpackClientOrderId(buffer.i32, word + 26),
    clientOrderId3: unpackClientOrderId(buffer.i32, word + 34),
  }
}

/** Writes the whole record and answers the offset after it. */
export function writeOrderListRejected(
  buffer: RecordBuffer,
  at: number,
  record: OrderListRejectedRecord,
  flags = 0,
): number {
  const word = at >> 2
  const double = at >> 3
  buffer.i32[word] = headOf(72, 168, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.kind
  buffer.i32[word + 6] = record.reason
  buffer.i32[word + 7] = record.legs
  buffer.f64[double + 4] = record.timeMs
  if (!packClientOrderId(record.listClientOrderId, buffer.i32, word + 10) && record.listClientOrderId !== '') throw new RangeError('listClientOrderId is not a client order id')
  if (!packClientOrderId(record.clientOrderId1, buffer.i32, word + 18) && record.clientOrderId1 !== '') throw new RangeError('clientOrderId1 is not a client order id')
  if (!packClientOrderId(record.clientOrderId2, buffer.i32, word + 26) && record.clientOrderId2 !== '') throw new RangeError('clientOrderId2 is not a client order id')
  if (!packClientOrderId(record.clientOrderId3, buffer.i32, word + 34) && record.clientOrderId3 !== '') throw new RangeError('clientOrderId3 is not a client order id')
  return at + 168
}

