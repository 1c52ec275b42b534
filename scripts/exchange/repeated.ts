/** The frame of clients: what is called at intervals, or at a rate, until the end. */
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Work that repeats until it is ended. */
export class Repeated {
  private readonly ending = new AbortController()
  private readonly works = new Set<Promise<void>>()
  private readonly failed: (error: Error) => void

  /** `failed` is called with what a work threw; it continues with its next turn. */
  constructor(failed: (error: Error) => void) {
    this.failed = failed
    // One for each pause.
    setMaxListeners(0, this.ending.signal)
  }

  get isEnding(): boolean {
    return this.ending.signal.aborted
  }

  /** Waits, less when the end comes first. */
  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.ending.signal }).catch(() => {})
  }

  /** Calls it, then again so long after it has ended. The first time after a pause. */
  every(ms: number | (() => number), act: () => Promise<void>): void {
    const pauseMs = typeof ms === 'number' ? () => ms : ms
    const loop = async () => {
      for (;;) {
        await this.pause(pauseMs())
        if (this.isEnding) return
        await act().catch(this.failed)
      }
    }
    this.add(loop())
  }

  /** Calls it for each moment at which it is due, also for those that a busy thread missed. */
  rate(perSecond: number, act: (dueMs: number) => Promise<void>): void {
    const loop = async () => {
      for (let dueMs = performance.now(); !this.isEnding; dueMs += 1000 / perSecond) {
        const leftMs = dueMs - performance.now()
        if (leftMs > 0) await this.pause(leftMs)
        if (!this.isEnding) this.add(act(dueMs).catch(this.failed))
      }
    }
    this.add(loop())
  }

  /** Resolves when everything under way is over. */
  async end(): Promise<void> {
    this.ending.abort()
    while (this.works.size > 0) await Promise.all(this.works)
  }

  private add(work: Promise<void>): void {
    this.works.add(work)
    void work.finally(() => this.works.delete(work))
  }
}
