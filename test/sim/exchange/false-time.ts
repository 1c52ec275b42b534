/**
 * False time for a whole exchange on one thread: the clocks, which stand between two steps, and the timers
 * of the event loop, which belong to the process that set them and go off only when the simulation says so.
 * Timers of an owner that is gone are forgotten, as those of a killed process are. Whatever reads a clock,
 * in a package too, reads this one: the same seed gives the same run on a machine of any speed.
 */
import type { Time, Timer as TimeTimer } from '../../../src/base/time.ts'
import { Ms } from '../../../src/base/units.ts'

interface Timer {
  readonly life: number
  readonly owner: number
  readonly run: () => void
  /** When it is due, in time that never steps back; it is due again after `everyMs`, unless 0. */
  dueMs: number
  readonly everyMs: number
}

const names = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
] as const

export class FalseTime implements Time {
  /** The wall clock, which may step. */
  wallMs: Ms
  /** Time as it passes, for timers and durations. */
  passedMs = 0
  /** Who acts now: its timers are its own. */
  owner = -1
  /** The process whose owners act. */
  life = 0
  readonly #timers = new Set<Timer>()
  readonly #real = names.map((name) => [name, globalThis[name]] as const)
  readonly #clocks = [Date.now, performance.now, process.hrtime] as const

  /** Takes the clocks over, until `leave`. */
  constructor(wallMs: Ms) {
    this.wallMs = wallMs
    const hrtime = (): [number, number] => {
      const seconds = Math.floor(this.passedMs / 1_000)
      return [seconds, (this.passedMs - seconds * 1_000) * 1_000_000]
    }
    Date.now = () => this.wallMs
    performance.now = () => this.passedMs
    process.hrtime = Object.assign(hrtime, { bigint: () => BigInt(this.elapsedNs()) })
  }

  /** Gives the clocks back. */
  leave(): void {
    ;[Date.now, performance.now, process.hrtime] = this.#clocks
  }

  nowMs(): Ms {
    return this.wallMs
  }

  elapsedNs(): number {
    return this.passedMs * 1_000_000
  }

  advance(ms: number): void {
    this.wallMs = Ms(this.wallMs + ms)
    this.passedMs += ms
  }

  /** Acts as `owner`, with false timers, until everything that can continue without one has. */
  async act<Result>(owner: number, action: () => Result): Promise<Awaited<Result>> {
    this.owner = owner
    this.#install()
    try {
      const result = action()
      for (let i = 0; i < MICROTASK_TURNS; i++) await undefined
      return await result
    } finally {
      this.#uninstall()
      this.owner = -1
    }
  }

  /** Runs one timer of the owner that is due, the earliest; false when there is none. */
  async runNext(owner: number): Promise<boolean> {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.owner !== owner || timer.life !== this.life) continue
      if (timer.dueMs > this.passedMs) continue
      if (next === undefined || timer.dueMs < next.dueMs) next = timer
    }
    if (next === undefined) return false
    const { everyMs, run } = next
    // At the end of those that are due at the same time.
    this.#timers.delete(next)
    next.dueMs = this.passedMs + everyMs
    if (everyMs > 0) this.#timers.add(next)
    await this.act(owner, run)
    return true
  }

  /** Lets owners of another process act meanwhile. */
  async within<Result>(life: number, action: () => Promise<Result>): Promise<Result> {
    const before = this.life
    this.life = life
    try {
      return await action()
    } finally {
      this.life = before
    }
  }

  /** Forgets every timer of a process. */
  forget(life: number): void {
    for (const timer of this.#timers) if (timer.life === life) this.#timers.delete(timer)
  }

  after(delayMs: number, run: () => void): TimeTimer {
    const timer = this.#set(run, delayMs, 0)
    return { cancel: () => this.#timers.delete(timer) }
  }

  every(periodMs: number, run: () => void): TimeTimer {
    const timer = this.#set(run, periodMs, periodMs)
    return { cancel: () => this.#timers.delete(timer) }
  }

  defer(run: () => void): void {
    this.#set(run, 0, 0)
  }

  idle(): void {}

  wait(): 'timed-out' {
    return 'timed-out'
  }

  #set(run: () => void, dueMs: number, everyMs: number): Timer {
    const { life, owner } = this
    const timer = { life, owner, run, dueMs: this.passedMs + dueMs, everyMs }
    this.#timers.add(timer)
    return timer
  }

  #install(): void {
    const set = (run: () => void, dueMs: number, everyMs: number) => this.#set(run, dueMs, everyMs)
    const clear = (timer: unknown) => {
      this.#timers.delete(timer as Timer)
    }
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms = 0) => set(run, ms, 0),
      setInterval: (run: () => void, ms = 1) => set(run, ms, ms),
      setImmediate: (run: () => void) => set(run, 0, 0),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    })
  }

  #uninstall(): void {
    Object.assign(globalThis, Object.fromEntries(this.#real))
  }
}

/** More than any chain of promises in the source is long. */
const MICROTASK_TURNS = 24
