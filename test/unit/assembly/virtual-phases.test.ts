/** Phases that time ends, on one event loop whose time is virtual. */
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { act } from '../../e2e/admin-server.ts'

const CALL_MS = 60_000

let exchange: EmbeddedExchange
afterEach(() => exchange.close())

const send = (account: string, side: string, price: number) => {
  const keys = { account, ...exchange.accounts[account]! }
  const client = new SignedClient(exchange.url, keys, () => exchange.clock.now())
  const order = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
  return client.send('POST', '/api/v3/order', { ...order, price: `${price}.00` })
}

test('a long move of the clock ends an interruption at its moment', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const place = { data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }
  const flags = { symbol: 'BTCUSDT', interruption: '0.05', window: 300, 'random-end': 0 }
  await act(place, 'symbol-phases', { ...flags, call: CALL_MS / 1_000, rests: true })
  await send('maker', 'SELL', 50_000)
  await send('taker', 'BUY', 50_000)
  await send('maker', 'SELL', 60_000)
  const beganMs = exchange.clock.now()
  await send('taker', 'BUY', 60_000)
  await exchange.clock.advance('1h')
  const trades = async () => {
    const response = await fetch(`${exchange.url}/api/v3/trades?symbol=BTCUSDT`)
    return (await response.json()) as readonly { price: string; time: number }[]
  }
  await expect.poll(async () => (await trades()).length).toBe(2)
  expect((await trades())[1]).toMatchObject({
    price: '60000.00000000',
    time: beganMs + CALL_MS,
  })
})
