/** Keys of every kind on real sockets: what is let in, and that nothing else reaches a matcher. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAddressRanges } from '../../../src/base/address-range.ts'
import type { KeyRights } from '../../../src/market/key-spec.ts'
import { keyOf, OneThreadExchange, sign } from '../../fixtures/one-thread-exchange.ts'
import { signingKey } from './test-keys.ts'

const named = (name: string) => name.padEnd(64, '0')
const rsa = signingKey('RSA')
const ed25519 = signingKey('ED25519')
const reader = signingKey('ED25519', { apiKey: named('reader'), canTrade: false })
const trader = signingKey('ED25519', { apiKey: named('trader'), canRead: false })

/** HMAC keys of account 1, which may be used from these addresses. */
const from = (name: string, addresses: string): KeyRights & ReturnType<typeof keyOf> => ({
  ...keyOf(1),
  apiKey: named(name),
  addresses: parseAddressRanges(addresses)!,
})
const here = {
  address: '127.0.0.1',
  range: '10.0.0.0/8, 127.0.0.0/8',
  mapped: '::ffff:127.0.0.1',
  mappedRange: '::ffff:127.0.0.0/104',
}
const elsewhere = { other: '127.0.0.2', others: '10.0.0.0/8, fd00::/8', six: '::1' }
const hereKeys = Object.entries(here).map(([name, list]) => from(`here${name}`, list))
const elsewhereKeys = Object.entries(elsewhere).map(([name, list]) => from(`else${name}`, list))
const revoked = { ...keyOf(1), apiKey: named('revoked'), canRead: false, canTrade: false }

let exchange: OneThreadExchange
beforeAll(async () => {
  const pairs = [rsa, ed25519, reader, trader].map(({ spec }) => spec)
  const keys = [...pairs, ...hereKeys, ...elsewhereKeys, revoked]
  exchange = await OneThreadExchange.start({ keys })
})
afterAll(() => exchange.close())

const ORDER = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&price=1.00&quantity=10.00000'

/** Status and code of a request whose query and signature are given. */
async function ask(
  apiKey: string,
  method: string,
  path: string,
  query: string,
  signature: string,
  body = '',
): Promise<readonly [status: number, code: unknown]> {
  const pair = signature === '' ? '' : `&signature=${signature}`
  const init = body === '' ? {} : { body }
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const answer = await exchange.send(method, `${path}?${query}${pair}`, 0, {
    ...init,
    headers: { 'X-MBX-APIKEY': apiKey, ...(body === '' ? {} : type) },
  })
  return [answer.status, answer.body.code]
}
const stamped = (query: string) => `${query}&timestamp=${exchange.nowMs()}`
const commands = () => exchange.counter('commands')

describe.each([
  ['RSA', rsa],
  ['Ed25519', ed25519],
])('a key of %s', (_, { spec, sign: signWith }) => {
  const { apiKey } = spec

  test('places an order', async () => {
    const query = stamped(ORDER)
    const signature = encodeURIComponent(signWith(query))
    expect(await ask(apiKey, 'POST', '/api/v3/order', query, signature)).toEqual([200, undefined])
  })

  test('signs query and body as one text', async () => {
    const query = 'symbol=BTCUSDT&side=BUY'
    const body = stamped(ORDER.slice(query.length + 1))
    const signature = encodeURIComponent(signWith(query + body))
    const answer = await ask(apiKey, 'POST', '/api/v3/order', query, signature, body)
    expect(answer).toEqual([200, undefined])
  })

  test.each<[string, (query: string) => string]>([
    ['that is not encoded and holds a plus sign', (query) => plussed(query)],
    ['of the text before it was encoded', (query) => signWith(decodeURIComponent(query))],
    ['in hexadecimal', (query) => Buffer.from(signWith(query), 'base64').toString('hex')],
    ['of an HMAC key', (query) => sign(1, query)],
    ['of nothing', () => signWith('')],
  ])('is refused with a signature %s', async (__, signed) => {
    const before = commands()
    const query = stamped(`${ORDER}&newClientOrderId=a%2Db`)
    const answer = await ask(apiKey, 'POST', '/api/v3/order', query, signed(query))
    expect(answer).toEqual([400, -1022])
    expect(commands()).toBe(before)
  })

  /** A signature whose base64 has a plus sign; in an address that stands for a space. */
  const plussed = (query: string) => signWith(query).replace(/[a-z]/, '+')

  test('is asked for timestamp and signature like any other', async () => {
    const path = '/api/v3/openOrders'
    expect(await ask(apiKey, 'GET', path, 'symbol=BTCUSDT', 'x')).toEqual([400, -1102])
    expect(await ask(apiKey, 'GET', path, 'timestamp=1', 'x')).toEqual([400, -1021])
    expect(await ask(apiKey, 'GET', path, stamped('symbol=BTCUSDT'), '')).toEqual([400, -1102])
  })

  test('works over the WebSocket API', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    const timestamp = exchange.nowMs()
    const signature = signWith(`apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`)
    const params = { symbol: 'BTCUSDT', apiKey, timestamp, signature }
    const answer = await socket.ask({ id: 1, method: 'openOrders.status', params })
    expect(answer).toMatchObject({ status: 200 })
    const wrong = { ...params, signature: signature.toLowerCase() }
    const refused = await socket.ask({ id: 2, method: 'openOrders.status', params: wrong })
    expect(refused).toMatchObject({ status: 400, error: { code: -1022 } })
    socket.close()
  })
})

