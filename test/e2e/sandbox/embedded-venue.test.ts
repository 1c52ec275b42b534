/** Methods of an embedded exchange, on the test's own event loop and in a child process. */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type EmbeddedExchange, type StartExchange, startExchange } from '../../../src/index.ts'

const { startExchange: startBuilt } = (await import(
  /* @vite-ignore */ path.resolve('dist/src/index.js')
)) as { startExchange: StartExchange }

describe.each([
  ['this process', () => startExchange()],
  ['a child', () => startBuilt({ process: 'child' })],
])('in %s', (_, start) => {
  let venue: EmbeddedExchange
  beforeAll(async () => {
    venue = await start()
  })
  afterAll(() => venue?.close())

  const clientOf = (account: string) =>
    new SignedClient(venue.url, { account, ...venue.accounts[account]! })
  const terms = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
  const place = (account: string, more: Readonly<Record<string, string>>) =>
    clientOf(account).send('POST', '/api/v3/order', {
      ...{ ...terms, side: 'BUY', quantity: '1', price: '20000' },
      ...more,
    })

  test('rules are added, listed, applied from a file and removed', async () => {
    const { faults } = venue
    const name = await faults.add({ do: 'unknown', parameter: 'newClientOrderId=lost-*', times: 1 })
    expect((await place('trader1', { newClientOrderId: 'lost-1' })).body.code).toBe(-1007)
    expect((await place('trader1', { newClientOrderId: 'lost-2' })).body.status).toBe('NEW')
    expect(await faults.list()).toEqual([
      {
        ...{ name, do: 'unknown', rule: 'parameter=newClientOrderId=lost-* times=1' },
        ...{ matches: 2, touched: 1, isOver: true },
      },
    ])
    await faults.add({ name: 'busy', do: 'answer', status: 503, account: 'trader2', chance: 0.5 })
    await faults.apply('[[fault]]\nname = "gone"\ndo = "drop"\nstream = "user"')
    expect((await faults.list()).map((row) => row.name)).toEqual([name, 'busy', 'gone'])
    await faults.remove('busy')
    await faults.remove('all')
    expect(await faults.list()).toEqual([])
    await expect(faults.remove('busy')).rejects.toThrow('There is no rule busy.')
    await expect(faults.add({ do: 'proxy', status: 500 })).rejects.toThrow('502, 503 or 504')
    await expect(faults.apply('[[fault]]\nname = "x"')).rejects.toThrow('[[fault]] 1: do must be')
  })

  test('accounts are opened and credited while it runs', async () => {
    const key = await venue.account('bob', { USDT: 10_000, BTC: '0.30', ETH: 0 })
    expect(venue.accounts.bob).toEqual(key)
    const [again] = await Promise.all([
      venue.account('bob', { USDT: 1e-8 }),
      venue.account('carol'),
      venue.account('carol'),
    ])
    expect(again).toEqual(key)
    const { body } = await clientOf('bob').send('GET', '/api/v3/account', {
      omitZeroBalances: 'true',
    })
    expect(body.balances).toMatchObject([
      { asset: 'BTC', free: '0.30000000' },
      { asset: 'USDT', free: '10000.00000001' },
    ])
    expect((await place('bob', { price: '10000' })).body.status).toBe('NEW')
    await expect(venue.account('dave', { USDT: -1 })).rejects.toThrow('-1 is no amount')
    await expect(venue.account('dave', { XYZ: 1 })).rejects.toThrow('XYZ')
  })
})
