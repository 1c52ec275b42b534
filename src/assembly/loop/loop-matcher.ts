/** A matcher on the caller's event loop: a batch of commands at each turn, while there are any. */
import type { CheckpointerAgent } from '../../agents/checkpointer.ts'
import { Hold } from '../../market/announcement.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import {
  applyToMatcher,
  finishLastStart,
  type Matching,
  openMatching,
} from '../../threads/matching-parts.ts'
import { matcherBellOffset, Phase } from '../../threads/memory.ts'
import type { ThreadOrder, ThreadStart } from '../../threads/thread-messages.ts'
import type { LoopParts } from './loop-parts.ts'
import { sleepOn } from './loop-sleep.ts'
import { type LoopDuty, type LoopWays, turn } from './loop-worker.ts'

const HOLD_MS_MAX = 2_000
/** A start writes each segment once. */
const SEGMENT_BYTES = 1 << 20

export interface LoopMatcherParts extends Pick<LoopParts, 'watch'> {
  /** Returns the exchange's checkpointer, which makes room in the write-ahead log. */
  readonly checkpointer: () => CheckpointerAgent
}

export class LoopMatcher implements LoopDuty {
  private readonly start: ThreadStart
  private readonly ways: LoopWays
  private readonly phase: Int32Array
  private readonly bell: Doorbell
  private readonly matching: Matching | undefined
  /** While a backup reads its position: resolves when it may work again. */
  private held: Promise<void> | undefined = undefined

  constructor(start: ThreadStart, ways: LoopWays, { checkpointer, watch }: LoopMatcherParts) {
    const { index, regions } = start
    this.start = start
    this.ways = ways
    this.phase = new Int32Array(regions.phase)
    this.bell = new Doorbell(regions.bells, matcherBellOffset(index))
    this.matching = openMatching(start, {
      ...{ ...ways, rest: undefined, segmentBytes: SEGMENT_BYTES },
      makeRoom: (cells, position) => {
        while (cells.checkpointed < position) checkpointer().doWork()
      },
    })
    if (this.matching !== undefined) watch?.matching?.(this.matching, start)
  }

  async run(): Promise<void> {
    const matching = this.matching
    if (matching !== undefined && (await this.released())) {
      const { time, report } = this.ways
      const { matcher } = matching
      finishLastStart(matcher, this.start.epoch, report)
      report({ report: 'ready' })
      while (this.at < Phase.ENDING) {
        if (this.held !== undefined) await this.held
        if (matcher.doWork() > 0) await turn(time)
        else if (this.at === Phase.STOPPING) break
        else await this.sleep(() => matcher.hasWork())
      }
      matcher.close()
    }
    this.bell.leave()
    this.ways.report({ report: 'stopped' })
  }

  take(order: ThreadOrder): void {
    if (order.order !== 'announce') return
    const { number, announcements } = order
    for (const announcement of announcements) {
      applyToMatcher(announcement, this.matching!, this.start.config.accounts)
    }
    this.ways.report({ report: 'applied', number })
    for (const announcement of announcements) {
      if (announcement.kind !== 'hold') continue
      this.held = this.hold(new Int32Array(announcement.cell), announcement.msMax)
    }
  }

  private get at(): number {
    return Atomics.load(this.phase, 0)
  }

  /** Resolves to whether the balances add up, so that the matcher may write. */
  private async released(): Promise<boolean> {
    while (this.at === Phase.RECOVERING) await this.sleep(() => false)
    return this.at !== Phase.ENDING
  }

  /** Resolves when there is work, or another phase. */
  private sleep(hasWork: () => boolean): Promise<void> {
    const before = this.at
    return sleepOn(this.bell, () => hasWork() || this.at !== before, this.ways.time)
  }

  private async hold(cell: Int32Array, msMax = HOLD_MS_MAX): Promise<void> {
    const { async: waits, value } = Atomics.waitAsync(cell, 0, Hold.HELD, msMax)
    if (waits && (await value) === 'timed-out') {
      Atomics.compareExchange(cell, 0, Hold.HELD, Hold.GIVEN_UP)
      Atomics.notify(cell, 0)
    }
    this.held = undefined
  }
}
