/**
 * Journal events → rows of the archive's tables. Driven by the archivist within one transaction at a
 * time; reads nothing but the events and its own rows, so folding the journals again gives
 * the same tables, but for the salt of client order ids. Runs on the archivist's thread at the rate of
 * all matchers together, so it makes no object for an event (bench `journal`, archive drain). What an
 * event says of an order is what layout/order-fold.ts reads.
 */
import { isDetailed, OrderPhase, OrderStatus, Side, sideOf } from '../base/codes.ts'
import type { Environment, Table } from '../journal/environment.ts'
import {
  DetailsSection,
  EventHeader,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  PreventionSection,
  Trade,
} from '../layout/accessors.gen.ts'
import { OrderFold, OrderSide } from '../layout/order-fold.ts'
import { RecordBuffer, recordLength, recordType } from '../layout/record-buffer.ts'
import { RecordType } from '../layout/records.gen.ts'
import { Activity } from './activity.ts'
import { ClientIdWriter, IdKind } from './client-ids.ts'
import type { IdHash } from './id-hash.ts'
import { MarketProjection } from './market-projection.ts'
import { OrderBatch } from './order-batch.ts'
import { RareProjection } from './rare-projection.ts'
import { OrderPartKey } from './rare-tables.ts'
import {
  copyId,
  FILL_MARK,
  FILL_MARK_EVERY,
  OrderValue,
  OwnedKey,
  TableName,
  TradeFlag,
  TradeValue,
} from './tables.ts'
import { TrailingStarts } from './trailing-starts.ts'
import { type Valuation, VolumeWriter } from './volumes.ts'

export class Projection {
  readonly orders: OrderBatch
  readonly activity: Activity
  readonly #trades: Table
  readonly #fillMarks: Table
  readonly #market: MarketProjection
  readonly #clientIds: ClientIdWriter
  readonly #tradeKey = new OwnedKey()
  readonly #markKey = new OrderPartKey()
  readonly #trade = RecordBuffer.allocate(TradeValue.bytes)
  readonly #rare: RareProjection
  readonly #trailing: TrailingStarts
  readonly #volumes: VolumeWriter
  #unwritten = false
  /** The order that the event at hand is about. */
  readonly #order = new OrderFold()

  constructor(environment: Environment, valuation: Valuation, hash: IdHash) {
    this.activity = new Activity(environment)
    this.#volumes = new VolumeWriter(environment, valuation)
    this.#rare = new RareProjection(environment, hash)
    this.#trailing = new TrailingStarts(environment)
    this.orders = new OrderBatch(environment.table(TableName.ORDERS))
    this.#trades = environment.table(TableName.TRADES)
    this.#fillMarks = environment.table(TableName.FILL_MARKS)
    this.#market = new MarketProjection(environment)
    this.#clientIds = new ClientIdWriter(environment.table(TableName.CLIENT_IDS), hash)
  }

  /** What is listed, and counted in, from the next event on. */
  setValuation(valuation: Valuation): void {
    this.#volumes.setValuation(valuation)
  }

  /** Before a transaction's first events: what one that failed had in memory is forgotten. */
  begin(): void {
    this.orders.clear()
    this.#clientIds.clear()
    if (this.#unwritten) this.reset()
    this.#unwritten = true
  }

  /** After its last events, still within it. */
  store(): void {
    this.orders.store()
    this.#clientIds.store()
    this.#market.store()
    this.activity.store()
    this.#volumes.store()
  }

  /** The transaction was written. */
  written(): void {
    this.#unwritten = false
  }

  /**
   * Folds the events in records[start .. end). Returns how many there were. Throws ArchiveDamage when
   * they do not follow what was folded before.
   */
  fold(records: RecordBuffer, start: number, end: number): number {
    let count = 0
    for (let at = start; at < end; at += recordLength(records, at)) {
      const type = recordType(records, at)
      if (type === RecordType.Trade) this.#traded(records, at)
      else if (this.#order.read(records, at)) this.#changed(type, records, at)
      else if (type === RecordType.MatchPrevented) this.#rare.prevented(records, at)
      else if (type === RecordType.OrderListChanged) this.#rare.listChanged(records, at)
      count++
    }
    return count
  }

  /** Takes what the tables have for what is so: after they were emptied, or a failure. */
  reset(): void {
    this.#market.forget()
    this.#trailing.load()
    this.activity.load()
    this.#volumes.forget()
  }

  /** An event of one order: its row is what the event says of it. */
  #changed(type: number, records: RecordBuffer, at: number): void {
    const { account, symbolId, orderId } = this.#order
    const isNew = type === OrderAccepted.type
    const place = isNew
      ? this.orders.add(account, symbolId, orderId)
      : this.orders.find(account, symbolId, orderId)
    this.#keep(place, records)
    this.#keepIds(place, records)
    if (this.#order.detailsAt >= 0) this.#keepDetails(type, records)
    if (isNew) this.#accepted(records)
    else if (type === OrderClosed.type) this.#closed(records)
    else if (type === OrderAmended.type) this.#amended(records, at)
  }

  /** What every event says of an order, but for its client ids. */
  #keep(place: number, records: RecordBuffer): void {
    const order = this.#order
    const { values } = this.orders
    const row = OrderBatch.double(place, 0)
    const words = OrderBatch.word(place, 0)
    values.f64[row + OrderValue.priceTicks] = order.priceTicks
    values.f64[row + OrderValue.lots] = order.lots
    values.f64[row + OrderValue.quoteAtoms] = order.quoteAtoms
    values.f64[row + OrderValue.filledLots] = order.filledLots
    values.f64[row + OrderValue.filledAtoms] = order.filledAtoms
    values.f64[row + OrderValue.preventedLots] = order.preventedLots
    values.f64[row + OrderValue.createdMs] = order.createdMs
    values.f64[row + OrderValue.updatedMs] = order.updatedMs
    values.i32[words + OrderValue.statusWord] = order.status | (order.reason << 8)
    values.i32[words + OrderValue.termsWord] = order.terms
    if (order.preventionAt < 0) return
    values.f64[row + OrderValue.preventedMatchIdPlusOne] =
      PreventionSection.preventedMatchId(records, order.preventionAt) + 1
  }

  #keepIds(place: number, { i32 }: RecordBuffer): void {
    const { idAt, ownIdAt } = this.#order
    const { values } = this.orders
    const words = OrderBatch.word(place, 0)
    copyId(i32, idAt, values.i32, words + OrderValue.clientOrderIdWord)
    copyId(i32, ownIdAt, values.i32, words + OrderValue.ownClientOrderIdWord)
  }

