/**
 * Every method of the WebSocket API (web-socket-api.md) beside its REST twin: the same request at the same
 * time has the same status, answer and weight over both, when it is right and when it is empty.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../../src/api/operations/index.ts'
import { sessionMethods } from '../../../../src/gateway/sessions/session.ts'
import {
  type Answer,
  type Json,
  keyOf,
  OneThreadExchange,
  queryOf,
  roomyLimits,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'

type Values = Record<string, string | number>

interface Row {
  readonly method: string
  /** `GET /api/v3/ping` */
  readonly twin: string
  /** Parameters of a right request; made for each transport. */
  readonly params?: () => Values | Promise<Values>
  /** How symbols are named where they are many: a text in a query, an array in a frame. */
  readonly symbols?: readonly string[]
}

let exchange: OneThreadExchange
let socket: TestSocket
let ids = 0

beforeAll(async () => {
  exchange = await OneThreadExchange.start({ limits: roomyLimits })
  socket = await exchange.socket('/ws-api/v3')
  await exchange.limitOrder(1, 'SELL', '100.00', '5')
  await exchange.limitOrder(2, 'BUY', '100.00', '1')
  await exchange.limitOrder(1, 'BUY', '90.00', '1')
  exchange.frozenMs = exchange.nowMs()
  weightOf(await exchange.send('GET', '/api/v3/ping'))
})
afterAll(async () => {
  socket.close()
  await exchange.close()
})

