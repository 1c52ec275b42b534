/** A request to stop, and pauses that end with it. */
import type { Time } from '../base/time.ts'
export class Stop {
  private _isWanted = false
  private readonly time: Time
  private readonly wakes = new Set<() => void>()

  constructor(time: Time) {
    this.time = time
  }

  get isWanted(): boolean {
    return this._isWanted
  }

  want(): void {
    this._isWanted = true
    for (const wake of this.wakes) wake()
  }

  /** Resolves when a stop is requested. */
  wanted(): Promise<void> {
    if (this._isWanted) return Promise.resolve()
    return new Promise((resolve) => this.wakes.add(resolve))
  }

  /** Resolves after `ms`, or as soon as a stop is requested. */
  wait(ms: number): Promise<void> {
    if (this._isWanted || ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel()
        this.wakes.delete(wake)
        resolve()
      }
      const timer = this.time.after(ms, wake)
      this.wakes.add(wake)
    })
  }
}
