/** Sessions whose orders end with them: which orders those are, and what counts as an end. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { type Json, keyOf, OneThreadExchange, sign } from '../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../fixtures/test-socket.ts'
import { signingKey } from './test-keys.ts'

const maker = signingKey('ED25519', { apiKey: 'maker'.padEnd(64, '0') })

let exchange: OneThreadExchange
let ids = 0

beforeAll(async () => {
  exchange = await OneThreadExchange.start({
    gateways: 2,
    commandSlots: 8,
    keys: [maker.spec],
  })
})
afterAll(() => exchange.close())
beforeEach(async () => {
  exchange.resume()
  for (const account of [1, 2]) {
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      await exchange.signed(account, 'DELETE', '/api/v3/openOrders', { symbol })
    }
  }
})

type Values = Readonly<Record<string, string | number | boolean>>

const ask = (socket: TestSocket, method: string, params: Values = {}) =>
  socket.ask({ id: ++ids, method, params })

/** Parameters signed by the account's HMAC key. */
function signed(account: number, params: Values): Values {
  const all: Values = { ...params, apiKey: keyOf(account).apiKey, timestamp: exchange.nowMs() }
  const pairs = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
  return { ...all, signature: sign(account, pairs.join('&')) }
}

const open = () => exchange.socket('/ws-api/v3?returnRateLimits=false')
async function bound(params: Values = {}): Promise<TestSocket> {
  const socket = await open()
  const answer = await ask(socket, 'session.cancelOnDisconnect', { enabled: true, ...params })
  expect(answer.status).toBe(200)
  return socket
}

const limit = (newClientOrderId: string, symbol = 'BTCUSDT'): Values => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '1.00',
  quantity: '10.00000',
  newClientOrderId,
})

async function place(socket: TestSocket, account: number, order: Values): Promise<void> {
  expect(await ask(socket, 'order.place', signed(account, order))).toMatchObject({ status: 200 })
}

/** Client order ids of what is open on both symbols; queried again while the engines are busy. */
const openIds = (account = 1): Promise<unknown[]> =>
  eventually('open orders are told', async () => {
    const { status, body } = await exchange.signed(account, 'GET', '/api/v3/openOrders')
    if (status !== 200) return undefined
    return (body as unknown as Json[]).map(({ clientOrderId }) => clientOrderId)
  })

/** Resolves when these are open, and no others. */
const remaining = (expected: readonly string[], account = 1) =>
  eventually(`[${expected}] remain`, async () =>
    String(await openIds(account)) === String(expected) ? true : undefined,
  )

/** Resolves when so many commands wait for the engines. */
const waiting = (count: number) =>
  eventually(`${count} commands wait`, () => (exchange.waiting() === count ? true : undefined))

const ringsFull = () => exchange.counter('commandRingFull') + exchange.counter('commandRingFull', 1)

describe('asking for it', () => {
  test.each<[string, Values, Json]>([
    ['on', { enabled: true }, { enabled: true, heartbeatMs: null }],
    ['on, as text', { enabled: 'true' }, { enabled: true, heartbeatMs: null }],
    [
      'with a heartbeat',
      { enabled: true, heartbeatMs: 60_000 },
      { enabled: true, heartbeatMs: 60_000 },
    ],
    ['off', { enabled: false }, { enabled: false, heartbeatMs: null }],
  ])('is answered with what holds: %s', async (_, params, result) => {
    const socket = await open()
    const answer = await ask(socket, 'session.cancelOnDisconnect', params)
    expect(answer).toEqual({ id: ids, status: 200, result })
    socket.close()
  })

  test.each<[string, Values, number]>([
    ['nothing said', {}, -1102],
    ['neither true nor false', { enabled: 'yes' }, -1130],
    ['a heartbeat that is no number', { enabled: true, heartbeatMs: 'x' }, -1100],
    ['one too short', { enabled: true, heartbeatMs: 999 }, -1130],
    ['one too long', { enabled: true, heartbeatMs: 60_001 }, -1108],
    ['a heartbeat without it', { enabled: false, heartbeatMs: 5_000 }, -1128],
    ['something unknown', { enabled: true, symbol: 'BTCUSDT' }, -1104],
  ])('is refused: %s', async (_, params, code) => {
    const socket = await open()
    const { status, error } = await ask(socket, 'session.cancelOnDisconnect', params)
    expect([status, (error as Json).code]).toEqual([400, code])
    await place(socket, 1, limit('kept'))
    socket.terminate()
    await exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    expect(await openIds()).toHaveLength(2)
  })
})

