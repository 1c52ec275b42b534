/** The shape of time. Rooms that must be deterministic are handed times, never a clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch, an integer. */
  nowMs(): number
  /** Nanoseconds since some moment: for durations, never for dates. */
  elapsedNs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedNs: () => performance.now() * 1_000_000,
}
