/** Bars, klines and aggregate trades beside a plain recomputation from the trades themselves. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AggregateWriter, readAggregateTrades } from '../../../src/archive/aggregate-trades.ts'
import { BarReader, BarWriter } from '../../../src/archive/bars.ts'
import { klineSpan, readKlines, readWindow } from '../../../src/archive/klines.ts'
import { aggregateRows } from '../../../src/archive/row-form.ts'
import { RowReader } from '../../../src/archive/row-reader.ts'
import { KlineBars, storeSeeded } from '../../../src/archive/seeded-bars.ts'
import { Prng } from '../../../src/base/prng.ts'
import { Lots, Ms, OrderId, QuoteAtoms, SymbolId, Ticks, TradeId } from '../../../src/base/units.ts'
import type { KlineQuery, KlineRow } from '../../../src/history/market-history.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import {
  DAY_MS,
  HOUR_MS,
  Interval,
  intervalAfter,
  intervalOpen,
  MINUTE_MS,
  SECOND_MS,
} from '../../../src/market/intervals.ts'
import type { SeededMinute } from '../../../src/market/seeded-klines.ts'

interface PlainTrade {
  readonly id: TradeId
  readonly takerOrderId: OrderId
  readonly ticks: Ticks
  readonly lots: Lots
  readonly timeMs: Ms
  readonly isBuyerMaker: boolean
}

let folder = ''
let environment: Environment
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-klines-'))
  environment = new Environment({ folder, tables: ['bars', 'aggregates'] })
})
afterEach(() => {
  environment.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Bursts within a second, quiet minutes, nights, weeks: across every border that intervals have. */
function randomTrades(random: Prng, count: number): PlainTrade[] {
  const trades: PlainTrade[] = []
  let timeMs = Date.parse('2023-12-30T21:17:05.123Z')
  let ticks = 50_000
  let takerOrderId = 0
  for (let id = 1; id <= count; id++) {
    const dice = random.unit()
    if (dice < 0.4) {
      takerOrderId++
      if (dice < 0.25) timeMs += random.below(900)
      else if (dice < 0.37) timeMs += random.below(200 * SECOND_MS)
      else if (dice < 0.397) timeMs += random.below(3 * HOUR_MS)
      else timeMs += random.below(9 * DAY_MS)
    }
    ticks = Math.max(1, ticks + random.between(-30, 30) * (random.chance(0.5) ? 1 : 0))
    const lots = random.chance(0.01) ? 2 ** 36 + random.below(1000) : random.between(1, 5000)
    trades.push({
      id: TradeId(id),
      takerOrderId: OrderId(takerOrderId),
      ticks: Ticks(ticks),
      lots: Lots(lots),
      timeMs: Ms(timeMs),
      isBuyerMaker: takerOrderId % 3 === 0,
    })
  }
  return trades
}

/** Stores the trades in transactions of random size, with another writer after some of them. */
function write(trades: readonly PlainTrade[], random: Prng): void {
  let bars = new BarWriter(environment.table('bars'))
  let aggregates = new AggregateWriter(environment.table('aggregates'))
  for (let from = 0; from < trades.length; ) {
    const part = trades.slice(from, from + random.between(1, 700))
    environment.write(() => {
      for (const { id, takerOrderId, ticks, lots, timeMs, isBuyerMaker } of part) {
        bars.add(
          SymbolId(3),
          timeMs,
          TradeId(id),
          ticks,
          lots,
          QuoteAtoms(ticks * lots),
          isBuyerMaker,
        )
        aggregates.add(
          SymbolId(3),
          OrderId(takerOrderId),
          TradeId(id),
          ticks,
          lots,
          timeMs,
          isBuyerMaker,
        )
      }
      bars.store()
      aggregates.store()
    }, Sync.KERNEL)
    from += part.length
    if (random.chance(0.2)) {
      bars = new BarWriter(environment.table('bars'))
      aggregates = new AggregateWriter(environment.table('aggregates'))
    }
  }
  environment.release()
}

function plainBar(trades: readonly PlainTrade[]) {
  const sum = (of: (trade: PlainTrade) => bigint, only = trades) =>
    only.reduce((total, trade) => total + of(trade), 0n)
  const bought = trades.filter((trade) => !trade.isBuyerMaker)
  const prices = trades.map((trade) => trade.ticks)
  const lots = (trade: PlainTrade) => BigInt(trade.lots)
  const quoteAtoms = (trade: PlainTrade) => BigInt(trade.lots) * BigInt(trade.ticks)
  return {
    count: trades.length,
    firstTradeId: (trades.find(({ id }) => id > 0) ?? trades[0]!).id,
    lastTradeId: trades.at(-1)!.id,
    openTicks: prices[0]!,
    highTicks: Ticks(Math.max(...prices)),
    lowTicks: Ticks(Math.min(...prices)),
    closeTicks: prices.at(-1)!,
    lots: sum(lots),
    quoteAtoms: sum(quoteAtoms),
    takerBuyLots: sum(lots, bought),
    takerBuyQuoteAtoms: sum(quoteAtoms, bought),
  }
}

