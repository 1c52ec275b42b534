/**
 * One start of the exchange on one thread, as src/threads would start it: fresh memory, everything
 * recovered from the journals, and the real matchers on real rings. It ends when the simulation drops
 * it; what outlives it is in the journals alone.
 */
import { strictEqual } from 'node:assert/strict'
import { Following } from '../../src/agents/following.ts'
import { Matcher, type MatcherOptions } from '../../src/agents/matcher.ts'
import { MatcherCounts } from '../../src/agents/matcher-counts.ts'
import { assert } from '../../src/base/assert.ts'
import { SYMBOLS_MAX } from '../../src/base/limits.ts'
import type { Clock } from '../../src/base/time.ts'
import { AccountId, AssetId, Ms, Ticks } from '../../src/base/units.ts'
import { Book } from '../../src/core/book/book.ts'
import { AccountTable } from '../../src/core/ledger/accounts.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { applyEffects } from '../../src/core/ledger/effects.ts'
import { TradeFees } from '../../src/core/ledger/fees.ts'
import { Holds } from '../../src/core/ledger/holds.ts'
import { LastPrices } from '../../src/core/ledger/last-prices.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import { OpenCounts } from '../../src/core/matching/open-counts.ts'
import { OrderListIds } from '../../src/core/matching/order-list-ids.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import { BlockReader, BlockWriter } from '../../src/journal/block.ts'
import { EventHeader, RecordHeader } from '../../src/layout/accessors.gen.ts'
import { recordLength } from '../../src/layout/record-buffer.ts'
import { CommandRingConsumer, commandRingBytes, commandSlots } from '../../src/ring/command-ring.ts'
import { Doorbell } from '../../src/ring/doorbell.ts'
import { EventRingReader, EventRingWriter, eventRingBytes } from '../../src/ring/event-ring.ts'
import { ReplyRingReader, ReplyRingWriter, replyRingBytes } from '../../src/ring/reply-ring.ts'
import { countersBytes } from '../../src/shared/counters.ts'
import { histogramsBytes } from '../../src/shared/histograms.ts'
import { BatchStamps } from '../../src/shared/stamps.ts'
import { type Watch, WatchedEngine } from './pipeline-engine.ts'
import type { PipelineStore } from './pipeline-store.ts'
import {
  ACCOUNTS,
  ASSETS,
  accounts,
  BATCH_BYTES,
  deposits,
  exchange,
  matcherOf,
  ORDERS_MAX,
  symbols,
  tightBounds,
} from './world.ts'

export const GATEWAYS = 2
/** So few that a ring is often full. */
export const COMMAND_SLOTS = 8
/** The least that a ring may have: a few hundred commands overrun a reader that sleeps. */
const EVENT_RING_BYTES = 1 << 16
/** A few answers fill a reply ring, and many a query has no room at all. */
const REPLY_RING_BYTES = 1 << 11
/** A doorbell's cell while its owner sleeps, and after it was rung. */
const ASLEEP = 1
const AWAKE = 0

/** Lets gateways continue right before and after a matcher publishes events. */
class WatchedEventRing extends EventRingWriter {
  private readonly publishing: (areEventsVisible: boolean) => void

  constructor(memory: SharedArrayBuffer, publishing: (areEventsVisible: boolean) => void) {
    super(memory)
    this.publishing = publishing
  }

  override publish(): void {
    this.publishing(false)
    super.publish()
    this.publishing(true)
  }
}

