/**
 * The unfilled order count, by the examples of its public FAQ, and what it makes of a cancel-replace
 * once it is exceeded. Counts are those of the day.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeClock } from '../../../scripts/exchange/exchange-clock.ts'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { FEW_THREADS } from '../../fixtures/few-threads.ts'
import type { Frame } from '../frame-log.ts'
import { type Stage, stageExchange } from '../staged-exchange.ts'
import { type Params, Trader } from '../trader.ts'
import { refusal } from './payloads.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
const funds = { BTC: 1000, USDT: 100_000 }

const stageOf = (names: readonly string[]): Stage => ({
  assets: ['BTC', 'USDT'],
  symbols: [{ name: SYMBOL }],
  accounts: Object.fromEntries(names.map((name) => [name, { funds }])),
})

async function countOf(trader: Trader): Promise<number> {
  const limits = (await trader.ask('GET', '/api/v3/rateLimit/order')) as unknown as Frame[]
  return Number(limits.find(({ interval }) => interval === 'DAY')?.count)
}

/** What happens, and the count that it leads to; fills reach the count a moment later. */
type Step = readonly [what: string, count: number]

interface Example {
  readonly name: string
  readonly steps: readonly Step[]
}

/** `place X` rests; `take X` is filled in part at once; `market X` whole; `fill X` fills one of X's. */
const examples: readonly Example[] = [
  {
    name: 'taker',
    steps: [
      ['place A', 1],
      ['take B', 1],
      ['place C', 2],
      ['fill B', 2],
      ['fill B', 2],
      ['market D', 2],
    ],
  },
  {
    name: 'maker',
    steps: [
      ['place A', 1],
      ['place B', 2],
      ['place C', 3],
      ['place D', 4],
      ['place E', 5],
      ['fill A', 0],
      ['place F', 1],
      ['place G', 2],
      ['fill A', 2],
      ['fill A', 2],
      ['fill B', 0],
      ['place H', 1],
    ],
  },
  {
    name: 'canceled',
    steps: [
      ['place A', 1],
      ['cancel A', 1],
      ['place B', 2],
      ['kill C', 2],
      ['place D', 3],
      ['fail E', 4],
      ['cancel D', 4],
      ['place F', 5],
    ],
  },
]

describe('example', () => {
  let exchange: ExchangeProcess
  beforeAll(async () => {
    const limits = ['--limits', 'on', '--weight-limit', '100000', '--orders-per-second', '1000']
    const flags = ['--matchers', '1', ...limits]
    const names = [...examples.map(({ name }) => name), 'lists', 'replaces', 'market']
    exchange = await stageExchange(stageOf(names), flags, new ExchangeClock())
    await exchange.run()
  })
  afterAll(() => exchange?.remove())

  test.each(examples)('$name', async ({ name, steps }) => {
    const own = new Trader(exchange, name)
    const market = new Trader(exchange, 'market')
    const ids = new Map<string, number>()
    // Each order rests at a price of its own, so that a fill finds the one that it names.
    const priceOf = (order: string) => String(100 - (order.charCodeAt(0) - 65))
    const bid = async (order: string, more: Params) => {
      const placed = await own.place({
        ...LIMIT,
        side: 'BUY',
        quantity: '3',
        price: priceOf(order),
        ...more,
      })
      ids.set(order, Number(placed.orderId))
      return placed
    }
    const ask = (price: string, more: Params = {}) =>
      market.place({ ...LIMIT, side: 'SELL', price, ...more })
    const actions: Record<string, (order: string) => Promise<unknown>> = {
      place: (order) => bid(order, {}),
      take: async (order) => {
        await ask('200')
        await bid(order, { price: '200' })
      },
      market: async (order) => {
        await ask('200')
        const { type, ...params } = { ...LIMIT, type: 'MARKET' }
        const { timeInForce: _, ...rest } = params
        ids.set(order, Number((await own.place({ ...rest, type, side: 'BUY' })).orderId))
      },
      kill: async (order) => {
        await ask('200', { quantity: '3' })
        await bid(order, { price: '200', timeInForce: 'FOK' })
      },
      fail: (order) => bid(order, { price: '200', timeInForce: 'FOK' }),
      fill: async (order) => {
        const found = await own.order(SYMBOL, ids.get(order))
        const sold = await ask(String(found.price), { timeInForce: 'IOC' })
        expect(sold.status).toBe('FILLED')
        const after = await own.order(SYMBOL, ids.get(order))
        expect(Number(after.executedQty)).toBe(Number(found.executedQty) + 1)
      },
      cancel: (order) =>
        own.ask('DELETE', '/api/v3/order', { symbol: SYMBOL, orderId: ids.get(order) as number }),
    }
    for (const [what, count] of steps) {
      const [action, order] = what.split(' ') as [string, string]
      await actions[action]?.(order)
      await eventually(`a count of ${count} after "${what}"`, async () =>
        (await countOf(own)) === count ? true : undefined,
      )
    }
    for (const trader of [own, market])
      await trader.send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  })

  test('lists count all their orders, tests and refusals at the door none', async () => {
    const own = new Trader(exchange, 'lists')
    const pair = {
      symbol: SYMBOL,
      side: 'SELL',
      quantity: '1',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '900',
      belowType: 'STOP_LOSS',
      belowStopPrice: '1',
    }
    const placed = await own.send('POST', '/api/v3/orderList/oco', pair)
    expect(placed.status).toBe(200)
    expect(placed.headers.get('x-mbx-order-count-1d')).toBe('2')
    const trio = await own.send('POST', '/api/v3/orderList/otoco', {
      symbol: SYMBOL,
      workingType: 'LIMIT',
      workingSide: 'BUY',
      workingPrice: '1',
      workingQuantity: '1',
      workingTimeInForce: 'GTC',
      pendingSide: 'SELL',
      pendingQuantity: '1',
      pendingAboveType: 'LIMIT_MAKER',
      pendingAbovePrice: '900',
      pendingBelowType: 'STOP_LOSS',
      pendingBelowStopPrice: '1',
    })
    expect(trio.headers.get('x-mbx-order-count-1d')).toBe('5')
    await own.ask('POST', '/api/v3/order/test', { ...LIMIT, side: 'BUY', price: '1' })
    await own.send('POST', '/api/v3/order', { ...LIMIT, side: 'BUY', price: '0.001' })
    expect(await countOf(own)).toBe(5)
  })

  test('a replacement that was not attempted counts all the same', async () => {
    const own = new Trader(exchange, 'replaces')
    const answer = await own.send('POST', '/api/v3/order/cancelReplace', {
      ...LIMIT,
      side: 'BUY',
      price: '1',
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: 999_999,
    })
    expect(answer.body).toMatchObject({ data: { newOrderResult: 'NOT_ATTEMPTED' } })
    expect(await countOf(own)).toBe(1)
  })
})

