/**
 * Queries of the tables that only few orders have rows in (rare-tables.ts). Read-only, by the last refresh
 * of the environment; history.ts calls it. Windows are those of history.ts.
 */

import {
  CLIENT_ORDER_ID_WORDS,
  packClientOrderId,
  unpackClientOrderId,
} from '../base/client-order-id.ts'
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
import type { Environment, Table } from '../journal/environment.ts'
import { LEGS_MAX } from '../layout/accessors.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { readDetailsSection } from '../layout/records.gen.ts'
import type { IdHash } from './id-hash.ts'
import {
  AmendmentValue,
  ListClientIdKey,
  ListKey,
  ListTimeKey,
  ListValue,
  OrderPartKey,
  PreventedValue,
} from './rare-tables.ts'
import { ID_BYTES, ID_MAX, idOf, OwnedKey, TableName } from './tables.ts'

/** Makes a key of an id, always in memory of its own. */
type KeyOf = (id: number) => Uint8Array

export class RareHistory {
  readonly #details: Table
  readonly #amendments: Table
  readonly #prevented: Table
  readonly #preventedOfOrder: Table
  readonly #lists: Table
  readonly #listTimes: Table
  readonly #listClientIds: Table
  readonly #openLists: Table
  readonly #hash: IdHash
  readonly #key = new OwnedKey()
  readonly #listKey = new ListKey()
  readonly #row = RecordBuffer.allocate(ListValue.bytes)
  readonly #id = new Int32Array(CLIENT_ORDER_ID_WORDS)

  constructor(environment: Environment, hash: IdHash) {
    this.#hash = hash
    this.#details = environment.table(TableName.DETAILS)
    this.#amendments = environment.table(TableName.AMENDMENTS)
    this.#prevented = environment.table(TableName.PREVENTED)
    this.#preventedOfOrder = environment.table(TableName.PREVENTED_OF_ORDER)
    this.#lists = environment.table(TableName.LISTS)
    this.#listTimes = environment.table(TableName.LIST_TIMES)
    this.#listClientIds = environment.table(TableName.LIST_CLIENT_IDS)
    this.#openLists = environment.table(TableName.OPEN_LISTS)
  }

