/** Which markets the list shows, and in which order. */
import { expect, test } from 'vitest'
import { type ListChoice, listed, tabsOf } from '../../../src/console/market/symbol-order.ts'
import type { MarketSymbol } from '../../../src/console/market/symbols.ts'
import type { Ticker } from '../../../src/console/market/tickers.ts'

const market = (baseAsset: string, quoteAsset: string) =>
  ({ symbol: `${baseAsset}${quoteAsset}`, baseAsset, quoteAsset }) as MarketSymbol
const symbols = [
  ...[market('BTC', 'USDT'), market('ETH', 'BTC'), market('ETH', 'USDT'), market('ADA', 'USDT')],
]
const figures: Record<string, [last: number, change: number]> = {
  BTCUSDT: [50_000, -1],
  ETHBTC: [0.05, 3],
  ETHUSDT: [2_500, 2],
}
const tickerOf = (symbol: string) => {
  const [last, change] = figures[symbol] ?? [0, 0]
  return { last, change, high: last } as Ticker
}
const CHOICE: ListChoice = {
  search: '',
  tab: 'All',
  favourites: ['ETHBTC'],
  order: { by: 'name', isDown: false },
}
const names = (choice: Partial<ListChoice>) =>
  listed(symbols, { ...CHOICE, ...choice }, tickerOf).map(({ symbol }) => symbol)

test('tabs are favourites, all, and quote assets by their markets', () => {
  expect(tabsOf(symbols)).toEqual(['★', 'All', 'USDT', 'BTC'])
})

test('a tab or a search chooses, and a column sorts; what has not traded stands last', () => {
  expect(names({})).toEqual(['BTCUSDT', 'ETHBTC', 'ETHUSDT', 'ADAUSDT'])
  expect(names({ tab: 'BTC' })).toEqual(['ETHBTC'])
  expect(names({ tab: '★' })).toEqual(['ETHBTC'])
  expect(names({ tab: '★', search: 'eth/u' })).toEqual(['ETHUSDT'])
  const foreign = { ...symbols[0]!, symbol: '币安人生USDT' }
  const found = listed([...symbols, foreign], { ...CHOICE, search: '人生/usdt' }, tickerOf)
  expect(found).toEqual([foreign])
  expect(names({ order: { by: 'name', isDown: true } })).toEqual([
    ...['ETHUSDT', 'ETHBTC', 'BTCUSDT', 'ADAUSDT'],
  ])
  const byChange = ['ETHBTC', 'ETHUSDT', 'BTCUSDT']
  expect(names({ order: { by: 'change', isDown: true } })).toEqual([...byChange, 'ADAUSDT'])
  expect(names({ order: { by: 'change', isDown: false } })).toEqual([
    ...byChange.toReversed(),
    'ADAUSDT',
  ])
  expect(names({ order: { by: 'last', isDown: true } })[0]).toBe('BTCUSDT')
})
