// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { CLIENT_ORDER_ID_WORDS, copyClientOrderId } from '../base/client-order-id.ts'
import { type Int64, readInt64, writeInt64 } from '../base/int64.ts'
import type { AccountId, AssetId, Atoms, Lots, Ms, OrderId, OrderListId, QuoteAtoms, SymbolId, Ticks, TradeId } from '../base/units.ts'
import type { RecordBuffer } from './record-buffer.ts'

/** The largest order list has so many legs. */
export const LEGS_MAX = 3

/** Every record. */
export const RecordHeader = {
  /** To the end of the last of these fields. */
  bytes: 16,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {
    to.i32[(toAt >> 2) + 1] = from.i32[(at >> 2) + 1]!
    to.i32[(toAt >> 2) + 2] = from.i32[(at >> 2) + 2]!
    to.i32[(toAt >> 2) + 3] = from.i32[(at >> 2) + 3]!
  },
} as const

/** Every event. */
export const EventHeader = {
  /** To the end of the last of these fields. */
  bytes: 32,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {
    to.i32[(toAt >> 2) + 1] = from.i32[(at >> 2) + 1]!
    to.i32[(toAt >> 2) + 2] = from.i32[(at >> 2) + 2]!
    to.i32[(toAt >> 2) + 3] = from.i32[(at >> 2) + 3]!
    to.f64[(toAt >> 3) + 2] = from.f64[(at >> 3) + 2]!
    to.f64[(toAt >> 3) + 3] = from.f64[(at >> 3) + 3]!
  },
} as const

/** Every event of one order that names its price. */
export const OrderEvent = {
  /** To the end of the last of these fields. */
  bytes: 56,
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {
    to.i32[(toAt >> 2) + 8] = from.i32[(at >> 2) + 8]!
    to.i32[(toAt >> 2) + 9] = from.i32[(at >> 2) + 9]!
    to.f64[(toAt >> 3) + 5] = from.f64[(at >> 3) + 5]!
    to.f64[(toAt >> 3) + 6] = from.f64[(at >> 3) + 6]!
  },
} as const

/** Every event that says all of what one order asked for. */
export const WholeOrderEvent = {
  /** To the end of the last of these fields. */
  bytes: 72,
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {
    to.i32[(toAt >> 2) + 8] = from.i32[(at >> 2) + 8]!
    to.i32[(toAt >> 2) + 9] = from.i32[(at >> 2) + 9]!
    to.f64[(toAt >> 3) + 5] = from.f64[(at >> 3) + 5]!
    to.f64[(toAt >> 3) + 6] = from.f64[(at >> 3) + 6]!
    to.f64[(toAt >> 3) + 7] = from.f64[(at >> 3) + 7]!
    to.i32[(toAt >> 2) + 16] = from.i32[(at >> 2) + 16]!
    to.i32[(toAt >> 2) + 17] = from.i32[(at >> 2) + 17]!
  },
} as const

/** A waiting order begins its execution. */
export const ExecutionEvent = {
  /** To the end of the last of these fields. */
  bytes: 120,
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  /** moves from free to locked; negative: back */
  heldAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 18) as Atoms,
  setHeldAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 18, value)
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 10] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  clientOrderIdAt: (at: number): number => (at >> 2) + 22,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 22)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 22, (at >> 2) + 22 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {
    to.i32[(toAt >> 2) + 8] = from.i32[(at >> 2) + 8]!
    to.i32[(toAt >> 2) + 9] = from.i32[(at >> 2) + 9]!
    to.f64[(toAt >> 3) + 5] = from.f64[(at >> 3) + 5]!
    to.f64[(toAt >> 3) + 6] = from.f64[(at >> 3) + 6]!
    to.f64[(toAt >> 3) + 7] = from.f64[(at >> 3) + 7]!
    to.i32[(toAt >> 2) + 16] = from.i32[(at >> 2) + 16]!
    to.i32[(toAt >> 2) + 17] = from.i32[(at >> 2) + 17]!
    to.i32[(toAt >> 2) + 18] = from.i32[(at >> 2) + 18]!
    to.i32[(toAt >> 2) + 19] = from.i32[(at >> 2) + 19]!
    to.f64[(toAt >> 3) + 10] = from.f64[(at >> 3) + 10]!
    copyClientOrderId(from.i32, (at >> 2) + 22, to.i32, (toAt >> 2) + 22)
  },
} as const

/** Quantity joined the end of a price level. */
export const JoinEvent = {
  /** To the end of the last of these fields. */
  bytes: 72,
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** as OrderAccepted */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** what joined the level */
  restedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setRestedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** depth version after it */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 8]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {
    to.i32[(toAt >> 2) + 8] = from.i32[(at >> 2) + 8]!
    to.i32[(toAt >> 2) + 9] = from.i32[(at >> 2) + 9]!
    to.f64[(toAt >> 3) + 5] = from.f64[(at >> 3) + 5]!
    to.f64[(toAt >> 3) + 6] = from.f64[(at >> 3) + 6]!
    to.f64[(toAt >> 3) + 7] = from.f64[(at >> 3) + 7]!
    to.f64[(toAt >> 3) + 8] = from.f64[(at >> 3) + 8]!
  },
} as const

/** What is to be placed, or was refused. */
export const Placement = {
  /** To the end of the last of these fields. */
  bytes: 120,
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** side, type, time in force, prevention mode, detailed, session */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** quantity; 0 for a MARKET order by quote amount */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** quote amount of a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 10, value)
  },
  /** chosen by the client or by the gateway; never none */
  clientOrderIdAt: (at: number): number => (at >> 2) + 14,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 14)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 14, (at >> 2) + 14 + CLIENT_ORDER_ID_WORDS)
  },
  /** only written and read when the terms say detailed: stop price; of a trailing stop, where tracking starts; 0 for none */
  stopTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 11] as Ticks,
  setStopTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** only written and read when the terms say detailed: the quantity shown at a time; 0 when it shows all */
  icebergLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 12] as Lots,
  setIcebergLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** only written and read when the terms say detailed: -1 for none */
  strategyId: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 26),
  setStrategyId: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 26, value)
  },
  /** only written and read when the terms say detailed: basis points; 0 when it does not trail */
  trailingDelta: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 28]!,
  setTrailingDelta: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 28] = value
  },
  /** only written and read when the terms say detailed: 0 for none */
  strategyType: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 29]!,
  setStrategyType: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 29] = value
  },
  extrasBlockAt: (at: number): number => at + 88,
  writeExtras: (buffer: RecordBuffer, at: number, from: Readonly<ExtrasBlockFields>): void => {
    buffer.f64[(at >> 3) + 11] = from.stopTicks
    buffer.f64[(at >> 3) + 12] = from.icebergLots
    writeInt64(buffer.i32, (at >> 2) + 26, from.strategyId)
    buffer.i32[(at >> 2) + 28] = from.trailingDelta
    buffer.i32[(at >> 2) + 29] = from.strategyType
  },
  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {
    to.i32[(toAt >> 2) + 4] = from.i32[(at >> 2) + 4]!
    to.i32[(toAt >> 2) + 5] = from.i32[(at >> 2) + 5]!
    to.f64[(toAt >> 3) + 3] = from.f64[(at >> 3) + 3]!
    to.f64[(toAt >> 3) + 4] = from.f64[(at >> 3) + 4]!
    to.i32[(toAt >> 2) + 10] = from.i32[(at >> 2) + 10]!
    to.i32[(toAt >> 2) + 11] = from.i32[(at >> 2) + 11]!
    copyClientOrderId(from.i32, (at >> 2) + 14, to.i32, (toAt >> 2) + 14)
    to.f64[(toAt >> 3) + 11] = from.f64[(at >> 3) + 11]!
    to.f64[(toAt >> 3) + 12] = from.f64[(at >> 3) + 12]!
    to.i32[(toAt >> 2) + 26] = from.i32[(at >> 2) + 26]!
    to.i32[(toAt >> 2) + 27] = from.i32[(at >> 2) + 27]!
    to.i32[(toAt >> 2) + 28] = from.i32[(at >> 2) + 28]!
    to.i32[(toAt >> 2) + 29] = from.i32[(at >> 2) + 29]!
  },
} as const

