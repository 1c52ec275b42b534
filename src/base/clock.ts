/** The shape of time. Rooms that must be deterministic are handed times, never a clock. */
export interface Clock {
  /** The wall clock: milliseconds since the Unix epoch, an integer. It may step by hours either way. */
  nowMs(): number
  /**
   * Monotonic: nanoseconds since a moment that all threads share, an integer. For durations, never for
   * dates.
   */
  elapsedNs(): number
}

/** Whole milliseconds of the monotonic time: what timeouts and lives of connections are counted by. */
export const elapsedMs = (clock: Pick<Clock, 'elapsedNs'>): number =>
  Math.floor(clock.elapsedNs() / 1_000_000)

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  // performance.now() counts from the start of its own thread.
  elapsedNs: () => {
    const [seconds, ns] = process.hrtime()
    return seconds * 1_000_000_000 + ns
  },
}
