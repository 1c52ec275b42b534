/**
 * Keeps background work from delaying other threads: a little work, then some sleep. A low priority
 * alone is not enough, since a thread that wakes may still wait until the running one has used its
 * slice (bench `recovery`, `queries`). For workers, which may block.
 */
import { elapsedMsExactly, type Time } from '../base/time.ts'

const WORK_MS = 0.25
const REST_MS = 1

export class Throttle {
  private readonly workMs: number
  private readonly restMs: number
  private readonly time: Time
  private beganMs: number

  /** Sleeps `restMs` after each `workMs`. */
  constructor(time: Time, workMs = WORK_MS, restMs = REST_MS) {
    this.time = time
    this.beganMs = elapsedMsExactly(time)
    this.workMs = workMs
    this.restMs = restMs
  }

  /** Call it before the first of many small pieces of work. */
  begin(): void {
    this.beganMs = elapsedMsExactly(this.time)
  }

  /** Call it between them; sleeps when enough work was done. */
  tread(): void {
    if (elapsedMsExactly(this.time) - this.beganMs >= this.workMs) this.rest()
  }

  rest(): void {
    this.time.idle(this.restMs)
    this.begin()
  }
}
