/** The wallet as ccxt's clients ask for it: fees, currencies, balances. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { globalClient, restClient } from './ccxt-clients.ts'

const SYMBOL = 'BTC/USDT'
const RATES = { maker: 0.001, taker: 0.001 }

let exchange: LoopExchange
beforeAll(async () => {
  exchange = await LoopExchange.start(['--unsigned-system-status', 'on'])
})
afterAll(() => exchange.remove())

test.each([
  ['binanceus', restClient],
  ['binance', globalClient],
])('%s reads fees, balances and status', async (_, clientOf) => {
  const client = clientOf(exchange, 'maker')
  expect(await client.fetchTradingFee(SYMBOL)).toMatchObject({ symbol: SYMBOL, ...RATES })
  const fees = await client.fetchTradingFees()
  expect(Object.keys(fees)).toHaveLength(6)
  expect(fees['ETH/BTC']).toMatchObject({ symbol: 'ETH/BTC', ...RATES })
  expect((await client.fetchBalance()).BTC).toMatchObject({ free: 5000, used: 0, total: 5000 })
  expect(await client.fetchStatus()).toMatchObject({ status: 'ok' })
})

test(
  'binance reads currencies and empty margin lists, where it is not told to leave them ' + 'alone',
  async () => {
    const client = globalClient(exchange, 'maker')
    client.options.fetchCurrencies = true
    client.options.fetchMargins = true
    await client.loadMarkets()
    expect(client.symbols).toHaveLength(6)
    const currencies = await client.fetchCurrencies()
    expect(Object.keys(currencies).sort()).toEqual(['ADA', 'BNB', 'BTC', 'ETH', 'SOL', 'USDT'])
    const { networks } = currencies.USDT!
    expect(Object.keys(networks).sort()).toEqual(['ERC20', 'SOL', 'TRC20'])
    expect(networks.ERC20).toMatchObject({ id: 'ETH', deposit: true, withdraw: true, fee: 4 })
  },
)

const ADDRESS = `0x${'a'.repeat(40)}`

test.each([
  ['binanceus', restClient],
  ['binance', globalClient],
])('%s reads addresses, withdraws once for an id, and finds its withdrawals', async (name, clientOf) => {
  const client = clientOf(exchange, 'maker')
  await client.loadMarkets()
  const addressOn = async (network: string) =>
    (await client.fetchDepositAddress('USDT', { network })).address
  expect(await addressOn('ETH')).toMatch(/^0x[0-9a-f]{40}$/)
  expect(await addressOn('TRX')).toMatch(/^T/)
  expect(await client.fetchDeposits('USDT')).toEqual([])

  const freeOf = async () => Number((await client.fetchBalance()).USDT!.free)
  const before = await freeOf()
  const params = { network: 'ETH', withdrawOrderId: `of-${name}` }
  const { id } = await client.withdraw('USDT', 50, ADDRESS, undefined, params)
  expect(await client.withdraw('USDT', 50, ADDRESS, undefined, params)).toMatchObject({ id })
  expect(await freeOf()).toBe(before - 50)
  const other = client.withdraw('USDT', 51, ADDRESS, undefined, params)
  await expect(other).rejects.toThrow('-4115')
  const nowhere = client.withdraw('USDT', 50, 'nowhere', undefined, { network: 'ETH' })
  await expect(nowhere).rejects.toThrow('-4007')

  const found = await client.fetchWithdrawals('USDT')
  expect(found.find((row) => row.id === id)).toMatchObject({
    type: 'withdrawal',
    currency: 'USDT',
    network: 'ERC20',
    address: ADDRESS,
    amount: 46,
    fee: { cost: 4, currency: 'USDT' },
    status: 'pending',
    internal: false,
  })
})

test('binanceus moves funds between a master and a sub-account, and lists them', async () => {
  await exchange.operate(['account-open', 'maker.bot', '--master', 'maker'])
  const client = restClient(exchange, 'maker')
  const [fromEmail, toEmail] = ['maker@ringbook.invalid', 'maker.bot@ringbook.invalid']
  const moved = { fromEmail, toEmail, asset: 'BTC', amount: '1.5' }
  expect(await client.sapiV3PostSubAccountTransfer(moved)).toEqual({ success: true, txnId: '1' })
  const of = { email: toEmail }
  expect(await client.sapiV3GetSubAccountList({ page: 1, limit: 20 })).toMatchObject({
    subAccounts: [{ ...of, status: 'enabled' }],
  })
  const { balances } = await client.sapiV3GetSubAccountAssets(of)
  const btc = (balances as { asset: string }[]).find(({ asset }) => asset === 'BTC')
  expect(btc).toEqual({ asset: 'BTC', free: 1.5, locked: 0 })
  expect(await client.sapiV3GetSubAccountTransferHistory(of)).toMatchObject({
    transfers: [{ from: fromEmail, to: toEmail, asset: 'BTC', qty: '1.50000000' }],
  })
  expect(await client.sapiGetSubAccountSpotSummary()).toMatchObject({
    totalCount: 1,
    spotSubUserAssetBtcVoList: [{ ...of, totalAsset: '1.50000000' }],
  })
  expect(await client.sapiGetSubAccountStatus(of)).toMatchObject([{ ...of, isUserActive: true }])
  const unknown = client.sapiV3PostSubAccountTransfer({ ...moved, toEmail: 'a@b' })
  await expect(unknown).rejects.toThrow('-4003')
})
