/** How late the event loop of a gateway is, found by a timer that knows when it was due. */
import type { Time, Timer } from '../base/time.ts'
import { GatewayHistogram, type ThreadHistograms } from '../shared/histograms.ts'

const PROBE_MS = 20

export class LoopProbe {
  private readonly time: Time
  private readonly histograms: ThreadHistograms
  private timer: Timer | undefined = undefined
  private dueNs = 0

  constructor(time: Time, histograms: ThreadHistograms) {
    this.time = time
    this.histograms = histograms
  }

  start(): void {
    this.dueNs = this.time.elapsedNs() + PROBE_MS * 1_000_000
    this.timer = this.time.after(PROBE_MS, () => this.look())
  }

  stop(): void {
    this.timer?.cancel()
  }

  private look(): void {
    // A timer may come a fraction of a millisecond early.
    const lateNs = Math.max(0, this.time.elapsedNs() - this.dueNs)
    this.histograms.observe(GatewayHistogram.loopDelay, lateNs)
    this.start()
  }
}
