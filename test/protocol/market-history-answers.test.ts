/** Queries and answers of the market's past, beside the documented examples. */
import { afterAll, expect, test } from 'vitest'
import { FakeContext, NOW_MS } from '../../bench/workloads/fake-context.ts'
import { marketHistoryOperations } from '../../src/api/operations/market-history.ts'
import { Param } from '../../src/api/parameters.ts'
import { Lots, Ms, OrderId, QuoteAtoms, SymbolId, Ticks, TradeId } from '../../src/base/units.ts'
import { Bar } from '../../src/history/bar.ts'
import { DAY_MS, HOUR_MS, Interval, MINUTE_MS, SECOND_MS } from '../../src/market/intervals.ts'
import { Asking, bodyOf, settled } from './asking.ts'

const asking = new Asking()

async function answerOf(context: FakeContext, id: string, query: string): Promise<unknown> {
  const responder = asking.ask(context, id, query)
  await settled()
  return bodyOf(responder)
}

async function refusalOf(id: string, query: string, context = new FakeContext()): Promise<string> {
  const responder = asking.ask(context, id, query)
  await settled()
  const { answer } = responder
  const { code, msg } = JSON.parse(answer?.body ?? '{}') as { code: number; msg: string }
  return `${answer?.status} ${code} ${msg}`
}

const trade = {
  priceTicks: Ticks(400),
  lots: Lots(1_200_000),
  quoteAtoms: QuoteAtoms(4_800_000_000),
  timeMs: Ms(1_499_865_549_590),
  isBuyerMaker: true,
}

test('old trades', async () => {
  const context = new FakeContext()
  context.publicTrades = [{ ...trade, tradeId: TradeId(28_457) }]
  expect(await answerOf(context, 'historicalTrades', 'symbol=BTCUSDT&fromId=7&limit=3')).toEqual([
    {
      id: 28_457,
      price: '4.00000000',
      qty: '12.00000000',
      quoteQty: '48.00000000',
      time: 1_499_865_549_590,
      isBuyerMaker: true,
      isBestMatch: true,
    },
  ])
  expect(context.asked.publicTrades).toEqual({ symbolId: SymbolId(0), fromId: 7, limit: 3 })
  await answerOf(context, 'historicalTrades', 'symbol=BTCUSDT')
  expect(context.asked.publicTrades).toEqual({ symbolId: SymbolId(0), limit: 500 })
})

test('aggregate trades', async () => {
  const context = new FakeContext()
  const ids = { aggregateId: 26_129, firstTradeId: TradeId(27_781), lastTradeId: TradeId(27_783) }
  context.aggregateTrades = [{ ...trade, ...ids, takerOrderId: OrderId(1) }]
  const query = 'symbol=BTCUSDT&fromId=1&startTime=2&endTime=3&limit=5000'
  expect(await answerOf(context, 'aggTrades', query)).toEqual([
    {
      a: 26_129,
      p: '4.00000000',
      q: '12.00000000',
      f: 27_781,
      l: 27_783,
      T: 1_499_865_549_590,
      m: true,
      M: true,
    },
  ])
  const times = { startTime: 2, endTime: 3 }
  expect(context.asked.aggregateTrades).toEqual({
    symbolId: SymbolId(0),
    fromId: 1,
    ...times,
    limit: 1000,
  })
})

function sampleBar(): Bar {
  const bar = new Bar()
  bar.add(TradeId(100), Ticks(1_634_790), Lots(5_000), QuoteAtoms(81_739_500_000), false)
  bar.add(TradeId(101), Ticks(1_700_000), Lots(3_000), QuoteAtoms(51_000_000_000), true)
  bar.add(TradeId(102), Ticks(1_577_100), Lots(2_000), QuoteAtoms(31_542_000_000), false)
  return bar
}

test.each(['klines', 'uiKlines'])('%s', async (id) => {
  const context = new FakeContext()
  const row = sampleBar().row()
  context.klines = [{ ...row, openMs: Ms(1_499_040_000_000), closeMs: Ms(1_499_644_799_999) }]
  const query = 'symbol=BTCUSDT&interval=1w&timeZone=-1:30&endTime=9'
  expect(await answerOf(context, id, query)).toEqual([
    [
      1_499_040_000_000,
      '16347.90000000',
      '17000.00000000',
      '15771.00000000',
      '15771.00000000',
      '0.10000000',
      1_499_644_799_999,
      '1642.81500000',
      3,
      '0.07000000',
      '1132.81500000',
      '0',
    ],
  ])
  expect(context.asked.klines).toEqual({
    symbolId: SymbolId(0),
    interval: Interval['1w'],
    offsetMs: -90 * MINUTE_MS,
    endTime: 9,
    limit: 500,
    nowMs: NOW_MS,
  })
})

test.each([
  ['0', 0],
  ['8', 8 * HOUR_MS],
  ['-1:00', -HOUR_MS],
  ['05:45', 5 * HOUR_MS + 45 * MINUTE_MS],
  ['+14:00', 14 * HOUR_MS],
  ['%2B14:00', 14 * HOUR_MS],
  ['-12', -12 * HOUR_MS],
])('time zone %s', async (zone, offsetMs) => {
  const context = new FakeContext()
  await answerOf(context, 'klines', `symbol=BTCUSDT&interval=1d&timeZone=${zone}`)
  expect(context.asked.klines).toMatchObject({ offsetMs })
})

