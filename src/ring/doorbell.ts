/**
 * Wakes one thread, and only if it sleeps. The sleeper writes the cell to announce sleep, and any
 * ringer writes it to take the announcement back. A ringer makes the work visible first (an atomic
 * store) and loads the cell second. The sleeper announces first and looks for work second. In every
 * order of the four, one of them sees the other.
 *
 *   byte 0  state  i32  AWAKE or ASLEEP; alone on its cache lines (DOORBELL_BYTES)
 */
const AWAKE = 0
const ASLEEP = 1

/** Bytes from one bell to the next. */
export const DOORBELL_BYTES = 128

export class Doorbell {
  private readonly cells: Int32Array
  private readonly index: number
  private waiter: Promise<void> | undefined = undefined

  constructor(memory: SharedArrayBuffer, byteOffset = 0) {
    this.cells = new Int32Array(memory)
    this.index = byteOffset >> 2
  }

  /** Any thread: wakes the sleeper if it sleeps. Costs one load when it does not. */
  ring(): void {
    const cells = this.cells
    const index = this.index
    if (Atomics.load(cells, index) !== ASLEEP) return
    if (Atomics.compareExchange(cells, index, ASLEEP, AWAKE) === ASLEEP) {
      Atomics.notify(cells, index, 1)
    }
  }

  /**
   * A worker: blocks the thread until rung, or until `timeoutMs` have passed, unless there is work.
   * Its timers and callbacks do not run meanwhile.
   */
  sleep(hasWork: () => boolean, timeoutMs: number): void {
    if (this.announce(hasWork)) return
    Atomics.wait(this.cells, this.index, ASLEEP, timeoutMs)
    Atomics.store(this.cells, this.index, AWAKE)
  }

  /**
   * An event loop: returns a promise that resolves when rung or after `timeoutMs`; undefined when
   * there is work. It may wake without work: check, and sleep again. The promise does not keep the
   * process alive. There is at most one waiter; sleeping again returns its promise.
   *
   * A loop that sleeps often sets no timeout: V8 keeps a task for each, which wakes the loop when the
   * time is over, even if the bell rang long before (bench `latency`).
   */
  sleepAsync(
    hasWork: () => boolean,
    timeoutMs = Number.POSITIVE_INFINITY,
  ): Promise<void> | undefined {
    if (this.announce(hasWork)) return undefined
    if (this.waiter !== undefined) return this.waiter
    const wait = Atomics.waitAsync(this.cells, this.index, ASLEEP, timeoutMs)
    if (!wait.async) {
      this.awake()
      return undefined
    }
    this.waiter = wait.value.then(() => {
      this.waiter = undefined
      this.awake()
    })
    return this.waiter
  }

  /** The sleeper, when something else woke it: takes its announcement back. The waiter is used again. */
  awake(): void {
    Atomics.store(this.cells, this.index, AWAKE)
  }

  /** The sleeper, when it sleeps no more: ends its waiter, which would leak. */
  leave(): void {
    this.awake()
    Atomics.notify(this.cells, this.index)
  }

  /** Announces sleep. Returns true, and takes it back, when there is work. */
  private announce(hasWork: () => boolean): boolean {
    Atomics.store(this.cells, this.index, ASLEEP)
    if (!hasWork()) return false
    this.awake()
    return true
  }
}
