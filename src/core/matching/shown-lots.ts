/**
 * What the levels of one book can show at most, kept so that an order that rests need not look its level
 * up (bench `engine`): no order shows more than the largest did when it came to rest. Part of the symbol's
 * state, and the same after a recovery or above it. Writer: symbol-state.ts.
 */
import { Lots } from '../../base/units.ts'

export class ShownLots {
  /**
   * What all resting icebergs show at a time, together. A level may come to show at most that much more
   * without a new order.
   */
  slices = Lots(0)
  /** The most that any order showed when it came to rest. */
  #largest = Lots(0)

  /** An order comes to rest. */
  rested(shownLots: Lots): void {
    if (shownLots > this.#largest) this.#largest = shownLots
  }

  /** Whether, of so many orders, a level might show more than `levelLotsMax` with `lots` more. */
  mayExceed(levelLotsMax: number, orderCount: number, lots: Lots): boolean {
    return orderCount * this.#largest + this.slices + lots > levelLotsMax
  }
}
