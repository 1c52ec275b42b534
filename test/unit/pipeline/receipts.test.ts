/** Receipts for clients that ask, over both transports; samples for the histograms. */
import { afterAll, beforeAll, describe, expect, type MockInstance, test, vi } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import { ApiConnection } from '../../../src/gateway/websocket/ws-api.ts'
import { Receipt, Receipts, SAMPLE_EVERY } from '../../../src/pipeline/receipts.ts'
import { readHistograms } from '../../../src/shared/histograms.ts'
import { BatchStamps, StampReader, stampsBytes } from '../../../src/shared/stamps.ts'
import {
  type Answer,
  type Json,
  keyOf,
  OneThreadExchange,
  sign,
} from '../../fixtures/one-thread-exchange.ts'

const STAGES = ['parse', 'ring', 'match', 'journal', 'publish', 'answer']
const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '100.00',
  quantity: '1.00000',
}

let exchange: OneThreadExchange
let unmeasured: OneThreadExchange
/** What is read of the fine clock without metrics. */
let elapsed: MockInstance

beforeAll(async () => {
  exchange = await OneThreadExchange.start({ metrics: true })
  elapsed = vi.spyOn(RealTime.prototype, 'elapsedNs')
  unmeasured = await OneThreadExchange.start({ metrics: false })
})
afterAll(async () => {
  await exchange.close()
  await unmeasured.close()
  elapsed.mockRestore()
})

const sampled = (of: OneThreadExchange) =>
  readHistograms(of.histograms, 1, 1)
    .filter(({ name }) => STAGES.includes(name))
    .map(({ counts }) => counts.reduce((sum, count) => sum + count))

function ask(
  of: OneThreadExchange,
  method: string,
  path: string,
  params: Record<string, string>,
  headers: Record<string, string>,
): Promise<Answer> {
  const query = new URLSearchParams({ ...params, timestamp: String(of.nowMs()) }).toString()
  return of.send(method, `${path}?${query}&signature=${sign(1, query)}`, 1, { headers })
}

const wanting = { 'X-RINGBOOK-RECEIPT': '1' }
const place = (of: OneThreadExchange, headers = {}, params = {}) =>
  ask(of, 'POST', '/api/v3/order', { ...order, ...params }, headers)

/** Stages are whole, not negative, in their order, and together the total. */
function expectWhole(stages: Record<string, number>): void {
  expect(Object.keys(stages)).toEqual([...STAGES, 'total'])
  const { total, ...parts } = stages
  for (const ns of Object.values(stages)) expect(Number.isInteger(ns) && ns >= 0).toBe(true)
  expect(Object.values(parts).reduce((sum, ns) => sum + ns)).toBe(total)
}

const header = ({ headers }: Answer) => headers.get('x-ringbook-stages')

function stagesOf(answer: Answer): Record<string, number> {
  const pairs = header(answer)!.split(';')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, ns] = pair.split('=') as [string, string]
      return [name, Number(ns)]
    }),
  )
}

