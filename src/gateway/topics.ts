/**
 * Market streams of one gateway: which names have readers, and their frames, each made once however
 * many read it. A name has four topics, for raw and combined framing in milliseconds and in
 * microseconds; uWebSockets.js delivers a topic's frames to its subscribers in order. Fed by egress
 * with every event, by a timer for streams with a speed.
 */
import { bookTickerFrame, depthFrame, tradeFrame } from '#api/render/market-stream.ts'
import { parseStreamName, type StreamRow } from '#api/streams.ts'
import type { Clock } from '#base/clock.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { DepthFold } from '#core/folds/depth.ts'
import { DepthDiff } from '#core/folds/depth-diff.ts'
import { type RecordBuffer, recordFlags, recordType } from '#layout/record-buffer.ts'
import { FLAG_LAST, RecordHeader, Trade } from '#layout/records.gen.ts'
import { GatewayCounter, type ThreadCounters } from '#ring/counters.ts'

/** How often `tick` is to be called; every speed is a multiple of it. */
export const TICK_MS = 100

/** A connection's framing: bit 0 combined, bit 1 microseconds. */
export type Framing = 0 | 1 | 2 | 3
const FRAMINGS: readonly Framing[] = [0, 1, 2, 3]

export const framingOf = (combined: boolean, microseconds: boolean): Framing =>
  ((combined ? 1 : 0) | (microseconds ? 2 : 0)) as Framing

/** A stream's payload within combined framing. */
export const combinedFrame = (name: string, payload: string): string =>
  `{"stream":"${name}","data":${payload}}`

export interface TopicsParts {
  readonly symbols: readonly SymbolSpec[]
  readonly depths: readonly DepthFold[]
  readonly clock: Clock
  readonly counters: ThreadCounters
  /** Sends a frame to all subscribers of a topic. */
  readonly publish: (topic: string, frame: string) => void
}

/** One stream that somebody may read. */
export class Topic {
  readonly name: string
  readonly row: StreamRow
  readonly spec: SymbolSpec
  readonly readers = [0, 0, 0, 0]
  /** Only of a DEPTH_CHANGES stream, while it is read. */
  diff: DepthDiff | undefined

  constructor(name: string, row: StreamRow, spec: SymbolSpec) {
    this.name = name
    this.row = row
    this.spec = spec
  }

  get isRead(): boolean {
    return this.readers.some((count) => count > 0)
  }

  /** The name of its topic in one framing. */
  in(framing: Framing): string {
    return `${framing}${this.name}`
  }
}

/** A symbol's topics that are read, by what feeds them. */
interface Board {
  trades: Topic | undefined
  bestPrices: Topic | undefined
  bestBidTicks: number
  bestBidLots: number
  bestAskTicks: number
  bestAskLots: number
}

export class Topics {
  readonly #parts: TopicsParts
  readonly #symbols = new Map<string, SymbolSpec>()
  readonly #boards: readonly Board[]
  readonly #read = new Map<string, Topic>()
  readonly #depthTopics = new Set<Topic>()
  #ticks = 0

  constructor(parts: TopicsParts) {
    this.#parts = parts
    for (const spec of parts.symbols) this.#symbols.set(spec.name, spec)
    this.#boards = parts.symbols.map(() => ({
      trades: undefined,
      bestPrices: undefined,
      bestBidTicks: 0,
      bestBidLots: 0,
      bestAskTicks: 0,
      bestAskLots: 0,
    }))
  }

  /** Counts a reader of the stream in; undefined when there is no such stream. */
  enter(name: string, framing: Framing): Topic | undefined {
    const topic = this.#read.get(name) ?? this.#topicNamed(name)
    if (topic === undefined) return undefined
    if (!topic.isRead) this.#open(topic)
    topic.readers[framing]!++
    return topic
  }

  leave(topic: Topic, framing: Framing): void {
    topic.readers[framing]!--
    if (!topic.isRead) this.#close(topic)
  }

  /** Takes in one record, after the folds did. */
  record(buffer: RecordBuffer, at: number): void {
    if (this.#read.size === 0) return
    const board = this.#boards[buffer.i32[(at >> 2) + RecordHeader.symbolId]!]!
    if (board.trades !== undefined && recordType(buffer, at) === Trade.type) {
      const { spec } = board.trades
      const nowMs = this.#parts.clock.nowMs()
      this.#send(board.trades, (microseconds) => tradeFrame(spec, buffer, at, nowMs, microseconds))
    }
    if (board.bestPrices !== undefined && (recordFlags(buffer, at) & FLAG_LAST) !== 0) {
      this.#sendBestPrices(board, board.bestPrices)
    }
  }

  /** Sends what streams with a speed have collected. */
  tick(): void {
    this.#ticks++
    const nowMs = this.#parts.clock.nowMs()
    for (const topic of this.#depthTopics) {
      if ((this.#ticks * TICK_MS) % topic.row.speedMs !== 0) continue
      const changes = topic.diff!.takeChanges()
      if (changes === undefined) continue
      this.#send(topic, (microseconds) => depthFrame(topic.spec, changes, nowMs, microseconds))
    }
  }

  #topicNamed(name: string): Topic | undefined {
    const parsed = parseStreamName(name)
    const spec = parsed && this.#symbols.get(parsed.symbol)
    return spec && new Topic(name, parsed.row, spec)
  }

  #open(topic: Topic): void {
    this.#read.set(topic.name, topic)
    const board = this.#boards[topic.spec.id]!
    switch (topic.row.source) {
      case 'TRADE':
        board.trades = topic
        break
      case 'BEST_PRICES':
        board.bestPrices = topic
        this.#noteBestPrices(board, this.#parts.depths[topic.spec.id]!)
        break
      case 'DEPTH_CHANGES':
        topic.diff = new DepthDiff(this.#parts.depths[topic.spec.id]!)
        this.#depthTopics.add(topic)
        break
    }
  }

  #close(topic: Topic): void {
    this.#read.delete(topic.name)
    const board = this.#boards[topic.spec.id]!
    if (board.trades === topic) board.trades = undefined
    if (board.bestPrices === topic) board.bestPrices = undefined
    if (this.#depthTopics.delete(topic)) topic.diff!.close()
    topic.diff = undefined
  }

  #sendBestPrices(board: Board, topic: Topic): void {
    const fold = this.#parts.depths[topic.spec.id]!
    const unchanged =
      board.bestBidTicks === fold.bestBidTicks &&
      board.bestBidLots === fold.bestBidLots &&
      board.bestAskTicks === fold.bestAskTicks &&
      board.bestAskLots === fold.bestAskLots
    if (unchanged || !fold.synced) return
    this.#noteBestPrices(board, fold)
    this.#send(topic, () => bookTickerFrame(topic.spec, fold))
  }

  #noteBestPrices(board: Board, fold: DepthFold): void {
    board.bestBidTicks = fold.bestBidTicks
    board.bestBidLots = fold.bestBidLots
    board.bestAskTicks = fold.bestAskTicks
    board.bestAskLots = fold.bestAskLots
  }

  #send(topic: Topic, render: (microseconds: boolean) => string): void {
    let payload = ''
    let payloadUnit = -1
    for (const framing of FRAMINGS) {
      if (topic.readers[framing] === 0) continue
      const unit = framing >> 1
      if (payloadUnit !== unit) payload = render(unit === 1)
      payloadUnit = unit
      const combined = (framing & 1) === 1
      const frame = combined ? combinedFrame(topic.name, payload) : payload
      this.#parts.publish(topic.in(framing), frame)
      this.#parts.counters.add(GatewayCounter.streamMessages, 1)
    }
  }
}
