/**
 * Journal events → rows of the archive's tables. Driven by the indexer within one transaction at a
 * time; reads nothing but the events and its own rows, so applying the journals again gives
 * the same tables, except the salt of client order ids. Runs on the indexer's thread at the rate of
 * all matchers together, so it makes no object for an event (bench `archive`). What an
 * event has of an order is what layout/order-view.ts reads.
 */
import { isDetailed, OrderPhase, OrderStatus, Side, sideOf } from '../base/codes.ts'
import { type OrderId, TradeId } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import {
  Allocation,
  DetailsSection,
  EventHeader,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  PreventionSection,
  Trade,
} from '../layout/accessors.gen.ts'
import { OrderPartKey } from '../layout/keys.gen.ts'
import { OrderSide, OrderView } from '../layout/order-view.ts'
import {
  type RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
} from '../layout/record-buffer.ts'
import { FLAG_AUCTION, RecordType } from '../layout/records.gen.ts'
import { AllocationValue, OrderValue, TradeValue } from '../layout/rows.gen.ts'
import { Activity } from './activity.ts'
import { ClientIdWriter } from './client-id-writer.ts'
import { IdKind } from './client-ids.ts'
import type { IdHash } from './id-hash.ts'
import { MarketProjection } from './market-projection.ts'
import { RareProjection } from './rare-projection.ts'
import { allocationRows, orderRows, ownerOf, tradeRows } from './row-form.ts'
import { ArchiveDamage, RowWriter } from './row-writer.ts'
import { FILL_MARK_EVERY, fillOf, PRESENT, stateOf, TableName, TradeFlag } from './tables.ts'
import { TrailingStarts } from './trailing-starts.ts'
import { type Valuation, VolumeWriter } from './volumes.ts'
import { WalletProjection } from './wallet.ts'

/** Chunks of allocations in memory: few orders are routed. */
const ALLOCATION_CHUNKS_MAX = 64

export class Projection {
  readonly activity: Activity
  private readonly orders: RowWriter
  private readonly trades: RowWriter
  private readonly allocations: RowWriter
  private readonly allocationsOfOrder: Table
  private readonly fillMarks: Table
  private readonly market: MarketProjection
  private readonly clientIds: ClientIdWriter
  private readonly markKey = new OrderPartKey()
  private readonly rare: RareProjection
  private readonly trailing: TrailingStarts
  private readonly volumes: VolumeWriter
  private readonly wallet: WalletProjection
  private unwritten = false
  /** The order that the event at hand is about. */
  private readonly order = new OrderView()

  constructor(environment: Environment, valuation: Valuation, hash: IdHash) {
    this.activity = new Activity(environment)
    this.volumes = new VolumeWriter(environment, valuation)
    this.rare = new RareProjection(environment, hash)
    this.wallet = new WalletProjection(environment)
    this.trailing = new TrailingStarts(environment)
    this.orders = new RowWriter(environment.table(TableName.ORDERS), orderRows)
    this.trades = new RowWriter(environment.table(TableName.TRADES), tradeRows)
    const allocations = environment.table(TableName.ALLOCATIONS)
    this.allocations = new RowWriter(allocations, allocationRows, ALLOCATION_CHUNKS_MAX)
    this.allocationsOfOrder = environment.table(TableName.ALLOCATIONS_OF_ORDER)
    this.fillMarks = environment.table(TableName.FILL_MARKS)
    this.market = new MarketProjection(environment)
    this.clientIds = new ClientIdWriter(environment, hash)
  }

  /** What is listed, and counted in, from the next event on. */
  setValuation(valuation: Valuation): void {
    this.volumes.setValuation(valuation)
  }

  /** Call it before a transaction's first events: what one that failed had in memory is forgotten. */
  begin(): void {
    if (this.unwritten) this.reset()
    this.unwritten = true
  }

  /** Call it after its last events, still within it. */
  store(): void {
    this.orders.store()
    this.trades.store()
    this.allocations.store()
    this.clientIds.store()
    this.market.store()
    this.activity.store()
    this.volumes.store()
  }

  /** The transaction was written. */
  written(): void {
    this.unwritten = false
  }

  /**
   * Applies the events in records[start .. end). Returns how many there were. Throws ArchiveDamage when
   * they do not follow what was applied before.
   */
  apply(records: RecordBuffer, start: number, end: number): number {
    let count = 0
    for (let at = start; at < end; at += recordLength(records, at)) {
      const type = recordType(records, at)
      if (type === RecordType.Trade) this.traded(records, at)
      else if (type === RecordType.Allocation) this.allocated(records, at)
      else if (this.order.read(records, at)) this.changed(type, records, at)
      else if (type === RecordType.MatchPrevented) this.rare.prevented(records, at)
      else if (type === RecordType.OrderListChanged) this.rare.listChanged(records, at)
      else if (type === RecordType.BlockTrade) this.rare.blockTraded(records, at)
      else if (type === RecordType.PhaseChanged) this.market.phaseChanged(records, at)
      else if (type === RecordType.DepositChanged) this.wallet.depositChanged(records, at)
      else if (type === RecordType.WithdrawalChanged) this.wallet.withdrawalChanged(records, at)
      else if (type === RecordType.FundsMoved) this.wallet.fundsMoved(records, at)
      else if (type === RecordType.ChainChanged) this.wallet.chainChanged(records, at)
      count++
    }
    return count
  }

