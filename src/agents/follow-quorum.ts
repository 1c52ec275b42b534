/**
 * The replica thread of a member that follows: brings the data folder up to the watermark before any
 * other thread opens it. Then it delivers blocks to matchers, and facts to the main thread, as they
 * are committed. Notes who leads, and how far this member is behind.
 */
import { elapsedMs, pause, type Time } from '../base/time.ts'
import { type CaughtUp, catchUp, Wait } from '../replica/catch-up.ts'
import { Follower } from '../replica/follower.ts'
import { BEAT_MS } from '../replica/join.ts'
import type { LeadWatch } from '../replica/lead-watch.ts'
import {
  CONTROL_JOURNAL,
  OutcomeUnknown,
  type QuorumReader,
  QuorumRefusal,
  type SequencedBlock,
} from '../replica/quorum.ts'
import { BLOCK_ROOM_BYTES, ReplicaSlot } from '../replica/slots.ts'
import { readRest, type TakeOverOptions, takeOver } from '../replica/take-over.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { QuorumCounts } from '../shared/quorum-counts.ts'
import { RoleCells } from '../shared/role.ts'
import type { TakenLead } from './lead-quorum.ts'
import { matcherBellOffset } from './memory.ts'
import type { Delivery, ThreadReport } from './messages.ts'

/** Between two tries to reach the quorum, and two looks while it shows too little. */
const PAUSE_MS = 100
/** Between two looks for blocks: as long as the last pause, up to the longest, while none comes. */
const LOOK_MS_MIN = 1
const LOOK_MS_MAX = 4
/** A leader whose beats stop for so many of them may have written what the server does not show. */
const FRESH_BEATS = 3
const NEWLINE = Buffer.from('\n')

export interface FollowQuorum {
  readonly time: Time
  readonly dataFolder: string
  readonly reader: QuorumReader
  /** Decides when this member takes the lead. */
  readonly watch: LeadWatch
  readonly isStopping: () => boolean
  readonly report: (message: ThreadReport) => void
}

/** No leader shows what this member waits for: it takes the lead itself. */
export const SHALL_LEAD = 'lead'

/**
 * Resolves once the folder has what the quorum has, or this member shall lead; undefined when it has to
 * stop before. Rejects when no server answers, or the server has less than the folder has, for
 * `patienceMs`.
 */
export async function catchUpInTime(
  { dataFolder, reader, watch, isStopping, report, time }: FollowQuorum,
  patienceMs: number,
): Promise<CaughtUp | typeof SHALL_LEAD | undefined> {
  const passedMs = () => elapsedMs(time)
  let sinceMs = passedMs()
  let behindMs: number | undefined
  let isAwaited = false
  const shallLead = () => watch.cause(passedMs()) !== undefined
  const lookAgain = async (why: Wait) => {
    watch.saw(await reader.lead(), passedMs())
    if (why === Wait.BEHIND) behindMs ??= passedMs()
    if (passedMs() - (behindMs ?? Number.POSITIVE_INFINITY) > patienceMs) {
      throw new QuorumRefusal(
        'The data folder has blocks that the quorum (--follow) does not show.',
      )
    }
    if (why === Wait.LEADER && !isAwaited) {
      isAwaited = true
      report({ report: 'log', level: 'info', fields: {}, message: 'waits for a first leader' })
    }
    await pause(time, PAUSE_MS)
    return !isStopping() && !shallLead()
  }
  while (!isStopping()) {
    try {
      await reader.open()
      const damaged = damageReporter(report)
      const caught = await catchUp({ dataFolder, reader, isStart, damaged, pause: lookAgain })
      return caught ?? (isStopping() ? undefined : SHALL_LEAD)
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      if (passedMs() - sinceMs > patienceMs) {
        throw new QuorumRefusal(`The quorum (--follow) does not answer: ${error.message}.`)
      }
      if (isAwaited) sinceMs = passedMs()
      watch.lost(passedMs())
      await pause(time, PAUSE_MS)
    }
  }
  return undefined
}

/** Logs that the quorum stands in for a write-ahead log that lost blocks. */
export const damageReporter =
  (report: (message: ThreadReport) => void) =>
  (sentence: string): void => {
    const message = `${sentence} The quorum is asked for them.`
    report({ report: 'log', level: 'warn', fields: {}, message })
  }

const isStart = (fact: Uint8Array): boolean =>
  JSON.parse(Buffer.from(fact).toString('utf8')).fact === 'start'

/** Delivers what is committed, in the order of its sequence. */
export class LiveFollower {
  readonly follower: Follower
  private readonly options: FollowQuorum
  private readonly role: RoleCells
  private readonly counts: QuorumCounts
  private readonly bell: Doorbell
  private readonly control: ReplicaSlot
  private readonly matchers: readonly { readonly slot: ReplicaSlot; readonly bell: Doorbell }[]
  /** The leader's beats, as they were seen last. */
  private beat = -1
  private lookedMs = 0
  private beatMs = 0
  /** When this member last had all that a leader, which was alive, had acknowledged. */
  private levelMs: number

