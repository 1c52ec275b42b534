/** The shape of time. Rooms that must be deterministic are handed times, never a clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch, an integer. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }
