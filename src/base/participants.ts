/**
 * Clients for which a virtual clock stands still at each event that they are sent, until they acknowledge it.
 * One that takes longer than a bound of wall time no longer takes part, so none stops the clock forever.
 *
 * Requests of several accounts that take part come in an order that does not depend on the wall. An account has its
 * turn once no account of a lower id has an event to acknowledge, or a request that waits. Its requests are carried
 * out one after another: each when nothing more follows from the one before, so that what it gives other accounts to
 * acknowledge counts at once.
 */
import type { Time, Timer } from './time.ts'
import type { AccountId } from './units.ts'

/** Participants of one clock. */
export const PARTICIPANTS_MAX = 64
/** How long the clock waits for one of them, by the wall. */
export const ACKNOWLEDGE_MS = 10_000

export class Participant {
  readonly account: AccountId
  private readonly all: Participants
  private readonly wall: Pick<Time, 'after'>
  private readonly dropped: () => void
  private _unacknowledged = 0
  private timer: Timer | undefined = undefined
  private hasLeft = false

  constructor(
    account: AccountId,
    all: Participants,
    wall: Pick<Time, 'after'>,
    dropped: () => void,
  ) {
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
    this._unacknowledged = Math.max(0, this._unacknowledged - events)
    this.watch()
    this.all.changed()
  }

  /** The clock waits for it no more. */
  leave(): void {
    this.hasLeft = true
    this._unacknowledged = 0
    this.watch()
    this.all.remove(this)
  }

  /** Begins its time again. It has none while a request of its account waits for the turn of others. */
  watch(): void {
    this.timer?.cancel()
    this.timer = undefined
    if (this._unacknowledged === 0 || this.all.holds(this.account)) return
    this.timer = this.wall.after(ACKNOWLEDGE_MS, () => {
      this.leave()
      this.dropped()
    })
  }
}

export class Participants {
  private readonly wall: Pick<Time, 'after'>
  private readonly settled: () => Promise<void>
  /** By account, then as they came. */
  private taking: readonly Participant[] = []
  /** By account: requests that wait for its turn, as they came. */
  private readonly held = new Map<AccountId, (() => void)[]>()
  private isServing = false
  private wakes: (() => void)[] = []

  /** `settled` resolves when nothing more follows from what was done so far. */
  constructor(wall: Pick<Time, 'after'>, settled: () => Promise<void>) {
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

  /** Returns undefined when there are too many. `dropped` is called when it took too long. */
  join(account: AccountId, dropped: () => void): Participant | undefined {
    if (this.taking.length >= PARTICIPANTS_MAX) return undefined
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
