/** Deposits and withdrawals over simulated chains of a whole exchange in this process, as programs, operators and clients see them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { act } from '../../e2e/admin-server.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
const BLOCK_MS = 12_000
let exchange: EmbeddedExchange
afterEach(() => exchange.close())

const start = async () => {
  const options = { folder: folder('data'), clock: { at: Date.UTC(2030, 0, 1) } }
  exchange = await startHere({ ...options, accounts: { alice: { withdraw: true }, bob: {} } })
}
const operate = (name: string, given: object = {}) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, {
    ...given,
  })
const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () =>
    exchange.clock.now(),
  )
const withdraw = (account: string, amount: string, address = `0x${'ab'.repeat(20)}`) => {
  const to = { coin: 'USDT', network: 'ETH', address }
  return clientOf(account).send('POST', '/sapi/v1/capital/withdraw/apply', { ...to, amount })
}
async function freeOf(account: string, coin: string): Promise<string> {
  const { body } = await clientOf(account).send('GET', '/api/v3/account')
  const balances = body.balances as unknown as { asset: string; free: string }[]
  return balances.find(({ asset }) => asset === coin)!.free
}
/** As the two answers have it. */
async function withdrawingOf(account: string): Promise<readonly string[]> {
  type Row = { coin?: string; asset?: string; withdrawing: string }
  const client = clientOf(account)
  const coins = await client.send('GET', '/sapi/v1/capital/config/getall')
  const assets = await client.send('POST', '/sapi/v3/asset/getUserAsset', { asset: 'USDT' })
  return [coins, assets].map(({ body }) => {
    const rows = body as unknown as Row[]
    return rows.find(({ coin, asset }) => (coin ?? asset) === 'USDT')!.withdrawing
  })
}
const proofOf = async (asset: string) => {
  const { said, rows } = await operate('funds-proof')
  expect(said).toBe('The funds of every asset are proven.')
  expect((await operate('audit')).said).toBe('Every asset adds up.')
  return rows.find((row) => row.asset === asset)
}

test('a deposit is credited with its confirmations, and unlocked with more', async () => {
  await start()
  const { chain, clock } = exchange
  const sent = await chain.send({ account: 'alice', coin: 'USDT', amount: '25.5', id: 'a' })
  expect(sent).toMatchObject({ id: 1, account: 'alice', chain: 'ETH', amount: '25.50000000' })
  const again = await chain.send({ account: 'alice', coin: 'USDT', amount: '25.5', id: 'a' })
  expect(again).toEqual(sent)
  expect(await freeOf('alice', 'USDT')).toBe('0.00000000')
  expect((await operate('deposits')).rows).toMatchObject([{ id: 1, status: 'PENDING' }])
  // The next block has it; the first of six confirmations.
  await clock.advance(5 * BLOCK_MS)
  expect(await freeOf('alice', 'USDT')).toBe('0.00000000')
  await clock.advance(BLOCK_MS)
  expect(await freeOf('alice', 'USDT')).toBe('25.50000000')
  expect((await operate('deposits', { account: 'alice' })).rows).toMatchObject([
    { id: 1, status: 'CREDITED' },
  ])
  expect((await operate('deposits', { account: 'bob' })).rows).toEqual([])
  expect(await proofOf('USDT')).toMatchObject({ chain: '25.50000000', inFlight: '0.00000000' })
  await clock.advance('1d')
  expect((await operate('deposits')).rows).toEqual([])
})

