/**
 * Keeps background work from delaying other threads: a little work, then some sleep. A low priority
 * alone is not enough, since a thread that wakes may still wait until the running one has used its
 * slice (bench `recovery`, `queries`). For workers, which may block.
 */
import { elapsedMsExactly, type Time } from '../base/time.ts'

/** Sleeps `restMs` after each `workMs`. */
export interface Periods {
  readonly workMs: number
  readonly restMs: number
}

export class Throttle {
  private readonly periods: Periods
  private readonly time: Time
  private beganMs: number

  constructor(time: Time, periods: Periods) {
    this.time = time
    this.beganMs = elapsedMsExactly(time)
    this.periods = periods
  }

  /** Call it before the first of many small pieces of work. */
  begin(): void {
    this.beganMs = elapsedMsExactly(this.time)
  }

  /** Call it between them; sleeps when enough work was done. */
  tread(): void {
    const { workMs, restMs } = this.periods
    if (elapsedMsExactly(this.time) - this.beganMs < workMs) return
    this.time.idle(restMs)
    this.begin()
  }
}