  #keepDetails(type: number, records: RecordBuffer): void {
    const { account, symbolId, orderId, detailsAt, phase, terms } = this.#order
    this.#rare.details(this.#order, records)
    const awaitsStart =
      type !== OrderClosed.type &&
      phase === OrderPhase.UNTRIGGERED &&
      DetailsSection.trailingDelta(records, detailsAt) !== 0 &&
      DetailsSection.trailingMs(records, detailsAt) < 0
    if (!awaitsStart) this.#trailing.remove(symbolId, orderId)
    else {
      const stopTicks = DetailsSection.stopTicks(records, detailsAt)
      this.#trailing.add(account, symbolId, orderId, terms, stopTicks)
    }
  }

  #accepted({ i32 }: RecordBuffer): void {
    const { account, symbolId, orderId, terms, createdMs, idAt } = this.#order
    this.#clientIds.add(account, symbolId, orderId, IdKind.OWN, i32, idAt)
    this.activity.placed(account, symbolId, terms, createdMs)
  }

  #closed({ i32 }: RecordBuffer): void {
    const { account, symbolId, orderId, terms, status, createdMs, idAt } = this.#order
    this.activity.closed(account, symbolId, terms, status as OrderStatus, createdMs)
    if (status !== OrderStatus.CANCELED) return
    this.#clientIds.add(account, symbolId, orderId, IdKind.CANCEL, i32, idAt)
  }

  /** It has the new id from now on, and is not found by the old one. */
  #amended(records: RecordBuffer, at: number): void {
    const { account, symbolId, orderId, idAt } = this.#order
    this.#clientIds.add(account, symbolId, orderId, IdKind.OWN, records.i32, idAt)
    this.#rare.amended(records, at)
  }

  #traded(records: RecordBuffer, at: number): void {
    this.#filled(records, at, OrderSide.TAKER)
    this.#filled(records, at, OrderSide.MAKER)
    this.#market.traded(records, at)
    this.#valued(records, at)
    if (this.#trailing.awaitedOn(EventHeader.symbolId(records, at))) {
      this.#startTracking(records, at)
    }
  }

  #valued(records: RecordBuffer, at: number): void {
    this.#volumes.traded(
      EventHeader.symbolId(records, at),
      Trade.takerAccount(records, at),
      Trade.makerAccount(records, at),
      Trade.priceTicks(records, at),
      Trade.quoteAtoms(records, at),
      EventHeader.timeMs(records, at),
    )
  }

  #startTracking(records: RecordBuffer, at: number): void {
    const symbolId = EventHeader.symbolId(records, at)
    const timeMs = EventHeader.timeMs(records, at)
    this.#trailing.traded(symbolId, Trade.priceTicks(records, at), (account, orderId) =>
      this.#rare.tracked(account, symbolId, orderId, timeMs),
    )
  }

  /** One side of a Trade. */
  #filled(records: RecordBuffer, at: number, side: OrderSide): void {
    const order = this.#order
    order.read(records, at, side)
    const { account, symbolId, orderId, terms } = order
    const { f64 } = this.orders.values
    const tradeId = Trade.tradeId(records, at)
    const place = this.orders.find(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)
    const lastTradeId = f64[row + OrderValue.lastTradeId]!
    this.#keep(place, records)

    const trade = this.#trade.f64
    trade[TradeValue.orderId] = orderId
    trade[TradeValue.priceTicks] = Trade.priceTicks(records, at)
    trade[TradeValue.lots] = Trade.tradeLots(records, at)
    trade[TradeValue.quoteAtoms] = Trade.quoteAtoms(records, at)
    trade[TradeValue.commissionAtoms] = order.commissionAtoms
    trade[TradeValue.timeMs] = order.updatedMs
    trade[TradeValue.previousTradeId] = lastTradeId
    this.#trade.i32[TradeValue.flagsWord] =
      (sideOf(terms) === Side.BUY ? TradeFlag.BUYER : 0) |
      (isDetailed(terms) ? TradeFlag.DETAILED : 0)
    this.#trade.i32[TradeValue.commissionAssetWord] = order.commissionAssetId + 1
    this.#trades.put(this.#tradeKey.of(account, symbolId, tradeId * 2 + side), this.#trade.bytes)

    if (lastTradeId === 0) this.activity.filled(account, symbolId, order.createdMs)
    f64[row + OrderValue.lastTradeId] = tradeId
    const fills = f64[row + OrderValue.fills]! + 1
    f64[row + OrderValue.fills] = fills
    if (fills % FILL_MARK_EVERY === 0) {
      this.#fillMarks.put(this.#markKey.of(account, symbolId, orderId, tradeId), FILL_MARK)
    }
  }
}