test.each([
  'klines symbol=BTCUSDT&interval=1d&timeZone=14:01',
  'klines symbol=BTCUSDT&interval=1d&timeZone=-12:01',
  'klines symbol=BTCUSDT&interval=1d&timeZone=5:60',
  'klines symbol=BTCUSDT&interval=1d&timeZone=UTC',
  'ticker symbol=BTCUSDT&windowSize=60m',
  'ticker symbol=BTCUSDT&windowSize=24h',
  'ticker symbol=BTCUSDT&windowSize=8d',
  'ticker symbol=BTCUSDT&windowSize=1d2h',
  'ticker symbol=BTCUSDT&windowSize=0m',
])('%s is refused', async (request) => {
  const [id, query] = request.split(' ') as [string, string]
  const name = id === 'klines' ? 'timeZone' : 'windowSize'
  expect(await refusalOf(id, query)).toBe(
    `400 -1130 Data sent for parameter '${name}' is not valid.`,
  )
})

test('windows and trading days', async () => {
  const context = new FakeContext()
  context.bar = sampleBar().row()
  const toMs = (Math.floor(NOW_MS / SECOND_MS) + 1) * SECOND_MS
  const fromMs = Math.floor((NOW_MS - 15 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS
  const members = {
    symbol: 'BTCUSDT',
    priceChange: '-576.90000000',
    priceChangePercent: '-3.529',
    weightedAvgPrice: '16428.15000000',
    openPrice: '16347.90000000',
    highPrice: '17000.00000000',
    lowPrice: '15771.00000000',
    lastPrice: '15771.00000000',
    volume: '0.10000000',
    quoteVolume: '1642.81500000',
    firstId: 100,
    lastId: 102,
    count: 3,
  }
  expect(await answerOf(context, 'ticker', 'symbol=BTCUSDT&windowSize=15m')).toEqual({
    ...members,
    openTime: fromMs,
    closeTime: NOW_MS,
  })
  expect(context.asked.window).toEqual({ symbolId: SymbolId(0), fromMs, toMs })
  const openTime = Math.floor(NOW_MS / DAY_MS) * DAY_MS
  expect(await answerOf(context, 'tickerTradingDay', 'symbols=["BTCUSDT"]')).toEqual([
    { ...members, openTime, closeTime: openTime + DAY_MS - 1 },
  ])
  const { priceChangePercent: _, weightedAvgPrice: _average, ...mini } = members
  expect(await answerOf(context, 'ticker', 'symbol=BTCUSDT&windowSize=15m&type=MINI')).toEqual({
    ...mini,
    openTime: fromMs,
    closeTime: NOW_MS,
  })
})

test('what is missing or too much', async () => {
  const either = "400 -1102 Param 'symbol' or 'symbols' must be sent, but both were empty/null!"
  expect(await refusalOf('ticker', '')).toBe(either)
  expect(await refusalOf('klines', 'symbol=NOSUCH&interval=1d')).toBe('400 -1121 Invalid symbol.')
  expect(await refusalOf('ticker', 'symbol=NOSUCH')).toBe('400 -1121 Invalid symbol.')
  const context = new FakeContext()
  context.historyFailure = new Error('the archive is damaged')
  expect(await refusalOf('klines', 'symbol=BTCUSDT&interval=1d', context)).toMatch(/^504 -1007 /)
})

test('block trades', async () => {
  const context = new FakeContext()
  const trade = { blockTradeId: 582, priceTicks: Ticks(5_200), lots: Lots(5_838), timeMs: NOW_MS }
  context.blockTrades = [{ ...trade, quoteAtoms: QuoteAtoms(30_357_600) }]
  const query = 'symbol=BTCUSDT&fromId=7&limit=1000'
  expect(await answerOf(context, 'historicalBlockTrades', query)).toEqual([
    {
      id: 582,
      price: '52.00000000',
      qty: '0.05838000',
      quoteQty: '0.30357600',
      time: NOW_MS,
      isBuyerMaker: true,
    },
  ])
  expect(context.asked.blockTrades).toEqual({ symbolId: SymbolId(0), fromId: 7, limit: 1_000 })
  const { weight } = marketHistoryOperations.find(({ id }) => id === 'historicalBlockTrades')!
  expect(weight).toBe(25)
})

test.each([
  ['ticker', 1, 2],
  ['ticker', 50, 100],
  ['ticker', 51, 100],
  ['tickerTradingDay', 3, 12],
  ['tickerTradingDay', 60, 200],
] as const)('%s of %i symbols weighs %i', (id, count, weight) => {
  const row = marketHistoryOperations.find((operation) => operation.id === id)!
  const symbols = `[${Array.from({ length: count }, (_, i) => `"S${i}"`).join()}]`
  const text = (slot: number) => (slot === Param.symbols ? symbols : undefined)
  const weigh = row.weight as (params: unknown) => number
  expect(weigh({ text })).toBe(weight)
})

afterAll(() => asking.expectAllOf(marketHistoryOperations))
