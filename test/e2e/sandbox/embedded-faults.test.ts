/** The sandbox of an exchange on the test's own event loop: a client's rules for its own account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type EmbeddedExchange, startExchange } from '../../../src/index.ts'

const PATH = '/sandbox/v1/faults'

let exchange: EmbeddedExchange
let bot: SignedClient
beforeAll(async () => {
  exchange = await startExchange({
    accounts: { bot: { USDT: '10000' }, other: { USDT: '10000' } },
    settings: { sandbox: true },
  })
  bot = clientOf('bot')
})
afterAll(() => exchange?.close())

const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! })

const order = (newClientOrderId: string) => ({
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price: '20000',
  newClientOrderId,
})

test('a bot loses an answer when it says so, and finds its order', async () => {
  const rule = { name: 'lost', do: 'unknown', parameter: 'newClientOrderId=lost-*', times: 1 }
  const added = await bot.send('POST', PATH, { rule: JSON.stringify(rule) })
  expect([added.status, added.body]).toMatchObject([200, [{ name: 'lost', touched: 0 }]])
  const other = await clientOf('other').send('POST', '/api/v3/order', order('lost-1'))
  expect(other.status).toBe(200)
  const lost = await bot.send('POST', '/api/v3/order', order('lost-1'))
  expect([lost.status, lost.body.code]).toEqual([504, -1007])
  const found = await bot.send('GET', '/api/v3/order', {
    symbol: 'BTCUSDT',
    origClientOrderId: 'lost-1',
  })
  expect(found.body.status).toBe('NEW')
  const { body } = await bot.send('GET', PATH)
  expect(body).toMatchObject([{ name: 'lost', matches: 1, touched: 1, isOver: true }])
  expect((await bot.send('POST', '/api/v3/order', order('lost-2'))).status).toBe(200)
  expect((await bot.send('DELETE', PATH)).body).toEqual([])
})