export class PipelineExchange {
  readonly balances = new Balances(
    new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS)),
    ACCOUNTS,
    ASSETS,
  )
  /** By symbol id. */
  readonly engines: readonly WatchedEngine[]
  readonly matchers: readonly Matcher[]
  /** Of a follower. */
  readonly followings: readonly Following[]
  /** By gateway, then by matcher. */
  readonly commandRings: readonly (readonly SharedArrayBuffer[])[]
  /** By gateway, then by matcher. */
  readonly replyRings: readonly (readonly SharedArrayBuffer[])[]
  /** By matcher. */
  readonly eventRings: readonly SharedArrayBuffer[]
  /** By symbol id: the time of its last event, 0 when it has none. */
  readonly eventTimesMs: number[] = symbols.map(() => 0)
  /** Whether a reply ring had no room for a further refusal after the last work. */
  isShort = false
  /** Commands that engines executed or continued. */
  private executions = 0
  private readonly published: BigInt64Array
  private readonly bells = new Int32Array(new SharedArrayBuffer(GATEWAYS * 4))
  private readonly stores: readonly PipelineStore[]
  /** By matcher: readers that only look whether anything was published. */
  private readonly spies: readonly EventRingReader[]
  /** The same for replies, by gateway, then by matcher. */
  private readonly replySpies: readonly (readonly ReplyRingReader[])[]

  constructor(
    stores: readonly PipelineStore[],
    epoch: number,
    clock: Clock,
    watch: Watch,
    publishing: (matcher: number, areEventsVisible: boolean) => void,
    isFollowing = false,
  ) {
    this.stores = stores
    for (const [account, asset, atoms] of deposits)
      this.balances.credit(AccountId(account), AssetId(asset), atoms)
    const table = new AccountTable(ACCOUNTS)
    for (const account of accounts) table.set(account)
    const holds = stores.map(() => new Holds(this.balances, ACCOUNTS, ASSETS))
    const outputs = stores.map(() => new EngineOutput(1024, BATCH_BYTES))
    const lastPrices = new LastPrices(new SharedArrayBuffer(LastPrices.bytes))
    const orderListIds = new OrderListIds(new SharedArrayBuffer(OrderListIds.bytes))
    const openCounts = symbols.map(
      () => new OpenCounts(new SharedArrayBuffer(OpenCounts.bytesFor(ACCOUNTS))),
    )
    const bounds = tightBounds
    const shared = { accounts: table, exchange, orderListIds, openCounts, bounds }
    this.engines = symbols.map((spec) => {
      const { priceTicksMax } = spec
      const shape = { priceTicksMax, ordersMax: ORDERS_MAX, accountsMax: ACCOUNTS }
      const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape, epoch)
      const matcher = matcherOf(spec.id)
      const own = { spec, book, holds: holds[matcher]!, output: outputs[matcher]! }
      const fees = new TradeFees({ ...own, accounts: table, exchange, symbols, lastPrices })
      return new WatchedEngine({ ...own, ...shared, fees }, this.counted(watch))
    })
    const ends = stores.map((store, index) => this.replay(store, index, epoch))
    for (const { spec, counters } of this.engines) {
      lastPrices.publish(spec.id, Ticks(counters[Counter.lastPriceTicks]!))
    }
    const journaledMs = Ms(Math.max(...ends.map(({ timeMs }) => timeMs)))
    strictEqual(this.balances.firstNegative(), undefined, 'recovery leaves nothing negative')

    this.commandRings = Array.from({ length: GATEWAYS }, () =>
      stores.map(() => new SharedArrayBuffer(commandRingBytes(COMMAND_SLOTS))),
    )
    this.replyRings = this.commandRings.map((rings) =>
      rings.map(() => new SharedArrayBuffer(replyRingBytes(REPLY_RING_BYTES))),
    )
    this.replySpies = this.replyRings.map((rings) =>
      rings.map((memory) => new ReplyRingReader(memory)),
    )
    this.eventRings = stores.map(() => new SharedArrayBuffer(eventRingBytes(EVENT_RING_BYTES)))
    this.spies = this.eventRings.map((memory) => new EventRingReader(memory))
    this.published = new BigInt64Array(new SharedArrayBuffer(stores.length * 8))
    const counters = new SharedArrayBuffer(countersBytes(stores.length, GATEWAYS, SYMBOLS_MAX))
    const histograms = new SharedArrayBuffer(histogramsBytes(stores.length, GATEWAYS))
    const options = stores.map((journal, index): MatcherOptions => {
      this.published[index] = BigInt(journal.lastPosition)
      const { checksum } = ends[index]!
      return {
        index,
        engines: this.engines.map((it, id) => (matcherOf(id) === index ? it : undefined)),
        holds: holds[index]!,
        lastPrices,
        output: outputs[index]!,
        rings: this.commandRings.map((rings) => new CommandRingConsumer(rings[index]!)),
        ...(isFollowing
          ? {}
          : { blocks: new BlockWriter({ matcher: index, epoch, previous: checksum }) }),
        journal,
        replies: this.replyRings.map((rings) => new ReplyRingWriter(rings[index]!)),
        events: new WatchedEventRing(this.eventRings[index]!, (areVisible) =>
          publishing(index, areVisible),
        ),
        readerBells: Array.from(
          { length: GATEWAYS },
          (_, gateway) => new Doorbell(this.bells.buffer as SharedArrayBuffer, gateway * 4),
        ),
        published: this.published,
        clock,
        journaledMs,
        counts: new MatcherCounts(index, counters, histograms),
        stamps: new BatchStamps([]),
        warn: () => {},
      }
    })
    this.matchers = options.map((own) => new Matcher(own))
    this.followings = options.map((own, index) => new Following({ ...own, place: ends[index]! }))
  }

  private counted({ executed, wentOn }: Watch): Watch {
    return {
      executed: (execution) => {
        this.executions++
        executed(execution)
      },
      wentOn: (continuation) => {
        this.executions++
        wentOn?.(continuation)
      },
    }
  }

  /** Whether the matcher has published anything since its last work was done. */
  hasPublished(matcher: number): boolean {
    const isReplied = this.replySpies.some((spies) => spies[matcher]!.hasNext())
    return isReplied || this.spies[matcher]!.hasNext()
  }

  /** What was published is seen. */
  private look(matcher: number): void {
    this.spies[matcher]!.resume()
    for (const spies of this.replySpies) {
      const spy = spies[matcher]!
      spy.look(Number.MAX_SAFE_INTEGER)
      while (spy.nextPosition < Number.POSITIVE_INFINITY) spy.deliver(() => {})
    }
  }

  /** As a start does; answers false when no session has left anything open. */
  cancelLeft(index: number): boolean {
    const isCanceled = this.matchers[index]!.cancelLeft('start')
    if (isCanceled) this.look(index)
    return isCanceled
  }

  /** Whether a batch of the matcher has left something to do. */
  isUnfinished(index: number): boolean {
    return this.engines.some((engine) => matcherOf(engine.spec.id) === index && engine.isUnfinished)
  }

  /** As a start does, batch by batch; returns false when the last one left nothing unfinished. */
  finishLeft(index: number): boolean {
    const isFinished = !this.matchers[index]!.finishLeft()
    if (!isFinished) this.spies[index]!.resume()
    return !isFinished
  }

  /** One duty cycle, after which everything written is published and every sleeper rung. */
  doWork(index: number): number {
    this.bells.fill(ASLEEP)
    const hasRoom = this.replyRings.map((rings) => new ReplyRingWriter(rings[index]!).hasRoom())
    const counts = this.commandRings.map((rings) => waitingIn(rings[index]!).size)
    const isUnfinished = this.isUnfinished(index)
    const hasWork = this.matchers[index]!.hasWork()
    const mustWork = isUnfinished || counts.some((count, gateway) => count > 0 && hasRoom[gateway])
    // A command that waited behind an unfinished one is no longer in the ring.
    assert(hasWork || !mustWork, 'a matcher sees its work')
    const before = this.executions
    const done = this.matchers[index]!.doWork()
    if (!hasWork) return done
    const isDone = this.executions > before
    const after = this.commandRings.map((rings) => waitingIn(rings[index]!).size)
    const hasHeld = counts.some((count, gateway) => after[gateway]! < count)
    assert(isDone || hasHeld, 'a matcher takes what has room for its answer')
    this.isShort = this.replyRings.some((rings) => !new ReplyRingWriter(rings[index]!).hasRoom())
    strictEqual(this.published[index], BigInt(this.stores[index]!.lastPosition))
    strictEqual(this.hasPublished(index), isDone, 'every command is answered')
    const hasEvents = this.spies[index]!.hasNext()
    for (const [gateway, cell] of this.bells.entries()) {
      const hasNews = hasEvents || this.replySpies[gateway]![index]!.hasNext()
      if (hasNews) strictEqual(cell, AWAKE, 'who sleeps is rung')
    }
    this.look(index)
    return done
  }

  /** Applies one journal, each block checked against the one before, and answers how it ends. */
  private replay(store: PipelineStore, matcher: number, epoch: number) {
    const block = new BlockReader()
    const end = { position: 0, checksum: 0, epoch: 0, timeMs: Ms(0) }
    for (const { position, block: bytes } of store.blocks(1)) {
      block.open(bytes, `Block ${position} of journal ${matcher}`)
      strictEqual(block.matcher, matcher)
      strictEqual(block.position, end.position + 1, 'blocks are numbered without gaps')
      strictEqual(block.previous, end.checksum, 'a block names the one before')
      assert(block.epoch >= end.epoch && block.epoch < epoch, 'epochs never fall')
      assert(block.timeMs >= end.timeMs, 'the time of blocks never falls')
      for (let at = block.start; at < block.end; at += recordLength(block.records, at)) {
        const { records } = block
        const symbolId = RecordHeader.symbolId(records, at)
        this.engines[symbolId]!.recover(block.records, at)
        applyEffects(block.records, at, symbols[symbolId]!, this.balances)
        this.eventTimesMs[symbolId] = EventHeader.timeMs(records, at)
      }
      const { checksum, timeMs } = block
      Object.assign(end, { position, checksum, epoch: block.epoch, timeMs })
    }
    return end
  }
}

/** Correlation ids of the commands in the ring. */
export function waitingIn(memory: SharedArrayBuffer): ReadonlySet<number> {
  const ring = new CommandRingConsumer(memory)
  const slots = ring.available()
  const waiting = new Set<number>()
  for (let slot = 0; slot < slots; ) {
    const at = ring.slotAt(slot)
    const bytes = recordLength(ring.buffer, at)
    slot += commandSlots(bytes)
    if (bytes > 0) waiting.add(RecordHeader.correlation(ring.buffer, at))
  }
  return waiting
}