/** Every kline there is, one interval after the other, and then the wanted ones. */
function plainKlines(trades: readonly PlainTrade[], query: KlineQuery): KlineRow[] {
  const { interval, offsetMs, nowMs, limit } = query
  const byOpen = new Map<number, PlainTrade[]>()
  for (const trade of trades) {
    const openMs = intervalOpen(interval, trade.timeMs, offsetMs)
    byOpen.set(openMs, [...(byOpen.get(openMs) ?? []), trade])
  }
  const rows: KlineRow[] = []
  let openMs = intervalOpen(interval, trades[0]!.timeMs, offsetMs)
  let close = Ticks(0)
  while (openMs <= nowMs) {
    const nextMs = intervalAfter(interval, openMs, offsetMs, 1)
    const traded = byOpen.get(openMs)
    close = traded?.at(-1)?.ticks ?? close
    const quiet = { count: 0, firstTradeId: TradeId(-1), lastTradeId: TradeId(-1) }
    const prices = { openTicks: close, highTicks: close, lowTicks: close, closeTicks: close }
    const sums = { lots: 0n, quoteAtoms: 0n, takerBuyLots: 0n, takerBuyQuoteAtoms: 0n }
    const bar = traded === undefined ? { ...quiet, ...prices, ...sums } : plainBar(traded)
    rows.push({ ...bar, openMs, closeMs: Ms(nextMs - 1) })
    openMs = nextMs
  }
  const { startTime = Number.NEGATIVE_INFINITY, endTime = Number.POSITIVE_INFINITY } = query
  const wanted = rows.filter((row) => row.openMs >= startTime && row.openMs <= endTime)
  return query.startTime === undefined ? wanted.slice(-limit) : wanted.slice(0, limit)
}

const ZONES_MINUTES = [0, 480, -720, 840, 345, -210, 1, -61]

test('klines of every interval and many time zones are what the trades come to', () => {
  const random = new Prng(11)
  const trades = randomTrades(random, 2500)
  write(trades, random)
  const bars = new KlineBars(environment.table('bars'))
  const [firstMs, lastMs] = [trades[0]!.timeMs, trades.at(-1)!.timeMs]
  for (const interval of Object.values(Interval)) {
    // Every second of months is too many for the plain list: only what is near the end.
    const isShort = interval <= Interval['5m']
    const known = isShort ? trades.filter((trade) => trade.timeMs > lastMs - 6 * HOUR_MS) : trades
    for (const minutes of ZONES_MINUTES) {
      const fromMs = isShort ? known[0]!.timeMs : firstMs
      for (let i = 0; i < 4; i++) {
        const bound = () => Ms(fromMs + random.below(lastMs - fromMs + DAY_MS / 4))
        const query: KlineQuery = {
          symbolId: SymbolId(3),
          interval,
          offsetMs: minutes * MINUTE_MS,
          limit: random.pick([1, 7, 500]),
          nowMs: Ms(lastMs + random.below(HOUR_MS)),
          ...(isShort || i % 2 === 1 ? { startTime: Ms(bound() + MINUTE_MS * 5) } : {}),
          ...(i > 1 ? { endTime: bound() } : {}),
        }
        expect(readKlines(bars, klineSpan(bars, query))).toEqual(plainKlines(known, query))
      }
    }
  }
})

test('klines of a seed and trades behind them are what both come to', () => {
  const random = new Prng(14)
  const trades = randomTrades(random, 900)
  const cutMs = intervalOpen(Interval['1m'], trades[600]!.timeMs, 0)
  const isSeeded = ({ timeMs }: PlainTrade) => timeMs < cutMs
  const own = trades.filter((trade) => !isSeeded(trade))
  const parts = seededMinutes(trades.filter(isSeeded))
  environment.write(() => {
    const klines = [parts.slice(0, 100), parts.slice(100)]
    storeSeeded(
      environment.table('bars'),
      klines.map((minutes) => ({ symbol: SymbolId(3), minutes })),
    )
  }, Sync.KERNEL)
  write(own, random)
  const bars = new KlineBars(environment.table('bars'))
  const known = trades.map((trade) => (isSeeded(trade) ? { ...trade, id: TradeId(-1) } : trade))
  const [firstMs, lastMs] = [trades[0]!.timeMs, trades.at(-1)!.timeMs]
  const longer = Object.values(Interval).filter((interval) => interval >= Interval['1m'])
  for (const interval of longer) {
    const isShort = interval <= Interval['5m']
    for (const minutes of ZONES_MINUTES) {
      for (let i = 0; i < 4; i++) {
        // Of short intervals, only what is near the cut.
        const [fromMs, toMs] = isShort
          ? [cutMs - 3 * HOUR_MS, cutMs + 3 * HOUR_MS]
          : [firstMs, lastMs]
        const near = isShort
          ? known.slice(known.findLastIndex(({ timeMs }) => timeMs < fromMs))
          : known
        const bound = () => Ms(fromMs + random.below(toMs - fromMs))
        const query: KlineQuery = {
          symbolId: SymbolId(3),
          interval,
          offsetMs: minutes * MINUTE_MS,
          limit: random.pick([1, 7, 500]),
          nowMs: lastMs,
          ...(isShort || i % 2 === 1 ? { startTime: bound() } : {}),
          ...(isShort || i > 1 ? { endTime: bound() } : {}),
        }
        const plain = plainKlines(near, { ...query, nowMs: Ms(isShort ? toMs : lastMs) })
        expect(readKlines(bars, klineSpan(bars, query))).toEqual(plain)
      }
    }
  }
  const window = {
    symbolId: SymbolId(3),
    fromMs: Ms(0),
    toMs: Ms(lastMs - (lastMs % SECOND_MS) + SECOND_MS),
  }
  expect(readWindow(new BarReader(environment.table('bars')), window)).toEqual(plainBar(own))
})

