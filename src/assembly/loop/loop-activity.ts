/** What is under way on one event loop, for the clock that moves its time. */
import type { VirtualClock } from '../../base/virtual-clock.ts'

export interface BusyPart {
  /** Whether it has work that the moment caused. */
  readonly isBusy: boolean
}

export class LoopActivity {
  private readonly parts = new Set<BusyPart>()

  add(part: BusyPart): void {
    this.parts.add(part)
  }

  remove(part: BusyPart): void {
    this.parts.delete(part)
  }

  get isBusy(): boolean {
    for (const { isBusy } of this.parts) if (isBusy) return true
    return false
  }
}

/** What moves the time of a loop. */
export interface Moved {
  readonly clock: VirtualClock
  readonly activity: LoopActivity
}
