/**
 * Journal events → rows of the tables of what only few orders have (tables.ts). Driven by
 * project.ts, within its transaction.
 */
import { ListOrderStatus } from '../base/codes.ts'
import type { AccountId, Ms, OrderId, SymbolId } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import {
  BlockTrade,
  DetailsSection,
  EventHeader,
  LEGS_MAX,
  OrderAmended,
  OrderListChanged,
} from '../layout/accessors.gen.ts'
import { executionIdOf } from '../layout/execution-id.ts'
import {
  BlockTradeKey,
  BlockTradeRequestKey,
  ListClientIdKey,
  ListKey,
  ListTimeKey,
  OrderKey,
  OrderPartKey,
  PreventedKey,
} from '../layout/keys.gen.ts'
import type { OrderView } from '../layout/order-view.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { readBlockTrade, readMatchPrevented } from '../layout/records.gen.ts'
import { AmendmentValue, BlockTradeValue, ListValue, PreventedValue } from '../layout/rows.gen.ts'
import { EXCHANGE_ACCOUNT } from '../market/listing.ts'
import type { IdHash } from './id-hash.ts'
import { PRESENT, TableName } from './tables.ts'

export class RareProjection {
  private readonly detailTable: Table
  private readonly amendments: Table
  private readonly preventedTable: Table
  private readonly preventedOfOrder: Table
  private readonly lists: Table
  private readonly listTimes: Table
  private readonly listClientIds: Table
  private readonly openLists: Table
  private readonly blockTrades: Table
  private readonly blockTradeRequests: Table
  private readonly hash: IdHash
  private readonly orderKey = new OrderKey()
  private readonly preventedKey = new PreventedKey()
  private readonly partKey = new OrderPartKey()
  private readonly listKey = new ListKey()
  private readonly listTimeKey = new ListTimeKey()
  private readonly listClientIdKey = new ListClientIdKey()
  private readonly detailsRow = RecordBuffer.allocate(DetailsSection.bytes)
  private readonly amendmentRow = RecordBuffer.allocate(AmendmentValue.bytes)
  private readonly preventedRow = RecordBuffer.allocate(PreventedValue.bytes)
  private readonly blockTradeKey = new BlockTradeKey()
  private readonly blockTradeRequestKey = new BlockTradeRequestKey()
  private readonly blockTradeRow = RecordBuffer.allocate(BlockTradeValue.bytes)
  private readonly listRow = RecordBuffer.allocate(ListValue.bytes)

  constructor(environment: Environment, hash: IdHash) {
    this.hash = hash
    this.detailTable = environment.table(TableName.DETAILS)
    this.amendments = environment.table(TableName.AMENDMENTS)
    this.preventedTable = environment.table(TableName.PREVENTED)
    this.preventedOfOrder = environment.table(TableName.PREVENTED_OF_ORDER)
    this.lists = environment.table(TableName.LISTS)
    this.listTimes = environment.table(TableName.LIST_TIMES)
    this.listClientIds = environment.table(TableName.LIST_CLIENT_IDS)
    this.openLists = environment.table(TableName.OPEN_LISTS)
    this.blockTrades = environment.table(TableName.BLOCK_TRADES)
    this.blockTradeRequests = environment.table(TableName.BLOCK_TRADE_REQUESTS)
  }

  /** Keeps the details of an order that has some, from the event just read. */
  details(order: OrderView, records: RecordBuffer): void {
    const { account, symbolId, orderId, detailsAt } = order
    this.detailsRow.bytes.set(records.bytes.subarray(detailsAt, detailsAt + DetailsSection.bytes))
    this.detailTable.put(this.orderKey.of(account, symbolId, orderId), this.detailsRow.bytes)
  }

  /** The tracking of a trailing stop started. */
  tracked(account: AccountId, symbolId: SymbolId, orderId: OrderId, timeMs: Ms): void {
    const key = this.orderKey.of(account, symbolId, orderId)
    const stored = this.detailTable.get(key)
    if (stored === undefined) return
    this.detailsRow.bytes.set(stored)
    DetailsSection.setTrailingMs(this.detailsRow, 0, timeMs)
    this.detailTable.put(key, this.detailsRow.bytes)
  }

