/** Countdowns of clients (docs/market-makers.md), from request to execution report, with time that a test moves. */
import { createHmac } from 'node:crypto'
import fs from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, ExchangeOptions } from '../../../src/assembly/options.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import type { Json } from '../../fixtures/test-socket.ts'

const AT = '2026-03-01T00:00:00Z'
const AT_MS = Date.parse(AT)
const SET = '/ringbook/v1/countdownCancelAll'
const RUNNING = '/ringbook/v1/countdown'

let exchange: EmbeddedExchange
afterEach(() => exchange.close())
const start = async (options: ExchangeOptions = {}) => {
  exchange = await startHere({ clock: { at: AT }, ...options })
}

async function ask(
  method: string,
  path: string,
  params: Record<string, string> = {},
  of = exchange,
): Promise<Json> {
  const { apiKey, secretKey } = of.accounts.maker!
  const all = { ...params, recvWindow: '60000', timestamp: String(of.clock.now()) }
  const query = new URLSearchParams(all).toString()
  const signature = createHmac('sha256', secretKey).update(query).digest('hex')
  const headers = { 'X-MBX-APIKEY': apiKey }
  const answer = await of.fetch(`${path}?${query}&signature=${signature}`, { method, headers })
  return (await answer.json()) as Json
}

const buy = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
const place = (symbol: string, price = '1000') =>
  ask('POST', '/api/v3/order', { ...buy, symbol, price })
const open = async (of = exchange) =>
  ((await ask('GET', '/api/v3/openOrders', {}, of)) as unknown as Json[]).map(
    ({ symbol }) => symbol,
  )
const running = async () => (await ask('GET', RUNNING)) as unknown as Json[]
const countDown = (countdownTime: number, symbol?: string) =>
  ask('POST', SET, { countdownTime: String(countdownTime), ...(symbol && { symbol }) })

const BTC = 'BTCUSDT'
const ETH = 'ETHUSDT'

test('a step goes to its end, where the orders of the symbol are canceled and reported', async () => {
  await start()
  await place(BTC)
  await place(ETH)
  expect(await countDown(5_000, BTC)).toEqual({
    symbol: BTC,
    countdownTime: 5_000,
    cancelTime: AT_MS + 5_000,
  })
  const events = exchange.events({ account: 'maker' })
  await events.ready
  expect(await exchange.clock.step()).toBe(AT_MS + 5_000)
  expect(await open()).toEqual([ETH])
  expect(await running()).toEqual([])
  expect(await events.read()).toMatchObject([
    { event: 'CANCELED', symbol: BTC, orderId: 1, time: AT_MS + 5_000 },
  ])
})

test('a renewal replaces it, 0 ends it, and each symbol and all symbols have their own', async () => {
  await start()
  await place(BTC)
  await place(ETH)
  await countDown(5_000, BTC)
  await countDown(60_000)
  await exchange.clock.advance('4s')
  await countDown(5_000, BTC)
  expect(await running()).toEqual([
    { countdownTime: 60_000, cancelTime: AT_MS + 60_000 },
    { symbol: BTC, countdownTime: 5_000, cancelTime: AT_MS + 9_000 },
  ])
  expect(await ask('GET', RUNNING, { symbol: ETH })).toHaveLength(1)
  await exchange.clock.advance('4s')
  expect(await open()).toEqual([BTC, ETH])
  expect(await countDown(0, BTC)).toEqual({ symbol: BTC, countdownTime: 0 })
  await exchange.clock.advance('51s')
  expect(await open()).toEqual([BTC, ETH])
  await exchange.clock.advance('1s')
  expect([await open(), await running()]).toEqual([[], []])
})

test('it lasts a second to a day', async () => {
  await start()
  for (const [countdownTime, code] of [
    [999, -1130],
    [86_400_001, -1108],
    [-1, -1100],
  ] as const) {
    expect((await countDown(countdownTime, BTC)).code).toBe(code)
  }
  expect((await ask('POST', SET, {})).code).toBe(-1102)
  expect((await countDown(1_000, 'NONE')).code).toBe(-1121)
  for (const countdownTime of [1_000, 86_400_000]) {
    expect((await countDown(countdownTime, BTC)).cancelTime).toBe(AT_MS + countdownTime)
  }
})

test('one that was over while nothing ran fires at the start; another continues', async () => {
  const folder = fs.mkdtempSync(`${temporaryFolder()}/exchange-`)
  await start({ folder })
  await place(BTC)
  await place(ETH)
  await countDown(5_000, BTC)
  await countDown(60_000, ETH)
  await exchange.close()
  await start({ folder, clock: { at: AT_MS + 10_000 } })
  expect(await open()).toEqual([ETH])
  expect((await running()).map(({ symbol }) => symbol)).toEqual([ETH])
  await exchange.clock.step()
  expect([await open(), exchange.clock.now()]).toEqual([[], AT_MS + 60_000])
})

test('a fork and a revert have those that ran', async () => {
  await start()
  await place(BTC)
  await countDown(5_000, BTC)
  const mark = await exchange.mark()
  const fork = await exchange.fork()
  await exchange.clock.advance('5s')
  expect([await open(), await open(fork)]).toEqual([[], [BTC]])
  await fork.clock.step()
  expect([await open(fork), fork.clock.now()]).toEqual([[], AT_MS + 5_000])
  await fork.close()
  await exchange.revert(mark)
  expect(await open()).toEqual([BTC])
  await exchange.clock.step()
  expect(await open()).toEqual([])
})
