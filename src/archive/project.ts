/**
 * Journal events → rows of the archive's tables. Driven by the archivist within one transaction at a
 * time; reads nothing but the events and what it wrote before, so folding the journals anew gives
 * the same tables. Runs on the archivist's thread at the rate of all matchers together: it works on
 * offsets, without making an object per event (bench `journal`, archive drain).
 */
import { OrderStatus, Side, sideOf } from '#base/codes.ts'
import type { Environment, Table } from '#journal/environment.ts'
import { RecordBuffer, recordLength, recordType } from '#layout/record-buffer.ts'
import {
  EventHeader,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  RecordType,
  Trade,
} from '#layout/records.gen.ts'
import { OrderBatch } from './order-batch.ts'
import {
  bucketOf,
  ClientIdKey,
  IdKind,
  OrderValue,
  OwnedKey,
  TableName,
  TapeKey,
  TapeValue,
  TradeValue,
} from './tables.ts'

export class Projection {
  readonly orders: OrderBatch
  readonly #trades: Table
  readonly #tape: Table
  readonly #clientIds: Table
  readonly #tradeKey = new OwnedKey()
  readonly #tapeKey = new TapeKey()
  readonly #clientIdKey = new ClientIdKey()
  readonly #trade = RecordBuffer.allocate(TradeValue.bytes)
  readonly #public = RecordBuffer.allocate(TapeValue.bytes)
  readonly #orderId = RecordBuffer.allocate(8)

  constructor(environment: Environment) {
    this.orders = new OrderBatch(environment.table(TableName.ORDERS))
    this.#trades = environment.table(TableName.TRADES)
    this.#tape = environment.table(TableName.TAPE)
    this.#clientIds = environment.table(TableName.CLIENT_IDS)
  }

  /**
   * Folds the events in records[start .. end). Answers how many there were. Throws ArchiveDamage when
   * they do not follow what was folded before.
   */
  fold(records: RecordBuffer, start: number, end: number): number {
    let count = 0
    for (let at = start; at < end; at += recordLength(records, at)) {
      const type = recordType(records, at)
      if (type === RecordType.OrderAccepted) this.#accepted(records, at)
      else if (type === RecordType.Trade) this.#traded(records, at)
      else if (type === RecordType.OrderClosed) this.#closed(records, at)
      else if (type === RecordType.MatchPrevented) this.#prevented(records, at)
      count++
    }
    return count
  }

  #accepted(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const account = i32[word + OrderAccepted.account]!
    const symbolId = i32[word + EventHeader.symbolId]!
    const orderId = f64[double + OrderAccepted.orderId]!
    const timeMs = f64[double + EventHeader.timeMs]!
    const { values } = this.orders
    const place = this.orders.add(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.priceTicks] = f64[double + OrderAccepted.priceTicks]!
    values.f64[row + OrderValue.lots] = f64[double + OrderAccepted.lots]!
    values.f64[row + OrderValue.quoteAtoms] = f64[double + OrderAccepted.quoteAtoms]!
    values.f64[row + OrderValue.createdMs] = timeMs
    values.f64[row + OrderValue.updatedMs] = timeMs
    const words = OrderBatch.word(place, 0)
    values.i32[words + OrderValue.termsWord] = i32[word + OrderAccepted.terms]!
    const id = word + OrderAccepted.clientOrderId
    copyId(i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    copyId(i32, id, values.i32, words + OrderValue.ownClientOrderIdWord)
    this.#index(account, symbolId, orderId, IdKind.OWN, i32, id)
  }

