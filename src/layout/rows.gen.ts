// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { CLIENT_ORDER_ID_WORDS, copyClientOrderId } from '../base/client-order-id.ts'
import { readInt64, writeInt64 } from '../base/int64.ts'
import { copyInt96 } from '../base/int96.ts'
import type { AccountId, Atoms, Lots, Ms, OrderId, QuoteAtoms, SymbolId, Ticks, TradeId } from '../base/units.ts'
import type { RecordBuffer } from './record-buffer.ts'

/** Fields of OrderValue that objects have. */
export interface OrderValueWhole {
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
}

/** Fields of OrderValue that objects have. */
export interface OrderValueProgress {
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  createdMs: Ms
  updatedMs: Ms
}

/** An order as it stands. Each value is a chunk of these, ascending. */
export const OrderValue = {
  bytes: 168,
  /** counts from 1 within the symbol */
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 0] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** limit price; 0 for MARKET */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 1] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 2] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 6) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 6, value)
  },
  filledLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setFilledLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** cumulative quote */
  filledAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
  setFilledAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 10, value)
  },
  /** lost to self-trade prevention */
  preventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 6] as Lots,
  setPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  /** the match that ended it; 0 for none */
  preventedMatchIdPlusOne: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 7]!,
  setPreventedMatchIdPlusOne: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 8] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 8] = value
  },
  updatedMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 9] as Ms,
  setUpdatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 9] = value
  },
  /** 0 when there was none */
  lastTradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 10] as TradeId,
  setLastTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 10] = value
  },
  /** OrderStatus in bits 0-7, ExpiryReason in bits 8-15 */
  state: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 22]!,
  setState: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 22] = value
  },
  /** as OrderAccepted */
  terms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 23]!,
  setTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 23] = value
  },
  /** the order's own, or its cancel's once canceled */
  clientOrderIdAt: (at: number): number => (at >> 2) + 24,
  setClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 24)
  },
  clearClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 24, (at >> 2) + 24 + CLIENT_ORDER_ID_WORDS)
  },
  /** the order's own */
  ownClientOrderIdAt: (at: number): number => (at >> 2) + 32,
  setOwnClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 32)
  },
  clearOwnClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 32, (at >> 2) + 32 + CLIENT_ORDER_ID_WORDS)
  },
  /** how many trades it has */
  fills: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 20]!,
  setFills: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 20] = value
  },
  wholeOf: (buffer: RecordBuffer, at: number): OrderValueWhole => ({
    terms: buffer.i32[(at >> 2) + 23]!,
    orderId: buffer.f64[(at >> 3) + 0] as OrderId,
    priceTicks: buffer.f64[(at >> 3) + 1] as Ticks,
    lots: buffer.f64[(at >> 3) + 2] as Lots,
    quoteAtoms: readInt64(buffer.i32, (at >> 2) + 6) as QuoteAtoms,
    filledLots: buffer.f64[(at >> 3) + 4] as Lots,
    filledAtoms: readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
    preventedLots: buffer.f64[(at >> 3) + 6] as Lots,
    createdMs: buffer.f64[(at >> 3) + 8] as Ms,
    updatedMs: buffer.f64[(at >> 3) + 9] as Ms,
  }),
  readWhole: (buffer: RecordBuffer, at: number, into: OrderValueWhole): void => {
    into.terms = buffer.i32[(at >> 2) + 23]!
    into.orderId = buffer.f64[(at >> 3) + 0] as OrderId
    into.priceTicks = buffer.f64[(at >> 3) + 1] as Ticks
    into.lots = buffer.f64[(at >> 3) + 2] as Lots
    into.quoteAtoms = readInt64(buffer.i32, (at >> 2) + 6) as QuoteAtoms
    into.filledLots = buffer.f64[(at >> 3) + 4] as Lots
    into.filledAtoms = readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms
    into.preventedLots = buffer.f64[(at >> 3) + 6] as Lots
    into.createdMs = buffer.f64[(at >> 3) + 8] as Ms
    into.updatedMs = buffer.f64[(at >> 3) + 9] as Ms
  },
  writeWhole: (buffer: RecordBuffer, at: number, from: Readonly<OrderValueWhole>): void => {
    buffer.i32[(at >> 2) + 23] = from.terms
    buffer.f64[(at >> 3) + 0] = from.orderId
    buffer.f64[(at >> 3) + 1] = from.priceTicks
    buffer.f64[(at >> 3) + 2] = from.lots
    writeInt64(buffer.i32, (at >> 2) + 6, from.quoteAtoms)
    buffer.f64[(at >> 3) + 4] = from.filledLots
    writeInt64(buffer.i32, (at >> 2) + 10, from.filledAtoms)
    buffer.f64[(at >> 3) + 6] = from.preventedLots
    buffer.f64[(at >> 3) + 8] = from.createdMs
    buffer.f64[(at >> 3) + 9] = from.updatedMs
  },
  progressOf: (buffer: RecordBuffer, at: number): OrderValueProgress => ({
    filledLots: buffer.f64[(at >> 3) + 4] as Lots,
    filledAtoms: readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms,
    preventedLots: buffer.f64[(at >> 3) + 6] as Lots,
    createdMs: buffer.f64[(at >> 3) + 8] as Ms,
    updatedMs: buffer.f64[(at >> 3) + 9] as Ms,
  }),
  readProgress: (buffer: RecordBuffer, at: number, into: OrderValueProgress): void => {
    into.filledLots = buffer.f64[(at >> 3) + 4] as Lots
    into.filledAtoms = readInt64(buffer.i32, (at >> 2) + 10) as QuoteAtoms
    into.preventedLots = buffer.f64[(at >> 3) + 6] as Lots
    into.createdMs = buffer.f64[(at >> 3) + 8] as Ms
    into.updatedMs = buffer.f64[(at >> 3) + 9] as Ms
  },
  writeProgress: (buffer: RecordBuffer, at: number, from: Readonly<OrderValueProgress>): void => {
    buffer.f64[(at >> 3) + 4] = from.filledLots
    writeInt64(buffer.i32, (at >> 2) + 10, from.filledAtoms)
    buffer.f64[(at >> 3) + 6] = from.preventedLots
    buffer.f64[(at >> 3) + 8] = from.createdMs
    buffer.f64[(at >> 3) + 9] = from.updatedMs
  },
} as const

