/** What a program that an exchange is embedded in does to globals and modules of Node.js does nothing to the exchange. */
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import { mock } from 'node:test'
import { afterEach, expect, test, vi } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { dateNow } from '../../../src/base/real-date.ts'

const LIMIT = {
  symbol: 'BTCUSDT',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '30000',
  quantity: '1',
}
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'Date'] as const

let exchange: EmbeddedExchange | undefined
afterEach(async () => {
  unfake()
  await exchange?.close()
  exchange = undefined
})

function unfake(): void {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  mock.timers.reset()
}

const fakes: Readonly<Record<string, () => void>> = {
  'timers of vitest': () => vi.useFakeTimers(),
  // Response.json of Node.js takes queueMicrotask from the globals.
  'everything that vitest can fake but microtasks': () =>
    vi.useFakeTimers({
      toFake: [
        ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
        ...['clearImmediate', 'Date', 'performance', 'hrtime'],
      ] as never,
    }),
  'the date alone': () => vi.setSystemTime(0),
  'timers of node:test': () => mock.timers.enable({ apis: [...TIMERS] }),
  'spies that do nothing': () => {
    for (const name of ['fdatasync', 'fdatasyncSync', 'fsyncSync', 'ftruncateSync']) {
      vi.spyOn(fs, name as 'fsyncSync').mockReturnValue(undefined)
    }
    vi.spyOn(crypto, 'createHmac').mockReturnValue(undefined as never)
    vi.spyOn(http, 'request').mockReturnValue(undefined as never)
    vi.stubGlobal('fetch', () => Promise.reject(new Error('faked')))
  },
}

/** By `fetch` of the exchange: a client's connection would wait for faked timers. */
async function trade(clientOrderId: string): Promise<void> {
  const key = exchange!.accounts.trader1!
  const client = new SignedClient(exchange!.url, { account: 'trader1', ...key }, dateNow)
  const answer = async (method: string, path: string, given: Record<string, string>) => {
    const response = await exchange!.fetch(`${path}?${client.sign(given)}`, {
      method,
      headers: { 'X-MBX-APIKEY': key.apiKey },
    })
    return [response.status, (await response.json()) as object[]] as const
  }
  const order = { ...LIMIT, side: 'BUY', newClientOrderId: clientOrderId }
  expect(await answer('POST', '/api/v3/order', order)).toMatchObject([200, { status: 'NEW' }])
  const [, orders] = await answer('GET', '/api/v3/allOrders', { symbol: LIMIT.symbol })
  expect(orders.at(-1)).toMatchObject({ clientOrderId })
}

test.each(Object.entries(fakes))('%s', async (_, fake) => {
  fake()
  exchange = await startHere()
  await trade('started-under-fakes')
  unfake()
  await trade('real')
  fake()
  await trade('faked')
  await exchange.save('one')
  await exchange.load('one')
  await trade('loaded')
  unfake()
  await trade('real-again')
  fake()
  await exchange.close()
  exchange = undefined
})
