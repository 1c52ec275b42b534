/**
 * Keeps work that nobody waits for from the processors that others need at once: a little work, then
 * some sleep. A low priority alone is not enough, since a thread that wakes may still wait until the
 * one that runs has had its slice (bench `recovery`, `queries`). For workers, which may block.
 */
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

  /** To be called before the first of many small pieces of work. */
  begin(): void {
    this.#beganMs = performance.now()
  }

  /** To be called between them; sleeps when enough was done. */
  tread(): void {
    if (performance.now() - this.#beganMs >= this.#workMs) this.rest()
  }

  rest(): void {
    Atomics.wait(this.#cell, 0, 0, this.#restMs)
    this.begin()
  }
}
