/** Protections of accounts (docs/market-makers.md), from request to refusal. */
import { createHmac } from 'node:crypto'
import fs from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, ExchangeOptions } from '../../../src/assembly/options.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import type { Json } from '../../fixtures/test-socket.ts'

const AT = '2026-03-01T00:00:00Z'
const PROTECTION = '/ringbook/v1/protection'
const BTC = { symbol: 'BTCUSDT' }

let exchange: EmbeddedExchange
afterEach(() => exchange.close())
const start = async (options: ExchangeOptions = {}) => {
  exchange = await startHere({ clock: { at: AT }, ...options })
}

async function ask(
  method: string,
  path: string,
  params: Record<string, string> = {},
  account = 'maker',
): Promise<Json> {
  const { apiKey, secretKey } = exchange.accounts[account]!
  const all = { ...params, recvWindow: '60000', timestamp: String(exchange.clock.now()) }
  const query = new URLSearchParams(all).toString()
  const signature = createHmac('sha256', secretKey).update(query).digest('hex')
  const headers = { 'X-MBX-APIKEY': apiKey }
  const answer = await exchange.fetch(`${path}?${query}&signature=${signature}`, {
    method,
    headers,
  })
  return (await answer.json()) as Json
}

const limit = { ...BTC, type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
const quote = (price: string) => ask('POST', '/api/v3/order', { ...limit, side: 'BUY', price })
const take = (price: string) =>
  ask('POST', '/api/v3/order', { ...limit, side: 'SELL', price }, 'taker')
const open = async () => ((await ask('GET', '/api/v3/openOrders')) as unknown as Json[]).length
const all = async () => (await ask('GET', PROTECTION)) as unknown as Json[]

test('it cancels the quotes that are left and refuses others until it is reset', async () => {
  await start()
  const terms = { windowMs: 1_000, maxFills: 2, maxNotional: '5000.00000000' }
  const sent = { windowMs: '1000', maxFills: '2', maxNotional: '5000' }
  const set = await ask('POST', PROTECTION, { ...BTC, ...sent })
  expect(set).toEqual({ ...BTC, ...terms, status: 'WATCHING' })
  for (const price of ['1003', '1002', '1001']) await quote(price)
  await take('1002')
  expect(await open()).toBe(2)
  await take('1002')
  expect(await open()).toBe(0)
  expect(await all()).toEqual([{ ...BTC, ...terms, status: 'TRIPPED' }])
  expect((await quote('1001')).code).toBe(-2010)
  expect(await ask('POST', `${PROTECTION}/reset`, BTC)).toMatchObject({ status: 'WATCHING' })
  expect((await quote('1001')).status).toBe('NEW')
})

test('a window or a bound alone is refused, as are those beyond their bounds', async () => {
  await start()
  const code = async (params: Record<string, string>) =>
    (await ask('POST', PROTECTION, { ...BTC, ...params })).code
  expect(await code({ windowMs: '1000' })).toBe(-1128)
  expect(await code({ windowMs: '0', maxFills: '1' })).toBe(-1128)
  expect(await code({ windowMs: '3600001', maxFills: '1' })).toBe(-1108)
  expect(await code({ windowMs: '1', maxFills: '1000001' })).toBe(-1108)
  expect(await code({ maxFills: '1' })).toBe(-1102)
  expect(await code({ windowMs: '3600000', maxFills: '1000000' })).toBeUndefined()
  expect(await ask('POST', PROTECTION, { ...BTC, windowMs: '0' })).toEqual({ ...BTC, windowMs: 0 })
  expect(await all()).toEqual([])
  expect((await ask('POST', `${PROTECTION}/reset`, BTC)).code).toBe(-2011)
})

test('a restart knows what was counted, and what has tripped', async () => {
  const folder = fs.mkdtempSync(`${temporaryFolder()}/exchange-`)
  await start({ folder })
  await ask('POST', PROTECTION, { ...BTC, windowMs: '60000', maxFills: '2' })
  for (const price of ['1003', '1002', '1001']) await quote(price)
  await take('1002')
  await exchange.close()
  await start({ folder })
  await take('1002')
  expect([await open(), (await all())[0]!.status]).toEqual([0, 'TRIPPED'])
  await exchange.close()
  await start({ folder })
  expect((await quote('1001')).code).toBe(-2010)
})
