import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Json,
  keyOf,
  OneThreadExchange,
  roomyLimits,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'

let exchange: OneThreadExchange
let socket: TestSocket

beforeAll(async () => {
  exchange = await OneThreadExchange.start({ limits: roomyLimits })
  socket = await exchange.socket('/ws-api/v3')
})
afterAll(async () => {
  socket.close()
  await exchange.close()
})

const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '100.00',
  quantity: '1.00000',
}

/** The parameters with key and signature, over their sorted texts. */
function signed(account: number, params: Record<string, string | number | boolean>) {
  const all = { ...params, apiKey: keyOf(account).apiKey, timestamp: exchange.nowMs() }
  const payload = Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return { ...all, signature: sign(account, payload) }
}

const errorOf = (answer: Json) => [answer.status, (answer.error as Json).code]

describe('requests', () => {
  test('are answered with their id, a status, a result and the limits touched', async () => {
    const answer = await socket.ask({ id: 'a-1', method: 'ping' })
    expect(answer).toEqual({
      id: 'a-1',
      status: 200,
      result: {},
      rateLimits: [
        {
          rateLimitType: 'REQUEST_WEIGHT',
          interval: 'MINUTE',
          intervalNum: 1,
          limit: 1_000_000,
          // The weight of connecting included.
          count: 3,
        },
      ],
    })
  })

  test.each([
    ['12345678901234567890'],
    ['9'.repeat(1_000)],
    [`"${'x'.repeat(1_000)}"`],
    [`"${'\\u00e9'.repeat(1_000)}"`],
    [`"${'é'.repeat(1_000)}"`],
    ['-1'],
    ['"text with \\"quotes\\" and \\u00e9"'],
    ['null'],
  ])('echo the id %s as it stood', async (id) => {
    socket.send(`{"id":${id},"method":"v3/time","params":{"returnRateLimits":false}}`)
    expect(await socket.nextText()).toMatch(`{"id":${id},"status":200,"result":{"serverTime":`)
  })

  test('may be told not to show limits, by address or by parameter', async () => {
    const quiet = await exchange.socket('/ws-api/v3?returnRateLimits=false')
    expect(await quiet.ask({ id: 1, method: 'ping' })).toEqual({ id: 1, status: 200, result: {} })
    const params = { returnRateLimits: true }
    expect(await quiet.ask({ id: 1, method: 'ping', params })).toHaveProperty('rateLimits')
    quiet.close()
  })

  test('take symbols as an array', async () => {
    const params = { symbols: ['BTCUSDT', 'ETHUSDT'] }
    const answer = await socket.ask({ id: 1, method: 'ticker.price', params })
    expect((answer.result as Json[]).map((it) => it.symbol)).toEqual(['BTCUSDT', 'ETHUSDT'])
  })

  test('give times in microseconds when the address says so', async () => {
    const micro = await exchange.socket('/ws-api/v3?timeUnit=microsecond')
    const answer = await micro.ask({ id: 1, method: 'time' })
    expect(String((answer.result as Json).serverTime)).toHaveLength(16)
    micro.close()
  })

  test.each<[string, number, number]>([
    ['{', 400, -1135],
    ['[]', 400, -1135],
    ['"text"', 400, -1135],
    ['{"method":"ping"}', 400, -1102],
    ['{"id":{},"method":"ping"}', 400, -1130],
    ['{"id":1}', 400, -1102],
    ['{"id":1,"method":5}', 400, -1102],
    ['{"id":1,"method":"what.ever"}', 400, -1020],
    ['{"id":1,"method":"ping","params":[]}', 400, -1135],
    ['{"id":1,"method":"ping","params":["a"]}', 400, -1135],
    ['{"id":1,"method":"ping","params":7}', 400, -1130],
    ['{"id":1,"method":"ping","params":{"a":1}}', 400, -1104],
    ['{"id":1,"method":"ping","params":{"a":1,"b":2,"c":3,"d":4}}', 400, -1101],
    ['{"id":1,"method":"ping","params":null}', 400, -1102],
    ['{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","limit":null}}', 400, -1102],
    ['{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","symbol":"ETHUSDT"}}', 400, -1101],
    ['{"id":1,"method":"depth","params":{"symbol":null}}', 400, -1102],
    ['{"id":1,"method":"depth","params":{"symbol":["BTCUSDT"]}}', 400, -1100],
    ['{"id":1,"method":"account.status"}', 400, -1102],
    ['{"id":1,"method":"account.status","params":{"apiKey":"short"}}', 401, -2014],
    ['{"id":1,"method":"userDataStream.subscribe"}', 400, -1102],
  ])('%s is answered with %i %i', async (frame, status, code) => {
    socket.send(frame)
    expect(errorOf(await socket.next())).toEqual([status, code])
  })
})

