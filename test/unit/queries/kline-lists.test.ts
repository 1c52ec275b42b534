/** Lists of klines that remember, beside lists that are made again each time, while trades come in. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { btcusdt } from '../../../bench/workloads/fake-context.ts'
import { encodeList } from '../../../src/api/answers/encoders.ts'
import { listRows } from '../../../src/api/answers/history-lists.ts'
import { BarWriter } from '../../../src/archive/bars.ts'
import { type KlineSpan, klineSpan, readKlines } from '../../../src/archive/klines.ts'
import { KlineBars } from '../../../src/archive/seeded-bars.ts'
import { Lots, Ms, QuoteAtoms, SymbolId, Ticks, TradeId } from '../../../src/base/units.ts'
import type { KlineQuery } from '../../../src/history/market-history.ts'
import type { ListEncoding } from '../../../src/history/queries.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { HOUR_MS, Interval, MINUTE_MS } from '../../../src/market/intervals.ts'
import { KlineLists } from '../../../src/queries/kline-lists.ts'

const START_MS = Ms(Date.parse('2024-02-28T22:58:30.400Z'))
const form = { encoding: 'JSON', spec: btcusdt, microseconds: false } as const

/** How long after the one before, and what it trades. */
const trade = fc.record({
  afterMs: fc.oneof(fc.nat(1_500), fc.nat(3 * MINUTE_MS), fc.nat(2 * HOUR_MS)),
  ticks: fc.integer({ min: 1, max: 1_000_000 }).map(Ticks),
  lots: fc.integer({ min: 1, max: 5_000 }).map(Lots),
})
const ask = fc.record({
  interval: fc.constantFrom(Interval['1s'], Interval['1m'], Interval['5m'], Interval['1h']),
  offsetMs: fc.constantFrom(0, 345 * MINUTE_MS),
  limit: fc.integer({ min: 1, max: 40 }),
  /** Before the last trade, if the list is to begin or end at a time. */
  startBeforeMs: fc.option(fc.nat(4 * HOUR_MS), { nil: undefined }),
  endBeforeMs: fc.option(fc.nat(4 * HOUR_MS), { nil: undefined }),
  microseconds: fc.boolean(),
  encoding: fc.constantFrom<ListEncoding>('JSON', 'SBE 3:4', 'SBE 3:5'),
  /** How long after the last trade it is queried. */
  lateMs: fc.nat(5 * MINUTE_MS),
})
const steps = fc.array(fc.record({ trades: fc.array(trade, { maxLength: 6 }), ask }), {
  minLength: 1,
  maxLength: 25,
})

class Bars {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-lists-'))
  readonly environment = new Environment({ folder: this.folder, tables: ['bars'] })
  private readonly writer = new BarWriter(this.environment.table('bars'))
  private readonly reader = new KlineBars(this.environment.table('bars'))
  lastMs = START_MS
  private tradeId = 0

  add(trades: readonly { afterMs: number; ticks: Ticks; lots: Lots }[]): void {
    this.environment.write(() => {
      for (const { afterMs, ticks, lots } of trades) {
        this.lastMs = Ms(this.lastMs + afterMs)
        this.writer.add(
          SymbolId(0),
          this.lastMs,
          TradeId(++this.tradeId),
          ticks,
          lots,
          QuoteAtoms(ticks * lots),
          lots % 2 === 0,
        )
      }
      this.writer.store()
    }, Sync.KERNEL)
    this.environment.release()
  }

  klineSpan(query: KlineQuery): KlineSpan {
    return klineSpan(this.reader, query)
  }

  klinesOf(span: KlineSpan, from = 0) {
    return readKlines(this.reader, span, from)
  }

  close(): void {
    this.environment.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

test.each([4, 65_536])('with room for %i klines', (keptMax) => {
  fc.assert(
    fc.property(steps, (all) => {
      const bars = new Bars()
      try {
        const lists = new KlineLists(bars, keptMax)
        for (const { trades, ask } of all) {
          bars.add(trades)
          const { startBeforeMs, endBeforeMs, lateMs, microseconds, encoding, ...rest } = ask
          const query: KlineQuery = {
            symbolId: SymbolId(0),
            ...rest,
            nowMs: Ms(bars.lastMs + lateMs),
            ...(startBeforeMs === undefined ? {} : { startTime: Ms(bars.lastMs - startBeforeMs) }),
            ...(endBeforeMs === undefined ? {} : { endTime: Ms(bars.lastMs - endBeforeMs) }),
          }
          const again = bars.klinesOf(bars.klineSpan(query))
          const written = { ...form, microseconds, encoding }
          const list = Buffer.from(lists.list(query, written))
          expect(list).toEqual(
            Buffer.from(encodeList(encoding, listRows('klines', again, written))),
          )
        }
      } finally {
        bars.close()
      }
    }),
    { numRuns: 40 },
  )
})

test('klines that are settled are read once', () => {
  const bars = new Bars()
  try {
    const froms: number[] = []
    const lists = new KlineLists({
      klineSpan: (query) => bars.klineSpan(query),
      klinesOf: (span, from = 0) => {
        froms.push(from)
        return bars.klinesOf(span, from)
      },
    })
    bars.add(
      Array.from({ length: 12 }, () => ({ afterMs: MINUTE_MS, ticks: Ticks(5), lots: Lots(1) })),
    )
    const query = { symbolId: SymbolId(0), interval: Interval['1m'], offsetMs: 0, limit: 10 }
    lists.list({ ...query, nowMs: bars.lastMs }, form)
    lists.list({ ...query, nowMs: bars.lastMs }, form)
    expect(froms).toEqual([0, 9])
  } finally {
    bars.close()
  }
})

test('series that keep no kline have a bound too', () => {
  const bars = new Bars()
  try {
    const froms: number[] = []
    const history = {
      klineSpan: (query: KlineQuery) => bars.klineSpan(query),
      klinesOf: (span: KlineSpan, from = 0) => {
        froms.push(from)
        return bars.klinesOf(span, from)
      },
    }
    const lists = new KlineLists(history, 20)
    bars.add(
      Array.from({ length: 12 }, () => ({ afterMs: MINUTE_MS, ticks: Ticks(5), lots: Lots(1) })),
    )
    const query = { symbolId: SymbolId(0), interval: Interval['1m'], offsetMs: 0, limit: 10 }
    const ask = (offsetMs: number, limit: number) =>
      lists.list({ ...query, offsetMs, limit, nowMs: bars.lastMs }, form)
    ask(0, 10)
    for (let zone = 1; zone <= 20; zone++) ask(zone * MINUTE_MS, 1)
    ask(0, 10)
    expect([froms[0], froms.at(-1)]).toEqual([0, 0])
  } finally {
    bars.close()
  }
})
