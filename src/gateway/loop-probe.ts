/** How late the event loop of a gateway is, found by a timer that knows when it was due. */
import type { Clock } from '../base/time.ts'
import { GatewayHistogram, type ThreadHistograms } from '../shared/histograms.ts'

const PROBE_MS = 20

export class LoopProbe {
  readonly #clock: Clock
  readonly #histograms: ThreadHistograms
  #timer: NodeJS.Timeout | undefined
  #dueNs = 0

  constructor(clock: Clock, histograms: ThreadHistograms) {
    this.#clock = clock
    this.#histograms = histograms
  }

  start(): void {
    this.#dueNs = this.#clock.elapsedNs() + PROBE_MS * 1_000_000
    this.#timer = setTimeout(() => this.#look(), PROBE_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #look(): void {
    // A timer may come a fraction of a millisecond early.
    const lateNs = Math.max(0, this.#clock.elapsedNs() - this.#dueNs)
    this.#histograms.observe(GatewayHistogram.loopDelay, lateNs)
    this.start()
  }
}
