/** Bars, klines and aggregate trades beside a plain recomputation from the trades themselves. */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AggregateWriter, readAggregateTrades } from '../../../src/archive/aggregate-trades.ts'
import { BarReader, BarWriter } from '../../../src/archive/bars.ts'
import { klineSpan, readKlines, readWindow } from '../../../src/archive/klines.ts'
import { aggregateRows } from '../../../src/archive/row-form.ts'
import { RowReader } from '../../../src/archive/row-reader.ts'
import { KlineBars, storeSeeded } from '../../../src/archive/seeded-bars.ts'
import { PRICE_TICKS_MAX } from '../../../src/base/limits.ts'
import { Prng } from '../../../src/base/prng.ts'
import { Lots, Ms, OrderId, QuoteAtoms, SymbolId, Ticks, TradeId } from '../../../src/base/units.ts'
import { Bar } from '../../../src/history/bar.ts'
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
import type { SeededMinute, SeededPast } from '../../../src/market/seeded-klines.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

interface PlainTrade {
  readonly id: TradeId
  readonly takerOrderId: OrderId
  readonly ticks: Ticks
  readonly lots: Lots
  readonly timeMs: Ms
  readonly isBuyerMaker: boolean
}

const folder = folderPerTest()
let environment: Environment
beforeEach(() => {
  environment = new Environment({ folder: folder(), tables: ['bars', 'aggregates'] })
})
afterEach(() => environment.close())

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
      [],
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
        // Short intervals are read near the cut alone.
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

/** A past of symbol 3, which opens at no hour, and what a tick and a lot of it are worth. */
const steps = { atomsPerTickLot: 1, tickLotParts: 10 }
const past: SeededPast = {
  symbol: SymbolId(3),
  seed: 4_294_967_295,
  fromMs: Ms(Date.parse('2023-12-27T21:17:00Z')),
  days: 7,
  closeTicks: Ticks(5_000),
  lots: Lots(4_200),
}
const pastEndMs = Ms(past.fromMs + past.days * DAY_MS)

function storePast(of: Partial<SeededPast> = {}): KlineBars {
  const symbols = [steps, steps, steps, steps, steps]
  const store = () => storeSeeded(environment.table('bars'), [{ ...past, ...of }], symbols)
  environment.write(store, Sync.KERNEL)
  environment.release()
  return new KlineBars(environment.table('bars'))
}

/** All klines, by pages. */
function allKlines(bars: KlineBars, interval: Interval, offsetMs = 0, symbolId = SymbolId(3)) {
  const rows: KlineRow[] = []
  for (;;) {
    const startTime = Ms((rows.at(-1)?.openMs ?? -1) + 1)
    const query = { symbolId, interval, offsetMs, limit: 1000, nowMs: Ms(pastEndMs + HOUR_MS) }
    const page = readKlines(bars, klineSpan(bars, { ...query, startTime }))
    if (page.length === 0) return rows
    rows.push(...page)
  }
}

/** What minutes add up to, as a reader of them would do it. */
function added(minutes: readonly KlineRow[]): Omit<KlineRow, 'openMs' | 'closeMs'> {
  const traded = minutes.filter(({ count }) => count > 0)
  const sum = (of: (row: KlineRow) => bigint) => traded.reduce((all, row) => all + of(row), 0n)
  const numbered = traded.filter(({ firstTradeId }) => firstTradeId > 0)
  return {
    count: traded.reduce((all, { count }) => all + count, 0),
    firstTradeId: numbered[0]?.firstTradeId ?? TradeId(-1),
    lastTradeId: numbered.at(-1)?.lastTradeId ?? TradeId(-1),
    openTicks: minutes[0]!.openTicks,
    highTicks: Ticks(Math.max(...minutes.map(({ highTicks }) => highTicks))),
    lowTicks: Ticks(Math.min(...minutes.map(({ lowTicks }) => lowTicks))),
    closeTicks: minutes.at(-1)!.closeTicks,
    lots: sum(({ lots }) => lots),
    quoteAtoms: sum(({ quoteAtoms }) => quoteAtoms),
    takerBuyLots: sum(({ takerBuyLots }) => takerBuyLots),
    takerBuyQuoteAtoms: sum(({ takerBuyQuoteAtoms }) => takerBuyQuoteAtoms),
  }
}

test.each([
  ['a usual price', past.closeTicks],
  ['the lowest price', Ticks(1)],
  ['the highest price', Ticks(PRICE_TICKS_MAX)],
])('minutes of a past lead, one from the other, to %s', (_, closeTicks) => {
  const bars = storePast({ closeTicks })
  const minutes = allKlines(bars, Interval['1m']).filter(({ openMs }) => openMs < pastEndMs)
  expect(minutes.map(({ openMs }) => openMs)).toEqual(
    Array.from({ length: past.days * 1440 }, (_, at) => past.fromMs + at * MINUTE_MS),
  )
  expect(minutes.at(-1)!.closeTicks).toBe(closeTicks)
  const worth = (ticks: Ticks, lots: bigint) => (BigInt(ticks) * lots) / 10n
  const wrong = minutes.filter((row, at) => {
    const { openTicks, highTicks, lowTicks, closeTicks, lots, quoteAtoms } = row
    const { takerBuyLots, takerBuyQuoteAtoms } = row
    const isOrdered =
      lowTicks >= 1 &&
      lowTicks <= Math.min(openTicks, closeTicks) &&
      highTicks >= Math.max(openTicks, closeTicks) &&
      highTicks <= PRICE_TICKS_MAX &&
      // No leap.
      highTicks - lowTicks <= openTicks * 0.02
    const isWorth = (lots: bigint, atoms: bigint) =>
      atoms >= worth(lowTicks, lots) && atoms <= worth(highTicks, lots)
    return !(
      isOrdered &&
      openTicks === (minutes[at - 1]?.closeTicks ?? openTicks) &&
      lots > 0n &&
      takerBuyLots <= lots &&
      isWorth(lots, quoteAtoms) &&
      isWorth(takerBuyLots, takerBuyQuoteAtoms) &&
      row.count > 0 &&
      row.firstTradeId === -1 &&
      row.lastTradeId === -1
    )
  })
  expect(wrong).toEqual([])
  const [nowMs, startTime] = [Ms(pastEndMs + HOUR_MS), Ms(pastEndMs + HOUR_MS / 2)]
  const query = { symbolId: SymbolId(3), interval: Interval['1m'], offsetMs: 0, limit: 1, nowMs }
  const [quiet] = readKlines(bars, klineSpan(bars, { ...query, startTime }))
  expect(quiet).toMatchObject({ count: 0, openTicks: closeTicks, closeTicks, openMs: startTime })
})

