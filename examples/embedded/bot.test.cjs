/**
 * A bot's test with Jest: the environment starts an exchange, and hands over its addresses, keys and methods.
 *
 * @jest-environment ./jest-environment.cjs
 * @jest-environment-options {"accounts": {"bot": {"USDT": "10000"}}}
 */
const { createHmac } = require('node:crypto')

/** A signed request of the bot. */
async function send(method, path, params) {
  const { apiKey, secretKey } = exchange.accounts.bot
  const query = new URLSearchParams({ ...params, timestamp: String(Date.now()) }).toString()
  const signature = createHmac('sha256', secretKey).update(query).digest('hex')
  const response = await fetch(`${exchange.url}${path}?${query}&signature=${signature}`, {
    method,
    headers: { 'X-MBX-APIKEY': apiKey },
  })
  return response.json()
}

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }

test('an order of the bot is filled in part', async () => {
  const bought = await send('POST', '/api/v3/order', { ...order, price: '5000' })
  expect(bought.status).toBe('NEW')
  expect(await exchange.fill(bought, '30%')).toMatchObject({ filled: '0.30000000' })
})

test('faked timers of a test do not stop the exchange', async () => {
  jest.useFakeTimers({ now: Date.now() })
  const bought = await send('POST', '/api/v3/order', { ...order, price: '4000' })
  jest.useRealTimers()
  expect(bought.status).toBe('NEW')
})
