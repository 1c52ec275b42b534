/** Answers of REST in SBE: when a request gets one, and what the message says (faqs/sbe_faq.md). */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import { readFaultRule } from '../../../../src/sandbox/fault-rule.ts'
import {
  keyOf,
  limitSettings,
  OneThreadExchange,
  queryOf,
  roomyLimits,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'
import { expectTwin, type Message, readMessage } from '../../../fixtures/sbe.ts'

const JSON_TYPE = 'application/json;charset=UTF-8'
const SBE_TYPE = 'application/sbe'
const both = `${SBE_TYPE}, application/json`

interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined where it is JSON. */
  readonly message: Message | undefined
  readonly json: unknown
}

let exchange: OneThreadExchange
beforeAll(async () => {
  const time = new ManualTime(new ManualClock(Ms(0)))
  exchange = await OneThreadExchange.start({ limits: roomyLimits, sandbox: time })
})
afterAll(() => exchange.close())
beforeEach(() => exchange.faults.remove(() => true))

type Headings = Readonly<Record<string, string>>
const newest = { Accept: SBE_TYPE, 'X-MBX-SBE': '3:5' }

async function ask(
  path: string,
  headers: Headings = newest,
  method = 'GET',
  of = exchange,
): Promise<Answer> {
  const response = await fetch(`${of.url}${path}`, { method, headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isMessage = response.headers.get('content-type') === SBE_TYPE
  return {
    status: response.status,
    headers: response.headers,
    message: isMessage ? readMessage(bytes) : undefined,
    json: isMessage ? undefined : JSON.parse(Buffer.from(bytes).toString()),
  }
}

function signed(
  account: number,
  method: string,
  path: string,
  params: Readonly<Record<string, string | number>>,
  headers: Headings = newest,
): Promise<Answer> {
  const query = queryOf({ ...params, timestamp: exchange.nowMs() })
  const key = { 'X-MBX-APIKEY': keyOf(account).apiKey }
  return ask(`${path}?${query}&signature=${sign(account, query)}`, { ...headers, ...key }, method)
}

const codeOf = ({ message, json }: Answer): number | undefined =>
  message === undefined
    ? (json as { readonly code?: number }).code
    : message.name === 'ErrorResponse'
      ? Number(message.values.code)
      : undefined

type Case = [
  accept: string,
  sbe: string | undefined,
  status: number,
  type: string,
  code?: number | undefined,
  deprecated?: true | undefined,
]

const outcomeOf = (answer: Answer, deprecated: string | null) => [
  ...[answer.status, answer.headers.get('content-type'), codeOf(answer)],
  deprecated === null ? undefined : true,
]

async function expectCase(
  [accept, sbe, status, type, code, deprecated]: Case,
  of: OneThreadExchange,
): Promise<Answer> {
  const headers = { Accept: accept, ...(sbe !== undefined && { 'X-MBX-SBE': sbe }) }
  const answer = await ask('/api/v3/time', headers, 'GET', of)
  const header = answer.headers.get('x-mbx-sbe-deprecated')
  expect(outcomeOf(answer, header)).toEqual([status, type, code, deprecated])
  return answer
}

describe('a request', () => {
  const cases: readonly Case[] = [
    ['*/*', '3:5', 200, JSON_TYPE],
    ['application/json', '3:5', 200, JSON_TYPE],
    ['application/json', 'x', 200, JSON_TYPE],
    [SBE_TYPE, '3:5', 200, SBE_TYPE],
    [both, '3:5', 200, SBE_TYPE],
    [SBE_TYPE, '3:4', 200, SBE_TYPE, undefined, true],
    [both, '3:2', 200, SBE_TYPE, undefined, true],
    [SBE_TYPE, undefined, 400, SBE_TYPE, -1152],
    [both, undefined, 200, JSON_TYPE],
    [SBE_TYPE, 'one', 400, SBE_TYPE, -1152],
    [SBE_TYPE, '3:', 400, SBE_TYPE, -1152],
    [SBE_TYPE, '3:5:1', 400, SBE_TYPE, -1152],
    [both, 'one', 200, JSON_TYPE],
    [SBE_TYPE, '3:6', 400, SBE_TYPE, -1153],
    [SBE_TYPE, '4:0', 400, SBE_TYPE, -1153],
    [both, '3:6', 200, JSON_TYPE],
    [both, '0:1', 200, JSON_TYPE],
    [SBE_TYPE, '3:1', 400, SBE_TYPE, -1153],
    [both, '3:1', 400, JSON_TYPE, -1153],
    [SBE_TYPE, '1:0', 400, SBE_TYPE, -1153],
    [both, '2:1', 400, JSON_TYPE, -1153],
  ]
  test.each(cases)('that accepts %s for schema %s gets %i %s', async (...given) => {
    const { message } = await expectCase(given, exchange)
    if (message !== undefined) expect(message.version).toBe(5)
  })

  test('gets no message where there are none', async () => {
    const off = await OneThreadExchange.start({ sbe: { sbe: 'off' } })
    await expectCase([SBE_TYPE, '3:5', 406, JSON_TYPE, -1155], off)
    await expectCase([SBE_TYPE, undefined, 406, JSON_TYPE, -1155], off)
    await expectCase([both, '3:5', 200, JSON_TYPE], off)
    await expectCase([both, '1:0', 200, JSON_TYPE], off)
    await off.close()
  })

  test('gets the newest version that the settings name', async () => {
    const older = await OneThreadExchange.start({ sbe: { sbeNewest: '3:4' } })
    const { message } = await expectCase([SBE_TYPE, '3:4', 200, SBE_TYPE], older)
    expect(message!.version).toBe(4)
    await expectCase([SBE_TYPE, '3:3', 200, SBE_TYPE, undefined, true], older)
    await expectCase([SBE_TYPE, '3:5', 400, SBE_TYPE, -1153], older)
    await older.close()
  })

  test('for what the schema has no message for gets JSON, or is refused and not carried out', async () => {
    const wanted = '/api/v3/auction?symbol=BTCUSDT'
    expect(codeOf(await ask(wanted))).toBe(-1155)
    expect((await ask(wanted)).status).toBe(406)
    const { status, json } = await ask(wanted, { ...newest, Accept: both })
    expect([status, json]).toEqual([200, expect.objectContaining({ symbol: 'BTCUSDT' })])
    const part = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const orders = JSON.stringify([{ ...part, price: '90', quantity: '1' }])
    const refused = await signed(1, 'POST', '/ringbook/v1/batchOrders', { orders })
    expect([refused.status, codeOf(refused)]).toEqual([406, -1155])
    const open = await signed(1, 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, {})
    expect(open.json).toEqual([])
  })
})

/** Asks in both formats. */
async function expectTwins(account: number, path: string, params = {}): Promise<Answer> {
  const [message, json] = await Promise.all(
    [newest, {}].map((headers) => signed(account, 'GET', path, params, headers)),
  )
  expectTwin(message!.message!, json!.json)
  for (const name of ['x-mbx-used-weight', 'x-mbx-order-count-1s']) {
    expect(message!.headers.has(name), name).toBe(json!.headers.has(name))
  }
  return message!
}

describe('a message', () => {
  test('says what JSON says, of orders and of what became of them', async () => {
    const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
    const bid = { ...order, side: 'BUY', price: '100', icebergQty: '0.5', strategyId: 7 }
    const placed = await signed(1, 'POST', '/api/v3/order', bid)
    expect(placed.message).toMatchObject({ name: 'NewOrderFullResponse', values: { fills: [] } })
    expect(placed.headers.get('x-mbx-order-count-1s')).toBe('1')
    const ask = { ...order, side: 'SELL', price: '100', quantity: '0.25' }
    const { message: sold } = await signed(2, 'POST', '/api/v3/order', ask)
    expect(sold!.values.fills).toMatchObject([{ price: 10_000_000_000n, commissionAsset: 'USDT' }])
    const { orderId } = placed.message!.values
    const which = { symbol: 'BTCUSDT', orderId: Number(orderId) }
    await expectTwins(1, '/api/v3/order', which)
    await expectTwins(1, '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    await expectTwins(1, '/api/v3/openOrders')
    await expectTwins(1, '/api/v3/account')
    await expectTwins(1, '/api/v3/account/commission', { symbol: 'BTCUSDT' })
    await expectTwins(1, '/api/v3/rateLimit/order')
    const canceled = await signed(1, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    expect(canceled.message!.values.responses).toMatchObject([
      { response: { name: 'CancelOrderResponse', values: { orderId } } },
    ])
  })

  test.each([
    ...['exchangeInfo', 'exchangeInfo?symbol=BTCUSDT', 'depth?symbol=BTCUSDT', 'ticker/24hr'],
    ...['trades?symbol=BTCUSDT', 'avgPrice?symbol=BTCUSDT', 'ticker/price', 'ticker/bookTicker'],
    ...['ticker/24hr?symbol=BTCUSDT&type=MINI', 'ticker/price?symbol=BTCUSDT', 'ping'],
    ...['executionRules', 'depth?symbol=NONE', 'depth'],
  ])('says what JSON says: %s', async (path) => {
    // Windows of time end now.
    exchange.frozenMs = exchange.nowMs()
    const [message, json] = await Promise.all(
      [newest, {}].map((headers) => ask(`/api/v3/${path}`, headers)),
    )
    exchange.frozenMs = undefined
    expect(message!.status).toBe(json!.status)
    expectTwin(message!.message!, json!.json)
  })

  test('comes without its body for HEAD', async () => {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) =>
        fetch(`${exchange.url}/api/v3/time`, { method, headers: newest }),
      ),
    )
    for (const name of ['content-type', 'content-length']) {
      expect(head!.headers.get(name)).toBe(get!.headers.get(name))
    }
    expect(get!.headers.get('content-length')).toBe('16')
    await get!.arrayBuffer()
  })

  test('tells of a body that is too long', async () => {
    const body = 'x'.repeat(70_000)
    const headers = { ...newest, 'X-MBX-APIKEY': keyOf(1).apiKey }
    const response = await fetch(`${exchange.url}/api/v3/order`, { method: 'POST', headers, body })
    const { name } = readMessage(new Uint8Array(await response.arrayBuffer()))
    expect([response.status, name]).toEqual([413, 'ErrorResponse'])
  })

  test('of a limit’s refusal has its times as fields', async () => {
    const limits = limitSettings(['--weight-limit', '50'])
    const limited = await OneThreadExchange.start({ limits })
    const path = '/api/v3/exchangeInfo'
    for (let i = 0; i < 2; i++) await ask(path, newest, 'GET', limited)
    const { status, headers, message } = await ask(path, newest, 'GET', limited)
    const { code, retryAfter, serverTime } = message!.values
    expect([status, Number(code)]).toEqual([429, -1003])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    if (retryAfter !== null) expect(retryAfter! > serverTime!).toBe(true)
    await limited.close()
  })
})

type Given = Readonly<Record<string, string | number>>
const add = (given: Given) =>
  exchange.faults.add([
    readFaultRule({ name: 'rule', ...given }, (text) => AccountId(Number(text))),
  ])

describe('a fault of the sandbox', () => {
  test('answers with a message, or with the page that it has', async () => {
    await add({ do: 'answer', operation: 'ping', status: 599, code: -1234, message: 'Out.' })
    const { status, message } = await ask('/api/v3/ping')
    expect([status, Number(message!.values.code), message!.values.msg]).toEqual([
      599,
      -1234,
      'Out.',
    ])
    await exchange.faults.remove(() => true)
    await add({ do: 'unknown', operation: 'ping', status: 502, body: 'html' })
    const page = await fetch(`${exchange.url}/api/v3/ping`, { headers: newest })
    expect(page.headers.get('content-type')).toBe('text/html;charset=UTF-8')
    expect(await page.text()).toMatch(/^<html>/)
  })

  test('cuts a message in halves', async () => {
    await add({ do: 'half', operation: 'time' })
    const socket = connect(exchange.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    const lines = Object.entries(newest).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET /api/v3/time HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`)
    await new Promise((resolve) => socket.on('close', resolve))
    const bytes = Buffer.concat(chunks)
    const begin = bytes.indexOf('\r\n\r\n') + 4
    expect(bytes.subarray(0, begin).toString()).toMatch(/content-length: 16/i)
    expect(bytes.length - begin).toBe(8)
  })
})
