// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { packClientOrderId, unpackClientOrderId } from '#base/client-order-id.ts'
import { headOf, type RecordBuffer } from './record-buffer.ts'

export const COMMAND_SLOT_BYTES = 128

/** the last record that the command caused; its answer is complete */
export const FLAG_LAST = 1

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
  OrderAccepted: 16,
  Trade: 17,
  OrderRested: 18,
  OrderClosed: 19,
  MatchPrevented: 20,
  Rejected: 64,
  OrderState: 65,
  QueryEnd: 66,
  BookBegin: 67,
  BookLevel: 68,
  BookEnd: 69,
} as const

/** Enter an order. Stateless checks have passed. */
export const PlaceOrder = {
  type: 1,
  bytes: 88,
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
  /** i32: side, type, time in force, prevention mode */
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
  buffer.i32[word] = headOf(1, 88, flags)
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
  return at + 88
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

/** Answer every open order of the account as OrderState, by orderId, then QueryEnd. */
export const QueryOpenOrders = {
  type: 5,
  bytes: 24,
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
} as const

export interface QueryOpenOrdersRecord {
  symbolId: number
  gateway: number
  correlation: number
  account: number
  spare: number
}

export function readQueryOpenOrders(buffer: RecordBuffer, at: number): QueryOpenOrdersRecord {
  const word = at >> 2
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
    account: buffer.i32[word + 4]!,
    spare: buffer.i32[word + 5]!,
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
  buffer.i32[word] = headOf(5, 24, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.i32[word + 4] = record.account
  buffer.i32[word + 5] = record.spare
  return at + 24
}

/** Answer the whole book as BookBegin, BookLevel for each level, BookEnd. */
export const QueryBook = {
  type: 6,
  bytes: 16,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
} as const

export interface QueryBookRecord {
  symbolId: number
  gateway: number
  correlation: number
}

export function readQueryBook(buffer: RecordBuffer, at: number): QueryBookRecord {
  const word = at >> 2
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
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
  buffer.i32[word] = headOf(6, 16, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  return at + 16
}

/** An order entered the engine and its funds are held: heldAtoms moved from free to locked (quote for BUY, base for SELL). First event of its command. */
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
  /** i32: side, type, time in force, prevention mode (base/codes.ts, packTerms) */
  terms: 9,
  /** int: counts from 1 within the symbol */
  orderId: 5,
  /** int: limit price; 0 for MARKET */
  priceTicks: 6,
  /** int: original quantity; for a MARKET order by quote amount, what was computed */
  lots: 7,
  /** int: quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: 8,
  /** int: LIMIT: price × quantity or quantity; MARKET: the exact cost of the sweep */
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

/** Two orders met at the maker's price. The buyer's locked falls by notional plus buyerReleasedAtoms, the seller's locked by the quantity; each receives the other side less commission, which account 0 receives. */
export const Trade = {
  type: 17,
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
  /** int: depth version after the maker's level lost tradeLots */
  updateId: 9,
  /** int */
  takerOrderId: 10,
  /** int: cumulative, this trade included */
  takerFilledLots: 11,
  /** int: cumulative quote, this trade included */
  takerFilledAtoms: 12,
  /** int: in the asset the taker receives */
  takerCommissionAtoms: 13,
  /** int */
  makerOrderId: 14,
  /** int: cumulative, this trade included */
  makerFilledLots: 15,
  /** int: cumulative quote, this trade included */
  makerFilledAtoms: 16,
  /** int: in the asset the maker receives */
  makerCommissionAtoms: 17,
  /** int: the maker's original quantity */
  makerLots: 18,
  /** int: when the maker's order was accepted */
  makerCreatedMs: 19,
  /** int: quote that moves from locked to free: price improvement of a BUY taker */
  buyerReleasedAtoms: 20,
  /** id */
  makerClientOrderId: 42,
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
    updateId: buffer.f64[double + 9]!,
    takerOrderId: buffer.f64[double + 10]!,
    takerFilledLots: buffer.f64[double + 11]!,
    takerFilledAtoms: buffer.f64[double + 12]!,
    takerCommissionAtoms: buffer.f64[double + 13]!,
    makerOrderId: buffer.f64[double + 14]!,
    makerFilledLots: buffer.f64[double + 15]!,
    makerFilledAtoms: buffer.f64[double + 16]!,
    makerCommissionAtoms: buffer.f64[double + 17]!,
    makerLots: buffer.f64[double + 18]!,
    makerCreatedMs: buffer.f64[double + 19]!,
    buyerReleasedAtoms: buffer.f64[double + 20]!,
    makerClientOrderId: unpackClientOrderId(buffer.i32, word + 42),
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
  buffer.i32[word] = headOf(17, 200, flags)
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
  buffer.f64[double + 9] = record.updateId
  buffer.f64[double + 10] = record.takerOrderId
  buffer.f64[double + 11] = record.takerFilledLots
  buffer.f64[double + 12] = record.takerFilledAtoms
  buffer.f64[double + 13] = record.takerCommissionAtoms
  buffer.f64[double + 14] = record.makerOrderId
  buffer.f64[double + 15] = record.makerFilledLots
  buffer.f64[double + 16] = record.makerFilledAtoms
  buffer.f64[double + 17] = record.makerCommissionAtoms
  buffer.f64[double + 18] = record.makerLots
  buffer.f64[double + 19] = record.makerCreatedMs
  buffer.f64[double + 20] = record.buyerReleasedAtoms
  if (!packClientOrderId(record.makerClientOrderId, buffer.i32, word + 42) && record.makerClientOrderId !== '') throw new RangeError('makerClientOrderId is not a client order id')
  return at + 200
}

/** What is left of the order just accepted joined the end of its price level. */
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

/** An order ended without being filled whole: releasedAtoms moved from locked to free. */
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
  /** i32: side, type, time in force, prevention mode (base/codes.ts, packTerms) */
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
  bytes: 104,
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
  /** int: 0 when the taker goes on */
  takerPreventedLots: 11,
  /** int: 0 when the maker stays */
  makerPreventedLots: 12,
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
  buffer.i32[word] = headOf(20, 104, flags)
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
  return at + 104
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
  /** i32: side, type, time in force, prevention mode (base/codes.ts, packTerms) */
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
  /** int: last fill, or createdMs */
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

/** A query is answered completely. */
export const QueryEnd = {
  type: 66,
  bytes: 16,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
} as const

export interface QueryEndRecord {
  symbolId: number
  gateway: number
  correlation: number
}

export function readQueryEnd(buffer: RecordBuffer, at: number): QueryEndRecord {
  const word = at >> 2
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
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
  buffer.i32[word] = headOf(66, 16, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  return at + 16
}

/** The levels of the whole book follow, as of these counters. */
export const BookBegin = {
  type: 67,
  bytes: 48,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
  /** int: depth version */
  updateId: 2,
  /** int: last event sequence */
  sequence: 3,
  /** int: last trade id */
  tradeId: 4,
  /** int: price of the last trade; 0 when there was none */
  lastPriceTicks: 5,
} as const

export interface BookBeginRecord {
  symbolId: number
  gateway: number
  correlation: number
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
    updateId: buffer.f64[double + 2]!,
    sequence: buffer.f64[double + 3]!,
    tradeId: buffer.f64[double + 4]!,
    lastPriceTicks: buffer.f64[double + 5]!,
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
  buffer.i32[word] = headOf(67, 48, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  buffer.f64[double + 2] = record.updateId
  buffer.f64[double + 3] = record.sequence
  buffer.f64[double + 4] = record.tradeId
  buffer.f64[double + 5] = record.lastPriceTicks
  return at + 48
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

/** The book is complete. */
export const BookEnd = {
  type: 69,
  bytes: 16,
  /** i32: type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31 */
  head: 0,
  /** i32: the symbol it concerns */
  symbolId: 1,
  /** i32: the gateway that asked, or -1 */
  gateway: 2,
  /** i32: that gateway's ticket for the request */
  correlation: 3,
} as const

export interface BookEndRecord {
  symbolId: number
  gateway: number
  correlation: number
}

export function readBookEnd(buffer: RecordBuffer, at: number): BookEndRecord {
  const word = at >> 2
  return {
    symbolId: buffer.i32[word + 1]!,
    gateway: buffer.i32[word + 2]!,
    correlation: buffer.i32[word + 3]!,
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
  buffer.i32[word] = headOf(69, 16, flags)
  buffer.i32[word + 1] = record.symbolId
  buffer.i32[word + 2] = record.gateway
  buffer.i32[word + 3] = record.correlation
  return at + 16
}

