/** The shape of time. Deterministic rooms receive times, never a clock. */
import { Ms } from './units.ts'

export interface Clock {
  /** The wall clock: milliseconds since the Unix epoch, an integer. It may step by hours either way. */
  nowMs(): Ms
  /**
   * Monotonic: nanoseconds since a moment that all threads share, an integer. For durations, never for
   * dates.
   */
  elapsedNs(): number
}

/** Returns the monotonic time in whole milliseconds, for timeouts and lives of connections. */
export const elapsedMs = (clock: Pick<Clock, 'elapsedNs'>): number =>
  Math.floor(clock.elapsedNs() / 1_000_000)

export const systemClock: Clock = {
  nowMs: () => Ms(Date.now()),
  // performance.now() counts from the start of its own thread.
  elapsedNs: () => {
    const [seconds, ns] = process.hrtime()
    return seconds * 1_000_000_000 + ns
  },
}
