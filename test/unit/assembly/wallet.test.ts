/** Deposits over simulated chains of a whole exchange in this process, as programs, operators and clients see them. */
import { afterEach, expect, test } from 'vitest'
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
async function freeOf(account: string, coin: string): Promise<string> {
  const owner = { account, ...exchange.accounts[account]! }
  const client = new SignedClient(exchange.url, owner, () => exchange.clock.now())
  const { body } = await client.send('GET', '/api/v3/account')
  const balances = body.balances as unknown as { asset: string; free: string }[]
  return balances.find(({ asset }) => asset === coin)!.free
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
