/** The indexer on the caller's event loop: a transaction at each round, when there are blocks for one. */
import { CatchUp } from '../../agents/catch-up.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import { type OpenedIndexer, openIndexer } from '../../threads/indexer-parts.ts'
import { indexerBellOffset, Phase } from '../../threads/memory.ts'
import type { ThreadOrder, ThreadStart } from '../../threads/thread-messages.ts'
import { sleepAtMost } from './loop-sleep.ts'
import { type LoopDuty, type LoopWays, turn } from './loop-worker.ts'

/** The most time between two rounds without a query. */
const PACE_MS = 100
/** Catching up between two turns of the loop. */
const PIECE_MS = 5

export class LoopIndexer implements LoopDuty {
  private readonly ways: LoopWays
  private readonly opened: OpenedIndexer
  private readonly phase: Int32Array
  private readonly bell: Doorbell
  /** Queries that wait for a round. */
  private waiting: (() => void)[] = []

  constructor(start: ThreadStart, ways: LoopWays) {
    const { config, regions } = start
    this.ways = ways
    this.opened = openIndexer(start, ways.time, ways.report)
    this.phase = new Int32Array(regions.phase)
    const offset = indexerBellOffset(config.matchers, config.gateways)
    this.bell = new Doorbell(regions.bells, offset)
  }

  /** Resolves after a round, which begins soon. */
  round(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.bell.ring()
    })
  }

  async run(): Promise<void> {
    const { time, report } = this.ways
    const { indexer } = this.opened
    const catchUp = new CatchUp(indexer, time, (fields, message) =>
      report({ report: 'log', level: 'info', fields, message }),
    )
    while (!catchUp.run(PIECE_MS) && indexer.waitMs === 0 && !this.isOver) await turn(time)
    indexer.tend(time.nowMs())
    report({ report: 'ready' })
    while (!this.isOver) {
      if (indexer.isCurrent) this.workOnce()
      else if (indexer.waitMs === 0) catchUp.run(PIECE_MS)
      else indexer.doWork()
      for (const done of this.waiting.splice(0)) done()
      const hasWork = () => indexer.hasMore || this.waiting.length > 0 || this.isOver
      await sleepAtMost(PACE_MS, this.bell, hasWork, time)
    }
    const isEnding = () => Atomics.load(this.phase, 0) === Phase.ENDING
    while (!isEnding() && indexer.isCurrent && indexer.doWork() > 0) await turn(time)
    indexer.close()
    for (const done of this.waiting.splice(0)) done()
    this.bell.leave()
    report({ report: 'stopped' })
  }

  take(order: ThreadOrder): void {
    if (order.order !== 'announce') return
    order.announcements.forEach(this.opened.apply)
    this.ways.report({ report: 'applied', number: order.number })
  }

  private get isOver(): boolean {
    return Atomics.load(this.phase, 0) >= Phase.MATCHED
  }

  private workOnce(): void {
    const { indexer } = this.opened
    indexer.doWork()
    indexer.tend(this.ways.time.nowMs())
  }
}
