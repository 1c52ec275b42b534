/** A matcher that is held at one moment with all others, so that a backup reads their positions. */
import type { Time } from '../base/time.ts'
import { Hold } from '../market/announcement.ts'

/** Far more than the time of a message. */
const HOLD_MS_MAX = 2_000

/**
 * Returns what the cell is when it is no longer HELD. A matcher that waits too long continues and marks the
 * cell, so that the positions read then are not used.
 */
export function waitHeld(time: Time, cell: Int32Array, msMax = HOLD_MS_MAX): number {
  if (time.wait(cell, 0, Hold.HELD, msMax) !== 'timed-out') return Atomics.load(cell, 0)
  Atomics.compareExchange(cell, 0, Hold.HELD, Hold.GIVEN_UP)
  // Another matcher need not wait as long.
  Atomics.notify(cell, 0)
  return Atomics.load(cell, 0)
}
