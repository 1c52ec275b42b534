/** Batches as clients meet them: each part is an order of its own, and the answer tells of all in their order. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import { PlaceOrder } from '../../../src/layout/accessors.gen.ts'
import { readFaultRule } from '../../../src/sandbox/fault-rule.ts'
import { Role } from '../../../src/shared/role.ts'
import {
  type Answer,
  type Json,
  keyOf,
  limitSettings,
  OneThreadExchange,
  sign,
} from '../../fixtures/one-thread-exchange.ts'

const DAY_MS = 86_400_000
/** Room for 30 orders in a second, and 400 of weight in a minute. */
const flags = '--orders-per-second 30 --weight-limit 400 --ban-after 3'
let exchange: OneThreadExchange
beforeAll(async () => {
  const sandbox = new ManualTime(new ManualClock(Ms(0)))
  exchange = await OneThreadExchange.start({ limits: limitSettings(flags.split(' ')), sandbox })
})
afterAll(() => exchange.close())
// At the beginning of a new day, at which time then stands still.
beforeEach(async () => {
  exchange.frozenMs = (Math.floor(exchange.nowMs() / DAY_MS) + 1) * DAY_MS
  await exchange.faults.remove(() => true)
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    await exchange.signed(1, 'DELETE', '/api/v3/openOrders', { symbol })
  }
  exchange.frozenMs += DAY_MS
})

type Part = Readonly<Record<string, unknown>>
const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
const bid = (newClientOrderId: string, more: Part = {}): Part => ({
  ...limit,
  price: '10',
  quantity: '1',
  newClientOrderId,
  newOrderRespType: 'RESULT',
  ...more,
})
const BATCH = '/ringbook/v1/batchOrders'
const send = (parts: unknown, method = 'POST', path = BATCH): Promise<Answer> =>
  exchange.signed(1, method, path, { orders: JSON.stringify(parts) })
const rows = ({ status, body }: Answer): readonly Json[] => {
  expect(status).toBe(200)
  return body as unknown as readonly Json[]
}
/** What each part came to: its status, or its error. */
const outcomes = (answer: Answer) => rows(answer).map(({ status, code }) => status ?? code)
const weightOf = ({ headers }: Answer) => Number(headers.get('x-mbx-used-weight-1m'))
const many = (count: number, of = 'many') =>
  Array.from({ length: count }, (_, i) => bid(`${of}-${i}`))