/** What one order asked for. */
export interface OrderBlockFields {
  account: AccountId
  terms: number
  orderId: OrderId
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
}

/** What one order asked for. */
export const OrderBlock = {
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 0] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 1] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 2] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 3] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 8) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 8, value)
  },
  read: (buffer: RecordBuffer, at: number, into: OrderBlockFields): void => {
    into.account = buffer.i32[(at >> 2) + 0] as AccountId
    into.terms = buffer.i32[(at >> 2) + 1]!
    into.orderId = buffer.f64[(at >> 3) + 1] as OrderId
    into.priceTicks = buffer.f64[(at >> 3) + 2] as Ticks
    into.lots = buffer.f64[(at >> 3) + 3] as Lots
    into.quoteAtoms = readInt64(buffer.i32, (at >> 2) + 8) as QuoteAtoms
  },
  write: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 0] = from.account
    buffer.i32[(at >> 2) + 1] = from.terms
    buffer.f64[(at >> 3) + 1] = from.orderId
    buffer.f64[(at >> 3) + 2] = from.priceTicks
    buffer.f64[(at >> 3) + 3] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 8, from.quoteAtoms)
  },
} as const

/** What one order has come to. */
export interface ProgressBlockFields {
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  createdMs: Ms
}

/** What one order has come to. */
export const ProgressBlock = {
  filledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 0] as Lots,
  setFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** cumulative quote */
  filledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 2) as QuoteAtoms,
  setFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 2, value)
  },
  /** lost to self-trade prevention */
  preventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 2] as Lots,
  setPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 3] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  read: (buffer: RecordBuffer, at: number, into: ProgressBlockFields): void => {
    into.filledLots = buffer.f64[(at >> 3) + 0] as Lots
    into.filledAtoms = readInt64(buffer.i32, (at >> 2) + 2) as QuoteAtoms
    into.preventedLots = buffer.f64[(at >> 3) + 2] as Lots
    into.createdMs = buffer.f64[(at >> 3) + 3] as Ms
  },
  write: (buffer: RecordBuffer, at: number, from: Readonly<ProgressBlockFields>): void => {
    buffer.f64[(at >> 3) + 0] = from.filledLots
    writeInt64(buffer.i32, (at >> 2) + 2, from.filledAtoms)
    buffer.f64[(at >> 3) + 2] = from.preventedLots
    buffer.f64[(at >> 3) + 3] = from.createdMs
  },
} as const

/** What only some orders ask for. */
export interface ExtrasBlockFields {
  stopTicks: Ticks
  icebergLots: Lots
  strategyId: Int64
  trailingDelta: number
  strategyType: number
}

/** What only some orders ask for. */
export const ExtrasBlock = {
  /** stop price; of a trailing stop, where tracking starts; 0 for none */
  stopTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 0] as Ticks,
  setStopTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** the quantity shown at a time; 0 when it shows all */
  icebergLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 1] as Lots,
  setIcebergLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** -1 for none */
  strategyId: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 4),
  setStrategyId: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 4, value)
  },
  /** basis points; 0 when it does not trail */
  trailingDelta: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 6]!,
  setTrailingDelta: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 6] = value
  },
  /** 0 for none */
  strategyType: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 7]!,
  setStrategyType: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 7] = value
  },
  read: (buffer: RecordBuffer, at: number, into: ExtrasBlockFields): void => {
    into.stopTicks = buffer.f64[(at >> 3) + 0] as Ticks
    into.icebergLots = buffer.f64[(at >> 3) + 1] as Lots
    into.strategyId = readInt64(buffer.i32, (at >> 2) + 4)
    into.trailingDelta = buffer.i32[(at >> 2) + 6]!
    into.strategyType = buffer.i32[(at >> 2) + 7]!
  },
  write: (buffer: RecordBuffer, at: number, from: Readonly<ExtrasBlockFields>): void => {
    buffer.f64[(at >> 3) + 0] = from.stopTicks
    buffer.f64[(at >> 3) + 1] = from.icebergLots
    writeInt64(buffer.i32, (at >> 2) + 4, from.strategyId)
    buffer.i32[(at >> 2) + 6] = from.trailingDelta
    buffer.i32[(at >> 2) + 7] = from.strategyType
  },
} as const

/** What the terms of a detailed order do not say, as it stands after the event. */
export const DetailsSection = {
  bytes: 72,
  /** -1 when it is in no list */
  orderListId: (buffer: RecordBuffer, at: number): OrderListId => buffer.f64[(at >> 3) + 0] as OrderListId,
  setOrderListId: (buffer: RecordBuffer, at: number, value: OrderListId): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** stop price; of a trailing stop, where tracking starts; 0 for none */
  stopTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 1] as Ticks,
  setStopTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** the quantity shown at a time; 0 when it shows all */
  icebergLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 2] as Lots,
  setIcebergLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** -1 for none */
  strategyId: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 6),
  setStrategyId: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 6, value)
  },
  /** when its tracking started; -1 while it has not */
  trailingMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 4] as Ms,
  setTrailingMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** when it began to work; -1 while it has not */
  workingMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 5] as Ms,
  setWorkingMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** 0 for none */
  strategyType: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 12]!,
  setStrategyType: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 12] = value
  },
  /** basis points; 0 when it does not trail */
  trailingDelta: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 13]!,
  setTrailingDelta: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 13] = value
  },
  /** OrderPhase; WORKING also while its execution runs */
  phase: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 14]!,
  setPhase: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 14] = value
  },
  /** how often its quantity was amended */
  amendments: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 15]!,
  setAmendments: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 15] = value
  },
  /** lost to self-trade prevention */
  preventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 8] as Lots,
  setPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
} as const

/** The match that self-trade prevention prevented, as the order sees it that lost by it. */
export const PreventionSection = {
  bytes: 48,
  /** as MatchPrevented */
  preventedMatchId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setPreventedMatchId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** -1 when it was the same account */
  tradeGroupId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 1]!,
  setTradeGroupId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** the other order */
  counterOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 2] as OrderId,
  setCounterOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** what this order lost */
  lastPreventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 3] as Lots,
  setLastPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** what would have traded */
  matchLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setMatchLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** the maker's price */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 5] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
} as const

/** What a trade of an auction has beside an ordinary one's: its price is that of neither order. */
export const AuctionSection = {
  bytes: 8,
  /** the maker's limit; its level lost tradeLots first */
  makerPriceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 0] as Ticks,
  setMakerPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
} as const

/** One order of a Trade, from where its side begins. */
export interface TradeSideFields {
  account: AccountId
  terms: number
  status: number
  commissionAssetId: AssetId
  orderId: OrderId
  lots: Lots
  filledLots: Lots
  filledAtoms: QuoteAtoms
  commissionAtoms: Atoms
  createdMs: Ms
}

