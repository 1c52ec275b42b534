/**
 * Clients for which a virtual clock stands still at each event that they are sent, until they acknowledge it.
 * One that takes longer than a bound of wall time no longer takes part, so none stops the clock forever.
 */
import type { Time, Timer } from './time.ts'

/** Participants of one clock. */
export const PARTICIPANTS_MAX = 64
/** How long the clock waits for one of them, by the wall. */
export const ACKNOWLEDGE_MS = 10_000

export class Participant {
  private readonly all: Participants
  private readonly wall: Pick<Time, 'after'>
  private readonly dropped: () => void
  private _unacknowledged = 0
  private timer: Timer | undefined = undefined

  constructor(all: Participants, wall: Pick<Time, 'after'>, dropped: () => void) {
    this.all = all
    this.wall = wall
    this.dropped = dropped
  }

  /** Events that it was sent and did not acknowledge. */
  get unacknowledged(): number {
    return this._unacknowledged
  }

  /** Notes an event that it is sent. */
  sent(): void {
    this._unacknowledged++
    this.timer ??= this.watch()
  }

  /** Acknowledges the oldest events; of more than there are, all. */
  acknowledge(events: number): void {
    this._unacknowledged = Math.max(0, this._unacknowledged - events)
    this.timer?.cancel()
    this.timer = this._unacknowledged > 0 ? this.watch() : undefined
    this.all.changed()
  }

  /** The clock waits for it no more. */
  leave(): void {
    this.timer?.cancel()
    this.timer = undefined
    this._unacknowledged = 0
    this.all.remove(this)
  }

  private watch(): Timer {
    return this.wall.after(ACKNOWLEDGE_MS, () => {
      this.leave()
      this.dropped()
    })
  }
}

export class Participants {
  private readonly wall: Pick<Time, 'after'>
  private readonly taking = new Set<Participant>()
  private wakes: (() => void)[] = []

  constructor(wall: Pick<Time, 'after'>) {
    this.wall = wall
  }

  get count(): number {
    return this.taking.size
  }

  /** Whether one has not acknowledged an event. */
  get isAwaited(): boolean {
    for (const { unacknowledged } of this.taking) if (unacknowledged > 0) return true
    return false
  }

  /** Returns undefined when there are too many. `dropped` is called when it took too long. */
  join(dropped: () => void): Participant | undefined {
    if (this.taking.size >= PARTICIPANTS_MAX) return undefined
    const participant = new Participant(this, this.wall, dropped)
    this.taking.add(participant)
    return participant
  }

  remove(participant: Participant): void {
    this.taking.delete(participant)
    this.changed()
  }

  /** Resolves when one has acknowledged something, or takes part no more; and when `changed` is called. */
  changes(): Promise<void> {
    return new Promise((resolve) => this.wakes.push(resolve))
  }

  changed(): void {
    for (const wake of this.wakes.splice(0)) wake()
  }
}