describe('what a key is not for', () => {
  const asked = async (apiKey: string, signWith: (text: string) => string, trade: boolean) => {
    const query = stamped(trade ? ORDER : 'symbol=BTCUSDT')
    const [method, path] = trade ? ['POST', '/api/v3/order'] : ['GET', '/api/v3/openOrders']
    return ask(apiKey, method!, path!, query, encodeURIComponent(signWith(query)))
  }
  const byHmac = (text: string) => sign(1, text)

  test.each([
    ['trading, by one that reads', reader.spec.apiKey, reader.sign, true, [401, -2015]],
    ['reading, by one that reads', reader.spec.apiKey, reader.sign, false, [200, undefined]],
    ['trading, by one that trades', trader.spec.apiKey, trader.sign, true, [200, undefined]],
    ['reading, by one that trades', trader.spec.apiKey, trader.sign, false, [401, -2015]],
    ['trading, by one that was revoked', revoked.apiKey, byHmac, true, [401, -2015]],
    ['reading, by one that was revoked', revoked.apiKey, byHmac, false, [401, -2015]],
    ['trading, by an unknown one', named('unknown'), byHmac, true, [401, -2015]],
  ] as const)('%s', async (_, apiKey, signWith, trade, expected) => {
    const before = commands()
    expect(await asked(apiKey, signWith, trade)).toEqual(expected)
    if (expected[0] !== 200) expect(commands()).toBe(before)
  })

  test.each(hereKeys.map(({ apiKey }) => [apiKey]))('%s may be used from here', async (apiKey) => {
    expect(await asked(apiKey, byHmac, true)).toEqual([200, undefined])
  })

  test.each(elsewhereKeys.map(({ apiKey }) => [apiKey]))('%s may not', async (apiKey) => {
    const before = commands()
    expect(await asked(apiKey, byHmac, true)).toEqual([401, -2015])
    expect(await asked(apiKey, byHmac, false)).toEqual([401, -2015])
    const put = await ask(apiKey, 'POST', '/api/v3/userDataStream', '', '')
    expect(put).toEqual([401, -2015])
    expect(commands()).toBe(before)
  })

  test('is judged after the syntax, and before time and signature', async () => {
    const { apiKey } = elsewhereKeys[0]!
    const path = '/api/v3/openOrders'
    expect(await ask(apiKey, 'GET', path, 'symbol=*&timestamp=1', 'x')).toEqual([400, -1100])
    expect(await ask(apiKey, 'GET', path, 'timestamp=1', 'x')).toEqual([401, -2015])
    expect(await ask(apiKey, 'GET', path, stamped('sym=1'), 'x')).toEqual([401, -2015])
  })

  test('does not matter where no key is asked for', async () => {
    const { apiKey } = elsewhereKeys[0]!
    expect(await ask(apiKey, 'GET', '/api/v3/ping', '', '')).toEqual([200, undefined])
    const margin = '/sapi/v1/margin/allPairs'
    expect(await ask(trader.spec.apiKey, 'GET', margin, '', '')).toEqual([200, undefined])
    expect(await ask(revoked.apiKey, 'GET', margin, '', '')).toEqual([401, -2015])
  })

  test('is found out over the WebSocket API as well', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    const { apiKey } = elsewhereKeys[0]!
    const timestamp = exchange.nowMs()
    const signature = sign(1, `apiKey=${apiKey}&timestamp=${timestamp}`)
    const params = { apiKey, timestamp, signature }
    const answer = await socket.ask({ id: 1, method: 'account.status', params })
    expect(answer).toMatchObject({ id: 1, status: 401, error: { code: -2015 } })
    socket.close()
  })
})
