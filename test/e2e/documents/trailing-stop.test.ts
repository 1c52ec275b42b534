/**
 * Trailing stops, by scenarios A and E of the public FAQ "Spot Trailing Stop order": the price moves in steps,
 * and after each the order shows whether it tracks and whether it works. All scenarios are in contract/scenarios.
 */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { stageExchange } from '../staged-exchange.ts'
import { type Params, Trader } from '../trader.ts'
import { acknowledged, NONE, placed, queried, ZERO } from './payloads.ts'

type State = 'waits' | 'tracks' | 'works'
/** The last trade price, and how the order stands after it. */
type Step = readonly [price: string, state: State]

interface Scenario {
  readonly name: string
  readonly order: Params
  /** After the order was placed at a last price of 40,000. */
  readonly placed: State
  readonly steps: readonly Step[]
}

const QUANTITY = '1.00000000'

const scenarios: readonly Scenario[] = [
  {
    name: 'A',
    order: {
      side: 'BUY',
      type: 'STOP_LOSS_LIMIT',
      stopPrice: '44000',
      trailingDelta: 500,
      price: '45000',
    },
    placed: 'waits',
    steps: [
      ['39000', 'waits'],
      ['38000', 'waits'],
      ['37000', 'waits'],
      ['43999.99', 'waits'],
      ['44000', 'tracks'],
      ['45000', 'tracks'],
      ['46000', 'tracks'],
      ['42000', 'tracks'],
      ['44099.99', 'tracks'],
      ['44100', 'works'],
    ],
  },
  {
    name: 'E',
    order: { side: 'SELL', type: 'STOP_LOSS_LIMIT', trailingDelta: 700, price: '39000' },
    placed: 'tracks',
    steps: [
      ['42000', 'tracks'],
      ['39500', 'tracks'],
      ['45500', 'tracks'],
      ['42315.01', 'tracks'],
      ['42315', 'works'],
    ],
  },
]

/** The FAQ's requests, at a last price of 40,000. */
const examples: readonly Params[] = [
  { side: 'BUY', type: 'STOP_LOSS_LIMIT', price: '42000', trailingDelta: 500 },
  { side: 'BUY', type: 'STOP_LOSS_LIMIT', price: '42000', stopPrice: '43000', trailingDelta: 500 },
  { side: 'SELL', type: 'STOP_LOSS_LIMIT', price: '37500', trailingDelta: 250 },
  { side: 'SELL', type: 'STOP_LOSS_LIMIT', price: '37500', stopPrice: '39000', trailingDelta: 250 },
  { side: 'BUY', type: 'TAKE_PROFIT_LIMIT', price: '38000', trailingDelta: 500 },
  {
    side: 'BUY',
    type: 'TAKE_PROFIT_LIMIT',
    price: '38000',
    stopPrice: '36000',
    trailingDelta: 500,
  },
  { side: 'SELL', type: 'TAKE_PROFIT_LIMIT', price: '41500', trailingDelta: 175 },
  {
    side: 'SELL',
    type: 'TAKE_PROFIT_LIMIT',
    price: '41500',
    stopPrice: '42500',
    trailingDelta: 175,
  },
]

const symbolOf = (name: string) => `BTCUSDT-${name}`
const funds = { BTC: 1000, USDT: 50_000_000 }

let exchange: ExchangeProcess
let seller: Trader
let buyer: Trader
let owner: Trader

beforeAll(async () => {
  exchange = await stageExchange({
    assets: ['BTC', 'USDT'],
    symbols: [...scenarios.map(({ name }) => name), 'EXAMPLES'].map((name) => ({
      name: symbolOf(name),
    })),
    accounts: { seller: { funds }, buyer: { funds }, owner: { funds } },
  })
  await exchange.run()
  seller = new Trader(exchange, 'seller')
  buyer = new Trader(exchange, 'buyer')
  owner = new Trader(exchange, 'owner')
})
afterAll(() => exchange?.remove())

/** The last price becomes `price`. */
async function tradeAt(symbol: string, price: string): Promise<void> {
  const order = { symbol, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price }
  await seller.place({ ...order, side: 'SELL' })
  expect(await buyer.place({ ...order, side: 'BUY' })).toMatchObject({ status: 'FILLED' })
}

const decimals = (text: unknown) => (text === undefined ? ZERO : Number(text).toFixed(8))

describe('scenario', () => {
  test.each(scenarios)('$name', async ({ name, order, placed: first, steps }) => {
    const symbol = symbolOf(name)
    await tradeAt(symbol, '40000')
    const params = { symbol, timeInForce: 'GTC', quantity: QUANTITY, ...order }
    const { orderId, ...rest } = await owner.place({ ...params, newClientOrderId: name })
    // The default answer of a stop in the table of parameters.
    expect(rest).toEqual(acknowledged({ symbol, clientOrderId: name, orderId: NONE }))

    const shared = {
      symbol,
      clientOrderId: name,
      side: order.side,
      type: order.type,
      price: decimals(order.price),
      origQty: QUANTITY,
      stopPrice: decimals(order.stopPrice),
      trailingDelta: order.trailingDelta,
    }
    const states = {
      waits: { trailingTime: -1, isWorking: false, workingTime: -1 },
      tracks: { trailingTime: expect.any(Number), isWorking: false, workingTime: -1 },
      works: { trailingTime: expect.any(Number), isWorking: true },
    }
    expect(await owner.order(symbol, orderId)).toEqual(queried({ ...shared, ...states[first] }))
    let tracking = first === 'tracks'
    let trailingTime: unknown
    for (const [price, state] of steps) {
      await tradeAt(symbol, price)
      const found = await owner.order(symbol, orderId)
      expect(found, `at ${price}`).toEqual(queried({ ...shared, ...states[state] }))
      if (tracking && trailingTime !== undefined) expect(found.trailingTime).toBe(trailingTime)
      tracking = state !== 'waits'
      trailingTime = found.trailingTime
    }
    await expectOnBook(symbol, String(order.side), decimals(order.price))
  })
})

/** It works at its limit price, alone on its side. */
async function expectOnBook(symbol: string, side: string, price: string): Promise<void> {
  const level = [[price, QUANTITY]]
  const expected = side === 'BUY' ? { bids: level, asks: [] } : { bids: [], asks: level }
  // Any gateway may be queried, and still show what stood there before.
  await eventually('the order on the book', async () => {
    const response = await fetch(`${exchange.url}/api/v3/depth?symbol=${symbol}`)
    const { bids, asks } = (await response.json()) as Record<string, unknown[]>
    return isDeepStrictEqual({ bids, asks }, expected) || undefined
  })
}

describe('request', () => {
  const symbol = symbolOf('EXAMPLES')
  beforeAll(() => tradeAt(symbol, '40000'))

  test.each(examples)('%o', async (order) => {
    const params = { symbol, timeInForce: 'GTC', quantity: '0.01', ...order }
    const answer = await owner.place({ ...params, newOrderRespType: 'FULL' })
    const { stopPrice } = order
    expect(answer).toEqual(
      placed({
        symbol,
        side: order.side,
        type: order.type,
        price: decimals(order.price),
        origQty: '0.01000000',
        ...(stopPrice === undefined ? {} : { stopPrice: decimals(stopPrice) }),
        trailingDelta: order.trailingDelta,
        trailingTime: stopPrice === undefined ? expect.any(Number) : -1,
        workingTime: -1,
      }),
    )
  })
})
