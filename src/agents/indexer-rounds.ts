/**
 * The rounds of an indexer that is up to date. It archives at intervals, not at every block, since a few
 * large transactions are cheaper than many small ones. A query that waits for it rings its bell. While more
 * waits than one transaction takes, it does not rest.
 */

import type { Time } from '../base/time.ts'
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

export class IndexerRounds {
  private readonly indexer: Pick<Indexer, 'doWork' | 'hasMore' | 'tend'>
  private readonly bell: Pick<CountedBell, 'acknowledge' | 'sleep'>
  private readonly time: Time
  private readonly throttle: Throttle
  private readonly lull: Pick<Throttle, 'rest'>

  constructor(
    indexer: Pick<Indexer, 'doWork' | 'hasMore' | 'tend'>,
    bell: Pick<CountedBell, 'acknowledge' | 'sleep'>,
    time: Time,
    lull: Pick<Throttle, 'rest'> = new Throttle(time, 0, LULL_MS),
  ) {
    this.indexer = indexer
    this.bell = bell
    this.time = time
    this.throttle = new Throttle(time, WORK_MS, REST_MS)
    this.lull = lull
  }

  /** Archives waiting blocks, and sleeps until the next round is due or a query waits for it. */
  run(): void {
    const indexer = this.indexer
    // First: a query that rings from here on may wait for blocks behind those archived now.
    this.bell.acknowledge()
    const events = indexer.doWork(indexer.hasMore ? undefined : this.throttle)
    indexer.tend(this.time.nowMs())
    if (indexer.hasMore) return
    if (events > 0) this.lull.rest()
    this.bell.sleep(PACE_MS - LULL_MS)
  }
}
