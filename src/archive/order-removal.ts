/**
 * Orders taken out of every table that knows them: their trades, amendments, prevented matches and the
 * client ids that lead to them. Reads first, then removes within a transaction of the caller's.
 */
import type { Environment, Table } from '#journal/environment.ts'
import { RecordBuffer } from '#layout/record-buffer.ts'
import { ClientIdRemoval } from './client-ids.ts'
import type { IdHash } from './id-hash.ts'
import { AmendmentValue, OrderPartKey } from './rare-tables.ts'
import { ID_MAX, idOf, OrderValue, OwnedKey, TableName, TradeValue } from './tables.ts'

/** A row of `orders`. */
export interface StoredOrder {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

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
  #rows: Row[] = []

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

  /** Finds what goes with a closed order. */
  add({ key, value }: StoredOrder): void {
    const view = new DataView(key.buffer, key.byteOffset)
    const [account, symbolId, orderId] = [view.getUint32(0), view.getUint16(4), idOf(key)]
    this.#order.bytes.set(value)
    this.#addTrades(account, symbolId, orderId)
    const { i32 } = this.#order
    const { ownClientOrderIdWord, clientOrderIdWord } = OrderValue
    this.#clientIds.add(account, symbolId, orderId, i32, ownClientOrderIdWord)
    this.#clientIds.add(account, symbolId, orderId, i32, clientOrderIdWord)
    const parts = (table: Table) =>
      table.rows({
        start: new OrderPartKey().of(account, symbolId, orderId, 0),
        end: new OrderPartKey().of(account, symbolId, orderId, ID_MAX),
      })
    for (const amendment of parts(this.#amendments)) {
      this.#row.bytes.set(amendment.value)
      const { oldIdWord } = AmendmentValue
      this.#clientIds.add(account, symbolId, orderId, this.#row.i32, oldIdWord)
      this.#rows.push({ table: this.#amendments, key: amendment.key })
    }
    for (const { key: mark } of parts(this.#fillMarks)) {
      this.#rows.push({ table: this.#fillMarks, key: mark })
    }
    for (const prevented of parts(this.#preventedOfOrder)) {
      this.#rows.push({ table: this.#preventedOfOrder, key: prevented.key })
      const id = idOf(prevented.key)
      this.#rows.push({ table: this.#prevented, key: new OwnedKey().of(account, symbolId, id) })
    }
    this.#rows.push({ table: this.#details, key }, { table: this.#orders, key })
  }

  /** Within a transaction. */
  remove(): void {
    for (const { table, key } of this.#rows) table.remove(key)
    this.#rows = []
    this.#clientIds.remove()
  }

  /** From its last trade back to its first. */
  #addTrades(account: number, symbolId: number, orderId: number): void {
    let tradeId = this.#order.f64[OrderValue.lastTradeId]!
    while (tradeId > 0) {
      let previous = 0
      for (const id of [tradeId * 2, tradeId * 2 + 1]) {
        const key = new OwnedKey().of(account, symbolId, id)
        const stored = this.#trades.get(key)
        if (stored === undefined) continue
        const view = new DataView(stored.buffer, stored.byteOffset)
        if (view.getFloat64(8 * TradeValue.orderId, true) !== orderId) continue
        previous = view.getFloat64(8 * TradeValue.previousTradeId, true)
        this.#rows.push({ table: this.#trades, key })
      }
      tradeId = previous
    }
  }
}
