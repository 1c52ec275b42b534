/** What ends when the operator revokes a key: on two gateways, each with the control plane's message. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { KeySpec } from '../../../src/market/key-spec.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { type Json, keyOf, OneThreadExchange, sign } from '../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../fixtures/test-socket.ts'
import { signingKey } from './test-keys.ts'

const logonKey = signingKey('ED25519', { apiKey: 'logon'.padEnd(64, '0') })
const hmac = keyOf(1)
type Values = Readonly<Record<string, string | number | boolean>>

let exchange: OneThreadExchange
let ids: number

beforeEach(async () => {
  ids = 0
  exchange = await OneThreadExchange.start({ gateways: 2, keys: [logonKey.spec] })
  return () => exchange.close()
})

function signedBy(spec: KeySpec, params: Values = {}): Values {
  const all: Values = { ...params, apiKey: spec.apiKey, timestamp: exchange.nowMs() }
  const text = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
    .join('&')
  return { ...all, signature: spec === hmac ? sign(1, text) : logonKey.sign(text) }
}

const ask = (socket: TestSocket, method: string, params: Values = {}) =>
  socket.ask({ id: ++ids, method, params })
const api = () => exchange.socket('/ws-api/v3?returnRateLimits=false')

async function subscribed(): Promise<TestSocket> {
  const socket = await api()
  const answer = await ask(socket, 'userDataStream.subscribe.signature', signedBy(hmac))
  expect(answer.result).toEqual({ subscriptionId: 0 })
  return socket
}

async function loggedOn(): Promise<TestSocket> {
  const socket = await api()
  expect(await ask(socket, 'session.logon', signedBy(logonKey.spec))).toMatchObject({ status: 200 })
  expect((await ask(socket, 'userDataStream.subscribe')).result).toEqual({ subscriptionId: 0 })
  return socket
}

async function listenKeyOf(account: number): Promise<string> {
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', account)
  return body.listenKey as string
}

/** Revokes as control/worker-control-plane.ts does. */
async function revoke(key: KeySpec): Promise<void> {
  const revoked = { ...key, canRead: false, canTrade: false }
  const tell = (...messages: Parameters<(typeof exchange.gateways)[0]['notify']>[0]) =>
    Promise.all(exchange.gateways.map((gateway) => gateway.notify(messages)))
  await tell({ kind: 'key', key: revoked })
  exchange.listenKeys.revoke(key.account)
  await tell({ kind: 'listenKey' })
}

const terminated = { e: 'eventStreamTerminated', E: expect.any(Number) }
const order: Values = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '1.00',
  quantity: '10.00000',
}

/** Resolves once the session's order is answered and reported, which come in either order. */
async function placeAndHear(session: TestSocket): Promise<void> {
  const frames = [
    await ask(session, 'order.place', { ...order, timestamp: exchange.nowMs() }),
    await session.next(),
  ]
  expect(frames).toContainEqual(expect.objectContaining({ status: 200 }))
  const event = expect.objectContaining({ e: 'executionReport' })
  expect(frames).toContainEqual({ subscriptionId: 0, event })
}

describe('a key that is revoked', () => {
  test('ends the subscriptions that it signed, on every connection', async () => {
    const sockets = [await subscribed(), await subscribed(), await subscribed()]
    const other = await loggedOn()
    await revoke(hmac)
    for (const socket of sockets) {
      expect(await socket.next()).toEqual({ subscriptionId: 0, event: terminated })
    }
    await placeAndHear(other)
    for (const socket of sockets) {
      const { result } = await ask(socket, 'session.subscriptions')
      expect([result, socket.waiting]).toEqual([[], 0])
    }
    for (const socket of [...sockets, other]) socket.close()
  })

  test('ends its sessions, with the answer to the next request', async () => {
    const socket = await loggedOn()
    await revoke(logonKey.spec)
    expect(await socket.next()).toEqual({ subscriptionId: 0, event: terminated })
    expect(await ask(socket, 'session.status')).toMatchObject({
      result: { apiKey: null, authorizedSince: null, userDataStream: false },
    })
    const refusal = await ask(socket, 'account.status', { timestamp: exchange.nowMs() })
    expect(refusal).toMatchObject({ id: null, status: 401, error: { code: -2015 } })
    const after = await ask(socket, 'account.status', { timestamp: exchange.nowMs() })
    expect(after).toMatchObject({ status: 400, error: { code: -1102 } })
    socket.close()
  })

  test('ends the listen key of its account, for good', async () => {
    const key = await listenKeyOf(1)
    const othersKey = await listenKeyOf(2)
    const sockets: TestSocket[] = []
    for (let i = 0; i < 4; i++) sockets.push(await exchange.socket(`/ws/${key}`))
    const combined = await exchange.socket(`/stream?streams=${key}`)
    const others = await exchange.socket(`/ws/${othersKey}`)
    await revoke(hmac)
    const expired = { e: 'listenKeyExpired', E: expect.any(Number), listenKey: key }
    for (const socket of sockets) expect(await socket.next()).toEqual(expired)
    expect(await combined.next()).toEqual({ stream: key, data: expired })
    const late = await exchange.socket(`/ws/${key}`)
    await exchange.limitOrder(2, 'SELL', '99.00', '1.00000')
    expect(await others.next()).toMatchObject({ e: 'executionReport' })
    const session = await loggedOn()
    await placeAndHear(session)
    const quiet = [...sockets, combined, late]
    expect(quiet.map(({ waiting }) => waiting)).toEqual(quiet.map(() => 0))
    for (const socket of [...quiet, others, session]) socket.close()
  })

  test('leaves another key of the account a new listen key', async () => {
    const key = await listenKeyOf(1)
    await revoke(logonKey.spec)
    const next = await listenKeyOf(1)
    expect(next).not.toBe(key)
    const socket = await exchange.socket(`/ws/${next}`)
    await exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    expect(await socket.next()).toMatchObject({ e: 'executionReport' })
    socket.close()
  })

  test('ends a connection whose orders end with it, if it placed one', async () => {
    const bound: TestSocket[] = []
    for (const keys of [[hmac], [logonKey.spec], [logonKey.spec, hmac]]) {
      const socket = await api()
      await ask(socket, 'session.cancelOnDisconnect', { enabled: true })
      for (const key of keys) {
        const placed: Json = await ask(socket, 'order.place', signedBy(key, order))
        expect(placed.status).toBe(200)
      }
      bound.push(socket)
    }
    await revoke(hmac)
    expect([await bound[0]!.closed(), bound[0]!.closeReason]).toEqual([
      1008,
      'the API key was revoked',
    ])
    expect(await bound[2]!.closed()).toBe(1008)
    const left = await eventually('their orders are canceled', async () => {
      const rows = (await ask(bound[1]!, 'openOrders.status', signedBy(logonKey.spec)))
        .result as Json[]
      return rows.length === 1 ? rows : undefined
    })
    expect(left).toHaveLength(1)
    bound[1]!.close()
  })
})

afterEach(() => {
  expect(exchange.warnings).toEqual([])
})
