/** What clients receive without limits: over every transport, that there are none. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Json, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../fixtures/test-socket.ts'

let exchange: OneThreadExchange
let socket: TestSocket

beforeAll(async () => {
  exchange = await OneThreadExchange.start()
  socket = await exchange.socket('/ws-api/v3')
})
afterAll(async () => {
  socket.close()
  await exchange.close()
})

test('exchange information and order counts publish no limit', async () => {
  const { body } = await exchange.send('GET', '/api/v3/exchangeInfo')
  expect(body.rateLimits).toEqual([])
  const counts = await exchange.signed(1, 'GET', '/api/v3/rateLimit/order')
  expect([counts.status, counts.body]).toEqual([200, []])
  const frame = await socket.ask({ id: 1, method: 'exchangeInfo' })
  expect([(frame.result as Json).rateLimits, frame.rateLimits]).toEqual([[], []])
})

test.each<[what: string, ask: () => Promise<Answer>]>([
  ['a success', () => exchange.send('GET', '/api/v3/ping')],
  ['an order', () => exchange.limitOrder(1, 'BUY', '10.00', '1')],
  ['a refused order', () => exchange.limitOrder(1, 'BUY', '10.001', '1')],
  ['a refusal', () => exchange.send('GET', '/api/v3/depth?symbol=NONE')],
  ['an unknown path', () => exchange.send('GET', '/api/v3/nothing')],
  ['a body over the bound', () => exchange.send('POST', '/api/v3/order', 1, { body: large })],
  ['a document', () => exchange.send('GET', '/openapi.json')],
])('headers of %s show no use of a limit', async (_, ask) => {
  const { headers } = await ask()
  const shown = [...headers.keys()].filter((name) => /^x-mbx-(used|order)|^retry-after/.test(name))
  expect(shown).toEqual([])
  expect(headers.get('content-type')).toBe('application/json;charset=UTF-8')
})

const large = 'a'.repeat(70_000)
