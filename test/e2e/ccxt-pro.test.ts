/** Watching with ccxt.pro: the market streams, and the user's own over the WebSocket API. */
import {
  ExchangeClosedByUser,
  type OHLCV,
  type Order,
  OrderNotFound,
  type Ticker,
  type Tickers,
  type Trade,
} from 'ccxt'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BalanceText, balancesFrom, units } from '../../scripts/exchange/amounts.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually, provoked } from '../fixtures/eventually.ts'
import { restClient, streamClient } from './ccxt-clients.ts'

const SYMBOL = 'BTC/USDT'

let exchange: ExchangeProcess
let maker: ReturnType<typeof restClient>
let taker: ReturnType<typeof restClient>
/** Clients of the test that runs, and what it follows with them. */
const watchers: ReturnType<typeof streamClient>[] = []
const followed: Promise<void>[] = []
let isOver = false

async function watcher(account?: string): Promise<ReturnType<typeof streamClient>> {
  const client = streamClient(exchange, account)
  watchers.push(client)
  // The library wants this before it opens an address without TLS.
  await client.loadHttpProxyAgent()
  return client
}

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
  maker = restClient(exchange, 'maker')
  taker = restClient(exchange, 'taker')
  await Promise.all([maker.loadMarkets(), taker.loadMarkets()])
})
afterEach(async () => {
  isOver = true
  await Promise.all(watchers.splice(0).map((client) => client.close()))
  await Promise.all(followed.splice(0))
  isOver = false
})
afterAll(() => exchange?.remove())

test('watchOrderBook follows the book to where fetchOrderBook finds it', async () => {
  const client = await watcher()
  await client.watchOrderBook(SYMBOL)
  for (let step = 0; step < 20; step++) {
    await maker.createOrder(SYMBOL, 'limit', 'buy', 0.1 + step / 100, 40_000 - step)
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.1 + step / 100, 60_000 + step)
  }
  await taker.createOrder(SYMBOL, 'limit', 'sell', 0.15, 39_990)
  const expected = await eventually('the last trade in the book', async () => {
    const found = await taker.fetchOrderBook(SYMBOL)
    const [price, amount] = found.bids[0] ?? []
    return price === 39_999 && Number(amount) < 0.11 ? found : undefined
  })
  const book = await eventually('the watched book catching up', () => {
    const watched = client.orderbooks[SYMBOL]
    return Number(watched?.nonce) >= Number(expected.nonce) ? watched : undefined
  })
  expect(book.nonce).toBe(expected.nonce)
  expect([...book.bids]).toEqual(expected.bids)
  expect([...book.asks]).toEqual(expected.asks)
  await maker.cancelAllOrders(SYMBOL)
})

test('watchTrades sees a trade as fetchTrades tells it', async () => {
  const client = await watcher()
  const seen: Trade[] = []
  follow(async () => seen.push(...(await client.watchTrades(SYMBOL))))
  // The client does not tell when it is subscribed: trade until it sees one.
  await eventually('a trade on the stream', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_000)
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_000)
    return seen.length > 0 || undefined
  })
  const first = seen[0] as Trade
  const told = await eventually('the same trade over REST', async () =>
    (await taker.fetchTrades(SYMBOL)).find((trade) => trade.id === first.id),
  )
  expect(told).toMatchObject({
    price: 50_000,
    amount: 0.01,
    side: 'buy',
    timestamp: first.timestamp,
  })
  expect(first).toMatchObject({ symbol: SYMBOL, price: 50_000, amount: 0.01, side: 'buy' })
})

test('watchTicker, watchTickers and watchOHLCV agree with what is fetched', async () => {
  const client = await watcher()
  // The one kind of ticker shows the best prices, the other does not.
  await maker.createOrder(SYMBOL, 'limit', 'buy', 0.5, 41_000)
  const tickers: Ticker[] = []
  const candles: OHLCV[] = []
  const aggregates: Trade[] = []
  follow(async () => tickers.push(await client.watchTicker(SYMBOL)))
  follow(async () => tickers.push(...Object.values(await client.watchTickers([SYMBOL]))))
  const full = { name: 'ticker' }
  follow(async () => tickers.push(...Object.values(await client.watchTickers(undefined, full))))
  follow(async () => candles.push(...(await client.watchOHLCV(SYMBOL, '1d'))))
  const aggregate = { name: 'aggTrade' }
  follow(async () => {
    aggregates.push(...(await client.watchTrades(SYMBOL, undefined, 1, aggregate)))
  })
  const trade = async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_500)
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_500)
  }
  // The client does not report when it is subscribed: trade until all have arrived.
  await eventually('a ticker, a candle and a trade', async () => {
    await trade()
    return (tickers.length > 8 && candles.length > 1 && aggregates.length > 0) || undefined
  })
  // The client reports one of the frames that arrive together, and no stream sends a trade twice that
  // REST does not have yet: what is not reported is traded and fetched again.
  const { fetched, kinds } = await provoked(
    'the last trade in both kinds of ticker, and in the candle',
    async () => {
      await trade()
      const [candle] = (await taker.fetchOHLCV(SYMBOL, '1d')).slice(-1)
      return { fetched: await taker.fetchTicker(SYMBOL), candle: JSON.stringify(candle) }
    },
    ({ fetched, candle }) => {
      const told = tickers.filter(({ baseVolume }) => baseVolume === fetched.baseVolume)
      const kinds = [false, true].map((isFull) =>
        told.findLast(({ bid }) => (bid !== undefined) === isFull),
      )
      const isTold = candles.some((one) => JSON.stringify(one) === candle)
      return isTold && !kinds.includes(undefined) ? { fetched, kinds } : undefined
    },
  )
  for (const ticker of kinds) {
    const { symbol, last, open, high, low, quoteVolume } = fetched
    expect(ticker).toMatchObject({ symbol, last, open, high, low, quoteVolume })
  }
  expect(aggregates.at(-1)).toMatchObject({ price: 50_500, amount: 0.01, side: 'buy' })
  await maker.cancelAllOrders(SYMBOL)
})

