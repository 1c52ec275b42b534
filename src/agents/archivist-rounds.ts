/**
 * The rounds of an archivist that is up to date. It archives at intervals, not at every block, since a few
 * large transactions are cheaper than many small ones. A query that waits for it rings its bell. While more
 * waits than one transaction takes, it does not rest.
 */

import type { Time } from '../base/time.ts'
import type { CountedBell } from '../ring/counted-bell.ts'
import type { Archivist } from './archivist.ts'
import { Pace } from './pace.ts'

/** The most time between two rounds without a query. */
const PACE_MS = 100
/** The rest after a transaction, however many queries wait: each takes a processor from orders. */
const LULL_MS = 20
/** Periods of work and rest within a transaction. */
const WORK_MS = 0.25
const REST_MS = 0.25

export class ArchivistRounds {
  private readonly archivist: Pick<Archivist, 'doWork' | 'hasMore' | 'tend'>
  private readonly bell: Pick<CountedBell, 'acknowledge' | 'sleep'>
  private readonly time: Time
  private readonly pace: Pace
  private readonly lull: Pick<Pace, 'rest'>

  constructor(
    archivist: Pick<Archivist, 'doWork' | 'hasMore' | 'tend'>,
    bell: Pick<CountedBell, 'acknowledge' | 'sleep'>,
    time: Time,
    lull: Pick<Pace, 'rest'> = new Pace(time, 0, LULL_MS),
  ) {
    this.archivist = archivist
    this.bell = bell
    this.time = time
    this.pace = new Pace(time, WORK_MS, REST_MS)
    this.lull = lull
  }

  /** Archives waiting blocks, and sleeps until the next round is due or a query waits for it. */
  run(): void {
    const archivist = this.archivist
    // First: a query that rings from here on may wait for blocks behind those archived now.
    this.bell.acknowledge()
    const events = archivist.doWork(archivist.hasMore ? undefined : this.pace)
    archivist.tend(this.time.nowMs())
    if (archivist.hasMore) return
    if (events > 0) this.lull.rest()
    this.bell.sleep(PACE_MS - LULL_MS)
  }
}
