/**
 * Streams of one gateway whose frames a timer makes. The usual pace is that of JSON's speeds, which are multiples of
 * it, and lasts as long as the gateway. Faster ones, of SBE, have a timer each while clients read such a stream: a
 * virtual clock that nobody reads by steps over nothing.
 */

import type { StreamRow } from '../../api/streams.ts'
import { elapsedMs } from '../../base/time.ts'
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
