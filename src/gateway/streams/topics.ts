/**
 * Market streams of one gateway: the names with readers, and their frames, each made once for all
 * readers of a framing (framing.ts). These have an audience in each group of sockets (fanout.ts). Egress passes
 * every event; a timer drives streams with a speed.
 */
import type { AnyRows } from '../../api/answers/answer.ts'
import { hasTimes, parseStreamName, type StreamRow } from '../../api/streams.ts'
import { OrderStatus } from '../../base/codes.ts'
import type { OrderId } from '../../base/units.ts'
import { takenTradeAt } from '../../core/views/trade-row.ts'
import { NO_TAKER } from '../../history/aggregate.ts'
import {
  BlockTrade,
  EventHeader,
  OrderClosed,
  OrderRested,
  PhaseChanged,
  RecordHeader,
  Trade,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordFlags, recordType } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Audience, ReaderGroup, Sending } from './fanout.ts'
import type { Feed, FeedParts, Send } from './feeds/feed.ts'
import { Feeds } from './feeds/feeds.ts'
import type { Framing } from './framing.ts'
import { FastPace, Pace } from './pace.ts'

/** The period of `tick`; every speed of JSON is a multiple of it. */
export const TICK_MS = 100

export interface TopicsParts extends FeedParts {
  readonly counters: ThreadCounters
  /** Sends a frame to all readers of these audiences. */
  readonly publish: (audiences: Iterable<Audience>, frame: Uint8Array, sending: Sending) => void
}

/** One stream that clients may read. */
export class Topic {
  readonly name: string
  /** Its name among all topics: streams in SBE have some of the names that others have. */
  readonly key: string
  readonly row: StreamRow
  /** Undefined for a stream of all symbols. */
  readonly spec: SymbolSpec | undefined
  /** Audiences with readers. */
  readonly audiences = new Map<Framing, Map<ReaderGroup, Audience>>()
  /** Set while it has readers. */
  feed: Feed | undefined

  constructor(name: string, row: StreamRow, spec: SymbolSpec | undefined, key = name) {
    this.name = name
    this.key = key
    this.row = row
    this.spec = spec
  }

  get isRead(): boolean {
    return this.audiences.size > 0
  }

  /** The topic of uWebSockets.js for the group's readers of this framing. */
  in(framing: Framing, group: ReaderGroup): string {
    return `${group.number}/${this.framingOf(framing).label}${this.name}`
  }

  enter(framing: Framing, group: ReaderGroup): void {
    const own = this.framingOf(framing)
    const audiences = this.audiences.get(own) ?? new Map<ReaderGroup, Audience>()
    this.audiences.set(own, audiences)
    const audience = audiences.get(group)
    if (audience !== undefined) audience.readers++
    else audiences.set(group, { group, topic: this.in(framing, group), readers: 1 })
  }

  leave(framing: Framing, group: ReaderGroup): void {
    const own = this.framingOf(framing)
    const audiences = this.audiences.get(own)!
    if (--audiences.get(group)!.readers > 0) return
    audiences.delete(group)
    if (audiences.size === 0) this.audiences.delete(own)
  }

  private framingOf(framing: Framing): Framing {
    return hasTimes(this.row) ? framing : framing.untimed
  }
}

/** The feeds of a symbol's streams with readers, by the events that they take. */
interface Board {
  traded: Feed[]
  turnEnded: Feed[]
  /** Those that a fast pace sends, which changes of the book wake. */
  fast: { readonly feed: Feed; readonly pace: FastPace }[]
  /** The taker order of the last trade. */
  taker: OrderId
}

/**
 * Whether the taker trades no more. The answer to a cancelReplace ends with a reply, which streams do not get: none of
 * its events is the last.
 */
function endsExecution(board: Board, buffer: RecordBuffer, at: number): boolean {
  const isLast = (recordFlags(buffer, at) & FLAG_LAST) !== 0
  switch (recordType(buffer, at)) {
    case Trade.type:
      board.taker = Trade.takerOrderId(buffer, at)
      return isLast || Trade.takerStatus(buffer, at) === OrderStatus.FILLED
    case OrderRested.type:
      return isLast || OrderRested.orderId(buffer, at) === board.taker
    case OrderClosed.type:
      return isLast || OrderClosed.orderId(buffer, at) === board.taker
    default:
      return isLast
  }
}

/** Names have no slash. */
const keyOf = (name: string, { isBinary }: Framing): string => (isBinary ? `sbe/${name}` : name)

export class Topics {
  private readonly parts: TopicsParts
  private readonly feeds: Feeds
  private readonly symbols = new Map<string, SymbolSpec>()
  /** By symbol id, of symbols that had a reader. */
  private readonly boards: (Board | undefined)[] = []
  private readonly read = new Map<string, Topic>()
  private readonly usual: Pace
  /** By period, those with readers. */
  private readonly fast = new Map<number, FastPace>()

  constructor(parts: TopicsParts) {
    this.parts = parts
    this.feeds = new Feeds(parts)
    this.usual = new Pace(parts, TICK_MS)
    for (const spec of parts.symbols) this.open(spec)
  }

  /** Makes the symbol's streams available. */
  open(spec: SymbolSpec): void {
    this.symbols.set(spec.name, spec)
  }

  /** Adds a reader of the stream, in its group. Returns undefined when there is no such stream. */
  enter(name: string, framing: Framing, group: ReaderGroup): Topic | undefined {
    const topic = this.read.get(keyOf(name, framing)) ?? this.topicNamed(name, framing)
    if (topic === undefined) return undefined
    if (!topic.isRead) this.openTopic(topic)
    topic.enter(framing, group)
    this.parts.counters.add(GatewayCounter.streamSubscriptions, 1)
    return topic
  }

