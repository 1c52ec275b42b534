/**
 * Moves the time of an exchange whose clock is virtual: it stands still, follows the wall some times as fast, or
 * goes to a later moment, from each moment at which something is due to the next. What a moment causes is done
 * before the next one: what was deferred, what is under way, and what participants do about it.
 *
 * Moves come one after another. Nothing of it promises an order to clients that do not take part: they
 * meet whatever moment it is when their requests arrive.
 */
import type { ManualTime } from './manual-time.ts'
import { Participants, SWIFT_MS } from './participants.ts'
import { elapsedMs, elapsedMsExactly, type Timer } from './time.ts'
import { type AccountId, Ms } from './units.ts'

/** Times as fast as the wall, at most. */
export const SPEED_MAX = 1_000_000
export const SPEED_MIN = 0.001
/** The latest moment that it goes to: the end of the year 2099. */
export const LATEST_MS = Ms(Date.UTC(2100, 0, 1) - 1)
/** Between two moves of a clock that runs, by the wall. */
const FOLLOW_MS = 2
/** Wall time that a clock which cannot keep its speed makes up for, at most. */
const BEHIND_MS_MAX = 100
/** Ticks of the event loop without any activity, after which nothing follows from a moment any more. */
const QUIET_TURNS = 2
/** Wall time after which the work of a moment counts as done: no move waits forever. */
const SETTLE_MS_MAX = 5_000
/** Moments without any work, after which the event loop has a tick. */
const IDLE_MOMENTS = 256

export interface ClockState {
  readonly nowMs: Ms
  readonly isPaused: boolean
  /** Times as fast as the wall, while it is not paused. */
  readonly speed: number
  /** Whether it is on its way to a moment that it was sent to. */
  readonly isMoving: boolean
  /** When a timer can next send a frame or change an order; undefined when none can. */
  readonly nextDueMs: Ms | undefined
  readonly participants: number
  /** Whether it stands still for a participant. */
  readonly isHeld: boolean
  /** Names of the accounts for which it stands still. */
  readonly heldBy: readonly string[]
}

/** For how long a move waited for each account, by the wall, ms. */
export type ClockWaits = Map<AccountId, number>

/** A part of the exchange, which a moment may give work. */
export interface BusyPart {
  /** Whether work of the present moment is under way. */
  readonly isBusy: boolean
}

export class VirtualClock {
  readonly time: ManualTime
  readonly participants: Participants
  private readonly parts = new Set<BusyPart>()
  private readonly follower: Timer
  private isPaused: boolean
  private speed = 1
  /** Monotonic time of the wall up to which this clock has followed it, ms. */
  private followedMs: number
  /** Resolves when all moves so far are over. */
  private moves: Promise<unknown> = Promise.resolve()
  private moveCount = 0
  /** Moves among `moveCount` that a caller requested. */
  private sentCount = 0
  /** A move that began before a pause ends with it. */
  private pauses = 0
  private idleMoments = 0
  private nameOf: (account: AccountId) => string = String

  /** `time` has its own wall. */
  constructor(time: ManualTime, isPaused: boolean) {
    this.time = time
    this.isPaused = isPaused
    this.participants = new Participants(time.wall, () => this.quiet())
    this.followedMs = elapsedMsExactly(time.wall)
    this.follower = time.wall.every(FOLLOW_MS, () => this.follow())
  }

  /** Names accounts by `nameOf` from now on, and logs those that hold it. */
  observe(
    nameOf: (account: AccountId) => string,
    log: Record<'info' | 'warn', (sentence: string) => void>,
  ): void {
    this.nameOf = nameOf
    this.participants.holdWatch = {
      slow: (account) => log.info(`The virtual clock waits for ${nameOf(account)}.`),
      dropped: (account) =>
        log.warn(`${nameOf(account)} held the virtual clock too long; it takes part no more.`),
    }
  }

  /** No moment ends before the part has done its work. */
  watch(part: BusyPart): void {
    this.parts.add(part)
  }

  /** The part is gone. */
  forget(part: BusyPart): void {
    this.parts.delete(part)
  }

  /** Begins at this moment, if it is later: the journal of an earlier start has it. */
  begin(nowMs: Ms): void {
    const { clock } = this.time
    if (nowMs > clock.nowMs()) clock.wallMs = nowMs
  }

  state(): ClockState {
    const { time, participants } = this
    const dueMs = time.nextEffectMs
    return {
      nowMs: time.nowMs(),
      isPaused: this.isPaused,
      speed: this.speed,
      isMoving: this.sentCount > 0,
      nextDueMs: dueMs === undefined ? undefined : this.momentOf(dueMs),
      participants: participants.count,
      isHeld: participants.isAwaited,
      heldBy: participants.holders.map((account) => this.nameOf(account)),
    }
  }

