/**
 * Orders taken out of every table that knows them: their trades, allocations, amendments, prevented matches and
 * the client ids that lead to them. Reads first, then removes within a transaction of the caller's. An order
 * with more rows than a transaction should remove goes in several; a stop between two leaves it whole,
 * with fewer trades.
 */
import { isDetailed } from '../base/codes.ts'
import { type AccountId, type OrderId, type SymbolId, TradeId } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { KEY_ID_MAX, keyId, OrderKey, OrderPartKey, PreventedKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { AmendmentValue, OrderValue, PreventedValue, TradeValue } from '../layout/rows.gen.ts'
import { ClientIdRemoval } from './client-id-writer.ts'
import type { IdHash } from './id-hash.ts'
import { RowEdits } from './row-edits.ts'
import { allocationRows, orderRows, ownerOf, tradeRows } from './row-form.ts'
import { RowReader } from './row-reader.ts'
import { fillOf, TableName } from './tables.ts'

type OrderParts = readonly [account: AccountId, symbolId: SymbolId, orderId: OrderId]

interface StoredRow {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

interface Row {
  readonly table: Table
  readonly key: Uint8Array
}

export class OrderRemoval {
  private readonly orders: RowEdits
  private readonly trades: RowEdits
  private readonly storedTrades: RowReader
  private readonly allocations: RowEdits
  private readonly allocationsOfOrder: Table
  private readonly fillMarks: Table
  private readonly clientIds: ClientIdRemoval
  private readonly details: Table
  private readonly amendments: Table
  private readonly prevented: Table
  private readonly preventedOfOrder: Table
  private readonly order = RecordBuffer.allocate(OrderValue.bytes)
  private readonly row = RecordBuffer.allocate(AmendmentValue.bytes)
  private readonly match = RecordBuffer.allocate(PreventedValue.bytes)
  private readonly detailsKey = new OrderKey()
  private _rows: Row[] = []

  constructor(environment: Environment, hash: IdHash) {
    const trades = environment.table(TableName.TRADES)
    this.orders = new RowEdits(environment.table(TableName.ORDERS), orderRows)
    this.trades = new RowEdits(trades, tradeRows)
    const allocations = environment.table(TableName.ALLOCATIONS)
    this.allocations = new RowEdits(allocations, allocationRows)
    this.allocationsOfOrder = environment.table(TableName.ALLOCATIONS_OF_ORDER)
    this.storedTrades = new RowReader(trades, tradeRows)
    this.fillMarks = environment.table(TableName.FILL_MARKS)
    this.clientIds = new ClientIdRemoval(environment, hash)
    this.details = environment.table(TableName.DETAILS)
    this.amendments = environment.table(TableName.AMENDMENTS)
    this.prevented = environment.table(TableName.PREVENTED)
    this.preventedOfOrder = environment.table(TableName.PREVENTED_OF_ORDER)
  }

  /** Rows that wait to be removed. */
  get rows(): number {
    return this._rows.length + this.orders.count + this.trades.count + this.allocations.count
  }

  /** Lets the next calls read what was written since. */
  refresh(): void {
    this.storedTrades.forget()
  }

  /**
   * Finds what goes with the closed order at byte `at`, until about `rowsMax` rows wait. False when more of
   * the order is left: the caller adds it again, as it is stored, after the next removal. The order's own
   * row goes last.
   */
  add(
    account: AccountId,
    symbolId: SymbolId,
    stored: RecordBuffer,
    at: number,
    rowsMax: number,
  ): boolean {
    const orderId = OrderValue.orderId(stored, at)
    const order: OrderParts = [account, symbolId, orderId]
    this.order.bytes.set(stored.bytes.subarray(at, at + OrderValue.bytes))
    // Marks go before their trades, since a query begins at the trade of a mark.
    for (const { key: mark } of this.parts(this.fillMarks, order, rowsMax)) {
      this._rows.push({ table: this.fillMarks, key: mark })
    }
    for (const amendment of this.parts(this.amendments, order, rowsMax)) {
      this.row.bytes.set(amendment.value)
      this.clientIds.add(...order, this.row.i32, AmendmentValue.oldClientOrderIdAt(0))
      this._rows.push({ table: this.amendments, key: amendment.key })
    }
    for (const prevented of this.parts(this.preventedOfOrder, order, rowsMax)) {
      this._rows.push({ table: this.preventedOfOrder, key: prevented.key })
      this.match.bytes.set(prevented.value)
      const id = keyId(prevented.key)
      const isAcross = PreventedValue.makerSymbolId(this.match, 0) !== symbolId
      // No order of this symbol leads to a maker of another one.
      const owners = isAcross ? [account, PreventedValue.makerAccount(this.match, 0)] : [account]
      for (const owner of owners) {
        this._rows.push({ table: this.prevented, key: new PreventedKey().of(owner, symbolId, id) })
      }
    }
    const owner = ownerOf(account, symbolId)
    for (const { key } of this.parts(this.allocationsOfOrder, order, rowsMax)) {
      this._rows.push({ table: this.allocationsOfOrder, key })
      this.allocations.remove(owner, keyId(key))
    }
    const tradeId = this.addTrades(order, rowsMax)
    if (this.rows >= rowsMax) {
      OrderValue.setLastTradeId(this.order, 0, TradeId(tradeId))
      this.orders.replace(owner, orderId, this.order.bytes.slice())
      return false
    }
    const { i32 } = this.order
    this.clientIds.add(...order, i32, OrderValue.ownClientOrderIdAt(0))
    this.clientIds.add(...order, i32, OrderValue.clientOrderIdAt(0))
    if (isDetailed(OrderValue.terms(this.order, 0))) {
      this._rows.push({ table: this.details, key: this.detailsKey.of(...order).slice() })
    }
    this.orders.remove(owner, orderId)
    return true
  }

  /** Within a transaction. */
  remove(): void {
    for (const { table, key } of this._rows) table.remove(key)
    this._rows = []
    this.trades.apply()
    this.allocations.apply()
    this.orders.apply()
    this.clientIds.remove()
  }

  /** An order's rows of a table, as many as there is room for. */
  private parts(table: Table, order: OrderParts, rowsMax: number): Iterable<StoredRow> {
    const limit = rowsMax - this.rows
    if (limit <= 0) return []
    const start = new OrderPartKey().of(...order, 0)
    return table.rows({ start, end: new OrderPartKey().of(...order, KEY_ID_MAX), limit })
  }

  /** Adds them from its last trade back. Returns the newest that is left; 0 for none. */
  private addTrades([account, symbolId, orderId]: OrderParts, rowsMax: number): number {
    const owner = ownerOf(account, symbolId)
    const { rows } = this.storedTrades
    let tradeId = OrderValue.lastTradeId(this.order, 0)
    while (tradeId > 0 && this.rows < rowsMax) {
      let previous = 0
      for (const isMaker of [false, true]) {
        const fill = fillOf(tradeId, isMaker)
        const at = this.storedTrades.find(owner, fill)
        if (at < 0 || TradeValue.orderId(rows, at) !== orderId) continue
        previous = TradeValue.previousTradeId(rows, at)
        this.trades.remove(owner, fill)
      }
      tradeId = TradeId(previous)
    }
    return tradeId
  }
}
