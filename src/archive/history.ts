/**
 * Queries of the tables. Read-only; each history thread has one. What is archived while it is open is seen by
 * queries within `read`.
 *
 * Windows: rows ascend. With a lower bound (an id or startTime) they are the
 * oldest from there, not past endTime; without one the newest, up to endTime. Within a symbol and
 * account, times do not fall as ids rise, so a time is found as an id, by bisection.
 */

import {
  CLIENT_ORDER_ID_WORDS,
  isSameClientOrderId,
  packClientOrderId,
  unpackClientOrderId,
} from '../base/client-order-id.ts'
import { isDetailed, isRouted, MatchType, OrderStatus, WorkingFloor } from '../base/codes.ts'
import type { Clock } from '../base/time.ts'
import {
  type AccountId,
  AssetId,
  OrderId,
  OrderListId,
  type SymbolId,
  TradeId,
} from '../base/units.ts'
import type {
  AllOrdersQuery,
  AllocationRow,
  AllocationsQuery,
  AmendmentRow,
  AmendmentsQuery,
  ChainRow,
  DepositRow,
  DepositsQuery,
  Distributions,
  DistributionsQuery,
  MovementOfRequest,
  Movements,
  MovementsQuery,
  MyTradesQuery,
  OrderListQuery,
  OrderListRow,
  OrderListsQuery,
  OrderQuery,
  OrderRow,
  PreventedMatchesQuery,
  PreventedMatchRow,
  RequestQuery,
  TradeRow,
  TradingStatusRow,
  TradingVolumeQuery,
  WithdrawalRow,
  WithdrawalsQuery,
} from '../history/account-history.ts'
import type {
  AggregateTradeRow,
  AggregateTradesQuery,
  BarRow,
  BlockTradeOfRequest,
  BlockTradeRequestQuery,
  BlockTradeRow,
  BlockTradesQuery,
  DayQuery,
  DayRows,
  KlineQuery,
  KlineRow,
  PublicTradeRow,
  PublicTradesQuery,
  WindowQuery,
} from '../history/market-history.ts'
import { orderRowOf } from '../history/order-row.gen.ts'
import type { HistoryReads } from '../history/queries.ts'
import { Environment, type Table } from '../journal/environment.ts'
import { KEY_ID_MAX, keyId, OrderPartKey } from '../layout/keys.gen.ts'
import { OrderView } from '../layout/order-view.ts'
import type { RecordBuffer } from '../layout/record-buffer.ts'
import { AllocationValue, OrderValue, TapeValue, TradeValue } from '../layout/rows.gen.ts'
import { readAggregateTrades } from './aggregate-trades.ts'
import { BarReader } from './bars.ts'
import { ClientIdReader, IdKind } from './client-ids.ts'
import { readDistributions } from './distributions.ts'
import { IdHash } from './id-hash.ts'
import { type KlineSpan, klineSpan, readDay, readKlines, readWindow } from './klines.ts'
import { RareHistory } from './rare-history.ts'
import {
  aggregateRows,
  allocationRows,
  orderRows,
  ownerOf,
  type RowForm,
  tapeRows,
  tradeRows,
} from './row-form.ts'
import { RowReader, readRows, windowOf } from './row-reader.ts'
import { KlineBars } from './seeded-bars.ts'
import {
  archiveOptions,
  FILL_MARK_EVERY,
  fillOf,
  floorOf,
  isMakerOf,
  reasonOf,
  statusOf,
  TableName,
  TradeFlag,
  tradeIdOf,
} from './tables.ts'
import { readTradingStatus } from './trading-status.ts'
import { readVolume } from './volumes.ts'
import { WalletHistory } from './wallet.ts'

export class History implements HistoryReads {
  private readonly environment: Environment
  private readonly orders: RowReader
  private readonly trades: RowReader
  private readonly tape: RowReader
  private readonly aggregates: RowReader
  private readonly allocationRows: RowReader
  private readonly readers: readonly RowReader[]
  private readonly fillMarks: Table
  private readonly hash: IdHash
  private readonly clientIds: ClientIdReader
  private readonly bars: BarReader
  private readonly klineBars: KlineBars
  private readonly rare: RareHistory
  private readonly wallet: WalletHistory
  private readonly id = new Int32Array(CLIENT_ORDER_ID_WORDS)
  /** The order whose row is made. */
  private readonly orderView = new OrderView()

