/**
 * Journal events → rows of the tables of what only few orders have (rare-tables.ts). Driven by
 * project.ts, within its transaction.
 */
import { ListOrderStatus } from '../base/codes.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { executionIdOf } from '../layout/execution-id.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import {
  EventHeader,
  MatchPrevented,
  OrderAmended,
  OrderDetails,
  OrderListChanged,
} from '../layout/records.gen.ts'
import type { IdHash } from './id-hash.ts'
import {
  AmendmentValue,
  DetailsValue,
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
  readonly #detailsRow = RecordBuffer.allocate(DetailsValue.bytes)
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

  /** Keeps the OrderDetails at `at`, with the phase that the order is in after what follows them. */
  details(records: RecordBuffer, at: number, phase: number, workingMs: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const row = this.#detailsRow
    row.f64[DetailsValue.orderListId] = f64[double + OrderDetails.orderListId]!
    row.f64[DetailsValue.stopTicks] = f64[double + OrderDetails.stopTicks]!
    row.f64[DetailsValue.icebergLots] = f64[double + OrderDetails.icebergLots]!
    row.f64[DetailsValue.strategyId] = f64[double + OrderDetails.strategyId]!
    row.f64[DetailsValue.trailingMs] = f64[double + OrderDetails.trailingMs]!
    row.f64[DetailsValue.workingMs] = workingMs
    row.i32[DetailsValue.strategyTypeWord] = i32[word + OrderDetails.strategyType]!
    row.i32[DetailsValue.trailingDeltaWord] = i32[word + OrderDetails.trailingDelta]!
    row.i32[DetailsValue.phaseWord] = phase
    const account = i32[word + OrderDetails.account]!
    const symbolId = i32[word + EventHeader.symbolId]!
    const orderId = f64[double + OrderDetails.orderId]!
    this.#details.put(this.#ownedKey.of(account, symbolId, orderId), row.bytes)
  }

  /** The tracking of a trailing stop started. */
  tracked(account: number, symbolId: number, orderId: number, timeMs: number): void {
    const key = this.#ownedKey.of(account, symbolId, orderId)
    const stored = this.#details.get(key)
    if (stored === undefined) return
    this.#detailsRow.bytes.set(stored)
    this.#detailsRow.f64[DetailsValue.trailingMs] = timeMs
    this.#details.put(key, this.#detailsRow.bytes)
  }

  amended(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const row = this.#amendmentRow
    row.f64[AmendmentValue.oldLots] = f64[double + OrderAmended.oldLots]!
    row.f64[AmendmentValue.newLots] = f64[double + OrderAmended.lots]!
    row.f64[AmendmentValue.timeMs] = f64[double + EventHeader.timeMs]!
    copyId(i32, word + OrderAmended.origClientOrderId, row.i32, AmendmentValue.oldIdWord)
    copyId(i32, word + OrderAmended.clientOrderId, row.i32, AmendmentValue.newIdWord)
    const key = this.#partKey.of(
      i32[word + OrderAmended.account]!,
      i32[word + EventHeader.symbolId]!,
      f64[double + OrderAmended.orderId]!,
      executionIdOf(f64[double + EventHeader.sequence]!),
    )
    this.#amendments.put(key, row.bytes)
  }

  prevented(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const row = this.#preventedRow
    const takerOrderId = f64[double + MatchPrevented.takerOrderId]!
    const makerOrderId = f64[double + MatchPrevented.makerOrderId]!
    row.f64[PreventedValue.takerOrderId] = takerOrderId
    row.f64[PreventedValue.makerOrderId] = makerOrderId
    row.f64[PreventedValue.tradeGroupId] = f64[double + MatchPrevented.tradeGroupId]!
    row.f64[PreventedValue.priceTicks] = f64[double + MatchPrevented.priceTicks]!
    row.f64[PreventedValue.takerPreventedLots] = f64[double + MatchPrevented.takerPreventedLots]!
    row.f64[PreventedValue.makerPreventedLots] = f64[double + MatchPrevented.makerPreventedLots]!
    row.f64[PreventedValue.timeMs] = f64[double + EventHeader.timeMs]!
    row.i32[PreventedValue.takerTermsWord] = i32[word + MatchPrevented.takerTerms]!
    row.i32[PreventedValue.makerTermsWord] = i32[word + MatchPrevented.makerTerms]!
    const symbolId = i32[word + EventHeader.symbolId]!
    const id = f64[double + MatchPrevented.preventedMatchId]!
    const takerAccount = i32[word + MatchPrevented.takerAccount]!
    const makerAccount = i32[word + MatchPrevented.makerAccount]!
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
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const account = i32[word + OrderListChanged.account]!
    const orderListId = f64[double + OrderListChanged.orderListId]!
    const row = this.#listRow
    const key = this.#listKey.of(account, orderListId)
    const stored = this.#lists.get(key)
    if (stored === undefined) this.#createList(records, at)
    else row.bytes.set(stored)
    const orderStatus = i32[word + OrderListChanged.orderStatus]!
    row.i32[ListValue.statusTypeWord] = i32[word + OrderListChanged.statusType]!
    row.i32[ListValue.orderStatusWord] = orderStatus
    for (const [leg, from] of LEG_IDS.entries()) {
      copyId(i32, word + from, row.i32, ListValue.legIdWords + 8 * leg)
    }
    this.#lists.put(key, row.bytes)
    if (orderStatus === ListOrderStatus.EXECUTING) this.#openLists.put(key, PRESENT)
    else this.#openLists.remove(key)
  }

  #createList(records: RecordBuffer, at: number): void {
    const { i32, f64 } = records
    const word = at >> 2
    const double = at >> 3
    const row = this.#listRow
    const account = i32[word + OrderListChanged.account]!
    const orderListId = f64[double + OrderListChanged.orderListId]!
    const createdMs = f64[double + EventHeader.timeMs]!
    row.f64[ListValue.createdMs] = createdMs
    for (const [leg, from] of LEG_ORDER_IDS.entries()) {
      row.f64[ListValue.orderIds + leg] = f64[double + from]!
    }
    row.i32[ListValue.symbolWord] = i32[word + EventHeader.symbolId]!
    row.i32[ListValue.kindWord] = i32[word + OrderListChanged.kind]!
    const id = word + OrderListChanged.listClientOrderId
    copyId(i32, id, row.i32, ListValue.listIdWord)
    this.#listTimes.put(this.#listTimeKey.of(account, createdMs, orderListId), PRESENT)
    const hash = this.#hash.of(account, i32, id)
    this.#listClientIds.put(this.#listClientIdKey.of(account, hash, orderListId), PRESENT)
  }
}

const LEG_ORDER_IDS = [
  OrderListChanged.orderId1,
  OrderListChanged.orderId2,
  OrderListChanged.orderId3,
] as const
const LEG_IDS = [
  OrderListChanged.clientOrderId1,
  OrderListChanged.clientOrderId2,
  OrderListChanged.clientOrderId3,
] as const
