/**
 * Decides when a gateway polls its event rings: in every tick of the event loop while records arrive, and
 * otherwise when its doorbell rings. It does not poll while it waits for a flush, although waking costs
 * some microseconds more: a gateway that ticks without work takes the processor from the matcher that it
 * waits for, and the scheduler gives it back only after milliseconds (bench `latency`).
 *
 * Matchers see commands once a tick, after all requests that had arrived, or after many of them. A matcher
 * that took the first ones alone would flush for those few while the others wait (bench `wire`). While many
 * arrive together, the first tick without commands shows that all of them are there.
 *
 * While frames of streams are far behind, matchers see one command in a tick on average, or in several.
 * Orders make frames: a gateway that took orders sooner than it sends frames would fall further behind, or
 * would take no requests while it sends (bench `fanout`).
 */
import type { Time } from '../../base/time.ts'
import type { CommandRingProducer } from '../../ring/command-ring.ts'
import type { Doorbell } from '../../ring/doorbell.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'

/** Commands that are worth a separate flush. */
const UNPUBLISHED_MAX = 32
/** Commands in one tick that suggest that more are coming. */
const BURST_MIN = 8

export interface Pumped {
  /** Takes the waiting records. Returns their number. */
  poll(): number
  /** Whether a poll would find records. */
  hasWork(): boolean
  /** Ticks for each command while frames of streams are far behind, and wait; 0 while they are not. */
  readonly ticksPerCommand: number
}

/** Before the start. */
const nothing: Pumped = { poll: () => 0, hasWork: () => false, ticksPerCommand: 0 }

/** The way to one matcher. */
export interface MatcherLine {
  readonly ring: Pick<CommandRingProducer, 'publish'>
  readonly bell: Doorbell
}

export class Pump {
  private readonly bell: Doorbell
  private readonly lines: readonly MatcherLine[]
  private readonly counters: ThreadCounters
  private readonly time: Time
  private readonly tick: () => void
  private readonly woken: () => void
  private pumped: Pumped = nothing
  private state: 'stopped' | 'ticking' | 'sleeping' = 'stopped'
  private sleep: Promise<void> | undefined = undefined
  /** Commands that the matcher does not see yet, and their number a tick before. */
  private unpublished = 0
  private unpublishedBefore = 0
  /** The number of the last publication. */
  private lastPublished = 0
  /** Ticks since then. */
  private ticks = 0

  /** `bell` is the gateway's own. */
  constructor(bell: Doorbell, lines: readonly MatcherLine[], counters: ThreadCounters, time: Time) {
    this.counters = counters
    this.time = time
    this.bell = bell
    this.lines = lines
    this.tick = () => this.runTick()
    this.woken = () => this.rung()
  }

  start(pumped: Pumped): void {
    this.pumped = pumped
    this.goOn()
  }

  private goOn(): void {
    this.state = 'ticking'
    this.time.defer(this.tick)
  }

  /** Notes a command committed to its ring: its matcher sees it soon, and replies. */
  sent(): void {
    // After a stop no tick publishes it.
    if (++this.unpublished >= UNPUBLISHED_MAX || this.state === 'stopped') this.publish()
    this.wake()
  }

  /** There is work that rings no bell. */
  wake(): void {
    if (this.state !== 'sleeping') return
    this.bell.awake()
    this.goOn()
  }

  stop(): void {
    this.state = 'stopped'
    this.publish()
    this.bell.leave()
  }

  /** The bell rang for records to read. Unlike commands, they gain nothing by waiting for a tick. */
  private rung(): void {
    if (this.state !== 'sleeping') return
    this.bell.awake()
    this.state = 'ticking'
    this.runTick()
  }

  /** A tick without work is the last one before sleep. */
  private runTick(): void {
    if (this.state !== 'ticking') return
    this.ticks++
    const isGrowing = this.isGrowing()
    if (this.isHeld()) this.counters.add(GatewayCounter.commandsPaced, 1)
    else if (!isGrowing) this.publish()
    const taken = this.pumped.poll()
    // A collector may send more commands when it gets records.
    if (!isGrowing) this.publish()
    if (taken > 0 || isGrowing || !this.fallAsleep()) this.time.defer(this.tick)
  }

  /** Whether the tick has brought commands while many arrive together. */
  private isGrowing(): boolean {
    const before = this.unpublishedBefore
    this.unpublishedBefore = this.unpublished
    return this.unpublished > before && this.lastPublished >= BURST_MIN
  }

  private publish(): void {
    if (this.unpublished === 0 || this.isHeld()) return
    this.ticks = 0
    this.lastPublished = this.unpublished
    this.unpublished = 0
    this.unpublishedBefore = 0
    for (const { ring, bell } of this.lines) if (ring.publish()) bell.ring()
  }

  /** Whether commands wait for frames. */
  private isHeld(): boolean {
    const ticks = this.unpublished * this.pumped.ticksPerCommand
    return ticks > this.ticks && this.state !== 'stopped'
  }

  private fallAsleep(): boolean {
    const sleep = this.bell.sleepAsync(() => this.pumped.hasWork())
    if (sleep === undefined) return false
    this.state = 'sleeping'
    this.counters.add(GatewayCounter.sleeps, 1)
    if (sleep !== this.sleep) {
      this.sleep = sleep
      sleep.then(this.woken).catch((error) => this.throwInTick(error))
    }
    return true
  }

  /** Errors at a bell end the thread as those of any tick do. */
  private throwInTick(error: unknown): void {
    this.time.defer(() => {
      throw error
    })
  }
}
