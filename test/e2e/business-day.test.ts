/**
 * A business day by a schedule: an opening auction, trading, a closing auction whose price is the official close,
 * and the night. Nothing expires, and a kill loses neither the close nor an order.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { act } from './admin-server.ts'
import { FrameLog } from './frame-log.ts'
import { stageExchange } from './staged-exchange.ts'
import { Trader } from './trader.ts'

const MINUTE_MS = 60_000
const SYMBOL = 'BTCUSDT'
const PHASES = [
  ...['12:10 PRE_TRADING', '12:20 AUCTION_MATCH', '12:25 TRADING', '17:30 AUCTION_MATCH'],
  ...['17:35 POST_TRADING', '20:00 END_OF_DAY'],
]
/** Noon, UTC, when it starts. */
const clock = new ExchangeClock('runs')
const funds = { BTC: 100, USDT: 10_000_000 }

let exchange: ExchangeProcess
let [alice, bob]: Trader[] = []
beforeAll(async () => {
  const stage = {
    assets: ['BTC', 'USDT'],
    symbols: [{ name: SYMBOL }],
    accounts: { alice: { funds }, bob: { funds } },
  }
  exchange = await stageExchange(stage, FEW_THREADS, clock)
  await exchange.run()
  ;[alice, bob] = [new Trader(exchange, 'alice'), new Trader(exchange, 'bob')]
})
afterAll(() => exchange?.remove())

const limit = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }
const buy = (price: number, more = {}) => alice!.place({ ...limit, side: 'BUY', price, ...more })
const sell = (price: number, more = {}) => bob!.place({ ...limit, side: 'SELL', price, ...more })
const read = async (path: string) => (await fetch(`${exchange.url}/api/v3/${path}`)).json()
async function reach(status: string, minutes: number): Promise<void> {
  await clock.advance(minutes * MINUTE_MS)
  await eventually(status, async () => {
    const { symbols } = (await read('exchangeInfo')) as { symbols: { status: string }[] }
    return symbols[0]!.status === status || undefined
  })
}
interface Auction {
  readonly last: { readonly price: string }
  readonly close: { readonly price: string; readonly time: number }
}
const auction = async () => (await read(`auction?symbol=${SYMBOL}`)) as Auction

test('a day opens, closes at the price of its auction, and nothing expires', async () => {
  await act(exchange, 'schedule-set', { schedule: 'day', symbols: SYMBOL, phases: PHASES.join() })
  await reach('PRE_TRADING', 11)
  await buy(20_100)
  await sell(20_000)
  const kept = await buy(15_000)
  await reach('AUCTION_MATCH', 10)
  await reach('TRADING', 5)
  expect((await auction()).last.price).not.toBe('0.00000000')
  expect((await auction()).close).toEqual({ price: '0.00000000', time: 0 })
  await sell(20_200)
  expect(await buy(20_200)).toMatchObject({ status: 'FILLED' })

  await reach('AUCTION_MATCH', 305)
  await buy(20_500, { quantity: 2 })
  await sell(20_300, { quantity: 2 })
  const stream = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@auction`)
  await reach('POST_TRADING', 5)
  const trades = (await read(`trades?symbol=${SYMBOL}`)) as { price: string }[]
  const closing = trades.at(-1)!.price
  const { close } = await auction()
  expect(close).toEqual({ price: closing, time: expect.any(Number) })
  expect(new Date(close.time).toISOString()).toMatch(/T17:3[5-7]:/)
  const told = await stream.first('the close', ({ c }) => (c as { p: string }).p === closing)
  expect(told.c).toEqual({ p: closing, T: close.time })
  await stream.close()

  await reach('END_OF_DAY', 150)
  expect((await auction()).close).toEqual(close)
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect((await auction()).close).toEqual(close)
  expect(await alice!.order(SYMBOL, kept.orderId)).toMatchObject({ status: 'NEW' })
  expect(
    await alice!.ask('DELETE', '/api/v3/order', { symbol: SYMBOL, orderId: Number(kept.orderId) }),
  ).toMatchObject({ status: 'CANCELED' })
})

test('a downtime over calls holds their auctions at the start, and has the close of its day', async () => {
  await act(exchange, 'symbol-phases', { symbol: SYMBOL, 'random-end': 30 })
  const changes = async () => {
    const { rows } = await act(exchange, 'log', { limit: 100 })
    return rows.filter(({ action }) => action === 'schedule-run').length
  }
  await reach('PRE_TRADING', 16 * 60 + 8)
  const buyer = await buy(21_000, { quantity: 2 })
  await sell(20_800)
  const made = await changes()
  await exchange.stop('SIGKILL')
  await clock.advance(20 * MINUTE_MS)
  await exchange.run()
  await reach('TRADING', 0)
  expect(await changes()).toBe(made + 2)
  const trades = (await read(`trades?symbol=${SYMBOL}`)) as { price: string }[]
  expect(trades.at(-1)!.price).toBe('21000.00000000')
  expect(await alice!.order(SYMBOL, buyer.orderId)).toMatchObject({ status: 'PARTIALLY_FILLED' })
  await sell(21_000)
  expect((await alice!.order(SYMBOL, buyer.orderId)).status).toBe('FILLED')

  const before = Date.now()
  await exchange.stop('SIGKILL')
  await clock.advance((2 * 24 * 60 - 11) * MINUTE_MS)
  await exchange.run()
  await reach('AUCTION_MATCH', 0)
  // The rest of that day, nothing of the day between, and two of the last one.
  expect(await changes()).toBe(made + 2 + 3 + 2)
  const { close } = await auction()
  expect(close.price).toBe('21000.00000000')
  expect(close.time - before).toBeGreaterThan(0)
})