  /** `folder` is the archive's; with a clock its reads have a longest time. Throws StorageError when it cannot be opened. */
  constructor(folder: string, clock?: Clock) {
    this.environment = new Environment(archiveOptions(folder, clock))
    const rows = (name: TableName, form: RowForm) =>
      new RowReader(this.environment.table(name), form)
    this.orders = rows(TableName.ORDERS, orderRows)
    this.trades = rows(TableName.TRADES, tradeRows)
    this.tape = rows(TableName.TAPE, tapeRows)
    this.allocationRows = rows(TableName.ALLOCATIONS, allocationRows)
    this.aggregates = rows(TableName.AGGREGATES, aggregateRows)
    this.fillMarks = this.environment.table(TableName.FILL_MARKS)
    this.hash = new IdHash(this.environment)
    this.clientIds = new ClientIdReader(this.environment, this.hash)
    this.bars = new BarReader(this.environment.table(TableName.BARS))
    this.klineBars = new KlineBars(this.environment.table(TableName.BARS))
    this.rare = new RareHistory(this.environment, this.hash)
    this.wallet = new WalletHistory(this.environment)
    this.readers = [this.orders, this.trades, this.allocationRows, this.tape, this.aggregates]
    this.environment.release()
  }

  /** Runs a query on what is archived by now, and holds nothing of the archive when it is done. */
  read<T>(query: () => T): T {
    return this.environment.read(() => {
      for (const rows of this.readers) rows.forget()
      this.hash.load()
      return query()
    })
  }

  close(): void {
    this.environment.close()
  }

  allOrders(query: AllOrdersQuery): OrderRow[] {
    const { account, symbolId } = query
    const owner = ownerOf(account, symbolId)
    const window = windowOf(this.orders, owner, OrderValue.createdMs, query, query.orderId)
    return readRows(this.orders, owner, window, query.limit, (rows, at) =>
      this.orderRow(account, symbolId, rows, at),
    )
  }

  /** Undefined when there is none, or when the two ids name different orders. */
  order(query: OrderQuery): OrderRow | undefined {
    const { account, symbolId, clientOrderId } = query
    if (clientOrderId !== undefined && !packClientOrderId(clientOrderId, this.id, 0)) {
      return undefined
    }
    if (query.orderId === undefined) return this.named(account, symbolId)
    const at = this.orders.find(ownerOf(account, symbolId), query.orderId)
    if (at < 0) return undefined
    const isMeant =
      clientOrderId === undefined || this.isNamed(at, IdKind.OWN) || this.isNamed(at, IdKind.CANCEL)
    return isMeant ? this.orderRow(account, symbolId, this.orders.rows, at) : undefined
  }

  myTrades(query: MyTradesQuery): TradeRow[] {
    if (query.orderId !== undefined) return this.tradesOfOrder(query, query.orderId)
    const owner = ownerOf(query.account, query.symbolId)
    const from = query.fromId === undefined ? undefined : fillOf(TradeId(query.fromId), false)
    const window = windowOf(this.trades, owner, TradeValue.timeMs, query, from)
    return readRows(this.trades, owner, window, query.limit, (rows, at) =>
      this.tradeRow(query, rows, at),
    )
  }

  allocations(query: AllocationsQuery): AllocationRow[] {
    const { account, symbolId, orderId, fromAllocationId, limit } = query
    const owner = ownerOf(account, symbolId)
    if (orderId !== undefined) {
      const ids = this.rare.allocationsOf(account, symbolId, orderId, fromAllocationId, limit)
      return ids.flatMap((id) => {
        const at = this.allocationRows.find(owner, id)
        return at < 0 ? [] : [allocationRow(this.allocationRows.rows, at)]
      })
    }
    // Without bounds too they are the oldest (rest-api.md, myAllocations), but up to an endTime the newest.
    const isOpen = query.startTime === undefined && query.endTime === undefined
    const from = fromAllocationId ?? (isOpen ? 0 : undefined)
    const place = from === undefined ? undefined : from + 1
    const window = windowOf(this.allocationRows, owner, AllocationValue.timeMs, query, place)
    return readRows(this.allocationRows, owner, window, limit, allocationRow)
  }

  publicTrades({ symbolId, fromId, limit }: PublicTradesQuery): PublicTradeRow[] {
    const window = windowOf(this.tape, symbolId, TapeValue.timeMs, {}, fromId)
    return readRows(this.tape, symbolId, window, limit, publicTradeRow)
  }

  blockTrades(query: BlockTradesQuery): BlockTradeRow[] {
    return this.rare.blockTrades(query)
  }

  blockTradeOf(query: BlockTradeRequestQuery): BlockTradeOfRequest {
    return this.rare.blockTradeOf(query)
  }

  aggregateTrades(query: AggregateTradesQuery): AggregateTradeRow[] {
    return readAggregateTrades(this.aggregates, query)
  }

  klines(query: KlineQuery): KlineRow[] {
    return this.klinesOf(this.klineSpan(query))
  }

  klineSpan(query: KlineQuery): KlineSpan {
    return klineSpan(this.klineBars, query)
  }

