/**
 * Removes what the operator does not want to keep forever: public trades, bars of seconds, and closed
 * orders with their trades and amendments, once they are older than so many whole UTC days. Works in
 * small steps, each a separate transaction, so that what is new is archived meanwhile. A pass begins
 * with the indexer, at every midnight and after journals were applied again. Order lists, longer bars and
 * volumes stay.
 *
 * Run by the archive's writer between two passes, so that nothing that it removes is in memory there:
 * the newest row of each symbol, which the views continue from, is never removed.
 */
import { OrderStatus } from '../base/codes.ts'
import { AccountId, Ms, OrderId, SymbolId } from '../base/units.ts'
import { type Environment, Sync, type Table } from '../journal/environment.ts'
import { OrderKey, SymbolKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { AggregateValue, OrderValue, TapeValue } from '../layout/rows.gen.ts'
import { DAY_MS } from '../market/intervals.ts'
import { secondsRange } from './bars.ts'
import type { IdHash } from './id-hash.ts'
import { OrderRemoval } from './order-removal.ts'
import { RowEdits } from './row-edits.ts'
import { aggregateRows, CHUNK_BYTES, type RowForm, rowId, tapeRows } from './row-form.ts'
import { RowReader } from './row-reader.ts'
import { statusOf, TableName } from './tables.ts'

/** Days for which each is kept; 0: forever. */
export interface RetentionSettings {
  readonly publicTradeDays: number
  readonly secondBarDays: number
  readonly orderDays: number
}

export const keepEverything: RetentionSettings = {
  publicTradeDays: 0,
  secondBarDays: 0,
  orderDays: 0,
}

/** Rows that one step looks at, and about as many as it removes, also of one order. */
export const STEP_ROWS = 512
/** Later than any bar. */
const FOREVER_MS = Ms(2 ** 47)

const closedStatuses: readonly number[] = [
  OrderStatus.FILLED,
  OrderStatus.CANCELED,
  OrderStatus.REJECTED,
  OrderStatus.EXPIRED,
  OrderStatus.EXPIRED_IN_MATCH,
]

/** One table's part of a pass. */
interface Sweep {
  /** Finds rows to remove, before the step's transaction; false when there are no more after them. */
  collect(): boolean
  /** Removes them, within it. */
  remove(): void
}

/** Returns the midnight from which rows are kept; 0 when all are. */
export const cutOf = (nowMs: Ms, days: number): Ms =>
  Ms(days === 0 ? 0 : Math.max(0, (Math.floor(nowMs / DAY_MS) - days) * DAY_MS))

function isAny(keys: Iterable<Uint8Array>): boolean {
  for (const _ of keys) return true
  return false
}

export class Retention {
  private readonly environment: Environment
  private readonly settings: RetentionSettings
  private readonly hash: IdHash
  private sweeps: Sweep[] = []
  private day = -1

  constructor(environment: Environment, settings: RetentionSettings, hash: IdHash) {
    this.environment = environment
    this.settings = settings
    this.hash = hash
  }

  /** Has the next step begin a pass, also when that of the day is done. */
  restart(): void {
    this.day = -1
  }

  /** One step of a pass, if one is due or under way; false when there is nothing left to look at. */
  step(nowMs: Ms): boolean {
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.day) {
      this.day = day
      this.sweeps = this.sweepsOf(nowMs)
    }
    const sweep = this.sweeps[0]
    if (sweep === undefined) return false
    this.environment.release()
    const goesOn = sweep.collect()
    this.environment.write(() => sweep.remove(), Sync.KERNEL)
    if (!goesOn) this.sweeps.shift()
    return true
  }

  private sweepsOf(nowMs: Ms): Sweep[] {
    const { publicTradeDays, secondBarDays, orderDays } = this.settings
    const table = (name: TableName) => this.environment.table(name)
    const tradesMs = cutOf(nowMs, publicTradeDays)
    const barsMs = cutOf(nowMs, secondBarDays)
    const ordersMs = cutOf(nowMs, orderDays)
    return [
      ...(tradesMs === 0
        ? []
        : [
            new OldestFirst(table(TableName.TAPE), tapeRows, TapeValue.timeMs, tradesMs),
            new OldestFirst(
              table(TableName.AGGREGATES),
              aggregateRows,
              AggregateValue.timeMs,
              tradesMs,
            ),
          ]),
      ...(barsMs === 0 ? [] : [new Seconds(table(TableName.BARS), barsMs)]),
      ...(ordersMs === 0 ? [] : [new Orders(this.environment, ordersMs, this.hash)]),
    ]
  }
}

/** Removes old rows of a table of symbol and rising id, except each symbol's newest. */
class OldestFirst implements Sweep {
  private readonly table: Table
  private readonly form: RowForm
  private readonly timeOf: (rows: RecordBuffer, at: number) => Ms
  private readonly beforeMs: Ms
  private readonly reader: RowReader
  private readonly edits: RowEdits
  private symbolId = SymbolId(0)

