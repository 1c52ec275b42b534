/** What clients receive of limits, over REST, the WebSocket API and streams, by two gateways. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ORDER_REFUSALS_MAX } from '../../../../src/gateway/limits/address-guard.ts'
import {
  type Answer,
  type Json,
  keyOf,
  limitSettings,
  OneThreadExchange,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'
import { upgrade } from '../../../fixtures/upgrade.ts'

const DAY_MS = 86_400_000

const flags = '--weight-limit 300 --connections-limit 20 --ban-after 3 --ban-seconds 1000'
let exchange: OneThreadExchange
beforeAll(async () => {
  const limits = limitSettings(flags.split(' '))
  exchange = await OneThreadExchange.start({ gateways: 2, limits })
})
afterAll(() => exchange.close())
// At the beginning of a new day, at which time then stands still.
beforeEach(() => {
  const day = Math.floor(exchange.nowMs() / DAY_MS) + 1
  exchange.frozenMs = day * DAY_MS
})

/** A client without pongs, which count: a gateway pings once the clock has stepped to a new day. */
const SILENT = { autoPong: false }

const used = ({ headers }: Answer) => Number(headers.get('x-mbx-used-weight-1m'))
const counts = ({ headers }: Answer) =>
  ['1s', '1d'].map((interval) => headers.get(`x-mbx-order-count-${interval}`))
const heavy = '/api/v3/depth?symbol=BTCUSDT&limit=5000'

/** A list that begins with one name and continues with others; raw, as clients send it. */
const several = (first: string, other: string, count: number): string => {
  const others = Array.from({ length: count - 1 }, (_, i) => (other === 'NONE' ? `N${i}` : other))
  return encodeURIComponent(JSON.stringify([first, ...others]))
}

async function askSigned(
  socket: { ask(frame: unknown): Promise<Json> },
  method: string,
  params: Record<string, string | number> = {},
): Promise<Json> {
  const all: Record<string, string | number> = {
    ...params,
    apiKey: keyOf(1).apiKey,
    timestamp: exchange.nowMs(),
  }
  const names = Object.keys(all).sort()
  const signature = sign(1, names.map((name) => `${name}=${all[name]}`).join('&'))
  return socket.ask({ id: 1, method, params: { ...all, signature } })
}

