/**
 * Aggregate trades over random phases, auctions and power losses: what readers of streams get at several gateways,
 * who come and go, and what the archive counts, beside one plain list made of the journaled events.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { readAggregateTrades } from '../../src/archive/aggregate-trades.ts'
import { MarketProjection } from '../../src/archive/market-projection.ts'
import { aggregateRows } from '../../src/archive/row-form.ts'
import { RowReader } from '../../src/archive/row-reader.ts'
import { TableName } from '../../src/archive/tables.ts'
import { assert } from '../../src/base/assert.ts'
import { Side, sideOf } from '../../src/base/codes.ts'
import { ManualClock, ManualTime } from '../../src/base/manual-time.ts'
import { Prng } from '../../src/base/prng.ts'
import { Lots, Ms, type SymbolId, Ticks } from '../../src/base/units.ts'
import { framingOf } from '../../src/gateway/streams/framing.ts'
import { type Topic, Topics, type TopicsParts } from '../../src/gateway/streams/topics.ts'
import type { AggregateTradeRow } from '../../src/history/market-history.ts'
import { Environment, Sync } from '../../src/journal/environment.ts'
import { recordFlags, recordLength, recordType } from '../../src/layout/record-buffer.ts'
import { FLAG_AUCTION, RecordType } from '../../src/layout/records.gen.ts'
import { countersBytes, ThreadCounters } from '../../src/shared/counters.ts'
import { priceOf, quantityOf } from './exchange/requests.ts'
import { makeQuickFolder } from './quick-folder.ts'
import { type NamedRecord, readRecords } from './records.ts'
import { eventsOf } from './simulated-matcher.ts'
import { Simulation } from './simulation.ts'
import { symbols } from './world.ts'

const GATEWAYS = 2
const ALL = 100_000

/** One aggregate as clients see it. */
interface PlainAggregate {
  readonly taker: number
  readonly a: number
  readonly p: string
  q: string
  readonly f: number
  l: number
  readonly T: number
  readonly m: boolean
  lots: number
}

/** The rule in words: one after the other, of one taker, at one price and time, in one phase. */
class PlainAggregates {
  readonly rows: PlainAggregate[] = []
  /** Whether the last one may still grow: its trades are of an auction that continues. */
  isOpen = false
  private readonly symbolId: number
  private isPhaseNew = false

  constructor(symbolId: number) {
    this.symbolId = symbolId
  }

  apply(record: NamedRecord, isAuction: boolean): void {
    if (record.name === 'PhaseChanged') {
      this.isPhaseNew = true
      this.isOpen = false
    }
    if (record.name !== 'Trade') return
    this.isOpen = isAuction
    const spec = symbols[this.symbolId]!
    const last = this.rows.at(-1)
    const [taker, T, f] = [record.takerOrderId, record.timeMs, record.tradeId].map(Number)
    const p = priceOf(spec, Ticks(Number(record.priceTicks)))
    const lots = Number(record.tradeLots)
    const isNew = this.isPhaseNew || last?.taker !== taker || last?.p !== p || last?.T !== T
    this.isPhaseNew = false
    if (last !== undefined && !isNew) {
      last.lots += lots
      last.q = quantityOf(spec, Lots(last.lots))
      last.l = f!
      return
    }
    const m = sideOf(Number(record.makerTerms)) === Side.BUY
    const q = quantityOf(spec, Lots(lots))
    this.rows.push({ taker: taker!, a: this.rows.length + 1, p, q, f: f!, l: f!, T: T!, m, lots })
  }
}

/** One gateway's streams, read by one client for each symbol that comes and goes. */
class Gateway {
  private readonly group = { number: 0 } as Parameters<Topics['enter']>[2]
  readonly topics: Topics
  /** By symbol id: aggregates that the client got since it came. */
  readonly got: PlainAggregate[][] = symbols.map(() => [])
  /** By symbol id: aggregates that existed when it came. */
  readonly known: number[] = symbols.map(() => 0)
  readonly read: (Topic | undefined)[] = symbols.map(() => undefined)

