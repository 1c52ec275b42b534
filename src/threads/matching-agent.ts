/**
 * A matcher as a worker: recovers its books and its part of the ledger, waits until the main part has confirmed
 * that all balances add up, then works until the exchange stops. Between two batches it applies operators'
 * announcements. For a backup it is held at one moment with all other matchers, so that their positions can be
 * read. While another member leads, it takes that member's blocks, and executes queries only.
 */
import { Gathering } from '../agents/gathering.ts'
import { assert } from '../base/assert.ts'
import { elapsedMs } from '../base/time.ts'
import { BlockWriter } from '../journal/block.ts'
import { Hold } from '../market/announcement.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { MatcherCounter } from '../shared/counters.ts'
import { FollowedBlocks } from './followed-blocks.ts'
import {
  applyToMatcher,
  finishLastStart,
  type Matching,
  type MatchingWays,
  openMatching,
  quorumOf,
} from './matching-parts.ts'
import { matcherBellOffset, Phase } from './memory.ts'
import type { ThreadNews, ThreadOrder, ThreadStart } from './thread-messages.ts'
import type { WorkerAgent } from './worker-agent.ts'

/** The longest hold, unless the announcement gives one: far more than the time of a message. */
const HOLD_MS_MAX = 2_000

interface Held {
  readonly cell: Int32Array
  readonly untilMs: number
  readonly beganNs: number
}

export class MatchingAgent implements WorkerAgent {
  readonly name: string
  readonly waitsFor: Doorbell
  private readonly begun: ThreadStart
  private readonly ways: MatchingWays
  private readonly phase: Int32Array
  /** Announcements that are not applied. */
  private readonly news: ThreadNews[] = []
  /** Once it has recovered. */
  private matching: Matching | undefined = undefined
  /** Once it may write. */
  private gathering: Gathering | undefined = undefined
  /** While another member leads. */
  private followed: FollowedBlocks | undefined = undefined
  private held: Held | undefined = undefined
  private _isDone = false

  constructor(start: ThreadStart, ways: MatchingWays) {
    const { index, regions } = start
    this.name = `matching-${index}`
    this.begun = start
    this.ways = ways
    this.phase = new Int32Array(regions.phase)
    this.waitsFor = new Doorbell(regions.bells, matcherBellOffset(index))
  }

  get idleMsMax(): number {
    const { held } = this
    if (held === undefined) return this.matching?.matcher.idleMsMax ?? Number.POSITIVE_INFINITY
    return Math.max(0, held.untilMs - elapsedMs(this.ways.time))
  }

  get isDone(): boolean {
    return this._isDone
  }

  start(): undefined {
    this.matching = openMatching(this.begun, this.ways)
    if (this.matching !== undefined) this.ways.opened?.(this.matching)
  }

  take(order: ThreadOrder): void {
    if (order.order === 'announce') this.news.push(order)
  }

  slept(ns: number): void {
    this.matching?.counters.add(MatcherCounter.idleNs, ns)
  }

  hasWork(): boolean {
    const { at } = this
    if (at >= Phase.STOPPING) return true
    if (this.gathering === undefined) return at !== Phase.RECOVERING
    if (this.held !== undefined) return !this.mustWait(this.held)
    return this.matching!.matcher.hasWork() || this.followed?.hasWork() || this.news.length > 0
  }

  doWork(): number {
    const { gathering } = this
    if (gathering === undefined) return this.awaitRelease()
    if (this.held !== undefined && !this.endHold(this.held)) return 0
    if (this.news.length > 0) this.applyNews()
    const done = this.held === undefined ? gathering.doWork() : 0
    const { at } = this
    if (at >= Phase.STOPPING && (done === 0 || at === Phase.ENDING)) this._isDone = true
    return done
  }

  close(): void {
    this.matching?.matcher.close()
    this.waitsFor.leave()
    this.ways.report({ report: 'stopped' })
  }

  private get at(): number {
    return Atomics.load(this.phase, 0)
  }

  /** It writes nothing before the main part has confirmed that the balances add up. */
  private awaitRelease(): number {
    const { matching, at } = this
    if (matching === undefined || at === Phase.ENDING) this._isDone = true
    else if (at !== Phase.RECOVERING) this.begin(matching)
    return 0
  }

  private begin({ matcher, options }: Matching): void {
    const { config, epoch, follows } = this.begun
    const { time, report, rest } = this.ways
    if (follows) this.followed = new FollowedBlocks(this.begun, options, matcher)
    else finishLastStart(matcher, epoch, report)
    const batches = {
      hasWork: () => matcher.hasWork(),
      doWork: () => (this.followed?.doWork() ?? 0) + matcher.doWork(),
      sleep: (ms: number) => {
        const asleepNs = time.elapsedNs()
        rest?.(ms)
        this.slept(time.elapsedNs() - asleepNs)
      },
    }
    const gathers = config.durability === 'flushed' && rest !== undefined
    this.gathering = new Gathering(batches, time, gathers ? config.gatherUs : 0)
    report({ report: 'ready' })
  }

  private applyNews(): void {
    this.matching!.matcher.settleNow()
    while (this.held === undefined) {
      const news = this.news.shift()
      if (news === undefined) return
      this.apply(news)
    }
  }

  private apply({ number, announcements }: ThreadNews): void {
    const { config } = this.begun
    const { time, report } = this.ways
    for (const announcement of announcements) {
      if (announcement.kind === 'lead') this.lead(announcement.epoch)
      else applyToMatcher(announcement, this.matching!, config.accounts)
    }
    report({ report: 'applied', number })
    for (const announcement of announcements) {
      if (announcement.kind !== 'hold') continue
      const { cell, msMax = HOLD_MS_MAX } = announcement
      const untilMs = elapsedMs(time) + msMax
      this.held = { cell: new Int32Array(cell), untilMs, beganNs: time.elapsedNs() }
    }
  }

  /** Continues the journal that it has followed. */
  private lead(epoch: number): void {
    const { index } = this.begun
    const { matcher, journal } = this.matching!
    const { followed } = this
    const { report } = this.ways
    const quorum = quorumOf(this.begun, this.ways)
    assert(quorum !== undefined && followed !== undefined, 'a member that followed begins to lead')
    const { place, journaledMs } = followed.following
    journal.lead(quorum)
    const { checksum: previous } = place
    matcher.lead(new BlockWriter({ epoch, matcher: index, previous }), journaledMs)
    this.followed = undefined
    finishLastStart(matcher, epoch, report)
  }

  private mustWait({ cell, untilMs }: Held): boolean {
    return (
      Atomics.load(cell, 0) === Hold.HELD &&
      elapsedMs(this.ways.time) < untilMs &&
      this.at < Phase.STOPPING
    )
  }

  /**
   * Returns false while the hold lasts. A matcher that was held for too long continues and marks the cell, so
   * that the positions read then are not used.
   */
  private endHold(held: Held): boolean {
    if (this.mustWait(held)) return false
    const { matcher, counters } = this.matching!
    const { cell, beganNs } = held
    if (Atomics.compareExchange(cell, 0, Hold.HELD, Hold.GIVEN_UP) === Hold.LEFT) matcher.leave()
    counters.raise(MatcherCounter.heldNsMax, this.ways.time.elapsedNs() - beganNs)
    this.held = undefined
    return true
  }
}
