/**
 * How fast a matcher continues what has outgrown a batch: a cancel of all orders, a cascade of stops. A
 * matcher waits for no reader. But one client's cancels must neither overrun gateways nor delay replies
 * to other clients, which stand behind these events in the ring. So the next such batch begins once
 * every gateway has read most of the last one, or after a bounded time. Other commands do not wait.
 */

/** How long a gateway that stands still delays these batches, ms. It may be overrun then, and resyncs. */
export const READERS_REST_MS = 250
/** The share of the event ring that a gateway may be behind: one in so many bytes. */
const BEHIND_SHARE = 64

export class BulkThrottle {
  readonly behindBytesMax: number
  private readonly elapsedMs: () => number
  /** When a gateway was first found to be behind, ms; undefined while none is. */
  private sinceMs: number | undefined = undefined

  /** `ringBytes` is the capacity of the matcher's event ring; `elapsedMs` a monotonic clock. */
  constructor(ringBytes: number, elapsedMs: () => number) {
    this.behindBytesMax = ringBytes / BEHIND_SHARE
    this.elapsedMs = elapsedMs
  }

  /** Whether the next batch may begin, when the slowest gateway is so many bytes behind. */
  mayContinue(behindBytes: number): boolean {
    if (behindBytes <= this.behindBytesMax) {
      this.sinceMs = undefined
      return true
    }
    this.sinceMs ??= this.elapsedMs()
    return this.elapsedMs() - this.sinceMs >= READERS_REST_MS
  }
}