describe('orders', () => {
  test('show their counts, cost no weight, and are refused beyond the limit', async () => {
    for (let i = 1; i <= 10; i++) {
      const placed = await exchange.limitOrder(1, 'BUY', '10.00', '1')
      expect([placed.status, ...counts(placed)]).toEqual([200, `${i}`, `${i}`])
      expect(used(placed)).toBe(0)
    }
    const refused = await exchange.limitOrder(1, 'BUY', '10.00', '1')
    expect([refused.status, refused.body]).toEqual([
      429,
      { code: -1015, msg: 'Too many new orders; current limit is 10 orders per 1 SECOND.' },
    ])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(used(refused)).toBe(1)
    // Over the other account, and in the next second, there is room.
    expect((await exchange.limitOrder(2, 'BUY', '10.00', '1')).status).toBe(200)
    exchange.frozenMs! += 1_000
    expect(counts(await exchange.limitOrder(1, 'BUY', '10.00', '1'))).toEqual(['1', '11'])
  })

  test('over the WebSocket API show their counts, also when they are too many', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '10' }
    const place = () => askSigned(socket, 'order.place', { ...order, quantity: '1' })
    const counted = ({ rateLimits }: Json) =>
      (rateLimits as Json[]).map(({ rateLimitType, interval, count }) => [
        rateLimitType,
        interval,
        count,
      ])
    const shown = (second: number, day: number, weight: number) => [
      ['ORDERS', 'SECOND', second],
      ['ORDERS', 'DAY', day],
      ['REQUEST_WEIGHT', 'MINUTE', weight],
    ]
    expect(counted(await place())).toEqual(shown(1, 1, 2))
    for (let i = 0; i < 9; i++) await place()
    const serverTime = exchange.nowMs()
    const refused = await place()
    expect(refused).toMatchObject({
      status: 429,
      error: { code: -1015, data: { serverTime, retryAfter: serverTime + 1_000 } },
    })
    expect(counted(refused)).toEqual(shown(10, 10, 3))
    socket.close()
  })

  test('that the door refuses count nothing, those that the engine refuses do', async () => {
    const wrong = await exchange.limitOrder(1, 'BUY', '10.001', '1')
    expect([wrong.status, ...counts(wrong)]).toEqual([400, null, null])
    const poor = await exchange.limitOrder(1, 'BUY', '50000.00', '9')
    expect(poor.body.code).toBe(-2010)
    expect(counts(await exchange.limitOrder(1, 'BUY', '10.00', '1'))).toEqual(['2', '2'])
  })

  test('can be counted without entering any', async () => {
    for (let i = 0; i < 3; i++) await exchange.limitOrder(1, 'BUY', '10.00', '1')
    exchange.frozenMs! += 1_000
    await exchange.limitOrder(1, 'BUY', '10.00', '1')
    const row = { rateLimitType: 'ORDERS', intervalNum: 1 }
    const expected = [
      { ...row, interval: 'SECOND', limit: 10, count: 1 },
      { ...row, interval: 'DAY', limit: 160_000, count: 4 },
    ]
    const asked = await exchange.signed(1, 'GET', '/api/v3/rateLimit/order')
    expect([asked.status, asked.body, used(asked)]).toEqual([200, expected, 40])
    const socket = await exchange.socket('/ws-api/v3')
    const answer = await askSigned(socket, 'account.rateLimits.orders')
    expect(answer).toMatchObject({ status: 200, result: expected })
    expect(answer.rateLimits).toMatchObject([{ rateLimitType: 'REQUEST_WEIGHT', count: 82 }])
    socket.close()
  })

  test('beyond the limit that replace others are refused, or only cancel', async () => {
    const { body: first } = await exchange.limitOrder(1, 'BUY', '10.00', '1')
    for (let i = 0; i < 9; i++) await exchange.limitOrder(1, 'BUY', '10.00', '1')
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const replace = {
      ...order,
      price: '11.00',
      quantity: '1',
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: first.orderId as number,
    }
    const ask = (more: Record<string, string>) =>
      exchange.signed(1, 'POST', '/api/v3/order/cancelReplace', { ...replace, ...more })
    const nothing = await ask({})
    expect([nothing.status, nothing.body.code]).toEqual([429, -1015])
    expect(nothing.headers.get('retry-after')).toBe('1')
    const canceled = await ask({ orderRateLimitExceededMode: 'CANCEL_ONLY' })
    expect(canceled.body).toMatchObject({
      code: -2021,
      data: {
        cancelResult: 'SUCCESS',
        newOrderResult: 'FAILURE',
        newOrderResponse: { code: -1015 },
      },
    })
    expect([canceled.status, canceled.headers.get('retry-after')]).toEqual([429, '1'])
    exchange.frozenMs! += 1_000
    expect(counts(await exchange.limitOrder(1, 'BUY', '10.00', '1'))).toEqual(['1', '11'])
  })

  test('that are filled make room, once, whichever gateway sees it', async () => {
    // In a separate minute, because queries have a weight.
    const dayCount = async (account: number) => {
      exchange.frozenMs! += 60_000
      const { body } = await exchange.signed(account, 'GET', '/api/v3/rateLimit/order')
      return (body as unknown as { count: number }[])[1]!.count
    }
    for (let i = 0; i < 7; i++) await exchange.limitOrder(1, 'SELL', '50.00', '1')
    await exchange.limitOrder(2, 'BUY', '50.00', '0.5')
    await expect.poll(() => dayCount(1)).toBe(2)
    expect(await dayCount(2)).toBe(0)
    // That order is filled again, and that one only.
    await exchange.limitOrder(2, 'BUY', '50.00', '0.5')
    await expect.poll(() => dayCount(2)).toBe(0)
    expect(await dayCount(1)).toBe(2)
    exchange.frozenMs! += 60_000
    await exchange.signed(1, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })
})