/** One side of a trade. Each value is a chunk of these, ascending. */
export const TradeValue = {
  bytes: 72,
  /** trade id × 2, and 1 more for the maker */
  fill: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setFill: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 1] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 2] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 3] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  commissionAtoms: (buffer: RecordBuffer, at: number): Atoms => readInt64(buffer.i32, (at >> 2) + 8) as Atoms,
  setCommissionAtoms: (buffer: RecordBuffer, at: number, value: Atoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 8, value)
  },
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 5] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** the trade before it of the same order; 0 for the first */
  previousTradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 6] as TradeId,
  setPreviousTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 14) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 14, value)
  },
  /** TradeFlag */
  flags: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 16]!,
  setFlags: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 16] = value
  },
  /** 0 when it is the asset received */
  commissionAssetIdPlusOne: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 17]!,
  setCommissionAssetIdPlusOne: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 17] = value
  },
} as const

/** A public trade. Each value is a chunk of these, ascending. */
export const TapeValue = {
  bytes: 48,
  tradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 0] as TradeId,
  setTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 1] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 2] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  quoteAtoms: (buffer: RecordBuffer, at: number): QuoteAtoms => readInt64(buffer.i32, (at >> 2) + 6) as QuoteAtoms,
  setQuoteAtoms: (buffer: RecordBuffer, at: number, value: QuoteAtoms): void => {
    writeInt64(buffer.i32, (at >> 2) + 6, value)
  },
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 4] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** 1 or 0 */
  isBuyerMaker: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 5]!,
  setIsBuyerMaker: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
} as const

/** Trades of one taker order at one price and time. Each value is a chunk of these, ascending. */
export const AggregateValue = {
  bytes: 64,
  aggregateId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setAggregateId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 1] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** of all of them */
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 2] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  firstTradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 3] as TradeId,
  setFirstTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  lastTradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 4] as TradeId,
  setLastTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 5] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** 1 or 0 */
  isBuyerMaker: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 6]!,
  setIsBuyerMaker: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  takerOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 7] as OrderId,
  setTakerOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 7] = value
  },
} as const

