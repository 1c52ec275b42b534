/** Faults of requests, as clients meet them, and that no other client does. */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import { PlaceOrder } from '../../../src/layout/accessors.gen.ts'
import { readFaultRule } from '../../../src/sandbox/fault-rule.ts'
import type { HouseRequest } from '../../../src/sandbox/requests.ts'
import {
  keyOf,
  limitSettings,
  OneThreadExchange,
  queryOf,
  sign,
} from '../../fixtures/one-thread-exchange.ts'

/** Delays last by it; a test moves it. */
const time = new ManualTime(new ManualClock(Ms(0)))
let exchange: OneThreadExchange
beforeAll(async () => {
  exchange = await OneThreadExchange.start({ gateways: 2, sandbox: time })
})
afterAll(() => exchange.close())
beforeEach(async () => {
  await exchange.faults.remove(() => true)
  for (const account of [1, 2]) {
    await exchange.signed(account, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  }
})

type Given = Readonly<Record<string, string | number>>
const add = (given: Given) =>
  exchange.faults.add([
    readFaultRule({ name: 'rule', ...given }, (text) => AccountId(Number(text))),
  ])

let ids = 0
const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
const place = (account: number, id = `id-${++ids}`) =>
  exchange.signed(account, 'POST', '/api/v3/order', {
    ...terms,
    price: '100',
    quantity: '1',
    newClientOrderId: id,
  })
const statusOf = async (account: number, origClientOrderId: string) => {
  const params = { symbol: 'BTCUSDT', origClientOrderId }
  const { status, body } = await exchange.signed(account, 'GET', '/api/v3/order', params)
  return status === 200 ? body!.status : body!.code
}
const faultOf = (headers: Headers) => headers.get('x-ringbook-fault')

/** What a request answers, as text: pages are none of JSON. */
async function raw(account: number, method: string, path: string, params: Given = {}) {
  const query = queryOf({ ...params, timestamp: exchange.nowMs() })
  const response = await fetch(
    `${exchange.url}${path}?${query}&signature=${sign(account, query)}`,
    { method, headers: { 'X-MBX-APIKEY': keyOf(account).apiKey } },
  )
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('an answer instead of execution', () => {
  test('has the status, code, message and Retry-After of the rule', async () => {
    const answer = { status: 599, code: -1234, message: 'Out to "lunch".', retry: 7 }
    await add({ do: 'answer', operation: 'placeOrder', ...answer })
    const { status, headers, body } = await place(1, 'never')
    expect([status, body]).toEqual([599, { code: -1234, msg: 'Out to "lunch".' }])
    expect([headers.get('retry-after'), faultOf(headers)]).toEqual(['7', 'rule'])
    expect(await statusOf(1, 'never')).toBe(-2013)
  })

  test.each([
    [429, '3'],
    [418, '10'],
  ])('is any %i with one Retry-After', async (status, retry) => {
    const given = status === 429 ? { status, retry: 3 } : { status }
    await add({ do: 'answer', operation: 'placeOrder', code: -1003, ...given })
    const answer = await place(1)
    expect([answer.status, answer.body!.code]).toEqual([status, -1003])
    expect(answer.headers.get('retry-after')).toBe(retry)
  })

  test('is 429 and 418 with the texts of limits and bans', async () => {
    await add({ do: 'limit', operation: 'account' })
    const limited = await exchange.signed(1, 'GET', '/api/v3/account')
    expect([limited.status, limited.body!.code]).toEqual([429, -1003])
    expect(limited.body!.msg).toContain('Too much request weight used; current limit is')
    expect(limited.headers.get('retry-after')).toBe('10')
    await add({ do: 'ban', operation: 'account', retry: 60 })
    const banned = await exchange.signed(1, 'GET', '/api/v3/account')
    expect([banned.status, banned.body!.code]).toEqual([418, -1003])
    expect(banned.body!.msg).toMatch(/IP banned until \d{13}\./)
    expect(banned.headers.get('retry-after')).toBe('60')
    expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(200)
  })

  test.each([
    [{ do: 'forbid' }, 403, '403 Forbidden'],
    [{ do: 'proxy' }, 502, '502 Bad Gateway'],
    [{ do: 'proxy', status: 503 }, 503, '503 Service Temporarily Unavailable'],
    [{ do: 'proxy', status: 504 }, 504, '504 Gateway Time-out'],
  ])('is a page of %o', async (rule, status, title) => {
    await add({ ...rule, operation: 'placeOrder' })
    const params = { ...terms, price: '100', quantity: '1', newClientOrderId: 'page' }
    const answer = await raw(1, 'POST', '/api/v3/order', params)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(faultOf(answer.headers)).toBe('rule')
    expect(answer.text).toContain(`<h1>${title}</h1>`)
    expect(await statusOf(1, 'page')).toBe(-2013)
  })

  test.each([
    [{ reason: 'INSUFFICIENT_BALANCE' }, -2010, /insufficient balance/],
    [{ reason: 'FILTER_FAILURE', filter: 'LOT_SIZE' }, -1013, /Filter failure: LOT_SIZE/],
    [{ reason: 'UNKNOWN_ORDER' }, -2011, /Unknown order sent/],
  ])('is a refusal for %o', async (rule, code, message) => {
    await add({ do: 'refuse', operation: 'placeOrder', ...rule })
    const { status, body } = await place(1, 'refused')
    expect([status, body!.code]).toEqual([400, code])
    expect(body!.msg).toMatch(message)
    expect(await statusOf(1, 'refused')).toBe(-2013)
  })
})

test('what a wallet does for one account and coin alone is refused', async () => {
  const rule = { do: 'refuse', reason: 'WITHDRAWAL_LIMITED', account: 1 }
  await add({ ...rule, operation: 'depositAddress', parameter: 'coin=BTC' })
  const codeOf = async (account: number, coin: string) => {
    const path = '/sapi/v1/capital/deposit/address'
    return (await exchange.signed(account, 'GET', path, { coin })).body!.code
  }
  expect([await codeOf(1, 'BTC'), await codeOf(1, 'USDT'), await codeOf(2, 'BTC')]).toEqual([
    ...[-4015, -4042, -4042],
  ])
})

describe('a new connection', () => {
  /** What a client meets that sends a request at once. */
  const met = () =>
    new Promise<string>((resolve) => {
      const socket = connect(exchange.port, '127.0.0.1')
      socket.on('connect', () => {
        socket.write('GET /api/v3/ping HTTP/1.1\r\nHost: localhost\r\n\r\n')
      })
      socket.on('data', (data) => {
        socket.destroy()
        resolve(String(data).slice(0, 12))
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
      socket.on('end', () => resolve('end'))
    })

  test('is reset, by number and address', async () => {
    await add({ do: 'reset', every: 2 })
    expect([await met(), await met(), await met()]).toEqual([
      ...['HTTP/1.1 200', 'ECONNRESET', 'HTTP/1.1 200'],
    ])
    expect(exchange.faults.rows()[0]).toMatchObject({ matches: 3, touched: 1 })
    await add({ do: 'reset', address: '10.0.0.1' })
    expect(await met()).toBe('HTTP/1.1 200')
  })

  test('is accepted and not read until it ends', async () => {
    await add({ do: 'deaf', ms: 5_000, times: 1 })
    let what = ''
    const deaf = met().then((it) => {
      what = it
    })
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
    time.advance(4_999)
    expect([await met(), what]).toEqual(['HTTP/1.1 200', ''])
    time.advance(1)
    await deaf
    expect(what).toBe('ECONNRESET')
    expect(time.nextInMs).toBeUndefined()
  })

  test('ends at once where it may be unread for no time', async () => {
    await add({ do: 'deaf', ms: 0 })
    expect(['end', 'ECONNRESET']).toContain(await met())
    await exchange.faults.remove(() => true)
    expect(await met()).toBe('HTTP/1.1 200')
  })

  test('is for rules of operators alone', async () => {
    const given = { name: 'mine', do: 'reset' }
    const answer = await exchange.faults.answer({ ask: 'add', account: AccountId(1), given })
    expect(answer).toMatchObject({ refused: expect.stringContaining('reset is for operators') })
  })
})

describe('an order is executed', () => {
  test('and answered with -1007', async () => {
    await add({ do: 'unknown', parameter: 'newClientOrderId=lost-*' })
    const { status, body, headers } = await place(1, 'lost-1')
    expect([status, body!.code, faultOf(headers)]).toEqual([504, -1007, 'rule'])
    expect(await statusOf(1, 'lost-1')).toBe('NEW')
    expect((await place(1, 'kept-1')).status).toBe(200)
  })

  test.each([
    [{}, 504, /^{"code":-1007,"msg":"Timeout waiting for response from backend/],
    [{ code: -1006 }, 504, /^{"code":-1006,"msg":"An unexpected response was received from/],
    [{ status: 500, code: -1000 }, 500, /^{"code":-1000,"msg":"An unknown error occurred/],
    [{ status: 502, message: 'Gone.' }, 502, /^{"code":-1007,"msg":"Gone."}$/],
    [{ status: 599, code: -9_000, message: 'x' }, 599, /^{"code":-9000,"msg":"x"}$/],
    [{ status: 503, body: 'html' }, 503, /<h1>503 Service Temporarily Unavailable<.h1>/],
    [{ body: 'html' }, 504, /<h1>504 Gateway Time-out<.h1>/],
    [{ status: 511, body: 'html' }, 511, /<h1>511<.h1>/],
  ])('and its status is unknown by %o', async (rule, status, text) => {
    await add({ do: 'unknown', operation: 'placeOrder', ...rule })
    const id = `unknown-${++ids}`
    const params = { ...terms, price: '100', quantity: '1', newClientOrderId: id }
    const answer = await raw(1, 'POST', '/api/v3/order', params)
    expect([answer.status, faultOf(answer.headers)]).toEqual([status, 'rule'])
    expect(answer.text).toMatch(text)
    expect(answer.headers.get('content-type')).toContain('body' in rule ? 'html' : 'json')
    expect(await statusOf(1, id)).toBe('NEW')
  })

  test('or not, and its connection ends without an answer', async () => {
    await add({ do: 'cut', way: 'in', operation: 'placeOrder', every: 2 })
    expect((await place(1, 'in-1')).status).toBe(200)
    await expect(place(1, 'in-2')).rejects.toThrow(/fetch failed|terminated/)
    expect(await statusOf(1, 'in-2')).toBe(-2013)
    expect(exchange.faults.rows()[0]).toMatchObject({ matches: 2, touched: 1 })
  })

  test.each([
    ['in', -2013],
    ['out', 'NEW'],
  ])('or not, and nothing comes until its connection ends: way %s', async (way, fate) => {
    await add({ do: 'silence', way, ms: 5_000, operation: 'placeOrder', times: 1 })
    const id = `silent-${way}`
    let isOver = false
    const silent = place(1, id).catch((error: Error) => {
      isOver = true
      return error
    })
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
    time.advance(4_999)
    expect(await statusOf(1, id)).toBe(fate)
    expect(isOver).toBe(false)
    time.advance(1)
    expect(await silent).toBeInstanceOf(Error)
    expect(time.nextInMs).toBeUndefined()
  })

  test.each(['cut', 'half'])('and its answer is %s', async (how) => {
    await add({ do: how, operation: 'placeOrder' })
    await expect(place(1, `gone-${how}`)).rejects.toThrow(/fetch failed|terminated/)
    expect(await statusOf(1, `gone-${how}`)).toBe('NEW')
  })

  test('after a delay of the way in, and answered after one of the way out', async () => {
    await add({ do: 'delay', way: 'in', ms: 300, operation: 'placeOrder', parameter: 'side=BUY' })
    const late = place(1, 'late')
    await expect.poll(() => exchange.faults.rows()[0]?.touched).toBe(1)
    time.advance(299)
    expect(await statusOf(1, 'late')).toBe(-2013)
    time.advance(1)
    const { status, headers } = await late
    expect([status, faultOf(headers)]).toEqual([200, 'rule'])
    await add({ do: 'delay', ms: 300, operation: 'placeOrder' })
    let isAnswered = false
    const answer = place(1, 'early').finally(() => {
      isAnswered = true
    })
    await expect.poll(() => statusOf(1, 'early')).toBe('NEW')
    time.advance(299)
    expect(await statusOf(1, 'early')).toBe('NEW')
    expect(isAnswered).toBe(false)
    time.advance(1)
    expect((await answer).status).toBe(200)
  })
})

test('rules are for the account, key, address, operation, symbol and parameter that they name', async () => {
  const touched = async (rule: Given) => {
    await add({ do: 'answer', status: 418, operation: 'placeOrder', ...rule })
    const { status } = await place(1, `where-${++ids}`)
    return status === 418
  }
  expect(await touched({ account: '1' })).toBe(true)
  expect(await touched({ account: '2' })).toBe(false)
  expect(await touched({ key: keyOf(1).apiKey })).toBe(true)
  expect(await touched({ key: keyOf(2).apiKey })).toBe(false)
  expect(await touched({ address: '127.0.0.0/8' })).toBe(true)
  expect(await touched({ address: '10.0.0.0/8,::1' })).toBe(false)
  expect(await touched({ operation: 'place*' })).toBe(true)
  expect(await touched({ operation: 'cancelOrder' })).toBe(false)
  expect(await touched({ symbol: 'BTCUSDT' })).toBe(true)
  expect(await touched({ symbol: 'ETHUSDT' })).toBe(false)
  expect(await touched({ parameter: 'price=10*' })).toBe(true)
  expect(await touched({ parameter: 'icebergQty=*' })).toBe(false)
})

test("a rule of one account's touches no other one", async () => {
  const asked = { ask: 'add', account: AccountId(1) } as const
  await exchange.faults.answer({ ...asked, given: { name: 'mine', do: 'answer', status: 500 } })
  expect((await place(1)).status).toBe(500)
  expect((await place(2)).status).toBe(200)
  expect((await exchange.send('GET', '/api/v3/time')).status).toBe(200)
  await exchange.faults.answer({ ask: 'remove', account: AccountId(2), name: undefined })
  expect((await place(1)).status).toBe(500)
  await exchange.faults.answer({ ask: 'remove', account: AccountId(1), name: 'mine' })
  expect((await place(1)).status).toBe(200)
})

describe('signed requests for one account', () => {
  const PATH = '/sandbox/v1/faults'
  const rules = async (account: number) => {
    const { status, body } = await exchange.signed(account, 'GET', PATH)
    expect(status).toBe(200)
    return body as unknown as { name: string }[]
  }
  const addOwn = (account: number, rule: object) =>
    exchange.signed(account, 'POST', PATH, { rule: JSON.stringify(rule) })

  test('add, list and remove its rules, which touch nobody else', async () => {
    const added = await addOwn(1, { name: 'mine', do: 'answer', status: 500, operation: 'account' })
    expect(added.status).toBe(200)
    const row = { name: 'mine', do: 'answer', rule: 'account=1 operation=account status=500' }
    expect(added.body).toEqual([{ ...row, matches: 0, touched: 0, isOver: false }])
    const touched = await exchange.signed(1, 'GET', '/api/v3/account')
    expect([touched.status, faultOf(touched.headers)]).toEqual([500, 'mine'])
    expect((await exchange.signed(2, 'GET', '/api/v3/account')).status).toBe(200)
    expect(await rules(1)).toEqual([{ ...row, matches: 1, touched: 1, isOver: false }])
    expect(await rules(2)).toEqual([])
    const foreign = await exchange.signed(2, 'DELETE', PATH, { name: 'mine' })
    expect([foreign.status, foreign.body!.code]).toEqual([400, -1130])
    expect(await rules(1)).toHaveLength(1)
    expect((await exchange.signed(1, 'DELETE', PATH)).body).toEqual([])
    expect((await exchange.signed(1, 'GET', '/api/v3/account')).status).toBe(200)
  })

  test.each([
    [{ name: 'x' }, 'do must be "answer",'],
    [{ name: 'x', do: 'cut', account: '2' }, 'A rule of your own takes no field account'],
    [[], 'rule must be a JSON object.'],
    [{ name: 'x', do: 'cut', parameter: 'newOrderId=a*' }, 'There is no parameter newOrderId.'],
  ])('refuse %j with the reason', async (rule, reason) => {
    const { status, body } = await addOwn(1, rule)
    expect([status, body!.code]).toEqual([400, -1130])
    expect(body!.msg).toBe("Data sent for parameter 'rule' is not valid.")
    expect((body!.data as { reason: string }).reason).toContain(reason)
  })

  test('have a bound for each account', async () => {
    const addMore = async (account: number, name: string) => {
      const { body } = await addOwn(account, { name, do: 'cut', operation: 'distributions' })
      return (body!.data as { reason: string } | undefined)?.reason ?? ''
    }
    for (let i = 0; i < 40; i++) expect(await addMore(2, `r${i}`)).toBe('')
    expect(await addMore(2, 'one-more')).toContain('those with a rule 8 to others')
    expect(await addMore(2, 'r3')).toBe('')
    expect(await addMore(1, 'own')).toBe('')
    await exchange.signed(2, 'DELETE', PATH)
  })

  test('need a signature, and are not there while the sandbox is off', async () => {
    expect((await exchange.send('GET', PATH, 1)).body!.code).toBe(-1102)
    const usual = await OneThreadExchange.start()
    const found = await usual.signed(1, 'GET', PATH)
    const unknown = await usual.signed(1, 'GET', '/sandbox/v1/none')
    expect([found.status, found.body]).toEqual([404, unknown.body])
    expect(JSON.stringify((await usual.send('GET', '/openapi.json')).body)).not.toContain(PATH)
    await usual.close()
    expect(JSON.stringify((await exchange.send('GET', '/openapi.json')).body)).toContain(PATH)
  })

  test('are touched by no rule', async () => {
    await addOwn(1, { name: 'all-of-mine', do: 'answer', status: 500 })
    await addOwn(1, { name: 'hour', do: 'skew', ms: 3_600_000 })
    expect(await rules(1)).toHaveLength(2)
    expect((await exchange.signed(1, 'DELETE', PATH, { name: 'hour' })).status).toBe(200)
    expect((await exchange.signed(1, 'DELETE', PATH, { name: 'all-of-mine' })).body).toEqual([])
  })
})

test('a request that the exchange refuses anyway is no match', async () => {
  await add({ do: 'answer', status: 500, operation: 'placeOrder' })
  const { status, body } = await exchange.signed(1, 'POST', '/api/v3/order', {
    ...terms,
    price: 'x',
  })
  expect([status, body!.code]).toEqual([400, -1100])
  expect(exchange.faults.rows()[0]).toMatchObject({ matches: 0, touched: 0 })
  const before = exchange.counter('faultsTouched') + exchange.counter('faultsTouched', 1)
  await place(1)
  expect(exchange.faults.rows()[0]).toMatchObject({ matches: 1, touched: 1 })
  expect(exchange.counter('faultsTouched') + exchange.counter('faultsTouched', 1)).toBe(before + 1)
})

test('the first rule that answers ends the search, delays before it add up', async () => {
  await add({ name: 'slow', do: 'delay', ms: 10, operation: 'placeOrder' })
  await add({ name: 'first', do: 'answer', status: 500, operation: 'placeOrder' })
  await add({ name: 'second', do: 'cut', operation: 'placeOrder' })
  const answer = place(1)
  await expect.poll(() => exchange.faults.rows()[1]?.touched).toBe(1)
  time.advance(10)
  const { status, headers } = await answer
  expect([status, faultOf(headers)]).toEqual([500, 'slow, first'])
  expect(exchange.faults.rows().map(({ touched }) => touched)).toEqual([1, 1, 0])
})

test('matches are numbered over both gateways', async () => {
  await add({ do: 'answer', status: 500, operation: 'placeOrder', every: 3, times: 2 })
  const seen = []
  for (let i = 0; i < 12; i++) {
    // A separate connection may reach either gateway.
    const { status } = await place(1)
    if (status === 500) seen.push(i + 1)
  }
  expect(seen).toEqual([3, 6])
  expect(exchange.faults.rows()[0]).toMatchObject({ matches: 12, touched: 2, isOver: true })
})

test('a clock that is ahead or behind for one key refuses its signed requests', async () => {
  await add({ name: 'ahead', do: 'skew', ms: 6_000, key: keyOf(1).apiKey })
  const old = await exchange.signed(1, 'GET', '/api/v3/account')
  expect([old.status, old.body!.code, faultOf(old.headers)]).toEqual([400, -1021, 'ahead'])
  expect(old.body!.msg).toContain('outside of the recvWindow')
  expect((await exchange.signed(2, 'GET', '/api/v3/account')).status).toBe(200)
  await exchange.faults.remove(({ name }) => name === 'ahead')
  await add({ name: 'behind', do: 'skew', ms: -1_500, key: keyOf(1).apiKey })
  const early = await exchange.signed(1, 'GET', '/api/v3/account')
  expect(early.body!.msg).toContain("1000ms ahead of the server's time")
  await add({ name: 'behind', do: 'skew', ms: -1_500, address: '127.0.0.1' })
  const { body } = await exchange.send('GET', '/api/v3/time')
  expect(exchange.nowMs() - Number(body!.serverTime)).toBeGreaterThanOrEqual(1_500)
})

test.each([
  1_000, -1_000,
])('a clock that is %i ms off leaves an order its time in the queue', async (ms) => {
  const expires = vi.spyOn(PlaceOrder, 'setExpiresMs')
  await add({ do: 'skew', ms, key: keyOf(1).apiKey })
  const timestamp = exchange.nowMs() + ms
  const given = { ...terms, price: '100', quantity: '1', recvWindow: '5000', timestamp }
  const query = queryOf(given)
  const target = `/api/v3/order?${query}&signature=${sign(1, query)}`
  expect((await exchange.send('POST', target, 1)).status).toBe(200)
  expect(expires.mock.calls.map(([, , expiresMs]) => expiresMs)).toEqual([timestamp - ms + 5_000])
  expires.mockRestore()
})

describe('fills of the next order', () => {
  test('are asked for at their moments, for that order alone', async () => {
    const asked: HouseRequest[] = []
    exchange.house = async (request) => {
      asked.push(request)
      return { refused: 'closed' }
    }
    await add({ do: 'fill', quantity: '30%', moments: '100,200,200', account: '1', times: 1 })
    expect((await exchange.signed(1, 'GET', '/api/v3/account')).status).toBe(200)
    const { body, headers } = await place(1)
    expect([body!.status, faultOf(headers)]).toEqual(['NEW', 'rule'])
    await place(1)
    await place(2)
    time.advance(99)
    await exchange.send('GET', '/api/v3/ping')
    expect(asked).toEqual([])
    time.advance(1)
    await expect.poll(() => asked.length).toBe(1)
    time.advance(100)
    await expect.poll(() => asked.length).toBe(3)
    const order = { account: 1, symbol: 'BTCUSDT', orderId: body!.orderId }
    expect(asked).toEqual(
      [0, 1, 2].map((index) => ({
        ask: 'fill',
        isOwn: false,
        ...order,
        quantity: '30%',
        step: { index, of: 3 },
      })),
    )
  })

  test('are not asked for an order that was refused', async () => {
    const asked: HouseRequest[] = []
    exchange.house = async (request) => {
      asked.push(request)
      return { refused: 'closed' }
    }
    await add({ do: 'fill', quantity: '1', moments: '0' })
    await place(1, 'same')
    expect((await place(1, 'same')).body!.code).toBe(-2010)
    time.advance(1)
    await expect.poll(() => asked.length).toBe(1)
  })
})

describe('a halted symbol', () => {
  const statusOfSymbol = async (symbol = 'BTCUSDT') => {
    const { body, headers } = await exchange.send('GET', `/api/v3/exchangeInfo?symbol=${symbol}`)
    const [row] = body!.symbols as readonly { readonly status: string }[]
    return [row!.status, faultOf(headers)]
  }

  test('is shown as one, and takes no orders while the rule lives; cancels and others go on', async () => {
    expect((await place(1, 'before')).status).toBe(200)
    await add({ do: 'halt', symbol: 'BTCUSDT' })
    const refused = await place(1, 'meanwhile')
    expect([refused.status, refused.body]).toEqual([400, { code: -2010, msg: 'Market is closed.' }])
    expect(faultOf(refused.headers)).toBe('rule')
    expect(await statusOf(1, 'meanwhile')).toBe(-2013)
    expect(await statusOfSymbol()).toEqual(['HALT', 'rule'])
    const params = { symbol: 'BTCUSDT', origClientOrderId: 'before' }
    expect((await exchange.signed(1, 'DELETE', '/api/v3/order', params)).status).toBe(200)
    await exchange.faults.remove(() => true)
    expect(await statusOfSymbol()).toEqual(['TRADING', null])
    expect((await place(1)).status).toBe(200)
  })

  test('is halted for one key alone, where a rule names it', async () => {
    await add({ do: 'halt', symbol: 'BTCUSDT', key: keyOf(1).apiKey, state: 'BREAK' })
    await add({ name: 'slow', do: 'delay', ms: 100, operation: 'placeOrder' })
    await add({ name: 'never', do: 'cut', account: '1' })
    const late = place(1)
    await expect.poll(() => exchange.faults.rows()[1]?.touched).toBe(1)
    time.advance(100)
    const { body, headers } = await late
    expect([body!.code, faultOf(headers)]).toEqual([-2010, 'rule, slow'])
    await exchange.faults.remove(({ name }) => name === 'slow')
    expect((await place(2)).status).toBe(200)
    expect(await statusOfSymbol()).toEqual(['TRADING', null])
  })
})

test('a stop lets nothing wait', async () => {
  const other = await OneThreadExchange.start({ sandbox: time })
  const slow = { name: 'slow', do: 'delay', ms: 60_000, operation: 'placeOrder' }
  await other.faults.add([readFaultRule(slow, () => undefined)])
  const answer = other.limitOrder(1, 'BUY', '100', '1')
  await expect.poll(() => other.counter('faultsTouched')).toBe(1)
  other.gateways[0]!.stopAccepting()
  expect((await answer).status).toBe(200)
  await other.close()
})

test('a delayed order counts in the second in which it is executed', async () => {
  const limits = limitSettings(['--orders-per-second', '2'])
  const limited = await OneThreadExchange.start({ sandbox: time, limits })
  const begunMs = limited.nowMs()
  const second = (n: number) => {
    limited.frozenMs = Math.floor(begunMs / 1_000) * 1_000 + n * 1_000
  }
  const slow = { name: 'slow', do: 'delay', way: 'in', ms: 100, operation: 'placeOrder', times: 1 }
  await limited.faults.add([readFaultRule(slow, () => undefined)])
  second(1)
  const late = limited.limitOrder(1, 'BUY', '100', '1')
  await expect.poll(() => limited.counter('faultsTouched')).toBe(1)
  second(4)
  const countOf = ({ headers }: { headers: Headers }) => headers.get('x-mbx-order-count-1s')
  expect(countOf(await limited.limitOrder(1, 'BUY', '100', '1'))).toBe('1')
  time.advance(100)
  expect(countOf(await late)).toBe('2')
  await limited.faults.add([readFaultRule({ ...slow, name: 'slower' }, () => undefined)])
  const tooMany = limited.limitOrder(1, 'BUY', '100', '1')
  await expect.poll(() => limited.counter('faultsTouched')).toBe(2)
  second(8)
  for (let i = 0; i < 2; i++) await limited.limitOrder(1, 'BUY', '100', '1')
  time.advance(100)
  const { status, headers } = await tooMany
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  await limited.close()
})
