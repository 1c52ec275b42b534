/** What a client gets here, by docs/api/differences.md, for what only Binance has. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'

const page = readFileSync(
  path.resolve(import.meta.dirname, '../../docs/api/differences.md'),
  'utf8',
)
let exchange: LoopExchange
let client: SignedClient

beforeAll(async () => {
  exchange = await LoopExchange.start(['--limits', 'on'])
  client = new SignedClient(exchange.url, exchange.keys().trader1!)
})
afterAll(() => exchange?.remove())

const read = async (address: string, headers = {}) => {
  const response = await fetch(`${exchange.url}${address}`, { headers })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
const SYMBOL = 'symbol=BTCUSDT'
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
const priced = { ...order, quantity: '0.001', price: '40000' }

/** Returns the answer to one frame of the WebSocket API. */
async function ask(method: string) {
  const socket = new WebSocket(`${exchange.wsUrl}/ws-api/v3`)
  const answer = await new Promise<string>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method })))
    socket.on('message', (text) => resolve(String(text)))
  })
  socket.close()
  return JSON.parse(answer)
}

/** What the page states, and how a client would see it. */
const sayings: readonly (readonly [says: string, look: () => Promise<void>])[] = [
  [
    'returns 404, over the WebSocket API -1020',
    async () => {
      expect((await read('/api/v3/nothing')).status).toBe(404)
      expect((await ask('nothing')).error.code).toBe(-1020)
    },
  ],
  [
    'The notional of a MARKET order by quantity is judged by the best price across',
    async () => {
      const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.001' }
      const { body } = await client.send('POST', '/api/v3/order', market)
      expect(body.msg).toBe('No orders on book for symbol.')
    },
  ],
  [
    'The symbols of the demo allow EXPIRE_TAKER, EXPIRE_MAKER (the default) and EXPIRE_BOTH',
    async () => {
      const { body } = await read(`/api/v3/exchangeInfo?${SYMBOL}`)
      expect(body.symbols[0]).toMatchObject({
        defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
        allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'],
      })
    },
  ],
  [
    'Other spellings of `newClientOrderId` and `origClientOrderId`',
    async () => {
      await client.send('POST', '/api/v3/order', { ...priced, clOrdId: 'short' })
      const asked = { symbol: 'BTCUSDT', origClOrdId: 'short' }
      const { body } = await client.send('GET', '/api/v3/order', asked)
      expect(body).toMatchObject({ clientOrderId: 'short', status: 'NEW' })
    },
  ],
]

describe('differences from Binance', () => {
  test.each(sayings)('%s', async (says, look) => {
    expect(page).toContain(says)
    await look()
  })
})
