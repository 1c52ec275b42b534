/**
 * The rounds of an indexer that is up to date. It archives at intervals, not at every block, since a few
 * large transactions are cheaper than many small ones. A query that waits for it rings its bell. While more
 * waits than one transaction takes, the next round is due at once.
 */
import { elapsedMs, type Time } from '../base/time.ts'
import type { CountedBell } from '../ring/counted-bell.ts'
import type { Indexer } from './indexer.ts'
import { Throttle } from './throttle.ts'

/** The most time between two rounds without a query. */
const PACE_MS = 100
/** The rest after a transaction, however many queries wait: each takes a processor from orders. */
const LULL_MS = 20
/** Periods of work and rest within a transaction. */
const WORK_MS = 0.25
const REST_MS = 0.25

/** How a thread of its own rests: within a transaction, and behind it. */
export interface Rests {
  readonly throttle: Throttle
  readonly lull: Pick<Throttle, 'rest'>
}

export const restsOf = (time: Time): Rests => ({
  throttle: new Throttle(time, WORK_MS, REST_MS),
  lull: new Throttle(time, 0, LULL_MS),
})

export class IndexerRounds {
  private readonly indexer: Pick<Indexer, 'doWork' | 'hasMore' | 'tend'>
  private readonly bell: Pick<CountedBell, 'acknowledge' | 'hasRung'>
  private readonly time: Time
  private readonly rests: Rests | undefined
  private dueMs: number

  /** Without `rests` it blocks no thread. */
  constructor(
    indexer: Pick<Indexer, 'doWork' | 'hasMore' | 'tend'>,
    bell: Pick<CountedBell, 'acknowledge' | 'hasRung'>,
    time: Time,
    rests?: Rests,
  ) {
    this.indexer = indexer
    this.bell = bell
    this.time = time
    this.rests = rests
    this.dueMs = elapsedMs(time)
  }

  /** Time until the next round, if no query waits for it. */
  get dueInMs(): number {
    return Math.max(0, this.dueMs - elapsedMs(this.time))
  }

  get isAwaited(): boolean {
    return this.indexer.hasMore || this.bell.hasRung
  }

  /** Archives waiting blocks, if the round is due or a query waits for it. Returns the number of events. */
  run(): number {
    if (!this.isAwaited && this.dueInMs > 0) return 0
    const { indexer } = this
    // First: a query that rings from here on may wait for blocks behind those archived now.
    this.bell.acknowledge()
    const events = indexer.doWork(indexer.hasMore ? undefined : this.rests?.throttle)
    indexer.tend(this.time.nowMs())
    if (events > 0 && !indexer.hasMore) this.rests?.lull.rest()
    this.dueMs = elapsedMs(this.time) + PACE_MS - LULL_MS
    return events
  }
}
