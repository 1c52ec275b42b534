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
import {
  EventHeader,
  MatchPrevented,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderDetails,
  Trade,
  TradeCommission,
  TurnEvent,
  WholeOrderEvent,
} from '../layout/accessors.gen.ts'
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
        this.#commissionsAt[TradeCommission.isMaker(records, at)] = at
        break
      case RecordType.MatchPrevented:
        this.#losing(records, at, 0)
        this.#losing(records, at, 1)
        this.#rare.prevented(records, at)
        break
      case RecordType.OrderTriggered:
        this.#began(records, at, OrderPhase.WORKING)
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
    const account = OrderAccepted.account(records, at)
    const symbolId = EventHeader.symbolId(records, at)
    const orderId = OrderAccepted.orderId(records, at)
    const timeMs = EventHeader.timeMs(records, at)
    const { values } = this.orders
    const place = this.orders.add(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.priceTicks] = OrderAccepted.priceTicks(records, at)
    values.f64[row + OrderValue.lots] = OrderAccepted.lots(records, at)
    values.f64[row + OrderValue.quoteAtoms] = OrderAccepted.quoteAtoms(records, at)
    values.f64[row + OrderValue.createdMs] = timeMs
    values.f64[row + OrderValue.updatedMs] = timeMs
    const words = OrderBatch.word(place, 0)
    const terms = OrderAccepted.terms(records, at)
    values.i32[words + OrderValue.termsWord] = terms
    if (isDetailed(terms)) {
      const phase = this.#phaseBefore(records)
      if (phase === OrderPhase.PENDING) {
        values.i32[words + OrderValue.statusWord] = OrderStatus.PENDING_NEW
      }
      this.#enter(records, at, phase)
    }
    const id = OrderAccepted.clientOrderIdAt(at)
    copyId(records.i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    copyId(records.i32, id, values.i32, words + OrderValue.ownClientOrderIdWord)
    this.#clientIds.add(account, symbolId, orderId, IdKind.OWN, records.i32, id)
    this.activity.placed(account, symbolId, terms, timeMs)
  }

  #traded(records: RecordBuffer, at: number): void {
    this.#filled(records, at, 0)
    this.#filled(records, at, 1)
    this.#market.traded(records, at)
    this.#valued(records, at)
    const symbolId = EventHeader.symbolId(records, at)
    this.#commissionsAt[0] = -1
    this.#commissionsAt[1] = -1
    if (this.#trailing.awaitedOn(symbolId)) this.#startTracking(records, at)
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

  /** The taker's side of a Trade, or, with isMaker = 1, the maker's. */
  #filled(records: RecordBuffer, at: number, isMaker: 0 | 1): void {
    const from = TRADE_SIDES[isMaker]
    const account = from.account(records, at)
    const symbolId = EventHeader.symbolId(records, at)
    const orderId = from.orderId(records, at)
    const tradeId = Trade.tradeId(records, at)
    const timeMs = EventHeader.timeMs(records, at)
    const order = this.orders.values
    const place = this.orders.find(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)

    const trade = this.#trade.f64
    trade[TradeValue.orderId] = orderId
    trade[TradeValue.priceTicks] = Trade.priceTicks(records, at)
    trade[TradeValue.lots] = Trade.tradeLots(records, at)
    trade[TradeValue.quoteAtoms] = Trade.quoteAtoms(records, at)
    trade[TradeValue.commissionAtoms] = from.commissionAtoms(records, at)
    trade[TradeValue.timeMs] = timeMs
    trade[TradeValue.previousTradeId] = order.f64[row + OrderValue.lastTradeId]!
    const terms = from.terms(records, at)
    this.#trade.i32[TradeValue.flagsWord] =
      (sideOf(terms) === Side.BUY ? TradeFlag.BUYER : 0) |
      (isDetailed(terms) ? TradeFlag.DETAILED : 0)
    this.#trade.i32[TradeValue.commissionAssetWord] = 0
    if (this.#commissionsAt[isMaker]! >= 0) this.#paidOtherwise(records, isMaker)
    this.#trades.put(this.#tradeKey.of(account, symbolId, tradeId * 2 + isMaker), this.#trade.bytes)

    if (order.f64[row + OrderValue.lastTradeId] === 0) {
      this.activity.filled(account, symbolId, order.f64[row + OrderValue.createdMs]!)
    }
    const filledLots = from.filledLots(records, at)
    order.f64[row + OrderValue.filledLots] = filledLots
    order.f64[row + OrderValue.filledAtoms] = from.filledAtoms(records, at)
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
    this.#trade.f64[TradeValue.commissionAtoms] = TradeCommission.atoms(records, at)
    this.#trade.i32[TradeValue.commissionAssetWord] = TradeCommission.assetId(records, at) + 1
  }

  #closed(records: RecordBuffer, at: number): void {
    const account = OrderClosed.account(records, at)
    const symbolId = EventHeader.symbolId(records, at)
    const orderId = OrderClosed.orderId(records, at)
    const status = OrderClosed.status(records, at)
    const { values } = this.orders
    const place = this.orders.find(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.filledLots] = OrderClosed.filledLots(records, at)
    values.f64[row + OrderValue.filledAtoms] = OrderClosed.filledAtoms(records, at)
    values.f64[row + OrderValue.preventedLots] = OrderClosed.preventedLots(records, at)
    values.f64[row + OrderValue.updatedMs] = EventHeader.timeMs(records, at)
    const words = OrderBatch.word(place, 0)
    values.i32[words + OrderValue.statusWord] = status | (OrderClosed.reason(records, at) << 8)
    const terms = OrderClosed.terms(records, at)
    const placedMs = values.f64[row + OrderValue.createdMs]!
    this.activity.closed(account, symbolId, terms, status as OrderStatus, placedMs)
    if (isDetailed(terms)) {
      values.i32[words + OrderValue.termsWord] = terms
      this.#trailing.remove(symbolId, orderId)
      this.#keepDetails(records, orderId)
    }
    if (status !== OrderStatus.CANCELED) return
    const id = OrderClosed.clientOrderIdAt(at)
    copyId(records.i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    this.#clientIds.add(account, symbolId, orderId, IdKind.CANCEL, records.i32, id)
  }

  /** A pending leg goes live: it works, or, a stop, waits for its trigger. */
  #released(records: RecordBuffer, at: number): void {
    const waits = isStopType(typeOf(TurnEvent.terms(records, at)))
    this.#began(records, at, waits ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING)
  }

  /** A waiting order begins its turn; from then on it is in `phase`. */
  #began(records: RecordBuffer, at: number, phase: OrderPhase): void {
    const account = TurnEvent.account(records, at)
    const symbolId = EventHeader.symbolId(records, at)
    const orderId = TurnEvent.orderId(records, at)
    const { values } = this.orders
    const place = this.orders.find(account, symbolId, orderId)
    const timeMs = EventHeader.timeMs(records, at)
    values.f64[OrderBatch.double(place, OrderValue.updatedMs)] = timeMs
    values.i32[OrderBatch.word(place, OrderValue.statusWord)] = OrderStatus.NEW
    this.#enter(records, at, phase)
  }

  /** The details before the event at `at`, which accepts the order or begins its turn, in `phase`. */
  #enter(records: RecordBuffer, at: number, phase: OrderPhase): void {
    const detailsAt = this.#detailsAt
    if (detailsAt < 0) return
    this.#detailsAt = -1
    const timeMs = EventHeader.timeMs(records, at)
    this.#rare.details(records, detailsAt, phase, phase === OrderPhase.WORKING ? timeMs : -1)
    const symbolId = EventHeader.symbolId(records, at)
    const orderId = OrderDetails.orderId(records, detailsAt)
    const trails = OrderDetails.trailingDelta(records, detailsAt) !== 0
    const tracks = OrderDetails.trailingMs(records, detailsAt) >= 0
    if (!trails || tracks || phase !== OrderPhase.UNTRIGGERED) {
      this.#trailing.remove(symbolId, orderId)
      return
    }
    const terms = WholeOrderEvent.terms(records, at)
    const account = OrderDetails.account(records, detailsAt)
    const stopTicks = OrderDetails.stopTicks(records, detailsAt)
    this.#trailing.add(account, symbolId, orderId, terms, stopTicks)
  }

  #phaseBefore(records: RecordBuffer): OrderPhase {
    if (this.#detailsAt < 0) return OrderPhase.WORKING
    return OrderDetails.phase(records, this.#detailsAt) as OrderPhase
  }

  /** The details before an event that changes or ends an order, if it is they that came last. */
  #keepDetails(records: RecordBuffer, orderId: number): void {
    const at = this.#detailsAt
    if (at < 0 || OrderDetails.orderId(records, at) !== orderId) return
    this.#detailsAt = -1
    const phase = OrderDetails.phase(records, at)
    this.#rare.details(records, at, phase, OrderDetails.workingMs(records, at))
  }

  /** It has the new id from now on, and is not found by the old one. */
  #amended(records: RecordBuffer, at: number): void {
    const account = OrderAmended.account(records, at)
    const symbolId = EventHeader.symbolId(records, at)
    const orderId = OrderAmended.orderId(records, at)
    const { values } = this.orders
    const place = this.orders.find(account, symbolId, orderId)
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.lots] = OrderAmended.lots(records, at)
    values.f64[row + OrderValue.updatedMs] = EventHeader.timeMs(records, at)
    const words = OrderBatch.word(place, 0)
    values.i32[words + OrderValue.termsWord] = OrderAmended.terms(records, at)
    const id = OrderAmended.clientOrderIdAt(at)
    copyId(records.i32, id, values.i32, words + OrderValue.clientOrderIdWord)
    copyId(records.i32, id, values.i32, words + OrderValue.ownClientOrderIdWord)
    this.#clientIds.add(account, symbolId, orderId, IdKind.OWN, records.i32, id)
    this.#keepDetails(records, orderId)
    this.#rare.amended(records, at)
  }

  #decremented(records: RecordBuffer, at: number): void {
    const orderId = OrderDecremented.orderId(records, at)
    const { values } = this.orders
    const place = this.orders.find(
      OrderDecremented.account(records, at),
      EventHeader.symbolId(records, at),
      orderId,
    )
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.preventedLots] = OrderDecremented.preventedLots(records, at)
    values.f64[row + OrderValue.updatedMs] = EventHeader.timeMs(records, at)
    values.i32[OrderBatch.word(place, OrderValue.termsWord)] = OrderDecremented.terms(records, at)
    this.#keepDetails(records, orderId)
  }

  /** What one side of a MatchPrevented lost, if anything. */
  #losing(records: RecordBuffer, at: number, isMaker: 0 | 1): void {
    const from = PREVENTED_SIDES[isMaker]
    const lots = from.preventedLots(records, at)
    if (lots === 0) return
    const { values } = this.orders
    const place = this.orders.find(
      from.account(records, at),
      EventHeader.symbolId(records, at),
      from.orderId(records, at),
    )
    const row = OrderBatch.double(place, 0)
    values.f64[row + OrderValue.preventedLots]! += lots
    values.f64[row + OrderValue.preventedMatchIdPlusOne] =
      MatchPrevented.preventedMatchId(records, at) + 1
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
