/** Withdrawals of a whole exchange in this process: signed, sent and confirmed by the exchange's time, also over a start. */
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { act } from '../../e2e/admin-server.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
const BLOCK_MS = 12_000
/** Blocks that confirm on ETH. */
const CONFIRMATIONS = 6
const OUTSIDE = `0x${'ab'.repeat(20)}`
let exchange: EmbeddedExchange
afterEach(() => exchange.close())

const start = async () => {
  exchange = await startHere({
    folder: folder('data'),
    clock: { at: Date.UTC(2030, 0, 1) },
    accounts: { alice: { withdraw: true }, bob: { withdraw: true } },
  })
  const sent = { account: 'alice', coin: 'USDT', chain: 'ETH', amount: 1_000 }
  await exchange.chain.send(sent)
  await exchange.clock.advance('1h')
}
const operate = (name: string, given: object = {}) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, {
    ...given,
  })

async function ask(method: string, path: string, params = {}): Promise<unknown> {
  const owner = { account: 'alice', ...exchange.accounts.alice! }
  const client = new SignedClient(exchange.url, owner, () => exchange.clock.now())
  const { status, body } = await client.send(method, `/sapi/v1/capital/${path}`, params)
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const apply = async (more: object = {}): Promise<string> => {
  const asked = { coin: 'USDT', network: 'ETH', address: OUTSIDE, amount: '100', ...more }
  const { id } = (await ask('POST', 'withdraw/apply', asked)) as { id: string }
  return id
}
interface Row {
  readonly id: string
  readonly status: number
  readonly txId: string
}
const historyOf = async (id: string): Promise<Row> => {
  const rows = (await ask('GET', 'withdraw/history', { coin: 'USDT' })) as Row[]
  return rows.find((row) => row.id === id)!
}

test('a withdrawal is sent at once, and complete with its confirmations', async () => {
  await start()
  const id = await apply()
  await exchange.clock.advance(1)
  expect(await historyOf(id)).toMatchObject({ status: 4, txId: expect.stringMatching(/^0x.{64}$/) })
  await exchange.clock.advance(CONFIRMATIONS * BLOCK_MS - 2)
  expect((await historyOf(id)).status).toBe(4)
  await exchange.clock.advance(BLOCK_MS)
  expect((await historyOf(id)).status).toBe(6)
  expect((await operate('funds-proof')).said).toBe('The funds of every asset are proven.')
})

test('one to an address of the exchange arrives there', async () => {
  await start()
  const { address } = await exchange.chain.address('bob', 'USDT', 'ETH')
  await apply({ address })
  await exchange.clock.advance('1h')
  const owner = { account: 'bob', ...exchange.accounts.bob! }
  const client = new SignedClient(exchange.url, owner, () => exchange.clock.now())
  const { body } = await client.send('GET', '/sapi/v1/capital/deposit/hisrec', { coin: 'USDT' })
  expect(body).toMatchObject([{ amount: '96.00000000', status: 1, transferType: 1 }])
})

test('a start sends what was approved, and confirms what fell due', async () => {
  await start()
  await operate('coin-network-set', { coin: 'USDT', chain: 'ETH', 'approval-above': '50' })
  const id = await apply({ withdrawOrderId: 'mine' })
  expect(await historyOf(id)).toMatchObject({ status: 0, txId: '' })
  await operate('withdrawal-confirm', { id })
  expect((await historyOf(id)).status).toBe(2)
  await operate('withdrawal-approve', { id })
  await exchange.clock.advance(1)
  const { txId } = await historyOf(id)
  expect(txId).not.toBe('')
  await exchange.close()
  exchange = await startHere({
    folder: exchange.folder,
    clock: { at: Date.UTC(2030, 0, 2) },
  })
  expect(await apply({ withdrawOrderId: 'mine' })).toBe(id)
  expect(await historyOf(id)).toMatchObject({ status: 6, txId })
})

test('an operator cancels one that waits, and fails none that is signed', async () => {
  await start()
  const network = { coin: 'USDT', chain: 'ETH' }
  await operate('coin-network-set', { ...network, 'approval-above': '50' })
  const waiting = await apply()
  await operate('withdrawal-cancel', { id: waiting })
  expect((await historyOf(waiting)).status).toBe(1)
  await operate('coin-network-set', { ...network, 'approval-above': '0' })
  const signed = await apply()
  await exchange.clock.advance('1h')
  await expect(operate('withdrawal-fail', { id: signed })).rejects.toThrow('in another state')
  expect((await historyOf(signed)).status).toBe(6)
})

test('the chains of the house go back with a state', async () => {
  await start()
  const id = await apply()
  await exchange.clock.advance(1)
  const mark = await exchange.mark()
  await exchange.clock.advance('1h')
  expect((await historyOf(id)).status).toBe(6)
  await exchange.revert(mark)
  expect((await historyOf(id)).status).toBe(4)
  await exchange.clock.advance('1h')
  expect((await historyOf(id)).status).toBe(6)
  expect((await operate('funds-proof')).said).toBe('The funds of every asset are proven.')
})
