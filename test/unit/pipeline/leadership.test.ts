/** A member that follows: what writes is referred to the leader, and everything else is served. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Rows } from '../../../src/api/answers/answer.ts'
import { empty } from '../../../src/api/answers/market.ts'
import type { Responder } from '../../../src/api/context.ts'
import { type Operation, operations } from '../../../src/api/operations/index.ts'
import { Leadership } from '../../../src/pipeline/leadership.ts'
import { Role } from '../../../src/shared/role.ts'
import { keyOf, OneThreadExchange, sign } from '../../fixtures/one-thread-exchange.ts'

const LEADER = 'https://leader.example:8080'
const REFUSAL = {
  code: -1001,
  msg: 'This server takes no orders, because another one leads. Please try again at the leader.',
}

/** Every operation that changes what the members share. A new one belongs here, or is harmless. */
const WRITING = [
  'cancelBatch',
  'cancelWhere',
  'placeBatch',
  'quoteOrders',
  'replaceBatch',
  'withdraw',
  'subAccountTransfer',
  'universalTransfer',
  ...['placeOrder', 'routeOrder', 'cancelOrder', 'cancelOpenOrders'],
  ...['replaceOrder', 'amendOrder'],
  ...[
    'placeOco',
    'placeOldOco',
    'placeOto',
    'placeOtoco',
    'placeOpo',
    'placeOpoco',
    'cancelOrderList',
    'setCountdown',
    'setProtection',
    'resetProtection',
  ],
]
/** What members that do not lead serve by other methods than GET: it is their own, or changes nothing. */
const OWN = [
  ...['testOrder', 'testRoutedOrder', 'userAssets'],
  ...['startListenKey', 'keepListenKeyAlive', 'closeListenKey'],
]

let exchange: OneThreadExchange
beforeAll(async () => {
  exchange = await OneThreadExchange.start()
  exchange.role.noteLeader(3, LEADER)
})
beforeEach(() => exchange.role.become(Role.FOLLOWER))
afterAll(() => exchange.close())

const names = (rows: readonly Operation[]) => rows.map(({ id }) => id).sort()

test('the rows of operations say which of them write', () => {
  expect(names(operations.filter(({ effect }) => effect !== 'NONE'))).toEqual(WRITING.sort())
  const others = operations.filter(({ method, effect }) => method !== 'GET' && effect === 'NONE')
  expect(names(others)).toEqual(OWN.sort())
})

test.each(operations)('$id of a follower', async ({ id, method, path }) => {
  const isWriting = WRITING.includes(id)
  const { status, headers, body } = await exchange.signed(1, method, path)
  expect((body as { code?: number } | undefined)?.code === -1001).toBe(isWriting)
  expect(headers.get('x-ringbook-leader')).toBe(isWriting ? LEADER : null)
  if (isWriting) expect([status, body]).toEqual([503, REFUSAL])
})

const methods = operations.filter(({ wsMethod }) => wsMethod !== undefined)
test.each(methods)('$wsMethod of a follower', async ({ id, wsMethod }) => {
  const socket = await exchange.socket('/ws-api/v3')
  const answer = await socket.ask({ id: 1, method: wsMethod!, params: {} })
  const refused = { id: 1, status: 503, error: { ...REFUSAL, data: { leader: LEADER } } }
  if (WRITING.includes(id)) expect(answer).toMatchObject(refused)
  else expect(answer).not.toMatchObject({ error: { code: -1001 } })
  socket.close()
})

test.each([
  Role.FOLLOWER,
  Role.TAKING_OVER,
  Role.HANDING_OVER,
])('role %i takes no orders, and serves queries of the engine', async (role) => {
  exchange.role.become(Role.LEADER)
  const placed = await exchange.limitOrder(1, 'BUY', '1.00', '10')
  expect(placed.status).toBe(200)
  exchange.role.become(role)
  const hash = exchange.stateHash
  const { orderId } = placed.body as { orderId: number }
  const order = { symbol: 'BTCUSDT', orderId }
  expect((await exchange.limitOrder(1, 'BUY', '1.00', '10')).body).toEqual(REFUSAL)
  expect((await exchange.signed(1, 'DELETE', '/api/v3/order', order)).body).toEqual(REFUSAL)
  expect((await exchange.signed(1, 'GET', '/api/v3/order', order)).body).toMatchObject(order)
  expect(exchange.stateHash).toBe(hash)
  exchange.role.become(Role.LEADER)
  expect((await exchange.signed(1, 'DELETE', '/api/v3/order', order)).status).toBe(200)
})

