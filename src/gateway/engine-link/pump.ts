/**
 * When a gateway looks at its event rings: in every turn of the event loop while records come, and
 * otherwise when its doorbell rings. It does not look while it waits for a flush, although being woken
 * costs some microseconds more: a gateway that turns in vain takes the processor from the matcher it
 * waits for, and the scheduler gives that back only after milliseconds (bench `latency`).
 *
 * Matchers see commands once a turn, after the requests that had arrived, or after many of them: one that
 * took the first ones alone would flush for those few, and the others would wait for it (bench `wire`).
 * While many come together, the first turn that brings none tells that all of them are there.
 */
import type { CommandRingProducer } from '../../ring/command-ring.ts'
import type { Doorbell } from '../../ring/doorbell.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'

/** Turns without work before it goes to sleep. */
const IDLE_TURNS_MAX = 2
/** Commands that are worth a flush of their own. */
const UNPUBLISHED_MAX = 32
/** So many together: more are on their way. */
const BURST_MIN = 8

export interface Pumped {
  /** Takes what waits; answers how much it was. */
  poll(): number
  /** Whether a poll would find something. */
  hasWork(): boolean
}

/** The way to one matcher. */
export interface MatcherLine {
  readonly ring: Pick<CommandRingProducer, 'publish'>
  readonly bell: Doorbell
}

export class Pump {
  readonly #pumped: Pumped
  readonly #bell: Doorbell
  readonly #lines: readonly MatcherLine[]
  readonly #counters: ThreadCounters
  readonly #turn: () => void
  readonly #woken: () => void
  #state: 'stopped' | 'turning' | 'sleeping' = 'stopped'
  #sleep: Promise<void> | undefined
  #idleTurns = 0
  /** Commands that no matcher sees yet, and how many there were a turn before. */
  #unpublished = 0
  #unpublishedBefore = 0
  /** How many were published together the last time. */
  #lastPublished = 0

  /** `bell` is the gateway's own. */
  constructor(
    pumped: Pumped,
    bell: Doorbell,
    lines: readonly MatcherLine[],
    counters: ThreadCounters,
  ) {
    this.#counters = counters
    this.#pumped = pumped
    this.#bell = bell
    this.#lines = lines
    this.#turn = () => this.#takeTurn()
    this.#woken = () => this.#wake()
  }

  start(): void {
    this.#state = 'turning'
    setImmediate(this.#turn)
  }

  /** A command is committed to its ring: its matcher sees it soon, and an answer will come. */
  sent(): void {
    // Once stopped, no turn comes that would publish it.
    if (++this.#unpublished >= UNPUBLISHED_MAX || this.#state === 'stopped') this.#publish()
    this.#wake()
  }

  #wake(): void {
    if (this.#state !== 'sleeping') return
    this.#bell.awake()
    this.#idleTurns = 0
    this.start()
  }

  stop(): void {
    this.#state = 'stopped'
    this.#publish()
    this.#bell.awake()
  }

  #takeTurn(): void {
    if (this.#state !== 'turning') return
    const isGrowing = this.#isGrowing()
    if (!isGrowing) this.#publish()
    const taken = this.#pumped.poll()
    this.#idleTurns = taken > 0 || isGrowing ? 0 : this.#idleTurns + 1
    // Who is told of records may ask for more.
    if (!isGrowing) this.#publish()
    if (this.#idleTurns < IDLE_TURNS_MAX || !this.#fallAsleep()) setImmediate(this.#turn)
  }

  /** Whether the turn has brought commands, in a time when many come together. */
  #isGrowing(): boolean {
    const before = this.#unpublishedBefore
    this.#unpublishedBefore = this.#unpublished
    return this.#unpublished > before && this.#lastPublished >= BURST_MIN
  }

  #publish(): void {
    if (this.#unpublished === 0) return
    this.#lastPublished = this.#unpublished
    this.#unpublished = 0
    this.#unpublishedBefore = 0
    for (const { ring, bell } of this.#lines) if (ring.publish()) bell.ring()
  }

  #fallAsleep(): boolean {
    const sleep = this.#bell.sleepAsync(() => this.#pumped.hasWork())
    if (sleep === undefined) return false
    this.#state = 'sleeping'
    this.#counters.add(GatewayCounter.sleeps, 1)
    if (sleep !== this.#sleep) {
      this.#sleep = sleep
      sleep.then(this.#woken)
    }
    return true
  }
}
