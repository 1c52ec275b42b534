/**
 * The machine's time. Only the assembly of a real process makes one: src/main.ts, the files *.thread.ts, and
 * programs beside the exchange.
 */
import type { Time, Timer, WaitCells } from './time.ts'
import { Ms } from './units.ts'

export class RealTime implements Time {
  readonly wall: Time = this
  /** No thread notifies it. */
  private readonly still = new Int32Array(new SharedArrayBuffer(4))

  nowMs(): Ms {
    return Ms(Date.now())
  }

  elapsedNs(): number {
    // performance.now() counts from the start of its own thread.
    const [seconds, ns] = process.hrtime()
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
