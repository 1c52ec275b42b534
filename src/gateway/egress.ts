/**
 * What matchers published, on its way out of one gateway: each record goes to the symbol's folds,
 * then to whoever waits for it, then to the streams. In this order, so that who was answered finds
 * the market data to agree with the answer.
 *
 * A reader that was lapped has missed records: the symbols' folds are rebuilt from the matcher, and
 * the owner of the sockets is told, because streams must not be gapped.
 */

import type { Collector } from '#api/context.ts'
import { assert } from '#base/assert.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import { QueryBook, RecordHeader } from '#layout/records.gen.ts'
import { GatewayCounter, type ThreadCounters } from '#ring/counters.ts'
import type { EventRingReader } from '#ring/event-ring.ts'
import type { GatewayContext } from './context-impl.ts'
import type { Markets } from './markets.ts'
import type { OrderCredits } from './order-credits.ts'
import type { Outbox } from './outbox.ts'
import type { Pending } from './pending.ts'
import type { Pumped } from './pump.ts'
import type { Topics } from './topics.ts'
import type { UserStreams } from './user-streams.ts'

/** How long until a book that could not be asked for is asked for again. */
const RETRY_MS = 10

export interface EgressParts {
  readonly gateway: number
  /** By matcher. */
  readonly readers: readonly EventRingReader[]
  readonly markets: Markets
  readonly pending: Pending
  readonly context: GatewayContext
  readonly topics: Topics
  readonly userStreams: UserStreams
  /** Absent when nothing is limited. */
  readonly credits: OrderCredits | undefined
  /** Keeps frames for sockets while records are read. */
  readonly outbox: Outbox
  readonly counters: ThreadCounters
  /** Fetches the trades that tape and day window may have missed. */
  readonly seedTrades: (symbolId: number) => Promise<void>
  /** Called when a matcher's records were missed. */
  readonly onLapped: (matcher: number) => void
}

export class Egress implements Pumped {
  readonly #parts: EgressParts
  readonly #visitors: readonly ((buffer: RecordBuffer, at: number) => void)[]

  constructor(parts: EgressParts) {
    this.#parts = parts
    this.#visitors = parts.readers.map(
      (_, matcher) => (buffer: RecordBuffer, at: number) => this.#visit(matcher, buffer, at),
    )
  }

  poll(): number {
    const { readers, counters, outbox } = this.#parts
    let count = 0
    let waitingBytes = 0
    outbox.open()
    for (let matcher = 0; matcher < readers.length; matcher++) {
      const reader = readers[matcher]!
      count += reader.poll(this.#visitors[matcher]!)
      waitingBytes += reader.waitingBytes
      if (reader.lapped) this.#recover(matcher, reader)
    }
    outbox.flush()
    counters.set(GatewayCounter.eventBytesWaiting, waitingBytes)
    if (count > 0) {
      counters.add(GatewayCounter.records, count)
      counters.raise(GatewayCounter.eventBytesWaitingMax, waitingBytes)
    }
    return count
  }

  hasWork(): boolean {
    return this.#parts.readers.some((reader) => reader.hasNext())
  }

  /** Resolves when the symbol's depth is the engine's and its trades reach back. */
  async sync(symbolId: number): Promise<void> {
    await this.syncDepth(symbolId)
    await this.#parts.seedTrades(symbolId)
  }

  /** Resolves when the symbol's depth is the engine's. */
  async syncDepth(symbolId: number): Promise<void> {
    const depth = this.#parts.markets.depths[symbolId]!
    while (!depth.synced) {
      const asked = await new Promise<boolean>((resolve) => this.#askForBook(symbolId, resolve))
      if (!asked) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  #visit(matcher: number, buffer: RecordBuffer, at: number): void {
    const { gateway, pending, topics, userStreams, credits } = this.#parts
    const { depths, tapes, dayWindows } = this.#parts.markets
    const word = at >> 2
    const symbolId = buffer.i32[word + RecordHeader.symbolId]!
    const depth = depths[symbolId]
    // A book that another gateway asked for, of a symbol that this one is about to hear of.
    if (depth === undefined) return
    depth.apply(buffer, at)
    tapes[symbolId]!.apply(buffer, at)
    dayWindows[symbolId]!.apply(buffer, at)
    if (buffer.i32[word + RecordHeader.gateway] === gateway) pending.deliver(buffer, at)
    topics.record(buffer, at)
    userStreams.record(matcher, buffer, at)
    credits?.record(buffer, at)
  }

  #askForBook(symbolId: number, done: (asked: boolean) => void): void {
    const collector: Collector = {
      record: () => {},
      done: () => done(true),
      failed: () => done(false),
    }
    const slot = this.#parts.context.command(symbolId)
    if (slot === undefined) done(false)
    else slot.submit(QueryBook.type, QueryBook.bytes, collector)
  }

  #recover(matcher: number, reader: EventRingReader): void {
    const { counters, pending, markets, onLapped } = this.#parts
    const { depths, tapes, dayWindows, matcherOf } = markets
    counters.add(GatewayCounter.readerLapped, 1)
    onLapped(matcher)
    reader.resume()
    assert(!reader.lapped, 'a resumed reader reads on')
    // Before anything new is asked of the matcher, so that no new question is failed with the old.
    pending.failMatcher(matcher, 'TIMEOUT')
    for (const [symbolId, owner] of matcherOf.entries()) {
      if (owner !== matcher) continue
      depths[symbolId]!.invalidate()
      dayWindows[symbolId]!.missed()
      tapes[symbolId]!.missed()
      void this.sync(symbolId)
    }
  }
}
