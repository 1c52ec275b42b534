/** Deposits and withdrawals in each state, addresses, networks and fees, as ccxt's clients ask for them. */
import type { binance, Transaction } from 'ccxt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedExchange, startExchange } from '../../src/index.ts'
import { act } from './admin-server.ts'
import { globalClient, restClient } from './ccxt-clients.ts'

const OUTSIDE = `0x${'a'.repeat(40)}`
const ON_SOL = '12345678'.repeat(4)
const DAY_MS = 24 * 60 * 60 * 1000
const FIRST_MS = Date.UTC(2030, 0, 1)

let exchange: EmbeddedExchange
let nowMs: number
/** When the second deposit was seen, and the second withdrawal applied for. */
let laterMs: number
const withdrawn: Record<string, string> = {}

const operate = (name: string, given: object) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, {
    ...given,
  })

/** Passes time; clients sign by it. */
async function advance(ms: number): Promise<void> {
  await exchange.clock.advance(ms)
  nowMs = await exchange.clock.now()
}

function clientBy(clientOf: typeof globalClient): binance {
  const served = {
    ...{ url: exchange.url, wsUrl: exchange.wsUrl },
    keys: () => ({ alice: { account: 'alice', ...exchange.accounts.alice! } }),
  }
  const client = clientOf(served as never, 'alice')
  client.nonce = () => nowMs
  return client
}

beforeAll(async () => {
  exchange = await startExchange({
    clock: { at: FIRST_MS },
    accounts: { alice: { USDT: 1_000, BTC: 1, SOL: 10, withdraw: true } },
  })
  await exchange.clock.pause()
  await advance(1_000)
  await deposit()
  await withdraw()
})
afterAll(() => exchange?.close())

/** One of each state. */
async function deposit(): Promise<void> {
  const { chain } = exchange
  const account = 'alice'
  await operate('coin-network-set', {
    coin: 'USDT',
    chain: 'ETH',
    'unlock-confirmations': '10000',
  })
  await operate('coin-network-set', { coin: 'BTC', chain: 'BTC', 'deposit-min': '1' })
  await chain.send({ account, coin: 'USDT', chain: 'TRX', amount: '25.5' })
  await advance(3_600_000)
  laterMs = nowMs
  await chain.send({ account, coin: 'USDT', chain: 'ETH', amount: '30' })
  await chain.send({ account, coin: 'BTC', amount: '0.5' })
  await advance(3_600_000)
  await chain.send({ account, coin: 'SOL', amount: '3' })
  await advance(1_000)
  await chain.reorganise('SOL', 5, { drop: true })
  await advance(1_000)
  await chain.stop('TRX')
  await chain.send({ account, coin: 'USDT', chain: 'TRX', amount: '40' })
}

/** One of each state, but FAILURE: the chains of the house sign whatever they are given. */
async function withdraw(): Promise<void> {
  await operate('coin-network-set', { coin: 'USDT', chain: 'SOL', 'approval-above': '50' })
  const client = clientBy(globalClient)
  const apply = async (name: string, amount: number, network: string, address: string) => {
    const params = { network, withdrawOrderId: name }
    withdrawn[name] = (await client.withdraw('USDT', amount, address, undefined, params)).id!
    await advance(1_000)
  }
  const { address } = await exchange.chain.address('alice', 'USDT', 'TRX')
  await apply('completed', 20, 'ETH', OUTSIDE)
  await advance(DAY_MS)
  for (const name of ['sent', 'canceled', 'awaits', 'rejected'])
    await apply(name, 60, 'SOL', ON_SOL)
  await apply('processing', 20, 'TRX', address)
  await exchange.chain.decide(withdrawn.canceled!, 'cancel')
  await exchange.chain.decide(withdrawn.awaits!, 'confirm')
  await exchange.chain.decide(withdrawn.rejected!, 'confirm')
  await exchange.chain.decide(withdrawn.rejected!, 'reject')
  await advance(1_000)
}

const states = (rows: readonly Transaction[]) =>
  rows.map(({ currency, network, amount, status }) => [currency, network, amount, status])

