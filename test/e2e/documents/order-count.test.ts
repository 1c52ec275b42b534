/**
 * The unfilled order count of lists and replacements, and what it makes of a cancel-replace once it is
 * exceeded. Counts are those of the day; the examples of the public FAQ are in unit/gateway/limits/limits.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeClock } from '../../../scripts/exchange/exchange-clock.ts'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../../fixtures/few-threads.ts'
import type { Frame } from '../frame-log.ts'
import { type Stage, stageExchange } from '../staged-exchange.ts'
import { Trader } from '../trader.ts'
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

describe('within the limits', () => {
  let exchange: ExchangeProcess
  beforeAll(async () => {
    const limits = ['--limits', 'on', '--weight-limit', '100000', '--orders-per-second', '1000']
    const flags = ['--matchers', '1', ...limits]
    const stage = stageOf(['lists', 'replaces'])
    exchange = await stageExchange(stage, flags, new ExchangeClock())
    await exchange.run()
  })
  afterAll(() => exchange?.remove())

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