/** One order of a Trade, from where its side begins. */
export const TradeSide = {
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 0] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** as OrderAccepted */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** OrderStatus after the trade: FILLED or PARTIALLY_FILLED */
  status: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setStatus: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** what its commission is paid in; -1 for the asset it receives */
  commissionAssetId: (buffer: RecordBuffer, at: number): AssetId => buffer.i32[(at >> 2) + 3] as AssetId,
  setCommissionAssetId: (buffer: RecordBuffer, at: number, value: AssetId): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 2] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** original quantity */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 3] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** cumulative, this trade included */
  filledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** cumulative quote, this trade included */
  filledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
  setFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 10, value)
  },
  /** of what it receives, or from its free balance of another asset */
  commissionAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 12) as Atoms,
  setCommissionAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 12, value)
  },
  /** when the order was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 7] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  clientOrderIdAt: (at: number): number => (at >> 2) + 16,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 16)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 16, (at >> 2) + 16 + CLIENT_ORDER_ID_WORDS)
  },
  read: (buffer: RecordBuffer, at: number, into: TradeSideFields): void => {
    into.account = buffer.i32[(at >> 2) + 0] as AccountId
    into.terms = buffer.i32[(at >> 2) + 1]!
    into.status = buffer.i32[(at >> 2) + 2]!
    into.commissionAssetId = buffer.i32[(at >> 2) + 3] as AssetId
    into.orderId = buffer.f64[(at >> 3) + 2] as OrderId
    into.lots = buffer.f64[(at >> 3) + 3] as Lots
    into.filledLots = buffer.f64[(at >> 3) + 4] as Lots
    into.filledAtoms = readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms
    into.commissionAtoms = readInt64(buffer.i32, (at >> 2) + 12) as Atoms
    into.createdMs = buffer.f64[(at >> 3) + 7] as Ms
  },
} as const

/** Enter an order. Stateless checks have passed. */
export const PlaceOrder = {
  type: 1,
  bytes: 120,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** side, type, time in force, prevention mode, detailed, session */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** quantity; 0 for a MARKET order by quote amount */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** quote amount of a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 10, value)
  },
  /** refuse when the clock is past this: timestamp + recvWindow; 0 never */
  expiresMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 6] as Ms,
  setExpiresMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** chosen by the client or by the gateway; never none */
  clientOrderIdAt: (at: number): number => (at >> 2) + 14,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 14)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 14, (at >> 2) + 14 + CLIENT_ORDER_ID_WORDS)
  },
  /** only written and read when the terms say detailed: stop price; of a trailing stop, where tracking starts; 0 for none */
  stopTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 11] as Ticks,
  setStopTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** only written and read when the terms say detailed: the quantity shown at a time; 0 when it shows all */
  icebergLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 12] as Lots,
  setIcebergLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** only written and read when the terms say detailed: -1 for none */
  strategyId: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 26),
  setStrategyId: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 26, value)
  },
  /** only written and read when the terms say detailed: basis points; 0 when it does not trail */
  trailingDelta: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 28]!,
  setTrailingDelta: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 28] = value
  },
  /** only written and read when the terms say detailed: 0 for none */
  strategyType: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 29]!,
  setStrategyType: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 29] = value
  },
  extrasBlockAt: (at: number): number => at + 88,
  writeExtras: (buffer: RecordBuffer, at: number, from: Readonly<ExtrasBlockFields>): void => {
    buffer.f64[(at >> 3) + 11] = from.stopTicks
    buffer.f64[(at >> 3) + 12] = from.icebergLots
    writeInt64(buffer.i32, (at >> 2) + 26, from.strategyId)
    buffer.i32[(at >> 2) + 28] = from.trailingDelta
    buffer.i32[(at >> 2) + 29] = from.strategyType
  },
} as const

/** Cancel one open order, found by orderId, by its client id, or by both agreeing. */
export const CancelOrder = {
  type: 2,
  bytes: 104,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** must own the order */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** CancelRestrictions */
  restrictions: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setRestrictions: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** 0 when found by client id */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 3] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** as PlaceOrder */
  expiresMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 4] as Ms,
  setExpiresMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** the id to find; none when found by orderId */
  origClientOrderIdAt: (at: number): number => (at >> 2) + 10,
  setOrigClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 10)
  },
  clearOrigClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 10, (at >> 2) + 10 + CLIENT_ORDER_ID_WORDS)
  },
  /** the cancel's own id */
  clientOrderIdAt: (at: number): number => (at >> 2) + 18,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 18)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 18, (at >> 2) + 18 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** Cancel every open order of the account on the symbol, oldest first. */
export const CancelOpenOrders = {
  type: 3,
  bytes: 64,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** zero */
  spare: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSpare: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** as PlaceOrder */
  expiresMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 3] as Ms,
  setExpiresMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** the cancels' own id */
  clientOrderIdAt: (at: number): number => (at >> 2) + 8,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 8)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 8, (at >> 2) + 8 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** Answer one open order as OrderState, or Rejected NO_SUCH_ORDER when it is not open. */
export const QueryOrder = {
  type: 4,
  bytes: 64,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** must own the order */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** zero */
  spare: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSpare: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** 0 when found by client id */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 3] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** none when found by orderId */
  clientOrderIdAt: (at: number): number => (at >> 2) + 8,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 8)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 8, (at >> 2) + 8 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** Answer a page of the open orders of the account as OrderState, by orderId, then QueryEnd. */
export const QueryOpenOrders = {
  type: 5,
  bytes: 40,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** orders on the page */
  limit: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setLimit: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** the last orderId of the page before; 0 for the first page */
  afterOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 3] as OrderId,
  setAfterOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** as the first QueryEnd says; 0 for the first page */
  untilOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 4] as OrderId,
  setUntilOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
} as const

/** Answer a piece of the book as BookBegin, BookLevel for each level, BookEnd. */
export const QueryBook = {
  type: 6,
  bytes: 32,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** Side; after the last BUY the piece continues with the best SELL */
  side: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setSide: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** levels in the piece */
  limit: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setLimit: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** levels of the side beyond this price; 0 from the best one on */
  afterTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setAfterTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
} as const