  constructor(
    table: Table,
    form: RowForm,
    timeOf: (rows: RecordBuffer, at: number) => Ms,
    beforeMs: Ms,
  ) {
    this.table = table
    this.form = form
    this.timeOf = timeOf
    this.beforeMs = beforeMs
    this.reader = new RowReader(table, form)
    this.edits = new RowEdits(table, form)
  }

  collect(): boolean {
    const reader = this.reader
    reader.forget()
    const start = this.form.keyOf(this.symbolId, 0)
    for (const key of this.table.keys({ start, limit: 1 })) {
      const symbolId = SymbolKey.symbolId(key)
      const old = { from: 0, to: reader.lastId(symbolId) - 1, newest: false }
      reader.each(symbolId, old, STEP_ROWS, (at) => {
        if (this.timeOf(reader.rows, at) >= this.beforeMs) return false
        this.edits.remove(symbolId, rowId(reader.rows, at))
        return true
      })
      // Where a symbol has more old rows, the next step removes them.
      this.symbolId = SymbolId(this.edits.count === STEP_ROWS ? symbolId : symbolId + 1)
      return true
    }
    return false
  }

  remove(): void {
    this.edits.apply()
  }
}

/** The bars of seconds, which stand before the longer ones of their symbol. */
class Seconds implements Sweep {
  private readonly table: Table
  private readonly beforeMs: Ms
  private symbolId = SymbolId(0)
  private keys: Uint8Array[] = []

  constructor(table: Table, beforeMs: Ms) {
    this.table = table
    this.beforeMs = beforeMs
  }

  collect(): boolean {
    const old = secondsRange(this.symbolId, Ms(0), this.beforeMs)
    this.keys = [...this.table.keys({ ...old, limit: STEP_ROWS })]
    if (this.keys.length === STEP_ROWS) return true
    const kept = secondsRange(this.symbolId, this.beforeMs, FOREVER_MS)
    const isAnyKept = isAny(this.table.keys({ ...kept, limit: 1 }))
    if (!isAnyKept) this.keys.pop()
    this.symbolId++
    const { start } = secondsRange(this.symbolId, Ms(0), Ms(0))
    return isAny(this.table.keys({ start, limit: 1 }))
  }

  remove(): void {
    for (const key of this.keys) this.table.remove(key)
  }
}

/** The orders from first to last; those that closed long ago are removed. */
class Orders implements Sweep {
  private readonly orders: Table
  private readonly removal: OrderRemoval
  private readonly beforeMs: Ms
  private readonly rows = RecordBuffer.allocate(CHUNK_BYTES)
  /** Where the next step begins. */
  private account = AccountId(0)
  private symbolId = SymbolId(0)
  private orderId = OrderId(0)

  constructor(environment: Environment, beforeMs: Ms, hash: IdHash) {
    this.orders = environment.table(TableName.ORDERS)
    this.removal = new OrderRemoval(environment, hash)
    this.beforeMs = beforeMs
  }

  collect(): boolean {
    this.removal.refresh()
    let left = STEP_ROWS
    for (const { key, value } of this.orders.rows({ start: this.start() })) {
      this.rows.bytes.set(value)
      for (let at = 0; at < value.length; at += OrderValue.bytes) {
        const orderId = OrderValue.orderId(this.rows, at)
        if (!this.isNext(key, orderId)) continue
        if (left-- === 0) return true
        const account = OrderKey.account(key)
        const symbolId = OrderKey.symbolId(key)
        this.goTo(account, symbolId, orderId)
        const isWhole =
          !this.isOld(at) || this.removal.add(account, symbolId, this.rows, at, STEP_ROWS)
        if (!isWhole) return true
        this.goTo(account, symbolId, OrderId(orderId + 1))
        if (this.removal.rows >= STEP_ROWS) return true
      }
    }
    return false
  }

  remove(): void {
    this.removal.remove()
  }

  /** The key of the chunk in which the next order may be, or where it would follow. */
  private start(): Uint8Array {
    const start = new OrderKey().of(this.account, this.symbolId, this.orderId)
    const end = new OrderKey().of(this.account, this.symbolId, 0)
    for (const key of this.orders.keys({ start, end, reverse: true, limit: 1 })) return key
    return start
  }

  /** Chunks before the next order's begin below it, or are of the owner that it is of. */
  private isNext(key: Uint8Array, orderId: OrderId): boolean {
    const isSame =
      OrderKey.account(key) === this.account && OrderKey.symbolId(key) === this.symbolId
    return !isSame || orderId >= this.orderId
  }

  private goTo(account: AccountId, symbolId: SymbolId, orderId: OrderId): void {
    this.account = account
    this.symbolId = symbolId
    this.orderId = orderId
  }

  private isOld(at: number): boolean {
    if (!closedStatuses.includes(statusOf(OrderValue.state(this.rows, at)))) return false
    return OrderValue.updatedMs(this.rows, at) < this.beforeMs
  }
}
