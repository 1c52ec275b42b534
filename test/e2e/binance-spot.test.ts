/**
 * The official connector: REST, market streams, the WebSocket API and its user stream; and that all
 * of it is found again after the process was killed.
 */
import {
  BadRequestError,
  type Spot,
  SpotRestAPI,
  SpotWebsocketAPI,
  SpotWebsocketStreams,
  UnauthorizedError,
} from '@binance/spot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { readByEveryGateway } from './every-gateway.ts'
import { spotClient } from './spot-clients.ts'

const SYMBOL = 'BTCUSDT'
const { BUY, SELL } = SpotRestAPI.NewOrderSideEnum

interface Disconnectable {
  disconnect(): Promise<unknown>
}

let exchange: ExchangeProcess
let maker: Spot
let taker: Spot
const connections: Disconnectable[] = []

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
  maker = spotClient(exchange, 'maker')
  taker = spotClient(exchange, 'taker')
})
afterAll(async () => {
  await disconnectAll()
  await exchange?.remove()
})

async function disconnectAll(): Promise<void> {
  await Promise.all(connections.splice(0).map((connection) => connection.disconnect()))
}

async function streams(): Promise<SpotWebsocketStreams.WebsocketStreamsConnection> {
  const connection = await maker.websocketStreams.connect()
  connections.push(connection)
  return connection
}

async function socketApi(client: Spot): Promise<SpotWebsocketAPI.WebsocketAPIConnection> {
  const connection = await client.websocketAPI.connect()
  connections.push(connection)
  return connection
}

async function body<T>(answer: Promise<{ data(): Promise<T> }>): Promise<T> {
  return (await answer).data()
}

/** Places a limit order that stays until it is canceled. */
function limit(client: Spot, side: SpotRestAPI.NewOrderSideEnum, quantity: number, price: number) {
  return body(
    client.restAPI.newOrder({
      symbol: SYMBOL,
      side,
      type: SpotRestAPI.NewOrderTypeEnum.LIMIT,
      timeInForce: SpotRestAPI.NewOrderTimeInForceEnum.GTC,
      quantity,
      price,
    }),
  )
}

test('REST: looks around', async () => {
  expect(await body(maker.restAPI.ping())).toEqual({})
  const info = await body(maker.restAPI.exchangeInfo({ symbol: SYMBOL }))
  // Limits are off.
  expect(info.rateLimits).toEqual([])
  expect(info.symbols).toHaveLength(1)
  expect(info.symbols?.[0]).toMatchObject({ symbol: SYMBOL, status: 'TRADING', baseAsset: 'BTC' })
  expect(await body(maker.restAPI.depth({ symbol: SYMBOL }))).toMatchObject({ bids: [], asks: [] })
  const account = await body(maker.restAPI.getAccount())
  expect(account.balances?.find((row) => row.asset === 'BTC')).toEqual({
    asset: 'BTC',
    free: '5000.00000000',
    locked: '0.00000000',
  })
})

test('REST: places, queries, cancels', async () => {
  const placed = await limit(maker, BUY, 0.5, 40_000)
  expect(placed).toMatchObject({ symbol: SYMBOL, status: 'NEW', origQty: '0.50000000', fills: [] })
  const orderId = Number(placed.orderId)
  const open = await body(maker.restAPI.getOpenOrders({ symbol: SYMBOL }))
  expect(open).toHaveLength(1)
  expect(await body(maker.restAPI.getOrder({ symbol: SYMBOL, orderId }))).toEqual(open[0])
  expect(await body(maker.restAPI.deleteOrder({ symbol: SYMBOL, orderId }))).toMatchObject({
    orderId,
    status: 'CANCELED',
    origClientOrderId: placed.clientOrderId,
  })
  expect(await body(maker.restAPI.allOrders({ symbol: SYMBOL }))).toHaveLength(1)
})

test('REST: refusals arrive as errors', async () => {
  const unknown = maker.restAPI.getOrder({ symbol: SYMBOL, orderId: 999_999 })
  await expect(unknown).rejects.toThrow(BadRequestError)
  await expect(unknown).rejects.toMatchObject({ message: 'Order does not exist.', code: -2013 })
  const stranger = new (maker.constructor as typeof Spot)({
    configurationRestAPI: {
      apiKey: 'x'.repeat(64),
      apiSecret: 'y'.repeat(64),
      basePath: exchange.url,
    },
  })
  await expect(stranger.restAPI.getAccount()).rejects.toThrow(UnauthorizedError)
})

test('the WebSocket API answers as REST does', async () => {
  await readByEveryGateway(exchange, exchange.keys().maker!)
  const connection = await socketApi(maker)
  const time = await connection.time()
  expect(time.data?.serverTime).toBeGreaterThan(0)
  const depth = await connection.depth({ symbol: SYMBOL })
  expect(depth.data).toMatchObject({ bids: [], asks: [] })

  const { data: placed } = await connection.orderPlace({
    symbol: SYMBOL,
    side: SpotWebsocketAPI.OrderPlaceSideEnum.BUY,
    type: SpotWebsocketAPI.OrderPlaceTypeEnum.LIMIT,
    timeInForce: SpotWebsocketAPI.OrderPlaceTimeInForceEnum.GTC,
    quantity: 0.1,
    price: 30_000,
  })
  const orderId = Number(placed?.orderId)
  const { data: found } = await connection.orderStatus({ symbol: SYMBOL, orderId })
  expect(found).toEqual(await body(maker.restAPI.getOrder({ symbol: SYMBOL, orderId })))
  const { data: canceled } = await connection.orderCancel({ symbol: SYMBOL, orderId })
  expect(canceled).toMatchObject({ orderId, status: 'CANCELED' })
  const again = connection.orderCancel({ symbol: SYMBOL, orderId })
  await expect(again).rejects.toMatchObject({ code: -2011, msg: 'Unknown order sent.' })
})

