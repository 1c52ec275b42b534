/**
 * Orders taken out of every table that knows them: their trades, amendments, prevented matches and the
 * client ids that lead to them. Reads first, then removes within a transaction of the caller's. An order
 * with more rows than a transaction should remove goes in several; a stop between two leaves it whole,
 * with fewer trades.
 */
import { type AccountId, type OrderId, type SymbolId, TradeId } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import {
  KEY_ID_MAX,
  keyId,
  OrderKey,
  OrderPartKey,
  PreventedKey,
  TradeKey,
} from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { AmendmentValue, OrderValue, TradeValue } from '../layout/rows.gen.ts'
import { ClientIdRemoval } from './client-ids.ts'
import type { IdHash } from './id-hash.ts'
import { fillOf, TableName } from './tables.ts'

/** A row of `orders`. */
export interface StoredOrder {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** Account, symbol and order id. */
type OrderParts = readonly [account: AccountId, symbolId: SymbolId, orderId: OrderId]

interface Row {
  readonly table: Table
  readonly key: Uint8Array
}

export class OrderRemoval {
  readonly #orders: Table
  readonly #trades: Table
  readonly #fillMarks: Table
  readonly #clientIds: ClientIdRemoval
  readonly #details: Table
  readonly #amendments: Table
  readonly #prevented: Table
  readonly #preventedOfOrder: Table
  readonly #order = RecordBuffer.allocate(OrderValue.bytes)
  readonly #row = RecordBuffer.allocate(AmendmentValue.bytes)
  readonly #trade = RecordBuffer.allocate(TradeValue.bytes)
  #rows: Row[] = []
  /** The row of an order that keeps its older trades until the next removal. */
  #shortened: StoredOrder | undefined

  constructor(environment: Environment, hash: IdHash) {
    this.#orders = environment.table(TableName.ORDERS)
    this.#trades = environment.table(TableName.TRADES)
    this.#fillMarks = environment.table(TableName.FILL_MARKS)
    this.#clientIds = new ClientIdRemoval(environment.table(TableName.CLIENT_IDS), hash)
    this.#details = environment.table(TableName.DETAILS)
    this.#amendments = environment.table(TableName.AMENDMENTS)
    this.#prevented = environment.table(TableName.PREVENTED)
    this.#preventedOfOrder = environment.table(TableName.PREVENTED_OF_ORDER)
  }

  /** Rows that wait to be removed. */
  get rows(): number {
    return this.#rows.length
  }

  /**
   * Finds what goes with a closed order, until about `rowsMax` rows wait. False when more of the order is
   * left: the caller adds it again, as it is stored, after the next removal. The order's own row goes last.
   */
  add({ key, value }: StoredOrder, rowsMax: number): boolean {
    const order: OrderParts = [OrderKey.account(key), OrderKey.symbolId(key), OrderKey.orderId(key)]
    this.#order.bytes.set(value)
    // Marks go before their trades, since a query begins at the trade of a mark.
    for (const { key: mark } of this.#parts(this.#fillMarks, order, rowsMax)) {
      this.#rows.push({ table: this.#fillMarks, key: mark })
    }
    for (const amendment of this.#parts(this.#amendments, order, rowsMax)) {
      this.#row.bytes.set(amendment.value)
      this.#clientIds.add(...order, this.#row.i32, AmendmentValue.oldClientOrderIdAt(0))
      this.#rows.push({ table: this.#amendments, key: amendment.key })
    }
    const [account, symbolId] = order
    for (const prevented of this.#parts(this.#preventedOfOrder, order, rowsMax)) {
      this.#rows.push({ table: this.#preventedOfOrder, key: prevented.key })
      const id = keyId(prevented.key)
      this.#rows.push({ table: this.#prevented, key: new PreventedKey().of(account, symbolId, id) })
    }
    const tradeId = this.#addTrades(order, rowsMax)
    if (this.#rows.length >= rowsMax) {
      OrderValue.setLastTradeId(this.#order, 0, TradeId(tradeId))
      this.#shortened = { key, value: this.#order.bytes.slice() }
      return false
    }
    const { i32 } = this.#order
    this.#clientIds.add(...order, i32, OrderValue.ownClientOrderIdAt(0))
    this.#clientIds.add(...order, i32, OrderValue.clientOrderIdAt(0))
    this.#rows.push({ table: this.#details, key }, { table: this.#orders, key })
    return true
  }

  /** Within a transaction. */
  remove(): void {
    for (const { table, key } of this.#rows) table.remove(key)
    if (this.#shortened !== undefined) this.#orders.put(this.#shortened.key, this.#shortened.value)
    this.#rows = []
    this.#shortened = undefined
    this.#clientIds.remove()
  }

  /** An order's rows of a table, as many as there is room for. */
  #parts(table: Table, order: OrderParts, rowsMax: number): Iterable<StoredOrder> {
    const limit = rowsMax - this.#rows.length
    if (limit <= 0) return []
    const start = new OrderPartKey().of(...order, 0)
    return table.rows({ start, end: new OrderPartKey().of(...order, KEY_ID_MAX), limit })
  }

  /** From its last trade back. Returns the newest that is left; 0 for none. */
  #addTrades([account, symbolId, orderId]: OrderParts, rowsMax: number): number {
    let tradeId = OrderValue.lastTradeId(this.#order, 0)
    while (tradeId > 0 && this.#rows.length < rowsMax) {
      let previous = 0
      for (const isMaker of [false, true]) {
        const key = new TradeKey().of(account, symbolId, fillOf(tradeId, isMaker))
        const stored = this.#trades.get(key)
        if (stored === undefined) continue
        this.#trade.bytes.set(stored)
        if (TradeValue.orderId(this.#trade, 0) !== orderId) continue
        previous = TradeValue.previousTradeId(this.#trade, 0)
        this.#rows.push({ table: this.#trades, key })
      }
      tradeId = TradeId(previous)
    }
    return tradeId
  }
}
