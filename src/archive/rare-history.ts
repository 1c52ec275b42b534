/**
 * Queries of the tables that only few orders have rows in (tables.ts). Read-only, by the last refresh
 * of the environment; history.ts calls it. Windows are those of history.ts.
 */

import {
  CLIENT_ORDER_ID_WORDS,
  packClientOrderId,
  unpackClientOrderId,
} from '../base/client-order-id.ts'
import { type AccountId, Ms, type OrderId, OrderListId, type SymbolId } from '../base/units.ts'
import type {
  AmendmentRow,
  AmendmentsQuery,
  OrderListQuery,
  OrderListRow,
  OrderListsQuery,
  OrderRowDetails,
  PreventedMatchesQuery,
  PreventedMatchRow,
} from '../history/account-history.ts'
import type {
  BlockTradeOfRequest,
  BlockTradeRequestQuery,
  BlockTradeRow,
  BlockTradesQuery,
  PastBlockTrade,
} from '../history/market-history.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { LEGS_MAX } from '../layout/accessors.gen.ts'
import {
  BlockTradeKey,
  BlockTradeRequestKey,
  KEY_ID_BYTES,
  KEY_ID_MAX,
  keyId,
  ListClientIdKey,
  ListKey,
  ListTimeKey,
  OrderKey,
  OrderPartKey,
  PreventedKey,
} from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { readDetailsSection } from '../layout/records.gen.ts'
import { AmendmentValue, BlockTradeValue, ListValue, PreventedValue } from '../layout/rows.gen.ts'
import { EXCHANGE_ACCOUNT } from '../market/listing.ts'
import type { IdHash } from './id-hash.ts'
import { TableName } from './tables.ts'

/** Makes a key of an id, always in separate memory. */
type KeyOf = (id: number) => Uint8Array

export class RareHistory {
  private readonly detailTable: Table
  private readonly amendmentTable: Table
  private readonly prevented: Table
  private readonly preventedOfOrder: Table
  private readonly allocationsOfOrder: Table
  private readonly lists: Table
  private readonly listTimes: Table
  private readonly listClientIds: Table
  private readonly openLists: Table
  private readonly blockTradeTable: Table
  private readonly blockTradeRequests: Table
  private readonly hash: IdHash
  private readonly orderKey = new OrderKey()
  private readonly preventedKey = new PreventedKey()
  private readonly listKey = new ListKey()
  private readonly row = RecordBuffer.allocate(ListValue.bytes)
  private readonly id = new Int32Array(CLIENT_ORDER_ID_WORDS)

  constructor(environment: Environment, hash: IdHash) {
    this.hash = hash
    this.detailTable = environment.table(TableName.DETAILS)
    this.amendmentTable = environment.table(TableName.AMENDMENTS)
    this.prevented = environment.table(TableName.PREVENTED)
    this.preventedOfOrder = environment.table(TableName.PREVENTED_OF_ORDER)
    this.allocationsOfOrder = environment.table(TableName.ALLOCATIONS_OF_ORDER)
    this.lists = environment.table(TableName.LISTS)
    this.listTimes = environment.table(TableName.LIST_TIMES)
    this.listClientIds = environment.table(TableName.LIST_CLIENT_IDS)
    this.openLists = environment.table(TableName.OPEN_LISTS)
    this.blockTradeTable = environment.table(TableName.BLOCK_TRADES)
    this.blockTradeRequests = environment.table(TableName.BLOCK_TRADE_REQUESTS)
  }

  /** Returns the details of a detailed order; undefined for other orders. */
  details(account: AccountId, symbolId: SymbolId, orderId: OrderId): OrderRowDetails | undefined {
    const stored = this.detailTable.get(this.orderKey.of(account, symbolId, orderId))
    if (stored === undefined) return undefined
    this.row.bytes.set(stored)
    return readDetailsSection(this.row, 0)
  }

  /** Undefined when there is none, or when the two ids name different lists. */
  orderList({ account, orderListId, listClientOrderId }: OrderListQuery): OrderListRow | undefined {
    if (listClientOrderId === undefined)
      return this.list(account, OrderListId(orderListId ?? KEY_ID_MAX))
    if (orderListId === undefined) return this.listNamed(account, listClientOrderId)
    const row = this.list(account, orderListId)
    return row?.listClientOrderId === listClientOrderId ? row : undefined
  }

