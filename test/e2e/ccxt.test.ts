/** A day with ccxt, class `binanceus`: what its users call, and the errors that they catch. */
import {
  AuthenticationError,
  BadRequest,
  BadSymbol,
  type binanceus,
  InsufficientFunds,
  InvalidNonce,
  InvalidOrder,
  OperationFailed,
  type Order,
  OrderImmediatelyFillable,
  OrderNotFound,
} from 'ccxt'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BalanceText, balancesFrom, changes, units } from '../../scripts/exchange/amounts.ts'
import { eventually } from '../fixtures/eventually.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { globalClient, restClient } from './ccxt-clients.ts'

const SYMBOL = 'BTC/USDT'

let exchange: LoopExchange
let maker: binanceus
let taker: binanceus

beforeAll(async () => {
  exchange = await LoopExchange.start()
  maker = restClient(exchange, 'maker')
  taker = restClient(exchange, 'taker')
})
afterAll(() => exchange?.remove())

/** Every test finds an empty book. */
beforeEach(async () => {
  for (const client of [maker, taker]) {
    const open = await client.fetchOpenOrders(SYMBOL)
    if (open.length > 0) await client.cancelAllOrders(SYMBOL)
  }
})

async function exactBalances(client: binanceus) {
  const balance = await client.fetchBalance()
  return balancesFrom((balance.info as { balances: BalanceText[] }).balances)
}

describe('markets', () => {
  test('lists the demo markets with limits and precision', async () => {
    const client = restClient(exchange)
    await client.loadMarkets()
    expect([...client.symbols].sort()).toEqual([
      'ADA/USDT',
      'BNB/USDT',
      'BTC/USDT',
      'ETH/BTC',
      'ETH/USDT',
      'SOL/USDT',
    ])
    expect(client.market(SYMBOL)).toMatchObject({
      id: 'BTCUSDT',
      base: 'BTC',
      quote: 'USDT',
      type: 'spot',
      active: true,
      precision: { amount: 0.00001, price: 0.01, base: 1e-8, quote: 1e-8 },
      limits: {
        amount: { min: 0.00001, max: 9000 },
        price: { min: 0.01, max: 1_000_000 },
        cost: { min: 5, max: 9_000_000 },
        market: { min: 0, max: 120 },
      },
    })
    expect(client.market('ETH/BTC').precision).toMatchObject({ amount: 0.0001, price: 0.00001 })
  })

  test('the class for the global venue loads the same markets', async () => {
    const client = globalClient(exchange, 'trader1')
    await client.loadMarkets()
    expect(client.symbols).toHaveLength(6)
    expect((await client.fetchBalance()).BTC).toMatchObject({ free: 5000, used: 0, total: 5000 })
  })

  test('its clock is the clock', async () => {
    // The machine's time is followed once it differs by more than a millisecond (assembly/main/clock-judge.ts).
    const followedMs = 2
    const before = Date.now()
    const time = await maker.fetchTime()
    expect(time).toBeGreaterThanOrEqual(before - followedMs)
    expect(time).toBeLessThanOrEqual(Date.now() + followedMs)
  })
})