describe('when the connection ends', () => {
  test('what it placed is canceled, on every symbol, for every account, and nothing else', async () => {
    const socket = await bound()
    const other = await bound()
    const plain = await open()
    await place(socket, 1, limit('its'))
    await place(socket, 1, limit('its-too', 'ETHUSDT'))
    await place(socket, 2, limit('its-of-two'))
    await place(other, 1, limit('of-other'))
    await place(plain, 1, limit('unwatched'))
    await place(other, 2, limit('of-other-and-two'))
    socket.close()
    await remaining(['of-other', 'unwatched'])
    await remaining(['of-other-and-two'], 2)
    other.terminate()
    await remaining(['unwatched'])
    await remaining([], 2)
    plain.close()
  })

  test('the parts of a batch are canceled too, on every symbol', async () => {
    const socket = await bound()
    const orders = JSON.stringify([limit('part'), limit('other-part', 'ETHUSDT')])
    expect(await ask(socket, 'batch.place', signed(1, { orders }))).toMatchObject({ status: 200 })
    expect(await openIds()).toEqual(['part', 'other-part'])
    socket.close()
    await remaining([])
  })

  test('orders placed before it was asked for, or after it was undone, stay', async () => {
    const socket = await open()
    await place(socket, 1, limit('before'))
    await ask(socket, 'session.cancelOnDisconnect', { enabled: true })
    await place(socket, 1, limit('while'))
    await ask(socket, 'session.cancelOnDisconnect', { enabled: false })
    await place(socket, 1, limit('after'))
    socket.close()
    await remaining(['before', 'after'])
  })

  test('lists, stops and replacements are canceled too, once', async () => {
    const user = await open()
    await ask(user, 'userDataStream.subscribe.signature', signed(1, {}))
    const socket = await bound()
    await exchange.limitOrder(2, 'SELL', '100.00', '1.00000')
    await exchange.limitOrder(1, 'BUY', '100.00', '1.00000')
    await place(socket, 1, limit('replaced'))
    const { newClientOrderId, ...order } = limit('')
    const replaced = await ask(
      socket,
      'order.cancelReplace',
      signed(1, {
        ...order,
        cancelReplaceMode: 'STOP_ON_FAILURE',
        cancelOrigClientOrderId: 'replaced',
        newClientOrderId: 'replacement',
      }),
    )
    expect(replaced.status).toBe(200)
    const { price, timeInForce, ...rest } = limit('stop')
    await place(socket, 1, { ...rest, type: 'STOP_LOSS', stopPrice: '120.00' })
    const oco = await ask(
      socket,
      'orderList.place.oco',
      signed(1, {
        symbol: 'BTCUSDT',
        side: 'SELL',
        quantity: '1.00000',
        aboveType: 'LIMIT_MAKER',
        abovePrice: '110.00',
        belowType: 'STOP_LOSS',
        belowStopPrice: '90.00',
      }),
    )
    expect(oco.status).toBe(200)
    expect(await openIds()).toHaveLength(4)
    socket.terminate()
    await remaining([])
    const canceled: unknown[] = []
    for (let isDone = false; !isDone; ) {
      const { event } = (await user.next()) as { event: Json }
      if (event.e === 'executionReport' && event.x === 'CANCELED') canceled.push(event.C)
      isDone = event.e === 'outboundAccountPosition' && canceled.length === 5
    }
    expect(canceled.slice(0, 3)).toEqual(['replaced', 'replacement', 'stop'])
    user.close()
  })

  test('orders whose answer was still to come are canceled behind them', async () => {
    const socket = await bound()
    exchange.pause()
    for (const name of ['one', 'two', 'three']) {
      socket.send({ id: name, method: 'order.place', params: signed(1, limit(name)) })
    }
    await waiting(3)
    socket.terminate()
    await waiting(4)
    exchange.resume()
    await remaining([])
  })

  test('a full ring delays the cancel, and does not lose it', async () => {
    const socket = await bound()
    await place(socket, 1, limit('its'))
    exchange.pause()
    for (let i = 0; i < 8; i++) {
      socket.send({ id: i, method: 'order.place', params: signed(2, limit(`crowd-${i}`)) })
    }
    await waiting(8)
    const before = ringsFull()
    socket.terminate()
    await eventually('the ring is full', () => (ringsFull() > before ? true : undefined))
    exchange.resume()
    await remaining([])
    await remaining([], 2)
  })

  test('so it is when nothing has come for as long as the session said', async () => {
    const silent = await bound()
    const patient = await bound({ heartbeatMs: 60_000 })
    await place(silent, 1, limit('silent'))
    await place(patient, 1, limit('patient'))
    await ask(silent, 'session.cancelOnDisconnect', { enabled: true, heartbeatMs: 1_000 })
    expect(await silent.closed()).toBe(1008)
    expect(silent.closeReason).toBe('nothing came for as long as heartbeatMs said')
    await remaining(['patient'])
    patient.close()
    await remaining([])
  })

  test('a heartbeat may be given up', async () => {
    const socket = await open()
    const method = 'session.cancelOnDisconnect'
    socket.send({ id: 1, method, params: { enabled: true, heartbeatMs: 1_000 } })
    socket.send({ id: 2, method, params: { enabled: true } })
    const other = await bound({ heartbeatMs: 1_000 })
    expect(await other.closed()).toBe(1008)
    for (const id of [1, 2]) expect(await socket.next()).toMatchObject({ id, status: 200 })
    expect((await ask(socket, 'ping')).status).toBe(200)
    socket.close()
  })

  test('a session that is logged on places such orders, and may log out', async () => {
    const socket = await bound()
    const params = { apiKey: maker.spec.apiKey, timestamp: exchange.nowMs() }
    const text = `apiKey=${params.apiKey}&timestamp=${params.timestamp}`
    await ask(socket, 'session.logon', { ...params, signature: maker.sign(text) })
    await ask(socket, 'order.place', { ...limit('its'), timestamp: exchange.nowMs() })
    await ask(socket, 'session.logout')
    expect(await openIds()).toEqual(['its'])
    socket.close()
    await remaining([])
  })
})

test('before the exchange stops, sessions end', async () => {
  const stopping = await OneThreadExchange.start()
  const socket = await stopping.socket('/ws-api/v3?returnRateLimits=false')
  await ask(socket, 'session.cancelOnDisconnect', { enabled: true })
  await place(socket, 1, limit('its'))
  await ask(socket, 'userDataStream.subscribe.signature', signed(1, {}))
  const [gateway] = stopping.gateways
  gateway!.stopAccepting()
  await gateway!.drained()
  const events = [await socket.next(), await socket.next()].map(({ event }) => event as Json)
  expect(events[0]).toMatchObject({ e: 'serverShutdown' })
  expect(events[1]).toMatchObject({ e: 'executionReport', x: 'CANCELED', C: 'its' })
  await stopping.close()
})
