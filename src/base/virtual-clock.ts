/**
 * Moves the time of an exchange whose clock is virtual: it stands still, follows the wall some times as fast, or
 * goes to a later moment, from each moment at which something is due to the next. What a moment causes is done
 * before the next one: what was deferred, what is under way, and what participants do about it.
 *
 * Moves come one after another. Nothing of it promises an order to clients that do not take part: they
 * meet whatever moment it is when their requests arrive.
 */
import type { ManualTime } from './manual-time.ts'
import { Participants } from './participants.ts'
import { elapsedMs, elapsedMsExactly, type Timer } from './time.ts'
import { Ms } from './units.ts'

/** Times as fast as the wall, at most. */
export const SPEED_MAX = 1_000_000
export const SPEED_MIN = 0.001
/** The latest moment that it goes to: the end of the year 2099. */
export const LATEST_MS = Ms(Date.UTC(2100, 0, 1) - 1)
/** Between two moves of a clock that runs, by the wall. */
const FOLLOW_MS = 2
/** Wall time that a clock which cannot keep its speed makes up for, at most. */
const BEHIND_MS_MAX = 100
/** Turns of the event loop without any activity, after which nothing follows from a moment any more. */
const QUIET_TURNS = 2
/** Wall time after which the work of a moment counts as done: no move waits forever. */
const SETTLE_MS_MAX = 5_000
/** Moments without any work, after which the event loop has a turn. */
const IDLE_MOMENTS = 256

export interface ClockState {
  readonly nowMs: Ms
  readonly isPaused: boolean
  /** Times as fast as the wall, while it is not paused. */
  readonly speed: number
  /** Whether it is on its way to a moment that it was sent to. */
  readonly isMoving: boolean
  /** When something is due next; undefined when nothing is. */
  readonly nextDueMs: Ms | undefined
  readonly participants: number
  /** Whether it stands still for a participant. */
  readonly isHeld: boolean
}

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
  /** Of the wall, up to which the time has followed it. */
  private followedMs: number
  /** Resolves when all moves so far are over. */
  private moves: Promise<unknown> = Promise.resolve()
  private moveCount = 0
  /** Of them, those that were asked for. */
  private sentCount = 0
  /** A move that began before a pause ends with it. */
  private pauses = 0
  private idleMoments = 0

  /** `time` has a wall of its own. */
  constructor(time: ManualTime, isPaused: boolean) {
    this.time = time
    this.isPaused = isPaused
    this.participants = new Participants(time.wall, () => this.quiet())
    this.followedMs = elapsedMsExactly(time.wall)
    this.follower = time.wall.every(FOLLOW_MS, () => this.follow())
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
    const inMs = time.nextInMs
    return {
      nowMs: time.nowMs(),
      isPaused: this.isPaused,
      speed: this.speed,
      isMoving: this.sentCount > 0,
      nextDueMs: inMs === undefined ? undefined : Ms(Math.floor(time.clock.wallMs + inMs)),
      participants: participants.count,
      isHeld: participants.isAwaited,
    }
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

  /** Resolves at the next moment at which something is due, to whether it got there. */
  step(): Promise<boolean> {
    return this.send(() => this.time.nextDueMs ?? this.time.clock.passedMs)
  }

  /** Resolves when so much time has passed, to whether it got there: a pause ends the move. */
  advance(ms: number): Promise<boolean> {
    return this.send(() => this.time.clock.passedMs + ms)
  }

  /** The same to a moment of the virtual clock; one that has passed is no move. */
  advanceTo(nowMs: Ms): Promise<boolean> {
    const { clock } = this.time
    return this.send(() => clock.passedMs + Math.max(0, nowMs - clock.wallMs))
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

  private send(until: () => number): Promise<boolean> {
    this.sentCount++
    return this.move(until).finally(() => this.sentCount--)
  }

  /** `until` returns the monotonic time of its end, once the moves before it are over. */
  private move(until: () => number): Promise<boolean> {
    const { pauses } = this
    this.moveCount++
    const moved = this.moves.then(() => this.moveTo(until(), () => this.pauses !== pauses))
    this.moves = moved.catch(() => {}).finally(() => this.moveCount--)
    return moved
  }

  private async moveTo(untilMs: number, isOver: () => boolean): Promise<boolean> {
    const { time } = this
    await this.settle(isOver)
    while (!isOver()) {
      const dueMs = time.nextDueMs
      if (dueMs === undefined || dueMs > untilMs) {
        time.moveTo(untilMs)
        return true
      }
      const { activity } = time
      time.moveTo(dueMs)
      if (time.activity !== activity || this.isBusy || this.participants.isAwaited) {
        await this.settle(isOver)
      } else if (++this.idleMoments % IDLE_MOMENTS === 0) await this.turn()
    }
    return false
  }

  /** Resolves when nothing more follows from the present moment. */
  private async settle(isOver: () => boolean): Promise<void> {
    for (;;) {
      await this.quiet()
      if (!this.participants.isAwaited || isOver()) return
      await this.participants.changes()
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