describe('orders', () => {
  test('two accounts trade; balances move by price, quantity and commission', async () => {
    const makerBefore = await exactBalances(maker)
    const takerBefore = await exactBalances(taker)
    const resting = await maker.createOrder(SYMBOL, 'limit', 'sell', 0.5, 50_000)
    expect(resting).toMatchObject({ status: 'open', filled: 0, remaining: 0.5, side: 'sell' })

    const bought = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.2, 50_100)
    expect(bought).toMatchObject({
      status: 'closed',
      price: 50_100,
      average: 50_000,
      filled: 0.2,
      remaining: 0,
      cost: 10_000,
    })
    expect(bought.trades).toHaveLength(1)
    expect(bought.trades[0]).toMatchObject({
      price: 50_000,
      amount: 0.2,
      fee: { cost: 0.0002, currency: 'BTC' },
    })

    expect(changes(takerBefore, await exactBalances(taker))).toEqual({
      BTC: { free: units('0.1998'), locked: 0n },
      USDT: { free: units('-10000'), locked: 0n },
    })
    expect(changes(makerBefore, await exactBalances(maker))).toEqual({
      BTC: { free: units('-0.5'), locked: units('0.3') },
      USDT: { free: units('9990'), locked: 0n },
    })
  })

  test('the trade is public, and each side has its own', async () => {
    const resting = await maker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000)
    const sold = await taker.createOrder(SYMBOL, 'limit', 'sell', 0.1, 40_000)
    const mine = (await taker.fetchMyTrades(SYMBOL)).at(-1)
    expect(mine).toMatchObject({
      order: sold.id,
      side: 'sell',
      takerOrMaker: 'taker',
      fee: { cost: 4, currency: 'USDT' },
    })
    const seen = await eventually('the trade in public', async () =>
      (await taker.fetchTrades(SYMBOL)).find(({ timestamp }) => timestamp === mine?.timestamp),
    )
    expect(seen).toMatchObject({ price: 40_000, amount: 0.1, cost: 4000, side: 'sell' })
    const theirs = (await maker.fetchMyTrades(SYMBOL)).at(-1)
    expect(theirs).toMatchObject({
      id: mine?.id,
      order: resting.id,
      side: 'buy',
      takerOrMaker: 'maker',
      fee: { cost: 0.0001, currency: 'BTC' },
    })
  })

  test('the book shows levels, best first', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000)
    await maker.createOrder(SYMBOL, 'limit', 'buy', 0.2, 40_001)
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.3, 40_000)
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.4, 60_000)
    const book = await eventually('the last order in the book', async () => {
      const found = await taker.fetchOrderBook(SYMBOL)
      return found.asks.length > 0 ? found : undefined
    })
    expect(book.bids).toEqual([
      [40_001, 0.2],
      [40_000, 0.4],
    ])
    expect(book.asks).toEqual([[60_000, 0.4]])
    expect(book.nonce).toBeGreaterThan(0)
  })

  test('an order is found open, canceled, and in the history', async () => {
    const first = await maker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000, {
      clientOrderId: 'first-of-two',
    })
    const second = await maker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_001)
    expect(ids(await maker.fetchOpenOrders(SYMBOL))).toEqual(ids([first, second]))
    expect(ids(await maker.fetchOpenOrders())).toEqual(ids([first, second]))
    expect(await maker.fetchOrder(idOf(first), SYMBOL)).toMatchObject({
      id: first.id,
      clientOrderId: 'first-of-two',
      status: 'open',
      price: 40_000,
      amount: 0.1,
      filled: 0,
    })

    expect(await maker.cancelOrder(idOf(first), SYMBOL)).toMatchObject({ status: 'canceled' })
    expect(await maker.fetchOrder(idOf(first), SYMBOL)).toMatchObject({ status: 'canceled' })
    const canceled = await maker.cancelAllOrders(SYMBOL)
    expect(ids(canceled)).toEqual(ids([second]))
    expect(await maker.fetchOpenOrders(SYMBOL)).toEqual([])

    const history = await maker.fetchOrders(SYMBOL)
    expect(ids(history).slice(-2)).toEqual(ids([first, second]))
    expect(history.slice(-2).map((order) => order.status)).toEqual(['canceled', 'canceled'])
  })

  test('market orders, by quantity and by cost', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.1, 50_000)
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.1, 50_010)
    const byQuantity = await taker.createOrder(SYMBOL, 'market', 'buy', 0.15)
    expect(byQuantity).toMatchObject({ status: 'closed', filled: 0.15, cost: 7500.5 })
    expect(byQuantity.trades.map((trade) => [trade.price, trade.amount])).toEqual([
      [50_000, 0.1],
      [50_010, 0.05],
    ])
    // 1000 / 50010 is 0.0199960008; the step is 0.00001.
    const byCost = await taker.createMarketBuyOrderWithCost(SYMBOL, 1000)
    expect(byCost).toMatchObject({ status: 'closed', filled: 0.01999, cost: 999.6999 })
    const short = await taker.createOrder(SYMBOL, 'market', 'buy', 1)
    expect(short).toMatchObject({ status: 'expired', filled: 0.03001 })
  })

  test('IOC takes what is there, FOK all or nothing', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.1, 50_000)
    const all = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.2, 50_000, {
      timeInForce: 'FOK',
    })
    expect(all).toMatchObject({ status: 'expired', filled: 0, timeInForce: 'FOK' })
    const some = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.2, 50_000, {
      timeInForce: 'IOC',
    })
    expect(some).toMatchObject({ status: 'expired', filled: 0.1, timeInForce: 'IOC' })
    expect(await taker.fetchOpenOrders(SYMBOL)).toEqual([])
  })

  test('post-only rests, or is refused', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.1, 50_000)
    const crossing = taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 50_000, { postOnly: true })
    await expect(crossing).rejects.toThrow(OrderImmediatelyFillable)
    const resting = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 49_999.99, {
      postOnly: true,
    })
    expect(await taker.fetchOrder(idOf(resting), SYMBOL)).toMatchObject({
      status: 'open',
      postOnly: true,
    })
  })
})

