/** Brings the archive up to date, in pieces of a given time, and logs its progress. */
import { elapsedMs, type Time } from '../base/time.ts'
import type { Indexer } from './indexer.ts'
import { type LogProgress, Progress } from './progress.ts'

type CaughtUp = Pick<Indexer, 'isCurrent' | 'isProving' | 'doWork' | 'blocksLeft' | 'waitMs'>

export class CatchUp {
  private readonly indexer: CaughtUp
  private readonly time: Time
  private readonly log: LogProgress
  private progress: Progress | undefined = undefined
  private blocks = 0
  private events = 0

  constructor(indexer: CaughtUp, time: Time, log: LogProgress) {
    this.indexer = indexer
    this.time = time
    this.log = log
  }

  /** Continues for about this time, unless the archive has to wait. Returns whether it is up to date. */
  run(lengthMs: number): boolean {
    const indexer = this.indexer
    const untilMs = elapsedMs(this.time) + lengthMs
    while (indexer.isProving && elapsedMs(this.time) < untilMs) indexer.doWork()
    if (indexer.isProving) return false
    this.progress ??= this.begin()
    while (!indexer.isCurrent && indexer.waitMs === 0 && elapsedMs(this.time) < untilMs) {
      this.events += indexer.doWork()
      this.progress.at(this.blocks - indexer.blocksLeft(), this.events)
    }
    if (indexer.isCurrent) this.end()
    // It may begin from nothing then.
    else if (indexer.waitMs > 0) this.progress = undefined
    return indexer.isCurrent
  }

  private begin(): Progress {
    this.blocks = this.indexer.blocksLeft()
    this.events = 0
    return new Progress('bringing the archive up to date', this.blocks, this.time, this.log)
  }

  private end(): void {
    this.progress?.end(this.events)
    this.progress = undefined
  }
}
