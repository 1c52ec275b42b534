/**
 * Removes what the operator does not want to keep for ever: public trades, bars of seconds, and closed
 * orders with their trades and amendments, once they are older than so many whole UTC days. Works in
 * small steps, each a transaction of its own, so that what is new is archived meanwhile. A pass begins
 * with the archivist and at every midnight. Order lists, longer bars and volumes stay.
 *
 * Run by the archive's writer between two folds, so that nothing that it removes is in memory there:
 * the newest row of each symbol, which the folds go on from, is never removed.
 */
import { OrderStatus } from '../base/codes.ts'
import { Ms, SymbolId } from '../base/units.ts'
import { type Environment, Sync, type Table } from '../journal/environment.ts'
import { AggregateKey, SymbolKey, TapeKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { AggregateValue, OrderValue, TapeValue } from '../layout/rows.gen.ts'
import { DAY_MS } from '../market/intervals.ts'
import { secondsRange } from './bars.ts'
import type { IdHash } from './id-hash.ts'
import { OrderRemoval } from './order-removal.ts'
import { statusOf, TableName } from './tables.ts'

/** Days for which each is kept; 0 for ever. */
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
const STEP_ROWS = 512
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
const cutOf = (nowMs: Ms, days: number): Ms =>
  Ms(days === 0 ? 0 : Math.max(0, (Math.floor(nowMs / DAY_MS) - days) * DAY_MS))

function isAny(keys: Iterable<Uint8Array>): boolean {
  for (const _ of keys) return true
  return false
}

export class Retention {
  readonly #environment: Environment
  readonly #settings: RetentionSettings
  readonly #hash: IdHash
  #sweeps: Sweep[] = []
  #day = -1

  constructor(environment: Environment, settings: RetentionSettings, hash: IdHash) {
    this.#environment = environment
    this.#settings = settings
    this.#hash = hash
  }

  /** One step of a pass, if one is due or under way; false when there is nothing left to look at. */
  step(nowMs: Ms): boolean {
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#sweeps = this.#sweepsOf(nowMs)
    }
    const sweep = this.#sweeps[0]
    if (sweep === undefined) return false
    this.#environment.refresh()
    const goesOn = sweep.collect()
    this.#environment.write(() => sweep.remove(), Sync.KERNEL)
    if (!goesOn) this.#sweeps.shift()
    return true
  }

  #sweepsOf(nowMs: Ms): Sweep[] {
    const { publicTradeDays, secondBarDays, orderDays } = this.#settings
    const table = (name: TableName) => this.#environment.table(name)
    const tradesMs = cutOf(nowMs, publicTradeDays)
    const barsMs = cutOf(nowMs, secondBarDays)
    const ordersMs = cutOf(nowMs, orderDays)
    return [
      ...(tradesMs === 0
        ? []
        : [
            new OldestFirst(table(TableName.TAPE), tradesMs, tapeRows),
            new OldestFirst(table(TableName.AGGREGATES), tradesMs, aggregateRows),
          ]),
      ...(barsMs === 0 ? [] : [new Seconds(table(TableName.BARS), barsMs)]),
      ...(ordersMs === 0 ? [] : [new Orders(this.#environment, ordersMs, this.#hash)]),
    ]
  }
}

/** A table of symbol and rising id, whose rows know their time. */
interface TimedRows {
  readonly bytes: number
  keyOf(symbolId: SymbolId): Uint8Array
  timeMs(row: RecordBuffer, at: number): Ms
}

const tapeRows: TimedRows = {
  ...TapeValue,
  keyOf: (symbolId) => new TapeKey().of(symbolId, 0),
}
const aggregateRows: TimedRows = {
  ...AggregateValue,
  keyOf: (symbolId) => new AggregateKey().of(symbolId, 0),
}

/** Removes old rows of a table of these. */
class OldestFirst implements Sweep {
  readonly #table: Table
  readonly #beforeMs: Ms
  readonly #rows: TimedRows
  readonly #row: RecordBuffer
  #symbolId = SymbolId(0)
  #keys: Uint8Array[] = []

  constructor(table: Table, beforeMs: Ms, rows: TimedRows) {
    this.#table = table
    this.#beforeMs = beforeMs
    this.#rows = rows
    this.#row = RecordBuffer.allocate(rows.bytes)
  }

  collect(): boolean {
    this.#keys = []
    const start = this.#rows.keyOf(this.#symbolId)
    let rows = 0
    let before: Uint8Array | undefined
    for (const { key, value } of this.#table.rows({ start, limit: STEP_ROWS })) {
      rows++
      const symbolId = SymbolKey.symbolId(key)
      // Then the one before it is not its symbol's newest.
      if (before !== undefined && SymbolKey.symbolId(before) === symbolId) this.#keys.push(before)
      before = key
      this.#symbolId = symbolId
      this.#row.bytes.set(value)
      if (this.#rows.timeMs(this.#row, 0) < this.#beforeMs) continue
      // The rest of the symbol is kept.
      this.#symbolId++
      return true
    }
    return rows === STEP_ROWS
  }

  remove(): void {
    for (const key of this.#keys) this.#table.remove(key)
  }
}

/** The bars of seconds, which stand before the longer ones of their symbol. */
class Seconds implements Sweep {
  readonly #table: Table
  readonly #beforeMs: Ms
  #symbolId = SymbolId(0)
  #keys: Uint8Array[] = []

  constructor(table: Table, beforeMs: Ms) {
    this.#table = table
    this.#beforeMs = beforeMs
  }

  collect(): boolean {
    const old = secondsRange(this.#symbolId, Ms(0), this.#beforeMs)
    this.#keys = [...this.#table.keys({ ...old, limit: STEP_ROWS })]
    if (this.#keys.length === STEP_ROWS) return true
    const kept = secondsRange(this.#symbolId, this.#beforeMs, FOREVER_MS)
    const isAnyKept = isAny(this.#table.keys({ ...kept, limit: 1 }))
    if (!isAnyKept) this.#keys.pop()
    this.#symbolId++
    const { start } = secondsRange(this.#symbolId, Ms(0), Ms(0))
    return isAny(this.#table.keys({ start, limit: 1 }))
  }

  remove(): void {
    for (const key of this.#keys) this.#table.remove(key)
  }
}

/** The orders from first to last; those that closed long ago are removed. */
class Orders implements Sweep {
  readonly #orders: Table
  readonly #removal: OrderRemoval
  readonly #beforeMs: Ms
  readonly #row = RecordBuffer.allocate(OrderValue.bytes)
  #next: Uint8Array = new Uint8Array(1)

  constructor(environment: Environment, beforeMs: Ms, hash: IdHash) {
    this.#orders = environment.table(TableName.ORDERS)
    this.#removal = new OrderRemoval(environment, hash)
    this.#beforeMs = beforeMs
  }

  collect(): boolean {
    let rows = 0
    for (const row of this.#orders.rows({ start: this.#next, limit: STEP_ROWS })) {
      rows++
      this.#next = row.key
      if (this.#isOld(row.value) && !this.#removal.add(row, STEP_ROWS)) return true
      this.#next = Uint8Array.of(...row.key, 0)
      if (this.#removal.rows >= STEP_ROWS) return true
    }
    return rows === STEP_ROWS
  }

  remove(): void {
    this.#removal.remove()
  }

  #isOld(value: Uint8Array): boolean {
    this.#row.bytes.set(value)
    if (!closedStatuses.includes(statusOf(OrderValue.state(this.#row, 0)))) return false
    return OrderValue.updatedMs(this.#row, 0) < this.#beforeMs
  }
}
