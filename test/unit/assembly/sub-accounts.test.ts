/** Transfers between a master and its sub-accounts in a whole exchange, as its clients see them. */
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { act } from '../../e2e/admin-server.ts'
import { FrameLog } from '../../e2e/frame-log.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let exchange: EmbeddedExchange
afterEach(() => exchange.close())

async function start(): Promise<void> {
  exchange = await startHere({
    folder: folder('data'),
    accounts: {
      fund: { USDT: '1000' },
      a: { master: 'fund', email: 'a@example.com' },
      b: { master: 'fund' },
    },
    settings: { 'snapshot-minutes': 60 },
  })
}

const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () => Date.now())
const operate = (name: string, given: object) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, given)
const asFund = (method: 'GET' | 'POST', path: string, params = {}) =>
  clientOf('fund').send(method, `/sapi/v3/sub-account/${path}`, params)
const move = async (fromEmail: string, toEmail: string, amount: string) =>
  (await asFund('POST', 'transfer', { fromEmail, toEmail, asset: 'USDT', amount })).body
async function freeOf(account: string): Promise<string | undefined> {
  const { body } = await clientOf(account).send('GET', '/api/v3/account')
  const balances = body.balances as unknown as { asset: string; free: string }[]
  return balances.find(({ asset }) => asset === 'USDT')?.free
}
const transfers = async (params = {}) => {
  const { body } = await asFund('GET', 'transfer/history', params)
  return body.transfers as unknown as { from: string; to: string; qty: string; time: number }[]
}
const FUND = 'fund@ringbook.invalid'
const B = 'b@ringbook.invalid'

test('funds move within the family, and its accounts hear of it', async () => {
  await start()
  const headers = { 'X-MBX-APIKEY': exchange.accounts.a!.apiKey }
  const opened = await fetch(`${exchange.url}/api/v3/userDataStream`, { method: 'POST', headers })
  const { listenKey } = (await opened.json()) as { listenKey: string }
  const user = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
  expect(await move(FUND, 'a@example.com', '400')).toEqual({ success: true, txnId: '1' })
  expect(await move('a@example.com', B, '150.5')).toEqual({ success: true, txnId: '2' })
  expect(await move(B, FUND, '0.00000001')).toEqual({ success: true, txnId: '3' })
  expect(await move(B, FUND, '150.5')).toMatchObject({ code: -4026 })
  const free = await Promise.all(['fund', 'a', 'b'].map(freeOf))
  expect(free).toEqual(['600.00000001', '249.50000000', '150.49999999'])
  await expect
    .poll(() => user.frames)
    .toMatchObject([
      { e: 'balanceUpdate', a: 'USDT', d: '400.00000000' },
      { e: 'outboundAccountPosition', B: [{ a: 'USDT', f: '400.00000000' }] },
      { e: 'balanceUpdate', a: 'USDT', d: '-150.50000000' },
      { e: 'outboundAccountPosition', B: [{ a: 'USDT', f: '249.50000000' }] },
    ])
  const all = await transfers()
  expect(all).toMatchObject([
    { from: B, to: FUND, asset: 'USDT', qty: '0.00000001' },
    { from: 'a@example.com', to: B, qty: '150.50000000' },
    { from: FUND, to: 'a@example.com', qty: '400.00000000' },
  ])
  expect(await transfers({ email: 'a@example.com' })).toEqual(all.slice(1))
  expect(await transfers({ limit: 1, page: 2 })).toEqual(all.slice(1, 2))
  expect(await transfers({ startTime: all[0]!.time + 1 })).toEqual([])
  expect((await operate('audit', {})).said).toBe('Every asset adds up.')
})

test('they are what the journal says after a start, and ids go on', async () => {
  await start()
  await move(FUND, 'a@example.com', '400')
  await exchange.close()
  await start()
  expect(await freeOf('a')).toBe('400.00000000')
  expect(await move('a@example.com', B, '400')).toEqual({ success: true, txnId: '2' })
  await operate('snapshot', {})
  await exchange.close()
  await start()
  expect([await freeOf('a'), await freeOf('b')]).toEqual(['0.00000000', '400.00000000'])
  expect(await move(B, FUND, '1')).toEqual({ success: true, txnId: '3' })
  expect(await transfers()).toHaveLength(3)
})

test('a master trades for no sub-account, nor that for its master; neither with a frozen one', async () => {
  await start()
  await move(FUND, 'a@example.com', '400')
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const bid = { ...order, quantity: '0.001', price: '20000', newClientOrderId: 'of-a' }
  expect((await clientOf('a').send('POST', '/api/v3/order', bid)).status).toBe(200)
  const named = { symbol: 'BTCUSDT', origClientOrderId: 'of-a' }
  for (const account of ['fund', 'b']) {
    expect((await clientOf(account).send('GET', '/api/v3/order', named)).body.code).toBe(-2013)
    expect((await clientOf(account).send('DELETE', '/api/v3/order', named)).body.code).toBe(-2011)
  }
  const status = () =>
    clientOf('fund').send('GET', '/sapi/v1/sub-account/status', { email: 'a@example.com' })
  expect((await status()).body).toMatchObject([{ isSubUserEnabled: true }])
  await operate('account-freeze', { account: 'a' })
  expect((await status()).body).toMatchObject([{ isSubUserEnabled: false }])
  expect(await move('a@example.com', FUND, '1')).toMatchObject({ code: -4015 })
  expect(await move(FUND, 'a@example.com', '1')).toMatchObject({ code: -4015 })
  // 20 of the 400 are locked in the order.
  await operate('account-freeze', { account: 'a', frozen: 'off' })
  expect(await move('a@example.com', FUND, '380.00000001')).toMatchObject({ code: -4026 })
  expect(await move('a@example.com', FUND, '380')).toMatchObject({ success: true })
})

test('one trade group alone keeps a master and a sub-account from trading with each other', async () => {
  await start()
  await move(FUND, 'a@example.com', '400')
  await operate('deposit', { account: 'b', asset: 'BTC', amount: '1' })
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001' }
  const statusOf = async (account: string, side: string, price: string) => {
    const sent = { ...order, side, price, selfTradePreventionMode: 'EXPIRE_TAKER' }
    return (await clientOf(account).send('POST', '/api/v3/order', sent)).body.status
  }
  expect(await statusOf('fund', 'BUY', '20000')).toBe('NEW')
  expect(await statusOf('b', 'SELL', '20000')).toBe('FILLED')
  for (const account of ['fund', 'b']) {
    await operate('account-trade-group', { account, 'trade-group': '7' })
  }
  expect(await statusOf('fund', 'BUY', '20000')).toBe('NEW')
  expect(await statusOf('b', 'SELL', '20000')).toBe('EXPIRED_IN_MATCH')
})
