/**
 * The matchers' records on their way out of one gateway: each event goes to the symbol's views, then
 * to the request that waits for it, then to the streams. In this order, so that a client with a
 * response finds market data that agrees with it.
 *
 * A reply goes to the request alone (ring/inbox.ts).
 *
 * An overrun reader has missed records: the symbols' views are rebuilt from the matcher, and the owner
 * of the sockets closes streams, because they must have no gap.
 */

import { assert } from '../../base/assert.ts'
import type { Time } from '../../base/time.ts'
import { SymbolId } from '../../base/units.ts'
import { RecordHeader } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { WALLET } from '../../market/listing.ts'
import type { Doorbell } from '../../ring/doorbell.ts'
import type { EventRingReader } from '../../ring/event-ring.ts'
import { Inbox } from '../../ring/inbox.ts'
import type { ReplyRingReader } from '../../ring/reply-ring.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { OrderCredits } from '../limits/order-credits.ts'
import type { Fanout } from '../streams/fanout.ts'
import type { Outbox } from '../streams/outbox.ts'
import type { Topics } from '../streams/topics.ts'
import type { UserStreams } from '../streams/user-streams.ts'
import { BookLoader } from './book-loader.ts'
import type { EngineClient } from './engine-client.ts'
import type { MarketPhases } from './market-phases.ts'
import type { Markets } from './markets.ts'
import type { Pending } from './pending.ts'
import type { Pumped } from './pump.ts'

export interface EgressParts {
  readonly gateway: number
  /** By matcher. */
  readonly readers: readonly EventRingReader[]
  readonly replies: readonly ReplyRingReader[]
  readonly matcherBells: readonly Doorbell[]
  readonly markets: Markets
  readonly phases: MarketPhases
  readonly pending: Pending
  readonly context: EngineClient
  readonly topics: Topics
  readonly fanout: Fanout
  readonly userStreams: UserStreams
  /** Absent without limits. */
  readonly credits: OrderCredits | undefined
  /** Keeps frames for sockets while records are read. */
  readonly outbox: Outbox
  readonly counters: ThreadCounters
  readonly time: Time
  /** Reloads trades that the tape and the day window missed. */
  readonly seedTrades: (symbolId: SymbolId) => Promise<void>
  /** Called when a matcher's records were missed. */
  readonly onOverrun: (matcher: number) => void
}

export class Egress implements Pumped {
  private readonly parts: EgressParts
  private readonly inboxes: readonly Inbox[]
  private readonly books: BookLoader

  constructor(parts: EgressParts) {
    this.parts = parts
    const { readers, replies, pending } = parts
    this.inboxes = readers.map(
      (reader, matcher) =>
        new Inbox(
          reader,
          replies[matcher]!,
          (buffer, at) => this.visit(matcher, buffer, at),
          (buffer, at) => pending.deliver(buffer, at),
        ),
    )
    this.books = new BookLoader(
      parts.markets,
      parts.time.wall,
      (symbolId) => parts.context.command(symbolId),
      (symbolId, buffer, at) => parts.phases.bookBegins(symbolId, buffer, at),
    )
  }

  poll(): number {
    const { matcherBells, counters, outbox, fanout } = this.parts
    let count = 0
    let waitingBytes = 0
    outbox.open()
    for (let matcher = 0; matcher < this.inboxes.length; matcher++) {
      const inbox = this.inboxes[matcher]!
      count += inbox.poll()
      waitingBytes += inbox.waitingBytes
      if (inbox.isRoomAwaited) matcherBells[matcher]!.ring()
      if (inbox.events.isOverrun) this.recover(matcher, inbox.events)
    }
    outbox.flush()
    // After the responses, so that no order waits for readers; these frames share system calls with others.
    const framesSent = fanout.tick()
    counters.set(GatewayCounter.eventBytesWaiting, waitingBytes)
    if (count > 0) {
      counters.add(GatewayCounter.records, count)
      counters.raise(GatewayCounter.eventBytesWaitingMax, waitingBytes)
    }
    return framesSent + count
  }

  hasWork(): boolean {
    return this.parts.fanout.isWaiting || this.inboxes.some((inbox) => inbox.hasNext())
  }

  get ticksPerCommand(): number {
    return this.parts.fanout.timesBehind
  }

  /** Resolves when the symbol's depth is the engine's and its trades reach back. */
  async sync(symbolId: SymbolId): Promise<void> {
    await this.syncDepth(symbolId)
    await this.parts.seedTrades(symbolId)
  }

  /** Resolves when the symbol's depth is the engine's. */
  syncDepth(symbolId: SymbolId): Promise<void> {
    return this.books.load(symbolId)
  }

  private visit(matcher: number, buffer: RecordBuffer, at: number): void {
    const { gateway, pending, phases, topics, userStreams, credits } = this.parts
    const { depths, tapes, dayWindows, references } = this.parts.markets
    const symbolId = RecordHeader.symbolId(buffer, at)
    if (symbolId === WALLET) {
      if (RecordHeader.gateway(buffer, at) === gateway) pending.deliver(buffer, at)
      userStreams.fundsMoved(buffer, at)
      return
    }
    depths[symbolId]!.apply(buffer, at)
    tapes[symbolId]!.apply(buffer, at)
    dayWindows[symbolId]!.apply(buffer, at)
    references[symbolId]!.apply(buffer, at)
    phases.apply(buffer, at)
    if (RecordHeader.gateway(buffer, at) === gateway) pending.deliver(buffer, at)
    topics.record(buffer, at)
    userStreams.record(matcher, buffer, at)
    credits?.record(buffer, at)
  }

  private recover(matcher: number, reader: EventRingReader): void {
    const { counters, pending, markets, onOverrun } = this.parts
    const { depths, tapes, dayWindows, auctions, matcherOf } = markets
    counters.add(GatewayCounter.readerOverrun, 1)
    onOverrun(matcher)
    reader.resume()
    assert(!reader.isOverrun, 'a resumed reader reads on')
    // First, so that no new query of the matcher fails with the old ones.
    pending.failMatcher(matcher, 'TIMEOUT')
    for (const [symbolId, owner] of matcherOf.entries()) {
      if (owner !== matcher) continue
      depths[symbolId]!.invalidate()
      dayWindows[symbolId]!.missed()
      auctions[symbolId]!.missed()
      tapes[symbolId]!.missed()
      void this.sync(SymbolId(symbolId))
    }
  }
}