  /** Of a detailed order; undefined for the others. */
  details(account: number, symbolId: number, orderId: number): OrderRowDetails | undefined {
    const stored = this.#details.get(this.#key.of(account, symbolId, orderId))
    if (stored === undefined) return undefined
    this.#row.bytes.set(stored)
    return readDetailsSection(this.#row, 0)
  }

  /** Undefined when there is none, or when the two ids name different lists. */
  orderList({ account, orderListId, listClientOrderId }: OrderListQuery): OrderListRow | undefined {
    if (listClientOrderId === undefined) return this.#list(account, orderListId ?? ID_MAX)
    if (orderListId === undefined) return this.#listNamed(account, listClientOrderId)
    const row = this.#list(account, orderListId)
    return row?.listClientOrderId === listClientOrderId ? row : undefined
  }

  orderLists(query: OrderListsQuery): OrderListRow[] {
    const { account, fromId, startTime, endTime, limit } = query
    if (startTime !== undefined || endTime !== undefined) return this.#listsWithin(query)
    const keyOf: KeyOf = (id) => new ListKey().of(account, id)
    return rowsFrom(this.#lists, keyOf, fromId, limit).map(({ key, value }) =>
      this.#listRow(idOf(key), value),
    )
  }

  openOrderLists(account: number): OrderListRow[] {
    const start = new ListKey().of(account, 0)
    const end = new ListKey().of(account, ID_MAX)
    const ids = Array.from(this.#openLists.keys({ start, end }), idOf)
    return this.#listsOf(account, ids)
  }

  preventedMatches(query: PreventedMatchesQuery): PreventedMatchRow[] {
    const { account, symbolId, preventedMatchId, orderId, fromPreventedMatchId, limit } = query
    if (preventedMatchId !== undefined) {
      if (preventedMatchId > ID_MAX) return []
      const stored = this.#prevented.get(this.#key.of(account, symbolId, preventedMatchId))
      return stored === undefined ? [] : [this.#preventedRow(preventedMatchId, stored)]
    }
    if (orderId === undefined || orderId > ID_MAX) return []
    const keyOf: KeyOf = (id) => new OrderPartKey().of(account, symbolId, orderId, id)
    const rows = rowsFrom(this.#preventedOfOrder, keyOf, fromPreventedMatchId, limit)
    return rows.map(({ key, value }) => this.#preventedRow(idOf(key), value))
  }

  amendments(query: AmendmentsQuery): AmendmentRow[] {
    const { account, symbolId, orderId, fromExecutionId, limit } = query
    if (orderId > ID_MAX) return []
    const keyOf: KeyOf = (id) => new OrderPartKey().of(account, symbolId, orderId, id)
    const rows = rowsFrom(this.#amendments, keyOf, fromExecutionId, limit)
    return rows.map(({ key, value }) => this.#amendmentRow(idOf(key), value))
  }

  #list(account: number, orderListId: number): OrderListRow | undefined {
    if (orderListId >= ID_MAX) return undefined
    const stored = this.#lists.get(this.#listKey.of(account, orderListId))
    return stored === undefined ? undefined : this.#listRow(orderListId, stored)
  }

  /** The latest of that name. */
  #listNamed(account: number, listClientOrderId: string): OrderListRow | undefined {
    if (!packClientOrderId(listClientOrderId, this.#id, 0)) return undefined
    const hash = this.#hash.of(account, this.#id, 0)
    const start = new ListClientIdKey().of(account, hash, ID_MAX)
    for (const key of this.#listClientIds.keys({ start, end: beforeAll(start), reverse: true })) {
      const row = this.#list(account, idOf(key))
      if (row?.listClientOrderId === listClientOrderId) return row
    }
    return undefined
  }

  #listsWithin({ account, startTime, endTime, limit }: OrderListsQuery): OrderListRow[] {
    const keyAt = (timeMs: number) => new ListTimeKey().of(account, Math.min(timeMs, ID_MAX), 0)
    const first = keyAt(startTime ?? 0)
    const past = keyAt((endTime ?? ID_MAX) + 1)
    const range =
      startTime === undefined
        ? { start: past, end: first, reverse: true, limit }
        : { start: first, end: past, limit }
    const ids = Array.from(this.#listTimes.keys(range), idOf)
    return this.#listsOf(
      account,
      ids.sort((a, b) => a - b),
    )
  }

  #listsOf(account: number, orderListIds: readonly number[]): OrderListRow[] {
    return orderListIds.flatMap((id) => this.#list(account, id) ?? [])
  }

  #listRow(orderListId: number, value: Uint8Array): OrderListRow {
    this.#row.bytes.set(value)
    const { i32, f64 } = this.#row
    const legs = Array.from({ length: LEGS_MAX }, (_, leg) => ({
      orderId: f64[ListValue.orderIds + leg]!,
      clientOrderId: unpackClientOrderId(i32, ListValue.legIdWords + leg * CLIENT_ORDER_ID_WORDS),
    }))
    return {
      orderListId,
      symbolId: i32[ListValue.symbolWord]!,
      kind: i32[ListValue.kindWord]!,
      statusType: i32[ListValue.statusTypeWord]!,
      orderStatus: i32[ListValue.orderStatusWord]!,
      createdMs: f64[ListValue.createdMs]!,
      listClientOrderId: unpackClientOrderId(i32, ListValue.listIdWord),
      orders: legs.filter(({ orderId }) => orderId !== 0),
    }
  }

  #preventedRow(preventedMatchId: number, value: Uint8Array): PreventedMatchRow {
    this.#row.bytes.set(value)
    const { i32, f64 } = this.#row
    return {
      preventedMatchId,
      takerOrderId: f64[PreventedValue.takerOrderId]!,
      makerOrderId: f64[PreventedValue.makerOrderId]!,
      takerTerms: i32[PreventedValue.takerTermsWord]!,
      makerTerms: i32[PreventedValue.makerTermsWord]!,
      tradeGroupId: f64[PreventedValue.tradeGroupId]!,
      priceTicks: f64[PreventedValue.priceTicks]!,
      takerPreventedLots: f64[PreventedValue.takerPreventedLots]!,
      makerPreventedLots: f64[PreventedValue.makerPreventedLots]!,
      timeMs: f64[PreventedValue.timeMs]!,
    }
  }

  #amendmentRow(executionId: number, value: Uint8Array): AmendmentRow {
    this.#row.bytes.set(value)
    const { i32, f64 } = this.#row
    return {
      executionId,
      oldLots: f64[AmendmentValue.oldLots]!,
      newLots: f64[AmendmentValue.newLots]!,
      origClientOrderId: unpackClientOrderId(i32, AmendmentValue.oldIdWord),
      newClientOrderId: unpackClientOrderId(i32, AmendmentValue.newIdWord),
      timeMs: f64[AmendmentValue.timeMs]!,
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
  const last = keyOf(ID_MAX)
  if (fromId === undefined) {
    return [...table.rows({ start: last, end: beforeAll(last), reverse: true, limit })].reverse()
  }
  if (fromId >= ID_MAX) return []
  return [...table.rows({ start: keyOf(fromId), end: last, limit })]
}

/** Sorts before the keys of every id, 0 included, and after all others: it lacks the id. */
const beforeAll = (key: Uint8Array): Uint8Array => key.subarray(0, key.length - ID_BYTES)
