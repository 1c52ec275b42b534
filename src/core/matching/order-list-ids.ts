/**
 * Ids of order lists, which count across the exchange from 1: one atomic cell that every matcher
 * draws from when it accepts a list. Events carry what was drawn; recovery raises the cell to the
 * highest of them before anything is drawn again.
 */
import type { OrderListId } from '../../base/units.ts'

export class OrderListIds {
  private readonly _last: BigInt64Array

  static readonly bytes = 8

  /** A memory of all zeros has given no id yet. */
  constructor(memory: SharedArrayBuffer) {
    this._last = new BigInt64Array(memory)
  }

  /** The last id given; 0 for none. */
  get last(): number {
    return Number(Atomics.load(this._last, 0))
  }

  next(): number {
    return Number(Atomics.add(this._last, 0, 1n) + 1n)
  }

  /** The id was given before the restart. */
  recovered(orderListId: OrderListId): void {
    const given = BigInt(orderListId)
    let last = Atomics.load(this._last, 0)
    while (last < given) {
      const found = Atomics.compareExchange(this._last, 0, last, given)
      if (found === last) return
      last = found
    }
  }
}
