/**
 * A gateway of the large venue, without sockets: the real inboxes, table of pending answers, depths and
 * book loader. It objects to any record that no gateway may get from the event ring.
 */

import { strictEqual } from 'node:assert/strict'
import type { Collector, CommandSlot } from '../../../src/api/context.ts'
import { assert } from '../../../src/base/assert.ts'
import { Side } from '../../../src/base/codes.ts'
import type { ManualTime } from '../../../src/base/manual-time.ts'
import { elapsedMs } from '../../../src/base/time.ts'
import { SymbolId } from '../../../src/base/units.ts'
import { BookLoader } from '../../../src/gateway/engine-link/book-loader.ts'
import { Markets } from '../../../src/gateway/engine-link/markets.ts'
import { Pending } from '../../../src/gateway/engine-link/pending.ts'
import {
  EventHeader,
  OrderListRejected,
  RecordHeader,
  Rejected,
  ReplaceResult,
} from '../../../src/layout/accessors.gen.ts'
import {
  type RecordBuffer,
  recordLength,
  recordType,
  writeHead,
} from '../../../src/layout/record-buffer.ts'
import { RecordType } from '../../../src/layout/records.gen.ts'
import { type CommandRingProducer, commandSlots } from '../../../src/ring/command-ring.ts'
import type { EventRingReader } from '../../../src/ring/event-ring.ts'
import type { Inbox } from '../../../src/ring/inbox.ts'
import { type Command, encode } from '../commands.ts'
import { inboxesOf, producersOf } from '../gateway-rings.ts'
import type { VenueExchange } from './venue-exchange.ts'
import { MATCHERS, matcherOf, symbols } from './venue-listing.ts'

/** Polls of one tick of the event loop, at most. */
const POLLS_MAX = 16

/** What came back for one command. */
export class Answer implements Collector {
  isDone = false
  /** The RejectReason of a refusal. */
  reason = 0
  /** Whether the gateway missed a part of it. */
  isLost = false
  private readonly counts = new Map<number, number>()

  /** Records of the type. */
  count(type: number): number {
    return this.counts.get(type) ?? 0
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    this.counts.set(type, this.count(type) + 1)
    if (type === Rejected.type) this.reason = Rejected.reason(buffer, at)
  }

  done(): void {
    this.isDone = true
  }

  failed(): void {
    this.isLost = true
  }
}

export class VenueGateway {
  overruns = 0
  readonly time: ManualTime
  readonly pending = new Pending()
  private readonly index: number
  private readonly markets = new Markets(
    symbols,
    symbols.map(({ id }) => matcherOf(id)),
  )
  private readonly producers: readonly CommandRingProducer[]
  private readonly inboxes: readonly Inbox[]
  private readonly books: BookLoader
  /** By matcher: pieces of books on the way. */
  private readonly pieces = new Int32Array(MATCHERS)
  private piecesMax = 0
  /** By symbol id: the last event seen; 0 when it does not know. */
  private readonly sequences = new Float64Array(symbols.length)
  /** By symbol id and type. */
  private readonly seenCounts = new Map<number, number>()

  constructor(index: number, exchange: VenueExchange, time: ManualTime) {
    this.index = index
    this.time = time
    this.producers = producersOf(exchange.regions, index)
    this.inboxes = inboxesOf(
      exchange.regions,
      index,
      (buffer, at) => this.visit(buffer, at),
      (buffer, at) => this.visitReply(buffer, at),
    )
    this.books = new BookLoader(
      this.markets,
      time,
      (symbolId) => this.slot(symbolId),
      () => {},
    )
  }

  /** Begins to load all books at once, as a gateway does when it starts. */
  start(): void {
    for (const { id } of symbols) void this.books.load(id)
  }

  /** Sends a command; false when it has to wait. */
  send(command: Command, collector: Collector): boolean {
    const matcher = matcherOf(command.record.symbolId)
    if (this.pending.isFull) return false
    const encoded = encode(command)
    const bytes = recordLength(encoded, 0)
    const producer = this.producers[matcher]!
    const at = producer.claim(commandSlots(bytes))
    if (at < 0) return false
    producer.buffer.bytes.set(encoded.bytes.subarray(0, bytes), at)
    this.submit(matcher, at, collector)
    return true
  }

  /** One tick of the event loop. */
  poll(): void {
    const late = this.pending.expire(elapsedMs(this.time))
    strictEqual(late, 0, 'no answer is late')
    for (const [matcher, inbox] of this.inboxes.entries()) {
      for (let polls = 0; polls < POLLS_MAX && inbox.hasNext(); polls++) inbox.poll()
      if (inbox.events.isOverrun) this.recover(matcher, inbox.events)
    }
    assert(this.piecesMax <= 1, 'one piece of a matcher is on the way at a time')
  }

