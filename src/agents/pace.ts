/**
 * Keeps background work from delaying other threads: a little work, then some sleep. A low priority
 * alone is not enough, since a thread that wakes may still wait until the running one has used its
 * slice (bench `recovery`, `queries`). For workers, which may block.
 */
import { performance } from 'node:perf_hooks'

const WORK_MS = 0.25
const REST_MS = 1

export class Pace {
  readonly #workMs: number
  readonly #restMs: number
  readonly #cell = new Int32Array(new SharedArrayBuffer(4))
  #beganMs = performance.now()

  /** Sleeps `restMs` after each `workMs`. */
  constructor(workMs = WORK_MS, restMs = REST_MS) {
    this.#workMs = workMs
    this.#restMs = restMs
  }

  /** Call it before the first of many small pieces of work. */
  begin(): void {
    this.#beganMs = performance.now()
  }

  /** Call it between them; sleeps when enough work was done. */
  tread(): void {
    if (performance.now() - this.#beganMs >= this.#workMs) this.rest()
  }

  rest(): void {
    Atomics.wait(this.#cell, 0, 0, this.#restMs)
    this.begin()
  }
}