  amended(records: RecordBuffer, at: number): void {
    const row = this.amendmentRow
    AmendmentValue.setOldLots(row, 0, OrderAmended.oldLots(records, at))
    AmendmentValue.setNewLots(row, 0, OrderAmended.lots(records, at))
    AmendmentValue.setTimeMs(row, 0, EventHeader.timeMs(records, at))
    const { i32 } = records
    AmendmentValue.setOldClientOrderId(row, 0, i32, OrderAmended.origClientOrderIdAt(at))
    AmendmentValue.setNewClientOrderId(row, 0, i32, OrderAmended.clientOrderIdAt(at))
    const key = this.partKey.of(
      OrderAmended.account(records, at),
      EventHeader.symbolId(records, at),
      OrderAmended.orderId(records, at),
      executionIdOf(EventHeader.sequence(records, at)),
    )
    this.amendments.put(key, row.bytes)
  }

  prevented(records: RecordBuffer, at: number): void {
    const row = this.preventedRow
    const match = readMatchPrevented(records, at)
    const { symbolId, preventedMatchId: id, across } = match
    const makerSymbolId = across?.otherSymbolId ?? symbolId
    const { takerAccount, takerOrderId, makerAccount, makerOrderId } = match
    PreventedValue.writeMatch(row, 0, { ...match, makerSymbolId })
    // Where one account has both orders, the second row is the first one again.
    for (const account of [takerAccount, makerAccount]) {
      this.preventedTable.put(this.preventedKey.of(account, symbolId, id), row.bytes)
    }
    const ofTaker = this.partKey.of(takerAccount, symbolId, takerOrderId, id)
    this.preventedOfOrder.put(ofTaker, row.bytes)
    // Ids of orders and of matches count in each symbol.
    if (makerSymbolId !== symbolId) return
    const ofMaker = this.partKey.of(makerAccount, symbolId, makerOrderId, id)
    this.preventedOfOrder.put(ofMaker, row.bytes)
  }

  blockTraded(records: RecordBuffer, at: number): void {
    const row = this.blockTradeRow
    const idAt = BlockTrade.requestIdAt(at)
    const trade = readBlockTrade(records, at)
    BlockTradeValue.writeDeal(row, 0, trade)
    BlockTradeValue.setTimeMs(row, 0, trade.timeMs)
    BlockTradeValue.setRequestId(row, 0, records.i32, idAt)
    const { symbolId, blockTradeId: id } = trade
    this.blockTrades.put(this.blockTradeKey.of(symbolId, id), row.bytes)
    const { low, high } = this.hash.of(EXCHANGE_ACCOUNT, records.i32, idAt)
    this.blockTradeRequests.put(this.blockTradeRequestKey.of(symbolId, low, high, id), PRESENT)
  }

  listChanged(records: RecordBuffer, at: number): void {
    const account = OrderListChanged.account(records, at)
    const orderListId = OrderListChanged.orderListId(records, at)
    const row = this.listRow
    const key = this.listKey.of(account, orderListId)
    const stored = this.lists.get(key)
    if (stored === undefined) this.createList(records, at)
    else row.bytes.set(stored)
    const orderStatus = OrderListChanged.orderStatus(records, at)
    ListValue.setStatusType(row, 0, OrderListChanged.statusType(records, at))
    ListValue.setOrderStatus(row, 0, orderStatus)
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      const from = OrderListChanged.legClientOrderIdAt(at, leg)
      ListValue.setLegClientOrderId(row, 0, leg, records.i32, from)
    }
    this.lists.put(key, row.bytes)
    if (orderStatus === ListOrderStatus.EXECUTING) this.openLists.put(key, PRESENT)
    else this.openLists.remove(key)
  }

  private createList(records: RecordBuffer, at: number): void {
    const row = this.listRow
    const account = OrderListChanged.account(records, at)
    const orderListId = OrderListChanged.orderListId(records, at)
    const createdMs = EventHeader.timeMs(records, at)
    ListValue.setCreatedMs(row, 0, createdMs)
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      ListValue.setLegOrderId(row, 0, leg, OrderListChanged.legOrderId(records, at, leg))
    }
    ListValue.setSymbolId(row, 0, EventHeader.symbolId(records, at))
    ListValue.setKind(row, 0, OrderListChanged.kind(records, at))
    const id = OrderListChanged.listClientOrderIdAt(at)
    ListValue.setListClientOrderId(row, 0, records.i32, id)
    this.listTimes.put(this.listTimeKey.of(account, createdMs, orderListId), PRESENT)
    const { low, high } = this.hash.of(account, records.i32, id)
    this.listClientIds.put(this.listClientIdKey.of(account, low, high, orderListId), PRESENT)
  }
}