  constructor(
    history: TopicsParts['history'],
    published: (gateway: Gateway, frame: string) => void,
  ) {
    const views = symbols.map(() => undefined)
    const parts = {
      symbols,
      depths: views,
      tapes: views,
      dayWindows: [],
      auctions: views,
      history,
      clock: new ManualTime(new ManualClock(Ms(0))),
      warn: () => {},
      counters: ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1, 1)), 0),
      publish: (_: unknown, frame: Uint8Array) =>
        published(this, Buffer.from(frame).toString('utf8')),
    }
    this.topics = new Topics(parts as unknown as TopicsParts)
  }

  comeAndGo(symbolId: number, known: number): void {
    const topic = this.read[symbolId]
    if (topic !== undefined) {
      this.topics.leave(topic, framingOf(false, false), this.group)
      this.read[symbolId] = undefined
      return
    }
    this.got[symbolId] = []
    this.known[symbolId] = known
    const name = `${symbols[symbolId]!.name.toLowerCase()}@aggTrade`
    this.read[symbolId] = this.topics.enter(name, framingOf(false, false), this.group)
  }
}

export class AggregatesSimulation {
  readonly counts: Map<string, number>
  private readonly prng: Prng
  private readonly inner: Simulation
  private plain = symbols.map(({ id }) => new PlainAggregates(id))
  private gateways: Gateway[] = []
  private asked: (() => void)[] = []
  private environment: Environment | undefined
  private archive: MarketProjection | undefined
  private unindexed: Uint8Array[] = []
  private folder: string | undefined

  constructor(seed: number, unrest: number) {
    this.prng = new Prng(seed)
    this.inner = new Simulation(seed, unrest, true)
    this.counts = this.inner.counts
    this.begin()
    this.inner.appended = (block) => this.published(block)
    this.inner.recovered = (blocks) => {
      this.checkAll()
      this.begin()
      for (const block of blocks) this.published(block)
    }
  }

  async step(): Promise<void> {
    this.inner.step()
    const dice = this.prng.unit()
    const gateway = this.prng.pick(this.gateways)
    const open = this.plain.findIndex(({ isOpen }) => isOpen)
    const any = this.prng.below(symbols.length)
    // Readers that come in the middle of an auction are rare else.
    const comes = open !== -1 && gateway.read[open] === undefined && dice < 0.6
    const symbolId = comes ? open : any
    if (comes || dice < 0.03) gateway.comeAndGo(symbolId, this.plain[symbolId]!.rows.length)
    else if (dice > (open === -1 ? 0.95 : 0.75)) await this.answer()
    else if (dice > 0.91) this.index()
  }

  async finish(): Promise<void> {
    await this.answer()
    this.checkAll()
    this.dispose()
  }

