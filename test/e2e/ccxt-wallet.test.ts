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
  },
)