/** Enter an order list, whole or not at all. OCO: the stop-loss leg, the other leg. OTO: the working leg, the pending one. OTOCO: the working leg, the pending stop-loss leg, the other pending leg. */
export const PlaceOrderList = {
  type: 7,
  bytes: 328,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** OrderListKind */
  kind: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setKind: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** as PlaceOrder */
  expiresMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 3] as Ms,
  setExpiresMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** never none */
  listClientOrderIdAt: (at: number): number => (at >> 2) + 8,
  setListClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 8)
  },
  clearListClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 8, (at >> 2) + 8 + CLIENT_ORDER_ID_WORDS)
  },
  /** as PlaceOrder; every leg is detailed */
  terms1: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 16]!,
  setTerms1: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 16] = value
  },
  /** zero */
  spare1: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 17]!,
  setSpare1: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 17] = value
  },
  /** limit price; 0 for none */
  priceTicks1: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 9] as Ticks,
  setPriceTicks1: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  /** quantity */
  lots1: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 10] as Lots,
  setLots1: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  clientOrderId1At: (at: number): number => (at >> 2) + 22,
  setClientOrderId1: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 22)
  },
  clearClientOrderId1: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 22, (at >> 2) + 22 + CLIENT_ORDER_ID_WORDS)
  },
  /** as PlaceOrder */
  stopTicks1: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 15] as Ticks,
  setStopTicks1: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 15] = value
  },
  /** as PlaceOrder */
  icebergLots1: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 16] as Lots,
  setIcebergLots1: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 16] = value
  },
  /** as PlaceOrder */
  strategyId1: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 34),
  setStrategyId1: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 34, value)
  },
  /** as PlaceOrder */
  trailingDelta1: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 36]!,
  setTrailingDelta1: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 36] = value
  },
  /** as PlaceOrder */
  strategyType1: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 37]!,
  setStrategyType1: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 37] = value
  },
  /** as PlaceOrder; every leg is detailed */
  terms2: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 38]!,
  setTerms2: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 38] = value
  },
  /** zero */
  spare2: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 39]!,
  setSpare2: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 39] = value
  },
  /** limit price; 0 for none */
  priceTicks2: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 20] as Ticks,
  setPriceTicks2: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 20] = value
  },
  /** quantity */
  lots2: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 21] as Lots,
  setLots2: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 21] = value
  },
  clientOrderId2At: (at: number): number => (at >> 2) + 44,
  setClientOrderId2: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 44)
  },
  clearClientOrderId2: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 44, (at >> 2) + 44 + CLIENT_ORDER_ID_WORDS)
  },
  /** as PlaceOrder */
  stopTicks2: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 26] as Ticks,
  setStopTicks2: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 26] = value
  },
  /** as PlaceOrder */
  icebergLots2: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 27] as Lots,
  setIcebergLots2: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 27] = value
  },
  /** as PlaceOrder */
  strategyId2: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 56),
  setStrategyId2: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 56, value)
  },
  /** as PlaceOrder */
  trailingDelta2: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 58]!,
  setTrailingDelta2: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 58] = value
  },
  /** as PlaceOrder */
  strategyType2: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 59]!,
  setStrategyType2: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 59] = value
  },
  /** as PlaceOrder; every leg is detailed */
  terms3: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 60]!,
  setTerms3: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 60] = value
  },
  /** zero */
  spare3: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 61]!,
  setSpare3: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 61] = value
  },
  /** limit price; 0 for none */
  priceTicks3: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 31] as Ticks,
  setPriceTicks3: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 31] = value
  },
  /** quantity */
  lots3: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 32] as Lots,
  setLots3: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 32] = value
  },
  clientOrderId3At: (at: number): number => (at >> 2) + 66,
  setClientOrderId3: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 66)
  },
  clearClientOrderId3: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 66, (at >> 2) + 66 + CLIENT_ORDER_ID_WORDS)
  },
  /** as PlaceOrder */
  stopTicks3: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 37] as Ticks,
  setStopTicks3: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 37] = value
  },
  /** as PlaceOrder */
  icebergLots3: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 38] as Lots,
  setIcebergLots3: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 38] = value
  },
  /** as PlaceOrder */
  strategyId3: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 78),
  setStrategyId3: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 78, value)
  },
  /** as PlaceOrder */
  trailingDelta3: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 80]!,
  setTrailingDelta3: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 80] = value
  },
  /** as PlaceOrder */
  strategyType3: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 81]!,
  setStrategyType3: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 81] = value
  },
  /** as PlaceOrder; every leg is detailed */
  legTerms: (buffer: RecordBuffer, at: number, leg: number): number => buffer.i32[((at + leg * 88) >> 2) + 16]!,
  setLegTerms: (buffer: RecordBuffer, at: number, leg: number, value: number): void => {
    buffer.i32[((at + leg * 88) >> 2) + 16] = value
  },
  /** zero */
  legSpare: (buffer: RecordBuffer, at: number, leg: number): number => buffer.i32[((at + leg * 88) >> 2) + 17]!,
  setLegSpare: (buffer: RecordBuffer, at: number, leg: number, value: number): void => {
    buffer.i32[((at + leg * 88) >> 2) + 17] = value
  },
  /** limit price; 0 for none */
  legPriceTicks: (buffer: RecordBuffer, at: number, leg: number): Ticks => buffer.f64[((at + leg * 88) >> 3) + 9] as Ticks,
  setLegPriceTicks: (buffer: RecordBuffer, at: number, leg: number, value: Ticks): void => {
    buffer.f64[((at + leg * 88) >> 3) + 9] = value
  },
  /** quantity */
  legLots: (buffer: RecordBuffer, at: number, leg: number): Lots => buffer.f64[((at + leg * 88) >> 3) + 10] as Lots,
  setLegLots: (buffer: RecordBuffer, at: number, leg: number, value: Lots): void => {
    buffer.f64[((at + leg * 88) >> 3) + 10] = value
  },
  legClientOrderIdAt: (at: number, leg: number): number => ((at + leg * 88) >> 2) + 22,
  setLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, ((at + leg * 88) >> 2) + 22)
  },
  clearLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number): void => {
    buffer.i32.fill(0, ((at + leg * 88) >> 2) + 22, ((at + leg * 88) >> 2) + 22 + CLIENT_ORDER_ID_WORDS)
  },
  /** as PlaceOrder */
  legStopTicks: (buffer: RecordBuffer, at: number, leg: number): Ticks => buffer.f64[((at + leg * 88) >> 3) + 15] as Ticks,
  setLegStopTicks: (buffer: RecordBuffer, at: number, leg: number, value: Ticks): void => {
    buffer.f64[((at + leg * 88) >> 3) + 15] = value
  },
  /** as PlaceOrder */
  legIcebergLots: (buffer: RecordBuffer, at: number, leg: number): Lots => buffer.f64[((at + leg * 88) >> 3) + 16] as Lots,
  setLegIcebergLots: (buffer: RecordBuffer, at: number, leg: number, value: Lots): void => {
    buffer.f64[((at + leg * 88) >> 3) + 16] = value
  },
  /** as PlaceOrder */
  legStrategyId: (buffer: RecordBuffer, at: number, leg: number): Int64 => readInt64(buffer.i32, ((at + leg * 88) >> 2) + 34),
  setLegStrategyId: (buffer: RecordBuffer, at: number, leg: number, value: Int64): void => {
    writeInt64(buffer.i32, ((at + leg * 88) >> 2) + 34, value)
  },
  /** as PlaceOrder */
  legTrailingDelta: (buffer: RecordBuffer, at: number, leg: number): number => buffer.i32[((at + leg * 88) >> 2) + 36]!,
  setLegTrailingDelta: (buffer: RecordBuffer, at: number, leg: number, value: number): void => {
    buffer.i32[((at + leg * 88) >> 2) + 36] = value
  },
  /** as PlaceOrder */
  legStrategyType: (buffer: RecordBuffer, at: number, leg: number): number => buffer.i32[((at + leg * 88) >> 2) + 37]!,
  setLegStrategyType: (buffer: RecordBuffer, at: number, leg: number, value: number): void => {
    buffer.i32[((at + leg * 88) >> 2) + 37] = value
  },
  legExtrasBlockAt: (at: number, leg: number): number => at + leg * 88 + 120,
  clearLeg: (buffer: RecordBuffer, at: number, leg: number): void => {
    const from = at + 64 + leg * 88
    buffer.bytes.fill(0, from, from + 88)
  },
} as const

/** Cancel every open leg of one list, found by its id, by its client id, or by both. */
export const CancelOrderList = {
  type: 8,
  bytes: 104,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** must own the list */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** zero */
  spare: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSpare: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** -1 when found by client id */
  orderListId: (buffer: RecordBuffer, at: number): OrderListId => buffer.f64[(at >> 3) + 3] as OrderListId,
  setOrderListId: (buffer: RecordBuffer, at: number, value: OrderListId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** as PlaceOrder */
  expiresMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 4] as Ms,
  setExpiresMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** none when found by orderListId */
  listClientOrderIdAt: (at: number): number => (at >> 2) + 10,
  setListClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 10)
  },
  clearListClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 10, (at >> 2) + 10 + CLIENT_ORDER_ID_WORDS)
  },
  /** the cancels' own id */
  clientOrderIdAt: (at: number): number => (at >> 2) + 18,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 18)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 18, (at >> 2) + 18 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** Cancel an order, then place another (supplement 2a.5). Answered by the events of what succeeded and ReplaceResult. */
export const ReplaceOrder = {
  type: 9,
  bytes: 200,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** side, type, time in force, prevention mode, detailed, session */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** quantity; 0 for a MARKET order by quote amount */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** quote amount of a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 10, value)
  },
  /** refuse when the clock is past this: timestamp + recvWindow; 0 never */
  expiresMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 6] as Ms,
  setExpiresMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** chosen by the client or by the gateway; never none */
  clientOrderIdAt: (at: number): number => (at >> 2) + 14,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 14)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 14, (at >> 2) + 14 + CLIENT_ORDER_ID_WORDS)
  },
  /** only written and read when the terms say detailed: stop price; of a trailing stop, where tracking starts; 0 for none */
  stopTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 11] as Ticks,
  setStopTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** only written and read when the terms say detailed: the quantity shown at a time; 0 when it shows all */
  icebergLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 12] as Lots,
  setIcebergLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** only written and read when the terms say detailed: -1 for none */
  strategyId: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 26),
  setStrategyId: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 26, value)
  },
  /** only written and read when the terms say detailed: basis points; 0 when it does not trail */
  trailingDelta: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 28]!,
  setTrailingDelta: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 28] = value
  },
  /** only written and read when the terms say detailed: 0 for none */
  strategyType: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 29]!,
  setStrategyType: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 29] = value
  },
  /** 0 when found by client id */
  cancelOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 15] as OrderId,
  setCancelOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 15] = value
  },
  /** CancelRestrictions */
  cancelRestrictions: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 32]!,
  setCancelRestrictions: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 32] = value
  },
  /** CancelReplaceMode */
  mode: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 33]!,
  setMode: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 33] = value
  },
  /** none when found by orderId */
  cancelOrigClientOrderIdAt: (at: number): number => (at >> 2) + 34,
  setCancelOrigClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 34)
  },
  clearCancelOrigClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 34, (at >> 2) + 34 + CLIENT_ORDER_ID_WORDS)
  },
  /** the cancel's own id */
  cancelClientOrderIdAt: (at: number): number => (at >> 2) + 42,
  setCancelClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 42)
  },
  clearCancelClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 42, (at >> 2) + 42 + CLIENT_ORDER_ID_WORDS)
  },
  extrasBlockAt: (at: number): number => at + 88,
  writeExtras: (buffer: RecordBuffer, at: number, from: Readonly<ExtrasBlockFields>): void => {
    buffer.f64[(at >> 3) + 11] = from.stopTicks
    buffer.f64[(at >> 3) + 12] = from.icebergLots
    writeInt64(buffer.i32, (at >> 2) + 26, from.strategyId)
    buffer.i32[(at >> 2) + 28] = from.trailingDelta
    buffer.i32[(at >> 2) + 29] = from.strategyType
  },
} as const

