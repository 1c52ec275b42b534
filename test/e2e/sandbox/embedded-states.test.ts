/** States of an exchange on the test's own event loop, saved, loaded and reset by an operator. */
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { readToken } from '../../../src/control/token.ts'
import { type EmbeddedExchange, type ExchangeOptions, startExchange } from '../../../src/index.ts'

const started: EmbeddedExchange[] = []
afterEach(async () => {
  for (const exchange of started.splice(0)) await exchange.close()
})

async function start(options: ExchangeOptions = {}): Promise<EmbeddedExchange> {
  const exchange = await startExchange({
    accounts: { bot: { USDT: '10000', BTC: '1' } },
    settings: { sandbox: true },
    ...options,
  })
  started.push(exchange)
  return exchange
}

async function act({ adminUrl, folder }: EmbeddedExchange, name: string, given: object = {}) {
  const response = await fetch(`${adminUrl}/actions/${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${readToken(folder)}` },
    body: JSON.stringify(given),
  })
  const answer = (await response.json()) as { said: string; rows: Record<string, unknown>[] }
  if (response.status !== 200) throw new Error(JSON.stringify(answer))
  return answer
}

const bot = (exchange: EmbeddedExchange) =>
  new SignedClient(exchange.url, { account: 'bot', ...exchange.accounts.bot! })

const place = (client: SignedClient, newClientOrderId: string) =>
  client.send('POST', '/api/v3/order', {
    ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
    ...{ quantity: '0.001', price: '20000', newClientOrderId },
  })

async function openOf(client: SignedClient): Promise<readonly string[]> {
  const { body } = await client.send('GET', '/api/v3/openOrders')
  return (body as unknown as { clientOrderId: string }[]).map((it) => it.clientOrderId)
}

async function allOf(client: SignedClient): Promise<readonly string[]> {
  const { body } = await client.send('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  return (body as unknown as { clientOrderId: string }[]).map((it) => it.clientOrderId)
}

test('load goes back to what was saved, and nothing of later is seen', async () => {
  const exchange = await start()
  const client = bot(exchange)
  const first = await place(client, 'before')
  const { body: key } = await client.send('POST', '/api/v3/userDataStream')
  expect((await act(exchange, 'save', { name: 'one' })).said).toMatch(/states.one holds \d+ block/)
  const second = await place(client, 'after')
  expect(await openOf(client)).toEqual(['before', 'after'])
  expect((await act(exchange, 'load', { name: 'one' })).said).toBe('The state one is loaded.')
  expect(await openOf(client)).toEqual(['before'])
  expect(await allOf(client)).toEqual(['before'])
  const again = await place(client, 'after')
  expect(again.body.orderId).toBe(second.body.orderId)
  expect(Number(again.body.orderId)).toBeGreaterThan(Number(first.body.orderId))
  const refused = await client.send('PUT', '/api/v3/userDataStream', key as Record<string, string>)
  expect(refused.status).toBe(400)
  const { rows } = await act(exchange, 'log')
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['save', 'load']))
  expect((await act(exchange, 'audit')).said).toBe('Every asset adds up.')
})

test('reset goes back to what the program asked for at the start, with the same keys', async () => {
  const exchange = await start()
  const client = bot(exchange)
  await place(client, 'gone')
  await act(exchange, 'deposit', { account: 'bot', asset: 'BTC', amount: '3' })
  for (let times = 0; times < 3; times++) {
    expect((await act(exchange, 'reset')).said).toBe('The first content is loaded.')
    expect(await openOf(client)).toEqual([])
    expect(await allOf(client)).toEqual([])
    const { rows } = await act(exchange, 'balances', { account: 'bot' })
    const free = Object.fromEntries(rows.map((row) => [row.asset, row.free]))
    expect(free).toMatchObject({ BTC: '1.00000000', USDT: '10000.00000000' })
    expect((await place(client, 'again')).status).toBe(200)
  }
})

test('another exchange starts on a fork, and both go on', async () => {
  const exchange = await start()
  const client = bot(exchange)
  await place(client, 'both')
  const { said } = await act(exchange, 'fork', { name: 'other' })
  expect(said).toContain('forks/other')
  await place(client, 'here')
  const folder = `${exchange.folder}/forks/other`
  const other = await start({ folder, accounts: {} })
  const elsewhere = new SignedClient(other.url, { account: 'bot', ...other.accounts.bot! })
  await place(elsewhere, 'there')
  expect(await openOf(client)).toEqual(['both', 'here'])
  expect(await openOf(elsewhere)).toEqual(['both', 'there'])
  await expect(act(exchange, 'state-remove', { name: 'other' })).rejects.toThrow('runs on')
  await other.close()
  await act(exchange, 'state-remove', { name: 'other' })
  expect((await act(exchange, 'states')).rows).toEqual([])
})
