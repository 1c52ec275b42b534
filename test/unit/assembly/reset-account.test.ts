/** An account is put back to what it was given, by its owner or an operator, while the others trade. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type EmbeddedExchange, startExchange } from '../../../src/index.ts'
import { act } from '../../e2e/admin-server.ts'

const PATH = '/sandbox/v1/reset-account'
let exchange: EmbeddedExchange
let alice: SignedClient
let bob: SignedClient
beforeEach(async () => {
  exchange = await startExchange({
    accounts: { alice: { USDT: '10000', BTC: '1' }, bob: { USDT: '5000', BTC: '2' } },
    settings: { sandbox: true },
  })
  alice = clientOf('alice')
  bob = clientOf('bob')
})
afterEach(() => exchange?.close())

const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! })
const operate = (name: string, given: object = {}) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, given)

const order = (side: string, price: number, quantity = '0.1') => ({
  symbol: 'BTCUSDT',
  side,
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity,
  price,
})
const place = (client: SignedClient, ...of: Parameters<typeof order>) =>
  client.send('POST', '/api/v3/order', order(...of))

async function balancesOf(account: string) {
  const { rows } = await operate('balances', { account })
  return Object.fromEntries(
    rows.map(({ asset, free, locked }) => [asset, `${Number(free)} ${Number(locked)}`]),
  )
}

test('its owner has it back, with its history, and the other keeps what it traded', async () => {
  await place(bob, 'SELL', 20_000)
  await place(alice, 'BUY', 20_000)
  await place(alice, 'BUY', 19_000)
  expect(await balancesOf('alice')).toMatchObject({ BTC: '1.1 0', USDT: '6100 1900' })
  const { status, body } = await alice.send('POST', PATH)
  expect([status, body]).toMatchObject([
    200,
    expect.arrayContaining([
      { asset: 'BTC', free: '1.00000000', locked: '0.00000000' },
      { asset: 'USDT', free: '10000.00000000', locked: '0.00000000' },
    ]),
  ])
  expect(await balancesOf('alice')).toMatchObject({ BTC: '1 0', USDT: '10000 0' })
  expect(await balancesOf('bob')).toMatchObject({ BTC: '1.9 0', USDT: '7000 0' })
  const { body: open } = await alice.send('GET', '/api/v3/openOrders')
  expect(open).toEqual([])
  const { body: trades } = await alice.send('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
  expect(trades).toHaveLength(1)
  expect((await operate('audit')).said).toBe('Every asset adds up.')
  const { rows } = await operate('log')
  expect(rows[0]).toMatchObject({ operator: 'faucet', action: 'reset-account' })
})

test('what operators gave and took counts, what resets moved does not', async () => {
  await operate('deposit', { account: 'alice', asset: 'ETH', amount: '3' })
  await operate('withdraw', { account: 'alice', asset: 'USDT', amount: '1000' })
  for (let times = 0; times < 3; times++) {
    await place(bob, 'SELL', 20_000)
    await place(alice, 'BUY', 20_000)
    const { said } = await operate('reset-account', { account: 'alice' })
    expect(said).toBe('alice has no open orders, and what it was given.')
    expect(await balancesOf('alice')).toMatchObject({ BTC: '1 0', USDT: '9000 0', ETH: '3 0' })
  }
  await operate('reset-account', { account: 'bob' })
  expect(await balancesOf('bob')).toMatchObject({ BTC: '2 0', USDT: '5000 0' })
  expect((await operate('audit')).said).toBe('Every asset adds up.')
})

test('what is locked from outside stays locked', async () => {
  await operate('lock', { account: 'alice', asset: 'USDT', amount: '400' })
  await place(alice, 'BUY', 20_000)
  await operate('reset-account', { account: 'alice' })
  expect(await balancesOf('alice')).toMatchObject({ USDT: '9600 400' })
  await operate('unlock', { account: 'alice', asset: 'USDT', amount: '400' })
  expect(await balancesOf('alice')).toMatchObject({ USDT: '10000 0' })
})

test('it adds up while the account goes on trading', async () => {
  let isOver = false
  const trade = async (client: SignedClient, side: string) => {
    while (!isOver) await place(client, side, 20_000, '0.001')
  }
  const trading = [trade(alice, 'BUY'), trade(bob, 'SELL')]
  for (let times = 0; times < 10; times++) {
    await operate('reset-account', { account: times % 2 === 0 ? 'alice' : 'bob' }).catch(
      ({ message }: Error) => expect(message).toMatch(/keeps placing orders|has only/),
    )
  }
  isOver = true
  await Promise.all(trading)
  await operate('reset-account', { account: 'alice' })
  await operate('reset-account', { account: 'bob' })
  expect(await balancesOf('alice')).toMatchObject({ BTC: '1 0', USDT: '10000 0' })
  expect(await balancesOf('bob')).toMatchObject({ BTC: '2 0', USDT: '5000 0' })
  expect((await operate('audit')).said).toBe('Every asset adds up.')
})

test("the exchange's own account is not reset, nor is one without a signature", async () => {
  await expect(operate('reset-account', { account: '0' })).rejects.toThrow('of the exchange has')
  expect((await fetch(`${exchange.url}${PATH}`, { method: 'POST' })).status).toBe(401)
})
