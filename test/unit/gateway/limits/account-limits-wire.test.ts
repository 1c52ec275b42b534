/** An account's own limits as its clients meet them, over REST and the WebSocket API, by two gateways. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ORDER_REFUSALS_MAX } from '../../../../src/gateway/limits/address-guard.ts'
import type { AccountLimits } from '../../../../src/market/listing.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import {
  type Answer,
  limitSettings,
  OneThreadExchange,
} from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'
import { signingKey } from '../test-keys.ts'

const DAY_MS = 86_400_000
const logonKey = signingKey('ED25519', { apiKey: 'logon'.padEnd(64, '0') })

let exchange: OneThreadExchange
beforeAll(async () => {
  const limits = limitSettings(['--limits', 'on', '--weight-limit', '300'])
  exchange = await OneThreadExchange.start({ gateways: 2, limits, keys: [logonKey.spec] })
})
afterAll(() => exchange.close())
beforeEach(() => {
  const day = Math.floor(exchange.nowMs() / DAY_MS) + 1
  exchange.frozenMs = day * DAY_MS
})

/** As control/worker-control-plane.ts tells gateways of a changed account. */
async function give(limits: AccountLimits): Promise<void> {
  const account = { ...exchange.accounts[1]!, limits }
  const told = exchange.gateways.map((it) => it.notify([{ kind: 'account', account }]))
  await Promise.all(told)
}

const counts = ({ headers }: Answer) =>
  ['1s', '1d'].map((interval) => headers.get(`x-mbx-order-count-${interval}`))
const used = ({ headers }: Answer) => Number(headers.get('x-mbx-used-weight-1m'))
const order = () => exchange.limitOrder(1, 'BUY', '10.00', '1')

async function logOn(socket: TestSocket) {
  const params = { apiKey: logonKey.spec.apiKey, timestamp: exchange.nowMs() }
  const text = `apiKey=${params.apiKey}&timestamp=${params.timestamp}`
  const signed = { ...params, signature: logonKey.sign(text) }
  return socket.ask({ id: 1, method: 'session.logon', params: signed })
}

test('orders are counted against its own, shown so, and refused without a ban', async () => {
  await give({ ordersPerSecond: 2, ordersPerDay: 150, bansNone: true })
  for (const expected of ['1', '2']) {
    const placed = await order()
    expect([placed.status, ...counts(placed)]).toEqual([200, expected, expected])
  }
  const { body } = await exchange.signed(1, 'GET', '/api/v3/rateLimit/order')
  expect(body).toMatchObject([
    { interval: 'SECOND', limit: 2, count: 2 },
    { interval: 'DAY', limit: 150, count: 2 },
  ])
  const { body: info } = await exchange.send('GET', '/api/v3/exchangeInfo')
  expect(info.rateLimits).toContainEqual(expect.objectContaining({ interval: 'SECOND', limit: 10 }))
  for (let i = 0; i <= ORDER_REFUSALS_MAX; i++) {
    expect(await order()).toMatchObject({ status: 429, body: { code: -1015 } })
  }
  // Others are banned for as many.
  await give({ ordersPerSecond: 2 })
  const statuses = new Set<number>()
  for (let i = 0; i <= ORDER_REFUSALS_MAX; i++) statuses.add((await order()).status)
  expect([...statuses]).toEqual([429, 418])
})

test('signed requests weigh nothing on the address, up to its own limit', async () => {
  await give({ weight: 25 })
  const ask = () => exchange.signed(1, 'GET', '/api/v3/account')
  expect([used(await ask()), used(await ask())]).toEqual([10, 20])
  expect(used(await exchange.send('GET', '/api/v3/time'))).toBe(1)
  // An order that succeeds gets its weight back.
  expect(used(await order())).toBe(20)
  const refused = await ask()
  expect([refused.status, refused.body.code, used(refused)]).toEqual([429, -1003, 20])
  // The address keeps what was refused.
  expect(used(await exchange.send('GET', '/api/v3/time'))).toBe(12)
  const socket = await exchange.socket('/ws-api/v3')
  const limited = await logOn(socket)
  expect([limited.status, limited.rateLimits]).toMatchObject([200, [{ limit: 25, count: 22 }]])
  socket.close()
})

test('as many connections are logged on as it may have, and no more', async () => {
  await give({ sessions: 2 })
  const sockets = await Promise.all([0, 1, 2].map(() => exchange.socket('/ws-api/v3')))
  const [first, second, third] = sockets as [TestSocket, TestSocket, TestSocket]
  expect(await logOn(first)).toMatchObject({ status: 200 })
  expect(await logOn(first)).toMatchObject({ status: 200 })
  expect(await logOn(second)).toMatchObject({ status: 200 })
  const tooMany = {
    status: 429,
    error: { code: -1034, msg: 'Too many concurrent connections; current limit is 2.' },
  }
  expect(await logOn(third)).toMatchObject(tooMany)
  await first.ask({ id: 2, method: 'session.logout' })
  expect(await logOn(third)).toMatchObject({ status: 200 })
  expect(await logOn(first)).toMatchObject(tooMany)
  second.close()
  await eventually('room', async () => (await logOn(first)).status === 200 || undefined)
  for (const socket of sockets) socket.close()
})
