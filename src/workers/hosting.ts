/**
 * How each worker is hosted on a thread (host-thread.ts). On one event loop none blocks, pauses or has its own
 * priority. Niceness is that of Linux, where each thread has one.
 */
import type { Periods } from '../agents/throttle.ts'

interface Blocked {
  /** The thread sleeps at the agent's bell. */
  readonly waits: 'blocked'
  /** Whether the event loop runs after each duty cycle, for what lmdb leaves to it. */
  readonly turns: boolean
  /** The longest sleep between two looks for work, ms. */
  readonly sleepMsMax: number
  /** For work in the background. */
  readonly throttle?: Periods
}

interface OnEvents {
  /** The event loop brings all work. */
  readonly waits: 'on events'
}

export type Hosting = (Blocked | OnEvents) & {
  /** Niceness of a thread that others go before; the process's when left out. */
  readonly niceness?: number
  /** When the thread takes its niceness. */
  readonly lowers?: 'at start' | 'when ready'
  /** Niceness of a thread that clients wait for, where the process may raise priorities (foreground.ts). */
  readonly raisedTo?: number
}

/** In the normal class. Threads that serve clients go first (benches `wire`, `recovery`). */
export const BACKGROUND_NICENESS = 10

/** By kind; names of threads begin with it. */
export const hosting = {
  matching: { waits: 'blocked', turns: false, sleepMsMax: 100, raisedTo: -10 },
  gateway: { waits: 'on events', raisedTo: -5 },
  checkpointer: {
    waits: 'blocked',
    turns: true,
    sleepMsMax: 1_000,
    // Shorter periods take more time than they save.
    throttle: { workMs: 0.25, restMs: 1 },
    // Its transactions take longer than a matcher's batch, so matchers and gateways go first (bench `tail`). Not
    // more: with little of a busy machine's time it would let a write-ahead log become full.
    niceness: 5,
    lowers: 'when ready',
  },
  indexer: {
    waits: 'blocked',
    turns: true,
    sleepMsMax: 1_000,
    throttle: { workMs: 0.25, restMs: 0.25 },
    niceness: BACKGROUND_NICENESS,
    lowers: 'when ready',
  },
  snapshot: {
    waits: 'blocked',
    turns: true,
    sleepMsMax: 1_000,
    throttle: { workMs: 0.25, restMs: 1 },
    niceness: BACKGROUND_NICENESS,
    lowers: 'when ready',
  },
  backup: { waits: 'on events', niceness: BACKGROUND_NICENESS, lowers: 'at start' },
  // Clients go first, from its first quote on.
  liquidity: { waits: 'on events', niceness: BACKGROUND_NICENESS, lowers: 'at start' },
  replica: { waits: 'on events' },
} as const satisfies Readonly<Record<string, Hosting>>

/** What a worker does. */
export type WorkerKind = keyof typeof hosting