  orderLists(query: OrderListsQuery): OrderListRow[] {
    const { account, fromId, startTime, endTime, limit } = query
    if (startTime !== undefined || endTime !== undefined) return this.listsWithin(query)
    const keyOf: KeyOf = (id) => new ListKey().of(account, id)
    return rowsFrom(this.lists, keyOf, fromId, limit).map(({ key, value }) =>
      this.listRow(OrderListId(keyId(key)), value),
    )
  }

  openOrderLists(account: AccountId): OrderListRow[] {
    const start = new ListKey().of(account, 0)
    const end = new ListKey().of(account, KEY_ID_MAX)
    const ids = Array.from(this.openLists.keys({ start, end }), (key) => OrderListId(keyId(key)))
    return this.listsOf(account, ids)
  }

  preventedMatches(query: PreventedMatchesQuery): PreventedMatchRow[] {
    const { account, symbolId, preventedMatchId, orderId, fromPreventedMatchId, limit } = query
    if (preventedMatchId !== undefined) {
      if (preventedMatchId > KEY_ID_MAX) return []
      const stored = this.prevented.get(this.preventedKey.of(account, symbolId, preventedMatchId))
      return stored === undefined ? [] : [this.preventedRow(preventedMatchId, stored)]
    }
    if (orderId === undefined || orderId > KEY_ID_MAX) return []
    const keyOf: KeyOf = (id) => new OrderPartKey().of(account, symbolId, orderId, id)
    const rows = rowsFrom(this.preventedOfOrder, keyOf, fromPreventedMatchId, limit)
    return rows.map(({ key, value }) => this.preventedRow(keyId(key), value))
  }

  /** Places of an order's allocations, the oldest from an id on. */
  allocationsOf(
    account: AccountId,
    symbolId: SymbolId,
    orderId: OrderId,
    fromAllocationId: number | undefined,
    limit: number,
  ): readonly number[] {
    if (orderId > KEY_ID_MAX) return []
    const keyOf: KeyOf = (id) => new OrderPartKey().of(account, symbolId, orderId, id)
    const rows = rowsFrom(this.allocationsOfOrder, keyOf, (fromAllocationId ?? 0) + 1, limit)
    return rows.map(({ key }) => keyId(key))
  }

  amendments(query: AmendmentsQuery): AmendmentRow[] {
    const { account, symbolId, orderId, fromExecutionId, limit } = query
    if (orderId > KEY_ID_MAX) return []
    const keyOf: KeyOf = (id) => new OrderPartKey().of(account, symbolId, orderId, id)
    const rows = rowsFrom(this.amendmentTable, keyOf, fromExecutionId, limit)
    return rows.map(({ key, value }) => this.amendmentRow(orderId, keyId(key), value))
  }

  blockTrades({ symbolId, fromId, limit }: BlockTradesQuery): BlockTradeRow[] {
    const keyOf: KeyOf = (id) => new BlockTradeKey().of(symbolId, id)
    return rowsFrom(this.blockTradeTable, keyOf, fromId, limit).map(({ key, value }) => {
      const { priceTicks, lots, quoteAtoms, timeMs } = this.pastBlockTrade(value)
      return { blockTradeId: keyId(key), priceTicks, lots, quoteAtoms, timeMs }
    })
  }

  blockTradeOf({ symbolId, requestId }: BlockTradeRequestQuery): BlockTradeOfRequest {
    const keyOf: KeyOf = (id) => new BlockTradeKey().of(symbolId, id)
    const [last] = rowsFrom(this.blockTradeTable, keyOf, undefined, 1)
    const made = this.blockTradeNamed(symbolId, requestId)
    return { made, lastId: last === undefined ? 0 : keyId(last.key) }
  }

  private blockTradeNamed(symbolId: SymbolId, requestId: string): PastBlockTrade | undefined {
    if (!packClientOrderId(requestId, this.id, 0)) return undefined
    const { low, high } = this.hash.of(EXCHANGE_ACCOUNT, this.id, 0)
    const end = new BlockTradeRequestKey().of(symbolId, low, high, KEY_ID_MAX)
    for (const key of this.blockTradeRequests.keys({ start: beforeAll(end), end })) {
      const stored = this.blockTradeTable.get(new BlockTradeKey().of(symbolId, keyId(key)))
      if (stored === undefined) continue
      const trade = this.pastBlockTrade(stored)
      if (unpackClientOrderId(this.row.i32, BlockTradeValue.requestIdAt(0)) === requestId) {
        return trade
      }
    }
    return undefined
  }

