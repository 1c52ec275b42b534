/** Notices a client's silence. */
import type { Time, Timer } from '../../base/time.ts'

const NS_PER_MS = 1_000_000

export class Heartbeat {
  readonly periodMs: number
  private readonly time: Time
  private readonly missed: () => void
  private heardNs: number
  private timer: Timer | undefined = undefined
  private isStopped = false

  /** `missed` is called once, if it is not stopped before. */
  constructor(periodMs: number, time: Time, missed: () => void) {
    this.periodMs = periodMs
    this.time = time
    this.missed = missed
    this.heardNs = time.elapsedNs()
    this.watch(periodMs)
  }

  /** Notes a frame. */
  frameReceived(): void {
    this.heardNs = this.time.elapsedNs()
  }

  stop(): void {
    this.isStopped = true
    this.timer?.cancel()
  }

  private watch(delayMs: number): void {
    this.timer = this.time.after(delayMs, () => {
      // Frames that arrived while the thread was busy are read between timers and immediates.
      if (this.leftMs() > 0) this.watch(this.leftMs())
      else this.time.defer(() => this.judge())
    })
  }

  private judge(): void {
    if (this.isStopped) return
    if (this.leftMs() > 0) this.watch(this.leftMs())
    else this.missed()
  }

  private leftMs(): number {
    return this.periodMs - (this.time.elapsedNs() - this.heardNs) / NS_PER_MS
  }
}
