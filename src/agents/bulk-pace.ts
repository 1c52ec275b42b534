/**
 * How fast a matcher goes on with what has outgrown a batch: a cancel of all orders, a cascade of stops. A
 * matcher waits for no reader, but one client's cancels must not overrun gateways that read. So it rests
 * between two such batches while a gateway is half the event ring behind, for a bounded time.
 */

/** How long a gateway that stands still delays the matcher, ms. It may be overrun then, and resyncs. */
export const READERS_REST_MS = 250
const STEP_MS = 1

export class BulkPace {
  readonly #behindBytesMax: number
  readonly #rest: (ms: number) => void
  /** Since a gateway was half the ring behind. */
  #restedMs = 0

  /** `ringBytes` is the capacity of the matcher's event ring; `rest` blocks the thread. */
  constructor(ringBytes: number, rest: (ms: number) => void) {
    this.#behindBytesMax = ringBytes / 2
    this.#rest = rest
  }

  /** To be called after each such batch; `behindBytes` says how far the slowest gateway is behind. */
  published(behindBytes: () => number): void {
    while (behindBytes() > this.#behindBytesMax) {
      if (this.#restedMs >= READERS_REST_MS) return
      this.#rest(STEP_MS)
      this.#restedMs += STEP_MS
    }
    this.#restedMs = 0
  }
}
