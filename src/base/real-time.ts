/**
 * The machine's time. Only the assembly of a real process makes one: src/main.ts, the files *.thread.ts, and
 * programs beside the exchange.
 *
 * Timers come from modules of Node.js, by their names: a program that an exchange is embedded in may have replaced the
 * globals, and the modules' members, by its own (timers of tests).
 */
import { hrtime } from 'node:process'
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'
import { dateNow } from './real-date.ts'
import type { SharedTime, SteeredClock, Time, Timer, WaitCells } from './time.ts'
import { Ms } from './units.ts'

export class RealTime implements SharedTime, SteeredClock {
  readonly wall: Time = this
  readonly steered: SteeredClock = this
  /**
   * Two cells: the wall clock at the monotonic time 0, ms; 1 while that is awaited. Written by the main thread, read
   * by all. NaN while no exchange steers it: then each thread reads the machine's clock alone.
   */
  private cells = new Float64Array(new SharedArrayBuffer(16)).fill(Number.NaN)
  /** No thread notifies it. */
  private readonly still = new Int32Array(new SharedArrayBuffer(4))

  get shared(): SharedArrayBuffer {
    return this.cells.buffer as SharedArrayBuffer
  }

  share(shared: SharedArrayBuffer): void {
    this.cells = new Float64Array(shared)
  }

  nowMs(): Ms {
    // An aligned double is read whole. process.hrtime takes as long as Date.now.
    const [seconds, ns] = hrtime()
    const ms = Math.floor(seconds * 1_000 + ns / 1_000_000 + this.cells[0]!)
    return Number.isNaN(ms) ? this.machineMs() : Ms(ms)
  }

  get isSteered(): boolean {
    return !Number.isNaN(this.cells[0])
  }

  get isAwaited(): boolean {
    return this.cells[1] === 1
  }

  machineMs(): Ms {
    return Ms(dateNow())
  }

  steer(nowMs: number, elapsedMs: number, isAwaited = false): void {
    this.cells[0] = nowMs - elapsedMs
    this.cells[1] = isAwaited ? 1 : 0
  }

  elapsedNs(): number {
    // performance.now() counts from its thread's start.
    const [seconds, ns] = hrtime()
    return seconds * 1_000_000_000 + ns
  }

  after(delayMs: number, run: () => void): Timer {
    const timeout = setTimeout(run, delayMs)
    return { cancel: () => clearTimeout(timeout) }
  }

  every(periodMs: number, run: () => void): Timer {
    const interval = setInterval(run, periodMs).unref()
    return { cancel: () => clearInterval(interval) }
  }

  defer(run: () => void): void {
    setImmediate(run)
  }

  idle(ms: number): void {
    Atomics.wait(this.still, 0, 0, ms)
  }

  wait(
    cells: WaitCells,
    index: number,
    expected: number | bigint,
    timeoutMs?: number,
  ): 'ok' | 'not-equal' | 'timed-out' {
    return Atomics.wait(cells as Int32Array, index, expected as number, timeoutMs)
  }
}