describe('signed requests', () => {
  test('place, see and cancel orders like REST', async () => {
    const params = signed(1, { ...order, newClientOrderId: 'over-ws' })
    const placed = await socket.ask({ id: 1, method: 'order.place', params })
    expect(placed).toMatchObject({ status: 200, result: { clientOrderId: 'over-ws' } })
    const ids = { symbol: 'BTCUSDT', origClientOrderId: 'over-ws' }
    const found = await socket.ask({ id: 2, method: 'order.status', params: signed(1, ids) })
    expect(found.result).toMatchObject({ status: 'NEW', price: '100.00000000' })
    const canceled = await socket.ask({ id: 3, method: 'order.cancel', params: signed(1, ids) })
    expect(canceled.result).toMatchObject({ status: 'CANCELED', origClientOrderId: 'over-ws' })
  })

  test('are signed over numbers as they stand in the frame', async () => {
    const { apiKey } = keyOf(1)
    const timestamp = exchange.nowMs()
    const tail =
      `recvWindow=5000.100&side=BUY&symbol=BTCUSDT&timeInForce=GTC&timestamp=${timestamp}` +
      '&type=LIMIT'
    const payload = `apiKey=${apiKey}&price=100.10&quantity=1.50000&${tail}`
    const signature = sign(1, payload)
    socket.send(
      '{"id":1,"method":"order.test","params":{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT",' +
        '"timeInForce":"GTC","price":100.10,"quantity":1.50000,"recvWindow":5000.100,' +
        `"apiKey":"${apiKey}","timestamp":${timestamp},"signature":"${signature}"}}`,
    )
    expect(await socket.next()).toMatchObject({ status: 200 })
  })

  test.each([
    ['a wrong signature', () => ({ ...signed(1, order), signature: 'f'.repeat(64) }), -1022],
    ['a changed parameter', () => ({ ...signed(1, order), price: '99.00' }), -1022],
    ['a parameter too many', () => signed(1, { ...order, what: 'ever' }), -1104],
    ['a logon by an HMAC key', () => signed(1, {}), -4056],
  ])('with %s are refused', async (_, params, code) => {
    const method = code === -4056 ? 'session.logon' : 'order.place'
    const answer = await socket.ask({ id: 1, method, params: params() })
    expect((answer.error as Json).code).toBe(code)
  })

  test('are many at once, each answered under its id', async () => {
    const count = 200
    for (let id = 0; id < count; id++) {
      socket.send({ id, method: 'order.place', params: signed(2, { ...order, price: '1.00' }) })
    }
    const ids = new Set<unknown>()
    for (let i = 0; i < count; i++) {
      const answer = await socket.next()
      expect(answer.status).toBe(200)
      ids.add(answer.id)
    }
    expect(ids.size).toBe(count)
  })

  test('and a session without a logon', async () => {
    const { result } = await socket.ask({ id: 1, method: 'session.status' })
    expect(result).toMatchObject({ apiKey: null, authorizedSince: null, userDataStream: false })
  })
})