/** Lower the quantity of an open order, which keeps its priority (supplement 2a.6). */
export const AmendOrder = {
  type: 10,
  bytes: 112,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** must own the order */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** zero */
  spare: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSpare: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** 0 when found by client id */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 3] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** the new quantity */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** as PlaceOrder */
  expiresMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 5] as Ms,
  setExpiresMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** none when found by orderId */
  origClientOrderIdAt: (at: number): number => (at >> 2) + 12,
  setOrigClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 12)
  },
  clearOrigClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 12, (at >> 2) + 12 + CLIENT_ORDER_ID_WORDS)
  },
  /** the order's new client id; none: it keeps its own */
  clientOrderIdAt: (at: number): number => (at >> 2) + 20,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 20)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 20, (at >> 2) + 20 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** Cancel every open order of the account that belongs to a session, oldest first. */
export const CancelSessionOrders = {
  type: 11,
  bytes: 56,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** as the terms of its orders name it */
  session: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSession: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** the cancels' own id */
  clientOrderIdAt: (at: number): number => (at >> 2) + 6,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 6)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 6, (at >> 2) + 6 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** An order entered the engine and its funds are held: heldAtoms moved from free to locked (quote for BUY, base for SELL). First event of its execution. A stop, or a pending leg, waits from here on. */
export const OrderAccepted = {
  type: 16,
  /** Without sections. */
  bytes: 112,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  /** LIMIT: price × quantity, rounded up, or quantity; MARKET: the cost of the sweep, rounded up at each price; a leg of a list: what the legs before it do not hold already */
  heldAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 18) as Atoms,
  setHeldAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 18, value)
  },
  /** the order's id */
  clientOrderIdAt: (at: number): number => (at >> 2) + 20,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 20)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 20, (at >> 2) + 20 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  /** Where its details stand; -1 for none. */
  detailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 112 : -1,
} as const

/** Two orders met at the maker's price. The buyer's locked falls by quoteAtoms plus buyerReleasedAtoms, the seller's locked by the quantity; each receives the other side. In an auction both rested: the later order is the taker, and its level loses tradeLots after the maker's. A commission is taken from what is received, or moves from free where it is in another asset; account 0 receives it. */
export const Trade = {
  type: 17,
  /** Without sections. */
  bytes: 288,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** counts from 1 within the symbol */
  tradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 4] as TradeId,
  setTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** the maker's price */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 5] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** quantity that changed hands */
  tradeLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 6] as Lots,
  setTradeLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** what it paid: price × quantity, rounded down */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 14) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 14, value)
  },
  /** depth version after the maker's level lost tradeLots */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 8]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  /** quote that moves from locked to free: price improvement of a BUY taker, and what the buyer held only for rounding */
  buyerReleasedAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 18) as QuoteAtoms,
  setBuyerReleasedAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 18, value)
  },
  /** as OrderAccepted */
  takerPriceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 10] as Ticks,
  setTakerPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** as OrderAccepted; 0 for every maker */
  takerQuoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 22) as QuoteAtoms,
  setTakerQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 22, value)
  },
  /** owner */
  takerAccount: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 24] as AccountId,
  setTakerAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 24] = value
  },
  /** as OrderAccepted */
  takerTerms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 25]!,
  setTakerTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 25] = value
  },
  /** OrderStatus after the trade: FILLED or PARTIALLY_FILLED */
  takerStatus: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 26]!,
  setTakerStatus: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 26] = value
  },
  /** what its commission is paid in; -1 for the asset it receives */
  takerCommissionAssetId: (buffer: RecordBuffer, at: number): AssetId => buffer.i32[(at >> 2) + 27] as AssetId,
  setTakerCommissionAssetId: (buffer: RecordBuffer, at: number, value: AssetId): void => {
    buffer.i32[(at >> 2) + 27] = value
  },
  takerOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 14] as OrderId,
  setTakerOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 14] = value
  },
  /** original quantity */
  takerLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 15] as Lots,
  setTakerLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 15] = value
  },
  /** cumulative, this trade included */
  takerFilledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 16] as Lots,
  setTakerFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 16] = value
  },
  /** cumulative quote, this trade included */
  takerFilledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 34) as QuoteAtoms,
  setTakerFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 34, value)
  },
  /** of what it receives, or from its free balance of another asset */
  takerCommissionAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 36) as Atoms,
  setTakerCommissionAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 36, value)
  },
  /** when the order was accepted */
  takerCreatedMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 19] as Ms,
  setTakerCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 19] = value
  },
  takerClientOrderIdAt: (at: number): number => (at >> 2) + 40,
  setTakerClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 40)
  },
  clearTakerClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 40, (at >> 2) + 40 + CLIENT_ORDER_ID_WORDS)
  },
  /** owner */
  makerAccount: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 48] as AccountId,
  setMakerAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 48] = value
  },
  /** as OrderAccepted */
  makerTerms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 49]!,
  setMakerTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 49] = value
  },
  /** OrderStatus after the trade: FILLED or PARTIALLY_FILLED */
  makerStatus: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 50]!,
  setMakerStatus: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 50] = value
  },
  /** what its commission is paid in; -1 for the asset it receives */
  makerCommissionAssetId: (buffer: RecordBuffer, at: number): AssetId => buffer.i32[(at >> 2) + 51] as AssetId,
  setMakerCommissionAssetId: (buffer: RecordBuffer, at: number, value: AssetId): void => {
    buffer.i32[(at >> 2) + 51] = value
  },
  makerOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 26] as OrderId,
  setMakerOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 26] = value
  },
  /** original quantity */
  makerLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 27] as Lots,
  setMakerLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 27] = value
  },
  /** cumulative, this trade included */
  makerFilledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 28] as Lots,
  setMakerFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 28] = value
  },
  /** cumulative quote, this trade included */
  makerFilledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 58) as QuoteAtoms,
  setMakerFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 58, value)
  },
  /** of what it receives, or from its free balance of another asset */
  makerCommissionAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 60) as Atoms,
  setMakerCommissionAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 60, value)
  },
  /** when the order was accepted */
  makerCreatedMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 31] as Ms,
  setMakerCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 31] = value
  },
  makerClientOrderIdAt: (at: number): number => (at >> 2) + 64,
  setMakerClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 64)
  },
  clearMakerClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 64, (at >> 2) + 64 + CLIENT_ORDER_ID_WORDS)
  },
  takerAt: (at: number): number => at + 96,
  makerAt: (at: number): number => at + 192,
  /** Where its takerDetails stand; -1 for none. */
  takerDetailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 25]! & 512) === 512 ? at + 288 : -1,
  /** Where its makerDetails stand; -1 for none. */
  makerDetailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 49]! & 512) === 512 ? at + 288 + ((buffer.i32[(at >> 2) + 25]! & 512) === 512 ? 72 : 0) : -1,
  /** Where its auction stand; -1 for none. */
  auctionAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 0]! & 1024) === 1024 ? at + 288 + ((buffer.i32[(at >> 2) + 25]! & 512) === 512 ? 72 : 0) + ((buffer.i32[(at >> 2) + 49]! & 512) === 512 ? 72 : 0) : -1,
} as const