  /** The klines of a span from its `from`th on. */
  klinesOf(span: KlineSpan, from = 0): KlineRow[] {
    return readKlines(this.klineBars, span, from)
  }

  window(query: WindowQuery): BarRow {
    return readWindow(this.bars, query)
  }

  day(query: DayQuery): DayRows {
    return readDay(this.bars, query)
  }

  orderList(query: OrderListQuery): OrderListRow | undefined {
    return this.rare.orderList(query)
  }

  orderLists(query: OrderListsQuery): OrderListRow[] {
    return this.rare.orderLists(query)
  }

  openOrderLists({ account }: { readonly account: AccountId }): OrderListRow[] {
    return this.rare.openOrderLists(account)
  }

  preventedMatches(query: PreventedMatchesQuery): PreventedMatchRow[] {
    return this.rare.preventedMatches(query)
  }

  amendments(query: AmendmentsQuery): AmendmentRow[] {
    return this.rare.amendments(query)
  }

  deposits(query: DepositsQuery): DepositRow[] {
    return this.wallet.deposits(query)
  }

  withdrawals(query: WithdrawalsQuery): WithdrawalRow[] {
    return this.wallet.withdrawals(query)
  }

  withdrawalOf(query: RequestQuery): WithdrawalRow | undefined {
    return this.wallet.withdrawalOf(query)
  }

  movementOf(query: RequestQuery): MovementOfRequest {
    return this.wallet.movementOf(query)
  }

  movements(query: MovementsQuery): Movements {
    return this.wallet.movements(query)
  }

  chains(): ChainRow[] {
    return this.wallet.chains()
  }

  distributions(query: DistributionsQuery): Distributions {
    return readDistributions(this.environment.table(TableName.DISTRIBUTIONS), query)
  }

  tradingStatus({ account }: { readonly account: AccountId }): TradingStatusRow {
    return readTradingStatus(this.environment.table(TableName.TRADING_STATUS), account)
  }

  /** Returns atoms of the valuation asset. */
  tradingVolume({ account, fromDay, toDay }: TradingVolumeQuery): bigint {
    return readVolume(this.environment.table(TableName.VOLUMES), account, fromDay, toDay)
  }

  /**
   * The latest order that bears the id in id as its own; else the latest that a cancel gave it to;
   * else the latest that bore it until its cancel gave it another.
   */
  private named(account: AccountId, symbolId: SymbolId): OrderRow | undefined {
    const owner = ownerOf(account, symbolId)
    const lastOrderId = OrderId(this.orders.lastId(owner))
    let renamed: OrderRow | undefined
    let former: OrderRow | undefined
    for (const found of this.clientIds.orders(account, symbolId, this.id, lastOrderId)) {
      if (found.kind === IdKind.CANCEL && renamed !== undefined) continue
      const at = this.orders.find(owner, found.orderId)
      if (at < 0 || !this.isNamed(at, found.kind)) continue
      const isRenamed = this.isNamed(at, IdKind.CANCEL)
      const row = this.orderRow(account, symbolId, this.orders.rows, at)
      if (found.kind === IdKind.CANCEL) renamed = row
      else if (isRenamed) return row
      else former ??= row
    }
    return renamed ?? former
  }

  /** Whether the order at byte `at` has the id in id, as its own or from its cancel. */
  private isNamed(at: number, kind: IdKind): boolean {
    const isOwn = kind === IdKind.OWN
    const word = isOwn ? OrderValue.ownClientOrderIdAt(at) : OrderValue.clientOrderIdAt(at)
    return isSameClientOrderId(this.id, 0, this.orders.rows.i32, word)
  }

  /** Follows the order's trades back from the last one that may be wanted. */
  private tradesOfOrder(query: MyTradesQuery, orderId: OrderId): TradeRow[] {
    const { account, symbolId, fromId = 1, limit } = query
    const owner = ownerOf(account, symbolId)
    const order = this.orders.find(owner, orderId)
    if (order < 0) return []
    const lastTradeId = OrderValue.lastTradeId(this.orders.rows, order)
    let tradeId =
      query.fromId === undefined ? lastTradeId : (this.tradeBehind(query, orderId) ?? lastTradeId)
    const rows: TradeRow[] = []
    while (tradeId >= fromId && tradeId > 0) {
      const at = this.sideOf(owner, tradeId, orderId)
      if (at < 0) break
      rows.push(this.tradeRow(query, this.trades.rows, at))
      tradeId = TradeValue.previousTradeId(this.trades.rows, at)
      if (rows.length === limit && query.fromId === undefined) break
    }
    return rows.reverse().slice(0, limit)
  }

