/**
 * How many orders, stops that wait for their trigger, icebergs and order lists each account has open
 * on one symbol: four cells for each account, in a region of the symbol's own. Writer: the matcher of
 * the symbol, and recovery before it. Readers: the matchers of all symbols, because some filters count
 * over all of them (filters.md). What another matcher counts may change at any time; the decision
 * that was made of it stands in the events.
 */
import type { AccountId } from '../../base/units.ts'

/** What is counted: places in an account's cells. */
export const Open = { ORDERS: 0, ALGO_ORDERS: 1, ICEBERG_ORDERS: 2, LISTS: 3 } as const
export type Open = (typeof Open)[keyof typeof Open]

const CELLS = 4

export class OpenCounts {
  private readonly cells: Int32Array

  static bytesFor(accountsMax: number): number {
    return accountsMax * CELLS * 4
  }

  /** A memory of all zeros counts nothing. */
  constructor(memory: SharedArrayBuffer) {
    this.cells = new Int32Array(memory)
  }

  get accountsMax(): number {
    return this.cells.length / CELLS
  }

  of(account: AccountId, what: Open): number {
    return Atomics.load(this.cells, account * CELLS + what)
  }

  add(account: AccountId, what: Open, change: number): void {
    const at = account * CELLS + what
    // Plain, because an atomic store for each order that rests or leaves costs too much (bench
    // `engine`): others see it a moment later, and no one else writes it.
    this.cells[at] = this.cells[at]! + change
  }
}
