/** Each unified call of ccxt that an exchange of spot orders has, with each of its usual arguments. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { binanceus } from 'ccxt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import type { LoopExchange } from '../fixtures/loop-exchange.ts'
import { globalClient, printedSettings, restClient } from './ccxt-clients.ts'
import { startGrouped } from './grouped-symbols.ts'

const SYMBOL = 'BTC/USDT'
const root = path.resolve(import.meta.dirname, '../..')

let exchange: LoopExchange
let maker: binanceus
let taker: binanceus
/** When the first order was sent, and an order of the taker that was filled. */
let since = 0
let filled = ''

beforeAll(async () => {
  exchange = await startGrouped(['--unsigned-system-status', 'on'])
  maker = restClient(exchange, 'maker')
  taker = restClient(exchange, 'taker')
  since = Date.now() - 1_000
  for (const price of [50_000, 50_010, 50_020]) {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 1, price)
    await maker.createOrder(SYMBOL, 'limit', 'buy', 1, price - 1_000)
  }
  filled = (await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 50_000)).id as string
  const { id } = (await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000)) as { id: string }
  await taker.cancelOrder(id, SYMBOL)
  await eventually('the trade', async () => (await taker.fetchMyTrades(SYMBOL))[0])
})
afterAll(() => exchange?.remove())

type Call = (client: binanceus) => Promise<unknown>
const until = () => ({ until: Date.now() + 1_000 })

/** Calls that return lists; each list has a row here. */
const lists: Readonly<Record<string, readonly Call[]>> = {
  fetchMarkets: [(it) => it.fetchMarkets()],
  fetchTickers: [(it) => it.fetchTickers(), (it) => it.fetchTickers([SYMBOL, 'ETH/USDT'])],
  fetchBidsAsks: [(it) => it.fetchBidsAsks(), (it) => it.fetchBidsAsks([SYMBOL])],
  fetchLastPrices: [(it) => it.fetchLastPrices(), (it) => it.fetchLastPrices([SYMBOL])],
  fetchOHLCV: [
    (it) => it.fetchOHLCV(SYMBOL),
    (it) => it.fetchOHLCV(SYMBOL, '5m', since - 300_000),
    (it) => it.fetchOHLCV(SYMBOL, '1h', undefined, 10),
    (it) => it.fetchOHLCV(SYMBOL, '1d', since - 86_400_000, 10, until()),
    (it) => it.fetchOHLCV(SYMBOL, '1m', since - 60_000, 5, { paginate: true }),
  ],
  fetchTrades: [
    (it) => it.fetchTrades(SYMBOL),
    (it) => it.fetchTrades(SYMBOL, since),
    (it) => it.fetchTrades(SYMBOL, undefined, 5),
    (it) => it.fetchTrades(SYMBOL, since, 5),
    (it) => it.fetchTrades(SYMBOL, since, 5, until()),
    (it) => it.fetchTrades(SYMBOL, undefined, 5, { fromId: 0 }),
    (it) => it.fetchTrades(SYMBOL, undefined, 5, { fetchTradesMethod: 'publicGetTrades' }),
    (it) =>
      it.fetchTrades(SYMBOL, undefined, 5, { fetchTradesMethod: 'publicGetHistoricalTrades' }),
  ],
  fetchOrders: [
    (it) => it.fetchOrders(SYMBOL),
    (it) => it.fetchOrders(SYMBOL, since),
    (it) => it.fetchOrders(SYMBOL, undefined, 5),
    (it) => it.fetchOrders(SYMBOL, since, 5, until()),
    (it) => it.fetchOrders(SYMBOL, undefined, undefined, { orderId: 1 }),
  ],
  fetchClosedOrders: [
    (it) => it.fetchClosedOrders(SYMBOL),
    (it) => it.fetchClosedOrders(SYMBOL, since, 5),
  ],
  fetchCanceledOrders: [
    (it) => it.fetchCanceledOrders(SYMBOL),
    (it) => it.fetchCanceledOrders(SYMBOL, since, 5),
  ],
  fetchCanceledAndClosedOrders: [(it) => it.fetchCanceledAndClosedOrders(SYMBOL, since, 5)],
  fetchMyTrades: [
    (it) => it.fetchMyTrades(SYMBOL),
    (it) => it.fetchMyTrades(SYMBOL, since),
    (it) => it.fetchMyTrades(SYMBOL, undefined, 5),
    (it) => it.fetchMyTrades(SYMBOL, since, 5, until()),
    (it) => it.fetchMyTrades(SYMBOL, undefined, undefined, { orderId: filled }),
    (it) => it.fetchMyTrades(SYMBOL, undefined, undefined, { fromId: 1 }),
  ],
  fetchOrderTrades: [
    (it) => it.fetchOrderTrades(filled, SYMBOL),
    (it) => it.fetchOrderTrades(filled, SYMBOL, undefined, 5),
  ],
}

const rows = (found: unknown): number =>
  Array.isArray(found) ? found.length : Object.keys(found as object).length

test.each(Object.entries(lists))('%s returns rows whatever is asked', async (_, calls) => {
  for (const call of calls) expect(rows(await call(taker)), String(call)).toBeGreaterThan(0)
})

