/**
 * Market orders, by the public FAQ "MARKET orders" and the examples of "New order": answers and user
 * stream of an order that outlasts the book, by quantity and by quote amount.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { SelfTradePrevention } from '../../../src/base/codes.ts'
import { stageExchange } from '../staged-exchange.ts'
import { Trader } from '../trader.ts'
import { acknowledged, placed, position, refusal, report, result, ZERO } from './payloads.ts'

const RATE = 200_000

let exchange: ExchangeProcess
let maker: Trader
let taker: Trader

beforeAll(async () => {
  const plain = { preventionDefault: SelfTradePrevention.NONE }
  const fees = {
    special: { maker: 0, taker: 0, buyer: 0, seller: 0 },
    tax: { maker: 0, taker: 0, buyer: 0, seller: 0 },
    discountEnabled: true,
  }
  exchange = await stageExchange({
    assets: ['LTC', 'BNB', 'BTC', 'USDT'],
    symbols: [
      { ...plain, name: 'LTCBNB', fees },
      { ...plain, name: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
    ],
    exchange: { discountAsset: 'BNB', discountRate: 25_000_000 },
    accounts: {
      maker: { funds: { LTC: 1000, BTC: 1000, USDT: 1_000_000 } },
      taker: {
        funds: { BNB: 1000 },
        takerRate: RATE,
        discountEnabled: true,
      },
      seller: { funds: { BTC: 100, BNB: 10 }, takerRate: 100_000 },
    },
  })
  await exchange.run()
  maker = new Trader(exchange, 'maker')
  taker = new Trader(exchange, 'taker')
})
afterAll(() => exchange?.remove())

const limit = { type: 'LIMIT', timeInForce: 'GTC' }
const ltc = { ...limit, symbol: 'LTCBNB', price: '1' }

test('an order that outlasts the book fills in part and expires', async () => {
  // The commission is converted at the last price, so there must be one.
  await maker.place({ ...ltc, side: 'SELL', quantity: '10' })
  await new Trader(exchange, 'seller').place({ ...ltc, side: 'BUY', quantity: '10' })
  for (let count = 0; count < 2; count++) {
    await maker.place({ ...ltc, side: 'SELL', quantity: '2' })
  }
  await taker.follow()
  await maker.follow()
  const order = { symbol: 'LTCBNB', side: 'BUY', type: 'MARKET', quantity: '6' }
  const answer = await taker.place({ ...order, newClientOrderId: 'the-taker' })
  const fill = {
    price: '1.00000000',
    qty: '2.00000000',
    commission: '0.00100000',
    commissionAsset: 'BNB',
  }
  expect(answer).toEqual(
    placed({
      symbol: 'LTCBNB',
      clientOrderId: 'the-taker',
      type: 'MARKET',
      side: 'BUY',
      origQty: '6.00000000',
      executedQty: '4.00000000',
      cummulativeQuoteQty: '4.00000000',
      status: 'EXPIRED',
      fills: [
        { ...fill, tradeId: 2 },
        { ...fill, tradeId: 3 },
      ],
      expiryReason: 'INSUFFICIENT_LIQUIDITY',
      selfTradePreventionMode: 'NONE',
    }),
  )
  const shared = {
    s: 'LTCBNB',
    c: 'the-taker',
    S: 'BUY',
    o: 'MARKET',
    q: '6.00000000',
    i: answer.orderId,
    V: 'NONE',
  }
  const trade = {
    ...shared,
    x: 'TRADE',
    X: 'PARTIALLY_FILLED',
    l: '2.00000000',
    L: '1.00000000',
    n: '0.00100000',
    N: 'BNB',
    w: false,
    M: true,
    Y: '2.00000000',
  }
  const events = await taker.events(5)
  expect(events).toEqual([
    report(shared),
    report({ ...trade, z: '2.00000000', Z: '2.00000000', t: 2 }),
    report({ ...trade, z: '4.00000000', Z: '4.00000000', t: 3 }),
    report({
      ...shared,
      x: 'EXPIRED',
      X: 'EXPIRED',
      z: '4.00000000',
      Z: '4.00000000',
      w: false,
      eR: 'INSUFFICIENT_LIQUIDITY',
    }),
    position({ LTC: ['4.00000000', ZERO], BNB: ['995.99800000', ZERO] }),
  ])
  const executions = events.slice(0, 4).map(({ I }) => Number(I))
  expect(executions).toEqual([...new Set(executions)].sort((a, b) => a - b))

  // Each of its fills is sent to the maker of it, and once what the maker owns then.
  const sold = { s: 'LTCBNB', S: 'SELL', p: '1.00000000', q: '2.00000000', V: 'NONE' }
  const filled = {
    ...sold,
    c: expect.any(String),
    x: 'TRADE',
    X: 'FILLED',
    l: '2.00000000',
    z: '2.00000000',
    L: '1.00000000',
    n: ZERO,
    N: 'BNB',
    w: false,
    m: true,
    M: true,
    Z: '2.00000000',
    Y: '2.00000000',
  }
  expect(await maker.events(3)).toEqual([
    report({ ...filled, t: 2 }),
    report({ ...filled, t: 3 }),
    position({ LTC: ['986.00000000', ZERO], BNB: ['14.00000000', ZERO] }),
  ])
  await Promise.all([taker.leave(), maker.leave()])
})

test('an order that its account cannot pay is refused whole', async () => {
  await maker.place({ ...ltc, side: 'SELL', quantity: '900', price: '2' })
  const before = await taker.balances()
  const order = { symbol: 'LTCBNB', side: 'BUY', type: 'MARKET', quantity: '600' }
  const answer = await taker.send('POST', '/api/v3/order', order)
  expect([answer.status, answer.body]).toEqual([
    400,
    refusal(-2010, 'Account has insufficient balance for requested action.'),
  ])
  expect(await taker.balances()).toEqual(before)
})

const bids = [
  ['4000', '1'],
  ['3999', '5'],
  ['3998', '2'],
  ['3997', '1'],
  ['3995', '1'],
] as const
const btc = { ...limit, symbol: 'BTCUSDT' }
const market = { symbol: 'BTCUSDT', type: 'MARKET', side: 'SELL' }

async function bid(): Promise<void> {
  for (const [price, quantity] of bids) await maker.place({ ...btc, side: 'BUY', price, quantity })
}

test('an order sweeps the levels, best first, with a commission for each', async () => {
  await bid()
  const seller = new Trader(exchange, 'seller')
  const answer = await seller.place({ ...market, quantity: '10', newClientOrderId: 'sweep' })
  const fills = [
    ['4000.00000000', '1.00000000', '4.00000000'],
    ['3999.00000000', '5.00000000', '19.99500000'],
    ['3998.00000000', '2.00000000', '7.99600000'],
    ['3997.00000000', '1.00000000', '3.99700000'],
    ['3995.00000000', '1.00000000', '3.99500000'],
  ].map(([price, qty, commission], index) => {
    return { price, qty, commission, commissionAsset: 'USDT', tradeId: 1 + index }
  })
  expect(answer).toEqual(
    placed({
      symbol: 'BTCUSDT',
      clientOrderId: 'sweep',
      type: 'MARKET',
      side: 'SELL',
      origQty: '10.00000000',
      executedQty: '10.00000000',
      cummulativeQuoteQty: '39983.00000000',
      status: 'FILLED',
      fills,
      selfTradePreventionMode: 'NONE',
    }),
  )
  expect((await seller.balances()).USDT).toEqual({ free: '39943.01700000', locked: ZERO })
})

test('an order by quote amount sells what comes closest, in the form asked for', async () => {
  await bid()
  const seller = new Trader(exchange, 'seller')
  // 4000 for the first, then (10000 - 4000) / 3999 = 1.50037... of the second level.
  const order = { ...market, quoteOrderQty: '10000', newClientOrderId: 'by-quote' }
  const shared = { symbol: 'BTCUSDT', clientOrderId: 'by-quote' }
  const answer = await seller.place({ ...order, newOrderRespType: 'RESULT' })
  expect(answer).toEqual(
    result({
      ...shared,
      type: 'MARKET',
      side: 'SELL',
      origQty: '2.50037000',
      executedQty: '2.50037000',
      origQuoteOrderQty: '10000.00000000',
      cummulativeQuoteQty: '9999.97963000',
      status: 'FILLED',
      selfTradePreventionMode: 'NONE',
    }),
  )
  const short = await seller.place({ ...order, newOrderRespType: 'ACK' })
  expect(short).toEqual(acknowledged(shared))
})
