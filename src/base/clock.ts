/** The shape of time. Rooms that must be deterministic are handed times, never a clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch, an integer. */
  nowMs(): number
  /** Nanoseconds since a moment that all threads share, an integer: for durations, never for dates. */
  elapsedNs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  // performance.now() counts from the start of its own thread.
  elapsedNs: () => {
    const [seconds, ns] = process.hrtime()
    return seconds * 1_000_000_000 + ns
  },
}