test('a chain that stands still credits nothing, and what it takes back is taken from free', async () => {
  await start()
  const { chain, clock } = exchange
  await chain.stop('ETH')
  await chain.send({ account: 'alice', coin: 'USDT', amount: 10 })
  await clock.advance('1d')
  expect(await freeOf('alice', 'USDT')).toBe('0.00000000')
  await chain.resume('ETH')
  await clock.advance(6 * BLOCK_MS)
  expect(await freeOf('alice', 'USDT')).toBe('10.00000000')
  await chain.reorganise('ETH', 6)
  await clock.advance(1)
  expect(await freeOf('alice', 'USDT')).toBe('0.00000000')
  await clock.advance(12 * BLOCK_MS)
  expect(await freeOf('alice', 'USDT')).toBe('10.00000000')
  await chain.reorganise('ETH', 12, { drop: true })
  await clock.advance('1d')
  expect(await freeOf('alice', 'USDT')).toBe('0.00000000')
  expect(await proofOf('USDT')).toMatchObject({ chain: '0.00000000', owed: '0.00000000' })
})

test('a congested chain is late, and a suspended network credits once it is resumed', async () => {
  await start()
  const { chain, clock } = exchange
  await chain.congest('ETH', 3)
  await chain.send({ account: 'bob', coin: 'USDT', amount: 1 })
  await clock.advance(8 * BLOCK_MS)
  expect(await freeOf('bob', 'USDT')).toBe('0.00000000')
  await chain.suspend('USDT', 'ETH', 'deposits')
  await clock.advance('1h')
  expect(await freeOf('bob', 'USDT')).toBe('0.00000000')
  await chain.unsuspend('USDT', 'ETH')
  await clock.advance(1)
  expect(await freeOf('bob', 'USDT')).toBe('1.00000000')
})

test('a network that is listed later carries transfers, also after a start', async () => {
  await start()
  const listed = { chain: 'ADA', form: 'bitcoin', 'block-seconds': '20' }
  await operate('chain-list', listed)
  await operate('coin-network-list', { coin: 'ADA', chain: 'ADA', confirmations: 2 })
  await exchange.chain.send({ account: 'bob', coin: 'ADA', amount: 3 })
  await exchange.clock.advance(40_000)
  expect(await freeOf('bob', 'ADA')).toBe('3.00000000')
  await operate('coin-network-set', { coin: 'ADA', chain: 'ADA', confirmations: 3 })
  await exchange.chain.send({ account: 'bob', coin: 'ADA', amount: 1 })
  const at = exchange.clock.now()
  await exchange.close()
  exchange = await startHere({ folder: exchange.folder, clock: { at } })
  await exchange.clock.advance(40_000)
  expect(await freeOf('bob', 'ADA')).toBe('3.00000000')
  await exchange.clock.advance(20_000)
  expect(await freeOf('bob', 'ADA')).toBe('4.00000000')
  expect(await proofOf('ADA')).toMatchObject({ chain: '4.00000000' })
})

test('a withdrawal is signed, sent and confirmed; its fee is paid once', async () => {
  await start()
  const { chain, clock } = exchange
  await exchange.account('alice', { USDT: 100 })
  const applied = await withdraw('alice', '30')
  const { address } = await chain.address('bob', 'USDT')
  await withdraw('alice', '24', address)
  await clock.advance(1)
  const { rows } = await operate('withdrawals')
  expect(rows).toMatchObject([
    { id: Number(applied.body.id), amount: '26.00000000', fee: '4.00000000', status: 'PROCESSING' },
    { amount: '20.00000000', address, worth: '20.00000000 USDT' },
  ])
  // Both are signed.
  expect((await operate('withdrawals', { undecided: 'on' })).rows).toEqual([])
  expect(await withdrawingOf('alice')).toEqual(['54.00000000', '54.00000000'])
  const chains = (await operate('chains')).rows
  expect(chains.find((row) => row.chain === 'ETH')).toMatchObject({ stopped: '', transfers: 3 })
  const ids = rows.map(({ txId }) => txId)
  expect(ids).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/), expect.not.stringMatching(/^$/)])
  // Between accounts it is one transaction, which bob waits for.
  expect((await operate('deposits')).rows).toMatchObject([{ account: 'bob', txId: ids[1] }])
  await clock.advance('5m')
  expect((await operate('withdrawals')).rows).toEqual([])
  expect(await withdrawingOf('alice')).toEqual(['0', '0'])
  expect([await freeOf('alice', 'USDT'), await freeOf('bob', 'USDT')]).toEqual([
    '46.00000000',
    '20.00000000',
  ])
  expect(await proofOf('USDT')).toMatchObject({ chain: '-26.00000000', inFlight: '0.00000000' })
  const { rows: house } = await operate('balances', { account: 'exchange' })
  expect(house.find(({ asset }) => asset === 'USDT')).toMatchObject({ free: '8.00000000' })
})

