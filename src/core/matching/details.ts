/**
 * What only some open orders have: stops, icebergs, members of lists, orders with a strategy, that were
 * amended or that lost quantity to self-trade prevention. Sparse columns under the slot that the book
 * names the order by. A plain order, whose terms lack the DETAILED bit, takes no room in them: each
 * column returns its initial value for it. Writer: the engine of the symbol.
 *
 * ```
 * slot ──► row of the slot ──► one value in each column
 *          0 for plain          row 0 keeps the initial values
 * ```
 */
import { OrderPhase } from '../../base/codes.ts'
import type { Atoms, Lots, Ms, OrderListId, Ticks } from '../../base/units.ts'
import { DetailsSection } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { OrderBook } from '../book/face.ts'

const START_ROWS = 64

/** In no list. */
export const NO_LIST = -1

/** Which slots have a row of their own. */
class SlotRows {
  #rows = new Int32Array(START_ROWS)
  readonly #shift: number

  constructor(shift: number) {
    this.#shift = shift
  }

  /** 0 for a slot without one. */
  of(slot: number): number {
    const at = slot >> this.#shift
    return at < this.#rows.length ? this.#rows[at]! : 0
  }

  set(slot: number, row: number): void {
    const at = slot >> this.#shift
    while (at >= this.#rows.length) this.#rows = doubledInts(this.#rows)
    this.#rows[at] = row
  }

  /** Ascending. */
  slots(): number[] {
    const slots: number[] = []
    for (const [at, row] of this.#rows.entries()) if (row !== 0) slots.push(at << this.#shift)
    return slots
  }
}

/** One attribute: an integer of each detailed order, and the same initial value of all others. */
export class SparseColumn<Of extends number> {
  readonly #rows: SlotRows
  readonly #initial: number
  #values: Float64Array<ArrayBuffer>

  constructor(rows: SlotRows, initial: number) {
    this.#rows = rows
    this.#initial = initial
    this.#values = new Float64Array(START_ROWS).fill(initial)
  }

  of(slot: number): Of {
    return this.#values[this.#rows.of(slot)] as Of
  }

  /** The order is detailed. */
  set(slot: number, value: Of): void {
    this.#values[this.#rows.of(slot)] = value
  }

  add(slot: number, change: number): void {
    const row = this.#rows.of(slot)
    this.#values[row] = this.#values[row]! + change
  }

  /** For a new row. */
  reset(row: number): void {
    if (row === this.#values.length) this.#values = doubledFloats(this.#values)
    this.#values[row] = this.#initial
  }
}

export class Details {
  /** All columns, in the order in which snapshots and hashes have them. */
  readonly columns: SparseColumn<number>[] = []
  readonly #book: Pick<OrderBook, 'slotShift' | 'orderId' | 'account'>
  readonly #rows: SlotRows
  readonly #free: number[] = []
  #fresh = 1

  /** 0 for none. */
  readonly stopTicks: SparseColumn<Ticks>
  /** 0 when it shows all. */
  readonly icebergLots: SparseColumn<Lots>
  /** Of a resting iceberg: open, but not shown. */
  readonly hiddenLots: SparseColumn<Lots>
  /** Lost to self-trade prevention. */
  readonly preventedLots: SparseColumn<Lots>
  /** -1 for none. */
  readonly strategyId: SparseColumn<number>
  readonly strategyType: SparseColumn<number>
  /** Basis points; 0 when it does not trail. */
  readonly trailingDelta: SparseColumn<number>
  /** When its tracking started; -1 while it has not. */
  readonly trailingMs: SparseColumn<Ms>
  /** Best price since tracking started; 0 while it has not. */
  readonly extremeTicks: SparseColumn<Ticks>
  /** When it began to work; -1 while it has not. */
  readonly workingMs: SparseColumn<Ms>
  readonly amendments: SparseColumn<number>
  readonly orderListId: SparseColumn<OrderListId>
  /** Place in its list, from 0. */
  readonly leg: SparseColumn<number>
  /** OrderPhase; WORKING also while its turn runs. */
  readonly phase: SparseColumn<number>
  /** What it needs by itself while it waits: what it holds, but for what a pair holds once. */
  readonly costAtoms: SparseColumn<Atoms>

  constructor(book: Pick<OrderBook, 'slotShift' | 'orderId' | 'account'>) {
    this.#book = book
    this.#rows = new SlotRows(book.slotShift)
    this.stopTicks = this.#column(0)
    this.icebergLots = this.#column(0)
    this.hiddenLots = this.#column(0)
    this.preventedLots = this.#column(0)
    this.strategyId = this.#column(-1)
    this.strategyType = this.#column(0)
    this.trailingDelta = this.#column(0)
    this.trailingMs = this.#column(-1)
    this.extremeTicks = this.#column(0)
    this.workingMs = this.#column(-1)
    this.amendments = this.#column(0)
    this.orderListId = this.#column(NO_LIST)
    this.leg = this.#column(0)
    this.phase = this.#column(OrderPhase.WORKING)
    this.costAtoms = this.#column(0)
  }

  /** The order becomes detailed. */
  add(slot: number): void {
    const row = this.#free.pop() ?? this.#fresh++
    for (const column of this.columns) column.reset(row)
    this.#rows.set(slot, row)
  }

  /** The order has left: its columns read as those of a plain one. */
  remove(slot: number): void {
    this.#free.push(this.#rows.of(slot))
    this.#rows.set(slot, 0)
  }

  /** The slots of all detailed orders, by order id. */
  sorted(): readonly number[] {
    const { orderId } = this.#book
    return this.#rows.slots().sort((a, b) => orderId[a]! - orderId[b]!)
  }

  /** Writes an order as the section at byte `at` of `records`; nothing where that is -1. */
  write(slot: number, records: RecordBuffer, at: number): void {
    if (at < 0) return
    DetailsSection.setOrderListId(records, at, this.orderListId.of(slot))
    DetailsSection.setStopTicks(records, at, this.stopTicks.of(slot))
    DetailsSection.setIcebergLots(records, at, this.icebergLots.of(slot))
    DetailsSection.setStrategyId(records, at, this.strategyId.of(slot))
    DetailsSection.setTrailingMs(records, at, this.trailingMs.of(slot))
    DetailsSection.setWorkingMs(records, at, this.workingMs.of(slot))
    DetailsSection.setStrategyType(records, at, this.strategyType.of(slot))
    DetailsSection.setTrailingDelta(records, at, this.trailingDelta.of(slot))
    DetailsSection.setPhase(records, at, this.phase.of(slot))
    DetailsSection.setAmendments(records, at, this.amendments.of(slot))
    DetailsSection.setPreventedLots(records, at, this.preventedLots.of(slot))
  }

  #column<Of extends number>(initial: number): SparseColumn<Of> {
    const column = new SparseColumn<Of>(this.#rows, initial)
    this.columns.push(column)
    return column
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
