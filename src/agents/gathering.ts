/**
 * How long a matcher waits for more commands before its next batch. A flush asks the disk twice and sleeps
 * twice, for one order as for fifty, and each batch wakes the gateways. A matcher that begins the next
 * batch at once makes batches of few orders in turn with batches of many, whose clients wait for both. So
 * after a batch it gathers for half as long as that batch took. An order that comes later does not wait.
 */

/** The part of a batch's time for which the matcher gathers. */
const SHARE = 0.5
/** A shorter wait is not worth a sleep, ns. */
const SLEEP_NS_MIN = 15_000

export class Gathering {
  readonly #nsMax: number
  #untilNs = Number.NEGATIVE_INFINITY

  /** `usMax` is the longest wait, µs; 0 for none. */
  constructor(usMax: number) {
    this.#nsMax = usMax * 1_000
  }

  /** Notes when a batch began and ended, ns of a monotonic clock. */
  batchEnded(beganNs: number, endedNs: number): void {
    this.#untilNs = endedNs + Math.min((endedNs - beganNs) * SHARE, this.#nsMax)
  }

  /** Returns how long the next batch still waits, ms; 0 when it may begin. */
  leftMs(nowNs: number): number {
    const leftNs = this.#untilNs - nowNs
    return leftNs < SLEEP_NS_MIN ? 0 : leftNs / 1_000_000
  }
}