  constructor(options: FollowQuorum, caught: CaughtUp, { memory, bells, role }: Delivery) {
    this.options = options
    this.levelMs = this.passedMs()
    this.role = new RoleCells(role, options.time)
    this.bell = new Doorbell(memory.bell)
    this.counts = new QuorumCounts(memory.counts, options.time)
    this.control = new ReplicaSlot(memory.control)
    this.matchers = memory.blocks.map((slot, matcher) => ({
      slot: new ReplicaSlot(slot),
      bell: new Doorbell(bells, matcherBellOffset(matcher)),
    }))
    this.follower = new Follower({
      reader: options.reader,
      cursor: caught.cursor,
      ends: caught.ends,
      deliver: (journal, run) => this.deliver(journal, run),
      runBytes: BLOCK_ROOM_BYTES,
    })
  }

  /** Follows until it has to stop, or shall take the lead. Rejects with QuorumRefusal. */
  async run(): Promise<void> {
    const { isStopping, watch } = this.options
    const shallLead = () => watch.cause(this.passedMs(), this.follower.lag) !== undefined
    const isDone = () => isStopping() || shallLead()
    let pauseMs = LOOK_MS_MIN
    // At least once: what cannot lead yet continues following.
    do {
      try {
        const count = await this.follower.step()
        await this.look()
        const lostMs = this.counts.find()
        if (lostMs > 0) this.reportFound(lostMs)
        pauseMs = count > 0 ? LOOK_MS_MIN : Math.min(pauseMs * 2, LOOK_MS_MAX)
        if (count === 0) await this.bell.sleepAtMost(pauseMs, isDone, this.options.time)
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error
        if (isStopping()) return
        if (this.counts.read().waitMs === 0) this.reportLost(error)
        this.counts.lose()
        watch.lost(this.passedMs())
        this.noteLag()
        await this.pause()
      }
    } while (!isDone())
  }

  /**
   * Takes the lead, and delivers what is left of the leaders before. Resolves to undefined when another
   * member leads, or this one stops. Rejects with QuorumRefusal.
   */
  async takeOver({
    quorum,
    claimer,
  }: Pick<TakeOverOptions, 'quorum' | 'claimer'>): Promise<TakenLead | undefined> {
    const { watch, reader, isStopping } = this.options
    const { follower } = this
    const passedMs = () => this.passedMs()
    const goOn = async () => {
      await this.pause()
      return !isStopping()
    }
    const lastEpoch = this.role.read().epoch
    const own = { claimer, follower, lastEpoch }
    const taken = await takeOver({ quorum, watch, ...own, passedMs, pause: goOn })
    if (taken === undefined) return undefined
    const rest = { quorum, taken, follower, reader, passedMs, pause: goOn }
    if (!(await readRest(rest))) return undefined
    return { ...taken, ends: follower.ends }
  }

  private passedMs(): number {
    return elapsedMs(this.options.time)
  }

  private pause(): Promise<void> {
    return pause(this.options.time, PAUSE_MS)
  }

  /** Sees who leads, twice a second, and notes how far this member is behind. */
  private async look(): Promise<void> {
    const nowMs = this.passedMs()
    if (nowMs - this.lookedMs >= BEAT_MS) {
      this.lookedMs = nowMs
      const lead = await this.options.reader.lead()
      this.options.watch.saw(lead, nowMs)
      if (lead !== undefined && lead.beat !== this.beat) {
        this.beat = lead.beat
        this.beatMs = nowMs
        this.role.noteLeader(lead.epoch, lead.address)
      }
    }
    this.noteLag()
  }

  private noteLag(): void {
    const nowMs = this.passedMs()
    const { lag } = this.follower
    if (lag === 0 && nowMs - this.beatMs < FRESH_BEATS * BEAT_MS) this.levelMs = nowMs
    this.role.noteLag(lag, nowMs - this.levelMs)
  }

  private async deliver(journal: number, run: readonly SequencedBlock[]): Promise<void> {
    const first = run[0]!.position
    const last = run.at(-1)!.position
    if (journal === CONTROL_JOURNAL) {
      const lines = run.flatMap(({ bytes }, i) => (i === 0 ? [bytes] : [NEWLINE, bytes]))
      this.control.offer(first, last, Buffer.concat(lines))
      this.options.report({ report: 'facts' })
      await this.acknowledged(this.control, last)
      return
    }
    const matcher = this.matchers[journal]
    if (matcher === undefined) {
      throw new QuorumRefusal(`The leader writes journal-${journal}, which has no matcher here.`)
    }
    matcher.slot.offer(first, last, Buffer.concat(run.map(({ bytes }) => bytes)))
    matcher.bell.ring()
    await this.acknowledged(matcher.slot, last)
  }

  private async acknowledged(slot: ReplicaSlot, last: number): Promise<void> {
    const { isStopping, time } = this.options
    const isDone = () => slot.replicated >= last || isStopping()
    while (!isDone()) await this.bell.sleepAtMost(PAUSE_MS, isDone, time)
    if (slot.replicated < last) throw new OutcomeUnknown('this member stops')
  }

  private reportLost({ message: reason }: Error): void {
    const message = 'lost the quorum; serves what it has'
    this.options.report({ report: 'log', level: 'warn', fields: { reason }, message })
  }

  private reportFound(lostMs: number): void {
    const fields = { lostMs }
    this.options.report({
      report: 'log',
      level: 'info',
      fields,
      message: 'the quorum answers again',
    })
  }
}