  /** Events of the type that it has seen of the symbol. */
  seen(symbolId: number, type: number): number {
    return this.seenCounts.get(symbolId * RECORD_TYPES + type) ?? 0
  }

  /** Whether every book is loaded. */
  get isSynced(): boolean {
    return this.markets.depths.every(({ synced }) => synced)
  }

  /** Whether everything was read and answered, and every book is loaded. */
  get isQuiet(): boolean {
    const hasNext = this.inboxes.some((inbox) => inbox.hasNext() || inbox.events.isOverrun)
    return !hasNext && this.pending.count === 0 && this.isSynced
  }

  /** Compares a depth with the book, level by level. All there is was read. */
  checkDepth(exchange: VenueExchange, symbolId: number): void {
    const depth = this.markets.depths[symbolId]!
    const { book } = exchange.engines[symbolId]!
    for (const side of [Side.BUY, Side.SELL]) {
      const levels: number[] = []
      book.forEachLevel(side, (priceTicks, lots) => levels.push(priceTicks, lots))
      let at = 0
      depth.levels(side, Number.POSITIVE_INFINITY, (priceTicks, lots) => {
        const isSame = levels[at] === priceTicks && levels[at + 1] === lots
        assert(isSame, 'the depth is the book')
        at += 2
      })
      strictEqual(at, levels.length, 'the depth has all levels of the book')
    }
  }

  private slot(symbolId: number): CommandSlot | undefined {
    const matcher = matcherOf(SymbolId(symbolId))
    const producer = this.producers[matcher]!
    const at = this.pending.isFull ? -1 : producer.claim()
    if (at < 0) return undefined
    const { buffer } = producer
    const submit = (type: number, bytes: number, collector: Collector) => {
      this.piecesMax = Math.max(this.piecesMax, ++this.pieces[matcher]!)
      writeHead(buffer, at, type, bytes)
      RecordHeader.setSymbolId(buffer, at, SymbolId(symbolId))
      this.submit(matcher, at, this.pieceOf(matcher, collector))
    }
    return { buffer, at, submit }
  }

  private pieceOf(matcher: number, collector: Collector): Collector {
    const end = () => this.pieces[matcher]!--
    return {
      record: (buffer, at) => collector.record(buffer, at),
      done: () => {
        end()
        collector.done()
      },
      failed: (id) => {
        end()
        collector.failed(id)
      },
    }
  }

  private submit(matcher: number, at: number, collector: Collector): void {
    const producer = this.producers[matcher]!
    const { buffer } = producer
    RecordHeader.setGateway(buffer, at, this.index)
    RecordHeader.setCorrelation(buffer, at, this.open(collector, matcher))
    producer.commit()
    producer.publish()
  }

  private open(collector: Collector, matcher: number): number {
    return this.pending.open(collector, matcher, elapsedMs(this.time))
  }

  private visit(buffer: RecordBuffer, at: number): void {
    const symbolId = RecordHeader.symbolId(buffer, at)
    const type = recordType(buffer, at)
    const isNotice = type === ReplaceResult.type || type === OrderListRejected.type
    assert(isNotice || !replies.has(type), 'no gateway gets the replies to another')
    if (!isNotice) this.follow(symbolId, EventHeader.sequence(buffer, at))
    const key = symbolId * RECORD_TYPES + type
    this.seenCounts.set(key, (this.seenCounts.get(key) ?? 0) + 1)
    this.markets.depths[symbolId]!.apply(buffer, at)
    if (RecordHeader.gateway(buffer, at) === this.index) this.pending.deliver(buffer, at)
  }

  private visitReply(buffer: RecordBuffer, at: number): void {
    strictEqual(RecordHeader.gateway(buffer, at), this.index, 'a reply has one reader')
    this.pending.deliver(buffer, at)
  }

  private follow(symbolId: number, sequence: number): void {
    const last = this.sequences[symbolId]!
    assert(last === 0 || sequence === last + 1, 'events follow each other')
    this.sequences[symbolId] = sequence
  }

  /** Recovers as gateway/engine-link/egress.ts does after an overrun. */
  private recover(matcher: number, reader: EventRingReader): void {
    this.overruns++
    reader.resume()
    this.pending.failMatcher(matcher, 'TIMEOUT')
    for (const { id } of symbols) {
      if (matcherOf(id) !== matcher) continue
      this.sequences[id] = 0
      this.markets.depths[id]!.invalidate()
      void this.books.load(id)
    }
  }
}

const RECORD_TYPES = 256
const replies = new Set<number>([
  ...[RecordType.Rejected, RecordType.OrderState],
  ...[RecordType.QueryEnd, RecordType.BookBegin, RecordType.BookLevel, RecordType.BookEnd],
])