test('a session stays over a change of role', async () => {
  const socket = await exchange.socket('/ws-api/v3')
  const { apiKey } = keyOf(1)
  const cancelAll = (id: number) => {
    const timestamp = exchange.nowMs()
    const signature = sign(1, `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`)
    const params = { symbol: 'BTCUSDT', apiKey, timestamp, signature }
    return socket.ask({ id, method: 'openOrders.cancelAll', params })
  }
  expect(await cancelAll(1)).toMatchObject({ id: 1, status: 503, error: REFUSAL })
  exchange.role.become(Role.LEADER)
  await exchange.limitOrder(1, 'BUY', '1.00', '10')
  expect(await cancelAll(2)).toMatchObject({ id: 2, status: 200 })
  socket.close()
})

test('a leader whose address is unknown is named by neither header nor data', async () => {
  const one = await OneThreadExchange.start()
  one.role.noteLeader(1, '')
  one.role.become(Role.FOLLOWER)
  const { headers, body } = await one.limitOrder(1, 'BUY', '1.00', '10')
  expect([body, headers.get('x-ringbook-leader')]).toEqual([REFUSAL, null])
  const socket = await one.socket('/ws-api/v3')
  const answer = await socket.ask({ id: 1, method: 'order.place', params: {} })
  expect(answer.error).toEqual(REFUSAL)
  await one.close()
})

test.each([
  [Role.LEADER, 200, 'leader'],
  [Role.FOLLOWER, 503, 'follower'],
  [Role.TAKING_OVER, 503, 'takingOver'],
  [Role.HANDING_OVER, 503, 'handingOver'],
])('a load balancer that asks for role %i gets %i', async (role, status, name) => {
  exchange.role.become(role)
  exchange.role.noteLag(5, 12)
  const answer = await exchange.send('GET', '/ringbook/role')
  expect(answer.status).toBe(status)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-ringbook-leader')).toBe(LEADER)
  const lag = { lagPositions: 5, lagMs: 12 }
  expect(answer.body).toEqual({ role: name, epoch: 3, leader: LEADER, ...lag })
})

test('an exchange that stops, or whose journal refuses, leads no more for a load balancer', async () => {
  const one = await OneThreadExchange.start()
  expect((await one.send('GET', '/ringbook/role')).status).toBe(200)
  one.gateways[0]!.becomeReadOnly()
  expect((await one.send('GET', '/ringbook/role')).status).toBe(503)
  for (const untilMs of [LATER_MS, PAST_MS]) {
    one.role.confirm(untilMs)
    expect((await one.limitOrder(1, 'BUY', '1.00', '10')).body).toMatchObject({ code: -1016 })
  }
  await one.close()
})

/** Until when the quorum confirms the lead, monotonic. */
const PAST_MS = 1
const LATER_MS = Number.MAX_SAFE_INTEGER
const UNKNOWN = { status: 504, body: { code: -1007 } }
const CUT_OFF = {
  status: 503,
  body: { code: -1001, msg: expect.stringContaining('does not confirm') },
}
/** What every member knows of itself, leader or not. */
const SELF = ['ping', 'time', 'startListenKey', 'keepListenKeyAlive', 'closeListenKey']

test('a leader that the quorum does not confirm knows nothing definite, until it does', async () => {
  const one = await OneThreadExchange.start()
  one.role.noteLeader(3, LEADER)
  one.role.confirm(LATER_MS)
  const { body } = await one.limitOrder(1, 'BUY', '1.00', '10')
  const { orderId } = body as { orderId: number }
  const own = { symbol: 'BTCUSDT', orderId }
  const strange = { symbol: 'BTCUSDT', orderId: orderId + 1 }
  const streams = await one.socket('/ws/btcusdt@trade')
  const session = await one.socket('/ws-api/v3')
  one.role.confirm(PAST_MS)
  const role = await one.send('GET', '/ringbook/role')
  expect(role).toMatchObject({ status: 503, body: { role: 'cutOff', leader: '' } })
  expect(role.body).toMatchObject({ reason: expect.stringContaining('does not confirm') })
  expect((await one.limitOrder(1, 'BUY', '1.00', '10')).body).toMatchObject({ code: -1001 })
  for (const order of [own, strange]) {
    expect(await one.signed(1, 'GET', '/api/v3/order', order)).toMatchObject(UNKNOWN)
  }
  for (const path of ['openOrders', 'allOrders', 'account', 'myTrades']) {
    const asked = path === 'account' ? {} : { symbol: 'BTCUSDT' }
    const answer = await one.signed(1, 'GET', `/api/v3/${path}`, asked)
    expect(answer, path).toMatchObject(UNKNOWN)
  }
  expect(await streams.closed()).toBe(1013)
  expect(await session.next()).toMatchObject({ event: { e: 'serverShutdown' } })
  await expect(one.socket('/ws/btcusdt@trade')).rejects.toThrow()
  one.role.confirm(LATER_MS)
  expect((await one.send('GET', '/ringbook/role')).status).toBe(200)
  expect((await one.signed(1, 'GET', '/api/v3/order', own)).status).toBe(200)
  expect((await one.signed(1, 'GET', '/api/v3/order', strange)).body).toMatchObject({ code: -2013 })
  await one.close()
})

