/**
 * The clock of a real process is wrong: for a moment while it runs, at a start, and believed by mistake, which
 * clock-correct takes back. Several matchers and gateways see one time.
 */
import { afterEach, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { DAY_MS } from '../../src/market/intervals.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'

const FLAGS = ['--matchers', '2', '--gateways', '2']
const WRONG_MS = 400 * DAY_MS
const SYMBOLS = ['BTCUSDT', 'ETHUSDT']
/** A slow machine is no matter here. */
const WINDOW = { recvWindow: 60_000 }
const LIMIT = { ...WINDOW, type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }

let exchange: ExchangeProcess
/** How far the machine's clock is ahead of the true one. */
let wrongMs = 0
afterEach(() => exchange?.remove())

async function begin(): Promise<ExchangeClock> {
  const clock = new ExchangeClock('runs', true)
  wrongMs = 0
  exchange = await ExchangeProcess.start(FLAGS, clock)
  return clock
}

async function step(clock: ExchangeClock, ms: number): Promise<void> {
  wrongMs += ms
  await clock.advance(ms)
}

const health = async (): Promise<{ ready: boolean; degraded?: string[] }> =>
  (await (await fetch(`http://127.0.0.1:${exchange.adminPort}/readyz`)).json()) as never

const doubted = () =>
  eventually('the doubt', async () => ((await health()).degraded ? true : undefined))
const believed = () =>
  eventually('no doubt', async () => ((await health()).degraded ? undefined : true))

/** Sends an account's request with the exchange's time, as clients do that fetch it. */
async function ask(name: string, method: string, path: string, params: object) {
  const { serverTime } = await get<{ serverTime: number }>('time')
  const client = new SignedClient(exchange.url, exchange.keys()[name]!, () => serverTime)
  return (await client.send(method, `/api/v3/${path}`, { ...WINDOW, ...params })).body
}

/** A trade on each symbol, so by each matcher. Returns how far each is ahead of the true time, in whole days. */
async function trade(clock: ExchangeClock): Promise<number[]> {
  const days: number[] = []
  for (const symbol of SYMBOLS) {
    const order = { ...LIMIT, symbol, price: 3_000 }
    await ask('maker', 'POST', 'order', { ...order, side: 'SELL' })
    const filled = await ask('taker', 'POST', 'order', { ...order, side: 'BUY' })
    expect(filled).toMatchObject({ status: 'FILLED' })
    const aheadMs = (filled.transactTime as number) - (clock.nowMs() - wrongMs)
    // Not -0.
    days.push(Math.round(aheadMs / DAY_MS) + 0)
  }
  return days
}

/** Each gateway answers 503 until the archive is made again and it has read the trades there. */
async function get<T>(target: string): Promise<T> {
  const response = await eventually(target, async () => {
    const answer = await fetch(`${exchange.url}/api/v3/${target}`)
    return answer.status === 503 ? undefined : answer
  })
  expect(response.status, target).toBe(200)
  return (await response.json()) as T
}

async function candles(symbol: string): Promise<readonly number[][]> {
  return get<number[][]>(`klines?symbol=${symbol}&interval=1d&endTime=4000000000000`)
}

test('400 days for a moment stamp nothing, also not after a restart', async () => {
  const clock = await begin()
  expect(await trade(clock)).toEqual([0, 0])
  await step(clock, WRONG_MS)
  await doubted()
  const { ready, degraded } = await health()
  expect(ready).toBe(true)
  expect(degraded).toEqual([expect.stringContaining('400.0 days ahead')])
  expect(exchange.output.split('which does not follow it')).toHaveLength(2)
  const { rows } = await act(exchange, 'status', {})
  expect(rows).toContainEqual(expect.objectContaining({ what: "machine's clock ahead by" }))
  expect(await trade(clock)).toEqual([0, 0])
  await step(clock, -WRONG_MS)
  await believed()
  expect(await trade(clock)).toEqual([0, 0])
  await exchange.stop()
  await exchange.run()
  expect(await trade(clock)).toEqual([0, 0])
  expect(await candles('BTCUSDT')).toHaveLength(1)
})

test('a start that is 400 days ahead takes no order, but cancels and queries, until the flag or the action', async () => {
  const clock = await begin()
  await trade(clock)
  const key = exchange.keys().maker!
  const { url } = exchange
  const byMachine = new SignedClient(url, key, () => clock.nowMs())
  const byTruth = new SignedClient(url, key, () => clock.nowMs() - wrongMs)
  const order = { ...LIMIT, symbol: 'BTCUSDT', side: 'BUY' }
  const place = (price: number) => byTruth.send('POST', '/api/v3/order', { ...order, price })
  const resting = await place(1_000)
  const other = await place(1_001)
  await exchange.stop()
  await step(clock, WRONG_MS)
  await exchange.run()
  expect((await health()).degraded).toEqual([expect.stringContaining('no order is taken')])
  expect(await place(1_002)).toMatchObject({
    status: 400,
    body: { code: -2010, msg: 'Market is closed.' },
  })
  // Clients with the true time may ask and cancel, and so may clients with the machine's.
  const { symbol } = order
  expect(
    (await byTruth.send('GET', '/api/v3/openOrders', { ...WINDOW, symbol })).body,
  ).toHaveLength(2)
  for (const [client, { body }] of [
    [byTruth, resting],
    [byMachine, other],
  ] as const) {
    const target = { ...WINDOW, symbol, orderId: body.orderId as number }
    const canceled = await client.send('DELETE', '/api/v3/order', target)
    expect(canceled.body).toMatchObject({ status: 'CANCELED' })
  }
  await exchange.stop()
  await exchange.run(['--accept-clock', 'on'])
  expect((await health()).degraded).toBeUndefined()
  await exchange.stop()
  await step(clock, -WRONG_MS)
  await exchange.run()
  // Only control facts have the wrong time.
  expect(await trade(clock)).toEqual([0, 0])
})

test('a clock that an operator believed by mistake is taken back', async () => {
  const clock = await begin()
  expect(await trade(clock)).toEqual([0, 0])
  await step(clock, WRONG_MS)
  await doubted()
  await act(exchange, 'clock-accept', {})
  expect(await trade(clock)).toEqual([400, 400])
  await step(clock, -WRONG_MS)
  await eventually('a time that goes back', async () => {
    const { serverTime } = await get<{ serverTime: number }>('time')
    return serverTime - clock.nowMs() < DAY_MS || undefined
  })
  expect(await trade(clock)).toEqual([400, 400])
  expect((await candles('BTCUSDT')).length).toBe(401)
  const resting = { ...LIMIT, symbol: 'BTCUSDT', side: 'BUY', price: 1_000 }
  await ask('maker', 'POST', 'order', resting)
  await act(exchange, 'snapshot', {})
  const trades = await get<{ id: number; time: number }[]>('trades?symbol=BTCUSDT')
  const { said } = await act(exchange, 'clock-correct', {})
  expect(said).toContain('corrected by 400.0 days')
  await checkCorrected(clock, trades.length)
  await exchange.stop('SIGKILL')
  await exchange.run(['--matchers', '1'])
  await checkCorrected(clock, trades.length + 1)
  await act(exchange, 'snapshot', {})
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(exchange.output).toContain('continues from a snapshot')
  await checkCorrected(clock, trades.length + 2)
})

/** Everything has the true time, in the order in which it happened. */
async function checkCorrected(clock: ExchangeClock, count: number): Promise<void> {
  expect(await trade(clock)).toEqual([0, 0])
  const trades = await get<{ id: number; time: number }[]>('trades?symbol=BTCUSDT')
  expect(trades).toHaveLength(count + 1)
  expect(trades.map(({ id }) => id)).toEqual(trades.map((_, i) => i + 1))
  expect(trades.map(({ time }) => time)).toEqual(trades.map(({ time }) => time).sort())
  expect(Math.max(...trades.map(({ time }) => time))).toBeLessThanOrEqual(clock.nowMs())
  const history = await get<{ time: number }[]>('historicalTrades?symbol=BTCUSDT&fromId=0')
  expect(history).toEqual(trades)
  const rows = await candles('BTCUSDT')
  expect(rows.reduce((sum, row) => sum + row[8]!, 0)).toBe(count + 1)
  expect(rows.length).toBeLessThanOrEqual(2)
  const open = await ask('maker', 'GET', 'openOrders', { symbol: 'BTCUSDT' })
  expect(open).toMatchObject([{ price: '1000.00000000' }])
  expect((open as unknown as { time: number }[])[0]!.time).toBeLessThanOrEqual(clock.nowMs())
  expect(await get('ticker/24hr?symbol=BTCUSDT')).toMatchObject({ count: count + 1 })
}
