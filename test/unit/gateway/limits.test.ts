import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  connections,
  limitBytes,
  ordersPerDay,
  ordersPerSecond,
  RateLimits,
  rawRequests,
  requestWeight,
  retryAfterSeconds,
} from '../../../src/gateway/rate-limits.ts'
import { type Json, OneThreadExchange } from './one-thread-exchange.ts'

const ACCOUNTS_MAX = 4
/** The beginning of a day. */
const now = 86_400_000 * 19_675
const ipv4 = (...bytes: number[]) => new Uint8Array(bytes).buffer
const ipv6 = (...bytes: number[]) => new Uint8Array(16).map((_, i) => bytes[i] ?? 0).buffer

const memory = () => new SharedArrayBuffer(limitBytes(ACCOUNTS_MAX))
const fresh = (cells = memory()) => new RateLimits(cells, ACCOUNTS_MAX, true)

describe('cells', () => {
  test('weight is taken up to the limit, not beyond, and anew in the next minute', () => {
    const limits = fresh()
    const address = limits.addressOf(ipv4(10, 0, 0, 1))
    expect(limits.chargeRequest(address, requestWeight.limit - 5, now)).toBeUndefined()
    expect(limits.chargeRequest(address, 6, now)).toBe(requestWeight)
    expect(limits.weightUsed).toBe(requestWeight.limit - 5)
    expect(limits.chargeRequest(address, 5, now)).toBeUndefined()
    expect(limits.weightUsed).toBe(requestWeight.limit)
    expect(limits.chargeRequest(address, 5, now + 60_000)).toBeUndefined()
    expect(limits.weightUsed).toBe(5)
  })

  test('weight given back can be taken again, in the same minute only', () => {
    const limits = fresh()
    const address = limits.addressOf(ipv4(10, 0, 0, 1))
    limits.chargeRequest(address, 7, now)
    limits.refundWeight(address, 4, now)
    expect(limits.weightUsed).toBe(3)
    limits.refundWeight(address, 4, now)
    expect(limits.weightUsed).toBe(0)
    limits.chargeRequest(address, 7, now + 60_000)
    limits.refundWeight(address, 4, now)
    limits.chargeRequest(address, 1, now + 60_000)
    expect(limits.weightUsed).toBe(8)
  })

  test('requests are counted besides their weight, and connections besides both', () => {
    const limits = fresh()
    const address = limits.addressOf(ipv4(10, 0, 0, 1))
    for (let i = 0; i < rawRequests.limit; i++) limits.chargeRequest(address, 0, now)
    expect(limits.chargeRequest(address, 0, now)).toBe(rawRequests)
    for (let i = 0; i < connections.limit; i++) {
      expect(limits.chargeConnection(address, now)).toBe(true)
    }
    expect(limits.chargeConnection(address, now)).toBe(false)
  })

  test('orders count per second and per day; a full day stops the second', () => {
    const limits = fresh()
    for (let i = 1; i <= ordersPerSecond.limit; i++) {
      expect(limits.chargeOrders(2, 1, now)).toBeUndefined()
      expect([limits.ordersThisSecond, limits.ordersThisDay]).toEqual([i, i])
    }
    expect(limits.chargeOrders(2, 1, now)).toBe(ordersPerSecond)
    expect(limits.chargeOrders(3, 1, now)).toBeUndefined()
    expect(limits.chargeOrders(2, 1, now + 1_000)).toBeUndefined()
    expect(limits.ordersThisDay).toBe(ordersPerSecond.limit + 1)
    let second = 2
    while (limits.chargeOrders(2, ordersPerSecond.limit, now + second * 1_000) === undefined) {
      second++
    }
    expect(limits.chargeOrders(2, ordersPerSecond.limit, now + second * 1_000)).toBe(ordersPerDay)
    expect(limits.chargeOrders(2, 9, now + second * 1_000)).toBeUndefined()
    expect(limits.ordersThisSecond).toBe(9)
  })

  test('are shared by all gateways', () => {
    const cells = memory()
    const [one, other] = [fresh(cells), fresh(cells)]
    const address = one.addressOf(ipv4(10, 0, 0, 1))
    expect(other.addressOf(ipv4(10, 0, 0, 1))).toBe(address)
    one.chargeRequest(address, 10, now)
    other.chargeRequest(address, 10, now)
    expect(other.weightUsed).toBe(20)
  })
})

describe('addresses', () => {
  test.each([
    [
      'IPv4 and the same mapped',
      ipv4(1, 2, 3, 4),
      ipv6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4),
      true,
    ],
    ['two of IPv4', ipv4(1, 2, 3, 4), ipv4(1, 2, 3, 5), false],
    ['one /64 network', ipv6(32, 1, 2, 3, 4, 5, 6, 7, 1), ipv6(32, 1, 2, 3, 4, 5, 6, 7, 2), true],
    ['two /64 networks', ipv6(32, 1, 2, 3, 4, 5, 6, 7), ipv6(32, 1, 2, 3, 4, 5, 6, 8), false],
    [
      'the loopback of IPv6 and none',
      ipv6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
      ipv6(),
      true,
    ],
  ])('%s: the same is %s', (_, a, b, same) => {
    const limits = fresh()
    expect(limits.addressOf(a) === limits.addressOf(b)).toBe(same)
  })

  test('more than the table holds take the place of those that were quiet longest', () => {
    const limits = fresh()
    const busy = ipv4(9, 9, 9, 9)
    limits.chargeRequest(limits.addressOf(busy), 100, now + 300_000)
    for (let i = 0; i < 50_000; i++) {
      const address = limits.addressOf(ipv4(10, i >> 16, (i >> 8) & 255, i & 255))
      limits.chargeRequest(address, 1, now)
      expect(limits.weightUsed).toBe(1)
    }
    limits.chargeRequest(limits.addressOf(busy), 1, now + 300_000)
    expect(limits.weightUsed).toBe(101)
  })
})