/** What is left of the order whose execution it is joined the end of its price level; of an iceberg, its first slice. */
export const OrderRested = {
  type: 18,
  bytes: 72,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** as OrderAccepted */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** what joined the level */
  restedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setRestedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** depth version after it */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 8]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
} as const

/** An order ended without being filled whole: releasedAtoms moved from locked to free, but for what another leg of its list still needs. */
export const OrderClosed = {
  type: 19,
  /** Without sections. */
  bytes: 200,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  /** OrderStatus: CANCELED, EXPIRED or EXPIRED_IN_MATCH */
  status: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 18]!,
  setStatus: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 18] = value
  },
  /** ExpiryReason */
  reason: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 19]!,
  setReason: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 19] = value
  },
  filledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 10] as Lots,
  setFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** cumulative quote */
  filledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 22) as QuoteAtoms,
  setFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 22, value)
  },
  /** lost to self-trade prevention */
  preventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 12] as Lots,
  setPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 13] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 13] = value
  },
  /** what left its price level; 0 when it never rested */
  restedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 14] as Lots,
  setRestedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 14] = value
  },
  /** depth version after it; unchanged when it never rested */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 15]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 15] = value
  },
  /** quote for BUY, base for SELL */
  releasedAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 32) as Atoms,
  setReleasedAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 32, value)
  },
  /** a cancel's id; else the order's own */
  clientOrderIdAt: (at: number): number => (at >> 2) + 34,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 34)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 34, (at >> 2) + 34 + CLIENT_ORDER_ID_WORDS)
  },
  /** the order's own id */
  origClientOrderIdAt: (at: number): number => (at >> 2) + 42,
  setOrigClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 42)
  },
  clearOrigClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 42, (at >> 2) + 42 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  progressBlockAt: (at: number): number => at + 80,
  writeProgress: (buffer: RecordBuffer, at: number, from: Readonly<ProgressBlockFields>): void => {
    buffer.f64[(at >> 3) + 10] = from.filledLots
    writeInt64(buffer.i32, (at >> 2) + 22, from.filledAtoms)
    buffer.f64[(at >> 3) + 12] = from.preventedLots
    buffer.f64[(at >> 3) + 13] = from.createdMs
  },
  /** Where its prevention stand; -1 for none. */
  preventionAt: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 18]! === 7 ? at + 200 : -1,
  /** Where its details stand; -1 for none. */
  detailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 200 + (buffer.i32[(at >> 2) + 18]! === 7 ? 48 : 0) : -1,
} as const

/** A match of two orders of one owner was prevented; OrderClosed of whichever expires follows. */
export const MatchPrevented = {
  type: 20,
  bytes: 136,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  takerAccount: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setTakerAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  makerAccount: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 9] as AccountId,
  setMakerAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** the taker's prevention mode decides */
  takerTerms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 10]!,
  setTakerTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 10] = value
  },
  makerTerms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 11]!,
  setMakerTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 11] = value
  },
  /** -1 when it was the same account */
  tradeGroupId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 6]!,
  setTradeGroupId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** counts from 0 within the symbol */
  preventedMatchId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 7]!,
  setPreventedMatchId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** the maker's price, or the auction's */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 8] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  takerOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 9] as OrderId,
  setTakerOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  makerOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 10] as OrderId,
  setMakerOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** lost by the taker; 0 when it continues unchanged */
  takerPreventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 11] as Lots,
  setTakerPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** lost by the maker; 0 when it stays unchanged */
  makerPreventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 12] as Lots,
  setMakerPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** TRANSFER between two accounts: these changed hands as in a Trade, without commission; else 0 */
  transferredLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 13] as Lots,
  setTransferredLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 13] = value
  },
  /** what they paid: price × quantity, rounded down */
  transferredAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 28) as QuoteAtoms,
  setTransferredAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 28, value)
  },
  /** with transferredLots: as Trade */
  buyerReleasedAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 30) as QuoteAtoms,
  setBuyerReleasedAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 30, value)
  },
  /** what would have traded: the less of what both had left, as shown */
  matchLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 16] as Lots,
  setMatchLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 16] = value
  },
} as const

/** The price woke a stop, which now works as an order. Begins its execution. */
export const OrderTriggered = {
  type: 22,
  /** Without sections. */
  bytes: 120,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  /** moves from free to locked; negative: back */
  heldAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 18) as Atoms,
  setHeldAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 18, value)
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 10] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  clientOrderIdAt: (at: number): number => (at >> 2) + 22,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 22)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 22, (at >> 2) + 22 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  /** Where its details stand; -1 for none. */
  detailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 120 : -1,
} as const

/** The working order of its list was filled, and a pending leg goes live: it works, or, a stop, waits for its trigger. Begins its execution. */
export const OrderReleased = {
  type: 23,
  /** Without sections. */
  bytes: 120,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  /** moves from free to locked; negative: back */
  heldAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 18) as Atoms,
  setHeldAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 18, value)
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 10] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  clientOrderIdAt: (at: number): number => (at >> 2) + 22,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 22)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 22, (at >> 2) + 22 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  /** Where its details stand; -1 for none. */
  detailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 120 : -1,
} as const

/** An iceberg's slice was filled; the next one joined the end of its level. */
export const OrderReplenished = {
  type: 24,
  bytes: 72,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** as OrderAccepted */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** what joined the level */
  restedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setRestedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** depth version after it */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 8]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
} as const

/** An open order's quantity was lowered to `lots`: releasedAtoms moved from locked to free. It keeps its priority. */
export const OrderAmended = {
  type: 25,
  /** Without sections. */
  bytes: 200,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  /** quantity before */
  oldLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 9] as Lots,
  setOldLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  filledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 10] as Lots,
  setFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** cumulative quote */
  filledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 22) as QuoteAtoms,
  setFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 22, value)
  },
  /** lost to self-trade prevention */
  preventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 12] as Lots,
  setPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 13] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 13] = value
  },
  /** what its price level lost; 0 when what shows is unchanged */
  removedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 14] as Lots,
  setRemovedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 14] = value
  },
  /** depth version after it */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 15]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 15] = value
  },
  /** quote for BUY, base for SELL */
  releasedAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 32) as Atoms,
  setReleasedAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 32, value)
  },
  /** the order's id from here on */
  clientOrderIdAt: (at: number): number => (at >> 2) + 34,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 34)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 34, (at >> 2) + 34 + CLIENT_ORDER_ID_WORDS)
  },
  /** the order's id before */
  origClientOrderIdAt: (at: number): number => (at >> 2) + 42,
  setOrigClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 42)
  },
  clearOrigClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 42, (at >> 2) + 42 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  progressBlockAt: (at: number): number => at + 80,
  writeProgress: (buffer: RecordBuffer, at: number, from: Readonly<ProgressBlockFields>): void => {
    buffer.f64[(at >> 3) + 10] = from.filledLots
    writeInt64(buffer.i32, (at >> 2) + 22, from.filledAtoms)
    buffer.f64[(at >> 3) + 12] = from.preventedLots
    buffer.f64[(at >> 3) + 13] = from.createdMs
  },
  /** Where its details stand; -1 for none. */
  detailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 200 : -1,
} as const

