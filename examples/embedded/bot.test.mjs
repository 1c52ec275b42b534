/** A bot's test with node:test, whose exchange lists its own market. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startExchange } from 'ringbook'

const venue = `
assets = ["GOLD", "USDT"]

[symbols.GOLDUSDT]
base = "GOLD"
quote = "USDT"
template = "spot"
tick = "0.01"
step = "0.001"
`

let exchange
before(async () => {
  // Closes it after the tests of this file.
  exchange = await startExchange({ venue, accounts: { bot: { GOLD: '3' } }, exit: after })
})

test('the market that the bot trades is there, and empty', async () => {
  const depth = await fetch(`${exchange.url}/api/v3/depth?symbol=GOLDUSDT`)
  const { bids, asks } = await depth.json()
  assert.deepEqual({ bids, asks }, { bids: [], asks: [] })
  assert.deepEqual(Object.keys(exchange.accounts), ['bot'])
})
