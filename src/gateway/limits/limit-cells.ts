/**
 * Counts for one interval each, in shared memory. Every gateway writes it by compare-and-swap of the
 * whole cell, so no thread sees a cell between two counts.
 *
 *   cell   i64: stamp in bits 28-62, count in bits 0-27
 *   stamp  owner and interval of the count; a count under another stamp is 0
 *
 * So a new interval, and a new owner of the cell, begin at 0 by themselves. Stamps of one owner's
 * intervals are consecutive: when a thread with a later clock has begun a count under the next stamp,
 * others add to it instead of restarting it under the one before.
 */
import { assert } from '../../base/assert.ts'
import { LIMIT_MAX } from '../../base/limits.ts'

const COUNT_BITS = 28n
const COUNT_MASK = (1n << COUNT_BITS) - 1n
assert(Number(COUNT_MASK) === LIMIT_MAX, 'a cell holds every limit that may be set')

/** A stamp is a whole number below 2^STAMP_BITS. */
export const STAMP_BITS = 35

export class LimitCells {
  private readonly cells: BigInt64Array

  constructor(cells: BigInt64Array) {
    this.cells = cells
  }

  /** Returns the count under the stamp, or under the next one; 0 when there is none. */
  count(at: number, stamp: number): number {
    const cell = Atomics.load(this.cells, at)
    return isUnder(cell, stamp) ? countOf(cell) : 0
  }

  /** Returns the cell's last stamp and count; both 0 when it was never written. */
  read(at: number): { stamp: number; count: number } {
    const cell = Atomics.load(this.cells, at)
    return { stamp: stampOf(cell), count: countOf(cell) }
  }

  /** Adds `amount` and returns the count. Returns -1, and adds nothing, above `limit`. */
  add(at: number, stamp: number, amount: number, limit: number): number {
    for (;;) {
      const cell = Atomics.load(this.cells, at)
      const under = isUnder(cell, stamp)
      const count = (under ? countOf(cell) : 0) + amount
      if (count > limit) return -1
      const next = cellOf(under ? stampOf(cell) : stamp, count)
      if (Atomics.compareExchange(this.cells, at, cell, next) === cell) return count
    }
  }

  /** Subtracts `amount` from the count of exactly this stamp, floor 0; the stamp may be gone. */
  giveBack(at: number, stamp: number, amount: number): void {
    for (;;) {
      const cell = Atomics.load(this.cells, at)
      if (stampOf(cell) !== stamp || this.lower(at, cell, amount)) return
    }
  }

  /** Subtracts `amount` from the count of the stamp or the next one, floor 0. */
  credit(at: number, stamp: number, amount: number): void {
    for (;;) {
      const cell = Atomics.load(this.cells, at)
      if (!isUnder(cell, stamp) || this.lower(at, cell, amount)) return
    }
  }

  clear(at: number): void {
    Atomics.store(this.cells, at, 0n)
  }

  private lower(at: number, cell: bigint, amount: number): boolean {
    const next = cellOf(stampOf(cell), Math.max(0, countOf(cell) - amount))
    return Atomics.compareExchange(this.cells, at, cell, next) === cell
  }
}

const stampOf = (cell: bigint): number => Number(cell >> COUNT_BITS)
const countOf = (cell: bigint): number => Number(cell & COUNT_MASK)
const cellOf = (stamp: number, count: number): bigint =>
  (BigInt(stamp) << COUNT_BITS) | BigInt(count)

function isUnder(cell: bigint, stamp: number): boolean {
  const ahead = stampOf(cell) - stamp
  return ahead === 0 || ahead === 1
}