/** An order list was placed, has changed or is done. Follows what happened to its legs. */
export const OrderListChanged = {
  type: 26,
  bytes: 216,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** OrderListKind */
  kind: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setKind: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** ListStatusType */
  statusType: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 10]!,
  setStatusType: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 10] = value
  },
  /** ListOrderStatus */
  orderStatus: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 11]!,
  setOrderStatus: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 11] = value
  },
  /** counts from 1 across the exchange */
  orderListId: (buffer: RecordBuffer, at: number): OrderListId => buffer.f64[(at >> 3) + 6] as OrderListId,
  setOrderListId: (buffer: RecordBuffer, at: number, value: OrderListId): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** 2 or 3 */
  legs: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 7]!,
  setLegs: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** of the leg accepted first, which has the lowest id */
  orderId1: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 8] as OrderId,
  setOrderId1: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  orderId2: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 9] as OrderId,
  setOrderId2: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  /** 0 when there are two */
  orderId3: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 10] as OrderId,
  setOrderId3: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  listClientOrderIdAt: (at: number): number => (at >> 2) + 22,
  setListClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 22)
  },
  clearListClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 22, (at >> 2) + 22 + CLIENT_ORDER_ID_WORDS)
  },
  /** the legs' ids as they are now */
  clientOrderId1At: (at: number): number => (at >> 2) + 30,
  setClientOrderId1: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 30)
  },
  clearClientOrderId1: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 30, (at >> 2) + 30 + CLIENT_ORDER_ID_WORDS)
  },
  clientOrderId2At: (at: number): number => (at >> 2) + 38,
  setClientOrderId2: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 38)
  },
  clearClientOrderId2: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 38, (at >> 2) + 38 + CLIENT_ORDER_ID_WORDS)
  },
  /** none when there are two */
  clientOrderId3At: (at: number): number => (at >> 2) + 46,
  setClientOrderId3: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 46)
  },
  clearClientOrderId3: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 46, (at >> 2) + 46 + CLIENT_ORDER_ID_WORDS)
  },
  /** of the leg accepted first, which has the lowest id */
  legOrderId: (buffer: RecordBuffer, at: number, leg: number): OrderId => buffer.f64[((at + leg * 8) >> 3) + 8] as OrderId,
  setLegOrderId: (buffer: RecordBuffer, at: number, leg: number, value: OrderId): void => {
    buffer.f64[((at + leg * 8) >> 3) + 8] = value
  },
  /** the legs' ids as they are now */
  legClientOrderIdAt: (at: number, leg: number): number => ((at + leg * 32) >> 2) + 30,
  setLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, ((at + leg * 32) >> 2) + 30)
  },
  clearLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number): void => {
    buffer.i32.fill(0, ((at + leg * 32) >> 2) + 30, ((at + leg * 32) >> 2) + 30 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** Self-trade prevention took quantity from an order that continues: releasedAtoms moved from locked to free. Follows its MatchPrevented. */
export const OrderDecremented = {
  type: 28,
  /** Without sections. */
  bytes: 160,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 8] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 5] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 6] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  filledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 9] as Lots,
  setFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  /** cumulative quote */
  filledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 20) as QuoteAtoms,
  setFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 20, value)
  },
  /** lost to self-trade prevention */
  preventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 11] as Lots,
  setPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 12] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** what its price level lost; 0 when it does not rest */
  removedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 13] as Lots,
  setRemovedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 13] = value
  },
  /** depth version after it */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 14]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 14] = value
  },
  /** quote for BUY, base for SELL */
  releasedAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 30) as Atoms,
  setReleasedAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 30, value)
  },
  clientOrderIdAt: (at: number): number => (at >> 2) + 32,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 32)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 32, (at >> 2) + 32 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 32,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 8] = from.account
    buffer.i32[(at >> 2) + 9] = from.terms
    buffer.f64[(at >> 3) + 5] = from.orderId
    buffer.f64[(at >> 3) + 6] = from.priceTicks
    buffer.f64[(at >> 3) + 7] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 16, from.quoteAtoms)
  },
  progressBlockAt: (at: number): number => at + 72,
  writeProgress: (buffer: RecordBuffer, at: number, from: Readonly<ProgressBlockFields>): void => {
    buffer.f64[(at >> 3) + 9] = from.filledLots
    writeInt64(buffer.i32, (at >> 2) + 20, from.filledAtoms)
    buffer.f64[(at >> 3) + 11] = from.preventedLots
    buffer.f64[(at >> 3) + 12] = from.createdMs
  },
  /** Where its prevention stand; -1 for none. */
  preventionAt: (_buffer: RecordBuffer, at: number): number => at + 160,
  /** Where its details stand; -1 for none. */
  detailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 9]! & 512) === 512 ? at + 160 + 48 : -1,
} as const

/** The symbol's phase, or how it ends, is another from here on. An execution of its own, or within that of the order whose price interrupts trading, before the order rests or ends. */
export const PhaseChanged = {
  type: 29,
  bytes: 112,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** SymbolStatus */
  phase: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 8]!,
  setPhase: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** SymbolStatus that follows at endsMs */
  nextPhase: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 9]!,
  setNextPhase: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  /** PhaseCause */
  cause: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 10]!,
  setCause: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 10] = value
  },
  /** distance from the reference that interrupts trading; 0 for none */
  bandBasisPoints: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 11]!,
  setBandBasisPoints: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 11] = value
  },
  /** when the phase ends by itself; 0: by a command */
  endsMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 6] as Ms,
  setEndsMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** how long a price stays the reference; 0 when nothing interrupts */
  windowMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 7] as Ms,
  setWindowMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** the order whose price interrupted trading; else 0 */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 8] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  /** the operators' resumptions that it knows of */
  resumptions: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 18]!,
  setResumptions: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 18] = value
  },
  /** how often the call was extended; -1 of a change that layout 6 has */
  extensions: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 19]!,
  setExtensions: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 19] = value
  },
  /** official close of the day that ends with it; else 0 */
  closeTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 10] as Ticks,
  setCloseTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** price of the auction that ends with it; 0 if nothing traded in one */
  auctionTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 11] as Ticks,
  setAuctionTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** lots that traded in it */
  auctionVolume: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 24),
  setAuctionVolume: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 24, value)
  },
  /** lots that were left at its price: of buyers above zero, else of sellers */
  auctionSurplus: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 26),
  setAuctionSurplus: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 26, value)
  },
} as const

/** A call has ended: price and cut of its auction. The trades follow in executions of their own, until PhaseChanged; no order enters, changes or leaves meanwhile except by them. */
export const AuctionUncrossed = {
  type: 30,
  bytes: 80,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the batch's time, ms since the Unix epoch */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** place among the symbol's events, from 1, without gaps */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** price of the auction */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 4] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** last price before it; 0 for none */
  referenceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 5] as Ticks,
  setReferenceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** lots that trade at the price */
  volume: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 12),
  setVolume: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 12, value)
  },
  /** lots that are left at the price: of buyers above zero, else of sellers */
  surplus: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 14),
  setSurplus: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 14, value)
  },
  /** the last order that takes part */
  cutOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 8] as OrderId,
  setCutOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  /** SymbolStatus that follows the trades */
  nextPhase: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 18]!,
  setNextPhase: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 18] = value
  },
  /** 1 where the price is a bound of the corridor, beyond which more would trade */
  isBound: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 19]!,
  setIsBound: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 19] = value
  },
} as const

/** The command was refused and changed nothing. */
export const Rejected = {
  type: 64,
  bytes: 24,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** RejectReason */
  reason: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setReason: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** zero */
  spare: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSpare: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
} as const

