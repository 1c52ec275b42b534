/**
 * Clients for which a virtual clock stands still at each event that they are sent, until they acknowledge it.
 * One that takes longer than a bound of wall time no longer takes part, and an account whose slow acknowledgements add up
 * has less time for each: none stops the clock forever, nor slows it down for long.
 *
 * Requests of several accounts that take part come in an order that does not depend on the wall. An account has its
 * turn once no account of a lower id has an event to acknowledge, or a request that waits. Its requests are carried
 * out one after another: each when nothing more follows from the one before, so that what it gives other accounts to
 * acknowledge counts at once.
 */
import { roofOf, sharesOf } from './shares.ts'
import { elapsedMsExactly, type Time, type Timer } from './time.ts'
import type { AccountId } from './units.ts'

/** Participants of one clock: an account leaves 8 places to accounts that do not take part yet. */
export const PARTICIPANTS_MAX = 64
const PLACES = sharesOf(PARTICIPANTS_MAX)
/** How long the clock waits for one of them, by the wall. */
export const ACKNOWLEDGE_MS = 10_000
/** Shorter waits count towards no bound. */
export const SWIFT_MS = 1_000
/** What the longer waits for one account come to, within HELD_RUN_MS; then each of its waits must be short. */
export const HELD_MS_MAX = 60_000
export const HELD_RUN_MS = 600_000

/** What a clock needs of the wall. */
type Wall = Pick<Time, 'after' | 'elapsedNs'>

/** How a client takes part. */
export interface ClockPart {
  readonly account: AccountId
  /** Whether an order acknowledges the oldest event. */
  readonly ordersCount: boolean
}

/** Clients that take part, each by an object that stays the same while its socket is open. */
export type ClockParts = ReadonlyMap<object, ClockPart>

/** Called with accounts that hold the clock. */
export interface HoldWatch {
  /** The clock has waited SWIFT_MS for the account: once in HELD_RUN_MS. */
  slow(account: AccountId): void
  /** The account took too long: a connection of it takes part no more. */
  dropped(account: AccountId): void
}

export class Participant {
  readonly account: AccountId
  private readonly all: Participants
  private readonly wall: Wall
  private readonly dropped: () => void
  private _unacknowledged = 0
  /** How long its oldest event has waited up to `sinceMs`. While a request of its account waits, no time counts. */
  private waitedMs = 0
  /** Since when its event waits, by the wall; undefined while it need not acknowledge. */
  private sinceMs: number | undefined = undefined
  private timer: Timer | undefined = undefined
  private hasLeft = false

  constructor(account: AccountId, all: Participants, wall: Wall, dropped: () => void) {
    this.account = account
    this.all = all
    this.wall = wall
    this.dropped = dropped
  }

  /** Events that it was sent and did not acknowledge. */
  get unacknowledged(): number {
    return this._unacknowledged
  }

  /** Notes an event that it is sent. */
  sent(): void {
    if (this.hasLeft) return
    this._unacknowledged++
    if (this.timer === undefined) this.watch()
  }

  /** Acknowledges the oldest events; of more than there are, all. */
  acknowledge(events: number): void {
    this.endWait()
    this._unacknowledged = Math.max(0, this._unacknowledged - events)
    this.watch()
    this.all.changed()
  }

  /** The clock waits for it no more. */
  leave(): void {
    this.endWait()
    this.hasLeft = true
    this._unacknowledged = 0
    this.all.remove(this)
  }

  /** Its time passes only while no request of its account waits for the turn of others. */
  watch(): void {
    this.pause()
    if (this._unacknowledged === 0 || this.all.holds(this.account)) return
    const mostMs = this.all.patienceMs(this.account)
    const nextMs = this.waitedMs < SWIFT_MS ? SWIFT_MS : mostMs
    this.sinceMs = elapsedMsExactly(this.wall)
    this.timer = this.wall.after(nextMs - this.waitedMs, () => this.look(mostMs))
  }

  private look(mostMs: number): void {
    this.pause()
    if (this.waitedMs >= mostMs) {
      this.leave()
      this.all.drop(this.account)
      this.dropped()
      return
    }
    if (this.waitedMs >= SWIFT_MS) this.all.noteSlow(this.account)
    this.watch()
  }

  private pause(): void {
    this.timer?.cancel()
    this.timer = undefined
    if (this.sinceMs !== undefined) this.waitedMs += elapsedMsExactly(this.wall) - this.sinceMs
    this.sinceMs = undefined
  }

  private endWait(): void {
    this.pause()
    this.all.noteWait(this.account, this.waitedMs)
    this.waitedMs = 0
  }
}

/** How an account held the clock lately. */
interface Holding {
  /** Waits of over SWIFT_MS, with their ends by the wall. */
  readonly waits: { readonly endMs: number; readonly ms: number }[]
  notedMs: number
}

export class Participants {
  private readonly wall: Wall
  private readonly settled: () => Promise<void>
  /** By account, then as they came. */
  private taking: readonly Participant[] = []
  /** By account: requests that wait for its turn, as they came. */
  private readonly held = new Map<AccountId, (() => void)[]>()
  /** Accounts for which the clock waited long within HELD_RUN_MS. */
  private readonly holdings = new Map<AccountId, Holding>()
  private isServing = false
  /** Undefined until it is watched. */
  holdWatch: HoldWatch | undefined = undefined
  private wakes: (() => void)[] = []

