/** Deposits and withdrawals as clients of a whole exchange see them, from the address to the history. */
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
const BLOCK_MS = 12_000
const SEEN = '/sapi/v1/capital/deposit/hisrec'
const WITHDRAWN = '/sapi/v1/capital/withdraw/history'
type Rows = readonly Record<string, unknown>[]

let exchange: EmbeddedExchange
let alice: SignedClient
const start = async (year = 2030) => {
  exchange = await startHere({
    folder: folder('data'),
    clock: { at: Date.UTC(year, 0, 1) },
    accounts: { alice: { withdraw: true }, bob: {} },
    settings: { sandbox: true, faucet: 'USDT=100' },
  })
  alice = clientOf('alice')
}
beforeEach(() => start())
afterEach(() => exchange.close())

const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () =>
    exchange.clock.now(),
  )
const rowsOf = async (path: string, params: Record<string, string> = {}, client = alice) => {
  const { status, body } = await client.send('GET', path, params)
  expect([status, body]).toEqual([200, expect.any(Array)])
  return body as unknown as Rows
}
async function addressOf(client = alice, coin = 'USDT') {
  const { body } = await client.send('GET', '/sapi/v1/capital/deposit/address', { coin })
  return String(body.address)
}
const transfer = async (params: Record<string, string>) =>
  alice.send('POST', '/sandbox/v1/chain/transfer', { coin: 'USDT', ...params })

test('a deposit is shown with each confirmation, credited, and unlocked', async () => {
  const address = await addressOf()
  const sent = await transfer({ address, amount: '25.5', requestId: 'mine' })
  expect(sent).toMatchObject({
    status: 200,
    body: { coin: 'USDT', network: 'ETH', address, addressTag: '', amount: '25.50000000' },
  })
  expect((await transfer({ address, amount: '25.5', requestId: 'mine' })).body).toEqual(sent.body)
  const seen = async () => {
    const [row, ...others] = await rowsOf(SEEN)
    expect(others).toEqual([])
    return [row!.status, row!.confirmTimes, row!.txId]
  }
  const { txId } = sent.body
  expect(await seen()).toEqual([0, '0/6', txId])
  for (let block = 1; block < 6; block++) {
    await exchange.clock.advance(BLOCK_MS)
    expect(await seen()).toEqual([0, `${block}/6`, txId])
  }
  await exchange.clock.advance(BLOCK_MS)
  expect(await seen()).toEqual([6, '6/6', txId])
  await exchange.clock.advance('1d')
  expect(await seen()).toEqual([1, '6/6', txId])
  expect(await rowsOf(SEEN, { status: '0' })).toEqual([])
  expect(await rowsOf(SEEN, { coin: 'BTC' })).toEqual([])
  expect(await rowsOf(SEEN, {}, clientOf('bob'))).toEqual([])
})

test('transfers of the sandbox end at the limit of the faucet, and at the own account', async () => {
  const address = await addressOf()
  expect((await transfer({ address, amount: '60' })).status).toBe(200)
  const full = await transfer({ address, amount: '41' })
  expect(JSON.stringify(full.body)).toContain('The faucet fills an account up to 100 USDT.')
  const foreign = await transfer({ address: await addressOf(clientOf('bob')), amount: '1' })
  expect(JSON.stringify(foreign.body)).toContain('The address is of another account.')
  expect((await transfer({ address, amount: '40' })).status).toBe(200)
  expect((await rowsOf(SEEN)).map(({ amount }) => amount)).toEqual(['40.00000000', '60.00000000'])
})

test('a withdrawal is processed, confirmed and completed, and its account is told what moved', async () => {
  await transfer({ address: await addressOf(), amount: '100' })
  await exchange.clock.advance('1d')
  const events: Record<string, unknown>[] = []
  const headers = { 'X-MBX-APIKEY': exchange.accounts.alice!.apiKey }
  const path = `${exchange.url}/api/v3/userDataStream`
  const opened = (await (await fetch(path, { method: 'POST', headers })).json()) as object
  const { listenKey } = opened as { readonly listenKey: string }
  const socket = new WebSocket(`${exchange.wsUrl}/ws/${listenKey}`)
  await once(socket, 'open')
  socket.addEventListener('message', ({ data }) => events.push(JSON.parse(String(data))))
  const params = { coin: 'USDT', address: `0x${'a'.repeat(40)}`, amount: '50' }
  expect((await alice.send('POST', '/sapi/v1/capital/withdraw/apply', params)).status).toBe(200)
  const rowOf = async () => (await rowsOf(WITHDRAWN))[0]!
  await expect.poll(async () => (await rowOf()).txId).toMatch(/^0x/)
  expect(await rowOf()).toMatchObject({ status: 4, confirmNo: 0 })
  await exchange.clock.advance(BLOCK_MS)
  expect(await rowOf()).toMatchObject({ status: 4, confirmNo: 1 })
  await exchange.clock.advance(5 * BLOCK_MS)
  const completed = await rowOf()
  expect(completed).toMatchObject({ status: 6, confirmNo: 6, info: '' })
  expect(completed.completeTime).toMatch(/^2030-01-02 00:01:/)
  await expect.poll(() => events.length).toBe(2)
  expect(events).toMatchObject([
    { e: 'balanceUpdate', a: 'USDT', d: '-50.00000000' },
    { e: 'outboundAccountPosition', B: [{ a: 'USDT', f: '50.00000000', l: '0.00000000' }] },
  ])
  socket.close()
})

test('a withdrawal pays once for its id, also after a year and another start', async () => {
  await transfer({ address: await addressOf(), amount: '100' })
  await exchange.clock.advance('1d')
  const params = {
    coin: 'USDT',
    address: `0x${'a'.repeat(40)}`,
    amount: '50',
    withdrawOrderId: 'w',
  }
  const apply = async (more = {}) =>
    (await alice.send('POST', '/sapi/v1/capital/withdraw/apply', { ...params, ...more })).body
  const first = await apply()
  expect(first).toEqual({ id: '1' })
  expect(await apply()).toEqual(first)
  expect(await apply({ amount: '51' })).toMatchObject({ code: -4115 })
  expect(await apply({ withdrawOrderId: 'x', amount: '60' })).toMatchObject({ code: -4026 })
  expect(await apply({ withdrawOrderId: 'y', address: '0x1' })).toMatchObject({ code: -4007 })
  await exchange.close()
  await start(2031)
  expect(await apply()).toEqual(first)
  expect(await rowsOf(WITHDRAWN, { startTime: String(Date.UTC(2030, 0, 1)) })).toMatchObject([
    { id: '1', amount: '46.00000000', transactionFee: '4.00000000', withdrawOrderId: 'w' },
  ])
  expect(await rowsOf(WITHDRAWN)).toEqual([])
})
