/**
 * When a gateway looks at its event rings: in every turn of the event loop while records come, and
 * otherwise when its doorbell rings. It does not look while it waits for a flush, although being woken
 * costs some microseconds more: a gateway that turns in vain takes the processor from the matcher it
 * waits for, and the scheduler gives that back only after milliseconds (bench `latency`).
 *
 * Matchers are rung once a turn, after the requests that had arrived, or after many of them: one that is
 * woken by the first would journal that alone, and the others would wait for its flush (bench `wire`).
 */
import { GatewayCounter, type ThreadCounters } from '#ring/counters.ts'
import type { Doorbell } from '#ring/doorbell.ts'

/** Turns without work before it goes to sleep. */
const IDLE_TURNS_MAX = 2
/** Commands that are worth a flush of their own. */
const UNRUNG_MAX = 32

export interface Pumped {
  /** Takes what waits; answers how much it was. */
  poll(): number
  /** Whether a poll would find something. */
  hasWork(): boolean
}

export class Pump {
  readonly #pumped: Pumped
  readonly #bell: Doorbell
  readonly #matcherBells: readonly Doorbell[]
  readonly #counters: ThreadCounters
  readonly #turn: () => void
  readonly #woken: () => void
  #state: 'stopped' | 'turning' | 'sleeping' = 'stopped'
  #sleep: Promise<void> | undefined
  #idleTurns = 0
  /** Commands since the matchers were rung. */
  #unrung = 0

  /** `bell` is the gateway's own. */
  constructor(
    pumped: Pumped,
    bell: Doorbell,
    matcherBells: readonly Doorbell[],
    counters: ThreadCounters,
  ) {
    this.#counters = counters
    this.#pumped = pumped
    this.#bell = bell
    this.#matcherBells = matcherBells
    this.#turn = () => this.#takeTurn()
    this.#woken = () => this.#wake()
  }

  start(): void {
    this.#state = 'turning'
    setImmediate(this.#turn)
  }

  /** A command is in its ring: the matcher is rung soon, and an answer will come. */
  sent(): void {
    if (++this.#unrung >= UNRUNG_MAX) this.#ringMatchers()
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
    this.#bell.awake()
  }

  #takeTurn(): void {
    if (this.#state !== 'turning') return
    this.#ringMatchers()
    this.#idleTurns = this.#pumped.poll() > 0 ? 0 : this.#idleTurns + 1
    // Who is told of records may ask for more.
    this.#ringMatchers()
    if (this.#idleTurns < IDLE_TURNS_MAX || !this.#fallAsleep()) setImmediate(this.#turn)
  }

  #ringMatchers(): void {
    if (this.#unrung === 0) return
    this.#unrung = 0
    for (const bell of this.#matcherBells) bell.ring()
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