describe('errors are of the classes that ccxt has for them', () => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const cases: readonly (readonly [
    name: string,
    action: () => Promise<unknown>,
    kind: new (message: string) => Error,
  ])[] = [
    [
      'selling what one does not have',
      () => taker.createOrder('ETH/BTC', 'limit', 'sell', 60_000, 0.1),
      InsufficientFunds,
    ],
    ['querying an unknown order', () => taker.fetchOrder('999999', SYMBOL), OrderNotFound],
    ['canceling an unknown order', () => taker.cancelOrder('999999', SYMBOL), OrderNotFound],
    ['canceling nothing', () => taker.cancelAllOrders(SYMBOL), OrderNotFound],
    [
      'a price between ticks',
      () => taker.privatePostOrder({ ...order, price: '50000.001', quantity: '1' }),
      InvalidOrder,
    ],
    [
      'a quantity between steps',
      () => taker.privatePostOrder({ ...order, price: '50000', quantity: '0.000015' }),
      InvalidOrder,
    ],
    [
      'a notional too small',
      () => taker.privatePostOrder({ ...order, price: '50000', quantity: '0.00001' }),
      BadRequest,
    ],
    [
      'a side that is none',
      () => taker.privatePostOrder({ ...order, side: 'HOLD', price: '50000', quantity: '1' }),
      BadRequest,
    ],
    ['an unknown symbol', () => taker.publicGetDepth({ symbol: 'NOPE' }), BadSymbol],
    ['a request from long ago', () => taker.privateGetAccount({ timestamp: 1 }), InvalidNonce],
  ]
  test.each(cases)('%s', async (_name, action, kind) => {
    await expect(action()).rejects.toThrow(kind)
  })

  test('a market order without an opposite side', async () => {
    await maker.createOrder(SYMBOL, 'limit', 'sell', 0.1, 50_000)
    await taker.createOrder(SYMBOL, 'market', 'buy', 0.1)
    const lonely = taker.createOrder(SYMBOL, 'market', 'buy', 0.1)
    await expect(lonely).rejects.toThrow(OperationFailed)
  })

  test('a client order id that is in use', async () => {
    const place = () =>
      maker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000, { clientOrderId: 'only-once' })
    const first = await place()
    await expect(place()).rejects.toThrow(InvalidOrder)
    await expect(place()).rejects.toThrow('Duplicate order sent.')
    await maker.cancelOrder(idOf(first), SYMBOL)
    expect(await place()).toMatchObject({ status: 'open' })
  })

  test('a wrong secret, and an unknown key', async () => {
    const wrongSecret = restClient(exchange, 'trader1')
    wrongSecret.secret = wrongSecret.secret.split('').reverse().join('')
    await expect(wrongSecret.fetchBalance()).rejects.toThrow(AuthenticationError)
    const unknownKey = restClient(exchange, 'trader1')
    unknownKey.apiKey = 'x'.repeat(64)
    await expect(unknownKey.fetchBalance()).rejects.toThrow(AuthenticationError)
  })
})

function idOf(order: Order): string {
  return String(order.id)
}

function ids(orders: readonly Order[]): string[] {
  return orders.map(idOf)
}