describe('over REST', () => {
  test.each([
    ['with metrics', () => exchange],
    ['without metrics', () => unmeasured],
  ])('an answer says where its time went, if asked, %s', async (_, of) => {
    const beganNs = process.hrtime.bigint()
    const answer = await place(of(), wanting)
    const tookNs = Number(process.hrtime.bigint() - beganNs)
    expect(answer.status).toBe(200)
    const stages = stagesOf(answer)
    expectWhole(stages)
    expect(stages.total).toBeLessThan(tookNs)
    expect(answer.headers.get('content-type')).not.toBeNull()
  })

  test.each([
    ['DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, 200],
    ['POST', '/api/v3/order', { ...order, quantity: '9000' }, 400],
    ['DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId: '999' }, 400],
  ])('so does one to %s %s %j', async (method, path, params, status) => {
    await place(exchange)
    const answer = await ask(exchange, method, path, { ...params }, wanting)
    expect(answer.status).toBe(status)
    expectWhole(stagesOf(answer))
  })

  test.each([
    ['not asked for', 'POST', '/api/v3/order', order, {}],
    ['it was asked otherwise', 'POST', '/api/v3/order', order, { 'X-RINGBOOK-RECEIPT': 'yes' }],
    ['the door refused', 'POST', '/api/v3/order', { ...order, side: 'UP' }, wanting],
    ['no matcher is asked', 'POST', '/api/v3/order/test', order, wanting],
    ['it is no order', 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, wanting],
  ])('no answer says so when %s', async (_, method, path, params, headers) => {
    expect(header(await ask(exchange, method, path, { ...params }, { ...headers }))).toBeNull()
  })

  test('what waits for a matcher waits in the ring', async () => {
    exchange.pause()
    const asked = place(exchange, wanting)
    await expect.poll(() => exchange.waiting()).toBe(1)
    const pausedNs = process.hrtime.bigint()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const waitedNs = Number(process.hrtime.bigint() - pausedNs)
    exchange.resume()
    expect(stagesOf(await asked).ring).toBeGreaterThanOrEqual(waitedNs)
  })
})

test.each([
  ['with metrics', () => exchange],
  ['without metrics', () => unmeasured],
])('over the WebSocket API the receipt stands beside the result, %s', async (_, of) => {
  const socket = await of().socket('/ws-api/v3')
  const signed = (params: Record<string, string | boolean>) => {
    const all = { ...params, apiKey: keyOf(1).apiKey, timestamp: of().nowMs() }
    const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`)
    return { ...all, signature: sign(1, pairs.sort().join('&')) }
  }
  const send = (method: string, params: Record<string, string | boolean>) =>
    socket.ask({ id: 1, method, params: signed(params) })
  const placed = await send('order.place', { ...order, receipt: true })
  expect(Object.keys(placed)).toEqual(['id', 'status', 'result', 'receipt', 'rateLimits'])
  expectWhole(placed.receipt as Record<string, number>)
  const refused = await send('order.place', { ...order, quantity: '9000', receipt: true })
  expect(Object.keys(refused)).toEqual(['id', 'status', 'error', 'receipt', 'rateLimits'])
  expectWhole(refused.receipt as Record<string, number>)
  for (const params of [order, { ...order, receipt: false }]) {
    expect(Object.keys(await send('order.place', params))).not.toContain('receipt')
  }
  expect(await send('ping', { receipt: true })).toMatchObject({ status: 400 })
  const unsigned = await socket.ask({ id: 2, method: 'ping', params: { receipt: true } })
  expect(unsigned).toMatchObject({ status: 200 })
  const wrong = await send('order.place', { ...order, receipt: 'maybe' })
  expect([wrong.status, (wrong.error as Json).code]).toEqual([400, -1130])
  socket.close()
})

test('no frame without an order reads a fine clock without metrics', async () => {
  const socket = await unmeasured.socket('/ws-api/v3')
  // Timers read the clock too, so only the handling of the frame is watched.
  const { messaged } = ApiConnection.prototype
  let readings = -1
  const watched = vi.spyOn(ApiConnection.prototype, 'messaged').mockImplementation(function (
    this: ApiConnection,
    text: string,
  ) {
    elapsed.mockClear()
    messaged.call(this, text)
    readings = elapsed.mock.calls.length
  })
  expect(await socket.ask({ id: 1, method: 'ping' })).toMatchObject({ status: 200 })
  expect(readings).toBe(0)
  watched.mockRestore()
  socket.close()
})

test('an account reads how long its orders took, those with a receipt or sampled, and no other', async () => {
  type Row = { stage: string; count: number }
  const latencyOf = async (account: number): Promise<Row[]> => {
    const { body } = await exchange.signed(account, 'GET', '/ringbook/v1/latency')
    return body as unknown as Row[]
  }
  const count = async (account: number) => (await latencyOf(account)).map((row) => row.count)
  const before = await count(1)
  const others = await count(2)
  for (let i = 0; i < 3; i++) await place(exchange, wanting)
  const rows = await latencyOf(1)
  expect(rows.map(({ stage }) => stage)).toEqual([...STAGES, 'order'])
  expect(await count(1)).toEqual(before.map((was) => was + 3))
  expect(await count(2)).toEqual(others)
})

test('one order in some is sampled, and none without metrics', async () => {
  for (const [of, count] of [
    [exchange, 3],
    [unmeasured, 0],
  ] as const) {
    const before = sampled(of)
    for (let i = 0; i < 3 * SAMPLE_EVERY; i++) expect(header(await place(of))).toBeNull()
    expect(sampled(of)).toEqual(before.map((was) => was + count))
  }
})

test('an order that was given up while its block was written has no stages', () => {
  const places = 16
  const memory = new SharedArrayBuffer(stampsBytes(places))
  const stamps = new BatchStamps([memory])
  const clock = { nowMs: () => Ms(0), elapsedNs: () => 100 }
  const latency = { observe: () => {} }
  const receipts = new Receipts(clock, new StampReader(memory), undefined, latency)
  const closed = (correlation: number, sentNs: number) => {
    const receipt = new Receipt(true, sentNs - 1)
    Object.assign(receipt, { correlation, sentNs })
    return receipts.close(receipt, AccountId(1))
  }
  stamps.executed(0, 5, 11, 12)
  stamps.journaled(13)
  stamps.published(14)
  expect(closed(5, 10)).toMatchObject({ ring: 1, match: 1, journal: 1, publish: 1, answer: 86 })
  const next = 5 + places
  stamps.executed(0, next, 21, 22)
  expect(closed(next, 20)).toBeUndefined()
  stamps.journaled(23)
  expect(closed(next, 20)).toBeUndefined()
  stamps.published(24)
  expect(closed(next, 20)).toMatchObject({ journal: 1, publish: 1, answer: 76 })
})
