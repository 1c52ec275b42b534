/**
 * Queries of the tables. Read-only; each history thread has one. Results are those of the last `refresh`.
 *
 * Windows (supplement 2a.1): rows ascend. With a lower bound (an id or startTime) they are the
 * oldest from there, not past endTime; without one the newest, up to endTime. Within a symbol and
 * account, times do not fall as ids rise, so a time is found as an id, by bisection.
 */

import {
  CLIENT_ORDER_ID_WORDS,
  packClientOrderId,
  unpackClientOrderId,
} from '../base/client-order-id.ts'
import { isDetailed } from '../base/codes.ts'
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
import { RecordBuffer } from '../layout/record-buffer.ts'
import { readAggregateTrades } from './aggregate-trades.ts'
import { BarReader } from './bars.ts'
import { ClientIdReader, IdKind } from './client-ids.ts'
import { IdHash } from './id-hash.ts'
import { type KlineSpan, klineSpan, readDay, readKlines, readWindow } from './klines.ts'
import { RareHistory } from './rare-history.ts'
import { OrderPartKey } from './rare-tables.ts'
import {
  archiveOptions,
  FILL_MARK_EVERY,
  ID_MAX,
  idOf,
  OrderValue,
  OwnedKey,
  TableName,
  TapeKey,
  TapeValue,
  TradeFlag,
  TradeValue,
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
  readonly #key = new OwnedKey()
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
    const keyOf = ownedKeys(account, symbolId)
    const window = this.#window(this.#orders, keyOf, OrderValue.createdMs, query, query.orderId)
    return this.#read(this.#orders, keyOf, window, query.limit, (orderId, row) =>
      this.#orderRow(account, symbolId, orderId, row),
    )
  }

  /** Undefined when there is none, or when the two ids name different orders. */
  order(query: OrderQuery): OrderRow | undefined {
    const { account, symbolId, clientOrderId } = query
    if (clientOrderId === undefined) return this.#order(account, symbolId, query.orderId ?? 0)
    if (!packClientOrderId(clientOrderId, this.#id, 0)) return undefined
    if (query.orderId === undefined) return this.#named(account, symbolId)
    const row = this.#order(account, symbolId, query.orderId)
    if (row === undefined) return undefined
    return this.#isNamed(IdKind.OWN) || this.#isNamed(IdKind.CANCEL) ? row : undefined
  }

  myTrades(query: MyTradesQuery): TradeRow[] {
    if (query.orderId !== undefined) return this.#tradesOfOrder(query, query.orderId)
    const keyOf = ownedKeys(query.account, query.symbolId)
    const from = query.fromId === undefined ? undefined : query.fromId * 2
    const window = this.#window(this.#trades, keyOf, TradeValue.timeMs, query, from)
    return this.#read(this.#trades, keyOf, window, query.limit, (id, row) =>
      this.#tradeRow(query, id, row),
    )
  }

  publicTrades({ symbolId, fromId, limit }: PublicTradesQuery): PublicTradeRow[] {
    const keyOf = (id: number) => new TapeKey().of(symbolId, id)
    const to = this.#lastId(this.#tape, keyOf)
    const window = { from: fromId ?? 1, to, newest: fromId === undefined }
    return this.#read(this.#tape, keyOf, window, limit, publicTradeRow)
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

  openOrderLists({ account }: { readonly account: number }): OrderListRow[] {
    return this.#rare.openOrderLists(account)
  }

  preventedMatches(query: PreventedMatchesQuery): PreventedMatchRow[] {
    return this.#rare.preventedMatches(query)
  }

  amendments(query: AmendmentsQuery): AmendmentRow[] {
    return this.#rare.amendments(query)
  }

  tradingStatus({ account }: { readonly account: number }): TradingStatusRow {
    return readTradingStatus(this.#environment.table(TableName.TRADING_STATUS), account)
  }

  /** In atoms of the valuation asset. */
  tradingVolume({ account, fromDay, toDay }: TradingVolumeQuery): bigint {
    return readVolume(this.#environment.table(TableName.VOLUMES), account, fromDay, toDay)
  }

  #order(account: number, symbolId: number, orderId: number): OrderRow | undefined {
    // A key would keep only the lower part of a larger number.
    if (orderId > ID_MAX) return undefined
    const stored = this.#orders.get(this.#key.of(account, symbolId, orderId))
    if (stored === undefined) return undefined
    this.#row.bytes.set(stored)
    return this.#orderRow(account, symbolId, orderId, this.#row)
  }

  /**
   * The latest order that bears the id in #id as its own; else the latest that a cancel gave it to;
   * else the latest that bore it until its cancel gave it another.
   */
  #named(account: number, symbolId: number): OrderRow | undefined {
    const lastOrderId = this.#lastId(this.#orders, ownedKeys(account, symbolId))
    let renamed: OrderRow | undefined
    let former: OrderRow | undefined
    for (const found of this.#clientIds.orders(account, symbolId, this.#id, lastOrderId)) {
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
    const at = kind === IdKind.OWN ? OrderValue.ownClientOrderIdWord : OrderValue.clientOrderIdWord
    return this.#id.every((word, i) => word === this.#row.i32[at + i])
  }

  /** Follows the order's trades back from the last one that may be wanted. */
  #tradesOfOrder(query: MyTradesQuery, orderId: number): TradeRow[] {
    const { account, symbolId, fromId = 1, limit } = query
    if (this.#order(account, symbolId, orderId) === undefined) return []
    const lastTradeId = this.#row.f64[OrderValue.lastTradeId]!
    let tradeId =
      query.fromId === undefined ? lastTradeId : (this.#tradeBehind(query, orderId) ?? lastTradeId)
    const rows: TradeRow[] = []
    while (tradeId >= fromId && tradeId > 0) {
      // A trade of two orders of one account has two rows; this order's is one of them.
      const side = this.#isTrade(account, symbolId, tradeId * 2, orderId) ? 0 : 1
      if (side === 1) this.#isTrade(account, symbolId, tradeId * 2 + 1, orderId)
      rows.push(this.#tradeRow(query, tradeId * 2 + side, this.#row))
      tradeId = this.#row.f64[TradeValue.previousTradeId]!
      if (rows.length === limit && query.fromId === undefined) break
    }
    return rows.reverse().slice(0, limit)
  }

  /**
   * A trade of the order with `limit` trades, and not many more, from `fromId` to itself: a mark.
   * Undefined when that may be the last trade, which is not marked.
   */
  #tradeBehind(query: MyTradesQuery, orderId: number): number | undefined {
    const { account, symbolId, fromId = 1, limit } = query
    const marks = Math.ceil((limit - 1) / FILL_MARK_EVERY) + 1
    const keyOf = (tradeId: number) => new OrderPartKey().of(account, symbolId, orderId, tradeId)
    const range = { start: keyOf(Math.min(fromId, ID_MAX)), end: keyOf(ID_MAX), limit: marks }
    const found = Array.from(this.#fillMarks.keys(range), idOf)
    return found.length < marks ? undefined : found.at(-1)
  }

  /** Reads a row of `trades` into #row. Whether it is there and the order's. */
  #isTrade(account: number, symbolId: number, id: number, orderId: number): boolean {
    const stored = this.#trades.get(this.#key.of(account, symbolId, id))
    if (stored === undefined) return false
    this.#row.bytes.set(stored)
    return this.#row.f64[TradeValue.orderId] === orderId
  }

  /** `timePlace` is where the table's values have the time that the query's bounds are about. */
  #window(
    table: Table,
    keyOf: KeyOf,
    timePlace: number,
    query: { readonly startTime?: number; readonly endTime?: number },
    fromId: number | undefined,
  ): Window {
    const { startTime, endTime } = query
    const lastId = this.#lastId(table, keyOf)
    const firstAt = (timeMs: number) => this.#firstAt(table, keyOf, timePlace, timeMs, lastId)
    const fromTime = startTime === undefined ? 0 : firstAt(startTime)
    return {
      from: Math.max(fromId ?? 0, fromTime),
      to: endTime === undefined ? lastId : firstAt(endTime + 1) - 1,
      newest: fromId === undefined && startTime === undefined,
    }
  }

  /** The lowest id whose row is of `timeMs` or later; past the last when there is none. */
  #firstAt(table: Table, keyOf: KeyOf, timePlace: number, timeMs: number, lastId: number): number {
    let low = 0
    let high = lastId + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const [row] = table.rows({ start: keyOf(middle), end: keyOf(lastId + 1), limit: 1 })
      // From the middle on there is at least the last row, since middle <= lastId.
      const { key, value } = row!
      const view = new DataView(value.buffer, value.byteOffset)
      if (view.getFloat64(timePlace * 8, true) < timeMs) low = idOf(key) + 1
      else high = middle
    }
    return low
  }

  #lastId(table: Table, keyOf: KeyOf): number {
    for (const key of table.keys({ start: keyOf(ID_MAX), end: keyOf(0), reverse: true, limit: 1 }))
      return idOf(key)
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
      rows.push(make(idOf(key), this.#row))
    }
    return newest ? rows.reverse() : rows
  }

  #orderRow(account: number, symbolId: number, orderId: number, row: RecordBuffer): OrderRow {
    const { i32, f64 } = row
    const statusWord = i32[OrderValue.statusWord]!
    const terms = i32[OrderValue.termsWord]!
    const details = isDetailed(terms) ? this.#rare.details(account, symbolId, orderId) : undefined
    return {
      orderId,
      account,
      terms,
      priceTicks: f64[OrderValue.priceTicks]!,
      lots: f64[OrderValue.lots]!,
      quoteAtoms: f64[OrderValue.quoteAtoms]!,
      filledLots: f64[OrderValue.filledLots]!,
      filledAtoms: f64[OrderValue.filledAtoms]!,
      preventedLots: f64[OrderValue.preventedLots]!,
      preventedMatchIdPlusOne: f64[OrderValue.preventedMatchIdPlusOne]!,
      status: statusWord & 0xff,
      reason: statusWord >> 8,
      createdMs: f64[OrderValue.createdMs]!,
      updatedMs: f64[OrderValue.updatedMs]!,
      clientOrderId: unpackClientOrderId(i32, OrderValue.clientOrderIdWord),
      ...(details === undefined ? {} : { details }),
    }
  }

  #tradeRow(
    { account, symbolId }: { readonly account: number; readonly symbolId: number },
    id: number,
    row: RecordBuffer,
  ): TradeRow {
    const { i32, f64 } = row
    const orderId = f64[TradeValue.orderId]!
    const flags = i32[TradeValue.flagsWord]!
    const isDetailed = (flags & TradeFlag.DETAILED) !== 0
    const details = isDetailed ? this.#rare.details(account, symbolId, orderId) : undefined
    return {
      tradeId: tradeIdOf(id),
      orderId,
      priceTicks: f64[TradeValue.priceTicks]!,
      lots: f64[TradeValue.lots]!,
      quoteAtoms: f64[TradeValue.quoteAtoms]!,
      commissionAtoms: f64[TradeValue.commissionAtoms]!,
      timeMs: f64[TradeValue.timeMs]!,
      isBuyer: (flags & TradeFlag.BUYER) !== 0,
      isMaker: id % 2 === 1,
      orderListId: details?.orderListId ?? -1,
      commissionAssetId: i32[TradeValue.commissionAssetWord]! - 1,
    }
  }
}

/** Keys of their own, since a range holds two at once. */
const ownedKeys =
  (account: number, symbolId: number): KeyOf =>
  (id) =>
    new OwnedKey().of(account, symbolId, id)

function publicTradeRow(tradeId: number, row: RecordBuffer): PublicTradeRow {
  const { f64 } = row
  return {
    tradeId,
    priceTicks: f64[TapeValue.priceTicks]!,
    lots: f64[TapeValue.lots]!,
    quoteAtoms: f64[TapeValue.quoteAtoms]!,
    timeMs: f64[TapeValue.timeMs]!,
    isBuyerMaker: f64[TapeValue.isBuyerMaker] === 1,
  }
}
