/**
 * Queries of the tables. Read-only; each history thread has one. Results are those of the last `refresh`.
 *
 * Windows (supplement 2a.1): rows ascend. With a lower bound (an id or startTime) they are the
 * oldest from there, not past endTime; without one the newest, up to endTime. Within a symbol and
 * account, times do not fall as ids rise, so a time is found as an id, by bisection.
 */

import {
  CLIENT_ORDER_ID_WORDS,
  isSameClientOrderId,
  packClientOrderId,
  unpackClientOrderId,
} from '../base/client-order-id.ts'
import { isDetailed } from '../base/codes.ts'
import {
  type AccountId,
  AssetId,
  Ms,
  OrderId,
  OrderListId,
  type SymbolId,
  TradeId,
} from '../base/units.ts'
import type {
  AllOrdersQuery,
  AmendmentRow,
  AmendmentsQuery,
  MyTradesQuery,
  OrderListQuery,
  OrderListRow,
  OrderListsQuery,
  OrderQuery,
  OrderRow,
  PreventedMatchesQuery,
  PreventedMatchRow,
  TradeRow,
  TradingStatusRow,
  TradingVolumeQuery,
} from '../history/account-history.ts'
import type {
  AggregateTradeRow,
  AggregateTradesQuery,
  BarRow,
  DayQuery,
  DayRows,
  KlineQuery,
  KlineRow,
  PublicTradeRow,
  PublicTradesQuery,
  WindowQuery,
} from '../history/market-history.ts'
import type { HistoryReads } from '../history/queries.ts'
import { Environment, type Table } from '../journal/environment.ts'
import { KEY_ID_MAX, keyId, OrderKey, OrderPartKey, TapeKey, TradeKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { OrderValue, TapeValue, TradeValue } from '../layout/rows.gen.ts'
import { readAggregateTrades } from './aggregate-trades.ts'
import { BarReader } from './bars.ts'
import { ClientIdReader, IdKind } from './client-ids.ts'
import { IdHash } from './id-hash.ts'
import { type KlineSpan, klineSpan, readDay, readKlines, readWindow } from './klines.ts'
import { RareHistory } from './rare-history.ts'
import {
  archiveOptions,
  FILL_MARK_EVERY,
  fillOf,
  isMakerOf,
  reasonOf,
  statusOf,
  TableName,
  TradeFlag,
  tradeIdOf,
} from './tables.ts'
import { readTradingStatus } from './trading-status.ts'
import { readVolume } from './volumes.ts'

/** Ids wanted, both included, and whether the answer is counted from the first or the last. */
interface Window {
  readonly from: number
  readonly to: number
  readonly newest: boolean
}

/** Returns a time of a row, as accessors do. */
type TimeOf = (row: RecordBuffer, at: number) => Ms
/** Makes the key of an id within what one query looks at. */
type KeyOf = (id: number) => Uint8Array

export class History implements HistoryReads {
  readonly #environment: Environment
  readonly #orders: Table
  readonly #trades: Table
  readonly #fillMarks: Table
  readonly #tape: Table
  readonly #hash: IdHash
  readonly #clientIds: ClientIdReader
  readonly #aggregates: Table
  readonly #bars: BarReader
  readonly #rare: RareHistory
  readonly #orderKey = new OrderKey()
  readonly #tradeKey = new TradeKey()
  readonly #row = RecordBuffer.allocate(OrderValue.bytes)
  readonly #id = new Int32Array(CLIENT_ORDER_ID_WORDS)

  /** `folder` is the archive's. Throws StorageError when it cannot be opened. */
  constructor(folder: string) {
    this.#environment = new Environment(archiveOptions(folder))
    this.#orders = this.#environment.table(TableName.ORDERS)
    this.#trades = this.#environment.table(TableName.TRADES)
    this.#fillMarks = this.#environment.table(TableName.FILL_MARKS)
    this.#tape = this.#environment.table(TableName.TAPE)
    this.#hash = new IdHash(this.#environment)
    this.#clientIds = new ClientIdReader(this.#environment.table(TableName.CLIENT_IDS), this.#hash)
    this.#aggregates = this.#environment.table(TableName.AGGREGATES)
    this.#bars = new BarReader(this.#environment.table(TableName.BARS))
    this.#rare = new RareHistory(this.#environment, this.#hash)
  }

  /** Lets the next answers see what was archived since. */
  refresh(): void {
    this.#environment.refresh()
    this.#hash.load()
  }

  close(): void {
    this.#environment.close()
  }

  allOrders(query: AllOrdersQuery): OrderRow[] {
    const { account, symbolId } = query
    const keyOf = orderKeys(account, symbolId)
    const window = this.#window(this.#orders, keyOf, OrderValue.createdMs, query, query.orderId)
    return this.#read(this.#orders, keyOf, window, query.limit, (orderId, row) =>
      this.#orderRow(account, symbolId, OrderId(orderId), row),
    )
  }

  /** Undefined when there is none, or when the two ids name different orders. */
  order(query: OrderQuery): OrderRow | undefined {
    const { account, symbolId, clientOrderId } = query
    if (clientOrderId === undefined)
      return this.#order(account, symbolId, OrderId(query.orderId ?? 0))
    if (!packClientOrderId(clientOrderId, this.#id, 0)) return undefined
    if (query.orderId === undefined) return this.#named(account, symbolId)
    const row = this.#order(account, symbolId, query.orderId)
    if (row === undefined) return undefined
    return this.#isNamed(IdKind.OWN) || this.#isNamed(IdKind.CANCEL) ? row : undefined
  }

  myTrades(query: MyTradesQuery): TradeRow[] {
    if (query.orderId !== undefined) return this.#tradesOfOrder(query, query.orderId)
    const keyOf = tradeKeys(query.account, query.symbolId)
    const from = query.fromId === undefined ? undefined : fillOf(TradeId(query.fromId), false)
    const window = this.#window(this.#trades, keyOf, TradeValue.timeMs, query, from)
    return this.#read(this.#trades, keyOf, window, query.limit, (id, row) =>
      this.#tradeRow(query, id, row),
    )
  }

  publicTrades({ symbolId, fromId, limit }: PublicTradesQuery): PublicTradeRow[] {
    const keyOf = (id: number) => new TapeKey().of(symbolId, id)
    const to = this.#lastId(this.#tape, keyOf)
    const window = { from: fromId ?? 1, to, newest: fromId === undefined }
    return this.#read(this.#tape, keyOf, window, limit, (id, row) =>
      publicTradeRow(TradeId(id), row),
    )
  }

  aggregateTrades(query: AggregateTradesQuery): AggregateTradeRow[] {
    return readAggregateTrades(this.#aggregates, query)
  }

  klines(query: KlineQuery): KlineRow[] {
    return this.klinesOf(this.klineSpan(query))
  }

  klineSpan(query: KlineQuery): KlineSpan {
    return klineSpan(this.#bars, query)
  }

  /** The klines of a span from its `from`th on. */
  klinesOf(span: KlineSpan, from = 0): KlineRow[] {
    return readKlines(this.#bars, span, from)
  }

  window(query: WindowQuery): BarRow {
    return readWindow(this.#bars, query)
  }

  day(query: DayQuery): DayRows {
    return readDay(this.#bars, query)
  }

  orderList(query: OrderListQuery): OrderListRow | undefined {
    return this.#rare.orderList(query)
  }

  orderLists(query: OrderListsQuery): OrderListRow[] {
    return this.#rare.orderLists(query)
  }

  openOrderLists({ account }: { readonly account: AccountId }): OrderListRow[] {
    return this.#rare.openOrderLists(account)
  }

  preventedMatches(query: PreventedMatchesQuery): PreventedMatchRow[] {
    return this.#rare.preventedMatches(query)
  }

  amendments(query: AmendmentsQuery): AmendmentRow[] {
    return this.#rare.amendments(query)
  }

  tradingStatus({ account }: { readonly account: AccountId }): TradingStatusRow {
    return readTradingStatus(this.#environment.table(TableName.TRADING_STATUS), account)
  }

  /** In atoms of the valuation asset. */
  tradingVolume({ account, fromDay, toDay }: TradingVolumeQuery): bigint {
    return readVolume(this.#environment.table(TableName.VOLUMES), account, fromDay, toDay)
  }

  #order(account: AccountId, symbolId: SymbolId, orderId: OrderId): OrderRow | undefined {
    // A key would keep only the lower part of a larger number.
    if (orderId > KEY_ID_MAX) return undefined
    const stored = this.#orders.get(this.#orderKey.of(account, symbolId, orderId))
    if (stored === undefined) return undefined
    this.#row.bytes.set(stored)
    return this.#orderRow(account, symbolId, orderId, this.#row)
  }

  /**
   * The latest order that bears the id in #id as its own; else the latest that a cancel gave it to;
   * else the latest that bore it until its cancel gave it another.
   */
  #named(account: AccountId, symbolId: SymbolId): OrderRow | undefined {
    const lastOrderId = this.#lastId(this.#orders, orderKeys(account, symbolId))
    let renamed: OrderRow | undefined
    let former: OrderRow | undefined
    for (const found of this.#clientIds.orders(account, symbolId, this.#id, OrderId(lastOrderId))) {
      if (found.kind === IdKind.CANCEL && renamed !== undefined) continue
      const row = this.#order(account, symbolId, found.orderId)
      if (row === undefined || !this.#isNamed(found.kind)) continue
      if (found.kind === IdKind.CANCEL) renamed = row
      else if (this.#isNamed(IdKind.CANCEL)) return row
      else former ??= row
    }
    return renamed ?? former
  }

  /** Whether the order in #row has the id in #id, as its own or from its cancel. */
  #isNamed(kind: number): boolean {
    const isOwn = kind === IdKind.OWN
    const at = isOwn ? OrderValue.ownClientOrderIdAt(0) : OrderValue.clientOrderIdAt(0)
    return isSameClientOrderId(this.#id, 0, this.#row.i32, at)
  }

  /** Follows the order's trades back from the last one that may be wanted. */
  #tradesOfOrder(query: MyTradesQuery, orderId: OrderId): TradeRow[] {
    const { account, symbolId, fromId = 1, limit } = query
    if (this.#order(account, symbolId, orderId) === undefined) return []
    const lastTradeId = OrderValue.lastTradeId(this.#row, 0)
    let tradeId =
      query.fromId === undefined ? lastTradeId : (this.#tradeBehind(query, orderId) ?? lastTradeId)
    const rows: TradeRow[] = []
    while (tradeId >= fromId && tradeId > 0) {
      // A trade of two orders of one account has two rows; this order's is one of them.
      const isMaker = !this.#isTrade(account, symbolId, fillOf(TradeId(tradeId), false), orderId)
      const fill = fillOf(TradeId(tradeId), isMaker)
      if (isMaker) this.#isTrade(account, symbolId, fill, orderId)
      rows.push(this.#tradeRow(query, fill, this.#row))
      tradeId = TradeValue.previousTradeId(this.#row, 0)
      if (rows.length === limit && query.fromId === undefined) break
    }
    return rows.reverse().slice(0, limit)
  }

  /**
   * A trade of the order with `limit` trades, and not many more, from `fromId` to itself: a mark.
   * Undefined when that may be the last trade, which is not marked.
   */
  #tradeBehind(query: MyTradesQuery, orderId: OrderId): number | undefined {
    const { account, symbolId, fromId = 1, limit } = query
    const marks = Math.ceil((limit - 1) / FILL_MARK_EVERY) + 1
    const keyOf = (tradeId: TradeId) => new OrderPartKey().of(account, symbolId, orderId, tradeId)
    const range = {
      start: keyOf(TradeId(Math.min(fromId, KEY_ID_MAX))),
      end: keyOf(TradeId(KEY_ID_MAX)),
      limit: marks,
    }
    const found = Array.from(this.#fillMarks.keys(range), keyId)
    return found.length < marks ? undefined : found.at(-1)
  }

  /** Reads a row of `trades` into #row. Whether it is there and the order's. */
  #isTrade(account: AccountId, symbolId: SymbolId, fill: number, orderId: OrderId): boolean {
    const stored = this.#trades.get(this.#tradeKey.of(account, symbolId, fill))
    if (stored === undefined) return false
    this.#row.bytes.set(stored)
    return TradeValue.orderId(this.#row, 0) === orderId
  }

  /** `timeOf` reads the time that the query's bounds are about. */
  #window(
    table: Table,
    keyOf: KeyOf,
    timeOf: TimeOf,
    query: { readonly startTime?: Ms; readonly endTime?: Ms },
    fromId: number | undefined,
  ): Window {
    const { startTime, endTime } = query
    const lastId = this.#lastId(table, keyOf)
    const firstAt = (timeMs: Ms) => this.#firstAt(table, keyOf, timeOf, timeMs, lastId)
    const fromTime = startTime === undefined ? 0 : firstAt(startTime)
    return {
      from: Math.max(fromId ?? 0, fromTime),
      to: endTime === undefined ? lastId : firstAt(Ms(endTime + 1)) - 1,
      newest: fromId === undefined && startTime === undefined,
    }
  }

  /** The lowest id whose row is of `timeMs` or later; past the last when there is none. */
  #firstAt(table: Table, keyOf: KeyOf, timeOf: TimeOf, timeMs: Ms, lastId: number): number {
    let low = 0
    let high = lastId + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const [row] = table.rows({ start: keyOf(middle), end: keyOf(lastId + 1), limit: 1 })
      // From the middle on there is at least the last row, since middle <= lastId.
      const { key, value } = row!
      this.#row.bytes.set(value)
      if (timeOf(this.#row, 0) < timeMs) low = keyId(key) + 1
      else high = middle
    }
    return low
  }

  #lastId(table: Table, keyOf: KeyOf): number {
    for (const key of table.keys({
      start: keyOf(KEY_ID_MAX),
      end: keyOf(0),
      reverse: true,
      limit: 1,
    }))
      return keyId(key)
    return 0
  }

  #read<Row>(
    table: Table,
    keyOf: KeyOf,
    window: Window,
    limit: number,
    make: (id: number, row: RecordBuffer) => Row,
  ): Row[] {
    const { from, to, newest } = window
    if (from > to) return []
    const range = newest
      ? { start: keyOf(to), end: keyOf(Math.max(from - 1, 0)), reverse: true, limit }
      : { start: keyOf(from), end: keyOf(to + 1), limit }
    const rows: Row[] = []
    for (const { key, value } of table.rows(range)) {
      this.#row.bytes.set(value)
      rows.push(make(keyId(key), this.#row))
    }
    return newest ? rows.reverse() : rows
  }

  #orderRow(account: AccountId, symbolId: SymbolId, orderId: OrderId, row: RecordBuffer): OrderRow {
    const state = OrderValue.state(row, 0)
    const terms = OrderValue.terms(row, 0)
    const details = isDetailed(terms) ? this.#rare.details(account, symbolId, orderId) : undefined
    return {
      orderId,
      account,
      terms,
      priceTicks: OrderValue.priceTicks(row, 0),
      lots: OrderValue.lots(row, 0),
      quoteAtoms: OrderValue.quoteAtoms(row, 0),
      filledLots: OrderValue.filledLots(row, 0),
      filledAtoms: OrderValue.filledAtoms(row, 0),
      preventedLots: OrderValue.preventedLots(row, 0),
      preventedMatchIdPlusOne: OrderValue.preventedMatchIdPlusOne(row, 0),
      status: statusOf(state),
      reason: reasonOf(state),
      createdMs: OrderValue.createdMs(row, 0),
      updatedMs: OrderValue.updatedMs(row, 0),
      clientOrderId: unpackClientOrderId(row.i32, OrderValue.clientOrderIdAt(0)),
      ...(details === undefined ? {} : { details }),
    }
  }

  #tradeRow(
    { account, symbolId }: { readonly account: AccountId; readonly symbolId: SymbolId },
    fill: number,
    row: RecordBuffer,
  ): TradeRow {
    const orderId = TradeValue.orderId(row, 0)
    const flags = TradeValue.flags(row, 0)
    const isDetailed = (flags & TradeFlag.DETAILED) !== 0
    const details = isDetailed ? this.#rare.details(account, symbolId, orderId) : undefined
    return {
      tradeId: tradeIdOf(fill),
      orderId,
      priceTicks: TradeValue.priceTicks(row, 0),
      lots: TradeValue.lots(row, 0),
      quoteAtoms: TradeValue.quoteAtoms(row, 0),
      commissionAtoms: TradeValue.commissionAtoms(row, 0),
      timeMs: TradeValue.timeMs(row, 0),
      isBuyer: (flags & TradeFlag.BUYER) !== 0,
      isMaker: isMakerOf(fill),
      orderListId: OrderListId(details?.orderListId ?? -1),
      commissionAssetId: AssetId(TradeValue.commissionAssetIdPlusOne(row, 0) - 1),
    }
  }
}

/** Keys of their own, since a range holds two at once. */
const orderKeys =
  (account: AccountId, symbolId: SymbolId): KeyOf =>
  (id) =>
    new OrderKey().of(account, symbolId, id)
const tradeKeys =
  (account: AccountId, symbolId: SymbolId): KeyOf =>
  (fill) =>
    new TradeKey().of(account, symbolId, fill)

function publicTradeRow(tradeId: TradeId, row: RecordBuffer): PublicTradeRow {
  return {
    tradeId,
    priceTicks: TapeValue.priceTicks(row, 0),
    lots: TapeValue.lots(row, 0),
    quoteAtoms: TapeValue.quoteAtoms(row, 0),
    timeMs: TapeValue.timeMs(row, 0),
    isBuyerMaker: TapeValue.isBuyerMaker(row, 0) === 1,
  }
}