/** One open order as it stands. */
export const OrderState = {
  type: 65,
  /** Without sections. */
  bytes: 128,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 3] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 4] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 5] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 12) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 12, value)
  },
  filledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 7] as Lots,
  setFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** cumulative quote */
  filledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 16) as QuoteAtoms,
  setFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 16, value)
  },
  /** lost to self-trade prevention */
  preventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 9] as Lots,
  setPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  /** when it was accepted */
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 10] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** when it last changed: fill, trigger, release, decrement, amendment */
  updatedMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 11] as Ms,
  setUpdatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  clientOrderIdAt: (at: number): number => (at >> 2) + 24,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 24)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 24, (at >> 2) + 24 + CLIENT_ORDER_ID_WORDS)
  },
  orderBlockAt: (at: number): number => at + 16,
  writeOrder: (buffer: RecordBuffer, at: number, from: Readonly<OrderBlockFields>): void => {
    buffer.i32[(at >> 2) + 4] = from.account
    buffer.i32[(at >> 2) + 5] = from.terms
    buffer.f64[(at >> 3) + 3] = from.orderId
    buffer.f64[(at >> 3) + 4] = from.priceTicks
    buffer.f64[(at >> 3) + 5] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 12, from.quoteAtoms)
  },
  progressBlockAt: (at: number): number => at + 56,
  writeProgress: (buffer: RecordBuffer, at: number, from: Readonly<ProgressBlockFields>): void => {
    buffer.f64[(at >> 3) + 7] = from.filledLots
    writeInt64(buffer.i32, (at >> 2) + 16, from.filledAtoms)
    buffer.f64[(at >> 3) + 9] = from.preventedLots
    buffer.f64[(at >> 3) + 10] = from.createdMs
  },
  /** Where its details stand; -1 for none. */
  detailsAt: (buffer: RecordBuffer, at: number): number => (buffer.i32[(at >> 2) + 5]! & 512) === 512 ? at + 128 : -1,
} as const

/** A page of open orders ends. */
export const QueryEnd = {
  type: 66,
  bytes: 32,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** 1 when no page follows */
  isWhole: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setIsWhole: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** zero */
  spare: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSpare: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** the pages have the orders up to this one */
  untilOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 3] as OrderId,
  setUntilOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
} as const

/** Levels of the book follow: those after the price and side that the query names. */
export const BookBegin = {
  type: 67,
  bytes: 112,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** Side */
  side: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setSide: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** SymbolStatus of the phase at this place */
  phase: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setPhase: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** 0 from the best one on */
  afterTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setAfterTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** depth version */
  updateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 4]!,
  setUpdateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** last event sequence */
  sequence: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 5]!,
  setSequence: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** last trade id */
  tradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 6] as TradeId,
  setTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** price of the last trade; 0 when there was none */
  lastPriceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 7] as Ticks,
  setLastPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  /** official close; 0 before the first */
  closeTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 8] as Ticks,
  setCloseTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  /** when that was */
  closeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 9] as Ms,
  setCloseMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  /** price of the last auction in which something traded; 0 before the first */
  auctionTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 10] as Ticks,
  setAuctionTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** when its last trade was made */
  auctionMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 11] as Ms,
  setAuctionMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** lots that traded in it */
  auctionVolume: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 24),
  setAuctionVolume: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 24, value)
  },
  /** as PhaseChanged */
  auctionSurplus: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 26),
  setAuctionSurplus: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 26, value)
  },
} as const

/** One price level. */
export const BookLevel = {
  type: 68,
  bytes: 40,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** Side */
  side: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setSide: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** orders on it */
  orderCount: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setOrderCount: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** their open quantity together */
  levelLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setLevelLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
} as const

/** A piece of the book ends. */
export const BookEnd = {
  type: 69,
  bytes: 24,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** 1 when no level follows */
  isWhole: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setIsWhole: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** zero */
  spare: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setSpare: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
} as const

/** How both halves of a ReplaceOrder ended; the events of what succeeded come before it. Its last record. Says again what was to be placed, at the same offsets, so that streams can report its refusal. */
export const ReplaceResult = {
  type: 71,
  bytes: 128,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** side, type, time in force, prevention mode, detailed, session */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** quantity; 0 for a MARKET order by quote amount */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** quote amount of a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 10, value)
  },
  /** the batch's time, ms */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 6] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** chosen by the client or by the gateway; never none */
  clientOrderIdAt: (at: number): number => (at >> 2) + 14,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 14)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 14, (at >> 2) + 14 + CLIENT_ORDER_ID_WORDS)
  },
  /** only written and read when the terms say detailed: stop price; of a trailing stop, where tracking starts; 0 for none */
  stopTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 11] as Ticks,
  setStopTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 11] = value
  },
  /** only written and read when the terms say detailed: the quantity shown at a time; 0 when it shows all */
  icebergLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 12] as Lots,
  setIcebergLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 12] = value
  },
  /** only written and read when the terms say detailed: -1 for none */
  strategyId: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 26),
  setStrategyId: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 26, value)
  },
  /** only written and read when the terms say detailed: basis points; 0 when it does not trail */
  trailingDelta: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 28]!,
  setTrailingDelta: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 28] = value
  },
  /** only written and read when the terms say detailed: 0 for none */
  strategyType: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 29]!,
  setStrategyType: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 29] = value
  },
  /** RejectReason, or 0 when the order was canceled */
  cancelReason: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 30]!,
  setCancelReason: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 30] = value
  },
  /** RejectReason, 0 when the order was accepted, -1 when not attempted */
  orderReason: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 31]!,
  setOrderReason: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 31] = value
  },
  extrasBlockAt: (at: number): number => at + 88,
  writeExtras: (buffer: RecordBuffer, at: number, from: Readonly<ExtrasBlockFields>): void => {
    buffer.f64[(at >> 3) + 11] = from.stopTicks
    buffer.f64[(at >> 3) + 12] = from.icebergLots
    writeInt64(buffer.i32, (at >> 2) + 26, from.strategyId)
    buffer.i32[(at >> 2) + 28] = from.trailingDelta
    buffer.i32[(at >> 2) + 29] = from.strategyType
  },
} as const

/** A PlaceOrderList was refused and changed nothing. Says again what was to be placed, so that streams can report its refusal. */
export const OrderListRejected = {
  type: 72,
  bytes: 168,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** owner */
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 4] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** OrderListKind */
  kind: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setKind: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** RejectReason */
  reason: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 6]!,
  setReason: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 6] = value
  },
  /** 2 or 3 */
  legs: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 7]!,
  setLegs: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 7] = value
  },
  /** the batch's time, ms */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 4] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  listClientOrderIdAt: (at: number): number => (at >> 2) + 10,
  setListClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 10)
  },
  clearListClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 10, (at >> 2) + 10 + CLIENT_ORDER_ID_WORDS)
  },
  clientOrderId1At: (at: number): number => (at >> 2) + 18,
  setClientOrderId1: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 18)
  },
  clearClientOrderId1: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 18, (at >> 2) + 18 + CLIENT_ORDER_ID_WORDS)
  },
  clientOrderId2At: (at: number): number => (at >> 2) + 26,
  setClientOrderId2: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 26)
  },
  clearClientOrderId2: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 26, (at >> 2) + 26 + CLIENT_ORDER_ID_WORDS)
  },
  /** none when there are two */
  clientOrderId3At: (at: number): number => (at >> 2) + 34,
  setClientOrderId3: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 34)
  },
  clearClientOrderId3: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 34, (at >> 2) + 34 + CLIENT_ORDER_ID_WORDS)
  },
  legClientOrderIdAt: (at: number, leg: number): number => ((at + leg * 32) >> 2) + 18,
  setLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, ((at + leg * 32) >> 2) + 18)
  },
  clearLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number): void => {
    buffer.i32.fill(0, ((at + leg * 32) >> 2) + 18, ((at + leg * 32) >> 2) + 18 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** What the auction would come to if the call ended now. Sent to all gateways while the phase is AUCTION_MATCH, seldom enough to be a small share of the work. */
export const AuctionIndicative = {
  type: 73,
  bytes: 56,
  /** the symbol it concerns */
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 1] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** the gateway that asked, or -1 */
  gateway: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setGateway: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** that gateway's ticket for the request */
  correlation: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCorrelation: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** 0 while the book is not crossed */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 2] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** last price; 0 for none */
  referenceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setReferenceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** as AuctionUncrossed */
  volume: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 8),
  setVolume: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 8, value)
  },
  /** as AuctionUncrossed */
  surplus: (buffer: RecordBuffer, at: number): Int64 => readInt64(buffer.i32, (at >> 2) + 10),
  setSurplus: (buffer: RecordBuffer, at: number, value: Int64): void => {
    writeInt64(buffer.i32, (at >> 2) + 10, value)
  },
  /** the batch's time */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 6] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
} as const
