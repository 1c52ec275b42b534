/** Columns by slot in which only some orders have a row: see details.ts. */
import type { Int64 } from '../../base/int64.ts'
import { Doubles, Int64s } from '../../base/units.ts'

const START_ROWS = 8

/** Which slots have a row. */
export class SlotRows {
  private rows = new Int32Array(START_ROWS)
  private readonly shift: number

  constructor(shift: number) {
    this.shift = shift
  }

  /** 0 for a slot without one. */
  of(slot: number): number {
    const at = slot >> this.shift
    return at < this.rows.length ? this.rows[at]! : 0
  }

  set(slot: number, row: number): void {
    const at = slot >> this.shift
    while (at >= this.rows.length) this.rows = doubledInts(this.rows)
    this.rows[at] = row
  }

  /** Ascending. */
  slots(): number[] {
    const slots: number[] = []
    for (const [at, row] of this.rows.entries()) if (row !== 0) slots.push(at << this.shift)
    return slots
  }
}

/** One attribute: an integer of each detailed order, and the same initial value of all others. */
export class SparseColumn<Of extends number> {
  private readonly rows: SlotRows
  private readonly initial: Of
  private values: Doubles<Of>

  constructor(rows: SlotRows, initial: Of) {
    this.rows = rows
    this.initial = initial
    this.values = Doubles<Of>(new Float64Array(START_ROWS)).fill(initial)
  }

  of(slot: number): Of {
    return this.values[this.rows.of(slot)]!
  }

  /** The order is detailed. */
  set(slot: number, value: Of): void {
    this.values[this.rows.of(slot)] = value
  }

  /** For a new row. */
  reset(row: number): void {
    if (row === this.values.length) this.values = Doubles(doubledFloats(this.values))
    this.values[row] = this.initial
  }
}

/** A SparseColumn of 64-bit integers. */
export class SparseInt64s<Of extends Int64> {
  private readonly rows: SlotRows
  private readonly initial: Of
  private words = new Int32Array(START_ROWS * 2)
  private values = new Int64s<Of>(this.words)

  constructor(rows: SlotRows, initial: Of) {
    this.rows = rows
    this.initial = initial
    for (let row = 0; row < START_ROWS; row++) this.values.set(row, initial)
  }

  of(slot: number): Of {
    return this.values.of(this.rows.of(slot))
  }

  /** The order is detailed. */
  set(slot: number, value: Of): void {
    this.values.set(this.rows.of(slot), value)
  }

  /** For a new row. */
  reset(row: number): void {
    if (row * 2 === this.words.length) {
      this.words = doubledInts(this.words)
      this.values = new Int64s(this.words)
    }
    this.values.set(row, this.initial)
  }
}

export function doubledFloats(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2)
  larger.set(column)
  return larger
}

export function doubledInts(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2)
  larger.set(column)
  return larger
}
