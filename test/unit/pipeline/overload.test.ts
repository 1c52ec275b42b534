/** More orders than can be done: those beyond a bound are turned away, before they are parsed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Pending } from '../../../src/gateway/engine-link/pending.ts'
import { Overload } from '../../../src/pipeline/overload.ts'
import { countersBytes, ThreadCounters } from '../../../src/shared/counters.ts'
import { keyOf, OneThreadExchange, sign } from '../../fixtures/one-thread-exchange.ts'

const PENDING_ORDERS = 3
const BUSY = {
  code: -1008,
  msg: 'Server is currently overloaded with other requests. Please try again in a few minutes.',
}

let exchange: OneThreadExchange
beforeAll(async () => {
  exchange = await OneThreadExchange.start({ pendingOrders: PENDING_ORDERS })
})
afterAll(() => exchange.close())

const place = () => exchange.limitOrder(1, 'BUY', '1.00', '10')

test('what matchers have deferred takes no room of orders', () => {
  const pending = new Pending()
  const collector = { record: () => {}, done: () => {}, failed: () => {} }
  const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1, 1)), 0)
  let deferred = 0
  const engine = { deferredOrders: () => deferred, newOrderFault: () => undefined }
  const overload = new Overload(pending, PENDING_ORDERS, engine, counters)
  const isRefused = () => overload.refusalOf({ effect: 'PLACES' }) !== undefined
  for (let i = 0; i < PENDING_ORDERS; i++) {
    expect(isRefused()).toBe(false)
    pending.open(collector, 0, 0)
  }
  expect(isRefused()).toBe(true)
  deferred = 1
  expect(isRefused()).toBe(false)
  pending.open(collector, 0, 0)
  expect(isRefused()).toBe(true)
})

test('queries take no room of orders, however many symbols they ask for', async () => {
  const many = await OneThreadExchange.start({ pendingOrders: PENDING_ORDERS, symbolCount: 250 })
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const open = { ...order, price: '1.00', quantity: '10' }
  const placed = (symbol: string) => many.signed(1, 'POST', '/api/v3/order', { ...open, symbol })
  for (const symbol of ['X247USDT', 'BTCUSDT', 'X7USDT']) {
    expect((await placed(symbol)).status).toBe(200)
  }
  many.pause()
  // So many queries fill the quarter of the ring.
  const one = { symbol: 'BTCUSDT', orderId: 1 }
  const queries = Array.from({ length: 64 }, () => many.signed(1, 'GET', '/api/v3/order', one))
  await expect.poll(() => many.waiting()).toBe(64)
  expect(await many.signed(1, 'GET', '/api/v3/order', one)).toMatchObject({ body: BUSY })
  expect(await many.signed(1, 'GET', '/api/v3/openOrders')).toMatchObject({ body: BUSY })
  const orders = Array.from({ length: PENDING_ORDERS }, () => placed('BTCUSDT'))
  await expect.poll(() => many.waiting()).toBe(64 + PENDING_ORDERS)
  expect((await placed('BTCUSDT')).body).toEqual(BUSY)
  many.resume()
  for (const answer of await Promise.all(orders)) expect(answer.status).toBe(200)
  for (const { body } of await Promise.all(queries)) expect(body).toMatchObject(one)
  const { body } = await many.signed(1, 'GET', '/api/v3/openOrders')
  const names = (body as unknown as { symbol: string }[]).map(({ symbol }) => symbol)
  expect(names.slice(0, 3)).toEqual(['X247USDT', 'BTCUSDT', 'X7USDT'])
  await many.close()
})

test(
  'orders beyond the bound are busy at once, queries are not, and afterwards all is as ' + 'before',
  async () => {
    exchange.pause()
    const taken = Array.from({ length: PENDING_ORDERS }, place)
    await expect.poll(() => exchange.waiting()).toBe(PENDING_ORDERS)

    expect(await place()).toMatchObject({ status: 503, body: BUSY })
    const cancel = { symbol: 'BTCUSDT', orderId: 1 }
    expect(await exchange.signed(1, 'DELETE', '/api/v3/order', cancel)).toMatchObject({
      status: 503,
    })
    const unsigned = await fetch(`${exchange.url}/api/v3/order?symbol=NONE`, { method: 'POST' })
    expect(await unsigned.json()).toEqual(BUSY)
    const tested = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const order = { ...tested, quantity: '10', price: '1.00' }
    expect(await exchange.signed(1, 'POST', '/api/v3/order/test', order)).toMatchObject({
      status: 200,
    })
    expect(exchange.counter('pendingFull')).toBe(3)

    const socket = await exchange.socket('/ws-api/v3')
    const { apiKey } = keyOf(1)
    const timestamp = exchange.nowMs()
    const asked = { symbol: 'BTCUSDT', apiKey, timestamp }
    const payload = `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`
    const params = { ...asked, signature: sign(1, payload) }
    const refused = await socket.ask({ id: 1, method: 'openOrders.cancelAll', params })
    expect(refused).toMatchObject({ id: 1, status: 503, error: BUSY })
    const query = exchange.signed(1, 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    await expect.poll(() => exchange.waiting()).toBe(PENDING_ORDERS + 1)

    exchange.resume()
    for (const answer of await Promise.all(taken)) expect(answer.status).toBe(200)
    expect((await query).body).toHaveLength(PENDING_ORDERS)
    expect((await place()).status).toBe(200)
  },
)