describe('every answer', () => {
  const body = { body: 'a'.repeat(70_000), headers: { 'Content-Type': 'text/plain' } }

  test('says how much weight is used', async () => {
    const expected: [string, number, Answer][] = [
      ['a success', 1, await exchange.send('GET', '/api/v3/ping')],
      ['an unknown path', 2, await exchange.send('GET', '/api/v3/nothing')],
      ['no WebSocket', 3, await exchange.send('GET', '/ws')],
      ['an error', 8, await exchange.send('GET', '/api/v3/depth?symbol=NONE')],
      ['no key', 9, await exchange.send('POST', '/api/v3/order')],
      ['a body over the bound', 10, await exchange.send('POST', '/api/v3/order', 1, body)],
    ]
    for (const [what, weight, answer] of expected) {
      expect([what, used(answer)]).toEqual([what, weight])
      expect(answer.headers.get('x-mbx-used-weight')).toBe(`${weight}`)
    }
    expect(expected.map(([, , { status }]) => status)).toEqual([200, 404, 404, 400, 401, 413])
  })

  test.each([
    ['/api/v3/depth?symbol=NONE&limit=5000', 5],
    [`/api/v3/ticker/24hr?symbols=${several('BTCUSDT', 'NONE', 150)}`, 1],
    [`/api/v3/ticker/24hr?symbols=${several('BTCUSDT', 'BTCUSDT', 30)}`, 1],
    ['/api/v3/ticker/24hr?type=NONE', 1],
    ['/api/v3/ticker/price?symbols=["NONE"]', 1],
    ['/api/v3/ticker/bookTicker?symbolStatus=NONE', 1],
    [`/api/v3/ticker?symbols=${several('BTCUSDT', 'NONE', 101)}`, 2],
    [`/api/v3/ticker/tradingDay?symbols=${several('BTCUSDT', 'NONE', 101)}`, 4],
  ])('that refuses %s costs no more than the least', async (path, weight) => {
    exchange.frozenMs! += 60_000
    const answer = await exchange.send('GET', path)
    expect([answer.status, used(answer)]).toEqual([400, weight])
    const socket = await exchange.socket('/ws-api/v3')
    const [name, query] = path.slice('/api/v3/'.length).split('?') as [string, string]
    const method = { 'ticker/24hr': 'ticker.24hr', depth: 'depth' }[name]
    if (method !== undefined) {
      const params = Object.fromEntries(new URLSearchParams(query))
      const { status, rateLimits } = await socket.ask({ id: 1, method, params })
      // The weight of connecting, and the same again.
      expect([status, (rateLimits as Json[])[0]!.count]).toEqual([400, weight * 2 + 2])
    }
    socket.close()
  })

  test('costs less where no such symbol makes it light', async () => {
    const path = '/api/v3/myPreventedMatches'
    const before = used(await exchange.send('GET', '/api/v3/ping'))
    const nothing = await exchange.signed(1, 'GET', path, { symbol: 'NONE', orderId: '1' })
    expect([nothing.status, used(nothing) - before]).toEqual([400, 2])
    const found = await exchange.signed(1, 'GET', path, { symbol: 'BTCUSDT', orderId: '1' })
    expect([found.status, used(found) - used(nothing)]).toEqual([200, 20])
  })

  test('to a frame that cannot be read says so too, and costs the least weight', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    const weight = (answer: Json) => (answer.rateLimits as { count: number }[])[0]!.count
    // Connecting weighs 2.
    expect(weight(await socket.ask({ id: 1, method: 'ping' }))).toBe(3)
    expect(weight(await socket.ask('{'))).toBe(4)
    expect(weight(await socket.ask({ id: 1, method: 'unknown' }))).toBe(5)
    expect(weight(await socket.ask({ id: 1, method: 'account.status', params: [] }))).toBe(15)
    socket.close()
  })
})