  /** Trusts the tables' current contents: after they were emptied, or a failure. */
  reset(): void {
    this.forgetRows()
    this.trailing.load()
    this.activity.load()
    this.volumes.forget()
  }

  /** As `reset`, for the tables that retention removes rows from. */
  forgetRows(): void {
    this.orders.forget()
    this.trades.forget()
    this.allocations.forget()
    this.market.forget()
    this.clientIds.forget()
  }

  /** An event of one order: its row is what the event contains of it. */
  private changed(type: number, records: RecordBuffer, at: number): void {
    const { account, symbolId, orderId } = this.order
    const isNew = type === OrderAccepted.type
    const owner = ownerOf(account, symbolId)
    const row = isNew ? this.added(owner, orderId) : this.found(owner, orderId)
    this.keep(row, records)
    this.keepIds(row, records)
    if (this.order.detailsAt >= 0) this.keepDetails(type, records)
    if (isNew) this.accepted(records)
    else if (type === OrderClosed.type) this.closed(records)
    else if (type === OrderAmended.type) this.amended(records, at)
  }

  /** Returns the byte where the row of a new order begins, with what no event contains of it. */
  private added(owner: number, orderId: OrderId): number {
    const row = this.orders.append(owner, orderId)
    const { values } = this.orders
    OrderValue.setPreventedMatchIdPlusOne(values, row, 0)
    OrderValue.setLastTradeId(values, row, TradeId(0))
    OrderValue.setFills(values, row, 0)
    return row
  }

  private found(owner: number, orderId: OrderId): number {
    const row = this.orders.find(owner, orderId)
    if (row >= 0) return row
    const { symbolId } = this.order
    throw new ArchiveDamage(`Order ${orderId} of symbol ${symbolId} is not in the archive.`)
  }

  /** What every event contains of an order, except its client ids, into the row at byte `row`. */
  private keep(row: number, records: RecordBuffer): void {
    const order = this.order
    const { values } = this.orders
    OrderValue.writeWhole(values, row, order)
    OrderValue.setState(values, row, stateOf(order.status, order.reason, order.floor))
    if (order.preventionAt < 0) return
    const preventedMatchId = PreventionSection.preventedMatchId(records, order.preventionAt)
    OrderValue.setPreventedMatchIdPlusOne(values, row, preventedMatchId + 1)
  }

  private keepIds(row: number, { i32 }: RecordBuffer): void {
    const { idAt, ownIdAt } = this.order
    OrderValue.setClientOrderId(this.orders.values, row, i32, idAt)
    OrderValue.setOwnClientOrderId(this.orders.values, row, i32, ownIdAt)
  }

  private keepDetails(type: number, records: RecordBuffer): void {
    const { account, symbolId, orderId, detailsAt, phase, terms } = this.order
    this.rare.details(this.order, records)
    const awaitsStart =
      type !== OrderClosed.type &&
      phase === OrderPhase.UNTRIGGERED &&
      DetailsSection.trailingDelta(records, detailsAt) !== 0 &&
      DetailsSection.trailingMs(records, detailsAt) < 0
    if (!awaitsStart) this.trailing.remove(symbolId, orderId)
    else {
      const stopTicks = DetailsSection.stopTicks(records, detailsAt)
      this.trailing.add(account, symbolId, orderId, terms, stopTicks)
    }
  }

  private accepted({ i32 }: RecordBuffer): void {
    const { account, symbolId, orderId, terms, createdMs, idAt } = this.order
    this.clientIds.add(account, symbolId, orderId, IdKind.OWN, i32, idAt)
    this.activity.placed(account, symbolId, terms, createdMs)
  }

  private closed({ i32 }: RecordBuffer): void {
    const { account, symbolId, orderId, terms, status, createdMs, idAt } = this.order
    this.activity.closed(account, symbolId, terms, status as OrderStatus, createdMs)
    if (status !== OrderStatus.CANCELED) return
    this.clientIds.add(account, symbolId, orderId, IdKind.CANCEL, i32, idAt)
  }

  /** It has the new id from now on, and is not found by the old one. */
  private amended(records: RecordBuffer, at: number): void {
    const { account, symbolId, orderId, idAt } = this.order
    this.clientIds.add(account, symbolId, orderId, IdKind.OWN, records.i32, idAt)
    this.rare.amended(records, at)
  }

