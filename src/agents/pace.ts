/**
 * Keeps work that nobody waits for from the processors that others need at once: a little work, then
 * some sleep. A low priority alone is not enough, since a thread that wakes may still wait until the
 * one that runs has had its slice (bench `recovery`). For workers, which may block.
 */
const WORK_MS = 1
const REST_MS = 4

export class Pace {
  readonly #cell = new Int32Array(new SharedArrayBuffer(4))
  #beganMs = performance.now()

  /** To be called between small pieces of work; sleeps when enough was done. */
  tread(): void {
    if (performance.now() - this.#beganMs < WORK_MS) return
    Atomics.wait(this.#cell, 0, 0, REST_MS)
    this.#beganMs = performance.now()
  }
}
