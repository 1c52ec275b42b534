/** What is under way on one event loop, for the clock that moves its time. */
import type { VirtualClock } from '../../base/virtual-clock.ts'

export class LoopActivity {
  private readonly parts: (() => boolean)[] = []

  /** `isBusy` tells whether a part has work that the moment caused. */
  add(isBusy: () => boolean): void {
    this.parts.push(isBusy)
  }

  get isBusy(): boolean {
    return this.parts.some((isBusy) => isBusy())
  }
}

/** What moves the time of a loop. */
export interface Moved {
  readonly clock: VirtualClock
  readonly activity: LoopActivity
}