/** The minutes of the trades, as a seed has them. */
function seededMinutes(trades: readonly PlainTrade[]): SeededMinute[] {
  const opens = trades.map(({ timeMs }) => intervalOpen(Interval['1m'], timeMs, 0))
  return [...new Set(opens)].map((openMs) => {
    const bar = plainBar(trades.filter((_, at) => opens[at] === openMs))
    return [
      ...([openMs, bar.openTicks, bar.highTicks, bar.lowTicks, bar.closeTicks, bar.count] as const),
      ...([String(bar.lots), String(bar.quoteAtoms)] as const),
      ...([String(bar.takerBuyLots), String(bar.takerBuyQuoteAtoms)] as const),
    ]
  })
}

test('a window of whole seconds is what traded in it', () => {
  const random = new Prng(12)
  const trades = randomTrades(random, 3000)
  write(trades, random)
  const bars = new BarReader(environment.table('bars'))
  const firstMs = trades[0]!.timeMs
  const lengthMs = trades.at(-1)!.timeMs - firstMs
  const second = (timeMs: number) => Ms(Math.floor(timeMs / SECOND_MS) * SECOND_MS)
  for (let i = 0; i < 300; i++) {
    const fromMs = second(firstMs + random.below(lengthMs))
    const toMs = second(fromMs + random.below(random.pick([HOUR_MS, DAY_MS, lengthMs])))
    const inside = trades.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    const row = readWindow(bars, { symbolId: SymbolId(3), fromMs, toMs })
    if (inside.length === 0) expect(row.count).toBe(0)
    else expect(row).toEqual(plainBar(inside))
  }
})

test('trades of one taker at one price and time are one aggregate trade', () => {
  const random = new Prng(13)
  const trades = randomTrades(random, 3000)
  write(trades, random)
  const same = (a: PlainTrade, b: PlainTrade) =>
    a.takerOrderId === b.takerOrderId && a.ticks === b.ticks && a.timeMs === b.timeMs
  const groups: PlainTrade[][] = []
  for (const trade of trades) {
    const last = groups.at(-1)
    if (last !== undefined && same(last[0]!, trade)) last.push(trade)
    else groups.push([trade])
  }
  const rows = groups.map((group, index) => ({
    aggregateId: index + 1,
    priceTicks: group[0]!.ticks,
    lots: group.reduce((sum, trade) => sum + trade.lots, 0),
    firstTradeId: group[0]!.id,
    lastTradeId: group.at(-1)!.id,
    timeMs: group[0]!.timeMs,
    isBuyerMaker: group[0]!.isBuyerMaker,
  }))
  expect(groups.some((group) => group.length > 1)).toBe(true)
  const reader = new RowReader(environment.table('aggregates'), aggregateRows)
  const time = () => Ms(random.pick(trades).timeMs + random.between(-1, 1))
  for (let i = 0; i < 300; i++) {
    const query = {
      symbolId: SymbolId(3),
      limit: random.pick([1, 10, 1000]),
      ...(random.chance(0.4) ? { fromId: random.between(0, rows.length + 5) } : {}),
      ...(random.chance(0.4) ? { startTime: time() } : {}),
      ...(random.chance(0.4) ? { endTime: time() } : {}),
    }
    const wanted = rows.filter(
      (row) =>
        row.aggregateId >= (query.fromId ?? 0) &&
        row.timeMs >= (query.startTime ?? 0) &&
        row.timeMs <= (query.endTime ?? Number.POSITIVE_INFINITY),
    )
    const oldest = query.fromId !== undefined || query.startTime !== undefined
    const expected = oldest ? wanted.slice(0, query.limit) : wanted.slice(-query.limit)
    expect(readAggregateTrades(reader, query)).toEqual(expected)
  }
  expect(readAggregateTrades(reader, { symbolId: SymbolId(4), limit: 10 })).toEqual([])
})
