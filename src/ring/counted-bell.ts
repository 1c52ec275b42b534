/**
 * A doorbell that counts who rings it. A bell alone wakes who sleeps: one that works, or rests, does not
 * hear it. Here it sees by the count that somebody rang meanwhile, and does not go to sleep.
 *
 *   byte 0  rung  i32  how often, by any number of ringers; wraps
 */
import type { Doorbell } from './doorbell.ts'

export class CountedBell {
  readonly #bell: Pick<Doorbell, 'ring' | 'sleep'>
  readonly #rung: Int32Array
  #heard = 0

  constructor(bell: Pick<Doorbell, 'ring' | 'sleep'>, memory: SharedArrayBuffer) {
    this.#bell = bell
    this.#rung = new Int32Array(memory)
  }

  /** Any thread: what it waits for is visible by now. Counted first: the bell may not be heard. */
  ring(): void {
    Atomics.add(this.#rung, 0, 1)
    this.#bell.ring()
  }

  /** The sleeper: what it does from here on is what all who have rung so far wait for. */
  hear(): void {
    this.#heard = Atomics.load(this.#rung, 0)
  }

  /** A worker: blocks the thread until rung, or for `timeoutMs`, unless somebody rang since `hear`. */
  sleep(timeoutMs: number): void {
    this.#bell.sleep(() => Atomics.load(this.#rung, 0) !== this.#heard, timeoutMs)
  }
}
