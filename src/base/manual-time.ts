/**
 * Time that a program sets: it stands still until it is moved. A program moves it by a length, to the next
 * timer, through every timer of a length, or lets it run as many times as fast as another time.
 */
import { assert } from './assert.ts'
import { type Clock, elapsedMsExactly, type Time, type Timer, type WaitCells } from './time.ts'
import { Ms } from './units.ts'

const NS_PER_MS = 1_000_000

/** Clocks that stand still. Several times may share them. */
export class ManualClock implements Clock {
  /** Of the wall clock; may be set to any value. */
  wallMs: Ms
  /** Monotonic, in milliseconds; only goes up. */
  passedMs = 0

  constructor(wallMs: Ms) {
    this.wallMs = wallMs
  }

  nowMs(): Ms {
    return Ms(Math.floor(this.wallMs))
  }

  elapsedNs(): number {
    return Math.round(this.passedMs * NS_PER_MS)
  }

  /** Moves both clocks. */
  advance(ms: number): void {
    assert(ms >= 0, 'time passes forwards')
    this.wallMs = Ms(this.wallMs + ms)
    this.passedMs += ms
  }
}

interface ManualTimer {
  readonly run: () => void
  /** Monotonic. */
  dueMs: number
  /** 0 when it runs once. */
  readonly periodMs: number
}

export class ManualTime implements Time {
  readonly clock: ManualClock
  private readonly loop: Pick<Time, 'defer'> | undefined
  private readonly timers = new Set<ManualTimer>()

  /**
   * Without an event loop a deferred function is a timer that is due now. With one, what is deferred runs
   * while time stands still.
   */
  constructor(clock: ManualClock, loop?: Pick<Time, 'defer'>) {
    this.clock = clock
    this.loop = loop
  }

  nowMs(): Ms {
    return this.clock.nowMs()
  }

  elapsedNs(): number {
    return this.clock.elapsedNs()
  }

  after(delayMs: number, run: () => void): Timer {
    return this.set(run, delayMs, 0)
  }

  every(periodMs: number, run: () => void): Timer {
    return this.set(run, periodMs, periodMs)
  }

  defer(run: () => void): void {
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

  /** Milliseconds until the next timer is due; undefined when there is none. */
  get nextInMs(): number | undefined {
    const next = this.next()
    return next && Math.max(0, next.dueMs - this.clock.passedMs)
  }

  /** Runs the timer that is due first. Returns false when none is due. */
  runNext(): boolean {
    const timer = this.next()
    if (timer === undefined || timer.dueMs > this.clock.passedMs) return false
    this.fire(timer)
    return true
  }

  /**
   * Moves the time by a length, then runs what has become due, each timer once: as on a machine that slept
   * so long.
   */
  advance(ms: number): void {
    this.clock.advance(ms)
    this.runDue()
  }

  /** Moves the time to the next timer, and runs what is due then. Returns false without a timer. */
  step(): boolean {
    const ms = this.nextInMs
    if (ms === undefined) return false
    this.advance(ms)
    return true
  }

  /**
   * Moves the time by a length and runs each timer when it is due. `between` is awaited after each: it lets
   * the event loop do what follows.
   */
  async play(ms: number, between: () => Promise<void>): Promise<void> {
    const untilMs = this.clock.passedMs + ms
    for (;;) {
      const next = this.next()
      if (next === undefined || next.dueMs > untilMs) break
      this.advance(Math.max(0, next.dueMs - this.clock.passedMs))
      await between()
    }
    this.advance(untilMs - this.clock.passedMs)
  }

  /** Follows another time, `factor` times as fast, until it is canceled. */
  run(factor: number, other: Time): Timer {
    let beforeMs = elapsedMsExactly(other)
    return other.every(FOLLOW_MS, () => {
      const nowMs = elapsedMsExactly(other)
      this.advance((nowMs - beforeMs) * factor)
      beforeMs = nowMs
    })
  }

  private set(run: () => void, delayMs: number, periodMs: number): Timer {
    const timer = { run, dueMs: this.clock.passedMs + delayMs, periodMs }
    this.timers.add(timer)
    return { cancel: () => this.timers.delete(timer) }
  }

  private fire(timer: ManualTimer): void {
    this.timers.delete(timer)
    if (timer.periodMs > 0) {
      timer.dueMs = this.clock.passedMs + timer.periodMs
      // Behind timers that are due at the same time.
      this.timers.add(timer)
    }
    timer.run()
  }

  private next(): ManualTimer | undefined {
    let next: ManualTimer | undefined
    for (const timer of this.timers)
      if (next === undefined || timer.dueMs < next.dueMs) next = timer
    return next
  }

  /** Only timers that are due now: what they set again without a delay waits for the next move. */
  private runDue(): void {
    const { passedMs } = this.clock
    const due = [...this.timers].filter(({ dueMs }) => dueMs <= passedMs)
    due.sort((a, b) => a.dueMs - b.dueMs)
    for (const timer of due) if (this.timers.has(timer)) this.fire(timer)
  }
}

/** Between two moves of a time that runs. */
const FOLLOW_MS = 1
