/** Market streams in SBE on real sockets: who may read them, what is binary and what is text, and how they end. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { claimPort } from '../../../../scripts/exchange/ports.ts'
import { parseAddressRanges } from '../../../../src/base/address-range.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import type { KeyRights, KeySpec } from '../../../../src/market/key-spec.ts'
import { readFaultRule } from '../../../../src/sandbox/fault-rule.ts'
import { keyOf, limitSettings, OneThreadExchange } from '../../../fixtures/one-thread-exchange.ts'
import { type Message, readMessage, type Values } from '../../../fixtures/sbe.ts'
import { type Json, TestSocket } from '../../../fixtures/test-socket.ts'
import { upgrade } from '../../../fixtures/upgrade.ts'
import { signingKey } from '../test-keys.ts'

const ed25519 = signingKey('ED25519')
const rsa = signingKey('RSA')
const named = (name: string, rights: Partial<KeyRights> = {}): KeySpec => ({
  ...signingKey('ED25519', rights).spec,
  apiKey: name.padEnd(64, '0'),
})
const elsewhere = named('elsewhere', { addresses: parseAddressRanges('10.0.0.0/8')! })
const trades = named('trades', { canRead: false })
const spent = named('spent')
const moved = named('moved')

let exchange: OneThreadExchange
let sbePort: number
let sockets: TestSocket[] = []
beforeAll(async () => {
  sbePort = await claimPort()
  exchange = await OneThreadExchange.start({
    sandbox: new ManualTime(new ManualClock(Ms(1_000))),
    keys: [ed25519.spec, rsa.spec, elsewhere, trades, spent, moved],
    sbe: { sbePort },
  })
})
afterAll(() => exchange.close())
afterEach(async () => {
  for (const socket of sockets) socket.close()
  sockets = []
  await exchange.faults.remove(() => true)
  for (const account of [1, 2]) {
    await exchange.signed(account, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  }
})

const headersOf = (apiKey: string) => ({ headers: { 'X-MBX-APIKEY': apiKey } })

async function open(
  path: string,
  { apiKey }: Pick<KeySpec, 'apiKey'> = ed25519.spec,
  of = exchange,
): Promise<TestSocket> {
  const socket = await of.socket(path, headersOf(apiKey))
  sockets.push(socket)
  // Behind its subscriptions.
  expect(await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).toMatchObject({ id: 1 })
  return socket
}

const nextOf = async (socket: TestSocket): Promise<Message> => readMessage(await socket.nextBytes())
const buy = (price: string, quantity = '1') => exchange.limitOrder(1, 'BUY', price, quantity)

async function refusalOf(path: string, apiKey?: string, url = exchange.url) {
  const response = await upgrade(url, path, apiKey === undefined ? {} : headersOf(apiKey).headers)
  let text = ''
  for await (const chunk of response) text += chunk
  return [response.statusCode, text === '' ? undefined : JSON.parse(text).code]
}

describe('a handshake', () => {
  test.each<[why: string, apiKey: string | undefined, status: number, code: number]>([
    ['without a key', undefined, 401, -2014],
    ['with no key', 'none', 401, -2014],
    ['with an unknown key', 'x'.repeat(64), 401, -2015],
    ['with an HMAC key', keyOf(1).apiKey, 400, -4056],
    ['with an RSA key', rsa.spec.apiKey, 400, -4056],
    ['with a key of other addresses', elsewhere.apiKey, 401, -2015],
  ])('%s is refused', async (_, apiKey, ...refusal) => {
    for (const path of ['/sbe/ws/btcusdt@trade', '/sbe/stream?streams=btcusdt@trade']) {
      expect(await refusalOf(path, apiKey)).toEqual(refusal)
    }
    expect(await refusalOf('/ws/btcusdt@trade', apiKey, `http://127.0.0.1:${sbePort}`)).toEqual(
      refusal,
    )
  })

  test('needs no permission beside the key', async () => {
    await open('/sbe/ws/btcusdt@trade', trades)
  })

  test('is refused where SBE is switched off', async () => {
    const off = await OneThreadExchange.start({ sbe: { sbe: 'off' }, keys: [ed25519.spec] })
    expect(await refusalOf('/sbe/ws/btcusdt@trade', ed25519.spec.apiKey, off.url)).toEqual([
      ...[400, -1155],
    ])
    await off.close()
  })

  test('on the port of SBE finds nothing else there', async () => {
    const response = await fetch(`http://127.0.0.1:${sbePort}/api/v3/ping`)
    expect(response.status).toBe(404)
  })
})

describe.each(['/sbe', 'its port'])('events over %s', (where) => {
  const opened = async (path: string) => {
    if (where === '/sbe') return open(`${where}${path}`)
    const url = `ws://127.0.0.1:${sbePort}${path}`
    const socket = await TestSocket.open(url, headersOf(ed25519.spec.apiKey))
    sockets.push(socket)
    await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
    return socket
  }

  test('are binary, raw and combined alike, and answers are text', async () => {
    const raw = await opened('/ws/btcusdt@bestBidAsk')
    const combined = await opened('/stream?streams=btcusdt@bestBidAsk')
    await buy('10')
    const message = await nextOf(raw)
    expect(message.name).toBe('BestBidAskStreamEvent')
    expect(await nextOf(combined)).toEqual(message)
    const subscribe = { method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 7 }
    expect(await raw.ask(subscribe)).toEqual({ result: null, id: 7 })
    const list = { method: 'LIST_SUBSCRIPTIONS', id: 8 }
    const both = ['btcusdt@bestBidAsk', 'btcusdt@trade']
    expect(await raw.ask(list)).toEqual({ result: both, id: 8 })
    const unsubscribe = { method: 'UNSUBSCRIBE', params: ['btcusdt@bestBidAsk'], id: 9 }
    expect(await raw.ask(unsubscribe)).toEqual({ result: null, id: 9 })
    await exchange.limitOrder(2, 'SELL', '10', '1')
    expect((await nextOf(raw)).name).toBe('TradesStreamEvent')
  })
})

test('trades of an execution come together, and say what JSON says of each', async () => {
  const messages = await open('/sbe/ws/btcusdt@trade')
  const json = await exchange.socket('/ws/btcusdt@trade?timeUnit=MICROSECOND')
  sockets.push(json)
  await json.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  for (const price of ['10', '11', '12']) await buy(price)
  await exchange.limitOrder(2, 'SELL', '10', '2.5')
  const { values } = await nextOf(messages)
  const each = values.trades as readonly Values[]
  expect(each).toHaveLength(3)
  for (const trade of each) {
    const shown = await json.next()
    const units = (text: unknown) => BigInt(Math.round(Number(text) * 1e8))
    expect(trade).toEqual({
      ...{ id: BigInt(Number(shown.t)), price: units(shown.p), qty: units(shown.q) },
      isBuyerMaker: shown.m === true ? 1n : 0n,
    })
    expect([values.symbol, values.transactTime]).toEqual([shown.s, BigInt(shown.T as number)])
  }
  expect(messages.waiting).toBe(0)
})

test('names of other streams, and listen keys, stay silent', async () => {
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', 1)
  const socket = await open('/sbe/ws/btcusdt@bookTicker')
  const names = [body.listenKey, 'btcusdt@depth@100ms', 'btcusdt@bestBidAsk']
  expect(await socket.ask({ method: 'SUBSCRIBE', params: names, id: 2 })).toMatchObject({ id: 2 })
  const other = await exchange.socket('/ws/btcusdt@bestBidAsk')
  sockets.push(other)
  await buy('10')
  expect((await nextOf(socket)).name).toBe('BestBidAskStreamEvent')
  await buy('11')
  expect((await nextOf(socket)).name).toBe('BestBidAskStreamEvent')
  await other.roundTrip()
  expect([socket.waiting, other.waiting]).toEqual([0, 0])
})

test('depths come by their timers, with the ids of REST', async () => {
  const socket = await open('/sbe/stream?streams=btcusdt@depth/btcusdt@depth20')
  await buy('10')
  const seen = new Map<string, Message>()
  const book = async () => (await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT')).body
  const { lastUpdateId } = (await book()) as { lastUpdateId: number }
  while (
    Number(seen.get('DepthDiffStreamEvent')?.values.lastBookUpdateId) !== lastUpdateId ||
    Number(seen.get('DepthSnapshotStreamEvent')?.values.bookUpdateId) !== lastUpdateId
  ) {
    const message = await nextOf(socket)
    seen.set(message.name, message)
  }
  for (const { values } of seen.values()) {
    expect(values).toMatchObject({ bids: [{ price: 1_000_000_000n, qty: 100_000_000n }], asks: [] })
  }
})

describe('a key', () => {
  const tell = (key: KeySpec) =>
    Promise.all(exchange.gateways.map((gateway) => gateway.notify([{ kind: 'key', key }])))

  test('that is revoked ends its connections, and no others', async () => {
    const [own, other] = [await open('/sbe/ws/btcusdt@trade', spent), await open('/sbe/ws')]
    await tell({ ...spent, canRead: false, canTrade: false })
    expect([await own.closed(), own.closeReason]).toEqual([1008, 'the API key was revoked'])
    await other.roundTrip()
    expect(await refusalOf('/sbe/ws', spent.apiKey)).toEqual([401, -2015])
  })

  test('that may come from other addresses alone ends them too', async () => {
    const own = await open('/sbe/ws/btcusdt@trade', moved)
    await tell(moved)
    await own.roundTrip()
    await tell({ ...moved, addresses: elsewhere.addresses! })
    const reason = 'the API key may no longer read from this address'
    expect([await own.closed(), own.closeReason]).toEqual([1008, reason])
  })

  test('is seen by operators in part', async () => {
    await open('/sbe/ws/btcusdt@trade')
    const query = { ask: 'sessions', after: 0, limit: 10, account: undefined } as const
    const { value } = (await exchange.gateways[0]!.answer(query)) as { value: readonly Json[] }
    expect(value).toContainEqual(
      expect.objectContaining({
        transport: 'streams',
        apiKey: 'ED255190',
        accounts: [1],
        streams: 1,
      }),
    )
  })
})

type Given = Readonly<Record<string, string | number>>
const add = (given: Given) =>
  exchange.faults.add([
    readFaultRule({ name: 'rule', ...given }, (text) => AccountId(Number(text))),
  ])

describe('faults of the sandbox', () => {
  test('act on binary frames', async () => {
    const socket = await open('/sbe/ws/btcusdt@bestBidAsk')
    await add({ do: 'duplicate', stream: 'btcusdt@bestBidAsk', times: 1 })
    await buy('10')
    expect(await nextOf(socket)).toEqual(await nextOf(socket))
    await exchange.faults.remove(() => true)
    await add({ do: 'drop', stream: '*@bestBidAsk', account: 1, times: 1 })
    await buy('11')
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
    await buy('12')
    expect((await nextOf(socket)).values.bidPrice).toBe(1_200_000_000n)
    await add({ do: 'shutdown', stream: 'btcusdt@bestBidAsk', times: 1, name: 'other' })
    await buy('13')
    expect(await socket.next()).toMatchObject({ e: 'serverShutdown' })
    expect((await nextOf(socket)).values.bidPrice).toBe(1_300_000_000n)
  })

  test('tear a message in half', async () => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${exchange.port}/sbe/ws/btcusdt@bestBidAsk`,
      headersOf(ed25519.spec.apiKey),
    )
    const [opened, closed] = ['open', 'close'].map(
      (event) => new Promise((resolve) => socket.once(event, resolve)),
    )
    socket.on('error', () => {})
    await opened
    await add({ do: 'tear', stream: 'btcusdt@bestBidAsk', times: 1 })
    await buy('10')
    await closed
  })
})

test('a shutdown is told in JSON', async () => {
  const other = await OneThreadExchange.start({ keys: [ed25519.spec] })
  const socket = await open('/sbe/stream?streams=btcusdt@trade', ed25519.spec, other)
  other.gateways[0]!.stopAccepting()
  expect(await socket.next()).toEqual({ e: 'serverShutdown', E: expect.any(Number) })
  await other.close()
})

describe('limits', () => {
  let limited: OneThreadExchange
  beforeAll(async () => {
    limited = await OneThreadExchange.start({
      keys: [ed25519.spec],
      limits: limitSettings(['--connections-limit', '8']),
    })
  })
  afterAll(() => limited.close())
  const list = { method: 'LIST_SUBSCRIPTIONS', id: 1 }

  test('a sixth message of a second ends the connection', async () => {
    // The first ping is due at once, and the pong would count.
    const pinged = await open('/sbe/ws', ed25519.spec, limited)
    await expect.poll(() => pinged.pings, { timeout: 5_000 }).toBe(1)
    limited.frozenMs = limited.nowMs()
    const socket = await open('/sbe/ws/btcusdt@trade', ed25519.spec, limited)
    for (let i = 0; i < 4; i++) await socket.ask(list)
    socket.send(list)
    expect([await socket.closed(), socket.closeReason]).toEqual([1008, 'Too many requests'])
    expect(socket.waiting).toBe(0)
    limited.frozenMs = undefined
  })

  test('1,024 streams are the most', async () => {
    const socket = await open('/sbe/ws', ed25519.spec, limited)
    const params = Array.from({ length: 1_024 }, (_, i) => `x${i}@trade`)
    expect(await socket.ask({ method: 'SUBSCRIBE', params, id: 2 })).toEqual({
      result: null,
      id: 2,
    })
    const more = { method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 3 }
    expect(await socket.ask(more)).toMatchObject({ code: 2, id: 3 })
  })

  test('attempts to connect count with all others of the address', async () => {
    const { apiKey } = ed25519.spec
    while ((await refusalOf('/sbe/ws', apiKey, limited.url))[0] === 101);
    expect((await refusalOf('/sbe/ws', apiKey, limited.url))[0]).toBe(429)
    expect((await refusalOf('/ws', undefined, limited.url))[0]).toBe(429)
  })
})
