/** Requests within the process: what they are answered is what clients of the network are answered. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, VenueFetch } from '../../../src/assembly/options.ts'
import { plainFetch, responseOf } from '../../../src/assembly/plain-fetch.ts'

let exchange: EmbeddedExchange
beforeAll(async () => {
  exchange = await startHere({ clock: 'virtual', settings: { limits: true } })
})
afterAll(() => exchange.close())

function signed(account: string, params: Readonly<Record<string, string>>): string {
  const all = { ...params, timestamp: String(exchange.clock.now()) }
  const query = new URLSearchParams(all).toString()
  const { secretKey } = exchange.accounts[account]!
  return `${query}&signature=${createHmac('sha256', secretKey).update(query).digest('hex')}`
}

const keyOf = (account: string) => ({ 'X-MBX-APIKEY': exchange.accounts[account]!.apiKey })

/** Headers of one connection, or with a count that grows. */
const ofTransport = new Set(['date', 'uwebsockets', 'content-length', 'transfer-encoding'])
const ofCount = /^x-mbx-used-weight/

async function shown(response: Response) {
  const headers = [...response.headers].filter(
    ([name]) => !ofTransport.has(name) && !ofCount.test(name),
  )
  return {
    status: response.status,
    headers: headers.sort(),
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  }
}

test.each<[string, Parameters<VenueFetch>[1]]>([
  ['/api/v3/time', {}],
  ['/api/v3/exchangeInfo', {}],
  ['/api/v3/depth?symbol=BTCUSDT', {}],
  ['/api/v3/depth?symbol=NONE', {}],
  ['/api/v3/depth', {}],
  ['/api/v3/time', { method: 'HEAD' }],
  ['/api/v3/exchangeInfo', { headers: { accept: 'application/sbe', 'x-mbx-sbe': '3:5' } }],
  ['/api/v3/nowhere', {}],
  ['/nowhere', { headers: { accept: 'text/html' } }],
  ['/api/v3/account', {}],
  ['/api/v3/order', { method: 'POST', body: 'symbol=BTCUSDT' }],
  ['/api/v3/time', { method: 'OPTIONS', headers: { origin: 'http://page.example' } }],
  ['/openapi.json', {}],
])('%s %j', async (target, init) => {
  const over = await fetch(`${exchange.url}${target}`, init)
  const here = await exchange.fetch(target, init)
  expect(await shown(here)).toEqual(await shown(over))
})

test('an order in the body is placed, and counted by limits', async () => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const body = signed('maker', { ...order, quantity: '1', price: '50000' })
  const init = { method: 'post', headers: keyOf('maker'), body }
  const placed = await exchange.fetch('/api/v3/order', init)
  expect(await placed.json()).toMatchObject({ status: 'NEW' })
  expect(placed.headers.get('x-mbx-order-count-1s')).toBe('1')
  const open = await exchange.fetch(`/api/v3/openOrders?${signed('maker', {})}`, {
    headers: keyOf('maker'),
  })
  expect(await open.json()).toHaveLength(1)
})

test('a connection that a fault cuts rejects', async () => {
  await exchange.faults.add({ do: 'cut', operation: 'time', times: 1 })
  await expect(exchange.fetch('/api/v3/time')).rejects.toThrow('The connection was closed.')
  await exchange.faults.add({ do: 'half', operation: 'time', times: 1 })
  await expect(exchange.fetch('/api/v3/time')).rejects.toThrow('The connection was closed.')
  expect((await exchange.fetch('/api/v3/time')).status).toBe(200)
})

test('a signal ends the wait with its reason, and an order that was sent is carried out', async () => {
  const ended = new AbortController()
  const reason = new Error('enough')
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const body = signed('taker', {
    ...order,
    quantity: '1',
    price: '50000',
    newClientOrderId: 'left',
  })
  const sent = exchange.fetch('/api/v3/order', {
    method: 'POST',
    headers: keyOf('taker'),
    body,
    signal: ended.signal,
  })
  ended.abort(reason)
  await expect(sent).rejects.toBe(reason)
  await expect(exchange.fetch('/api/v3/time', { signal: ended.signal })).rejects.toBe(reason)
  const ask = signed('taker', { symbol: 'BTCUSDT', origClientOrderId: 'left' })
  const found = await exchange.fetch(`/api/v3/order?${ask}`, { headers: keyOf('taker') })
  expect(await found.json()).toMatchObject({ clientOrderId: 'left', status: 'NEW' })
})

test('a test learns which of its rules touched nothing, and names begin again when rules are gone', async () => {
  const { faults } = exchange
  await faults.remove('all').catch(() => {})
  await faults.expectTouched()
  const rule = { do: 'answer', status: 500, operation: 'time', times: 1 } as const
  expect([await faults.add(rule), await faults.add({ ...rule, operation: 'depth' })]).toEqual([
    'fault-1',
    'fault-2',
  ])
  expect((await exchange.fetch('/api/v3/time')).status).toBe(500)
  await faults.expectTouched(['fault-1'])
  const idle = 'Rules that touched nothing: fault-2 (0 matches).'
  await expect(faults.expectTouched()).rejects.toThrow(idle)
  await expect(faults.expectTouched(['fault-2'])).rejects.toThrow(idle)
  await expect(faults.expectTouched(['gone'])).rejects.toThrow('touched nothing: gone.')
  await faults.remove('all')
  const added = await Promise.all([rule, rule, rule].map((each) => faults.add(each)))
  expect(added).toEqual(['fault-1', 'fault-2', 'fault-3'])
  await faults.remove('all')
})

test('over a connection a signal ends the wait likewise', async () => {
  const url = `${exchange.url}/api/v3/time`
  expect((await plainFetch(url)).status).toBe(200)
  const ended = new AbortController()
  const reason = new Error('enough')
  const waiting = plainFetch(url, { signal: ended.signal })
  ended.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(plainFetch(url, { signal: ended.signal })).rejects.toBe(reason)
})

test.each([204, 205, 304])('a response of status %s, which has no body, is one', async (status) => {
  const response = responseOf(status, { etag: '"1"' }, '')
  expect([response.status, response.headers.get('etag'), response.body]).toEqual([
    status,
    '"1"',
    null,
  ])
})
