/** Reference prices and price ranges of a whole exchange in this process, over a start and as streams show them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { readToken } from '../../../src/control/token.ts'
import { act } from '../../e2e/admin-server.ts'
import { FrameLog } from '../../e2e/frame-log.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const SYMBOL = 'BTCUSDT'
const folder = folderPerTest()
let exchange: EmbeddedExchange
beforeEach(start)
afterEach(() => exchange.close())

async function start(): Promise<void> {
  exchange = await startHere({
    folder: folder('data'),
    clock: 'virtual',
    accounts: { buyer: { USDT: '1000000' }, seller: { BTC: '100' } },
  })
}

const operate = (name: string, given: object = {}) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, {
    symbol: SYMBOL,
    ...given,
  })
async function place(account: string, side: string, price: number, more: object = {}) {
  const keys = { account, ...exchange.accounts[account]! }
  const client = new SignedClient(exchange.url, keys, () => exchange.clock.now())
  const order = { symbol: SYMBOL, side, type: 'LIMIT', timeInForce: 'GTC', quantity: '1', price }
  const { body } = await client.send('POST', '/api/v3/order', { ...order, ...more })
  return body
}
async function get(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${exchange.url}/api/v3/${path}`)
  return (await response.json()) as Record<string, unknown>
}
const priceShown = async () => (await get(`referencePrice?symbol=${SYMBOL}`)).referencePrice
async function tradeAt(price: number): Promise<void> {
  await place('seller', 'SELL', price)
  expect(await place('buyer', 'BUY', price)).toMatchObject({ status: 'FILLED' })
}
async function feed(prices: object): Promise<unknown> {
  const response = await fetch(`${exchange.adminUrl}/reference-prices`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${readToken(exchange.folder)}` },
    body: JSON.stringify(prices),
  })
  return response.json()
}

test('a mean bounds takers, is streamed, and is the same after a start', async () => {
  expect(await get(`referencePrice?symbol=${SYMBOL}`)).toMatchObject({ code: -2043 })
  await operate('symbol-reference', { reference: 'mean', buckets: 100, 'bucket-ms': 60_000 })
  await operate('symbol-reference', { 'bid-up': '1.1', 'ask-down': '0.9' })
  await expect
    .poll(() => get(`referencePrice/calculation?symbol=${SYMBOL}`))
    .toEqual({
      symbol: SYMBOL,
      calculationType: 'ARITHMETIC_MEAN',
      bucketCount: 100,
      bucketWidthMs: 60_000,
    })
  const frames = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@referencePrice`)
  await tradeAt(20_000)
  await exchange.clock.advance('1m')
  await tradeAt(21_000)
  expect(await priceShown()).toBe('20500.00000000')
  await exchange.clock.advance('1s')
  const timestamp = exchange.clock.now()
  await expect
    .poll(() => frames.frames.at(-1))
    .toEqual({ e: 'referencePrice', s: SYMBOL, r: '20500.00000000', t: timestamp })
  frames.close()
  await exchange.close()
  await start()
  expect(await priceShown()).toBe('20500.00000000')
  expect(await get(`executionRules?symbol=${SYMBOL}`)).toEqual({
    symbolRules: [
      {
        symbol: SYMBOL,
        rules: [{ ruleType: 'PRICE_RANGE', bidLimitMultUp: '1.1000', askLimitMultDown: '0.9000' }],
      },
    ],
  })
  await place('seller', 'SELL', 22_551)
  expect(await place('buyer', 'BUY', 22_600)).toMatchObject({
    status: 'EXPIRED',
    executedQty: '0.00000000',
    expiryReason: 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED',
  })
})

test('a feed over a WebSocket: the newest price wins', async () => {
  await operate('symbol-reference', { reference: 'external' })
  const url = `${exchange.adminUrl.replace('http', 'ws')}/reference-prices`
  const headers = { Authorization: `Bearer ${readToken(exchange.folder)}` }
  const log = await FrameLog.open(url, { headers })
  for (const price of [1, 2, 3]) log.send({ [SYMBOL]: `3000${price}` })
  await expect.poll(() => log.frames).toHaveLength(2)
  await exchange.clock.advance('1s')
  await expect
    .poll(() => log.frames.map((frame) => frame[SYMBOL]))
    .toEqual(['set', 'superseded', 'set'])
  expect(await priceShown()).toBe('30003.00000000')
  log.send({ ETHUSDT: '1' })
  await expect
    .poll(() => log.frames[3])
    .toEqual({ error: 'The price of ETHUSDT comes from no feed.' })
  await log.close()
})

test('a price of a feed is journaled, and filters go by it', async () => {
  await operate('symbol-reference', { reference: 'external', 'external-id': 3 })
  expect(await feed({ [SYMBOL]: '30000.5' })).toEqual({ [SYMBOL]: 'set' })
  expect(await priceShown()).toBe('30000.50000000')
  // PERCENT_PRICE_BY_SIDE lets BUY be at most five times the price.
  expect(await place('buyer', 'BUY', 150_003, { quantity: '0.001' })).toMatchObject({
    code: -1013,
    msg: 'Filter failure: PERCENT_PRICE_BY_SIDE',
  })
  await exchange.close()
  await start()
  expect(await priceShown()).toBe('30000.50000000')
  expect(await get(`referencePrice/calculation?symbol=${SYMBOL}`)).toEqual({
    symbol: SYMBOL,
    calculationType: 'EXTERNAL',
    externalCalculationId: 3,
  })
  expect(await feed({ [SYMBOL]: null })).toEqual({ [SYMBOL]: 'set' })
  expect(await priceShown()).toBeNull()
})