test('watchBidsAsks sees the best prices', async () => {
  const client = await watcher()
  await maker.createOrder(SYMBOL, 'limit', 'buy', 0.5, 41_000)
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.5, 59_000)
  let amount = 0.5
  let seen: Tickers | undefined
  follow(async () => {
    seen = await client.watchBidsAsks([SYMBOL])
  })
  await eventually('a book ticker', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'buy', 0.5, 41_000)
    amount += 0.5
    return seen?.[SYMBOL]?.ask === 59_000 || undefined
  })
  expect(seen?.[SYMBOL]).toMatchObject({ bid: 41_000, ask: 59_000, askVolume: 0.5 })
  expect(seen?.[SYMBOL]?.bidVolume).toBeLessThanOrEqual(amount)
  await maker.cancelAllOrders(SYMBOL)
})

test('watchOrders, watchMyTrades and watchBalance tell the fills to their owner', async () => {
  const client = await watcher('taker')
  await client.loadMarkets()
  await client.authenticate()
  const orders: Order[] = []
  const trades: Trade[] = []
  let free: number | undefined
  follow(async () => orders.push(...(await client.watchOrders(SYMBOL))))
  follow(async () => trades.push(...(await client.watchMyTrades(SYMBOL))))
  follow(async () => {
    free = (await client.watchBalance()).BTC?.free
  })

  // What arrives together with something else may not be reported until more arrives.
  const { placed, closed, trade, before } = await provoked(
    'the fill, in an order, a trade and a balance',
    async () => {
      const open = await taker.fetchOpenOrders(SYMBOL)
      if (open.length > 0) await taker.cancelAllOrders(SYMBOL)
      const before = await taker.fetchBalance()
      await maker.createOrder(SYMBOL, 'limit', 'sell', 0.3, 50_000)
      const placed = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.5, 50_000)
      const after = await taker.fetchBalance()
      return { before, placed, after: after.BTC?.free }
    },
    ({ before, placed, after }) => {
      const closed = orders.find(({ id, filled }) => id === placed.id && filled === 0.3)
      const trade = trades.find(({ order }) => order === placed.id)
      return closed && trade && free === after ? { before, placed, closed, trade } : undefined
    },
  )
  expect(closed).toMatchObject({ symbol: SYMBOL, side: 'buy', status: 'open', remaining: 0.2 })
  expect(trade).toMatchObject({
    order: placed.id,
    price: 50_000,
    amount: 0.3,
    takerOrMaker: 'taker',
    fee: { cost: 0.0003, currency: 'BTC' },
  })
  expect(free).toBeCloseTo(Number(before.BTC?.free) + 0.2997, 8)

  await taker.cancelOrder(String(placed.id), SYMBOL)
  const canceled = await provoked(
    'the cancel',
    async () => {
      const another = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 20_000)
      await taker.cancelOrder(String(another.id), SYMBOL)
    },
    () => orders.find((order) => order.id === placed.id && order.status === 'canceled'),
  )
  expect(canceled).toMatchObject({ filled: 0.3, remaining: 0.2 })
})

test('orders over the WebSocket API', async () => {
  const client = await watcher('trader1')
  const placed = await client.createOrderWs(SYMBOL, 'limit', 'buy', 0.1, 30_000)
  const id = String(placed.id)
  expect(placed).toMatchObject({ status: 'open', price: 30_000, amount: 0.1 })
  expect(await client.fetchOrderWs(id, SYMBOL)).toMatchObject({ id, status: 'open' })
  expect(await client.fetchOpenOrdersWs(SYMBOL)).toHaveLength(1)
  const { balances } = (await client.fetchBalanceWs()).info as { balances: BalanceText[] }
  expect(balancesFrom(balances).USDT?.locked).toBe(units('3000'))
  expect(await client.cancelOrderWs(id, SYMBOL)).toMatchObject({ id, status: 'canceled' })
  expect(await client.fetchOpenOrdersWs(SYMBOL)).toEqual([])
  await expect(client.cancelOrderWs(id, SYMBOL)).rejects.toThrow(OrderNotFound)
})

/** Repeats one watch until the test is over, which closes its client. */
function follow(watch: () => Promise<unknown>): void {
  const repeat = async () => {
    while (!isOver) await watch()
  }
  followed.push(
    repeat().catch((error) => {
      if (!(error instanceof ExchangeClosedByUser)) throw error
    }),
  )
}