/** The trades of a span (history/bar.ts). */
export const BarValue = {
  bytes: 88,
  /** trades */
  count: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setCount: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  firstTradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 1] as TradeId,
  setFirstTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  lastTradeId: (buffer: RecordBuffer, at: number): TradeId => buffer.f64[(at >> 3) + 2] as TradeId,
  setLastTradeId: (buffer: RecordBuffer, at: number, value: TradeId): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  openTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.i32[(at >> 2) + 6] as Ticks,
  setOpenTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.i32[(at >> 2) + 6] = value
  },
  highTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.i32[(at >> 2) + 7] as Ticks,
  setHighTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.i32[(at >> 2) + 7] = value
  },
  lowTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.i32[(at >> 2) + 8] as Ticks,
  setLowTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  closeTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.i32[(at >> 2) + 9] as Ticks,
  setCloseTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.i32[(at >> 2) + 9] = value
  },
  getLots: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(buffer.i32, (at >> 2) + 10, words, wordsAt)
  },
  setLots: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(words, wordsAt, buffer.i32, (at >> 2) + 10)
  },
  getQuoteAtoms: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(buffer.i32, (at >> 2) + 13, words, wordsAt)
  },
  setQuoteAtoms: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(words, wordsAt, buffer.i32, (at >> 2) + 13)
  },
  /** of takers that bought */
  getTakerBuyLots: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(buffer.i32, (at >> 2) + 16, words, wordsAt)
  },
  setTakerBuyLots: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(words, wordsAt, buffer.i32, (at >> 2) + 16)
  },
  /** of takers that bought */
  getTakerBuyQuoteAtoms: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(buffer.i32, (at >> 2) + 19, words, wordsAt)
  },
  setTakerBuyQuoteAtoms: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyInt96(words, wordsAt, buffer.i32, (at >> 2) + 19)
  },
} as const

/** The past that a symbol of a demo begins with (market/seeded-klines.ts); it opens where its key says. */
export const PastValue = {
  bytes: 48,
  seed: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setSeed: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  days: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 1]!,
  setDays: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  closeTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 2] as Ticks,
  setCloseTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  lots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 3] as Lots,
  setLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** of the symbol, as in base/notional.ts */
  atomsPerTickLot: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 4]!,
  setAtomsPerTickLot: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  tickLotParts: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 5]!,
  setTickLotParts: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
} as const

/** The quantity of an order was lowered. */
export const AmendmentValue = {
  bytes: 88,
  oldLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 0] as Lots,
  setOldLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  newLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 1] as Lots,
  setNewLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 2] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  oldClientOrderIdAt: (at: number): number => (at >> 2) + 6,
  setOldClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 6)
  },
  clearOldClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 6, (at >> 2) + 6 + CLIENT_ORDER_ID_WORDS)
  },
  newClientOrderIdAt: (at: number): number => (at >> 2) + 14,
  setNewClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 14)
  },
  clearNewClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 14, (at >> 2) + 14 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** Fields of PreventedValue that objects have. */
export interface PreventedValueMatch {
  takerOrderId: OrderId
  makerOrderId: OrderId
  tradeGroupId: number
  priceTicks: Ticks
  takerPreventedLots: Lots
  makerPreventedLots: Lots
  timeMs: Ms
  takerTerms: number
  makerTerms: number
}