test('calls of one answer', async () => {
  expect(await taker.fetchTime()).toBeGreaterThanOrEqual(since)
  expect(await taker.fetchStatus()).toMatchObject({ status: 'ok' })
  expect(await taker.fetchTicker(SYMBOL)).toMatchObject({ last: 50_000 })
  await taker.fetchCurrencies()
  for (const limit of [undefined, 5, 5_000]) {
    expect(await taker.fetchOrderBook(SYMBOL, limit)).toMatchObject({ symbol: SYMBOL })
  }
  expect(await taker.fetchBalance()).toHaveProperty('USDT')
  expect(await taker.fetchOrder(filled, SYMBOL)).toMatchObject({ status: 'closed' })
  expect(await taker.fetchTradingFee(SYMBOL)).toMatchObject({ symbol: SYMBOL })
  expect(await taker.fetchTradingFees()).toHaveProperty([SYMBOL])
  expect(await taker.fetchOpenOrders()).toEqual([])
  expect(await taker.fetchOpenOrders(SYMBOL, since, 5)).toEqual([])
})

/** Orders that rest, by the arguments that make them. */
const resting: Readonly<Record<string, Call>> = {
  'with its own id': (it) =>
    it.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000, { clientOrderId: 'mine-1' }),
  'good till canceled': (it) =>
    it.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000, { timeInForce: 'GTC' }),
  'post-only': (it) => it.createPostOnlyOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000),
  'a limit order by name': (it) => it.createLimitBuyOrder(SYMBOL, 0.1, 40_000),
  'with a prevention mode': (it) =>
    it.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000, {
      selfTradePrevention: 'EXPIRE_BOTH',
      newOrderRespType: 'FULL',
    }),
  'an iceberg': (it) => it.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000, { icebergQty: 0.05 }),
  'a trigger price': (it) =>
    it.createOrder(SYMBOL, 'limit', 'sell', 0.1, 39_000, { triggerPrice: 39_500 }),
  'a stop loss': (it) =>
    it.createOrder(SYMBOL, 'market', 'sell', 0.1, undefined, { stopLossPrice: 39_500 }),
  'a take profit': (it) =>
    it.createOrder(SYMBOL, 'limit', 'sell', 0.1, 70_000, { takeProfitPrice: 69_000 }),
  'a stop limit by name': (it) => it.createStopLimitOrder(SYMBOL, 'sell', 0.1, 39_000, 39_500),
  'a trailing stop': (it) =>
    it.createOrder(SYMBOL, 'STOP_LOSS', 'sell', 0.1, undefined, { trailingDelta: 100 }),
}

test.each(Object.entries(resting))('an order %s rests, and is canceled', async (_, call) => {
  const { id, clientOrderId } = (await call(taker)) as { id: string; clientOrderId: string }
  expect(await taker.fetchOpenOrders(SYMBOL)).toMatchObject([{ id, status: 'open' }])
  expect(await taker.fetchOrder('', SYMBOL, { clientOrderId })).toMatchObject({ id })
  expect(await taker.cancelOrder('', SYMBOL, { clientOrderId })).toMatchObject({ id })
  expect(await taker.fetchOpenOrders(SYMBOL)).toEqual([])
})

test('orders that trade at once', async () => {
  const closed = { status: 'closed' }
  expect(await taker.createMarketBuyOrder(SYMBOL, 0.01)).toMatchObject(closed)
  expect(await taker.createMarketSellOrder(SYMBOL, 0.01)).toMatchObject(closed)
  expect(await taker.createMarketOrderWithCost(SYMBOL, 'buy', 500)).toMatchObject(closed)
  expect(await taker.createMarketBuyOrderWithCost(SYMBOL, 500)).toMatchObject(closed)
  expect(await taker.createMarketSellOrderWithCost(SYMBOL, 500)).toMatchObject(closed)
  const crossing = (timeInForce: string) =>
    taker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_100, { timeInForce })
  for (const tif of ['IOC', 'FOK']) expect(await crossing(tif)).toMatchObject(closed)
  const test = { test: true }
  await taker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_100, test)
  await taker.createOrder(SYMBOL, 'market', 'buy', 0.01, undefined, test)
})

test('a routed order takes the better price of another book', async () => {
  const client = globalClient(exchange, 'taker')
  const routed = (params = {}) =>
    client.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_100, { sor: true, ...params })
  expect(await routed()).toMatchObject({ status: 'closed', average: 45_000, filled: 0.01 })
  await routed({ test: true })
})

test('orders are edited, and canceled together', async () => {
  const first = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000)
  const edited = await taker.editOrder(first.id as string, SYMBOL, 'limit', 'buy', 0.2, 40_001)
  expect(edited).toMatchObject({ amount: 0.2, price: 40_001 })
  await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_002)
  expect(await taker.cancelAllOrders(SYMBOL)).toHaveLength(2)
})

test('examples print the options of the README', () => {
  const [, options] = /options: (\{.*\}),/.exec(printedSettings)!
  const files = readdirSync(path.join(root, 'examples')).filter((name) => /ccxt.*\.mjs$/.test(name))
  expect(files.length).toBeGreaterThan(1)
  for (const name of files) {
    const text = readFileSync(path.join(root, 'examples', name), 'utf8')
    expect(text, name).toContain(`options: ${options},`)
  }
  const freqtrade = JSON.parse(readFileSync(path.join(root, 'examples/freqtrade.json'), 'utf8'))
  expect(freqtrade.exchange.ccxt_config.options).toEqual(new Function(`return (${options})`)())
})
