/**
 * Streams of one gateway whose frames a timer makes. The usual pace is that of JSON's speeds, which are multiples of
 * it, and lasts as long as the gateway. Faster ones, of SBE, have a timer each while a stream with readers has something to
 * send: a virtual clock steps over nothing.
 */

import type { StreamRow } from '../../api/streams.ts'
import { elapsedMs, elapsedMsExactly, type Timer } from '../../base/time.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type Feed, type FeedParts, isGenerated } from './feeds/feed.ts'

/** A stream with readers. */
interface Paced {
  readonly row: StreamRow
  readonly spec: SymbolSpec | undefined
  readonly feed: Feed | undefined
}

export class Pace {
  readonly periodMs: number
  private readonly parts: FeedParts
  private streams: readonly Paced[] = []
  private ticks = 0

  constructor(parts: FeedParts, periodMs: number) {
    this.parts = parts
    this.periodMs = periodMs
  }

  add(stream: Paced): void {
    this.streams = [...this.streams, stream]
  }

  remove(stream: Paced): void {
    this.streams = this.streams.filter((other) => other !== stream)
  }

  get isEmpty(): boolean {
    return this.streams.length === 0
  }

  /** Whether ticks send nothing before something else happens. */
  get isIdle(): boolean {
    return this.streams.every(({ feed }) => feed?.isIdle?.() === true)
  }

  /** Sends the frames that are due. */
  tick(): void {
    this.ticks++
    const nowMs = this.parts.clock.nowMs()
    const elapsedMs = this.ticks * this.periodMs
    for (const { feed, row, spec } of this.streams) {
      const isDue = elapsedMs % row.speedMs === 0
      feed?.tick?.(nowMs, isDue && (spec === undefined || isGenerated(this.parts, spec)))
    }
  }

  /** Returns when a tick can first send a frame, as a timer's effect (base/time.ts) whose next run is a tick. */
  nextFrameMs(dueMs: number): number {
    const { clock } = this.parts
    const toMonotonicMs = elapsedMs(clock) - clock.nowMs()
    let ticks = Number.POSITIVE_INFINITY
    for (const { feed, row } of this.streams) {
      if (feed === undefined) continue
      const period = row.speedMs / this.periodMs
      const ownMs = (feed.ownFrameMs?.() ?? Number.POSITIVE_INFINITY) + toMonotonicMs
      const speedTicks = feed.isIdle?.()
        ? Number.POSITIVE_INFINITY
        : period - 1 - (this.ticks % period)
      ticks = Math.min(ticks, speedTicks, Math.max(0, Math.ceil((ownMs - dueMs) / this.periodMs)))
    }
    return dueMs + ticks * this.periodMs
  }
}

/** A pace whose ticks come a multiple of its period after it began, while a stream is not idle. */
export class FastPace {
  readonly pace: Pace
  private readonly clock: FeedParts['clock']
  private readonly beganMs: number
  private timer: Timer | undefined = undefined

  constructor(parts: FeedParts, periodMs: number) {
    this.pace = new Pace(parts, periodMs)
    this.clock = parts.clock
    this.beganMs = elapsedMsExactly(parts.clock)
  }

  /** A stream is not idle. */
  wake(): void {
    if (this.timer !== undefined) return
    const { clock, pace } = this
    const { periodMs } = pace
    const leftMs = periodMs - ((elapsedMsExactly(clock) - this.beganMs) % periodMs)
    this.timer = clock.every(
      // A timer may be early.
      leftMs < 1 ? leftMs + periodMs : leftMs,
      () => this.tick(),
      (dueMs) => pace.nextFrameMs(dueMs),
    )
  }

  rest(): void {
    this.timer?.cancel()
    this.timer = undefined
  }

  private tick(): void {
    this.rest()
    this.pace.tick()
    if (!this.pace.isIdle) this.wake()
  }
}
