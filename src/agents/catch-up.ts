/** Brings the archive up to date, in pieces of a given time, and logs its progress. */
import { elapsedMs, type Time } from '../base/time.ts'
import type { Archivist } from './archivist.ts'
import { type LogProgress, Progress } from './progress.ts'

type CaughtUp = Pick<Archivist, 'isCurrent' | 'doWork' | 'blocksLeft' | 'waitMs'>

export class CatchUp {
  private readonly archivist: CaughtUp
  private readonly time: Time
  private readonly log: LogProgress
  private progress: Progress | undefined = undefined
  private blocks = 0
  private events = 0

  constructor(archivist: CaughtUp, time: Time, log: LogProgress) {
    this.archivist = archivist
    this.time = time
    this.log = log
  }

  /** Continues for about this time, unless the archive has to wait. Returns whether it is up to date. */
  run(lengthMs: number): boolean {
    const archivist = this.archivist
    const untilMs = elapsedMs(this.time) + lengthMs
    this.progress ??= this.begin()
    while (!archivist.isCurrent && archivist.waitMs === 0 && elapsedMs(this.time) < untilMs) {
      this.events += archivist.doWork()
      this.progress.at(this.blocks - archivist.blocksLeft(), this.events)
    }
    if (archivist.isCurrent) this.end()
    // It may begin from nothing then.
    else if (archivist.waitMs > 0) this.progress = undefined
    return archivist.isCurrent
  }

  private begin(): Progress {
    this.blocks = this.archivist.blocksLeft()
    this.events = 0
    return new Progress('bringing the archive up to date', this.blocks, this.time, this.log)
  }

  private end(): void {
    this.progress?.end(this.events)
    this.progress = undefined
  }
}