interface Exceeded {
  readonly mode: string
  readonly exceeded: string
  readonly cancels: 'its order' | 'nothing'
  readonly status: number
  readonly body: (cancelResponse: unknown) => Frame
}

const tooMany = refusal(-1015, 'Too many new orders; current limit is 1 orders per 1 DAY.')
const partly = { code: -2021, msg: 'Order cancel-replace partially failed.' }
const wholly = { code: -2022, msg: 'Order cancel-replace failed.' }
const exceeded: readonly Exceeded[] = [
  ...['STOP_ON_FAILURE', 'ALLOW_FAILURE'].map((mode) => ({
    mode,
    exceeded: 'DO_NOTHING',
    cancels: 'its order' as const,
    status: 429,
    body: () => tooMany,
  })),
  {
    mode: 'STOP_ON_FAILURE',
    exceeded: 'CANCEL_ONLY',
    cancels: 'its order',
    status: 429,
    body: (cancelResponse) => ({
      ...partly,
      data: {
        cancelResult: 'SUCCESS',
        newOrderResult: 'FAILURE',
        cancelResponse,
        newOrderResponse: tooMany,
      },
    }),
  },
  {
    mode: 'STOP_ON_FAILURE',
    exceeded: 'CANCEL_ONLY',
    cancels: 'nothing',
    status: 429,
    body: (cancelResponse) => ({
      ...wholly,
      data: {
        cancelResult: 'FAILURE',
        newOrderResult: 'NOT_ATTEMPTED',
        cancelResponse,
        newOrderResponse: null,
      },
    }),
  },
  {
    mode: 'ALLOW_FAILURE',
    exceeded: 'CANCEL_ONLY',
    cancels: 'its order',
    status: 409,
    body: (cancelResponse) => ({
      ...partly,
      data: {
        cancelResult: 'SUCCESS',
        newOrderResult: 'FAILURE',
        cancelResponse,
        newOrderResponse: tooMany,
      },
    }),
  },
  {
    mode: 'ALLOW_FAILURE',
    exceeded: 'CANCEL_ONLY',
    cancels: 'nothing',
    status: 400,
    body: (cancelResponse) => ({
      ...wholly,
      data: {
        cancelResult: 'FAILURE',
        newOrderResult: 'FAILURE',
        cancelResponse,
        newOrderResponse: tooMany,
      },
    }),
  },
]

describe('exceeded', () => {
  let exchange: ExchangeProcess
  const rows = exceeded.map((row, index) => ({ ...row, account: `account${index}` }))
  beforeAll(async () => {
    const flags = [...FEW_THREADS, '--limits', 'on', '--orders-per-day', '1']
    const names = rows.map(({ account }) => account)
    exchange = await stageExchange(stageOf(names), flags, new ExchangeClock())
    await exchange.run()
  })
  afterAll(() => exchange?.remove())

  test.each(rows)('$exceeded, $mode, canceling $cancels', async (row) => {
    const own = new Trader(exchange, row.account)
    const bid = { ...LIMIT, side: 'BUY' }
    const old = await own.place({ ...bid, price: '10', newClientOrderId: 'old' })
    const plain = await own.send('POST', '/api/v3/order', { ...bid, price: '11' })
    expect([plain.status, plain.body]).toEqual([429, tooMany])
    const orderId = row.cancels === 'nothing' ? 999_999 : Number(old.orderId)
    const answer = await own.send('POST', '/api/v3/order/cancelReplace', {
      ...bid,
      price: '11',
      cancelReplaceMode: row.mode,
      orderRateLimitExceededMode: row.exceeded,
      cancelOrderId: orderId,
    })
    const cancelResponse =
      row.cancels === 'nothing'
        ? refusal(-2011, 'Unknown order sent.')
        : expect.objectContaining({ orderId, status: 'CANCELED', origClientOrderId: 'old' })
    expect(answer.body).toEqual(row.body(cancelResponse))
    expect(answer.status).toBe(row.status)
    if (row.status === 429) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const open = await own.ask('GET', '/api/v3/openOrders')
    const canceled = row.exceeded === 'CANCEL_ONLY' && row.cancels !== 'nothing'
    expect(open).toHaveLength(canceled ? 0 : 1)
    expect(await countOf(own)).toBe(1)
  })
})