const symbol = { symbol: 'BTCUSDT' }
const kline = { ...symbol, interval: '1m' }
const buy = { ...symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
const order = () => ({
  ...buy,
  price: '10.00',
  quantity: '1',
  newClientOrderId: `n${++ids}`,
})
const working = {
  ...symbol,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingTimeInForce: 'GTC',
  workingPrice: '10.00',
  workingQuantity: '2',
}
const pair = (prefix: 'a' | 'pendingA', below: 'b' | 'pendingB') => ({
  [`${prefix}boveType`]: 'LIMIT_MAKER',
  [`${prefix}bovePrice`]: '200.00',
  [`${below}elowType`]: 'STOP_LOSS',
  [`${below}elowStopPrice`]: '5.00',
})
const oco = { ...symbol, side: 'SELL', quantity: '1', ...pair('a', 'b') }

async function placed(): Promise<number> {
  const { body } = await exchange.signed(1, 'POST', '/api/v3/order', order())
  return body.orderId as number
}
async function placedList(): Promise<number> {
  const { body } = await exchange.signed(1, 'POST', '/api/v3/orderList/oco', oco)
  return body.orderListId as number
}
async function listenKey(): Promise<Values> {
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', 1)
  return { listenKey: body.listenKey as string }
}
const batch = (...orders: readonly object[]) => ({ orders: JSON.stringify(orders) })
const theOrder = async () => ({ ...symbol, orderId: await placed() })

const get = (method: string, path: string, params?: Row['params']): Row => ({
  method,
  twin: `GET /api/v3/${path}`,
  ...(params === undefined ? {} : { params }),
})
const post = (method: string, path: string, params: Row['params'] = () => ({})): Row => ({
  method,
  twin: `POST /api/v3/${path}`,
  params,
})

const rows: readonly Row[] = [
  get('ping', 'ping'),
  get('time', 'time'),
  get('exchangeInfo', 'exchangeInfo', () => symbol),
  get('executionRules', 'executionRules', () => symbol),
  get('depth', 'depth', () => ({ ...symbol, limit: 5 })),
  get('trades.recent', 'trades', () => ({ ...symbol, limit: 10 })),
  get('trades.historical', 'historicalTrades', () => ({ ...symbol, fromId: 0 })),
  get('blockTrades.historical', 'historicalBlockTrades', () => ({ ...symbol, fromId: 0 })),
  get('trades.aggregate', 'aggTrades', () => ({ ...symbol, limit: 3 })),
  get('klines', 'klines', () => kline),
  get('uiKlines', 'uiKlines', () => kline),
  get('avgPrice', 'avgPrice', () => symbol),
  get('auction', 'auction', () => symbol),
  get('referencePrice', 'referencePrice', () => symbol),
  get('referencePrice.calculation', 'referencePrice/calculation', () => symbol),
  get('ticker.24hr', 'ticker/24hr', () => ({ ...symbol, type: 'MINI' })),
  get('ticker.tradingDay', 'ticker/tradingDay', () => symbol),
  get('ticker', 'ticker', () => ({ ...symbol, windowSize: '1h' })),
  { ...get('ticker.price', 'ticker/price'), symbols: ['BTCUSDT', 'ETHUSDT'] },
  { ...get('ticker.book', 'ticker/bookTicker'), symbols: ['ETHUSDT'] },
  post('order.place', 'order', order),
  post('order.test', 'order/test', () => ({ ...order(), computeCommissionRates: 'true' })),
  post('sor.order.place', 'sor/order', order),
  post('sor.order.test', 'sor/order/test', order),
  get('order.status', 'order', theOrder),
  { method: 'order.cancel', twin: 'DELETE /api/v3/order', params: theOrder },
  post('order.cancelReplace', 'order/cancelReplace', async () => ({
    ...order(),
    cancelReplaceMode: 'ALLOW_FAILURE',
    cancelOrderId: await placed(),
  })),
  {
    method: 'openOrders.cancelWhere',
    twin: 'DELETE /ringbook/v1/openOrders',
    params: async () => {
      await exchange.signed(1, 'DELETE', '/ringbook/v1/openOrders')
      await placed()
      return {}
    },
  },
  {
    method: 'quote',
    twin: 'POST /ringbook/v1/quote',
    params: async () => {
      await exchange.signed(1, 'POST', '/ringbook/v1/quote', symbol)
      return { ...symbol, bids: '[["10","1"],["9","1"]]', asks: '[["200","1"]]' }
    },
  },
  {
    method: 'batch.place',
    twin: 'POST /ringbook/v1/batchOrders',
    params: () => batch(order(), order(), { ...order(), price: '10.001' }),
  },
  {
    method: 'batch.cancel',
    twin: 'DELETE /ringbook/v1/batchOrders',
    params: async () => batch(await theOrder(), await theOrder()),
  },
  {
    method: 'batch.cancelReplace',
    twin: 'POST /ringbook/v1/batchCancelReplace',
    params: async () =>
      batch({ ...order(), cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: await placed() }),
  },
  {
    method: 'order.amend.keepPriority',
    twin: 'PUT /api/v3/order/amend/keepPriority',
    params: async () => ({ ...(await theOrder()), newQty: '0.5' }),
  },
  get('order.amendments', 'order/amendments', theOrder),
  get('openOrders.status', 'openOrders', () => symbol),
  {
    method: 'openOrders.cancelAll',
    twin: 'DELETE /api/v3/openOrders',
    params: async () => {
      const { body } = await exchange.signed(1, 'POST', '/api/v3/order', {
        ...order(),
        symbol: 'ETHUSDT',
      })
      return { symbol: body.symbol as string }
    },
  },
  post('orderList.place', 'order/oco', () => ({
    ...symbol,
    side: 'SELL',
    quantity: '1',
    price: '200.00',
    stopPrice: '5.00',
  })),
  post('orderList.place.oco', 'orderList/oco', () => oco),
  post('orderList.place.oto', 'orderList/oto', () => ({
    ...working,
    pendingType: 'MARKET',
    pendingSide: 'SELL',
    pendingQuantity: '1',
  })),
  post('orderList.place.otoco', 'orderList/otoco', () => ({
    ...working,
    pendingSide: 'SELL',
    pendingQuantity: '1',
    ...pair('pendingA', 'pendingB'),
  })),
  post('orderList.place.opo', 'orderList/opo', () => ({
    ...working,
    pendingType: 'MARKET',
    pendingSide: 'SELL',
  })),
  post('orderList.place.opoco', 'orderList/opoco', () => ({
    ...working,
    pendingSide: 'SELL',
    ...pair('pendingA', 'pendingB'),
  })),
  {
    method: 'orderList.cancel',
    twin: 'DELETE /api/v3/orderList',
    params: async () => ({ ...symbol, orderListId: await placedList() }),
  },
  {
    method: 'countdown.cancelAll',
    twin: 'POST /ringbook/v1/countdownCancelAll',
    params: () => ({ ...symbol, countdownTime: 60_000 }),
  },
  { method: 'countdown.status', twin: 'GET /ringbook/v1/countdown' },
  {
    method: 'protection.set',
    twin: 'POST /ringbook/v1/protection',
    params: () => ({ ...symbol, windowMs: 1_000, maxFills: 20 }),
  },
  {
    method: 'protection.reset',
    twin: 'POST /ringbook/v1/protection/reset',
    params: () => symbol,
  },
  { method: 'protection.status', twin: 'GET /ringbook/v1/protection' },
  { method: 'latency', twin: 'GET /ringbook/v1/latency' },
  get('orderList.status', 'orderList', () => ({ orderListId: 0 })),
  get('openOrderLists.status', 'openOrderList'),
  get('allOrderLists', 'allOrderList', () => ({ limit: 5 })),
  get('account.status', 'account', () => ({ omitZeroBalances: 'true' })),
  get('account.commission', 'account/commission', () => symbol),
  get('account.rateLimits.orders', 'rateLimit/order'),
  get('allOrders', 'allOrders', () => ({ ...symbol, orderId: 0 })),
  get('myTrades', 'myTrades', () => ({ ...symbol, orderId: 1 })),
  get('myPreventedMatches', 'myPreventedMatches', () => ({ ...symbol, preventedMatchId: 0 })),
  get('myAllocations', 'myAllocations', () => symbol),
  get('myFilters', 'myFilters', () => symbol),
  post('userDataStream.start', 'userDataStream'),
  { method: 'userDataStream.ping', twin: 'PUT /api/v3/userDataStream', params: listenKey },
  { method: 'userDataStream.stop', twin: 'DELETE /api/v3/userDataStream', params: listenKey },
]

interface Outcome {
  readonly status: number
  readonly answer: unknown
  readonly weight: number
}

const operationOf = ({ twin }: Row) =>
  operations.find(({ method, path }) => `${method} ${path}` === twin)!

/** Used by the address after the answer before, in the minute at which time stands still. */
let usedBefore = 0
function weightSince(used: number): number {
  const weight = used - usedBefore
  usedBefore = used
  return weight
}
const weightOf = ({ headers }: Answer): number =>
  weightSince(Number(headers.get('x-mbx-used-weight-1m')))

async function byRest(row: Row, params: Values): Promise<Outcome> {
  const [verb, path] = row.twin.split(' ') as [string, string]
  const { security, signed } = operationOf(row)
  const answer = signed
    ? await exchange.signed(1, verb, path, params)
    : await exchange.send(verb, `${path}?${queryOf(params)}`, security === 'NONE' ? 0 : 1)
  return { status: answer.status, answer: answer.body, weight: weightOf(answer) }
}

async function bySocket(row: Row, params: Values, symbols?: readonly string[]): Promise<Outcome> {
  const { security, signed } = operationOf(row)
  const { apiKey } = keyOf(1)
  let all: Values = { ...params }
  if (security !== 'NONE') all = { ...all, apiKey }
  if (signed) {
    all = { ...all, timestamp: exchange.nowMs() }
    const payload = Object.keys(all)
      .sort()
      .map((name) => `${name}=${all[name]}`)
    all = { ...all, signature: sign(1, payload.join('&')) }
  }
  const sent = symbols === undefined ? all : { ...all, symbols }
  const id = ++ids
  const frame = await socket.ask({ id, method: row.method, params: sent })
  expect(frame.id).toBe(id)
  const [limit] = (frame.rateLimits as Json[]).slice(-1)
  return {
    status: frame.status as number,
    answer: frame.status === 200 ? frame.result : frame.error,
    weight: weightSince(limit!.count as number),
  }
}

/** Two placements differ in these; and exchange information names the limits of its transport. */
const own = /[iI]d$|^rateLimits$/
const masked = (outcome: Outcome): unknown =>
  JSON.parse(JSON.stringify(outcome, (name, value) => (own.test(name) ? typeof value : value)))

const missing = new Set([
  ...['orderList.status', 'referencePrice', 'referencePrice.calculation'],
  ...['sor.order.place', 'sor.order.test'],
])

describe.each(rows)('$method', (row) => {
  test('has the row of its twin', () => {
    expect(operationOf(row)?.wsMethod).toBe(row.method)
  })

  test('answers as its twin', async () => {
    const params = async (): Promise<Values> => (await row.params?.()) ?? {}
    const { symbols } = row
    const named = symbols === undefined ? {} : { symbols: JSON.stringify(symbols) }
    const rest = await byRest(row, { ...(await params()), ...named })
    const frame = await bySocket(row, await params(), symbols)
    expect(masked(frame)).toEqual(masked(rest))
    expect(frame.status).toBe(missing.has(row.method) ? 400 : 200)
  })

  test('is told what its twin is told when it says nothing', async () => {
    expect(masked(await bySocket(row, {}))).toEqual(masked(await byRest(row, {})))
  })
})

test('these are all methods there are', () => {
  const withMethod = operations.flatMap(({ wsMethod }) => wsMethod ?? [])
  expect(rows.map(({ method }) => method).sort()).toEqual([...withMethod].sort())
  expect([...sessionMethods.keys()].sort()).toEqual([
    'clock.acknowledge',
    'clock.join',
    'clock.leave',
    'dropCopy.subscribe',
    'session.cancelOnDisconnect',
    'session.logon',
    'session.logout',
    'session.status',
    'session.subscriptions',
    'userDataStream.subscribe',
    'userDataStream.subscribe.signature',
    'userDataStream.unsubscribe',
  ])
})

test.each(['v3/v3/ping', 'Ping'])('%s is not supported', async (method) => {
  const answer = await socket.ask({ id: 1, method })
  const msg = 'This operation is not supported.'
  expect(answer).toMatchObject({ id: 1, status: 400, error: { code: -1020, msg } })
})