test('a leader that is cut off refuses every operation that tells of orders, markets or accounts', () => {
  const leadership = new Leadership(exchange.role)
  exchange.role.become(Role.LEADER)
  exchange.role.confirm(PAST_MS)
  const served = operations.filter((row) => leadership.refusalOf(row) === undefined)
  expect(names(served)).toEqual(SELF.sort())
  for (const row of operations.filter(({ signed }) => signed)) {
    expect(leadership.refusalOf(row), row.id).toBe('TIMEOUT')
  }
  exchange.role.confirm(LATER_MS)
  for (const row of operations) expect(leadership.refusalOf(row)).toBeUndefined()
})

const paths = ['depth', 'trades', 'historicalTrades', 'aggTrades', 'avgPrice', 'klines']
const dayPaths = ['ticker/price', 'ticker/bookTicker', 'ticker/24hr', 'ticker', 'exchangeInfo']
test.each([...paths, ...dayPaths])('%s by REST of a leader that is cut off', async (path) => {
  const asked = `/api/v3/${path}?symbol=BTCUSDT${path === 'klines' ? '&interval=1m' : ''}`
  exchange.role.become(Role.LEADER)
  exchange.role.confirm(PAST_MS)
  expect(await exchange.send('GET', asked)).toMatchObject(CUT_OFF)
  exchange.role.confirm(LATER_MS)
  expect((await exchange.send('GET', asked)).status).toBe(200)
})

test('a session of a leader that is cut off gets no market data', async () => {
  const one = await OneThreadExchange.start()
  one.role.confirm(LATER_MS)
  const socket = await one.socket('/ws-api/v3')
  const depth = (id: number) => socket.ask({ id, method: 'depth', params: { symbol: 'BTCUSDT' } })
  expect(await depth(1)).toMatchObject({ status: 200 })
  one.role.confirm(PAST_MS)
  expect(await socket.next()).toMatchObject({ event: { e: 'serverShutdown' } })
  expect(await depth(2)).toMatchObject({ status: 503, error: CUT_OFF.body })
  one.role.confirm(LATER_MS)
  expect(await depth(3)).toMatchObject({ status: 200 })
  await one.close()
})

test('what a leader learns too late that it is cut off is unknown, unless it was journaled', async () => {
  const leadership = new Leadership(exchange.role)
  const said: string[] = []
  const responder: Responder = {
    reply: () => said.push('answer'),
    error: (id) => said.push(id),
    isReading: () => true,
  }
  const rowOf = (wanted: string) => operations.find(({ id }) => id === wanted)!
  exchange.role.become(Role.LEADER)
  for (const untilMs of [LATER_MS, PAST_MS]) {
    exchange.role.confirm(untilMs)
    for (const id of ['queryOrder', 'cancelOrder', 'klines']) {
      const guarded = leadership.guarded(rowOf(id), responder)
      guarded.reply(new Rows(empty, {}, { microseconds: false }))
      guarded.error('NO_SUCH_ORDER')
    }
  }
  exchange.role.confirm(LATER_MS)
  const known = ['answer', 'NO_SUCH_ORDER', 'answer', 'NO_SUCH_ORDER', 'answer', 'NO_SUCH_ORDER']
  const unknown = ['TIMEOUT', 'TIMEOUT', 'answer', 'TIMEOUT', 'CUT_OFF', 'CUT_OFF']
  expect(said).toEqual([...known, ...unknown])
})