  private momentOf(passedMs: number): Ms {
    const { clock } = this.time
    return Ms(Math.floor(clock.wallMs + Math.max(0, passedMs - clock.passedMs)))
  }

  /** Stands still from now on, and ends the moves that are under way. */
  pause(): void {
    this.isPaused = true
    this.pauses++
    this.participants.changed()
  }

  /** Follows the wall from now on. */
  resume(): void {
    this.isPaused = false
    this.followedMs = elapsedMsExactly(this.time.wall)
  }

  setSpeed(speed: number): void {
    this.speed = speed
  }

  /**
   * Resolves at the next moment at which a timer can send a frame or change an order, to whether it got there. `waits`
   * gets for how long it waited for participants.
   */
  step(waits?: ClockWaits): Promise<boolean> {
    return this.send(() => this.time.nextEffectMs ?? this.time.clock.passedMs, waits)
  }

  /** Resolves when so much time has passed, to whether it got there: a pause ends the move. */
  advance(ms: number, waits?: ClockWaits): Promise<boolean> {
    return this.send(() => this.time.clock.passedMs + ms, waits)
  }

  /** As `advance`, to a moment of the virtual clock; one that has passed is no move. */
  advanceTo(nowMs: Ms, waits?: ClockWaits): Promise<boolean> {
    const { clock } = this.time
    return this.send(() => clock.passedMs + Math.max(0, nowMs - clock.wallMs), waits)
  }

  /** Returns a sentence about the accounts that held a move up, behind a space; '' when none did for long. */
  waitedText(waits: ClockWaits): string {
    const long = [...waits].filter(([, ms]) => ms > SWIFT_MS).sort(([, a], [, b]) => b - a)
    const each = long.map(
      ([account, ms]) => `${Math.round(ms / 1_000)} s for ${this.nameOf(account)}`,
    )
    return each.length === 0 ? '' : ` It waited ${each.join(', ')}.`
  }

  /** The exchange ends: the clock moves no more. */
  close(): void {
    this.pause()
    this.follower.cancel()
  }

  private follow(): void {
    if (this.isPaused || this.moveCount > 0) return
    const nowMs = elapsedMsExactly(this.time.wall)
    const behindMs = Math.min(BEHIND_MS_MAX, nowMs - this.followedMs)
    this.followedMs = nowMs
    void this.move(() => this.time.clock.passedMs + behindMs * this.speed)
  }

  private send(until: () => number, waits?: ClockWaits): Promise<boolean> {
    this.sentCount++
    return this.move(until, waits).finally(() => this.sentCount--)
  }

  /** `until` returns the monotonic time of its end, once the moves before it, and this moment's work, are over. */
  private move(until: () => number, waits: ClockWaits = new Map()): Promise<boolean> {
    const { pauses } = this
    this.moveCount++
    const isOver = () => this.pauses !== pauses
    const moved = this.moves.then(() => this.moveTo(until, isOver, waits))
    this.moves = moved.catch(() => {}).finally(() => this.moveCount--)
    return moved
  }

  private async moveTo(
    until: () => number,
    isOver: () => boolean,
    waits: ClockWaits,
  ): Promise<boolean> {
    const { time } = this
    await this.settle(isOver, waits)
    const untilMs = until()
    while (!isOver()) {
      const dueMs = time.nextDueMs
      if (dueMs === undefined || dueMs > untilMs) {
        time.moveTo(untilMs)
        return true
      }
      const { activity } = time
      time.moveTo(dueMs)
      if (time.activity !== activity || this.isBusy || this.participants.isAwaited) {
        await this.settle(isOver, waits)
      } else if (++this.idleMoments % IDLE_MOMENTS === 0) await this.turn()
    }
    return false
  }

  /** Resolves when nothing more follows from the present moment. */
  private async settle(isOver: () => boolean, waits: ClockWaits): Promise<void> {
    const { wall } = this.time
    for (;;) {
      await this.quiet()
      const { isAwaited, holders } = this.participants
      if (!isAwaited || isOver()) return
      const beganMs = elapsedMsExactly(wall)
      await this.participants.changes()
      const waitedMs = elapsedMsExactly(wall) - beganMs
      for (const account of holders) waits.set(account, (waits.get(account) ?? 0) + waitedMs)
    }
  }

  private async quiet(): Promise<void> {
    const { time } = this
    const untilMs = elapsedMs(time.wall) + SETTLE_MS_MAX
    let quietTurns = 0
    let seen = -1
    while (quietTurns < QUIET_TURNS && elapsedMs(time.wall) < untilMs) {
      await this.turn()
      quietTurns = time.activity === seen && !this.isBusy ? quietTurns + 1 : 0
      seen = time.activity
    }
  }

  private get isBusy(): boolean {
    for (const { isBusy } of this.parts) if (isBusy) return true
    return false
  }

  private turn(): Promise<void> {
    return new Promise((resolve) => this.time.wall.defer(resolve))
  }
}