  /** `settled` resolves when nothing more follows from what was done so far. */
  constructor(wall: Wall, settled: () => Promise<void>) {
    this.wall = wall
    this.settled = settled
  }

  get count(): number {
    return this.taking.length
  }

  /** Whether one has not acknowledged an event, or a request is to be carried out. */
  get isAwaited(): boolean {
    if (this.isServing || this.held.size > 0) return true
    return this.taking.some(({ unacknowledged }) => unacknowledged > 0)
  }

  /** Accounts that have not acknowledged an event: the clock stands still for them. */
  get holders(): readonly AccountId[] {
    const holding = this.taking.filter(({ unacknowledged }) => unacknowledged > 0)
    return [...new Set(holding.map(({ account }) => account))]
  }

  /** Returns undefined when there are too many. `dropped` is called when it took too long. */
  join(account: AccountId, dropped: () => void): Participant | undefined {
    const has = this.taking.filter((it) => it.account === account).length
    if (this.taking.length >= roofOf(PLACES, { isOperators: true, has })) return undefined
    const participant = new Participant(account, this, this.wall, dropped)
    this.taking = [...this.taking, participant].sort((a, b) => a.account - b.account)
    return participant
  }

  remove(participant: Participant): void {
    const { account } = participant
    this.taking = this.taking.filter((it) => it !== participant)
    if (!this.takesPart(account)) {
      const runs = this.held.get(account) ?? []
      this.held.delete(account)
      for (const run of runs) run()
    }
    this.changed()
  }

  /** How long the clock waits for the account's next event. */
  patienceMs(account: AccountId): number {
    const { waits = [] } = this.recent(account) ?? {}
    const heldMs = waits.reduce((sum, { ms }) => sum + ms, 0)
    return Math.min(ACKNOWLEDGE_MS, Math.max(SWIFT_MS, HELD_MS_MAX - heldMs))
  }

  /** The clock has waited for an event of the account. */
  noteWait(account: AccountId, ms: number): void {
    if (ms > SWIFT_MS) this.holdingOf(account).waits.push({ endMs: this.passedMs, ms })
  }

  /** The clock still waits for an event of the account. */
  noteSlow(account: AccountId): void {
    const holding = this.holdingOf(account)
    if (this.passedMs - holding.notedMs < HELD_RUN_MS) return
    holding.notedMs = this.passedMs
    this.holdWatch?.slow(account)
  }

  drop(account: AccountId): void {
    this.holdWatch?.dropped(account)
  }

  /** The exchange stops: the clock waits for no participant. */
  disband(): void {
    for (const participant of this.taking) participant.leave()
  }

  /** Carries a request of the account out: at its turn, if it takes part beside another account. */
  carryOut(account: AccountId, run: () => void): void {
    const isAlone = this.taking.every((it) => it.account === account)
    const before = this.held.get(account)
    if (before === undefined && (isAlone || !this.takesPart(account))) {
      run()
      return
    }
    this.held.set(account, [...(before ?? []), run])
    this.watch(account)
    void this.serve()
  }

  /** Whether a request of the account waits. */
  holds(account: AccountId): boolean {
    return this.held.has(account)
  }

  /** Resolves when one has acknowledged something, or takes part no more; and when `changed` is called. */
  changes(): Promise<void> {
    return new Promise((resolve) => this.wakes.push(resolve))
  }

  changed(): void {
    if (this.held.size > 0) void this.serve()
    for (const wake of this.wakes.splice(0)) wake()
  }

  private get passedMs(): number {
    return elapsedMsExactly(this.wall)
  }

  private holdingOf(account: AccountId): Holding {
    for (const each of this.holdings.keys()) this.recent(each)
    const holding = this.holdings.get(account) ?? { waits: [], notedMs: Number.NEGATIVE_INFINITY }
    this.holdings.set(account, holding)
    return holding
  }

  /** Forgets what is longer ago than HELD_RUN_MS. */
  private recent(account: AccountId): Holding | undefined {
    const holding = this.holdings.get(account)
    if (holding === undefined) return undefined
    const { waits, notedMs } = holding
    const sinceMs = this.passedMs - HELD_RUN_MS
    while (waits.length > 0 && waits[0]!.endMs <= sinceMs) waits.shift()
    if (waits.length === 0 && notedMs <= sinceMs) this.holdings.delete(account)
    return holding
  }

  private takesPart(account: AccountId): boolean {
    return this.taking.some((it) => it.account === account)
  }

  private watch(account: AccountId): void {
    for (const participant of this.taking) if (participant.account === account) participant.watch()
  }

  /** Carries out requests, as long as it is the turn of any. */
  private async serve(): Promise<void> {
    if (this.isServing) return
    this.isServing = true
    for (;;) {
      await this.settled()
      const account = this.turn()
      if (account === undefined) break
      const [run, ...others] = this.held.get(account)!
      if (others.length > 0) this.held.set(account, others)
      else this.held.delete(account)
      this.watch(account)
      run!()
    }
    this.isServing = false
    this.changed()
  }

  /** Returns the account whose request is next; undefined while another one is to acknowledge first. */
  private turn(): AccountId | undefined {
    for (const { account, unacknowledged } of this.taking) {
      if (this.held.has(account)) return account
      if (unacknowledged > 0) return undefined
    }
    return undefined
  }
}