const openIds = async () => {
  const { body } = await exchange.signed(1, 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  return (body as unknown as readonly Json[]).map(({ clientOrderId }) => clientOrderId)
}

describe('a batch of orders', () => {
  test('answers each in its order, and a refusal stops none', async () => {
    const answer = await send([
      bid('first'),
      bid('no-such-symbol', { symbol: 'NONE' }),
      bid('other-symbol', { symbol: 'ETHUSDT' }),
      bid('too-dear', { quantity: '9000', price: '90000' }),
      bid('between-ticks', { price: '10.001' }),
      'no order',
      bid('signed', { timestamp: 5 }),
      bid('none', { price: null }),
      bid('numbers', { price: 10.25, quantity: 1e-7 }),
      bid('last', { price: 10.5, quantity: 0.25 }),
    ])
    const expected = ['NEW', -1121, 'NEW', -2010, -1013, -1130, -1104, -1102, -1100, 'NEW']
    expect(outcomes(answer)).toEqual(expected)
    expect(rows(answer).at(-1)).toMatchObject({ price: '10.50000000', origQty: '0.25000000' })
    expect(await openIds()).toEqual(['first', 'last'])
  })

  test.each([
    ['no JSON', '[{]'],
    ['an object', '{}'],
    ['no part', '[]'],
    ['21 parts', JSON.stringify(many(21))],
  ])('is refused as a whole when it is %s', async (_, orders) => {
    const { status, body } = await exchange.signed(1, 'POST', BATCH, { orders })
    const msg = "Data sent for parameter 'orders' is not valid."
    expect([status, body]).toEqual([400, { code: -1130, msg }])
  })

  test('keeps every digit of a number', async () => {
    const orders = `[{"symbol":"BTCUSDT","orderId":9007199254740993}]`
    const answer = await exchange.signed(1, 'DELETE', BATCH, { orders })
    expect(outcomes(answer)).toEqual([-2011])
    const precise = JSON.stringify([bid('digits')]).replace('"10"', '10.0000000000000000001')
    expect(outcomes(await exchange.signed(1, 'POST', BATCH, { orders: precise }))).toEqual([-1111])
  })

  test('fills what its earlier parts placed, as single orders would', async () => {
    const maker = await exchange.limitOrder(2, 'SELL', '10.00', '1')
    expect(maker.status).toBe(200)
    const answer = await send([bid('takes', { newOrderRespType: 'FULL' }), bid('rests')])
    expect(outcomes(answer)).toEqual(['FILLED', 'NEW'])
    expect(rows(answer)[0]!.fills).toHaveLength(1)
  })

  test('reaches its matcher in one piece', async () => {
    exchange.pause()
    const answering = send(many(5))
    await expect.poll(() => exchange.waiting()).toBeGreaterThan(0)
    expect(exchange.waiting()).toBe(5 * Math.ceil(PlaceOrder.bytes / 128))
    exchange.resume()
    expect(outcomes(await answering)).toEqual(Array(5).fill('NEW'))
  })
})

test('a batch of cancels and one of replacements answer as the single ones do', async () => {
  await send([bid('a'), bid('b'), bid('c')])
  const cancel = (id: string) => ({ symbol: 'BTCUSDT', origClientOrderId: id })
  const canceled = await send([cancel('a'), cancel('unknown'), { symbol: 'BTCUSDT' }], 'DELETE')
  expect(outcomes(canceled)).toEqual(['CANCELED', -2011, -2011])
  const replace = (id: string, next: string, mode = 'STOP_ON_FAILURE') =>
    bid(next, { cancelReplaceMode: mode, cancelOrigClientOrderId: id })
  const replaced = await send(
    [replace('b', 'd'), replace('unknown', 'e'), replace('unknown', 'f', 'ALLOW_FAILURE')],
    'POST',
    '/ringbook/v1/batchCancelReplace',
  )
  expect(rows(replaced).map(({ code, cancelResult }) => code ?? cancelResult)).toEqual([
    ...['SUCCESS', -2022, -2021],
  ])
  expect((rows(replaced)[2]!.data as Json).newOrderResult).toBe('SUCCESS')
  expect(await openIds()).toEqual(['c', 'd', 'f'])
})

describe('limits', () => {
  test('count each part as an order alone', async () => {
    const answer = await send([bid('a'), bid('b'), bid('c', { symbol: 'NONE' })])
    expect(answer.headers.get('x-mbx-order-count-1s')).toBe('2')
    // A part that succeeds weighs nothing in the end, as an order does.
    expect(weightOf(answer)).toBe(1)
    expect(weightOf(await send('no list'))).toBe(2)
  })

  test('refuse the parts beyond them, each with -1015, and that is one refusal', async () => {
    await send(many(20))
    const refused = outcomes(await send(many(20, 'more')))
    expect(refused).toEqual([...Array(10).fill('NEW'), ...Array(10).fill(-1015)])
    // More refusals than an address may have, but few batches.
    for (let batches = 0; batches < 6; batches++) {
      expect(outcomes(await send(many(20, 'late')))).toEqual(Array(20).fill(-1015))
    }
    const { status } = await exchange.limitOrder(1, 'BUY', '10', '1')
    expect(status).toBe(429)
  })

  test('refuse the parts beyond the weight, each with -1003, and ban nobody for one batch', async () => {
    const bad = Array.from({ length: 15 }, (_, i) => bid(`bad-${i}`, { symbol: 'NONE' }))
    for (let batches = 1; batches <= 26; batches++) {
      expect(weightOf(await send(bad))).toBe(15 * batches)
    }
    const answer = await send(bad)
    expect(outcomes(answer)).toEqual([...Array(10).fill(-1121), ...Array(5).fill(-1003)])
    const { data } = rows(answer).at(-1)!
    expect((data as Json).retryAfter).toBe(exchange.frozenMs! + 60_000)
    const next = await exchange.send('GET', '/api/v3/ping')
    expect(next.status).toBe(429)
  })
})

describe('a session', () => {
  const ask = async (path: string, method: string, params: Record<string, string | number>) => {
    const socket = await exchange.socket(path)
    const all = { ...params, apiKey: keyOf(1).apiKey, timestamp: exchange.nowMs() }
    const names = Object.keys(all).sort() as (keyof typeof all)[]
    const signature = sign(1, names.map((name) => `${name}=${all[name]}`).join('&'))
    const answer = await socket.ask({ id: 1, method, params: { ...all, signature } })
    socket.close()
    return answer
  }

  test('sends batches, as a text or as an array', async () => {
    const orders = JSON.stringify([bid('s1'), bid('s2', { side: 'HOLD' })])
    const { status, result } = await ask('/ws-api/v3', 'batch.place', { orders })
    expect(status).toBe(200)
    expect((result as readonly Json[]).map((row) => row.status ?? row.code)).toEqual(['NEW', -1117])
  })
})

describe('faults of the sandbox', () => {
  const add = (given: Part) =>
    exchange.faults.add([
      readFaultRule({ name: 'rule', ...given } as never, (text) => AccountId(Number(text))),
    ])

  test('refuse single parts, by what they ask', async () => {
    await add({ do: 'refuse', reason: 'INSUFFICIENT_BALANCE', symbol: 'ETHUSDT' })
    const answer = await send([bid('a'), bid('b', { symbol: 'ETHUSDT' }), bid('c')])
    expect(outcomes(answer)).toEqual(['NEW', -2010, 'NEW'])
    expect(answer.headers.get('x-ringbook-fault')).toBe('rule')
  })

  test('halt a symbol for the parts that enter orders', async () => {
    await add({ do: 'halt', symbol: 'ETHUSDT' })
    const answer = await send([bid('a', { symbol: 'ETHUSDT' }), bid('b')])
    expect(outcomes(answer)).toEqual([-2010, 'NEW'])
  })

  test('refuse by the operation for one order, which a batch of cancels has not', async () => {
    await add({ do: 'refuse', reason: 'INSUFFICIENT_BALANCE', operation: 'placeOrder' })
    expect(outcomes(await send([bid('a')]))).toEqual([-2010])
    const cancel = { symbol: 'BTCUSDT', origClientOrderId: 'a' }
    expect(outcomes(await send([cancel], 'DELETE'))).toEqual([-2011])
  })

  test('hide the answer of a whole batch', async () => {
    await add({ do: 'unknown', operation: 'placeBatch' })
    const answer = await send([bid('a'), bid('b')])
    expect([answer.status, answer.body!.code]).toEqual([504, -1007])
    expect(await openIds()).toEqual(['a', 'b'])
  })
})

test('what a leader that is cut off refuses is unknown', async () => {
  exchange.role.become(Role.LEADER)
  exchange.pause()
  const answering = send([bid('kept'), bid('dear', { quantity: '9000', price: '90000' })])
  await expect.poll(() => exchange.waiting()).toBeGreaterThan(0)
  exchange.role.confirm(1)
  exchange.resume()
  expect(outcomes(await answering)).toEqual(['NEW', -1007])
  exchange.role.confirm(Number.MAX_SAFE_INTEGER)
})

test('a part whose fate is unknown answers -1007, and the others what they came to', async () => {
  exchange.pause()
  const answering = send([bid('lost'), bid('bad', { symbol: 'NONE' })])
  await expect.poll(() => exchange.waiting()).toBeGreaterThan(0)
  exchange.overrunEvents()
  expect(outcomes(await answering)).toEqual([-1007, -1121])
  exchange.resume()
})
