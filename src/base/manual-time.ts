/**
 * Time that a program sets: it stands still until it is moved. A program moves it by a length or to the
 * next timer; virtual-clock.ts moves it from timer to timer.
 */
import { assert } from './assert.ts'
import type { Clock, Effect, Time, Timer, WaitCells } from './time.ts'
import { type HeapTimer, TimerHeap } from './timer-heap.ts'
import { Ms } from './units.ts'

const NS_PER_MS = 1_000_000

/** Clocks that stand still. Several times may share them. */
export class ManualClock implements Clock {
  /** Wall clock at the monotonic time 0, ms. */
  private beganMs: number
  private _passedMs = 0

  constructor(wallMs: Ms) {
    this.beganMs = wallMs
  }

  /** Wall clock, ms; may be set to any value. */
  get wallMs(): Ms {
    // A sum of many lengths would drift.
    return Ms(this.beganMs + this._passedMs)
  }

  set wallMs(ms: Ms) {
    this.beganMs = ms - this._passedMs
  }

  /** Monotonic, in milliseconds; only goes up. */
  get passedMs(): number {
    return this._passedMs
  }

  /** Moves the monotonic clock alone. */
  set passedMs(ms: number) {
    this.beganMs -= ms - this._passedMs
    this._passedMs = ms
  }

  nowMs(): Ms {
    return Ms(Math.floor(this.wallMs))
  }

  elapsedNs(): number {
    return Math.round(this._passedMs * NS_PER_MS)
  }

  /** Moves both clocks. */
  advance(ms: number): void {
    this.moveTo(this._passedMs + ms)
  }

  /** Moves both clocks to a monotonic time. */
  moveTo(passedMs: number): void {
    assert(passedMs >= this._passedMs, 'time passes forwards')
    this._passedMs = passedMs
  }
}

export class ManualTime implements Time {
  readonly clock: ManualClock
  readonly wall: Time
  private readonly loop: Pick<Time, 'defer'> | undefined
  private readonly timers = new TimerHeap()
  private _activity = 0

  /**
   * Without an event loop a deferred function is a timer that is due now. With one, what is deferred runs
   * while time stands still. The wall's time is this one too, unless there is another.
   */
  constructor(clock: ManualClock, loop?: Pick<Time, 'defer'>, wall?: Time) {
    this.clock = clock
    this.loop = loop
    this.wall = wall ?? this
  }

  /** Counts what was set, deferred or run once so far: while it stays, nothing follows from anything. */
  get activity(): number {
    return this._activity
  }

  /** Timers that are set. */
  get timerCount(): number {
    return this.timers.size
  }

  nowMs(): Ms {
    return this.clock.nowMs()
  }

  elapsedNs(): number {
    return this.clock.elapsedNs()
  }

  after(delayMs: number, run: () => void, effect?: Effect): Timer {
    return this.set(run, delayMs, 0, effect)
  }

  every(periodMs: number, run: () => void, effect?: Effect): Timer {
    return this.set(run, periodMs, periodMs, effect)
  }

  defer(run: () => void): void {
    this._activity++
    if (this.loop === undefined) this.set(run, 0, 0)
    else this.loop.defer(run)
  }

  /** Returns at once: the only thread cannot move the time while it blocks. */
  idle(): void {}

  /** Times out at once, since no other thread may change the cell. */
  wait<Cells extends WaitCells>(
    cells: Cells,
    index: number,
    expected: Cells[number],
    timeoutMs = Number.POSITIVE_INFINITY,
  ): 'not-equal' | 'timed-out' {
    if (Atomics.load(cells as Int32Array, index) !== expected) return 'not-equal'
    assert(timeoutMs < Number.POSITIVE_INFINITY, 'a single thread does not wait for itself')
    return 'timed-out'
  }

  /** When the next timer is due, monotonic ms; undefined when there is none. */
  get nextDueMs(): number | undefined {
    return this.timers.first?.dueMs
  }

  /** When a timer can next send a frame or change an order, monotonic ms; undefined when none can. */
  get nextEffectMs(): number | undefined {
    const { effectMs } = this.timers
    return effectMs === Number.POSITIVE_INFINITY ? undefined : effectMs
  }

  /** Milliseconds until the next timer is due; undefined when there is none. */
  get nextInMs(): number | undefined {
    const { nextDueMs } = this
    return nextDueMs === undefined ? undefined : Math.max(0, nextDueMs - this.clock.passedMs)
  }

  /** Runs the timer that is due first. Returns false when none is due. */
  runNext(): boolean {
    const timer = this.timers.first
    if (timer === undefined || timer.dueMs > this.clock.passedMs) return false
    this.fire(timer)
    return true
  }

  /**
   * Moves the time by a length, then runs what has become due, each timer once: as on a machine that slept
   * so long.
   */
  advance(ms: number): void {
    this.moveTo(this.clock.passedMs + ms)
  }

  /** As `advance`, to a monotonic time, ms. One that has passed runs what is due now. */
  moveTo(passedMs: number): void {
    this.clock.moveTo(Math.max(passedMs, this.clock.passedMs))
    this.runDue()
  }

  /** Moves the time to the next timer, and runs what is due then. Returns false without a timer. */
  step(): boolean {
    const { nextDueMs } = this
    if (nextDueMs === undefined) return false
    this.moveTo(nextDueMs)
    return true
  }

  private set(run: () => void, delayMs: number, periodMs: number, effect?: Effect): Timer {
    const dueMs = this.clock.passedMs + Math.max(0, delayMs)
    const timer: HeapTimer = { run, effect, dueMs, periodMs, order: 0, index: -1 }
    this._activity++
    this.timers.add(timer)
    return { cancel: () => this.timers.remove(timer) }
  }

  private fire(timer: HeapTimer): void {
    this.timers.remove(timer)
    if (timer.periodMs > 0) {
      timer.dueMs = this.clock.passedMs + timer.periodMs
      // Behind timers that are due at the same time.
      this.timers.add(timer)
    } else this._activity++
    timer.run()
  }

  /** Runs only timers that are due now: what they set again without a delay waits for the next move. */
  private runDue(): void {
    const { lastOrder } = this.timers
    for (;;) {
      const timer = this.timers.first
      if (timer === undefined || timer.order > lastOrder || timer.dueMs > this.clock.passedMs) break
      this.fire(timer)
    }
  }
}
