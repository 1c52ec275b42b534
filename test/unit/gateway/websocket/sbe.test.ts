/** Sessions in SBE: each response within one message, and events, beside those of a session in JSON. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import { readFaultRule } from '../../../../src/sandbox/fault-rule.ts'
import {
  keyOf,
  OneThreadExchange,
  roomyLimits,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'
import { expectTwin, type Message, readMessage } from '../../../fixtures/sbe.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'
import { upgrade } from '../../../fixtures/upgrade.ts'
import { signingKey } from '../test-keys.ts'

const SBE = '/ws-api/v3?responseFormat=sbe&sbeSchemaId=3'
const ed25519 = signingKey('ED25519')

let exchange: OneThreadExchange
let messages: TestSocket
let json: TestSocket

beforeAll(async () => {
  const time = new ManualTime(new ManualClock(Ms(0)))
  exchange = await OneThreadExchange.start({
    limits: roomyLimits,
    sandbox: time,
    keys: [ed25519.spec],
  })
})
afterAll(() => exchange.close())
beforeEach(async () => {
  await exchange.faults.remove(() => true)
  exchange.frozenMs = exchange.nowMs()
  messages = await exchange.socket(`${SBE}&sbeSchemaVersion=5`)
  json = await exchange.socket('/ws-api/v3')
})
afterEach(() => {
  exchange.frozenMs = undefined
  messages.close()
  json.close()
})

type Params = Readonly<Record<string, string | number>>

function signed(account: number, params: Params): Params {
  const all: Params = { ...params, apiKey: keyOf(account).apiKey, timestamp: exchange.nowMs() }
  const text = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
    .join('&')
  return { ...all, signature: sign(account, text) }
}

async function ask(frame: object): Promise<Message> {
  messages.send(frame)
  return readMessage(await messages.nextBytes())
}

/** Asks in both formats, and returns what the message has within. */
async function askBoth(method: string, params: Params = {}, id: unknown = 1): Promise<Message> {
  const message = await ask({ id, method, params })
  const text = await json.ask({ id, method, params })
  expect(message.name).toBe('WebSocketResponse')
  // Both sessions have used weight meanwhile.
  for (const limit of text.rateLimits as { count: number }[]) {
    const { rateLimits } = message.values
    const own = (rateLimits as readonly { current: bigint; rateLimit: bigint }[]).at(-1)!
    limit.count = Number(own.current)
  }
  expectTwin(message, text)
  return message.values.result as Message
}

const limit = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }

describe('a response', () => {
  test.each<[method: string, params: Params]>([
    ['ping', {}],
    ['time', {}],
    ['exchangeInfo', { symbol: 'BTCUSDT' }],
    ['depth', { symbol: 'BTCUSDT' }],
    ['ticker.book', { symbol: 'NONE' }],
    ['what.ever', {}],
    ['session.status', {}],
    ['session.subscriptions', {}],
  ])('says what JSON says: %s %j', async (method, params) => {
    await askBoth(method, params)
  })

  test.each([
    7,
    -1,
    '',
    'a "quoted" ü',
    null,
    'x'.repeat(255),
  ])('has the id %j as text', async (id) => {
    await askBoth('ping', {}, id)
  })

  test.each(['x'.repeat(256), 'ü'.repeat(128), { no: 'id' }])('refuses the id %j', async (id) => {
    const { values } = await ask({ id, method: 'ping' })
    expect([Number(values.status), values.id]).toEqual([400, ''])
    expect(Number((values.result as Message).values.code)).toBe(-1130)
  })

  test('shows no limits where they are not wanted', async () => {
    const { values } = await ask({ id: 1, method: 'ping', params: { returnRateLimits: false } })
    expect(values.rateLimits).toEqual([])
  })

  test('is in binary, and says whether the version is an older one', async () => {
    const older = await exchange.socket(`${SBE}&sbeSchemaVersion=3`)
    const flags = []
    for (const socket of [messages, older]) {
      socket.send({ id: 1, method: 'ping' })
      const { values, version } = readMessage(await socket.nextBytes())
      flags.push([values.sbeSchemaIdVersionDeprecated, version])
    }
    expect(flags).toEqual([
      [0n, 5],
      [1n, 5],
    ])
    older.close()
  })

  test('has template 999 within for what the schema has no message for', async () => {
    const { values } = await ask({ id: 1, method: 'auction', params: { symbol: 'BTCUSDT' } })
    expect([Number(values.status), (values.result as Message).name]).toEqual([
      ...[200, 'NonRepresentableMessage'],
    ])
  })

  test('of an order is the order', async () => {
    const order = { ...limit, side: 'BUY', price: '10', quantity: '1', newOrderRespType: 'RESULT' }
    const { values } = await ask({ id: 1, method: 'order.place', params: signed(1, order) })
    const placed = values.result as Message
    expect(placed).toMatchObject({ name: 'NewOrderResultResponse', values: { status: 0n } })
    const which = { symbol: 'BTCUSDT', orderId: Number(placed.values.orderId) }
    await askBoth('order.status', signed(1, which))
    const again = { ...signed(1, which), receipt: true as never }
    const canceled = await ask({ id: 1, method: 'order.cancel', params: again })
    expect(canceled.values.result).toMatchObject({ name: 'ErrorResponse' })
    await askBoth('openOrders.status', signed(1, { symbol: 'BTCUSDT' }))
    await ask({ id: 1, method: 'openOrders.cancelAll', params: signed(1, { symbol: 'BTCUSDT' }) })
  })
})

