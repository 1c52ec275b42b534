/** Only the reserve of the disk is left: what places orders is refused, and everything else is served. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { operations } from '../../../src/api/operations/index.ts'
import { DiskWatch } from '../../../src/assembly/main/disk-watch.ts'
import { keyOf, OneThreadExchange, sign } from '../../fixtures/one-thread-exchange.ts'

const REFUSAL = {
  code: -1008,
  msg: 'This server takes no new orders, because its disk is almost full. Cancels continue.',
}
/** Every operation that only enters orders, or moves money. One that replaces cancels too, and so it is not among them. */
const REFUSED = [
  'placeBatch',
  'quoteOrders',
  'placeOrder',
  'placeOco',
  'placeOldOco',
  'placeOto',
  'placeOtoco',
  'placeOpo',
  'placeOpoco',
  'routeOrder',
  'withdraw',
  'subAccountTransfer',
  'universalTransfer',
]

let exchange: OneThreadExchange
beforeAll(async () => {
  // Each second it would write what the disk has.
  vi.spyOn(DiskWatch.prototype, 'look').mockReturnValue()
  exchange = await OneThreadExchange.start()
})
beforeEach(() => refuse(false))
afterAll(() => exchange.close())

const refuse = (isRefusing: boolean) => exchange.disk.write({ ...exchange.disk.read(), isRefusing })
const open = async (): Promise<readonly Record<string, unknown>[]> => {
  const { body } = await exchange.signed(1, 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  return body as unknown as Record<string, unknown>[]
}
const rest = async (): Promise<number> => {
  const { body } = await exchange.limitOrder(1, 'BUY', '1.00', '10')
  return Number((body as Record<string, unknown>).orderId)
}

test.each(operations)('$id on the reserve', async ({ id, method, path }) => {
  refuse(true)
  const { status, body } = await exchange.signed(1, method, path)
  if (REFUSED.includes(id)) expect([status, body]).toEqual([503, REFUSAL])
  else expect((body as { code?: number } | undefined)?.code).not.toBe(-1008)
})

const methods = operations.filter(({ wsMethod }) => wsMethod !== undefined)
test.each(methods)('$wsMethod on the reserve', async ({ id, wsMethod }) => {
  refuse(true)
  const socket = await exchange.socket('/ws-api/v3')
  const answer = await socket.ask({ id: 1, method: wsMethod!, params: {} })
  if (REFUSED.includes(id)) expect(answer).toMatchObject({ id: 1, status: 503, error: REFUSAL })
  else expect(answer).not.toMatchObject({ error: { code: -1008 } })
  socket.close()
})

test('cancels, amendments and queries are carried out, and orders again when there is room', async () => {
  const [first, second, third] = [await rest(), await rest(), await rest()]
  refuse(true)
  const before = exchange.counter('diskRefused')
  expect(await exchange.limitOrder(1, 'BUY', '1.00', '10')).toMatchObject({
    status: 503,
    body: REFUSAL,
  })
  expect(exchange.counter('diskRefused')).toBe(before + 1)
  const named = (orderId: number) => ({ symbol: 'BTCUSDT', orderId })
  const amended = { ...named(first), newQty: '4' }
  const amend = '/api/v3/order/amend/keepPriority'
  expect(await exchange.signed(1, 'PUT', amend, amended)).toMatchObject({ status: 200 })
  const canceled = await exchange.signed(1, 'DELETE', '/api/v3/order', named(second))
  expect(canceled).toMatchObject({ status: 200, body: { status: 'CANCELED' } })
  expect((await open()).map(({ orderId, origQty }) => [orderId, Number(origQty)])).toEqual([
    [first, 4],
    [third, 10],
  ])
  const all = await exchange.signed(1, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  expect(all).toMatchObject({ status: 200, body: [named(first), named(third)] })
  refuse(false)
  expect(await rest()).toBeGreaterThan(third!)
  await exchange.signed(1, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

const replacing = (cancelReplaceMode: string, cancelOrderId: number) =>
  exchange.signed(1, 'POST', '/api/v3/order/cancelReplace', {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '1.00',
    quantity: '10',
    cancelReplaceMode,
    cancelOrderId,
  })

test.each([
  'STOP_ON_FAILURE',
  'ALLOW_FAILURE',
])('%s: the cancel of a replacement is done', async (mode) => {
  const orderId = await rest()
  refuse(true)
  const data = {
    cancelResult: 'SUCCESS',
    newOrderResult: 'FAILURE',
    cancelResponse: { orderId, status: 'CANCELED' },
    newOrderResponse: REFUSAL,
  }
  expect(await replacing(mode, orderId)).toMatchObject({
    status: 409,
    body: { code: -2021, data },
  })
  expect(await open()).toEqual([])
})

test.each([
  ['STOP_ON_FAILURE', 'NOT_ATTEMPTED', null],
  ['ALLOW_FAILURE', 'FAILURE', REFUSAL],
])('%s: nothing is done where nothing can be canceled', async (mode, newOrderResult, response) => {
  refuse(true)
  const data = { cancelResult: 'FAILURE', newOrderResult, newOrderResponse: response }
  expect(await replacing(mode, 999_999)).toMatchObject({
    status: 400,
    body: { code: -2022, data },
  })
})

test('while a start waits for a decision about its clock, the market is closed', async () => {
  const [first, second] = [await rest(), await rest()]
  exchange.isAwaited = true
  const closed = { code: -2010, msg: 'Market is closed.' }
  const named = { symbol: 'BTCUSDT', orderId: first! }
  try {
    expect(await exchange.limitOrder(1, 'BUY', '1.00', '10')).toMatchObject({
      status: 400,
      body: closed,
    })
    expect(await replacing('STOP_ON_FAILURE', second!)).toMatchObject({
      status: 409,
      body: { data: { cancelResult: 'SUCCESS', newOrderResponse: closed } },
    })
    expect(await exchange.signed(1, 'DELETE', '/api/v3/order', named)).toMatchObject({
      status: 200,
    })
  } finally {
    exchange.isAwaited = false
  }
  expect(await open()).toEqual([])
})

test('a session that ends has its orders canceled', async () => {
  const socket = await exchange.socket('/ws-api/v3')
  const { apiKey } = keyOf(1)
  const asked = async (method: string, more: Record<string, string | number>) => {
    const params: Record<string, string | number> = { ...more, apiKey, timestamp: exchange.nowMs() }
    const pairs = Object.keys(params).sort()
    const payload = pairs.map((name) => `${name}=${params[name]}`).join('&')
    return socket.ask({ id: 1, method, params: { ...params, signature: sign(1, payload) } })
  }
  const bound = { id: 1, method: 'session.cancelOnDisconnect', params: { enabled: true } }
  expect(await socket.ask(bound)).toMatchObject({ status: 200 })
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  await asked('order.place', { ...order, price: '1.00', quantity: '10' })
  expect(await open()).toHaveLength(1)
  refuse(true)
  socket.close()
  await expect.poll(open).toEqual([])
})
