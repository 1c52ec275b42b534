/** The faucet as clients reach it: signed, while the sandbox is on. */
import { expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type ExchangeSettings, startExchange } from '../../../src/index.ts'
import { act } from '../../e2e/admin-server.ts'

const start = async (settings: ExchangeSettings) => {
  const exchange = await startExchange({ accounts: { alice: { USDT: '5' } }, settings })
  const alice = new SignedClient(exchange.url, { account: 'alice', ...exchange.accounts.alice! })
  return { exchange, alice }
}

test('it fills the account up, and the audit adds up', async () => {
  const { exchange, alice } = await start({ sandbox: true, faucet: 'USDT=100' })
  const ask = (params: Record<string, string>) => alice.send('POST', '/sandbox/v1/faucet', params)
  expect(await ask({ asset: 'USDT', amount: '20' })).toMatchObject({
    status: 200,
    body: { asset: 'USDT', amount: '20.00000000' },
  })
  expect((await ask({ asset: 'USDT' })).body).toEqual({ asset: 'USDT', amount: '75.00000000' })
  const { body } = await alice.send('GET', '/api/v3/account', { omitZeroBalances: 'true' })
  expect(body.balances).toEqual([{ asset: 'USDT', free: '100.00000000', locked: '0.00000000' }])
  const full = await ask({ asset: 'USDT', amount: '1' })
  expect(full).toMatchObject({ status: 400, body: { code: expect.any(Number) } })
  expect(JSON.stringify(full.body)).toContain('The faucet fills an account up to 100 USDT.')
  expect((await ask({ asset: 'BTC' })).status).toBe(400)
  const unsigned = await fetch(`${exchange.url}/sandbox/v1/faucet?asset=USDT`, { method: 'POST' })
  expect(unsigned.status).toBe(401)
  const adminPort = Number(new URL(exchange.adminUrl).port)
  const { said } = await act({ data: exchange.folder, adminPort }, 'audit', {})
  expect(said).toBe('Every asset adds up.')
  await exchange.close()
})

test('there is none while the sandbox is off', async () => {
  const { exchange } = await start({ sandbox: false })
  const { status } = await fetch(`${exchange.url}/sandbox/v1/faucet?asset=USDT`, { method: 'POST' })
  expect(status).toBe(404)
  await exchange.close()
})
