/**
 * A doorbell that counts rings. A plain bell only wakes a sleeper: a thread that works, or rests, misses
 * it. Here the thread sees by the count that the bell rang meanwhile, and does not go to sleep.
 *
 *   byte 0  rung  i32  how often, by any number of ringers; wraps
 */
import type { Doorbell } from './doorbell.ts'

export class CountedBell {
  private readonly bell: Pick<Doorbell, 'ring'>
  private readonly rung: Int32Array
  private heard = 0

  constructor(bell: Pick<Doorbell, 'ring'>, memory: SharedArrayBuffer) {
    this.bell = bell
    this.rung = new Int32Array(memory)
  }

  /** Any thread, once its work is visible. Counts first: the bell alone may be missed. */
  ring(): void {
    Atomics.add(this.rung, 0, 1)
    this.bell.ring()
  }

  /** The sleeper: its work from here on covers all rings so far. */
  acknowledge(): void {
    this.heard = Atomics.load(this.rung, 0)
  }

  /** Whether it rang since then: the sleeper, which sleeps at the plain bell, has work. */
  get hasRung(): boolean {
    return Atomics.load(this.rung, 0) !== this.heard
  }
}