test('seconds are of trades alone, where the clock has stepped back into a past', () => {
  const bars = storePast()
  const random = new Prng(16)
  const own = randomTrades(random, 20).map((trade, at) => ({
    ...trade,
    timeMs: Ms(pastEndMs - HOUR_MS + at * 7_000),
  }))
  write(own, random)
  const traded = allKlines(bars, Interval['1s']).filter(({ count }) => count > 0)
  expect(traded.map(({ openMs, lots }) => [openMs, lots])).toEqual(
    own.map(({ timeMs, lots }) => [timeMs, BigInt(lots)]),
  )
})

test('klines of a past and of trades behind it add up from their minutes', () => {
  const bars = storePast()
  const random = new Prng(15)
  const firstMs = Date.parse('2023-12-30T21:17:05.123Z')
  const own = randomTrades(random, 40)
    .map((trade) => ({ ...trade, timeMs: Ms(trade.timeMs - firstMs + pastEndMs) }))
    .filter(({ timeMs }) => timeMs < pastEndMs + HOUR_MS)
  write(own, random)
  const minutes = allKlines(bars, Interval['1m'])
  expect(minutes.length).toBe(past.days * 1440 + 61)
  for (const interval of Object.values(Interval).filter((other) => other > Interval['1m'])) {
    for (const zone of [0, 345, -720]) {
      const offsetMs = zone * MINUTE_MS
      const parts = new Map<number, KlineRow[]>()
      for (const row of minutes) {
        const openMs = intervalOpen(interval, row.openMs, offsetMs)
        const part = parts.get(openMs)
        if (part === undefined) parts.set(openMs, [row])
        else part.push(row)
      }
      const expected = [...parts].map(([openMs, rows]) => ({
        ...added(rows),
        openMs,
        closeMs: intervalAfter(interval, Ms(openMs), offsetMs, 1) - 1,
      }))
      expect(allKlines(bars, interval, offsetMs)).toEqual(expected)
    }
  }
  const [start, end] = [allKlines(bars, Interval['1s'])[0]!, Ms(pastEndMs + DAY_MS)]
  expect(start.openMs).toBe(intervalOpen(Interval['1s'], own[0]!.timeMs, 0))
  const window = { symbolId: SymbolId(3), fromMs: Ms(0), toMs: end }
  expect(readWindow(new BarReader(environment.table('bars')), window)).toEqual(plainBar(own))
})

test('bars of a past are those that open in a span, and the last one has ended before a moment', () => {
  const bars = storePast()
  const { symbol, fromMs } = past
  const opens = (length: number, from: number, to: number) => {
    const found: number[] = []
    bars.each(symbol, length, Ms(from), Ms(to), (openMs) => found.push(openMs))
    return found
  }
  const next = fromMs + MINUTE_MS
  expect(opens(1, fromMs, next)).toEqual([fromMs])
  expect(opens(1, fromMs + 1, next)).toEqual([])
  expect(opens(1, fromMs + 1, next + 1)).toEqual([next])
  expect(opens(1, pastEndMs - 1, pastEndMs + MINUTE_MS)).toEqual([])
  // The first hour opens before its first minute.
  const hour = fromMs - (fromMs % HOUR_MS)
  expect(opens(2, hour, hour + HOUR_MS)).toEqual([hour])
  expect(opens(2, hour + 1, hour + HOUR_MS + 1)).toEqual([hour + HOUR_MS])
  const bar = new Bar()
  const last = (timeMs: number) => bars.lastBefore(symbol, Ms(timeMs), bar)
  expect([fromMs, next - 1, next].map(last)).toEqual([false, false, true])
  // Nothing is left in it of the one before.
  last(next + MINUTE_MS)
  const second = allKlines(bars, Interval['1m'])[1]!
  expect(bar.row()).toMatchObject({ count: second.count, lots: second.lots })
})

test('a past is that of its seed, in every version', () => {
  const digest = (rows: readonly KlineRow[]) =>
    createHash('sha256')
      .update(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
      .digest('hex')
  const rows = allKlines(storePast(), Interval['1m'])
  expect(digest(rows)).toBe('59d2dffe741340c9e24306319a57faa26b35079ec770231f795f281b5ac5fa90')
  const [symbol, seed] = [SymbolId(4), 1]
  const others = allKlines(storePast({ symbol, seed }), Interval['1m'], 0, symbol)
  expect(others.length).toBe(rows.length)
  expect(digest(others)).not.toBe(digest(rows))
  // Neither has those of the other, nor has a symbol without a past.
  expect(allKlines(new KlineBars(environment.table('bars')), Interval['1m'])).toEqual(rows)
  expect(allKlines(storePast(), Interval['1d'], 0, SymbolId(2))).toEqual([])
})

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
    takerOrderId: group[0]!.takerOrderId,
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
