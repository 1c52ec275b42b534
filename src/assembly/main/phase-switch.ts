/** The phase of the whole exchange, which the main thread alone sets: a cell, and whom a change wakes. */
import { Phase } from '../../agents/memory.ts'

type PhaseValue = (typeof Phase)[keyof typeof Phase]

export class PhaseSwitch {
  /** One cell, a `Phase`. */
  readonly memory = new SharedArrayBuffer(4)
  private readonly cell = new Int32Array(this.memory)
  private readonly sleepers: { ring(): void }[] = []

  /** Rings the bells at each change from now on. */
  wakes(bells: readonly { ring(): void }[]): void {
    this.sleepers.push(...bells)
  }

  get isEnding(): boolean {
    return Atomics.load(this.cell, 0) === Phase.ENDING
  }

  /** Sets the phase for every thread. No phase follows ENDING. */
  enter(next: PhaseValue): void {
    if (this.isEnding) return
    Atomics.store(this.cell, 0, next)
    Atomics.notify(this.cell, 0)
    for (const bell of this.sleepers) bell.ring()
  }
}