test.each([
  [requestWeight, 0, 60],
  [requestWeight, 59_001, 1],
  [rawRequests, 1, 300],
  [ordersPerSecond, 999, 1],
])('the wait for %j at %i ms is %i s', (limiter, offsetMs, seconds) => {
  expect(retryAfterSeconds(limiter, 300_000 * 7 + offsetMs)).toBe(seconds)
})

describe('over the wire', () => {
  let exchange: OneThreadExchange
  beforeAll(async () => {
    exchange = await new OneThreadExchange({ port: 18_240, gateways: 2, limits: true }).start()
    // At the beginning of a day, so that no interval ends within a test.
    exchange.timeShiftMs = 86_400_000 - (Date.now() % 86_400_000)
  })
  afterAll(() => exchange.close())

  test('orders show their counts, cost no weight, and are refused beyond the limit', async () => {
    const answers = []
    for (let i = 0; i < 11; i++) answers.push(await exchange.limitOrder(1, 'BUY', '10.00', '1'))
    const [first] = answers
    expect(first!.headers.get('x-mbx-order-count-1s')).toBe('1')
    expect(first!.headers.get('x-mbx-order-count-1d')).toBe('1')
    const refused = answers.find((it) => it.status === 429)
    if (refused !== undefined) {
      expect(refused.body).toEqual({
        code: -1015,
        msg: 'Too many new orders; current limit is 10 orders per 1 SECOND.',
      })
      expect(refused.headers.get('retry-after')).toBe('1')
    }
    const placed = answers.filter((it) => it.status === 200)
    expect(placed.at(-1)!.headers.get('x-mbx-used-weight-1m')).toBe('0')
  })

  test('a request that fails costs its weight', async () => {
    const before = await exchange.send('GET', '/api/v3/ping')
    await exchange.signed(1, 'POST', '/api/v3/order', {
      symbol: 'NONE',
      side: 'BUY',
      type: 'LIMIT',
    })
    const after = await exchange.send('GET', '/api/v3/ping')
    const used = (answer: typeof after) => Number(answer.headers.get('x-mbx-used-weight-1m'))
    expect(used(after) - used(before)).toBe(2)
  })

  test('a frame that cannot be read costs the least weight', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    const used = (answer: Json) => (answer.rateLimits as { count: number }[])[0]!.count
    const before = used(await socket.ask({ id: 1, method: 'ping' }))
    expect(used(await socket.ask('{'))).toBe(before + 1)
    expect(used(await socket.ask({ id: 1, method: 'unknown' }))).toBe(before + 2)
    expect(used(await socket.ask({ id: 1, method: 'account.status', params: [] }))).toBe(
      before + 12,
    )
    socket.close()
  })

  test('weight over the limit is refused, over REST and the WebSocket API alike', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    let last = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT&limit=5000')
    while (last.status === 200) {
      last = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT&limit=5000')
    }
    expect([last.status, last.body.code]).toEqual([429, -1003])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    const params = { symbol: 'BTCUSDT', limit: 5000 }
    const answer = await socket.ask({ id: 1, method: 'depth', params })
    expect(answer).toMatchObject({ status: 429, error: { code: -1003 } })
    const { data } = answer.error as Json & { data: { serverTime: number; retryAfter: number } }
    expect(data.retryAfter).toBeGreaterThan(data.serverTime)
    socket.close()
  })

  test('connections over the limit are refused, and told for how long', async () => {
    const statuses = new Set<number>()
    let wait: string | undefined
    for (let i = 0; i <= connections.limit && wait === undefined; i++) {
      const { statusCode, headers } = await upgrade(`${exchange.url}/ws`)
      statuses.add(statusCode!)
      wait = headers['retry-after']
    }
    expect([...statuses]).toEqual([101, 429])
    expect(Number(wait)).toBeGreaterThan(0)
    // The next interval, for the tests that follow.
    exchange.timeShiftMs += connections.intervalMs
  })

  test('a reader that sends too many frames is cut off', async () => {
    const socket = await exchange.socket('/ws')
    for (let i = 0; i < 20; i++) socket.send({ method: 'LIST_SUBSCRIPTIONS', id: i })
    expect(await socket.closed()).toBe(1008)
  })
})

/** Asks for a WebSocket, and lets it go at once. */
function upgrade(url: string): Promise<IncomingMessage> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version': '13',
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, resolve).on('error', reject)
    asked.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response)
    })
    asked.end()
  })
}
