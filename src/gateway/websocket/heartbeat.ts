/** Notices a client's silence. */
import type { Clock } from '../../base/time.ts'

const NS_PER_MS = 1_000_000

export class Heartbeat {
  readonly #periodMs: number
  readonly #clock: Clock
  readonly #missed: () => void
  #heardNs: number
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  /** `missed` is called once, if it is not stopped before. */
  constructor(periodMs: number, clock: Clock, missed: () => void) {
    this.#periodMs = periodMs
    this.#clock = clock
    this.#missed = missed
    this.#heardNs = clock.elapsedNs()
    this.#watch(periodMs)
  }

  /** Notes a frame. */
  frameReceived(): void {
    this.#heardNs = this.#clock.elapsedNs()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #watch(delayMs: number): void {
    this.#timer = setTimeout(() => {
      // Frames that arrived while the thread was busy are read between timers and immediates.
      if (this.#leftMs() > 0) this.#watch(this.#leftMs())
      else setImmediate(() => this.#judge())
    }, delayMs)
  }

  #judge(): void {
    if (this.#isStopped) return
    if (this.#leftMs() > 0) this.#watch(this.#leftMs())
    else this.#missed()
  }

  #leftMs(): number {
    return this.#periodMs - (this.#clock.elapsedNs() - this.#heardNs) / NS_PER_MS
  }
}
