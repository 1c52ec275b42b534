/** A bot's test with vitest: an exchange on the event loop of the test, for each file its own. */
import { createHmac } from 'node:crypto'
import { type EmbeddedExchange, startExchange } from 'ringbook'
import { afterAll, beforeAll, expect, test } from 'vitest'

let exchange: EmbeddedExchange
beforeAll(async () => {
  exchange = await startExchange({ accounts: { bot: { USDT: '10000' } } })
})
afterAll(() => exchange?.close())

/** A signed request of an account. */
async function send(account: string, method: string, path: string, params: object) {
  const { apiKey, secretKey } = exchange.accounts[account]!
  const query = new URLSearchParams({ ...params, timestamp: String(Date.now()) }).toString()
  const signature = createHmac('sha256', secretKey).update(query).digest('hex')
  const response = await fetch(`${exchange.url}${path}?${query}&signature=${signature}`, {
    method,
    headers: { 'X-MBX-APIKEY': apiKey },
  })
  return response.json()
}

test('the bot buys what the maker offers', async () => {
  const order = {
    symbol: 'BTCUSDT',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '5000',
    quantity: '1',
  }
  await send('maker', 'POST', '/api/v3/order', { ...order, side: 'SELL' })
  const bought = await send('bot', 'POST', '/api/v3/order', { ...order, side: 'BUY' })
  expect(bought).toMatchObject({ status: 'FILLED', cummulativeQuoteQty: '5000.00000000' })
})
