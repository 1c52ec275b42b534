/** Watching with ccxt.pro: the market streams, and the user's own over the WebSocket API. */
import { type OHLCV, type Order, OrderNotFound, type Ticker, type Trade } from 'ccxt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BalanceText, balancesFrom, units } from './amounts.ts'
import { restClient, streamClient } from './ccxt-clients.ts'
import { eventually } from './eventually.ts'
import { ExchangeProcess } from './exchange-process.ts'

const SYMBOL = 'BTC/USDT'

let exchange: ExchangeProcess
let maker: ReturnType<typeof restClient>
let taker: ReturnType<typeof restClient>
const watchers: ReturnType<typeof streamClient>[] = []

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
afterAll(async () => {
  await Promise.all(watchers.map((client) => client.close()))
  await exchange?.remove()
})

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
    return found.bids.length === 19 ? found : undefined
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
  const watching = client.watchTrades(SYMBOL).then((trades) => seen.push(...trades))
  // The client does not tell when it is subscribed: trade until it sees one.
  await eventually('a trade on the stream', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_000)
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_000)
    return seen.length > 0 || undefined
  })
  await watching
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
  const watching = { now: true }
  const loops = [
    follow(watching, async () => tickers.push(await client.watchTicker(SYMBOL))),
    follow(watching, async () => {
      tickers.push(...Object.values(await client.watchTickers([SYMBOL])))
    }),
    follow(watching, async () => {
      tickers.push(...Object.values(await client.watchTickers(undefined, { name: 'ticker' })))
    }),
    follow(watching, async () => candles.push(...(await client.watchOHLCV(SYMBOL, '1d')))),
    follow(watching, async () => {
      aggregates.push(...(await client.watchTrades(SYMBOL, undefined, 1, { name: 'aggTrade' })))
    }),
  ]
  // The client does not tell when it is subscribed: trade until all have been told.
  await eventually('a ticker, a candle and a trade', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_500)
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_500)
    return (tickers.length > 8 && candles.length > 1 && aggregates.length > 0) || undefined
  })
  const fetched = await taker.fetchTicker(SYMBOL)
  const kinds = [false, true].map((isFull) =>
    eventually('the last trade in both kinds of ticker', () =>
      tickers.findLast(
        ({ baseVolume, bid }) =>
          baseVolume === fetched.baseVolume && (bid !== undefined) === isFull,
      ),
    ),
  )
  for (const ticker of await Promise.all(kinds)) {
    const { symbol, last, open, high, low, quoteVolume } = fetched
    expect(ticker).toMatchObject({ symbol, last, open, high, low, quoteVolume })
  }
  const [candle] = (await taker.fetchOHLCV(SYMBOL, '1d')).slice(-1)
  await eventually('the same candle', () =>
    candles.some((one) => JSON.stringify(one) === JSON.stringify(candle)) ? true : undefined,
  )
  expect(aggregates.at(-1)).toMatchObject({ price: 50_500, amount: 0.01, side: 'buy' })
  watching.now = false
  await client.close()
  await Promise.all(loops)
  await maker.cancelAllOrders(SYMBOL)
})

test('watchBidsAsks sees the best prices', async () => {
  const client = await watcher()
  await maker.createOrder(SYMBOL, 'limit', 'buy', 0.5, 41_000)
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.5, 59_000)
  const watching = client.watchBidsAsks([SYMBOL])
  let amount = 0.5
  let seen: Awaited<typeof watching> | undefined
  void watching.then((tickers) => {
    seen = tickers
  })
  await eventually('a book ticker', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'buy', 0.5, 41_000)
    amount += 0.5
    return seen
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
  const watching = { now: true }
  const loops = [
    follow(watching, async () => orders.push(...(await client.watchOrders(SYMBOL)))),
    follow(watching, async () => trades.push(...(await client.watchMyTrades(SYMBOL)))),
    follow(watching, async () => {
      free = (await client.watchBalance()).BTC?.free
    }),
  ]

  const before = await taker.fetchBalance()
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.3, 50_000)
  const placed = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.5, 50_000)
  const closed = await eventually('the fill', () =>
    orders.find((order) => order.id === placed.id && order.filled === 0.3),
  )
  expect(closed).toMatchObject({ symbol: SYMBOL, side: 'buy', status: 'open', remaining: 0.2 })
  const trade = await eventually('the trade', () => trades.at(-1))
  expect(trade).toMatchObject({
    order: placed.id,
    price: 50_000,
    amount: 0.3,
    takerOrMaker: 'taker',
    fee: { cost: 0.0003, currency: 'BTC' },
  })
  const after = await taker.fetchBalance()
  await eventually('the balance', () => free === after.BTC?.free || undefined)
  expect(free).toBeCloseTo(Number(before.BTC?.free) + 0.2997, 8)

  await taker.cancelOrder(String(placed.id), SYMBOL)
  const canceled = await eventually('the cancel', () =>
    orders.find((order) => order.id === placed.id && order.status === 'canceled'),
  )
  expect(canceled).toMatchObject({ filled: 0.3, remaining: 0.2 })
  watching.now = false
  await client.close()
  await Promise.all(loops)
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

/** Repeats one watch until told to stop; closing the client ends the one that waits. */
async function follow(watching: { now: boolean }, watch: () => Promise<unknown>): Promise<void> {
  while (watching.now) {
    try {
      await watch()
    } catch (error) {
      if (watching.now) throw error
    }
  }
}