  private traded(records: RecordBuffer, at: number): void {
    this.filled(records, at, OrderSide.TAKER)
    this.filled(records, at, OrderSide.MAKER)
    this.market.traded(records, at)
    this.valued(records, at)
    if (this.trailing.awaitedOn(EventHeader.symbolId(records, at))) {
      this.startTracking(records, at)
    }
  }

  private allocated(records: RecordBuffer, at: number): void {
    const order = this.order
    order.read(records, at)
    const { account, symbolId, orderId, terms, updatedMs } = order
    const owner = ownerOf(account, symbolId)
    const row = this.found(owner, orderId)
    const lots = Allocation.allocatedLots(records, at)
    const quoteAtoms = Allocation.quoteAtoms(records, at)
    OrderValue.writeProgress(this.orders.values, row, order)
    OrderValue.setState(this.orders.values, row, stateOf(order.status, order.reason, order.floor))
    if (order.filledLots === lots) this.activity.filled(account, symbolId, order.createdMs)
    const id = Allocation.allocationId(records, at)
    const allocation = this.allocations.append(owner, id + 1)
    const { values } = this.allocations
    AllocationValue.setOrderId(values, allocation, orderId)
    AllocationValue.setPriceUnits(values, allocation, Allocation.priceUnits(records, at))
    AllocationValue.setLots(values, allocation, lots)
    AllocationValue.setQuoteAtoms(values, allocation, quoteAtoms)
    AllocationValue.setCommissionAtoms(values, allocation, order.commissionAtoms)
    AllocationValue.setTimeMs(values, allocation, updatedMs)
    AllocationValue.setIsBuyer(values, allocation, sideOf(terms) === Side.BUY ? 1 : 0)
    AllocationValue.setCommissionAssetIdPlusOne(values, allocation, order.commissionAssetId + 1)
    this.allocationsOfOrder.put(this.markKey.of(account, symbolId, orderId, id + 1), PRESENT)
    this.volumes.allocated(symbolId, account, quoteAtoms, updatedMs)
  }

  private valued(records: RecordBuffer, at: number): void {
    this.volumes.traded(
      EventHeader.symbolId(records, at),
      Trade.takerAccount(records, at),
      Trade.makerAccount(records, at),
      Trade.priceTicks(records, at),
      Trade.quoteAtoms(records, at),
      EventHeader.timeMs(records, at),
    )
  }

  private startTracking(records: RecordBuffer, at: number): void {
    const symbolId = EventHeader.symbolId(records, at)
    const timeMs = EventHeader.timeMs(records, at)
    this.trailing.traded(symbolId, Trade.priceTicks(records, at), (account, orderId) =>
      this.rare.tracked(account, symbolId, orderId, timeMs),
    )
  }

  /** One side of a Trade. */
  private filled(records: RecordBuffer, at: number, side: OrderSide): void {
    const order = this.order
    order.read(records, at, side)
    const { account, symbolId, orderId, terms } = order
    const { values } = this.orders
    const tradeId = Trade.tradeId(records, at)
    const lots = Trade.tradeLots(records, at)
    const owner = ownerOf(account, symbolId)
    const row = this.found(owner, orderId)
    const lastTradeId = OrderValue.lastTradeId(values, row)
    OrderValue.writeProgress(values, row, order)
    OrderValue.setState(values, row, stateOf(order.status, order.reason, order.floor))

    const trade = this.trades.append(owner, fillOf(tradeId, side === OrderSide.MAKER))
    const trades = this.trades.values
    TradeValue.setOrderId(trades, trade, orderId)
    TradeValue.setPriceTicks(trades, trade, Trade.priceTicks(records, at))
    TradeValue.setLots(trades, trade, lots)
    TradeValue.setQuoteAtoms(trades, trade, Trade.quoteAtoms(records, at))
    TradeValue.setCommissionAtoms(trades, trade, order.commissionAtoms)
    TradeValue.setTimeMs(trades, trade, order.updatedMs)
    TradeValue.setPreviousTradeId(trades, trade, lastTradeId)
    const flags =
      (sideOf(terms) === Side.BUY ? TradeFlag.BUYER : 0) |
      (isDetailed(terms) ? TradeFlag.DETAILED : 0) |
      ((recordFlags(records, at) & FLAG_AUCTION) === 0 ? 0 : TradeFlag.AUCTION)
    TradeValue.setFlags(trades, trade, flags)
    TradeValue.setCommissionAssetIdPlusOne(trades, trade, order.commissionAssetId + 1)

    // It may have had an allocation before.
    if (order.filledLots === lots) this.activity.filled(account, symbolId, order.createdMs)
    OrderValue.setLastTradeId(values, row, tradeId)
    const fills = OrderValue.fills(values, row) + 1
    OrderValue.setFills(values, row, fills)
    if (fills % FILL_MARK_EVERY === 0) {
      this.fillMarks.put(this.markKey.of(account, symbolId, orderId, tradeId), PRESENT)
    }
  }
}
