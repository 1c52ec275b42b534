/**
 * A matcher as a worker: recovers its books and its part of the ledger, waits until the main part has confirmed
 * that all balances add up, then works until the exchange stops. Between two batches it applies operators'
 * messages. For a backup it pauses at one moment with all other matchers, so that their positions can be
 * read. While another member leads, it takes that member's blocks, and executes queries only.
 */
import { Gathering } from '../agents/gathering.ts'
import { assert } from '../base/assert.ts'
import { elapsedMs } from '../base/time.ts'
import { BlockWriter } from '../journal/block.ts'
import { Pause } from '../market/control-message.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { MatcherCounter } from '../shared/counters.ts'
import { FollowedBlocks } from './followed-blocks.ts'
import {
  applyToMatcher,
  correctionOf,
  finishLastStart,
  type Matching,
  type MatchingWays,
  openMatching,
  quorumOf,
} from './matching-parts.ts'
import { matcherBellOffset, Phase } from './memory.ts'
import type { ControlMessages, ThreadOrder, ThreadStart } from './thread-messages.ts'
import type { WorkerAgent } from './worker-agent.ts'

/** The longest pause, unless the message gives one: far more than the time of a message. */
const PAUSE_MS_MAX = 2_000

interface Paused {
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
  /** Messages that are not applied. */
  private readonly messages: ControlMessages[] = []
  /** Once it has recovered. */
  private matching: Matching | undefined = undefined
  /** Once it may write. */
  private gathering: Gathering | undefined = undefined
  /** While another member leads. */
  private followed: FollowedBlocks | undefined = undefined
  private paused: Paused | undefined = undefined
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
    const { paused } = this
    if (paused === undefined) return this.matching?.matcher.idleMsMax ?? Number.POSITIVE_INFINITY
    return Math.max(0, paused.untilMs - elapsedMs(this.ways.time))
  }

  get isDone(): boolean {
    return this._isDone
  }

  start(): undefined {
    this.matching = openMatching(this.begun, this.ways)
    if (this.matching !== undefined) this.ways.opened?.(this.matching)
  }

  take(order: ThreadOrder): void {
    if (order.order === 'control') this.messages.push(order)
  }

  slept(ns: number): void {
    this.matching?.counters.add(MatcherCounter.idleNs, ns)
  }

  hasWork(): boolean {
    const { at } = this
    if (at >= Phase.STOPPING) return true
    if (this.gathering === undefined) return at !== Phase.RECOVERING
    if (this.paused !== undefined) return !this.mustWait(this.paused)
    return this.matching!.matcher.hasWork() || this.followed?.hasWork() || this.messages.length > 0
  }

  doWork(): number {
    const { gathering } = this
    if (gathering === undefined) return this.awaitRelease()
    if (this.paused !== undefined && !this.endPause(this.paused)) return 0
    if (this.messages.length > 0) this.applyMessages()
    const done = this.paused === undefined ? gathering.doWork() : 0
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

  private applyMessages(): void {
    this.matching!.matcher.settleNow()
    while (this.paused === undefined) {
      const message = this.messages.shift()
      if (message === undefined) return
      this.apply(message)
    }
  }

  private apply({ number, messages }: ControlMessages): void {
    const { config } = this.begun
    const { time, report } = this.ways
    for (const message of messages) {
      if (message.kind === 'lead') this.lead(message.epoch)
      else applyToMatcher(message, this.matching!, config.accounts)
    }
    report({ report: 'applied', number })
    for (const message of messages) {
      if (message.kind !== 'pause') continue
      const { cell, msMax = PAUSE_MS_MAX } = message
      const untilMs = elapsedMs(time) + msMax
      this.paused = { cell: new Int32Array(cell), untilMs, beganNs: time.elapsedNs() }
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
    const correctedMs = correctionOf(this.begun)
    matcher.lead(new BlockWriter({ epoch, matcher: index, previous, correctedMs }), journaledMs)
    this.followed = undefined
    finishLastStart(matcher, epoch, report)
  }

  private mustWait({ cell, untilMs }: Paused): boolean {
    return (
      Atomics.load(cell, 0) === Pause.PAUSED &&
      elapsedMs(this.ways.time) < untilMs &&
      this.at < Phase.STOPPING
    )
  }

  /**
   * Returns false during the pause. A matcher that paused for too long continues and marks the cell, so
   * that the positions read then are not used.
   */
  private endPause(paused: Paused): boolean {
    if (this.mustWait(paused)) return false
    const { matcher, counters } = this.matching!
    const { cell, beganNs } = paused
    if (Atomics.compareExchange(cell, 0, Pause.PAUSED, Pause.GIVEN_UP) === Pause.LEFT)
      matcher.leave()
    counters.raise(MatcherCounter.pausedNsMax, this.ways.time.elapsedNs() - beganNs)
    this.paused = undefined
    return true
  }
}