test('each way in publishes the limits that hold there', async () => {
  const { body } = await exchange.send('GET', '/api/v3/exchangeInfo')
  const types = (info: Json) =>
    (info.rateLimits as { rateLimitType: string; limit: number }[]).map(
      (it) => `${it.rateLimitType} ${it.limit}`,
    )
  const both = ['REQUEST_WEIGHT 300', 'ORDERS 10', 'ORDERS 160000']
  expect(types(body)).toEqual([...both, 'RAW_REQUESTS 61000'])
  const socket = await exchange.socket('/ws-api/v3')
  const { result } = await socket.ask({ id: 1, method: 'exchangeInfo' })
  expect(types(result as Json)).toEqual([...both, 'CONNECTIONS 20'])
  socket.close()
})

describe('too much weight', () => {
  test('is refused, then banned, over REST and the WebSocket API alike, until it ends', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    expect((await exchange.send('GET', heavy)).status).toBe(200)
    const refused = await exchange.send('GET', heavy)
    expect([refused.status, refused.body, used(refused)]).toEqual([
      429,
      {
        code: -1003,
        msg:
          'Too much request weight used; current limit is 300 request weight per 1 MINUTE. Please ' +
          'use WebSocket Streams for live updates to avoid polling the API.',
      },
      252,
    ])
    expect(refused.headers.get('retry-after')).toBe('60')
    const params = { symbol: 'BTCUSDT', limit: 5000 }
    const depth = { id: 1, method: 'depth', params }
    const serverTime = exchange.nowMs()
    for (let i = 0; i < 2; i++) {
      expect(await socket.ask(depth)).toMatchObject({
        status: 429,
        error: { code: -1003, data: { serverTime, retryAfter: serverTime + 60_000 } },
      })
    }
    const untilMs = serverTime + 1_000_000
    const msg =
      `Way too much request weight used; IP banned until ${untilMs}. Please use WebSocket ` +
      'Streams for live updates to avoid bans.'
    const streams = await exchange.socket('/ws')
    expect(await socket.ask({ ...depth, id: 2 })).toEqual({
      id: 2,
      status: 418,
      error: { code: -1003, msg, data: { serverTime, retryAfter: untilMs } },
      rateLimits: [
        {
          rateLimitType: 'REQUEST_WEIGHT',
          interval: 'MINUTE',
          intervalNum: 1,
          limit: 300,
          count: 252,
        },
      ],
    })
    expect([await socket.closed(), socket.closeReason]).toEqual([1008, 'Too many requests'])
    const banned = await exchange.send('GET', heavy)
    expect([banned.status, banned.body, used(banned)]).toEqual([418, { code: -1003, msg }, 252])
    expect(banned.headers.get('retry-after')).toBe('1000')
    expect((await upgrade(exchange.url, '/ws-api/v3')).statusCode).toBe(418)
    expect((await upgrade(exchange.url, '/ws')).statusCode).toBe(101)
    // Connections to streams continue.
    expect(await streams.ask({ id: 3, method: 'LIST_SUBSCRIPTIONS' })).toEqual({
      result: [],
      id: 3,
    })
    streams.close()
    exchange.frozenMs! += 999_999
    expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(418)
    exchange.frozenMs! += 1
    const free = await exchange.send('GET', '/api/v3/ping')
    expect([free.status, used(free)]).toEqual([200, 1])
    // The first connection would by now have been closed for lack of a pong.
    const next = await exchange.socket('/ws-api/v3')
    expect(await next.ask(depth)).toMatchObject({ status: 200 })
    next.close()
    expect(exchange.counter('addressesBanned') + exchange.counter('addressesBanned', 1)).toBe(1)
  })

  test('keeps a client from connecting to the WebSocket API', async () => {
    await exchange.send('GET', heavy)
    for (let i = 0; i < 49; i++) await exchange.send('GET', '/api/v3/ping')
    const { statusCode, headers } = await upgrade(exchange.url, '/ws-api/v3')
    expect([statusCode, headers['retry-after'], headers['x-mbx-used-weight-1m']]).toEqual([
      429,
      '60',
      '299',
    ])
    expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(200)
  })
})