test('a logon, and a logout', async () => {
  const params = { apiKey: ed25519.spec.apiKey, timestamp: exchange.nowMs() }
  const text = `apiKey=${params.apiKey}&timestamp=${params.timestamp}`
  const logon = { ...params, signature: ed25519.sign(text) }
  const loggedOn = await askBoth('session.logon', logon)
  expect(loggedOn.values.authorizedSince).toBe(BigInt(params.timestamp) * 1000n)
  await askBoth('session.status')
  await askBoth('session.logout')
  const { values } = await askBoth('session.status')
  expect([values.authorizedSince, values.loggedOnApiKey]).toEqual([null, ''])
})

describe('events', () => {
  /** The next event of both sessions, which subscribed as their first. */
  async function nextOfBoth(): Promise<Message> {
    const message = readMessage(await messages.nextBytes())
    const { subscriptionId, event } = await json.next()
    expectTwin(message, event)
    expect(Number(message.values.subscriptionId)).toBe(subscriptionId)
    return message
  }

  const subscribe = (account: number) =>
    askBoth('userDataStream.subscribe.signature', signed(account, {}))

  test('are binary, say what JSON says, and name their subscription', async () => {
    expect((await subscribe(1)).values.subscriptionId).toBe(0n)
    await askBoth('session.subscriptions')
    const place = (account: number, side: string, more: Params) =>
      exchange.signed(account, 'POST', '/api/v3/order', { ...limit, side, price: '20', ...more })
    await place(1, 'BUY', {
      quantity: '1',
      icebergQty: '0.5',
      strategyId: 3,
      strategyType: 1_000_000,
    })
    await place(2, 'SELL', { quantity: '0.25' })
    await place(1, 'SELL', { quantity: '0.25', selfTradePreventionMode: 'EXPIRE_TAKER' })
    await exchange.signed(1, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    const oco = { symbol: 'BTCUSDT', side: 'SELL', quantity: '1', price: '30' }
    const stop = { stopPrice: '10', stopLimitPrice: '9', stopLimitTimeInForce: 'GTC' }
    await exchange.signed(1, 'POST', '/api/v3/order/oco', { ...oco, ...stop })
    await exchange.signed(1, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    const names = new Set<string>()
    const kinds = new Set<unknown>()
    while (!names.has('ListStatusEvent') || kinds.size < 5) {
      const { name, values } = await nextOfBoth()
      names.add(name)
      if (name === 'ExecutionReportEvent') kinds.add(values.executionType)
      if (name === 'ListStatusEvent' && Number(values.listOrderStatus) === 2) break
    }
    expect([...names].sort()).toEqual([
      ...['ExecutionReportEvent', 'ListStatusEvent', 'OutboundAccountPositionEvent'],
    ])
    // New, trade, canceled, prevented.
    for (const kind of [0n, 4n, 1n, 8n]) expect([...kinds]).toContain(kind)
  })

  test('end with one that says so', async () => {
    await subscribe(1)
    const params = { subscriptionId: 0 }
    messages.send({ id: 1, method: 'userDataStream.unsubscribe', params })
    const { values } = readMessage(await messages.nextBytes())
    expect(values.result).toMatchObject({ name: 'UserDataStreamUnsubscribeResponse' })
    await json.ask({ id: 1, method: 'userDataStream.unsubscribe', params })
    expect((await nextOfBoth()).name).toBe('EventStreamTerminatedEvent')
  })

  test('of no subscription name none', async () => {
    await add({ do: 'shutdown', stream: 'user', times: 1 })
    await ask({
      id: 1,
      method: 'userDataStream.subscribe.signature',
      params: signed(2, {}),
    })
    const order = { ...limit, side: 'BUY', price: '5', quantity: '1' }
    await exchange.signed(2, 'POST', '/api/v3/order', order)
    const { name, values } = readMessage(await messages.nextBytes())
    expect([name, Object.keys(values)]).toEqual(['ServerShutdownEvent', ['eventTime']])
    expect(readMessage(await messages.nextBytes()).name).toBe('ExecutionReportEvent')
  })
})

type Given = Readonly<Record<string, string | number>>
const add = (given: Given) =>
  exchange.faults.add([
    readFaultRule({ name: 'rule', ...given }, (text) => AccountId(Number(text))),
  ])

test('where SBE is switched off, the handshake is refused', async () => {
  const off = await OneThreadExchange.start({ sbe: { sbe: 'off' } })
  const response = await upgrade(off.url, `${SBE}&sbeSchemaVersion=5`)
  expect(response.statusCode).toBe(400)
  await off.close()
})

test('a fault of the sandbox answers with a message, twice where it says so', async () => {
  await add({ do: 'answer', operation: 'ping', status: 599, code: -1234, message: 'Out.' })
  const { values } = await ask({ id: 1, method: 'ping' })
  expect([Number(values.status), (values.result as Message).values.msg]).toEqual([599, 'Out.'])
  await exchange.faults.remove(() => true)
  await add({ do: 'twice', operation: 'ping' })
  const first = await ask({ id: 1, method: 'ping' })
  expect(readMessage(await messages.nextBytes())).toEqual(first)
})

test('while SBE is switched off, a session in it is told so in SBE, and others are refused', async () => {
  const own = await OneThreadExchange.start({ keys: [ed25519.spec] })
  const path = `${SBE}&sbeSchemaVersion=5`
  const [session, text] = [await own.socket(path), await own.socket('/ws-api/v3')]
  const headers = { 'X-MBX-APIKEY': ed25519.spec.apiKey }
  const streams = await own.socket('/sbe/ws/btcusdt@trade', { headers })
  const put = (sbe: 'on' | 'off') =>
    own.gateways[0]!.notify([
      { kind: 'reload', hasTls: false, trustedProxies: '', exemptAddresses: '', sbe },
    ])
  const told = async () => {
    session.send({ id: 'x', method: 'ping' })
    const { name, values } = readMessage(await session.nextBytes())
    const { name: inner, values: of } = values.result as Message
    return [name, values.id, Number(values.status), inner, of.code]
  }
  const accept = { Accept: 'application/sbe', 'X-MBX-SBE': '3:5' }
  const rest = async () => (await fetch(`${own.url}/api/v3/ping`, { headers: accept })).status
  const handshake = async () => (await upgrade(own.url, path)).statusCode
  const works = ['WebSocketResponse', 'x', 200, 'PingResponse', undefined]
  expect([await told(), await rest(), await handshake()]).toEqual([works, 200, 101])
  await put('off')
  const refused = ['WebSocketResponse', 'x', 400, 'ErrorResponse', -1155n]
  expect([await told(), await rest(), await handshake()]).toEqual([refused, 406, 400])
  expect(await text.ask({ id: 1, method: 'ping' })).toMatchObject({ status: 200 })
  expect([await streams.closed(), streams.closeReason]).toEqual([1008, 'SBE was switched off'])
  await put('on')
  expect([await told(), await rest(), await handshake()]).toEqual([works, 200, 101])
  await own.close()
})
