/** Requests within the process: what they are answered is what clients of the network are answered. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, VenueFetch } from '../../../src/assembly/options.ts'

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
  return { status: response.status, headers: headers.sort(), body: await response.text() }
}

test.each<[string, Parameters<VenueFetch>[1]]>([
  ['/api/v3/time', {}],
  ['/api/v3/exchangeInfo', {}],
  ['/api/v3/depth?symbol=BTCUSDT', {}],
  ['/api/v3/depth?symbol=NONE', {}],
  ['/api/v3/depth', {}],
  ['/api/v3/time', { method: 'HEAD' }],
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
