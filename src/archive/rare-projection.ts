/**
 * Journal events → rows of the tables of what only few orders have (rare-tables.ts). Driven by
 * project.ts, within its transaction.
 */
import { ListOrderStatus } from '../base/codes.ts'
import type { Environment, Table } from '../journal/environment.ts'
import {
  DetailsSection,
  EventHeader,
  LEGS_MAX,
  MatchPrevented,
  OrderAmended,
  OrderListChanged,
} from '../layout/accessors.gen.ts'
import { executionIdOf } from '../layout/execution-id.ts'
import type { OrderFold } from '../layout/order-fold.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import type { IdHash } from './id-hash.ts'
import {
  AmendmentValue,
  ListClientIdKey,
  ListKey,
  ListTimeKey,
  ListValue,
  OrderPartKey,
  PRESENT,
  PreventedValue,
} from './rare-tables.ts'
import { copyId, OwnedKey, TableName } from './tables.ts'

export class RareProjection {
  readonly #details: Table
  readonly #amendments: Table
  readonly #prevented: Table
  readonly #preventedOfOrder: Table
  readonly #lists: Table
  readonly #listTimes: Table
  readonly #listClientIds: Table
  readonly #openLists: Table
  readonly #hash: IdHash
  readonly #ownedKey = new OwnedKey()
  readonly #partKey = new OrderPartKey()
  readonly #listKey = new ListKey()
  readonly #listTimeKey = new ListTimeKey()
  readonly #listClientIdKey = new ListClientIdKey()
  readonly #detailsRow = RecordBuffer.allocate(DetailsSection.bytes)
  readonly #amendmentRow = RecordBuffer.allocate(AmendmentValue.bytes)
  readonly #preventedRow = RecordBuffer.allocate(PreventedValue.bytes)
  readonly #listRow = RecordBuffer.allocate(ListValue.bytes)

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

  /** Keeps the details of an order that has some, as the event just read says. */
  details(order: OrderFold, records: RecordBuffer): void {
    const { account, symbolId, orderId, detailsAt } = order
    this.#detailsRow.bytes.set(records.bytes.subarray(detailsAt, detailsAt + DetailsSection.bytes))
    this.#details.put(this.#ownedKey.of(account, symbolId, orderId), this.#detailsRow.bytes)
  }

  /** The tracking of a trailing stop started. */
  tracked(account: number, symbolId: number, orderId: number, timeMs: number): void {
    const key = this.#ownedKey.of(account, symbolId, orderId)
    const stored = this.#details.get(key)
    if (stored === undefined) return
    this.#detailsRow.bytes.set(stored)
    DetailsSection.setTrailingMs(this.#detailsRow, 0, timeMs)
    this.#details.put(key, this.#detailsRow.bytes)
  }

  amended(records: RecordBuffer, at: number): void {
    const row = this.#amendmentRow
    row.f64[AmendmentValue.oldLots] = OrderAmended.oldLots(records, at)
    row.f64[AmendmentValue.newLots] = OrderAmended.lots(records, at)
    row.f64[AmendmentValue.timeMs] = EventHeader.timeMs(records, at)
    copyId(records.i32, OrderAmended.origClientOrderIdAt(at), row.i32, AmendmentValue.oldIdWord)
    copyId(records.i32, OrderAmended.clientOrderIdAt(at), row.i32, AmendmentValue.newIdWord)
    const key = this.#partKey.of(
      OrderAmended.account(records, at),
      EventHeader.symbolId(records, at),
      OrderAmended.orderId(records, at),
      executionIdOf(EventHeader.sequence(records, at)),
    )
    this.#amendments.put(key, row.bytes)
  }

  prevented(records: RecordBuffer, at: number): void {
    const row = this.#preventedRow
    const takerOrderId = MatchPrevented.takerOrderId(records, at)
    const makerOrderId = MatchPrevented.makerOrderId(records, at)
    row.f64[PreventedValue.takerOrderId] = takerOrderId
    row.f64[PreventedValue.makerOrderId] = makerOrderId
    row.f64[PreventedValue.tradeGroupId] = MatchPrevented.tradeGroupId(records, at)
    row.f64[PreventedValue.priceTicks] = MatchPrevented.priceTicks(records, at)
    row.f64[PreventedValue.takerPreventedLots] = MatchPrevented.takerPreventedLots(records, at)
    row.f64[PreventedValue.makerPreventedLots] = MatchPrevented.makerPreventedLots(records, at)
    row.f64[PreventedValue.timeMs] = EventHeader.timeMs(records, at)
    row.i32[PreventedValue.takerTermsWord] = MatchPrevented.takerTerms(records, at)
    row.i32[PreventedValue.makerTermsWord] = MatchPrevented.makerTerms(records, at)
    const symbolId = EventHeader.symbolId(records, at)
    const id = MatchPrevented.preventedMatchId(records, at)
    const takerAccount = MatchPrevented.takerAccount(records, at)
    const makerAccount = MatchPrevented.makerAccount(records, at)
    // Of one account, the second row is the first one again.
    for (const [account, orderId] of [
      [takerAccount, takerOrderId],
      [makerAccount, makerOrderId],
    ] as const) {
      this.#prevented.put(this.#ownedKey.of(account, symbolId, id), row.bytes)
      const ofOrder = this.#partKey.of(account, symbolId, orderId, id)
      this.#preventedOfOrder.put(ofOrder, row.bytes)
    }
  }

  listChanged(records: RecordBuffer, at: number): void {
    const account = OrderListChanged.account(records, at)
    const orderListId = OrderListChanged.orderListId(records, at)
    const row = this.#listRow
    const key = this.#listKey.of(account, orderListId)
    const stored = this.#lists.get(key)
    if (stored === undefined) this.#createList(records, at)
    else row.bytes.set(stored)
    const orderStatus = OrderListChanged.orderStatus(records, at)
    row.i32[ListValue.statusTypeWord] = OrderListChanged.statusType(records, at)
    row.i32[ListValue.orderStatusWord] = orderStatus
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      const from = OrderListChanged.legClientOrderIdAt(at, leg)
      copyId(records.i32, from, row.i32, ListValue.legIdWords + 8 * leg)
    }
    this.#lists.put(key, row.bytes)
    if (orderStatus === ListOrderStatus.EXECUTING) this.#openLists.put(key, PRESENT)
    else this.#openLists.remove(key)
  }

  #createList(records: RecordBuffer, at: number): void {
    const row = this.#listRow
    const account = OrderListChanged.account(records, at)
    const orderListId = OrderListChanged.orderListId(records, at)
    const createdMs = EventHeader.timeMs(records, at)
    row.f64[ListValue.createdMs] = createdMs
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      row.f64[ListValue.orderIds + leg] = OrderListChanged.legOrderId(records, at, leg)
    }
    row.i32[ListValue.symbolWord] = EventHeader.symbolId(records, at)
    row.i32[ListValue.kindWord] = OrderListChanged.kind(records, at)
    const id = OrderListChanged.listClientOrderIdAt(at)
    copyId(records.i32, id, row.i32, ListValue.listIdWord)
    this.#listTimes.put(this.#listTimeKey.of(account, createdMs, orderListId), PRESENT)
    const hash = this.#hash.of(account, records.i32, id)
    this.#listClientIds.put(this.#listClientIdKey.of(account, hash, orderListId), PRESENT)
  }
}