describe.each([
  ['binanceus', restClient as typeof globalClient],
  ['binance', globalClient],
])('%s', (_, clientOf) => {
  let client: binance
  beforeAll(async () => {
    client = clientBy(clientOf)
    await client.loadMarkets()
  })

  test('reads deposits in each state', async () => {
    const rows = await client.fetchDeposits()
    // The library has no word for what is lost, 2, and what is too small, 7.
    expect(states(rows)).toEqual([
      ['USDT', 'TRC20', 25.5, 'ok'],
      ['BTC', 'BTC', 0.5, '7'],
      ['USDT', 'ERC20', 30, 'ok'],
      ['SOL', 'SOL', 3, '2'],
      ['USDT', 'TRC20', 40, 'pending'],
      ['USDT', 'TRC20', 19, 'pending'],
    ])
    expect(rows.map(({ info }) => info.status)).toEqual([1, 7, 6, 2, 0, 0])
    expect(rows.map(({ internal }) => internal)).toEqual([...Array(5).fill(false), true])
    const { address } = await exchange.chain.address('alice', 'USDT', 'TRX')
    expect(rows[0]).toMatchObject({
      ...{ type: 'deposit', address, tag: undefined, internal: false },
      timestamp: FIRST_MS + 1_000,
      txid: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('reads pages of deposits', async () => {
    const amounts = async (...page: Parameters<typeof client.fetchDeposits>) =>
      (await client.fetchDeposits(...page)).map(({ amount }) => amount)
    expect(await amounts('USDT')).toEqual([25.5, 30, 40, 19])
    expect(await amounts('USDT', laterMs)).toEqual([30, 40, 19])
    expect(await amounts('USDT', laterMs + 1)).toEqual([40, 19])
    expect(await amounts('USDT', undefined, 1)).toEqual([19])
    expect(await amounts('USDT', undefined, 2, { offset: 1 })).toEqual([30, 40])
    expect(await amounts('USDT', 1, 5, { until: laterMs - 1 })).toEqual([])
    expect(await amounts('USDT', FIRST_MS, 5, { until: laterMs - 1 })).toEqual([25.5])
    expect(await amounts(undefined, undefined, undefined, { status: 6 })).toEqual([30])
  })

  test('reads withdrawals in each state', async () => {
    const rows = await client.fetchWithdrawals('USDT')
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      [withdrawn.completed, 'ok'],
      [withdrawn.sent, 'pending'],
      [withdrawn.canceled, 'canceled'],
      [withdrawn.awaits, 'pending'],
      [withdrawn.rejected, 'failed'],
      [withdrawn.processing, 'pending'],
    ])
    expect(rows.map(({ info }) => info.status)).toEqual([6, 0, 1, 2, 3, 4])
    expect(rows[0]).toMatchObject({
      ...{ type: 'withdrawal', currency: 'USDT', network: 'ERC20', address: OUTSIDE },
      ...{ amount: 16, fee: { currency: 'USDT', cost: 4 }, internal: false },
      txid: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(rows[5]).toMatchObject({ internal: true, network: 'TRC20' })
  })

  test('reads pages of withdrawals', async () => {
    const ids = async (...page: Parameters<typeof client.fetchWithdrawals>) =>
      (await client.fetchWithdrawals(...page)).map(({ info }) => info.withdrawOrderId)
    const [, sent] = await client.fetchWithdrawals('USDT')
    const all = ['sent', 'canceled', 'awaits', 'rejected', 'processing']
    expect(await ids('USDT', sent!.timestamp!)).toEqual(all)
    expect(await ids('USDT', sent!.timestamp! + 1_000)).toEqual(all.slice(1))
    expect(await ids('USDT', undefined, 2)).toEqual(all.slice(3))
    expect(await ids('USDT', undefined, 2, { offset: 2 })).toEqual(['canceled', 'awaits'])
    expect(await ids('USDT', undefined, undefined, { status: 2 })).toEqual(['awaits'])
    const named = { withdrawOrderId: 'sent' }
    expect(await ids('USDT', undefined, undefined, named)).toEqual(['sent'])
    expect(await ids('BTC')).toEqual([])
  })

  test('reads addresses of each network, and what networks cost', async () => {
    for (const network of ['ETH', 'TRX', 'SOL']) {
      const { address } = await exchange.chain.address('alice', 'USDT', network)
      const found = await client.fetchDepositAddress('USDT', { network })
      expect(found).toMatchObject({ currency: 'USDT', address, tag: undefined })
    }
    const { USDT } = await client.fetchDepositWithdrawFees(['USDT'])
    const networks = USDT!.networks!
    expect(Object.keys(networks).sort()).toEqual(['ERC20', 'SOL', 'TRC20'])
    expect(networks.ERC20).toMatchObject({ withdraw: { fee: 4 } })
    client.options.fetchCurrencies = true
    expect((await client.fetchCurrencies()).USDT!.networks.ERC20).toMatchObject({
      ...{ id: 'ETH', network: 'ERC20', deposit: true, withdraw: true, fee: 4 },
      limits: { withdraw: { min: expect.any(Number), max: expect.any(Number) } },
    })
  })

  test('is told that there is no other wallet to move funds to', async () => {
    await expect(client.fetchTransfers('USDT')).rejects.toThrow('-1020')
    await expect(client.transfer('USDT', 1, 'spot', 'future')).rejects.toThrow('-1020')
  })
})