  /**
   * The byte of the trade's side that is the order's; -1 when there is none. A trade of two orders of one
   * account has two.
   */
  private sideOf(owner: number, tradeId: number, orderId: OrderId): number {
    for (const isMaker of [false, true]) {
      const at = this.trades.find(owner, fillOf(TradeId(tradeId), isMaker))
      if (at >= 0 && TradeValue.orderId(this.trades.rows, at) === orderId) return at
    }
    return -1
  }

  /**
   * A trade of the order with `limit` trades, and not many more, from `fromId` to itself: a mark.
   * Undefined when that may be the last trade, which is not marked.
   */
  private tradeBehind(query: MyTradesQuery, orderId: OrderId): number | undefined {
    const { account, symbolId, fromId = 1, limit } = query
    const marks = Math.ceil((limit - 1) / FILL_MARK_EVERY) + 1
    const keyOf = (tradeId: TradeId) => new OrderPartKey().of(account, symbolId, orderId, tradeId)
    const range = {
      start: keyOf(TradeId(Math.min(fromId, KEY_ID_MAX))),
      end: keyOf(TradeId(KEY_ID_MAX)),
      limit: marks,
    }
    const found = Array.from(this.fillMarks.keys(range), keyId)
    return found.length < marks ? undefined : found.at(-1)
  }

  private orderRow(
    account: AccountId,
    symbolId: SymbolId,
    row: RecordBuffer,
    at: number,
  ): OrderRow {
    const order = this.orderView
    OrderValue.readWhole(row, at, order)
    order.account = account
    const state = OrderValue.state(row, at)
    order.status = statusOf(state)
    order.reason = reasonOf(state)
    const { orderId, terms } = order
    const details = isDetailed(terms) ? this.rare.details(account, symbolId, orderId) : undefined
    const clientOrderId = unpackClientOrderId(row.i32, OrderValue.clientOrderIdAt(at))
    const matchIdPlusOne = OrderValue.preventedMatchIdPlusOne(row, at)
    const found = orderRowOf(order, matchIdPlusOne, clientOrderId, details)
    if (!isRouted(terms)) return found
    // One that is open rests in its own book.
    const isOpen = order.status === OrderStatus.NEW || order.status === OrderStatus.PARTIALLY_FILLED
    return { ...found, floor: isOpen ? WorkingFloor.EXCHANGE : floorOf(state) }
  }

  private tradeRow(
    { account, symbolId }: { readonly account: AccountId; readonly symbolId: SymbolId },
    row: RecordBuffer,
    at: number,
  ): TradeRow {
    const fill = TradeValue.fill(row, at)
    const orderId = TradeValue.orderId(row, at)
    const flags = TradeValue.flags(row, at)
    const isDetailed = (flags & TradeFlag.DETAILED) !== 0
    const details = isDetailed ? this.rare.details(account, symbolId, orderId) : undefined
    return {
      tradeId: tradeIdOf(fill),
      orderId,
      priceTicks: TradeValue.priceTicks(row, at),
      lots: TradeValue.lots(row, at),
      quoteAtoms: TradeValue.quoteAtoms(row, at),
      commissionAtoms: TradeValue.commissionAtoms(row, at),
      timeMs: TradeValue.timeMs(row, at),
      isBuyer: (flags & TradeFlag.BUYER) !== 0,
      isMaker: isMakerOf(fill),
      orderListId: OrderListId(details?.orderListId ?? -1),
      commissionAssetId: AssetId(TradeValue.commissionAssetIdPlusOne(row, at) - 1),
      matchType: (flags & TradeFlag.AUCTION) === 0 ? undefined : MatchType.AUCTION,
    }
  }
}

const allocationRow = (row: RecordBuffer, at: number): AllocationRow => ({
  allocationId: AllocationValue.place(row, at) - 1,
  orderId: AllocationValue.orderId(row, at),
  priceUnits: AllocationValue.priceUnits(row, at),
  lots: AllocationValue.lots(row, at),
  quoteAtoms: AllocationValue.quoteAtoms(row, at),
  commissionAtoms: AllocationValue.commissionAtoms(row, at),
  timeMs: AllocationValue.timeMs(row, at),
  isBuyer: AllocationValue.isBuyer(row, at) === 1,
  commissionAssetId: AssetId(AllocationValue.commissionAssetIdPlusOne(row, at) - 1),
})

const publicTradeRow = (row: RecordBuffer, at: number): PublicTradeRow => ({
  tradeId: TapeValue.tradeId(row, at),
  priceTicks: TapeValue.priceTicks(row, at),
  lots: TapeValue.lots(row, at),
  quoteAtoms: TapeValue.quoteAtoms(row, at),
  timeMs: TapeValue.timeMs(row, at),
  isBuyerMaker: TapeValue.isBuyerMaker(row, at) === 1,
})