describe('a ban after orders', () => {
  test('comes of going on after more than 100 that were too many', async () => {
    exchange.frozenMs! += 60_000
    const place = () => exchange.limitOrder(2, 'BUY', '10.00', '1')
    for (let i = 0; i < 10; i++) expect((await place()).status).toBe(200)
    for (let i = 0; i < ORDER_REFUSALS_MAX; i++) expect((await place()).status).toBe(429)
    const banned = await place()
    expect([banned.status, banned.body.code, banned.headers.get('retry-after')]).toEqual([
      418,
      -1003,
      '2000',
    ])
    expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(418)
  })
})

describe('connections', () => {
  test('over the limit are refused, and told for how long', async () => {
    for (let i = 0; i < 20; i++) {
      expect((await upgrade(exchange.url, i % 2 === 0 ? '/ws' : '/stream')).statusCode).toBe(101)
    }
    for (const path of ['/ws', '/ws-api/v3']) {
      const { statusCode, headers } = await upgrade(exchange.url, path)
      expect([statusCode, headers['retry-after']]).toEqual([429, '300'])
    }
    exchange.frozenMs! += 300_000
    expect((await upgrade(exchange.url, '/ws')).statusCode).toBe(101)
  })

  test('to streams that send too many frames are cut off, pings and pongs counted', async () => {
    const socket = await exchange.socket('/ws', SILENT)
    for (let i = 0; i < 2; i++) await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: i })
    for (let i = 0; i < 3; i++) socket.ping()
    expect(
      (await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 9 }).catch(String)) as unknown,
    ).toBe('Error: closed with 1008')
    const steady = await exchange.socket('/ws', SILENT)
    for (let i = 0; i < 5; i++) await steady.ask({ method: 'LIST_SUBSCRIPTIONS', id: i })
    exchange.frozenMs! += 1_000
    expect(await steady.ask({ method: 'LIST_SUBSCRIPTIONS', id: 9 })).toMatchObject({ id: 9 })
    steady.close()
  })

  test('to the WebSocket API may send as many as their weight allows', async () => {
    const socket = await exchange.socket('/ws-api/v3', SILENT)
    for (let i = 0; i < 5; i++) socket.ping()
    for (let i = 0; i < 20; i++) {
      expect(await socket.ask({ id: i, method: 'ping' })).toMatchObject({ status: 200 })
    }
    // More pings in a second than on streams end it too.
    socket.ping()
    expect([await socket.closed(), socket.closeReason]).toEqual([1008, 'Too many requests'])
  })
})

test('orders cost their weight every time when so configured', async () => {
  const limits = limitSettings(['--order-weight', 'every'])
  const flat = await OneThreadExchange.start({ limits })
  expect(used(await flat.limitOrder(1, 'BUY', '10.00', '1'))).toBe(1)
  expect(used(await flat.limitOrder(1, 'BUY', '10.00', '1'))).toBe(2)
  await flat.close()
})

test('clients at exempt addresses are not limited, accounts are', async () => {
  const limits = limitSettings(['--exempt-addresses', '127.0.0.0/8', '--weight-limit', '1'])
  const open = await OneThreadExchange.start({ limits })
  open.frozenMs = exchange.nowMs()
  for (let i = 0; i < 30; i++) expect((await open.send('GET', heavy)).status).toBe(200)
  for (let i = 0; i < 10; i++) await open.limitOrder(1, 'BUY', '10.00', '1')
  expect((await open.limitOrder(1, 'BUY', '10.00', '1')).body.code).toBe(-1015)
  await open.close()
})