  leave(topic: Topic, framing: Framing, group: ReaderGroup): void {
    topic.leave(framing, group)
    this.parts.counters.add(GatewayCounter.streamSubscriptions, -1)
    if (!topic.isRead) this.close(topic)
  }

  /** Passes one record to the feeds, after the views have applied it. */
  record(buffer: RecordBuffer, at: number): void {
    if (this.read.size === 0) return
    const board = this.boards[RecordHeader.symbolId(buffer, at)]
    if (board === undefined) return
    if (recordType(buffer, at) === BlockTrade.type) this.blockTraded(buffer, at)
    if (board.traded.length > 0 && recordType(buffer, at) === Trade.type) {
      const trade = takenTradeAt(buffer, at)
      for (const feed of board.traded) feed.traded!(trade)
    }
    if (recordType(buffer, at) === PhaseChanged.type) {
      for (const feed of board.turnEnded) feed.phaseChanged?.()
    }
    if (board.turnEnded.length > 0 && endsExecution(board, buffer, at)) {
      for (const feed of board.turnEnded) feed.turnEnded!()
    }
    for (const { feed, pace } of board.fast) if (feed.isIdle?.() === false) pace.wake()
  }

  private blockTraded(buffer: RecordBuffer, at: number): void {
    const { name } = this.parts.symbols[EventHeader.symbolId(buffer, at)]!
    this.read.get(`${name.toLowerCase()}@blockTrade`)?.feed?.blockTraded?.({
      blockTradeId: BlockTrade.blockTradeId(buffer, at),
      priceTicks: BlockTrade.priceTicks(buffer, at),
      lots: BlockTrade.lots(buffer, at),
      quoteAtoms: BlockTrade.quoteAtoms(buffer, at),
      timeMs: EventHeader.timeMs(buffer, at),
    })
  }

  /** Sends the symbol's status, which has changed. */
  statusChanged(spec: SymbolSpec): void {
    for (const name of [`${spec.name.toLowerCase()}@status`, '!status@arr']) {
      this.read.get(name)?.feed?.statusChanged?.(spec)
    }
  }

  /** Sends what the symbol's auction would come to, or has come to. */
  auctionChanged(spec: SymbolSpec): void {
    if (this.read.size === 0) return
    this.read.get(`${spec.name.toLowerCase()}@auction`)?.feed?.auctionChanged?.()
  }

  /** Every TICK_MS. */
  tick(): void {
    this.usual.tick()
  }

  /** Returns when such a tick can first send a frame, as a timer's effect (base/time.ts). */
  nextFrameMs(dueMs: number): number {
    return this.usual.nextFrameMs(dueMs)
  }

  private topicNamed(name: string, framing: Framing): Topic | undefined {
    const parsed = parseStreamName(name, framing.encoding)
    if (parsed === undefined) return undefined
    const key = keyOf(name, framing)
    if (parsed.symbol === undefined) return new Topic(name, parsed.row, undefined, key)
    const spec = this.symbols.get(parsed.symbol)
    return spec && new Topic(name, parsed.row, spec, key)
  }

  private openTopic(topic: Topic): void {
    const { row, spec } = topic
    const send: Send = (frame) => this.send(topic, frame)
    const feed = spec === undefined ? this.feeds.ofAll(row, send) : this.feeds.of(row, spec, send)
    topic.feed = feed
    this.read.set(topic.key, topic)
    if (spec === undefined) {
      if (feed.tick !== undefined) this.usual.add(topic)
      return
    }
    const board = this.boardOf(spec)
    if (feed.tick !== undefined) this.pace(topic, feed, board)
    if (feed.traded !== undefined) board.traded.push(feed)
    if (feed.turnEnded !== undefined) board.turnEnded.push(feed)
  }

  private pace(topic: Topic, feed: Feed, board: Board): void {
    const { speedMs } = topic.row
    if (speedMs % TICK_MS === 0) {
      this.usual.add(topic)
      return
    }
    const fast = this.fast.get(speedMs) ?? new FastPace(this.parts, speedMs)
    this.fast.set(speedMs, fast)
    fast.pace.add(topic)
    board.fast.push({ feed, pace: fast })
    if (!fast.pace.isIdle) fast.wake()
  }

  private leavePace({ speedMs }: StreamRow, topic: Topic): void {
    const fast = this.fast.get(speedMs)
    const pace = fast?.pace ?? this.usual
    pace.remove(topic)
    if (fast === undefined || !pace.isEmpty) return
    fast.rest()
    this.fast.delete(speedMs)
  }

  private boardOf({ id }: SymbolSpec): Board {
    const board = this.boards[id] ?? { traded: [], turnEnded: [], fast: [], taker: NO_TAKER }
    this.boards[id] = board
    return board
  }

  private close(topic: Topic): void {
    const { feed, spec, row } = topic
    topic.feed = undefined
    this.read.delete(topic.key)
    if (feed?.tick !== undefined) this.leavePace(row, topic)
    if (spec !== undefined) {
      const board = this.boardOf(spec)
      board.traded = board.traded.filter((other) => other !== feed)
      board.turnEnded = board.turnEnded.filter((other) => other !== feed)
      board.fast = board.fast.filter((other) => other.feed !== feed)
    }
    feed?.close?.()
  }

  private send(topic: Topic, frame: (microseconds: boolean) => AnyRows): void {
    const { publish, counters } = this.parts
    for (const [framing, audiences] of topic.audiences) {
      const bytes = framing.encode(topic.name, frame(framing.microseconds))
      // What a message cannot show leaves a gap that its readers notice.
      if (bytes.length === 0) continue
      const { isBinary } = framing
      publish(audiences.values(), Buffer.from(bytes), { isBinary, isCulled: topic.row.isCulled })
      counters.add(GatewayCounter.streamMessages, 1)
    }
  }
}
