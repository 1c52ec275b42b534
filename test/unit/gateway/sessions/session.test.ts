/** Sessions of the WebSocket API: who may log on, what may be left out then, and how they end. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AccountId } from '../../../../src/base/units.ts'
import { type Json, keyOf, OneThreadExchange, sign } from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'
import { type SigningKey, signingKey } from '../test-keys.ts'

const named = (name: string) => name.padEnd(64, '0')
const maker = signingKey('ED25519', { apiKey: named('maker') })
const taker = signingKey('ED25519', { apiKey: named('taker'), account: AccountId(2) })
const reader = signingKey('ED25519', { apiKey: named('reader'), canTrade: false })
const trader = signingKey('ED25519', { apiKey: named('trader'), canRead: false })
const rsa = signingKey('RSA')
const hmac = { spec: keyOf(1), sign: (text: string) => sign(1, text) }

type Signer = Pick<SigningKey, 'sign'> & { readonly spec: { readonly apiKey: string } }
type Values = Readonly<Record<string, string | number | boolean>>

let exchange: OneThreadExchange
let socket: TestSocket
let ids = 0

beforeAll(async () => {
  const keys = [maker, taker, reader, trader, rsa].map(({ spec }) => spec)
  exchange = await OneThreadExchange.start({ keys })
})
afterAll(() => exchange.close())
beforeEach(async () => {
  socket = await exchange.socket('/ws-api/v3?returnRateLimits=false')
  return () => socket.close()
})

const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '1.00',
  quantity: '10.00000',
}

const ask = (method: string, params: Values = {}) => socket.ask({ id: ++ids, method, params })
const now = (params: Values = {}): Values => ({ ...params, timestamp: exchange.nowMs() })

function signedBy({ spec, sign: signWith }: Signer, params: Values = {}): Values {
  const all = now({ ...params, apiKey: spec.apiKey })
  const pairs = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
  return { ...all, signature: signWith(pairs.join('&')) }
}

const logOn = (signer: Signer) => ask('session.logon', signedBy(signer))
const errorOf = ({ status, error }: Json) => [status, (error as Json).code, (error as Json).msg]
const missing = (name: string) =>
  `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`

describe('logging on', () => {
  test('is answered with the status, which says so until the session is logged out', async () => {
    const before = await ask('session.status')
    const status = {
      apiKey: null,
      authorizedSince: null,
      connectedSince: expect.any(Number),
      returnRateLimits: false,
      serverTime: expect.any(Number),
      userDataStream: false,
    }
    expect(before).toEqual({ id: ids, status: 200, result: status })
    const logon = signedBy(maker)
    const { result } = await ask('session.logon', logon)
    expect(result).toEqual({
      ...status,
      apiKey: maker.spec.apiKey,
      authorizedSince: logon.timestamp,
    })
    const since = { apiKey: maker.spec.apiKey, authorizedSince: (result as Json).authorizedSince }
    expect((await ask('v3/session.status')).result).toMatchObject(since)
    expect((await ask('session.logout')).result).toEqual(status)
    expect((await ask('session.logout')).result).toEqual(status)
  })

  test('again changes the key', async () => {
    await logOn(maker)
    expect((await logOn(taker)).result).toMatchObject({ apiKey: taker.spec.apiKey })
    expect((await ask('account.status', now())).result).toMatchObject({ uid: 2 })
  })

  test('in microseconds gives microseconds', async () => {
    const micro = await exchange.socket('/ws-api/v3?timeUnit=MICROSECOND')
    const params = signedBy(maker)
    const { result } = await micro.ask({ id: 1, method: 'session.logon', params })
    const { authorizedSince, connectedSince, serverTime } = result as Json
    for (const time of [authorizedSince, connectedSince, serverTime]) {
      expect(String(time)).toHaveLength(16)
    }
    micro.close()
  })

  test.each<[string, () => Values, readonly [number, number, string]]>([
    ['an HMAC key', () => signedBy(hmac), [400, -4056, 'HMAC_SHA256 API key is not supported.']],
    ['an RSA key', () => signedBy(rsa), [400, -4056, 'HMAC_SHA256 API key is not supported.']],
    ['no key', () => now(), [400, -1102, missing('apiKey')]],
    ['no signature', () => now({ apiKey: maker.spec.apiKey }), [400, -1102, missing('signature')]],
    ['no timestamp', () => ({ apiKey: maker.spec.apiKey }), [400, -1102, missing('timestamp')]],
    [
      "another's signature",
      () => ({ ...signedBy(maker), signature: taker.sign('x') }),
      [400, -1022, 'Signature for this request is not valid.'],
    ],
    [
      'an unknown key',
      () => ({ ...signedBy(maker), apiKey: named('unknown') }),
      [401, -2015, 'Invalid API-key, IP, or permissions for action.'],
    ],
  ])('with %s is refused', async (_, params, expected) => {
    expect(errorOf(await ask('session.logon', params()))).toEqual(expected)
    expect((await ask('session.status')).result).toMatchObject({ apiKey: null })
  })

  test('that fails leaves the session as it was', async () => {
    await logOn(maker)
    await ask('session.logon', signedBy(hmac))
    expect((await ask('session.status')).result).toMatchObject({ apiKey: maker.spec.apiKey })
  })
})

describe('a session that is logged on', () => {
  test('places, sees and cancels orders without key and signature', async () => {
    await logOn(maker)
    const placed = await ask('order.place', now({ ...order, newClientOrderId: 'mine' }))
    expect(placed).toMatchObject({ status: 200, result: { clientOrderId: 'mine' } })
    const one = { symbol: 'BTCUSDT', origClientOrderId: 'mine' }
    expect((await ask('order.status', now(one))).result).toMatchObject({ status: 'NEW' })
    const canceled = await ask('order.cancel', now({ ...one, recvWindow: 60_000 }))
    expect(canceled.result).toMatchObject({ status: 'CANCELED' })
  })

  test('must still say when', async () => {
    await logOn(maker)
    expect(errorOf(await ask('account.status'))).toEqual([400, -1102, missing('timestamp')])
    const late = await ask('account.status', { timestamp: exchange.nowMs() - 5_001 })
    expect((late.error as Json).code).toBe(-1021)
    const early = await ask('account.status', { timestamp: exchange.nowMs() + 60_000 })
    expect((early.error as Json).code).toBe(-1021)
  })

  test('refuses requests that are older than its logon', async () => {
    const { result } = await logOn(maker)
    const since = Number((result as Json).authorizedSince)
    const older = await ask('account.status', { timestamp: since - 1 })
    const msg = 'Timestamp for this request is outside of the recvWindow.'
    expect(errorOf(older)).toEqual([400, -1021, msg])
    const micro = await ask('account.status', { timestamp: `${since - 1}999` })
    expect(errorOf(micro)).toEqual([400, -1021, msg])
    expect(await ask('account.status', { timestamp: since })).toMatchObject({ status: 200 })
    expect(await ask('account.status', { timestamp: `${since}000` })).toMatchObject({ status: 200 })
  })

  test('may name another key for one request, which must sign it', async () => {
    await logOn(maker)
    expect((await ask('account.status', signedBy(taker))).result).toMatchObject({ uid: 2 })
    expect((await ask('account.status', now())).result).toMatchObject({ uid: 1 })
    const unsigned = await ask('account.status', now({ apiKey: taker.spec.apiKey }))
    expect(errorOf(unsigned)).toEqual([400, -1102, missing('signature')])
    const nameless = await ask('account.status', now({ apiKey: '' }))
    expect(errorOf(nameless)).toEqual([400, -1102, missing('apiKey')])
  })

  test('is judged by a signature that it sends all the same', async () => {
    await logOn(maker)
    const timestamp = exchange.nowMs()
    const right = { timestamp, signature: maker.sign(`timestamp=${timestamp}`) }
    expect((await ask('account.status', right)).status).toBe(200)
    const wrong = await ask('account.status', { ...right, signature: taker.sign('x') })
    expect((wrong.error as Json).code).toBe(-1022)
    const empty = await ask('account.status', { ...right, signature: '' })
    expect(errorOf(empty)).toEqual([400, -1102, missing('signature')])
  })

  test('may do what its key may', async () => {
    await logOn(reader)
    expect((await ask('account.status', now())).status).toBe(200)
    expect(errorOf(await ask('order.place', now(order))).slice(0, 2)).toEqual([401, -2015])
    await logOn(trader)
    expect((await ask('order.test', now(order))).status).toBe(200)
    expect(errorOf(await ask('account.status', now())).slice(0, 2)).toEqual([401, -2015])
    expect((await ask('session.status')).result).toMatchObject({ apiKey: trader.spec.apiKey })
  })

  test('forgets all of it when it is logged out', async () => {
    await logOn(maker)
    await ask('session.logout')
    expect(errorOf(await ask('account.status', now()))).toEqual([400, -1102, missing('apiKey')])
    expect((await ask('account.status', signedBy(maker))).status).toBe(200)
  })

  test('is one connection, and no other', async () => {
    await logOn(maker)
    const other = await exchange.socket('/ws-api/v3')
    const answer = await other.ask({ id: 1, method: 'account.status', params: now() })
    expect(errorOf(answer)).toEqual([400, -1102, missing('apiKey')])
    await other.close()
  })

  test('starts, keeps and stops listen keys', async () => {
    await logOn(maker)
    const { result } = await ask('userDataStream.start')
    const { listenKey } = result as { listenKey: string }
    const byRest = await exchange.send('POST', '/api/v3/userDataStream', 1)
    expect(byRest.body).toEqual({ listenKey })
    expect(await ask('userDataStream.ping', { listenKey })).toMatchObject({ result: {} })
    await ask('session.logout')
    expect(errorOf(await ask('userDataStream.ping', { listenKey }))[1]).toBe(-1102)
    const { apiKey } = maker.spec
    expect((await ask('userDataStream.stop', { listenKey, apiKey })).result).toEqual({})
    const gone = await ask('userDataStream.ping', { listenKey, apiKey })
    expect(errorOf(gone)).toEqual([400, -1125, 'This listenKey does not exist.'])
  })
})

describe('subscriptions', () => {
  const inactive = 'User Data Stream subscription not active.'

  test('of the session end with it, those that were signed do not', async () => {
    await logOn(maker)
    expect((await ask('userDataStream.subscribe')).result).toEqual({ subscriptionId: 0 })
    const active = 'User Data Stream subscription already active.'
    expect(errorOf(await ask('userDataStream.subscribe'))).toEqual([400, -2035, active])
    const signed = await ask('userDataStream.subscribe.signature', signedBy(taker))
    expect(signed.result).toEqual({ subscriptionId: 1 })
    await exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    expect(await socket.next()).toMatchObject({
      subscriptionId: 0,
      event: { e: 'executionReport', x: 'NEW' },
    })
    expect(await socket.next()).toMatchObject({ event: { e: 'outboundAccountPosition' } })
    expect((await ask('session.logout')).result).toMatchObject({ userDataStream: true })
    expect(await socket.next()).toEqual({
      subscriptionId: 0,
      event: { e: 'eventStreamTerminated', E: expect.any(Number) },
    })
    expect((await ask('session.subscriptions')).result).toEqual([{ subscriptionId: 1 }])
    await exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    await exchange.limitOrder(2, 'BUY', '1.00', '10.00000')
    expect(await socket.next()).toMatchObject({ subscriptionId: 1, event: { x: 'NEW' } })
  })

  test('are the key of the logon, whatever key is named', async () => {
    await logOn(maker)
    const named2 = { apiKey: taker.spec.apiKey }
    expect((await ask('userDataStream.subscribe', named2)).result).toEqual({ subscriptionId: 0 })
    const own = await ask('userDataStream.subscribe.signature', signedBy(maker))
    expect(errorOf(own)[1]).toBe(-2035)
    await ask('session.logout')
    await socket.next()
    const out = await ask('userDataStream.subscribe', named2)
    expect(errorOf(out)).toEqual([400, -1102, missing('apiKey')])
  })

  test('are not for a key that may not read', async () => {
    await logOn(trader)
    expect(errorOf(await ask('userDataStream.subscribe')).slice(0, 2)).toEqual([401, -2015])
  })

  test('end one by one, or all at once', async () => {
    await logOn(maker)
    expect(errorOf(await ask('userDataStream.unsubscribe'))).toEqual([400, -2036, inactive])
    await ask('userDataStream.subscribe')
    await ask('userDataStream.subscribe.signature', signedBy(taker))
    const one = { subscriptionId: 7 }
    expect(errorOf(await ask('userDataStream.unsubscribe', one))).toEqual([400, -2036, inactive])
    expect((await ask('userDataStream.unsubscribe')).result).toEqual({})
    const ended = [await socket.next(), await socket.next()]
    expect(ended.map(({ subscriptionId }) => subscriptionId)).toEqual([0, 1])
    expect((await ask('session.subscriptions')).result).toEqual([])
    expect((await ask('userDataStream.subscribe')).result).toEqual({ subscriptionId: 2 })
  })

  test('in microseconds end in microseconds', async () => {
    const micro = await exchange.socket('/ws-api/v3?timeUnit=microsecond')
    const askMicro = (method: string, params: Values = {}) => micro.ask({ id: 1, method, params })
    await askMicro('session.logon', signedBy(maker))
    await askMicro('userDataStream.subscribe')
    await askMicro('session.logout')
    const { event } = await micro.next()
    expect(String((event as Json).E)).toHaveLength(16)
    micro.close()
  })
})