/** A match that was prevented. */
export const PreventedValue = {
  bytes: 64,
  takerOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 0] as OrderId,
  setTakerOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  makerOrderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 1] as OrderId,
  setMakerOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** -1 when both were of one account */
  tradeGroupId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 2]!,
  setTradeGroupId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** the maker's price */
  priceTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 3] as Ticks,
  setPriceTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** 0 when that side lost nothing */
  takerPreventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 4] as Lots,
  setTakerPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  makerPreventedLots: (buffer: RecordBuffer, at: number): Lots => buffer.f64[(at >> 3) + 5] as Lots,
  setMakerPreventedLots: (buffer: RecordBuffer, at: number, value: Lots): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 6] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 6] = value
  },
  takerTerms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 14]!,
  setTakerTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 14] = value
  },
  makerTerms: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 15]!,
  setMakerTerms: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 15] = value
  },
  matchOf: (buffer: RecordBuffer, at: number): PreventedValueMatch => ({
    takerOrderId: buffer.f64[(at >> 3) + 0] as OrderId,
    makerOrderId: buffer.f64[(at >> 3) + 1] as OrderId,
    tradeGroupId: buffer.f64[(at >> 3) + 2]!,
    priceTicks: buffer.f64[(at >> 3) + 3] as Ticks,
    takerPreventedLots: buffer.f64[(at >> 3) + 4] as Lots,
    makerPreventedLots: buffer.f64[(at >> 3) + 5] as Lots,
    timeMs: buffer.f64[(at >> 3) + 6] as Ms,
    takerTerms: buffer.i32[(at >> 2) + 14]!,
    makerTerms: buffer.i32[(at >> 2) + 15]!,
  }),
  readMatch: (buffer: RecordBuffer, at: number, into: PreventedValueMatch): void => {
    into.takerOrderId = buffer.f64[(at >> 3) + 0] as OrderId
    into.makerOrderId = buffer.f64[(at >> 3) + 1] as OrderId
    into.tradeGroupId = buffer.f64[(at >> 3) + 2]!
    into.priceTicks = buffer.f64[(at >> 3) + 3] as Ticks
    into.takerPreventedLots = buffer.f64[(at >> 3) + 4] as Lots
    into.makerPreventedLots = buffer.f64[(at >> 3) + 5] as Lots
    into.timeMs = buffer.f64[(at >> 3) + 6] as Ms
    into.takerTerms = buffer.i32[(at >> 2) + 14]!
    into.makerTerms = buffer.i32[(at >> 2) + 15]!
  },
  writeMatch: (buffer: RecordBuffer, at: number, from: Readonly<PreventedValueMatch>): void => {
    buffer.f64[(at >> 3) + 0] = from.takerOrderId
    buffer.f64[(at >> 3) + 1] = from.makerOrderId
    buffer.f64[(at >> 3) + 2] = from.tradeGroupId
    buffer.f64[(at >> 3) + 3] = from.priceTicks
    buffer.f64[(at >> 3) + 4] = from.takerPreventedLots
    buffer.f64[(at >> 3) + 5] = from.makerPreventedLots
    buffer.f64[(at >> 3) + 6] = from.timeMs
    buffer.i32[(at >> 2) + 14] = from.takerTerms
    buffer.i32[(at >> 2) + 15] = from.makerTerms
  },
} as const

/** An order list as it stands. */
export const ListValue = {
  bytes: 176,
  createdMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 0] as Ms,
  setCreatedMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** 0 for no such leg; its id is none then */
  orderId1: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 1] as OrderId,
  setOrderId1: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** 0 for no such leg; its id is none then */
  orderId2: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 2] as OrderId,
  setOrderId2: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
  /** 0 for no such leg; its id is none then */
  orderId3: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 3] as OrderId,
  setOrderId3: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  symbolId: (buffer: RecordBuffer, at: number): SymbolId => buffer.i32[(at >> 2) + 8] as SymbolId,
  setSymbolId: (buffer: RecordBuffer, at: number, value: SymbolId): void => {
    buffer.i32[(at >> 2) + 8] = value
  },
  /** ListKind */
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
  listClientOrderIdAt: (at: number): number => (at >> 2) + 12,
  setListClientOrderId: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 12)
  },
  clearListClientOrderId: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 12, (at >> 2) + 12 + CLIENT_ORDER_ID_WORDS)
  },
  clientOrderId1At: (at: number): number => (at >> 2) + 20,
  setClientOrderId1: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 20)
  },
  clearClientOrderId1: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 20, (at >> 2) + 20 + CLIENT_ORDER_ID_WORDS)
  },
  clientOrderId2At: (at: number): number => (at >> 2) + 28,
  setClientOrderId2: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 28)
  },
  clearClientOrderId2: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 28, (at >> 2) + 28 + CLIENT_ORDER_ID_WORDS)
  },
  clientOrderId3At: (at: number): number => (at >> 2) + 36,
  setClientOrderId3: (buffer: RecordBuffer, at: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, (at >> 2) + 36)
  },
  clearClientOrderId3: (buffer: RecordBuffer, at: number): void => {
    buffer.i32.fill(0, (at >> 2) + 36, (at >> 2) + 36 + CLIENT_ORDER_ID_WORDS)
  },
  /** 0 for no such leg; its id is none then */
  legOrderId: (buffer: RecordBuffer, at: number, leg: number): OrderId => buffer.f64[((at + leg * 8) >> 3) + 1] as OrderId,
  setLegOrderId: (buffer: RecordBuffer, at: number, leg: number, value: OrderId): void => {
    buffer.f64[((at + leg * 8) >> 3) + 1] = value
  },
  legClientOrderIdAt: (at: number, leg: number): number => ((at + leg * 32) >> 2) + 20,
  setLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number, words: Int32Array, wordsAt: number): void => {
    copyClientOrderId(words, wordsAt, buffer.i32, ((at + leg * 32) >> 2) + 20)
  },
  clearLegClientOrderId: (buffer: RecordBuffer, at: number, leg: number): void => {
    buffer.i32.fill(0, ((at + leg * 32) >> 2) + 20, ((at + leg * 32) >> 2) + 20 + CLIENT_ORDER_ID_WORDS)
  },
} as const

