import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOCS_ROOT, readPageFiles } from '../../../../src/base/page-files.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import { KEEP_ALIVE_SECONDS } from '../../../../src/gateway/http/http-response.ts'
import { TradingLocks } from '../../../../src/shared/trading-locks.ts'
import {
  keyOf,
  OneThreadExchange,
  queryOf,
  roomyLimits,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange

beforeAll(async () => {
  const docs = readPageFiles('dist/src/docs', DOCS_ROOT)
  const console = { files: [], docs, demoKeys: [] }
  exchange = await OneThreadExchange.start({ limits: roomyLimits, console })
})
afterAll(() => exchange.close())

/** Waits, sends a request, and resolves to the time from then until the server closes the connection. */
async function idleMs(waitMs: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  const socket = net.connect(exchange.port, '127.0.0.1').resume()
  const sentMs = performance.now()
  socket.write('GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'close')
  return performance.now() - sentMs
}

const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '100.00',
  quantity: '1.00000',
}

describe('answers', () => {
  test('carry the headers that clients read', async () => {
    const { status, headers, body } = await exchange.send('GET', '/api/v3/ping')
    expect([status, body]).toEqual([200, {}])
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8')
    expect(headers.get('x-mbx-used-weight')).toBe('1')
    expect(headers.get('x-mbx-used-weight-1m')).toBe('1')
  })

  test.each([
    ['POST', '/'],
    ['GET', '/ws'],
    ['GET', '/apis'],
  ])('%s %s is not found, and empty', async (method, path) => {
    const { status, headers, body } = await exchange.send(method, path)
    expect([status, headers.get('connection'), body]).toEqual([404, 'close', undefined])
  })

  test.each([
    ['GET', '/api/v3/nothing'],
    ['GET', '/api'],
    ['GET', '/sapi/v1/nothing'],
    ['POST', '/api/v3/ping'],
    ['PATCH', '/api/v3/order'],
  ])('%s %s is not found, in JSON, on a connection that continues', async (method, path) => {
    const { status, headers, body } = await exchange.send(method, path)
    expect([status, body]).toEqual([404, { code: -1020, msg: 'This operation is not supported.' }])
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8')
    expect(headers.get('connection')).not.toBe('close')
  })

  test('say for how long a connection may be idle', async () => {
    const { headers } = await exchange.send('GET', '/api/v3/ping')
    expect(headers.get('keep-alive')).toBe(`timeout=${KEEP_ALIVE_SECONDS}`)
    const last = await exchange.send('GET', '/nothing')
    expect(last.headers.get('keep-alive')).toBeNull()
  })

  test('leave an idle connection open for as long as they say', async () => {
    // Opened at different times of uWebSockets.js's clock, whose tick is four seconds.
    const idle = Array.from({ length: 8 }, (_, index) => idleMs(index * 500))
    for (const ms of await Promise.all(idle)) {
      expect(ms).toBeGreaterThanOrEqual(KEEP_ALIVE_SECONDS * 1_000)
    }
  })

  test('describe themselves, for programs and for people', async () => {
    const { status, body } = await exchange.send('GET', '/openapi.json')
    expect([status, body.openapi]).toEqual([200, '3.1.0'])
    const page = await fetch(`${exchange.url}/docs`)
    expect(page.headers.get('content-type')).toBe('text/html;charset=UTF-8')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(await page.text()).toContain('href="/docs/api/operations"')
  })

  test('name the addresses at the root, for programs and for people', async () => {
    const { status, body } = await exchange.send('GET', '/')
    expect(status).toBe(200)
    const { name, rest, documentation, openapi, streams, webSocketApi } = body
    expect(name).toBe('Ringbook')
    expect((await exchange.send('GET', `${rest}/ping`)).status).toBe(200)
    expect((await exchange.send('GET', String(openapi))).status).toBe(200)
    expect((await fetch(`${exchange.url}${documentation}`)).status).toBe(200)
    for (const address of [streams, webSocketApi]) {
      await exchange.socket(String(address))
    }
    const asBrowser = { headers: { Accept: 'text/html,application/xhtml+xml' } }
    const page = await fetch(`${exchange.url}/`, asBrowser)
    expect(page.headers.get('content-type')).toBe('text/html;charset=UTF-8')
    const text = await page.text()
    for (const path of Object.values(body).slice(1)) expect(text).toContain(`>${path}<`)
  })

  test('come in the unit of time asked for', async () => {
    const ask = (unit: string) =>
      exchange.send('GET', '/api/v3/time', 0, { headers: { 'X-MBX-TIME-UNIT': unit } })
    const micro = await ask('MICROSECOND')
    expect(String(micro.body.serverTime)).toHaveLength(16)
    const milli = await ask('millisecond')
    expect(String(milli.body.serverTime)).toHaveLength(13)
    const wrong = await ask('second')
    expect([wrong.status, wrong.body.code]).toEqual([400, -1194])
  })
})

describe('parameters', () => {
  const body = (text: string, type = 'application/x-www-form-urlencoded') => ({
    body: text,
    headers: { 'Content-Type': type },
  })

  test('of an order may stand in the query, in the body, or in both', async () => {
    const query = () => queryOf({ ...order, timestamp: exchange.nowMs() })
    const inQuery = query()
    const inBody = query()
    const [left, right] = [queryOf({ symbol: 'BTCUSDT', side: 'BUY' }), query()]
    const rest = right.slice(right.indexOf('type='))
    const answers = [
      await exchange.send('POST', `/api/v3/order?${inQuery}&signature=${sign(1, inQuery)}`, 1),
      await exchange.send('POST', '/api/v3/order', 1, {
        ...body(`${inBody}&signature=${sign(1, inBody)}`),
      }),
      await exchange.send('POST', `/api/v3/order?${left}`, 1, {
        ...body(`${rest}&signature=${sign(1, left + rest)}`),
      }),
      await exchange.send('POST', `/api/v3/order?signature=${sign(1, left + rest)}&${left}`, 1, {
        ...body(rest),
      }),
    ]
    for (const answer of answers) {
      expect(answer.body).toMatchObject({ symbol: 'BTCUSDT', status: 'NEW' })
      expect(answer.status).toBe(200)
    }
  })

  test('of a GET stand in the query only', async () => {
    const { status, body: answer } = await exchange.signed(1, 'GET', '/api/v3/openOrders')
    expect([status, Array.isArray(answer)]).toEqual([200, true])
  })

  test('may come with a JSON type and no body', async () => {
    const query = queryOf({ ...order, timestamp: exchange.nowMs() })
    const path = `/api/v3/order?${query}&signature=${sign(1, query)}`
    const { status } = await exchange.send('POST', path, 1, {
      headers: { 'Content-Type': 'application/json' },
    })
    expect(status).toBe(200)
  })

  test('a body over the bound is refused', async () => {
    const answer = await exchange.send('POST', '/api/v3/order', 1, body('a'.repeat(70_000)))
    expect([answer.status, answer.body]).toEqual([
      413,
      { code: -1101, msg: 'Too many parameters sent for this endpoint.' },
    ])
  })

  test.each([
    'application/json',
    'text/plain;charset=UTF-8',
    'application/octet-stream',
    '*/*',
    'application/x-www-form-urlencodedx',
    'Application/X-WWW-Form-Urlencoded; charset=UTF-8',
  ])('in a body of type %s', async (type) => {
    const query = queryOf({ ...order, timestamp: exchange.nowMs() })
    const [left, rest] = [`timestamp=${exchange.nowMs()}`, query.replace(/&timestamp=.*/, '')]
    const path = `/api/v3/order?${left}&signature=${sign(1, left + rest)}`
    const answer = await exchange.send('POST', path, 1, body(rest, type))
    expect([answer.status, answer.body.code]).toEqual([200, undefined])
  })

  test('of a listen key may stand in a body of any type', async () => {
    const path = '/api/v3/userDataStream'
    const { listenKey } = (await exchange.send('POST', path, 1)).body
    const form = body(`listenKey=${listenKey}`, 'application/json')
    const answers = [
      await exchange.send('PUT', path, 1, form),
      await exchange.send('DELETE', path, 1, form),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('in a body of JSON are not found', async () => {
    const text = JSON.stringify({ ...order, timestamp: exchange.nowMs() })
    const stamp = `timestamp=${exchange.nowMs()}`
    const path = `/api/v3/order?${stamp}&signature=${sign(1, stamp + text)}`
    const answer = await exchange.send('POST', path, 1, body(text, 'application/json'))
    expect([answer.status, answer.body.code]).toEqual([400, -1102])
  })
})

describe('the order of checks', () => {
  const stamp = () => ({ timestamp: exchange.nowMs() })
  const signedBy = (account: number, params: Record<string, string | number>) => {
    const query = queryOf(params)
    return `${query}&signature=${sign(account, query)}`
  }
  const good = 'a'.repeat(64)

  test.each<[string, () => string, string | undefined, number, number]>([
    ['illegal characters before the key', () => 'symbol=b%20c', undefined, 400, -1100],
    ['a duplicate before the key', () => 'symbol=A&symbol=B', undefined, 400, -1101],
    ['broken percent-encoding', () => 'symbol=%zz', undefined, 400, -1100],
    ['no key', () => 'symbol=BTCUSDT', undefined, 401, -2014],
    ['a key of the wrong form', () => 'symbol=BTCUSDT', 'short', 401, -2014],
    ['an unknown key', () => 'symbol=BTCUSDT', good, 401, -2015],
    ['no timestamp', () => 'symbol=BTCUSDT&signature=00', keyOf(1).apiKey, 400, -1102],
    ['a timestamp with a point', () => 'timestamp=1.5', keyOf(1).apiKey, 400, -1100],
    ['an old timestamp', () => 'timestamp=1499827319559', keyOf(1).apiKey, 400, -1021],
    [
      'a timestamp ahead',
      () => `timestamp=${exchange.nowMs() + 60_000}`,
      keyOf(1).apiKey,
      400,
      -1021,
    ],
    [
      'a window too large',
      () => queryOf({ ...stamp(), recvWindow: '60000.001' }),
      keyOf(1).apiKey,
      400,
      -1102,
    ],
    ['an empty window', () => queryOf({ ...stamp(), recvWindow: '' }), keyOf(1).apiKey, 400, -1105],
    ['no signature', () => queryOf(stamp()), keyOf(1).apiKey, 400, -1102],
    ['a short signature', () => `${queryOf(stamp())}&signature=00`, keyOf(1).apiKey, 400, -1022],
    ["another's signature", () => signedBy(2, stamp()), keyOf(1).apiKey, 400, -1022],
    ['a missing parameter after it', () => signedBy(1, stamp()), keyOf(1).apiKey, 400, -1102],
    [
      'an unknown parameter after it',
      () => signedBy(1, { symbol: 'BTCUSDT', what: 1, ...stamp() }),
      keyOf(1).apiKey,
      400,
      -1104,
    ],
    [
      'an unknown symbol last',
      () => signedBy(1, { symbol: 'X', ...stamp() }),
      keyOf(1).apiKey,
      400,
      -1121,
    ],
  ])('%s', async (_, query, apiKey, status, code) => {
    const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-MBX-APIKEY': apiKey }
    const answer = await exchange.send('GET', `/api/v3/myTrades?${query()}`, 0, { headers })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('a key without permission to trade may read and not trade', async () => {
    const query = queryOf({ ...order, timestamp: exchange.nowMs() })
    const headers = { 'X-MBX-APIKEY': 'r'.repeat(64) }
    const path = `/api/v3/order?${query}&signature=${sign(1, query)}`
    const placed = await exchange.send('POST', path, 0, { headers })
    expect([placed.status, placed.body.code]).toEqual([401, -2015])
    const read = queryOf({ timestamp: exchange.nowMs() })
    const account = await exchange.send(
      'GET',
      `/api/v3/account?${read}&signature=${sign(1, read)}`,
      0,
      { headers },
    )
    expect(account.status).toBe(200)
  })

  test('the signature may be of either case, and the timestamp in microseconds', async () => {
    const query = queryOf({ timestamp: exchange.nowMs() * 1000 })
    const path = `/api/v3/account?${query}&signature=${sign(1, query).toUpperCase()}`
    expect((await exchange.send('GET', path, 1)).status).toBe(200)
  })
})

describe('an order', () => {
  test('is answered from its events, and seen by the queries after it', async () => {
    const sold = await exchange.limitOrder(1, 'SELL', '200.00', '2.00000')
    expect(sold.body).toMatchObject({ status: 'NEW', side: 'SELL' })
    const bought = await exchange.limitOrder(2, 'BUY', '200.00', '1.50000')
    expect(bought.body).toMatchObject({ status: 'FILLED', executedQty: '1.50000000' })
    const depth = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT&limit=1')
    expect(depth.body.asks).toEqual([['200.00000000', '0.50000000']])
    const trades = await exchange.send('GET', '/api/v3/trades?symbol=BTCUSDT&limit=1')
    expect(trades.body).toMatchObject([{ price: '200.00000000', isBuyerMaker: false }])
  })

  test('in flight when its client leaves stands', async () => {
    exchange.pause()
    const gone = new AbortController()
    const query = queryOf({ ...order, newClientOrderId: 'orphan', timestamp: exchange.nowMs() })
    const sent = fetch(`${exchange.url}/api/v3/order?${query}&signature=${sign(1, query)}`, {
      method: 'POST',
      headers: { 'X-MBX-APIKEY': keyOf(1).apiKey },
      signal: gone.signal,
    })
    while (exchange.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    gone.abort()
    await expect(sent).rejects.toThrow()
    exchange.resume()
    const found = await exchange.signed(1, 'GET', '/api/v3/order', {
      symbol: 'BTCUSDT',
      origClientOrderId: 'orphan',
    })
    expect(found.body).toMatchObject({ status: 'NEW', clientOrderId: 'orphan' })
  })

  test('whose answer does not come in time has an unknown fate', async () => {
    exchange.pause()
    const late = exchange.limitOrder(1, 'BUY', '90.00', '1.00000')
    while (exchange.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    exchange.pass(11_000)
    const { status, body } = await late
    expect([status, body.code]).toEqual([504, -1007])
    exchange.resume()
    const { status: next } = await exchange.limitOrder(1, 'BUY', '90.00', '1.00000')
    expect(next).toBe(200)
  })
})

describe('a locked account', () => {
  test('may place no orders, but test them, cancel and look', async () => {
    const placed = await exchange.limitOrder(2, 'BUY', '80.00', '1.00000')
    const locks = new TradingLocks(exchange.tradingLocks)
    locks.lock(AccountId(2), Ms(exchange.nowMs() + 60_000))
    const { body, status } = await exchange.limitOrder(2, 'BUY', '80.00', '1.00000')
    const disabled = { code: -2010, msg: 'This action is disabled on this account.' }
    expect([status, body]).toEqual([400, disabled])
    const tested = await exchange.signed(2, 'POST', '/api/v3/order/test', order)
    expect(tested.status).toBe(200)
    const own = { symbol: 'BTCUSDT', orderId: placed.body.orderId as number }
    const canceled = await exchange.signed(2, 'DELETE', '/api/v3/order', own)
    expect(canceled.body).toMatchObject({ status: 'CANCELED' })
    expect((await exchange.limitOrder(1, 'BUY', '80.00', '1.00000')).status).toBe(200)
    locks.lock(AccountId(2), exchange.nowMs())
    expect((await exchange.limitOrder(2, 'BUY', '80.00', '1.00000')).status).toBe(200)
  })
})

test("the system's status is for signed requests, unless the operator decides otherwise", async () => {
  const refused = await exchange.send('GET', '/sapi/v1/system/status')
  expect([refused.status, refused.body.code]).toEqual([401, -2014])
  const open = await OneThreadExchange.start({ unsignedSystemStatus: true })
  for (const query of ['', '?timestamp=1&signature=x']) {
    const { status, body } = await open.send('GET', `/sapi/v1/system/status${query}`)
    expect([status, body]).toEqual([200, { status: 0, msg: 'normal' }])
  }
  await open.close()
})
