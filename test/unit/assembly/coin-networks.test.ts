/** Networks of coins, as operators set them and clients of a running exchange see them. */
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { act } from '../../e2e/admin-server.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let exchange: EmbeddedExchange
afterEach(() => exchange.close())

const start = async () => {
  exchange = await startHere({ folder: folder('data') })
}
const operate = (name: string, given: object) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, {
    ...given,
  })

interface Network {
  readonly network: string
  readonly withdrawEnable: boolean
  readonly isDefault: boolean
}
async function networksOf(coin: string): Promise<readonly Network[]> {
  const owner = { account: 'taker', ...exchange.accounts.taker! }
  const client = new SignedClient(exchange.url, owner, () => Date.now())
  const { body } = await client.send('GET', '/sapi/v1/capital/config/getall', {})
  const coins = body as unknown as { coin: string; networkList: Network[] }[]
  return coins.find((row) => row.coin === coin)!.networkList
}

test('changes reach clients at once, and last', async () => {
  await start()
  const names = async (coin: string) => (await networksOf(coin)).map(({ network }) => network)
  expect(await names('USDT')).toEqual(['ETH', 'TRX', 'SOL'])
  expect(await names('ADA')).toEqual([])
  await operate('chain-list', { chain: 'ADA', form: 'bitcoin', 'block-seconds': '20' })
  await operate('coin-network-list', { coin: 'ADA', chain: 'ADA' })
  await operate('coin-network-suspend', { coin: 'USDT', chain: 'TRX' })
  await operate('coin-network-set', { coin: 'USDT', chain: 'SOL', default: 'on' })
  const expected = [
    { network: 'ETH', isDefault: false, withdrawEnable: true },
    { network: 'TRX', isDefault: false, withdrawEnable: false },
    { network: 'SOL', isDefault: true, withdrawEnable: true },
  ]
  for (const isAgain of [false, true]) {
    if (isAgain) {
      await exchange.close()
      exchange = await startHere({ folder: exchange.folder })
    }
    expect(await networksOf('USDT')).toMatchObject(expected)
    expect(await names('ADA')).toEqual(['ADA'])
  }
})

test('a venue of the options lists chains and networks', async () => {
  const venue = `
assets = ["USDC"]

[chains.BASE]
form = "ethereum"
block-seconds = 2

[networks.USDC.BASE]
confirmations = 10
fee = "0.5"
approval-above = "1000"
`
  const accounts = { alice: { withdraw: true } }
  exchange = await startHere({ folder: folder('data'), venue, accounts, clock: 'virtual' })
  await exchange.chain.send({ account: 'alice', coin: 'USDC', amount: 250 })
  const free = async () => {
    const { rows } = await operate('balances', { account: 'alice' })
    return rows.find(({ asset }) => asset === 'USDC')?.free
  }
  await exchange.clock.advance('19s')
  expect(await free()).not.toBe('250.00000000')
  await exchange.clock.advance('1s')
  expect(await free()).toBe('250.00000000')
  const owner = { account: 'alice', ...exchange.accounts.alice! }
  const client = new SignedClient(exchange.url, owner, () => exchange.clock.now())
  const address = `0x${'ab'.repeat(20)}`
  const { status } = await client.send('POST', '/sapi/v1/capital/withdraw/apply', {
    ...{ coin: 'USDC', address, amount: '100.5' },
  })
  expect(status).toBe(200)
})