/** What starts the tracking of a trailing stop. */
export const UntrackedValue = {
  bytes: 16,
  /** 0: any trade */
  stopTicks: (buffer: RecordBuffer, at: number): Ticks => buffer.f64[(at >> 3) + 0] as Ticks,
  setStopTicks: (buffer: RecordBuffer, at: number, value: Ticks): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  account: (buffer: RecordBuffer, at: number): AccountId => buffer.i32[(at >> 2) + 2] as AccountId,
  setAccount: (buffer: RecordBuffer, at: number, value: AccountId): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** 1 when a price at or below the stop starts it, 0 at or above */
  isFromAbove: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setIsFromAbove: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
} as const

/** Counts of orders (history/trading-indicators.ts). */
export const TallyValue = {
  bytes: 24,
  orders: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setOrders: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  filled: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setFilled: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  immediate: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setImmediate: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  expired: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setExpired: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  lasting: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setLasting: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  canceled: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setCanceled: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
} as const

/** Time of the status, or until when an account is locked. */
export const StatusTimeValue = {
  bytes: 8,
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 0] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
} as const

/** The sum is high × 2^52 + low, in atoms of the valuation asset. */
export const VolumeValue = {
  bytes: 16,
  high: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setHigh: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  low: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 1]!,
  setLow: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
} as const

/** Each value is a row of these. */
export const ClientIdEntry = {
  bytes: 8,
  /** a hash of the account and the id */
  tag: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setTag: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** the order's place in its bucket in bits 0-23, IdKind above them */
  place: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setPlace: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
} as const

/** An entry that waits for its part. Each value is a chunk of these, ascending. */
export const RecentIdEntry = {
  bytes: 24,
  /** counts from 1 while entries of the symbol wait */
  number: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setNumber: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  orderId: (buffer: RecordBuffer, at: number): OrderId => buffer.f64[(at >> 3) + 1] as OrderId,
  setOrderId: (buffer: RecordBuffer, at: number, value: OrderId): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** as in ClientIdEntry */
  tag: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setTag: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** the part in bits 0-7, IdKind above them */
  part: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setPart: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
} as const

/** The last block of a journal that is applied. */
export const ProgressValue = {
  bytes: 16,
  position: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setPosition: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  checksum: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setChecksum: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  zero: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setZero: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
} as const

/** Under VERSION_KEY: what the archive was applied for. */
export const VersionValue = {
  bytes: 24,
  /** ARCHIVE_VERSION */
  version: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setVersion: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** the asset that volumes are counted in; -1 for none */
  assetId: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 1]!,
  setAssetId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** how many of the clock there were; 0 where the row ends before */
  corrections: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 2]!,
  setCorrections: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
} as const

/** Under SALT_KEY: salts the hashes of client order ids (archive/id-hash.ts). */
export const SaltValue = {
  bytes: 8,
  low: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setLow: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  high: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setHigh: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
} as const

/** The journal's block begins with this; records follow (journal/block.ts). */
export const BlockHead = {
  bytes: 56,
  layoutStart: 8,
  /** "RBJ1" */
  magic: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setMagic: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** CRC-32 of the bytes from `layout` to the end of the block */
  checksum: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setChecksum: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** of the records (layout/conversions.ts) */
  layout: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setLayout: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** bytes of the whole block */
  length: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setLength: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  matcher: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setMatcher: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  /** how many follow */
  records: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setRecords: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** counts the blocks of the journal from 1 */
  position: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setPosition: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** counts the starts of the exchange */
  epoch: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 4]!,
  setEpoch: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** the ordering time of the batch (base/corrections.ts) */
  timeMs: (buffer: RecordBuffer, at: number): Ms => buffer.f64[(at >> 3) + 5] as Ms,
  setTimeMs: (buffer: RecordBuffer, at: number, value: Ms): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
  /** checksum of the block before; 0 for the first */
  previous: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 12]!,
  setPrevious: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 12] = value
  },
  /** 1 + the blocks before this one that were not flushed when it was written; 0: unknown */
  unflushed: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 13]!,
  setUnflushed: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 13] = value
  },
} as const