describe('a withdrawal above the limit', () => {
  const underWay = async () => {
    const { rows } = await operate('withdrawals', { account: 'alice' })
    return rows.map(({ id, status }) => `${id} ${status}`)
  }
  beforeEach(async () => {
    await start()
    await operate('coin-network-set', { coin: 'USDT', chain: 'ETH', 'approval-above': '20' })
    await exchange.account('alice', { USDT: 100 })
  })

  test('is in flight until it is decided, and refunded', async () => {
    const { chain } = exchange
    expect((await withdraw('alice', '30')).body).toMatchObject({ id: expect.anything() })
    expect(await underWay()).toEqual(['1 EMAIL_SENT'])
    const { rows } = await operate('withdrawals', { undecided: 'on' })
    expect(rows).toMatchObject([{ id: 1, account: 'alice' }])
    expect(await freeOf('alice', 'USDT')).toBe('70.00000000')
    expect(await withdrawingOf('alice')).toEqual(['30.00000000', '30.00000000'])
    expect(await proofOf('USDT')).toMatchObject({ inFlight: '30.00000000' })
    await chain.decide(1, 'confirm')
    expect(await underWay()).toEqual(['1 AWAITING_APPROVAL'])
    await chain.decide(1, 'reject')
    expect(await underWay()).toEqual([])
    await expect(chain.decide(1, 'approve')).rejects.toThrow('It is in another state.')
    await withdraw('alice', '40')
    await chain.decide('2', 'cancel')
    expect(await freeOf('alice', 'USDT')).toBe('100.00000000')
    expect(await proofOf('USDT')).toMatchObject({ inFlight: '0.00000000' })
  })

  test('needs a key that may, and an address of its list', async () => {
    await exchange.account('bob', { USDT: 100 })
    expect((await withdraw('bob', '30')).body).toMatchObject({ code: -2015 })
    await exchange.account('bob', { withdraw: [`0x${'cd'.repeat(20)}`] })
    expect((await withdraw('bob', '30')).status).toBe(400)
    await exchange.account('bob', { withdraw: [`0x${'ab'.repeat(20)}`] })
    expect((await withdraw('bob', '30')).status).toBe(200)
  })
})

test('what cannot be is refused in a sentence', async () => {
  await start()
  const { chain } = exchange
  const { address, memo } = await chain.address('bob', 'USDT', 'TRX')
  expect([address, memo]).toEqual([expect.stringMatching(/^T.{33}$/), ''])
  const transfer = { address, coin: 'USDT', amount: 1 }
  await expect(chain.send(transfer)).rejects.toThrow('The address is none of the exchange.')
  const sent = await chain.send({ ...transfer, chain: 'TRX', id: 'x' })
  expect(sent).toMatchObject({ account: 'bob', chain: 'TRX' })
  await expect(chain.send({ ...transfer, chain: 'TRX', id: 'x', amount: 2 })).rejects.toThrow(
    'Another transfer has this id.',
  )
  await expect(chain.send({ account: 'bob', coin: 'ADA', amount: 1 })).rejects.toThrow(
    'No chain carries ADA (coin-network-list).',
  )
  await expect(chain.decide(7, 'approve')).rejects.toThrow('There is no such withdrawal under way.')
  await expect(chain.resume('ETH')).rejects.toThrow('The chain is stopped already, or it is not')
  await expect(chain.reorganise('ETH', 1000)).rejects.toThrow('or it has fewer blocks.')
})
