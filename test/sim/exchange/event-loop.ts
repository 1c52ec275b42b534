/**
 * Event loops of a whole exchange on one thread, which only the simulation turns. Each gateway has timers of
 * its own, and all share a clock that stands between two steps: the same seed gives the same run on a machine
 * of any speed. A killed process takes its timers along.
 */
import type { ManualTime } from '../../../src/base/manual-time.ts'

/** More than any chain of promises in the source is long. */
const MICROTASK_TURNS = 24

/** Acts, then runs everything that can continue without another tick. */
export async function turn<Result>(action: () => Result): Promise<Awaited<Result>> {
  const result = action()
  for (let i = 0; i < MICROTASK_TURNS; i++) await undefined
  return await result
}

/** Runs the timer that is due first; false when none is due. */
export async function turnTimer(time: ManualTime): Promise<boolean> {
  return time.nextInMs === 0 && (await turn(() => time.runNext()))
}
