/** Shares of free funds, totals, steps and presets: exact, and never more than there is. */
import { describe, expect, test } from 'vitest'
import { multiplyAtoms, parseAtoms } from '../../../src/console/book/decimals.ts'
import { marketSymbol, type SymbolRow } from '../../../src/console/market/symbols.ts'
import {
  awayBy,
  isTriggerAbove,
  lotOf,
  percentOf,
  productOf,
  quantityOf,
  shareOf,
  sizingOf,
  stepped,
  tickOf,
  totalNames,
} from '../../../src/console/trade/ticket-amounts.ts'

const row: SymbolRow = {
  symbol: 'BTCUSDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  orderTypes: ['LIMIT', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT'],
  icebergAllowed: true,
  ocoAllowed: true,
  otoAllowed: true,
  opoAllowed: true,
  allowTrailingStop: true,
  quoteOrderQtyMarketAllowed: true,
  cancelReplaceAllowed: true,
  amendAllowed: true,
  pegInstructionsAllowed: false,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.05', maxPrice: '1000000.00', tickSize: '0.05' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000.0', stepSize: '0.00001' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.0', maxQty: '120.0', stepSize: '0.001' },
  ],
  defaultSelfTradePreventionMode: 'NONE',
  allowedSelfTradePreventionModes: [],
}
const symbol = marketSymbol(row)
const atoms = (text: string) => parseAtoms(text)!
const share = (kind: string, side: 'BUY' | 'SELL', values: object, free: string, percent: number) =>
  shareOf(sizingOf(symbol, kind, side, values as Record<string, string>, atoms(free))!, percent)

describe('a share of free funds', () => {
  test.each([
    ['LIMIT', 'SELL', {}, '1.234567', 100, '1.23456'],
    ['LIMIT', 'SELL', {}, '1', 25, '0.25'],
    ['LIMIT', 'SELL', {}, '0.000009', 100, '0'],
    ['LIMIT', 'BUY', { price: '30000' }, '1000', 100, '0.03333'],
    ['LIMIT', 'BUY', { price: '30000' }, '600', 100, '0.02'],
    ['LIMIT', 'BUY', { price: '30000' }, '599.99999999', 100, '0.01999'],
    ['STOP_LOSS', 'BUY', { stopPrice: '20000' }, '1000', 50, '0.025'],
    ['MARKET', 'BUY', {}, '123.45678901', 100, '123.45678901'],
    ['MARKET', 'SELL', { quoteOrderQty: '9' }, '1.2345', 100, '1.234'],
    ['OCO', 'SELL', {}, '2', 75, '1.5'],
    ['OTO', 'BUY', { workingPrice: '50000' }, '100', 100, '0.002'],
  ] as const)('%s %s %j of %s, %i percent, is %s', (kind, side, values, free, percent, text) => {
    expect(share(kind, side, values, free, percent)).toBe(text)
  })

  test('never costs more than there is', () => {
    for (let i = 1; i < 500; i++) {
      const price = productOf(String(i * 37), '0.35')
      const free = `${i * 13}.${String(i * 7_919).slice(-4)}`
      const quantity = share('LIMIT', 'BUY', { price }, free, 100)
      expect(multiplyAtoms(atoms(price), atoms(quantity)) <= atoms(free)).toBe(true)
      const more = atoms(quantity) + lotOf(symbol, 'LIMIT')
      expect(multiplyAtoms(atoms(price), more) > atoms(free)).toBe(true)
    }
  })

  test('needs a price to buy at, and is shown as percent of all', () => {
    expect(sizingOf(symbol, 'LIMIT', 'BUY', {}, atoms('100'))).toBeUndefined()
    const trailing = { trailingDelta: '100' }
    expect(sizingOf(symbol, 'STOP_LOSS', 'BUY', trailing, atoms('1'))).toBeUndefined()
    const sizing = sizingOf(symbol, 'LIMIT', 'SELL', {}, atoms('3'))!
    for (const percent of [0, 1, 33, 50, 99, 100]) {
      const quantity = shareOf(sizing, percent)
      expect(percentOf(sizing, { quantity })).toBe(percent)
    }
    expect(percentOf(sizing, { quantity: '4' })).toBe(100)
    expect(percentOf({ ...sizing, most: 0n }, { quantity: '4' })).toBe(0)
  })
})

test('a total buys what it pays, floored to the step', () => {
  expect(quantityOf(symbol, '1000', '30000')).toBe('0.03333')
  expect(quantityOf(symbol, '1000', '')).toBe('')
  expect(quantityOf(symbol, 'x', '30000')).toBe('')
  expect(productOf('30000', '0.03333')).toBe('999.9')
  expect(totalNames(symbol, 'LIMIT', {})).toEqual({ price: 'price', quantity: 'quantity' })
  expect(totalNames(symbol, 'OCO', {})).toBeUndefined()
  expect(totalNames(symbol, 'MARKET', {})).toBeUndefined()
  expect(totalNames(symbol, 'OTO', {})?.price).toBe('workingPrice')
})

test.each([
  ['50000', 1n, '50000.05'],
  ['50000', -1n, '49999.95'],
  ['50000.01', 1n, '50000.05'],
  ['50000.01', -1n, '50000'],
  ['50000', 10n, '50000.5'],
  ['0.05', -1n, '0.05'],
  ['', 1n, '0.05'],
])('from %s %s ticks lead to %s', (text, by, next) => {
  expect(stepped(text, tickOf(symbol), by)).toBe(next)
})

test('a preset of a stop lies on a tick, on the side on which it waits', () => {
  expect(awayBy(symbol, '50001.03', 1, false)).toBe('49501')
  expect(awayBy(symbol, '50000', 10, true)).toBe('55000')
  expect(isTriggerAbove('STOP_LOSS', 'BUY', {}, 'stopPrice')).toBe(true)
  expect(isTriggerAbove('STOP_LOSS_LIMIT', 'SELL', {}, 'stopPrice')).toBe(false)
  expect(isTriggerAbove('TAKE_PROFIT', 'SELL', {}, 'stopPrice')).toBe(true)
  expect(isTriggerAbove('OCO', 'SELL', {}, 'belowStopPrice')).toBe(false)
  expect(isTriggerAbove('OTOCO', 'BUY', {}, 'pendingAboveStopPrice')).toBe(true)
  const pending = { pendingType: 'STOP_LOSS', pendingSide: 'SELL' }
  expect(isTriggerAbove('OTO', 'BUY', pending, 'pendingStopPrice')).toBe(false)
})
