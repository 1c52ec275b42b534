/** The archivist on the caller's event loop: a transaction at each round, when there are blocks for one. */
import { CatchUp } from '../../agents/catch-up.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import { type OpenedArchivist, openArchivist } from '../../threads/archivist-parts.ts'
import { archivistBellOffset, Phase } from '../../threads/memory.ts'
import type { ThreadOrder, ThreadStart } from '../../threads/thread-messages.ts'
import { sleepAtMost } from './loop-sleep.ts'
import { type LoopDuty, type LoopWays, turn } from './loop-worker.ts'

/** The most time between two rounds without a query. */
const PACE_MS = 100
/** Catching up between two turns of the loop. */
const PIECE_MS = 5

export class LoopArchivist implements LoopDuty {
  private readonly ways: LoopWays
  private readonly opened: OpenedArchivist
  private readonly phase: Int32Array
  private readonly bell: Doorbell
  /** Queries that wait for a round. */
  private waiting: (() => void)[] = []

  constructor(start: ThreadStart, ways: LoopWays) {
    const { config, regions } = start
    this.ways = ways
    this.opened = openArchivist(start, ways.time, ways.report)
    this.phase = new Int32Array(regions.phase)
    const offset = archivistBellOffset(config.matchers, config.gateways)
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
    const { archivist } = this.opened
    const catchUp = new CatchUp(archivist, time, (fields, message) =>
      report({ report: 'log', level: 'info', fields, message }),
    )
    while (!catchUp.run(PIECE_MS) && archivist.waitMs === 0 && !this.isOver) await turn(time)
    archivist.tend(time.nowMs())
    report({ report: 'ready' })
    while (!this.isOver) {
      if (archivist.isCurrent) this.workOnce()
      else if (archivist.waitMs === 0) catchUp.run(PIECE_MS)
      else archivist.doWork()
      for (const done of this.waiting.splice(0)) done()
      const hasWork = () => archivist.hasMore || this.waiting.length > 0 || this.isOver
      await sleepAtMost(PACE_MS, this.bell, hasWork, time)
    }
    const isEnding = () => Atomics.load(this.phase, 0) === Phase.ENDING
    while (!isEnding() && archivist.isCurrent && archivist.doWork() > 0) await turn(time)
    archivist.close()
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
    const { archivist } = this.opened
    archivist.doWork()
    archivist.tend(this.ways.time.nowMs())
  }
}