  dispose(): void {
    this.environment?.close()
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true })
    this.environment = undefined
    this.folder = undefined
  }

  /** Starts over: nothing is read, and the archive is made again. */
  private begin(): void {
    this.dispose()
    this.folder = makeQuickFolder('ringbook-aggregates-')
    const { TAPE, BARS, AGGREGATES } = TableName
    this.environment = new Environment({ folder: this.folder, tables: [TAPE, BARS, AGGREGATES] })
    this.archive = new MarketProjection(this.environment)
    this.unindexed = []
    this.asked = []
    this.plain = symbols.map(({ id }) => new PlainAggregates(id))
    const history = {
      aggregateTrades: ({ symbolId, limit }: { symbolId: SymbolId; limit: number }) =>
        new Promise<readonly AggregateTradeRow[]>((resolve) => {
          this.asked.push(() => resolve(this.archived(symbolId, limit)))
        }),
    }
    this.gateways = Array.from(
      { length: GATEWAYS },
      () =>
        new Gateway(history as unknown as TopicsParts['history'], (gateway, frame) =>
          this.told(gateway, frame),
        ),
    )
  }

  /** The archive answers, with all that was published by now. */
  private async answer(): Promise<void> {
    this.index()
    for (const answer of this.asked.splice(0)) answer()
    await turn()
    for (const { got, known, read } of this.gateways) {
      for (const [symbolId, { rows, isOpen }] of this.plain.entries()) {
        const whole = rows.length - (isOpen ? 1 : 0)
        if (read[symbolId] === undefined || whole <= known[symbolId]!) continue
        strictEqual(got[symbolId]!.at(-1)?.a, whole, 'an aggregate is published once it is whole')
      }
    }
  }

  private archived(symbolId: SymbolId, limit: number): readonly AggregateTradeRow[] {
    const table = this.environment!.table(TableName.AGGREGATES)
    const reader = new RowReader(table, aggregateRows)
    const rows = readAggregateTrades(reader, { symbolId, fromId: 1, limit: ALL })
    return rows.slice(-limit)
  }

  private published(block: Uint8Array): void {
    this.unindexed.push(block)
    const events = eventsOf(block)
    for (let at = 0; at < block.length; at += recordLength(events, at)) {
      const [record] = readRecords(events, at, at + recordLength(events, at))
      const isAuction = (recordFlags(events, at) & FLAG_AUCTION) !== 0
      this.plain[Number(record!.symbolId)]!.apply(record!, isAuction)
      for (const { topics } of this.gateways) topics.record(events, at)
    }
  }

  private index(): void {
    if (this.unindexed.length === 0) return
    const archive = this.archive!
    this.environment!.write(() => {
      for (const block of this.unindexed.splice(0)) {
        const events = eventsOf(block)
        for (let at = 0; at < block.length; at += recordLength(events, at)) {
          const type = recordType(events, at)
          if (type === RecordType.Trade) archive.traded(events, at)
          else if (type === RecordType.PhaseChanged) archive.phaseChanged(events, at)
        }
      }
      archive.store()
    }, Sync.KERNEL)
    this.environment!.release()
    // A failure of the indexer: it continues from its tables.
    if (this.prng.chance(0.3)) archive.forget()
  }

  /** An aggregate of a stream is the archive's to come, and follows the one before. */
  private told(gateway: Gateway, frame: string): void {
    const { s, E: _, e, M, ...row } = JSON.parse(frame)
    strictEqual(e, 'aggTrade')
    strictEqual(M, true)
    const symbolId = symbols.findIndex(({ name }) => name === s)
    const got = gateway.got[symbolId]!
    const last = got.at(-1)
    if (last !== undefined) strictEqual(row.a, last.a + 1, 'no aggregate is missing or repeated')
    else {
      const known = gateway.known[symbolId]!
      assert(row.a === known || row.a === known + 1, 'a stream begins where its reader comes')
      if (row.a === known) this.count('a reader came into an aggregate')
    }
    got.push(row)
    this.count('aggregate')
    if (row.f === row.l) return
    this.count('aggregate of several trades')
    if (this.plain[symbolId]!.isOpen) this.count('aggregate of several pairs')
  }

  private checkAll(): void {
    this.index()
    for (const { id } of symbols) {
      const rows = this.plain[id]!.rows.map(({ taker: _, lots: __, ...row }) => row)
      const archived = this.archived(id, ALL).map((row) => ({
        a: row.aggregateId,
        p: priceOf(symbols[id]!, row.priceTicks),
        q: quantityOf(symbols[id]!, row.lots),
        f: Number(row.firstTradeId),
        l: Number(row.lastTradeId),
        T: Number(row.timeMs),
        m: row.isBuyerMaker,
      }))
      deepStrictEqual(archived, rows, 'the archive has the aggregates')
      for (const { got } of this.gateways) {
        for (const row of got[id]!) {
          deepStrictEqual(row, rows[row.a - 1], 'a stream has the aggregates of the archive')
        }
      }
    }
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}