/** What a journal's LMDB log says of the write-ahead log beside it (journal/wal-note.ts). */
export const WalNote = {
  bytes: 24,
  stateStart: 8,
  /** "RBN1" */
  magic: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setMagic: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** CRC-32 of the bytes from `state` to the end */
  checksum: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setChecksum: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** WalState */
  state: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setState: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** of its blocks; 0: unknown */
  durability: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setDurability: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** of each segment at least */
  segmentBytes: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 2]!,
  setSegmentBytes: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
} as const

/** The file beside a write-ahead log that says how far it is flushed (journal/flush-mark.ts). */
export const FlushMark = {
  bytes: 24,
  positionStart: 8,
  /** "RBF1" */
  magic: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setMagic: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** CRC-32 of the bytes from `position` to the end */
  checksum: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setChecksum: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** last block that is on the disk */
  position: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 1]!,
  setPosition: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
  /** CRC-32 of the name of the system run that wrote it; 0: unknown */
  boot: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setBoot: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  zero: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setZero: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
} as const

/** A sealed segment begins with this; blocks follow (journal/sealed-segments.ts). */
export const SegmentHead = {
  bytes: 48,
  versionStart: 8,
  /** "RBG1" */
  magic: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setMagic: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** CRC-32 of the bytes from `version` to the end of the head */
  checksum: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setChecksum: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** of the file's form */
  version: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setVersion: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  /** how blocks are stored; 0: as they are */
  codec: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setCodec: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  matcher: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 4]!,
  setMatcher: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 4] = value
  },
  zero: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 5]!,
  setZero: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 5] = value
  },
  /** position of the first block */
  first: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 3]!,
  setFirst: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 3] = value
  },
  /** position of the last block */
  last: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 4]!,
  setLast: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 4] = value
  },
  /** bytes of all blocks */
  length: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 5]!,
  setLength: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 5] = value
  },
} as const

/** A snapshot begins with this; sections follow (journal/snapshot.ts). */
export const SnapshotHead = {
  bytes: 24,
  /** "RBS1" */
  magic: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setMagic: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  /** rises with every change of an image */
  layout: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setLayout: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** how many of the clock there were (base/corrections.ts) */
  corrections: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setCorrections: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  zero2: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setZero2: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** the snapshot's */
  number: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 2]!,
  setNumber: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
} as const

/** A section of a snapshot begins with this; its image follows. */
export const SnapshotSectionHead = {
  bytes: 24,
  /** SectionKind */
  kind: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 0]!,
  setKind: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 0] = value
  },
  id: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 1]!,
  setId: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 1] = value
  },
  /** CRC-32 of all before it, and of its own length and image */
  checksum: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setChecksum: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  zero: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setZero: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
  /** bytes of the image */
  length: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 2]!,
  setLength: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 2] = value
  },
} as const

/** An image begins with this; doubles and then words follow (layout/image.ts). */
export const ImageHead = {
  bytes: 16,
  /** how many */
  doubles: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setDoubles: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** how many */
  words: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 1]!,
  setWords: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 1] = value
  },
} as const

/** A frame of a reply ring begins with this; replies follow (ring/reply-ring.ts). */
export const ReplyFrame = {
  bytes: 16,
  /** bytes of events that gateways read first; -1: no frame to the end of the ring */
  position: (buffer: RecordBuffer, at: number): number => buffer.f64[(at >> 3) + 0]!,
  setPosition: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.f64[(at >> 3) + 0] = value
  },
  /** bytes of the replies */
  length: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 2]!,
  setLength: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 2] = value
  },
  zero: (buffer: RecordBuffer, at: number): number => buffer.i32[(at >> 2) + 3]!,
  setZero: (buffer: RecordBuffer, at: number, value: number): void => {
    buffer.i32[(at >> 2) + 3] = value
  },
} as const
