/**
 * Journal events → rows of the archive's tables. Driven by the archivist within one transaction at a
 * time; reads nothing but the events and what it wrote before, so folding the journals anew gives
 * the same tables, but for the salt of client order ids. Runs on the archivist's thread at the rate of
 * all matchers together: it works on offsets, without making an object per event (bench `journal`,
 * archive drain).
 */
import {
  isDetailed,
  isStopType,
  OrderPhase,
  OrderStatus,
  Side,
  sideOf,
  typeOf,
} from '../base/codes.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { RecordBuffer, recordLength, recordType } from '../layout/record-buffer.ts'
import {
  EventHeader,
  MatchPrevented,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderDetails,
  OrderReleased,
  OrderTriggered,
  RecordType,
  Trade,
  TradeCommission,
} from '../layout/records.gen.ts'
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
  /** Where the last OrderDetails stands that was not used up; -1 when there is none. */
  #detailsAt = -1
  /** Where the commissions of the trade that follows stand, taker's and maker's; -1 for none. */
  readonly #commissionsAt = [-1, -1]

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
  value(valuation: Valuation): void {
    this.#volumes.value(valuation)
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
   * Folds the events in records[start .. end). Answers how many there were. Throws ArchiveDamage when
   * they do not follow what was folded before.
   */
  fold(records: RecordBuffer, start: number, end: number): number {
    let count = 0
    this.#detailsAt = -1
    for (let at = start; at < end; at += recordLength(records, at)) {
      const type = recordType(records, at)
      if (type === RecordType.OrderAccepted) this.#accepted(records, at)
      else if (type === RecordType.Trade) this.#traded(records, at)
      else if (type === RecordType.OrderClosed) this.#closed(records, at)
      else if (type !== RecordType.OrderRested) this.#rareEvent(type, records, at)
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

  #rareEvent(type: number, records: RecordBuffer, at: number): void {
    switch (type) {
      case RecordType.OrderDetails:
        this.#detailsAt = at
        break
      case RecordType.TradeCommission:
        this.#commissionsAt[records.i32[(at >> 2) + TradeCommission.isMaker]!] = at
        break
      case RecordType.MatchPrevented:
        this.#losing(records, at, 0)
        this.#losing(records, at, 1)
        this.#rare.prevented(records, at)
        break
      case RecordType.OrderTriggered:
        this.#began(records, at, OrderTriggered, OrderPhase.WORKING)
        break
      case RecordType.OrderReleased:
        this.#released(records, at)
        break
      case RecordType.OrderAmended:
        this.#amended(records, at)
        break
      case RecordType.OrderDecremented:
        this.#decremented(records, at)
        break
      case RecordType.OrderListChanged:
        this.#rare.listChanged(records, at)
        break
    }
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
    const terms = i32[word + OrderAccepted.terms]!
    values.i32[words + OrderValue.termsWord] = terms
    if (isDetailed(terms)) {
      const phase = this.#phaseBefore(records)
      if (phase === OrderPhase.PENDING) {
        values.i32[words + OrderValue.statusWord] = OrderStatus.PENDING_NEW
      }
      this.#enter(records, at, phase)
    }
    const id = word + OrderAccepted.clientOrderId
    copyId(i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    copyId(i32, id, values.i32, words + OrderValue.ownClientOrderIdWord)
    this.#clientIds.add(account, symbolId, orderId, IdKind.OWN, i32, id)
    this.activity.placed(account, symbolId, terms, timeMs)
  }

  #traded(records: RecordBuffer, at: number): void {
    this.#filled(records, at, 0)
    this.#filled(records, at, 1)
    this.#market.traded(records, at)
    this.#valued(records, at)
    const symbolId = records.i32[(at >> 2) + EventHeader.symbolId]!
    this.#commissionsAt[0] = -1
    this.#commissionsAt[1] = -1
    if (this.#trailing.awaitedOn(symbolId)) this.#startTracking(records, at)
  }

  #valued({ i32, f64 }: RecordBuffer, at: number): void {
    this.#volumes.traded(
      i32[(at >> 2) + EventHeader.symbolId]!,
      i32[(at >> 2) + Trade.takerAccount]!,
      i32[(at >> 2) + Trade.makerAccount]!,
      f64[(at >> 3) + Trade.priceTicks]!,
      f64[(at >> 3) + Trade.quoteAtoms]!,
      f64[(at >> 3) + EventHeader.timeMs]!,
    )
  }

  #startTracking({ i32, f64 }: RecordBuffer, at: number): void {
    const symbolId = i32[(at >> 2) + EventHeader.symbolId]!
    const timeMs = f64[(at >> 3) + EventHeader.timeMs]!
    this.#trailing.traded(symbolId, f64[(at >> 3) + Trade.priceTicks]!, (account, orderId) =>
      this.#rare.tracked(account, symbolId, orderId, timeMs),
    )
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
    trade[TradeValue.quoteAtoms] = f64[double + Trade.quoteAtoms]!
    trade[TradeValue.commissionAtoms] = f64[double + from.commissionAtoms]!
    trade[TradeValue.timeMs] = timeMs
    trade[TradeValue.previousTradeId] = order.f64[row + OrderValue.lastTradeId]!
    const terms = i32[word + from.terms]!
    this.#trade.i32[TradeValue.flagsWord] =
      (sideOf(terms) === Side.BUY ? TradeFlag.BUYER : 0) |
      (isDetailed(terms) ? TradeFlag.DETAILED : 0)
    this.#trade.i32[TradeValue.commissionAssetWord] = 0
    if (this.#commissionsAt[isMaker]! >= 0) this.#paidOtherwise(records, isMaker)
    this.#trades.put(this.#tradeKey.of(account, symbolId, tradeId * 2 + isMaker), this.#trade.bytes)

    if (order.f64[row + OrderValue.lastTradeId] === 0) {
      this.activity.filled(account, symbolId, order.f64[row + OrderValue.createdMs]!)
    }
    const filledLots = f64[double + from.filledLots]!
    order.f64[row + OrderValue.filledLots] = filledLots
    order.f64[row + OrderValue.filledAtoms] = f64[double + from.filledAtoms]!
    order.f64[row + OrderValue.updatedMs] = timeMs
    order.f64[row + OrderValue.lastTradeId] = tradeId
    const fills = order.f64[row + OrderValue.fills]! + 1
    order.f64[row + OrderValue.fills] = fills
    if (fills % FILL_MARK_EVERY === 0) {
      this.#fillMarks.put(this.#markKey.of(account, symbolId, orderId, tradeId), FILL_MARK)
    }
    order.i32[OrderBatch.word(place, OrderValue.statusWord)] =
      filledLots + order.f64[row + OrderValue.preventedLots]! === order.f64[row + OrderValue.lots]!
        ? OrderStatus.FILLED
        : OrderStatus.PARTIALLY_FILLED
  }

  /** A side's commission in an asset that it does not receive. */
  #paidOtherwise(records: RecordBuffer, isMaker: 0 | 1): void {
    const at = this.#commissionsAt[isMaker]!
    this.#trade.f64[TradeValue.commissionAtoms] = records.f64[(at >> 3) + TradeCommission.atoms]!
    this.#trade.i32[TradeValue.commissionAssetWord] =
      records.i32[(at >> 2) + TradeCommission.assetId]! + 1
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
    const terms = i32[word + OrderClosed.terms]!
    const placedMs = values.f64[row + OrderValue.createdMs]!
    this.activity.closed(account, symbolId, terms, status as OrderStatus, placedMs)
    if (isDetailed(terms)) {
      values.i32[words + OrderValue.termsWord] = terms
      this.#trailing.remove(symbolId, orderId)
      this.#keepDetails(records, orderId)
    }
    if (status !== OrderStatus.CANCELED) return
    const id = word + OrderClosed.clientOrderId
    copyId(i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    this.#clientIds.add(account, symbolId, orderId, IdKind.CANCEL, i32, id)
  }

  /** A pending leg goes live: it works, or, a stop, waits for its trigger. */
  #released(records: RecordBuffer, at: number): void {
    const waits = isStopType(typeOf(records.i32[(at >> 2) + OrderReleased.terms]!))
    this.#began(records, at, OrderReleased, waits ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING)
  }

  /** A waiting order begins its turn; from then on it is in `phase`. */
  #began(
    records: RecordBuffer,
    at: number,
    from: typeof OrderTriggered | typeof OrderReleased,
    phase: OrderPhase,
  ): void {
    const { i32, f64 } = records
    const account = i32[(at >> 2) + from.account]!
    const symbolId = i32[(at >> 2) + EventHeader.symbolId]!
    const orderId = f64[(at >> 3) + from.orderId]!
    const { values } = this.orders
    const place = this.orders.find(account, symbolId, orderId)
    const timeMs = f64[(at >> 3) + EventHeader.timeMs]!
    values.f64[OrderBatch.double(place, OrderValue.updatedMs)] = timeMs
    values.i32[OrderBatch.word(place, OrderValue.statusWord)] = OrderStatus.NEW
    this.#enter(records, at, phase)
  }

  /** The details before the event at `at`, which accepts the order or begins its turn, in `phase`. */
  #enter(records: RecordBuffer, at: number, phase: OrderPhase): void {
    const { i32, f64 } = records
    const detailsAt = this.#detailsAt
    if (detailsAt < 0) return
    this.#detailsAt = -1
    const timeMs = f64[(at >> 3) + EventHeader.timeMs]!
    this.#rare.details(records, detailsAt, phase, phase === OrderPhase.WORKING ? timeMs : -1)
    const symbolId = i32[(at >> 2) + EventHeader.symbolId]!
    const orderId = f64[(detailsAt >> 3) + OrderDetails.orderId]!
    const trails = i32[(detailsAt >> 2) + OrderDetails.trailingDelta]! !== 0
    const tracks = f64[(detailsAt >> 3) + OrderDetails.trailingMs]! >= 0
    if (!trails || tracks || phase !== OrderPhase.UNTRIGGERED) {
      this.#trailing.remove(symbolId, orderId)
      return
    }
    // The three records that bring an order here have its terms at the same place.
    const terms = i32[(at >> 2) + OrderAccepted.terms]!
    const account = i32[(detailsAt >> 2) + OrderDetails.account]!
    const stopTicks = f64[(detailsAt >> 3) + OrderDetails.stopTicks]!
    this.#trailing.add(account, symbolId, orderId, terms, stopTicks)
  }

  #phaseBefore(records: RecordBuffer): OrderPhase {
    if (this.#detailsAt < 0) return OrderPhase.WORKING
    return records.i32[(this.#detailsAt >> 2) + OrderDetails.phase]! as OrderPhase
  }

  /** The details before an event that changes or ends an order, if it is they that came last. */
  #keepDetails(records: RecordBuffer, orderId: number): void {
    const at = this.#detailsAt
    if (at < 0 || records.f64[(at >> 3) + OrderDetails.orderId] !== orderId) return
    this.#detailsAt = -1
    const phase = records.i32[(at >> 2) + OrderDetails.phase]!
    this.#rare.details(records, at, phase, records.f64[(at >> 3) + OrderDetails.workingMs]!)
  }

  /** It has the new id from now on, and is not found by the old one. */
  #amended(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const account = i32[word + OrderAmended.account]!
    const symbolId = i32[word + EventHeader.symbolId]!
    const orderId = f64[double + OrderAmended.orderId]!
    const { values } = this.orders
    const place = this.orders.find(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.lots] = f64[double + OrderAmended.lots]!
    values.f64[row + OrderValue.updatedMs] = f64[double + EventHeader.timeMs]!
    const words = OrderBatch.word(place, 0)
    values.i32[words + OrderValue.termsWord] = i32[word + OrderAmended.terms]!
    const id = word + OrderAmended.clientOrderId
    copyId(i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    copyId(i32, id, values.i32, words + OrderValue.ownClientOrderIdWord)
    this.#clientIds.add(account, symbolId, orderId, IdKind.OWN, i32, id)
    this.#keepDetails(records, orderId)
    this.#rare.amended(records, at)
  }

  #decremented(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const orderId = f64[double + OrderDecremented.orderId]!
    const { values } = this.orders
    const place = this.orders.find(
      i32[word + OrderDecremented.account]!,
      i32[word + EventHeader.symbolId]!,
      orderId,
    )
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.preventedLots] = f64[double + OrderDecremented.preventedLots]!
    values.f64[row + OrderValue.updatedMs] = f64[double + EventHeader.timeMs]!
    values.i32[OrderBatch.word(place, OrderValue.termsWord)] = i32[word + OrderDecremented.terms]!
    this.#keepDetails(records, orderId)
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
