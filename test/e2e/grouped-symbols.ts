/** A group for routed orders (docs/routing.md) on an exchange of the demo: BTCUSDT, with BTCUSDC beside it. */
import { expect } from 'vitest'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { act } from './admin-server.ts'
import type { Answered } from './compiled-answers.ts'

const PRICE = 45_000

/** Resolves to an exchange with the group, where trader2 sells in BTCUSDC at the best price of both. */
export async function startGrouped(flags: readonly string[] = []): Promise<LoopExchange> {
  const exchange = await LoopExchange.start(['--sandbox', 'on', ...flags])
  await act(exchange, 'asset-list', { asset: 'USDC' })
  await act(exchange, 'symbol-list', { base: 'BTC', quote: 'USDC', like: 'BTCUSDT' })
  await act(exchange, 'account-open', { account: 'router' })
  await act(exchange, 'deposit', { account: 'router', asset: 'USDC', amount: '1000000' })
  const symbols = 'BTCUSDT,BTCUSDC'
  await act(exchange, 'sor-group', { base: 'BTC', symbols, account: 'router' })
  await exchange.startAgain()
  const trader = new SignedClient(exchange.url, exchange.keys().trader2!)
  const ask = { type: 'LIMIT', timeInForce: 'GTC', quantity: 10, price: PRICE }
  await trader.send('POST', '/api/v3/order', { symbol: 'BTCUSDC', side: 'SELL', ...ask })
  return exchange
}

/** Expects that each answer to a routed order has what BTCUSDC sold, and a list of allocations has it, too. */
export function expectRouted(answers: readonly Answered[]): void {
  const answersOf = (methods: RegExp) =>
    answers.filter(({ method }) => methods.test(method)).map(({ data }) => data)
  const price = `${PRICE}.00000000`
  const fill = { price, tradeId: -1, matchType: 'ONE_PARTY_TRADE_REPORT' }
  const routed = { status: 'FILLED', usedSor: true, workingFloor: 'SOR', fills: [fill] }
  expect(answersOf(/^(?!test).*sorOrder(Place)?$/i)).toMatchObject([routed])
  const allocation = { allocationType: 'SOR', price, isBuyer: true }
  const [allocations] = answersOf(/allocations$/i) as unknown[][]
  expect(allocations!.at(-1)).toMatchObject(allocation)
}