  private pastBlockTrade(value: Uint8Array): PastBlockTrade {
    this.row.bytes.set(value)
    return { ...BlockTradeValue.dealOf(this.row, 0), timeMs: BlockTradeValue.timeMs(this.row, 0) }
  }

  private list(account: AccountId, orderListId: OrderListId): OrderListRow | undefined {
    if (orderListId >= KEY_ID_MAX) return undefined
    const stored = this.lists.get(this.listKey.of(account, orderListId))
    return stored === undefined ? undefined : this.listRow(orderListId, stored)
  }

  /** The latest of that name. */
  private listNamed(account: AccountId, listClientOrderId: string): OrderListRow | undefined {
    if (!packClientOrderId(listClientOrderId, this.id, 0)) return undefined
    const { low, high } = this.hash.of(account, this.id, 0)
    const start = new ListClientIdKey().of(account, low, high, KEY_ID_MAX)
    for (const key of this.listClientIds.keys({ start, end: beforeAll(start), reverse: true })) {
      const row = this.list(account, OrderListId(keyId(key)))
      if (row?.listClientOrderId === listClientOrderId) return row
    }
    return undefined
  }

  private listsWithin({ account, startTime, endTime, limit }: OrderListsQuery): OrderListRow[] {
    const keyAt = (timeMs: number) =>
      new ListTimeKey().of(account, Ms(Math.min(timeMs, KEY_ID_MAX)), 0)
    const first = keyAt(startTime ?? 0)
    const past = keyAt((endTime ?? KEY_ID_MAX) + 1)
    const range =
      startTime === undefined
        ? { start: past, end: first, reverse: true, limit }
        : { start: first, end: past, limit }
    const ids = Array.from(this.listTimes.keys(range), (key) => OrderListId(keyId(key)))
    return this.listsOf(
      account,
      ids.sort((a, b) => a - b),
    )
  }

  private listsOf(account: AccountId, orderListIds: readonly OrderListId[]): OrderListRow[] {
    return orderListIds.flatMap((id) => this.list(account, id) ?? [])
  }

  private listRow(orderListId: OrderListId, value: Uint8Array): OrderListRow {
    this.row.bytes.set(value)
    const row = this.row
    const legs = Array.from({ length: LEGS_MAX }, (_, leg) => ({
      orderId: ListValue.legOrderId(row, 0, leg),
      clientOrderId: unpackClientOrderId(row.i32, ListValue.legClientOrderIdAt(0, leg)),
    }))
    return {
      orderListId,
      symbolId: ListValue.symbolId(row, 0),
      kind: ListValue.kind(row, 0),
      statusType: ListValue.statusType(row, 0),
      orderStatus: ListValue.orderStatus(row, 0),
      createdMs: ListValue.createdMs(row, 0),
      listClientOrderId: unpackClientOrderId(row.i32, ListValue.listClientOrderIdAt(0)),
      orders: legs.filter(({ orderId }) => orderId !== 0),
    }
  }

  private preventedRow(preventedMatchId: number, value: Uint8Array): PreventedMatchRow {
    this.row.bytes.set(value)
    return { preventedMatchId, ...PreventedValue.matchOf(this.row, 0) }
  }

  private amendmentRow(orderId: OrderId, executionId: number, value: Uint8Array): AmendmentRow {
    this.row.bytes.set(value)
    const row = this.row
    return {
      orderId,
      executionId,
      oldLots: AmendmentValue.oldLots(row, 0),
      newLots: AmendmentValue.newLots(row, 0),
      origClientOrderId: unpackClientOrderId(row.i32, AmendmentValue.oldClientOrderIdAt(0)),
      newClientOrderId: unpackClientOrderId(row.i32, AmendmentValue.newClientOrderIdAt(0)),
      timeMs: AmendmentValue.timeMs(row, 0),
    }
  }
}

/** The oldest rows from an id on, or, without one, the newest; ascending. */
function rowsFrom(
  table: Table,
  keyOf: KeyOf,
  fromId: number | undefined,
  limit: number,
): { key: Uint8Array; value: Uint8Array }[] {
  const last = keyOf(KEY_ID_MAX)
  if (fromId === undefined) {
    return [...table.rows({ start: last, end: beforeAll(last), reverse: true, limit })].reverse()
  }
  if (fromId >= KEY_ID_MAX) return []
  return [...table.rows({ start: keyOf(fromId), end: last, limit })]
}

/** Sorts before the keys of every id, 0 included, and after all others: it lacks the id. */
const beforeAll = (key: Uint8Array): Uint8Array => key.subarray(0, key.length - KEY_ID_BYTES)
