/**
 * Wakes one thread, and only if it sleeps. The sleeper writes the cell to announce sleep, and any
 * ringer writes it to take the announcement back. A ringer makes the work visible first (an atomic
 * store) and loads the cell second. The sleeper announces first and looks for work second. In every
 * order of the four, one of them sees the other.
 *
 *   byte 0  state  i32  AWAKE or ASLEEP; alone on its cache lines (DOORBELL_BYTES)
 *
 * Where ringers and sleepers share an event loop, a ring calls the sleeper: the kernel and the engine's task
 * queue have no part in it.
 */
import type { Time } from '../base/time.ts'

const AWAKE = 0
const ASLEEP = 1

/** Bytes from one bell to the next. */
export const DOORBELL_BYTES = 128

/** By memory that one event loop alone uses, and cell: what wakes the sleeper. */
const sleepersHere = new WeakMap<ArrayBufferLike, Map<number, () => void>>()

/** From now on only this thread rings and sleeps at the bells in `memory`. */
export function wakeHere(memory: SharedArrayBuffer): void {
  if (!sleepersHere.has(memory)) sleepersHere.set(memory, new Map())
}

export class Doorbell {
  private readonly cells: Int32Array
  private readonly index: number
  private waiter: Promise<void> | undefined = undefined
  /** The waiter that wakes who sleeps for some time at most, and what it calls. */
  private waiterHeard: Promise<void> | undefined = undefined
  private woken = () => {}

  constructor(memory: SharedArrayBuffer, byteOffset = 0) {
    this.cells = new Int32Array(memory)
    this.index = byteOffset >> 2
  }

  /** Any thread: wakes the sleeper if it sleeps. Costs one load when it does not. */
  ring(): void {
    const cells = this.cells
    const index = this.index
    if (Atomics.load(cells, index) !== ASLEEP) return
    if (Atomics.compareExchange(cells, index, ASLEEP, AWAKE) === ASLEEP) this.notify()
  }

  /**
   * A worker: blocks the thread until rung, or until `timeoutMs` have passed, unless there is work.
   * Its timers and callbacks do not run meanwhile.
   */
  sleep(hasWork: () => boolean, timeoutMs: number, time: Pick<Time, 'wait'>): void {
    if (this.announce(hasWork)) return
    time.wait(this.cells, this.index, ASLEEP, timeoutMs)
    Atomics.store(this.cells, this.index, AWAKE)
  }

  /**
   * An event loop: returns a promise that resolves when rung; undefined when there is work. It may wake
   * without work: check, and sleep again. The promise does not keep the process alive. There is at most one
   * waiter; sleeping again returns its promise.
   */
  sleepAsync(hasWork: () => boolean): Promise<void> | undefined {
    if (this.announce(hasWork)) return undefined
    if (this.waiter !== undefined) return this.waiter
    const rung = this.wait()
    if (rung === undefined) {
      this.awake()
      return undefined
    }
    this.waiter = rung.then(() => {
      this.waiter = undefined
      this.awake()
    })
    return this.waiter
  }

  /** As `sleepAsync`, but the promise resolves after `ms` at the latest. */
  sleepAtMost(
    ms: number,
    hasWork: () => boolean,
    time: Pick<Time, 'after'>,
  ): Promise<void> | undefined {
    const waiter = this.sleepAsync(hasWork)
    if (waiter === undefined) return undefined
    if (waiter !== this.waiterHeard) {
      this.waiterHeard = waiter
      // Once, however often time passes without a ring: the waiter is used again.
      void waiter.then(() => this.woken())
    }
    return new Promise((resolve) => {
      const timer = time.after(ms, () => {
        this.awake()
        resolve()
      })
      this.woken = () => {
        timer.cancel()
        resolve()
      }
    })
  }

  /** The sleeper, when something else woke it: takes its announcement back. The waiter is used again. */
  awake(): void {
    Atomics.store(this.cells, this.index, AWAKE)
  }

  /** The sleeper, when it sleeps no more: ends its waiter, which would leak. */
  leave(): void {
    this.awake()
    this.notify()
  }

  /** Wakes the sleeper. */
  private notify(): void {
    const here = sleepersHere.get(this.cells.buffer)
    if (here === undefined) Atomics.notify(this.cells, this.index)
    else here.get(this.index)?.()
  }

  /** Resolves when the sleeper is woken; undefined when it was rung meanwhile. */
  private wait(): Promise<unknown> | undefined {
    const { cells, index } = this
    const here = sleepersHere.get(cells.buffer)
    if (here === undefined) {
      const wait = Atomics.waitAsync(cells, index, ASLEEP)
      return wait.async ? wait.value : undefined
    }
    if (Atomics.load(cells, index) !== ASLEEP) return undefined
    return new Promise<void>((resolve) => here.set(index, resolve))
  }

  /** Announces sleep. Returns true, and takes it back, when there is work. */
  private announce(hasWork: () => boolean): boolean {
    Atomics.store(this.cells, this.index, ASLEEP)
    if (!hasWork()) return false
    this.awake()
    return true
  }
}
