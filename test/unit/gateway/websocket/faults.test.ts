/** Faults of requests over the WebSocket API. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Ms } from '../../../../src/base/units.ts'
import { readFaultRule } from '../../../../src/market/fault-rule.ts'
import { keyOf, OneThreadExchange, sign } from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'

/** Of delays: it stands still until a test moves it. */
const time = new ManualTime(new ManualClock(Ms(0)))
let exchange: OneThreadExchange
beforeAll(async () => {
  exchange = await OneThreadExchange.start({ sandbox: time })
})
afterAll(() => exchange.close())
beforeEach(async () => {
  await exchange.faults.remove(() => true)
})

type Values = Readonly<Record<string, string | number>>

const add = (given: Values) =>
  exchange.faults.add([readFaultRule({ name: 'rule', ...given }, () => undefined)])
const open = () => exchange.socket('/ws-api/v3?returnRateLimits=false')

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
let ids = 0
function placing(newClientOrderId: string) {
  const params: Values = {
    ...{ ...order, price: '100', quantity: '1', newClientOrderId },
    ...{ apiKey: keyOf(1).apiKey, timestamp: exchange.nowMs() },
  }
  const pairs = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
  const signature = sign(1, pairs.join('&'))
  return { id: ++ids, method: 'order.place', params: { ...params, signature } }
}
const place = (socket: TestSocket, id: string) => socket.ask(placing(id))

async function statusOf(origClientOrderId: string) {
  const params = { symbol: 'BTCUSDT', origClientOrderId }
  const { status, body } = await exchange.signed(1, 'GET', '/api/v3/order', params)
  return status === 200 ? body!.status : body!.code
}

test('an error instead of execution has the shape of the protocol', async () => {
  const socket = await open()
  await add({ do: 'answer', operation: 'placeOrder', status: 500, code: -1001, message: 'Down.' })
  const error = { code: -1001, msg: 'Down.' }
  expect(await place(socket, 'never')).toEqual({ id: ids, status: 500, error })
  await add({ do: 'proxy', operation: 'placeOrder', status: 503 })
  expect(await place(socket, 'never')).toMatchObject({ status: 503, error: { code: -1000 } })
  await add({ do: 'limit', operation: 'placeOrder', retry: 9 })
  const limited = await place(socket, 'never')
  expect(limited).toMatchObject({ status: 429, error: { code: -1003 } })
  const { serverTime, retryAfter } = (limited.error as { data: Record<string, number> }).data
  expect(retryAfter! - serverTime!).toBe(9_000)
  await add({ do: 'refuse', operation: 'placeOrder', reason: 'INSUFFICIENT_BALANCE' })
  expect(await place(socket, 'never')).toMatchObject({ status: 400, error: { code: -2010 } })
  expect(await statusOf('never')).toBe(-2013)
  socket.close()
})

test('an order of unknown fate is found by a query', async () => {
  const socket = await open()
  await add({ do: 'unknown', operation: 'placeOrder' })
  expect(await place(socket, 'lost')).toMatchObject({ status: 504, error: { code: -1007 } })
  expect(await statusOf('lost')).toBe('NEW')
  socket.close()
})

test.each(['cut', 'half'])('the answer is %s, and the connection is gone', async (how) => {
  const socket = await open()
  await add({ do: how, operation: 'placeOrder' })
  socket.send(placing(`${how}-1`))
  expect(await socket.closed()).toBe(1006)
  expect(socket.waiting).toBe(0)
  expect(await statusOf(`${how}-1`)).toBe('NEW')
})

test('the answer comes twice, and the connection goes on', async () => {
  const socket = await open()
  await add({ do: 'twice', operation: 'placeOrder', times: 1 })
  const first = await place(socket, 'twice-1')
  expect([first.status, await socket.next()]).toEqual([200, first])
  expect((await place(socket, 'twice-2')).status).toBe(200)
  expect(await socket.ask({ id: 1, method: 'ping' })).toEqual({ id: 1, status: 200, result: {} })
  socket.close()
})

test('a delayed answer does not hold up those behind it', async () => {
  const socket = await open()
  await add({ do: 'delay', operation: 'placeOrder', ms: 300 })
  socket.send(placing('slow-1'))
  expect(await socket.ask({ id: 0, method: 'ping' })).toMatchObject({ id: 0 })
  await expect.poll(() => statusOf('slow-1')).toBe('NEW')
  time.advance(300)
  expect(await socket.next()).toMatchObject({ id: ids, status: 200 })
  socket.close()
})
