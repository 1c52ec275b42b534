/** Market data of a running exchange beside what its public trades come to, before and after a restart. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { Ms } from '../../src/base/units.ts'
import {
  DAY_MS,
  HOUR_MS,
  Interval,
  intervalAfter,
  intervalOpen,
  MINUTE_MS,
} from '../../src/market/intervals.ts'
import { eventually } from '../fixtures/eventually.ts'
import { restClient } from './ccxt-clients.ts'
import { decimal, type PublicTrade, rounded, sum, summary, units } from './public-trades.ts'
import { Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
const ROUNDS = 40

let exchange: ExchangeProcess
let trades: PublicTrade[]

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${exchange.url}/api/v3/${path}`)
  const text = await response.text()
  expect(response.status, `${path}: ${text}`).toBe(200)
  return JSON.parse(text) as T
}

/**
 * Makers on both sides, then takers who sweep some of them: several trades of one taker and price.
 * Returns the id of the last one.
 */
async function trade(): Promise<number> {
  let lastId = 0
  const maker = new Trader(exchange, 'maker')
  const taker = new Trader(exchange, 'taker')
  const limit = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }
  for (let round = 0; round < ROUNDS; round++) {
    const side = round % 3 === 0 ? 'SELL' : 'BUY'
    const price = 30_000 + ((round * 7919) % 1000)
    for (const [step, quantity] of ['0.011', '0.012', '0.013'].entries()) {
      const better = side === 'SELL' ? price + (step >> 1) : price - (step >> 1)
      await maker.place({ ...limit, side, quantity, price: better })
    }
    const other = side === 'SELL' ? 'BUY' : 'SELL'
    const { fills } = await taker.place({
      ...limit,
      side: other,
      quantity: '0.0345',
      price: side === 'SELL' ? price + 5 : price - 5,
    })
    lastId = (fills as { tradeId: number }[]).at(-1)!.tradeId
    await maker.ask('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  }
  return lastId
}

beforeAll(async () => {
  exchange = await ExchangeProcess.start(['--gateways', '1'], new ExchangeClock('runs'))
  const lastId = await trade()
  trades = await eventually('the last trade', async () => {
    const found = await get<PublicTrade[]>(`trades?symbol=${SYMBOL}&limit=1000`)
    return found.at(-1)?.id === lastId ? found : undefined
  })
})
afterAll(() => exchange?.remove())

const zones = [
  ['0', 0],
  ['8', 8 * HOUR_MS],
  ['-12:00', -12 * HOUR_MS],
  ['05:45', 5 * HOUR_MS + 45 * MINUTE_MS],
  ['%2B14:00', 14 * HOUR_MS],
] as const

describe.each(['as traded', 'after a restart'])('%s', (when) => {
  beforeAll(async () => {
    if (when !== 'after a restart') return
    await exchange.stop('SIGKILL')
    await exchange.run()
  })

  test('trades and old trades are the same', async () => {
    expect(trades.length).toBeGreaterThan(2 * ROUNDS)
    expect(await get(`historicalTrades?symbol=${SYMBOL}&limit=1000`)).toEqual(trades)
    const some = await get(`historicalTrades?symbol=${SYMBOL}&fromId=${trades[5]!.id}&limit=7`)
    expect(some).toEqual(trades.slice(5, 12))
  })

  test('aggregate trades sum up a taker at one price', async () => {
    const rows = await get<Record<string, unknown>[]>(`aggTrades?symbol=${SYMBOL}&limit=1000`)
    const counts = rows.map((row) => Number(row.l) - Number(row.f) + 1)
    expect(counts.reduce((total, count) => total + count, 0)).toBe(trades.length)
    expect(Math.max(...counts)).toBeGreaterThan(1)
    for (const row of rows) {
      const parts = trades.filter(({ id }) => id >= Number(row.f) && id <= Number(row.l))
      const [first] = parts
      expect(row).toEqual({
        a: expect.any(Number),
        p: first!.price,
        q: sum(parts.map((part) => part.qty)),
        f: first!.id,
        l: parts.at(-1)!.id,
        T: first!.time,
        m: first!.isBuyerMaker,
        M: true,
      })
      for (const part of parts) expect(part.price).toBe(first!.price)
    }
    expect(await get(`aggTrades?symbol=${SYMBOL}&fromId=3&limit=2`)).toEqual(rows.slice(2, 4))
    const at = trades[20]!.time
    expect(await get(`aggTrades?symbol=${SYMBOL}&startTime=${at}&limit=1000`)).toEqual(
      rows.filter((row) => Number(row.T) >= at),
    )
  })

  test.each(Object.keys(Interval))('klines of %s', async (name) => {
    const interval = Interval[name as keyof typeof Interval]
    for (const [zone, offsetMs] of name === '1s' ? zones.slice(0, 1) : zones) {
      const startTime = intervalOpen(interval, Ms(trades[0]!.time), offsetMs)
      const query = `symbol=${SYMBOL}&interval=${name}&timeZone=${zone}&startTime=${startTime}&limit=1000`
      const rows = await get<(string | number)[][]>(`klines?${query}`)
      expect(await get(`uiKlines?${query}`)).toEqual(expect.arrayContaining(rows.slice(0, -1)))
      expect(rows.length).toBeGreaterThan(0)
      let close = trades[0]!.price
      for (const row of rows) {
        const openMs = Number(row[0])
        const nextMs = intervalAfter(interval, Ms(openMs), offsetMs, 1)
        const inside = trades.filter(({ time }) => time >= openMs && time < nextMs)
        const zero = '0.00000000'
        const traded = inside.length > 0 ? summary(inside) : undefined
        close = traded?.close ?? close
        expect(row).toEqual([
          intervalOpen(interval, Ms(openMs), offsetMs),
          traded?.open ?? close,
          traded?.high ?? close,
          traded?.low ?? close,
          close,
          traded?.volume ?? zero,
          nextMs - 1,
          traded?.quote ?? zero,
          inside.length,
          traded?.takerVolume ?? zero,
          traded?.takerQuote ?? zero,
          '0',
        ])
      }
      expect(rows.reduce((total, row) => total + Number(row[8]), 0)).toBe(trades.length)
    }
  })

  test.each([
    ['ticker/24hr', '', DAY_MS],
    ['ticker', '', DAY_MS],
    ['ticker', '&windowSize=7d', 7 * DAY_MS],
    ['ticker', '&windowSize=59m', 59 * MINUTE_MS],
    ['ticker/tradingDay', '&timeZone=0', undefined],
  ] as const)('%s%s', async (path, parameters, windowMs) => {
    const all = summary(trades)
    const ticker = await get<Record<string, unknown>>(`${path}?symbol=${SYMBOL}${parameters}`)
    const openTime = Number(ticker.openTime)
    if (windowMs === undefined) {
      expect(openTime).toBe(intervalOpen(Interval['1d'], Ms(trades.at(-1)!.time), 0))
      expect(ticker.closeTime).toBe(openTime + DAY_MS - 1)
    } else {
      const lengthMs = Number(ticker.closeTime) - openTime
      // The 24 hours begin at a millisecond, rolling windows at a minute.
      if (path === 'ticker/24hr') expect(lengthMs).toBe(windowMs)
      else expect(openTime % MINUTE_MS).toBe(0)
      expect(lengthMs).toBeGreaterThanOrEqual(windowMs)
      expect(lengthMs).toBeLessThan(windowMs + MINUTE_MS)
    }
    const change = units(all.close) - units(all.open)
    expect(ticker).toMatchObject({
      symbol: SYMBOL,
      priceChange: decimal(change),
      priceChangePercent: decimal(rounded(change * 100_000n, units(all.open)), 3),
      weightedAvgPrice: decimal(rounded(units(all.quote) * 10n ** 8n, units(all.volume))),
      openPrice: all.open,
      highPrice: all.high,
      lowPrice: all.low,
      lastPrice: all.close,
      volume: all.volume,
      quoteVolume: all.quote,
      firstId: trades[0]!.id,
      lastId: trades.at(-1)!.id,
      count: all.count,
    })
    const mini = await get<Record<string, unknown>>(
      `${path}?symbol=${SYMBOL}${parameters}&type=MINI`,
    )
    for (const name of ['priceChangePercent', 'weightedAvgPrice', 'bidPrice', 'lastQty']) {
      expect(mini).not.toHaveProperty(name)
    }
    expect(ticker).toMatchObject({
      ...mini,
      closeTime: ticker.closeTime,
      openTime: ticker.openTime,
    })
    const several = `%5B%22ETHUSDT%22%2C%22${SYMBOL}%22%5D`
    const list = await get<Record<string, unknown>[]>(`${path}?symbols=${several}${parameters}`)
    expect(list.map((one) => one.symbol)).toEqual(['ETHUSDT', SYMBOL])
    expect(list[0]).toMatchObject({ count: 0, firstId: -1, lastId: -1, volume: '0.00000000' })
  })

  test('ccxt reads all of it', async () => {
    const client = restClient(exchange)
    const ohlcv = await client.fetchOHLCV('BTC/USDT', '1m', trades[0]!.time - MINUTE_MS)
    expect(ohlcv.reduce((total, row) => total + Number(row[5]), 0)).toBeCloseTo(
      Number(summary(trades).volume),
      8,
    )
    const ticker = await client.fetchTicker('BTC/USDT')
    expect(ticker).toMatchObject({ symbol: 'BTC/USDT', last: Number(summary(trades).close) })
    expect(Object.keys(await client.fetchTickers())).toHaveLength(6)
    const fetched = await client.fetchTrades('BTC/USDT', undefined, 1000)
    expect(fetched.length).toBeGreaterThan(ROUNDS)
  })
})
