/**
 * A machine whose clock was an hour ahead and was put right: while the exchange runs, and before it
 * starts again, from its journal and from a snapshot with nothing behind it. What is queried is served at
 * once; trades keep the journal's time until the clock catches up, which the log shows.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { operate } from './command-line.ts'
import { FrameLog } from './frame-log.ts'
import { Trader } from './trader.ts'

const HOUR_MS = 3_600_000
const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }

const clock = new ExchangeClock('runs')
let exchange: ExchangeProcess
/** The time of the last trade so far. */
let lastMs = 0

beforeAll(async () => {
  await clock.advance(HOUR_MS)
  exchange = await ExchangeProcess.start(FEW_THREADS, clock)
})
afterAll(() => exchange?.remove())

/** A trade, whose time is that of the journal; an order that rests, and its cancel. */
async function trade(): Promise<number> {
  const [maker, taker] = Object.keys(exchange.keys()).map((name) => new Trader(exchange, name))
  await maker!.place({ ...LIMIT, side: 'SELL', price: 50_000 })
  const filled = await taker!.place({ ...LIMIT, side: 'BUY', price: 50_000 })
  expect(filled).toMatchObject({ status: 'FILLED' })
  const rested = await taker!.place({ ...LIMIT, side: 'BUY', price: 40_000 })
  const { symbol, orderId } = rested as { symbol: string; orderId: number }
  const canceled = await taker!.ask('DELETE', '/api/v3/order', { symbol, orderId })
  expect(canceled).toMatchObject({ status: 'CANCELED' })
  return filled.transactTime as number
}

async function get(path: string): Promise<unknown> {
  const response = await fetch(`${exchange.url}/api/v3/${path}`)
  const body = await response.json()
  expect([response.status, response.status === 200 ? '' : body], path).toEqual([200, ''])
  return body
}

/** What is shown of trades that lie ahead of the clock. */
async function checkMarket(trades: number): Promise<void> {
  const shown = (await get(`trades?symbol=${SYMBOL}`)) as { time: number }[]
  expect(shown).toHaveLength(trades)
  expect(await get(`avgPrice?symbol=${SYMBOL}`)).toMatchObject({ price: '50000.00000000' })
  const day = await get(`ticker/24hr?symbol=${SYMBOL}`)
  expect(day).toMatchObject({ lastPrice: '50000.00000000', count: trades })
  // What comes from the archive shows these trades once the clock has reached them.
  for (const path of ['ticker', 'ticker/tradingDay']) await get(`${path}?symbol=${SYMBOL}`)
  for (const interval of ['1s', '1m', '1d']) {
    const rows = (await get(`klines?symbol=${SYMBOL}&interval=${interval}`)) as number[][]
    expect(rows.reduce((sum, row) => sum + row[8]!, 0)).toBe(trades)
  }
  const stream = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@kline_1m/btcusdt@avgPrice`)
  await stream.first('a kline', ({ e }) => e === 'kline')
  await stream.close()
}

async function lagMs(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)).text()
  const values = [...text.matchAll(/^ringbook_matcher_clock_lag\S* (\S+)$/gm)]
  expect(values.length, text).toBeGreaterThan(0)
  return Math.max(...values.map(([, value]) => Number(value)))
}

const warned = () => exchange.output.includes("s behind the journal's last time")

test('is served as before when its clock is put right while it runs', async () => {
  lastMs = await trade()
  expect(warned()).toBe(false)
  const streams = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@trade`)
  await clock.advance(-HOUR_MS)
  const nextMs = await trade()
  expect(nextMs).toBeGreaterThanOrEqual(lastMs)
  expect(nextMs - clock.nowMs()).toBeGreaterThan(HOUR_MS / 2)
  await streams.first('a trade', ({ T }) => T === nextMs)
  await eventually('a warning', () => warned() || undefined)
  expect(streams.closed).toBe(false)
  expect(await lagMs()).toBeGreaterThan(HOUR_MS / 2)
  await streams.close()
  await checkMarket(2)
})

test.each([
  ['its journal', false, 'SIGKILL'],
  ['a snapshot with nothing behind it', true, 'SIGTERM'],
] as const)('is served at once after a start from %s', async (_, makesSnapshot, signal) => {
  if (makesSnapshot) await operate(exchange, 'snapshot')
  await exchange.stop(signal)
  await exchange.run()
  await eventually('a warning', () => warned() || undefined)
  const nextMs = await trade()
  expect(nextMs).toBeGreaterThanOrEqual(lastMs)
  await checkMarket(makesSnapshot ? 4 : 3)
  expect(exchange.output).not.toContain('"level":50')
})

test('is served when the clock catches up, and then some', async () => {
  await clock.advance(2 * HOUR_MS)
  const nextMs = await trade()
  expect(nextMs - clock.nowMs()).toBeLessThan(HOUR_MS / 2)
  await eventually('no lag', async () => (await lagMs()) === 0 || undefined)
  const said = "the clock has caught up with the journal's last time"
  await eventually('the log says so', () => exchange.output.includes(said) || undefined)
})
