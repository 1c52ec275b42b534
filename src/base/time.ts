/**
 * Time, as it is handed to the parts of an exchange: two clocks, timers, and the waits of a thread that
 * blocks. RealTime (base/real-time.ts) is the machine's; ManualTime (base/manual-time.ts) is a program's,
 * and may stand still. Code that the laws call deterministic receives times, never a clock.
 *
 * These stay on the machine's time, since the code that counts it is not the exchange's:
 *
 * | where          | what                                                                              |
 * |----------------|-----------------------------------------------------------------------------------|
 * | uWebSockets.js | 10 s for an HTTP request to arrive or a connection to be used again, and for the  |
 * |                | first response; 4 s for a peer to answer a close frame; the `Date` header         |
 * | pg             | time to connect, and of a statement                                               |
 * | PostgreSQL     | everything within a server                                                        |
 * | LMDB, piscina  | the idle time of a thread; timers that renew a read transaction                   |
 * | the kernel     | TCP's retransmissions and keep-alive; scheduling                                  |
 */
import type { Ms } from './units.ts'

/** Two clocks to read. */
export interface Clock {
  /** The wall clock: milliseconds since the Unix epoch, an integer. It may step by hours either way. */
  nowMs(): Ms
  /**
   * Monotonic: nanoseconds since a moment that all threads share, an integer. For durations, never for
   * dates.
   */
  elapsedNs(): number
}

/**
 * A wall clock that is the monotonic clock and an offset. All threads of a process share the offset, and its
 * main thread alone sets it (assembly/main/clock-watch.ts): they see one time, whatever the machine's clock does.
 */
export interface SteeredClock extends Clock {
  /** Whether an exchange of this process steers it, or one before has. */
  readonly isSteered: boolean
  /** Whether its offset is only the journal's end: new orders wait for a decision about the machine's clock. */
  readonly isAwaited: boolean
  /** The machine's own wall clock, ms since the Unix epoch. */
  machineMs(): Ms
  /** Sets the offset so that it is `nowMs` at the monotonic time of `elapsedMs`, for all threads. */
  steer(nowMs: number, elapsedMs: number, isAwaited?: boolean): void
}

/** The time of one thread of a process, which the main thread's steers. */
export interface SharedTime extends Time {
  /** What other threads share this time by. */
  readonly shared: SharedArrayBuffer
  /** Goes by the time of the main thread from now on. */
  share(shared: SharedArrayBuffer): void
}

/** Runs a function later. */
export interface Timer {
  /** Forgets the function. Does nothing once it ran, or was forgotten. */
  cancel(): void
}

/**
 * Returns when a timer that is due next at `dueMs` can first send a frame to a client or change an order, in monotonic ms;
 * Infinity when it cannot, as things are. A step of a virtual clock passes what comes before. A timer without one can
 * whenever it runs.
 */
export type Effect = (dueMs: number) => number

/** Cells that threads wait at. */
export type WaitCells = Int32Array | BigInt64Array

export interface Time extends Clock {
  /**
   * The machine's time where this one may be moved, else this one: for what is between the exchange and
   * programs that no one moves. Pings, time-outs of peers and threads, housekeeping and measurements go by it.
   */
  readonly wall: Time
  /** The clock of this time, where the exchange steers it; undefined where a program does. */
  readonly steered?: SteeredClock
  /** Runs `run` once, after a delay of monotonic time. Keeps the process alive until then. */
  after(delayMs: number, run: () => void, effect?: Effect): Timer
  /** Runs `run` again and again. A late loop skips the periods that it missed. Keeps no process alive. */
  every(periodMs: number, run: () => void, effect?: Effect): Timer
  /** Runs `run` once, when the event loop has read all input that is ready now. No time has to pass. */
  defer(run: () => void): void
  /** Blocks the thread for so long, if it is one that may block. */
  idle(ms: number): void
  /**
   * Blocks the thread until another one notifies it at the cell, unless the cell has another value than
   * `expected`. It may wake without a cause.
   */
  wait<Cells extends WaitCells>(
    cells: Cells,
    index: number,
    expected: Cells[number],
    timeoutMs?: number,
  ): 'ok' | 'not-equal' | 'timed-out'
}

const NS_PER_MS = 1_000_000

/** Returns the monotonic time in whole milliseconds, for timeouts and lives of connections. */
export const elapsedMs = (clock: Pick<Clock, 'elapsedNs'>): number =>
  Math.floor(clock.elapsedNs() / NS_PER_MS)

/** Returns the monotonic time in milliseconds and fractions, for durations below one. */
export const elapsedMsExactly = (clock: Pick<Clock, 'elapsedNs'>): number =>
  clock.elapsedNs() / NS_PER_MS

/**
 * Returns the dates of a time with the durations and timers of its wall: for work that takes the machine's
 * time, as a flush does.
 */
export function onWall(time: Time): Time {
  const { wall } = time
  if (wall === time) return time
  return {
    wall,
    nowMs: () => time.nowMs(),
    elapsedNs: () => wall.elapsedNs(),
    after: (delayMs, run) => wall.after(delayMs, run),
    every: (periodMs, run) => wall.every(periodMs, run),
    defer: (run) => time.defer(run),
    idle: (ms) => wall.idle(ms),
    wait: (cells, index, expected, timeoutMs) => wall.wait(cells, index, expected, timeoutMs),
  }
}

/** Resolves after a delay. */
export const pause = (time: Pick<Time, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => time.after(ms, resolve))

/** Resolves when the event loop has read all input that is ready now. */
export const tick = (time: Pick<Time, 'defer'>): Promise<void> =>
  new Promise((resolve) => time.defer(resolve))

/** Resolves when the promise does, after `ms` at the latest; rejects when the promise does so before. */
export async function within(
  time: Pick<Time, 'after'>,
  ms: number,
  promise: Promise<unknown>,
): Promise<void> {
  let late: Timer | undefined
  const tooLong = new Promise<void>((resolve) => {
    late = time.after(ms, resolve)
  })
  await Promise.race([promise, tooLong]).finally(() => late?.cancel())
}