test('a trade is seen on a market stream, its fills on a user stream', async () => {
  const seen: Record<'trade' | 'depth' | 'bookTicker', object[]> = {
    trade: [],
    depth: [],
    bookTicker: [],
  }
  const fills: Record<string, unknown>[] = []
  const market = await streams()
  market.trade({ symbol: SYMBOL }).on('message', (data) => {
    seen.trade.push(data)
  })
  market
    .diffBookDepth({
      symbol: SYMBOL,
      updateSpeed: SpotWebsocketStreams.DiffBookDepthUpdateSpeedEnum.UPDATE_SPEED_100ms,
    })
    .on('message', (data) => {
      seen.depth.push(data)
    })
  market.bookTicker({ symbol: SYMBOL }).on('message', (data) => {
    seen.bookTicker.push(data)
  })
  const user = await socketApi(taker)
  const { response, stream } = await user.userDataStreamSubscribeSignature()
  expect(response.data).toMatchObject({ subscriptionId: 0 })
  stream.on('message', (data) => {
    fills.push(data as unknown as Record<string, unknown>)
  })
  // Subscriptions to market streams are not acknowledged to the user: move the book until one shows.
  await eventually('a depth update', async () => {
    const order = await limit(maker, BUY, 0.1, 40_000)
    await maker.restAPI.deleteOrder({ symbol: SYMBOL, orderId: Number(order.orderId) })
    return (seen.depth.length > 0 && seen.bookTicker.length > 0) || undefined
  })

  const resting = await limit(maker, SELL, 0.3, 50_000)
  const bought = await limit(taker, BUY, 0.2, 50_000)
  expect(bought).toMatchObject({ status: 'FILLED', cummulativeQuoteQty: '10000.00000000' })
  expect(bought.fills).toMatchObject([
    {
      price: '50000.00000000',
      qty: '0.20000000',
      commission: '0.00020000',
      commissionAsset: 'BTC',
    },
  ])

  const trade = await eventually('the trade', () => seen.trade.at(0))
  const tradeId = bought.fills?.[0]?.tradeId
  expect(trade).toMatchObject({ e: 'trade', s: SYMBOL, t: tradeId, p: '50000.00000000', m: false })
  const fill = await eventually('the fill', () => fills.find((event) => event.x === 'TRADE'))
  expect(fill).toMatchObject({
    e: 'executionReport',
    i: bought.orderId,
    t: tradeId,
    X: 'FILLED',
    l: '0.20000000',
    L: '50000.00000000',
    n: '0.00020000',
    N: 'BTC',
    m: false,
  })
  const theirs = await body(maker.restAPI.myTrades({ symbol: SYMBOL }))
  expect(theirs).toMatchObject([
    {
      id: tradeId,
      orderId: resting.orderId,
      isBuyer: false,
      isMaker: true,
      commission: '10.00000000',
    },
  ])
})

/** Everything that a client can ask for about the two accounts and the symbol. */
async function everything() {
  const account = async (client: Spot) => ({
    account: await body(client.restAPI.getAccount()),
    open: await body(client.restAPI.getOpenOrders({ symbol: SYMBOL })),
    orders: await body(client.restAPI.allOrders({ symbol: SYMBOL })),
    trades: await body(client.restAPI.myTrades({ symbol: SYMBOL })),
  })
  const info = await body(maker.restAPI.exchangeInfo())
  return {
    symbols: info.symbols,
    depth: await body(maker.restAPI.depth({ symbol: SYMBOL })),
    trades: await body(maker.restAPI.getTrades({ symbol: SYMBOL })),
    maker: await account(maker),
    taker: await account(taker),
  }
}

test('after kill -9 and a new start everything is found again', async () => {
  await disconnectAll()
  const before = await eventually('the last trade in the book', async () => {
    const found = await everything()
    const isTold = found.depth.asks?.[0]?.[1] === '0.10000000' && found.trades.length === 1
    return isTold ? found : undefined
  })
  expect(before.maker.open).toHaveLength(1)
  expect(before.taker.trades).toHaveLength(1)

  await exchange.stop('SIGKILL')
  await exchange.run()
  const after = await everything()
  expect(after).toEqual(before)

  const orderId = Number(before.maker.open[0]?.orderId)
  const canceled = await body(maker.restAPI.deleteOrder({ symbol: SYMBOL, orderId }))
  expect(canceled).toMatchObject({ status: 'CANCELED', executedQty: '0.20000000' })
  const next = await limit(maker, BUY, 0.1, 40_000)
  const last = Math.max(...before.maker.orders.map((order) => Number(order.orderId)))
  expect(Number(next.orderId)).toBeGreaterThan(last)
})