  #traded(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    this.#filled(records, at, 0)
    this.#filled(records, at, 1)
    const tape = this.#public
    tape.f64[TapeValue.priceTicks] = f64[double + Trade.priceTicks]!
    tape.f64[TapeValue.lots] = f64[double + Trade.tradeLots]!
    tape.f64[TapeValue.timeMs] = f64[double + EventHeader.timeMs]!
    const makerSide = sideOf(i32[word + Trade.makerTerms]!)
    tape.f64[TapeValue.isBuyerMaker] = makerSide === Side.BUY ? 1 : 0
    const symbolId = i32[word + EventHeader.symbolId]!
    this.#tape.put(this.#tapeKey.of(symbolId, f64[double + Trade.tradeId]!), tape.bytes)
  }

  /** The taker's side of a Trade, or, with isMaker = 1, the maker's. */
  #filled(records: RecordBuffer, at: number, isMaker: 0 | 1): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const from = TRADE_SIDES[isMaker]
    const account = i32[word + from.account]!
    const symbolId = i32[word + EventHeader.symbolId]!
    const orderId = f64[double + from.orderId]!
    const tradeId = f64[double + Trade.tradeId]!
    const timeMs = f64[double + EventHeader.timeMs]!
    const order = this.orders.values
    const place = this.orders.find(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)

    const trade = this.#trade.f64
    trade[TradeValue.orderId] = orderId
    trade[TradeValue.priceTicks] = f64[double + Trade.priceTicks]!
    trade[TradeValue.lots] = f64[double + Trade.tradeLots]!
    trade[TradeValue.commissionAtoms] = f64[double + from.commissionAtoms]!
    trade[TradeValue.timeMs] = timeMs
    trade[TradeValue.previousTradeId] = order.f64[row + OrderValue.lastTradeId]!
    trade[TradeValue.isBuyer] = sideOf(i32[word + from.terms]!) === Side.BUY ? 1 : 0
    this.#trades.put(this.#tradeKey.of(account, symbolId, tradeId * 2 + isMaker), this.#trade.bytes)

    const filledLots = f64[double + from.filledLots]!
    order.f64[row + OrderValue.filledLots] = filledLots
    order.f64[row + OrderValue.filledAtoms] = f64[double + from.filledAtoms]!
    order.f64[row + OrderValue.updatedMs] = timeMs
    order.f64[row + OrderValue.lastTradeId] = tradeId
    order.i32[OrderBatch.word(place, OrderValue.statusWord)] =
      filledLots === order.f64[row + OrderValue.lots]!
        ? OrderStatus.FILLED
        : OrderStatus.PARTIALLY_FILLED
  }

  #closed(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const account = i32[word + OrderClosed.account]!
    const symbolId = i32[word + EventHeader.symbolId]!
    const orderId = f64[double + OrderClosed.orderId]!
    const status = i32[word + OrderClosed.status]!
    const { values } = this.orders
    const place = this.orders.find(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.filledLots] = f64[double + OrderClosed.filledLots]!
    values.f64[row + OrderValue.filledAtoms] = f64[double + OrderClosed.filledAtoms]!
    values.f64[row + OrderValue.preventedLots] = f64[double + OrderClosed.preventedLots]!
    values.f64[row + OrderValue.updatedMs] = f64[double + EventHeader.timeMs]!
    const words = OrderBatch.word(place, 0)
    values.i32[words + OrderValue.statusWord] = status | (i32[word + OrderClosed.reason]! << 8)
    if (status !== OrderStatus.CANCELED) return
    const id = word + OrderClosed.clientOrderId
    copyId(i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    this.#index(account, symbolId, orderId, IdKind.CANCEL, i32, id)
  }

  #prevented(records: RecordBuffer, at: number): void {
    this.#losing(records, at, 0)
    this.#losing(records, at, 1)
  }

  /** What one side of a MatchPrevented lost, if anything. */
  #losing(records: RecordBuffer, at: number, isMaker: 0 | 1): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const from = PREVENTED_SIDES[isMaker]
    const lots = f64[double + from.preventedLots]!
    if (lots === 0) return
    const { values } = this.orders
    const place = this.orders.find(
      i32[word + from.account]!,
      i32[word + EventHeader.symbolId]!,
      f64[double + from.orderId]!,
    )
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.preventedLots]! += lots
    values.f64[row + OrderValue.preventedMatchIdPlusOne] =
      f64[double + MatchPrevented.preventedMatchId]! + 1
  }

  #index(
    account: number,
    symbolId: number,
    orderId: number,
    kind: number,
    words: Int32Array,
    at: number,
  ): void {
    this.#orderId.f64[0] = orderId
    const key = this.#clientIdKey.of(account, symbolId, bucketOf(orderId), kind, words, at)
    this.#clientIds.put(key, this.#orderId.bytes)
  }
}

/** The fields of each side of a trade, taker's and maker's. */
const TRADE_SIDES = [
  {
    account: Trade.takerAccount,
    terms: Trade.takerTerms,
    orderId: Trade.takerOrderId,
    filledLots: Trade.takerFilledLots,
    filledAtoms: Trade.takerFilledAtoms,
    commissionAtoms: Trade.takerCommissionAtoms,
  },
  {
    account: Trade.makerAccount,
    terms: Trade.makerTerms,
    orderId: Trade.makerOrderId,
    filledLots: Trade.makerFilledLots,
    filledAtoms: Trade.makerFilledAtoms,
    commissionAtoms: Trade.makerCommissionAtoms,
  },
] as const

const PREVENTED_SIDES = [
  {
    account: MatchPrevented.takerAccount,
    orderId: MatchPrevented.takerOrderId,
    preventedLots: MatchPrevented.takerPreventedLots,
  },
  {
    account: MatchPrevented.makerAccount,
    orderId: MatchPrevented.makerOrderId,
    preventedLots: MatchPrevented.makerPreventedLots,
  },
] as const

function copyId(from: Int32Array, at: number, to: Int32Array, toAt: number): void {
  for (let i = 0; i < 8; i++) to[toAt + i] = from[at + i]!
}
