/** Average cost, profit, and what is counted in another asset. */
import { describe, expect, test } from 'vitest'
import { formatAtoms, parseAtoms } from '../../../src/console/book/decimals.ts'
import type { FillRow } from '../../../src/console/trade/account-rows.ts'
import {
  conversionsInto,
  NO_POSITION,
  profitOf,
  withFill,
} from '../../../src/console/trade/portfolio.ts'

const ASSETS = { symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' }
const atoms = (text: string) => parseAtoms(text)!
let id = 0
const fill = (side: string, qty: string, quoteQty: string, fee = '0 BNB'): FillRow => {
  const [commission = '', commissionAsset = ''] = fee.split(' ')
  return {
    id: ++id,
    orderId: 1,
    price: '0',
    qty,
    quoteQty,
    commission,
    commissionAsset,
    time: 0,
    isBuyer: side === 'BUY',
    isMaker: false,
  }
}
const positionAfter = (...fills: FillRow[]) =>
  fills.reduce((position, next) => withFill(position, next, ASSETS), NO_POSITION)
const texts = (position: object) =>
  Object.values(position).map((value) => (value === undefined ? '' : formatAtoms(value as bigint)))

describe('a position', () => {
  test('costs the average of what was bought, and a sale leaves it', () => {
    const bought = [fill('BUY', '1', '100'), fill('BUY', '1', '200')]
    expect(texts(positionAfter(...bought))).toEqual(['2', '300', '0'])
    expect(texts(positionAfter(...bought, fill('SELL', '1', '180')))).toEqual(['1', '150', '30'])
    expect(texts(positionAfter(...bought, fill('SELL', '2', '290')))).toEqual(['0', '0', '-10'])
  })

  test('has the fees of its own assets, and no other ones', () => {
    expect(texts(positionAfter(fill('BUY', '1', '100', '0.01 BTC')))).toEqual(['0.99', '100', '0'])
    expect(texts(positionAfter(fill('BUY', '1', '100', '2 USDT')))).toEqual(['1', '102', '0'])
    expect(texts(positionAfter(fill('BUY', '1', '100', '2 BNB')))).toEqual(['1', '100', '0'])
    const sold = positionAfter(fill('BUY', '1', '100'), fill('SELL', '1', '150', '1 USDT'))
    expect(texts(sold)).toEqual(['0', '0', '49'])
  })

  test('gains nothing by units whose cost is not known', () => {
    expect(texts(positionAfter(fill('SELL', '5', '500')))).toEqual(['0', '0', '0'])
    const sold = positionAfter(fill('BUY', '1', '100'), fill('SELL', '2', '300'))
    expect(texts(sold)).toEqual(['0', '0', '50'])
  })

  test('is worth what is held, and knows no more of it than there is', () => {
    const position = positionAfter(fill('BUY', '2', '200'))
    const [held, last] = [atoms('3'), atoms('110')]
    const three = profitOf(position, held, held, last)
    expect([three.known, three.unknown, three.value, three.profit].map(formatAtoms)).toEqual([
      ...['2', '1', '330', '20'],
    ])
    // One was withdrawn, or is another market's.
    const one = profitOf(position, held, atoms('1'), last)
    expect([one.known, one.unknown, one.profit, one.average!].map(formatAtoms)).toEqual([
      ...['1', '2', '10', '100'],
    ])
    expect(profitOf(NO_POSITION, held, held, last)).toMatchObject({
      average: undefined,
      profit: 0n,
    })
  })
})

test('amounts are counted by a market of both assets, turned round, or by two', () => {
  const market = (baseAsset: string, quoteAsset: string) => ({
    symbol: `${baseAsset}${quoteAsset}`,
    baseAsset,
    quoteAsset,
  })
  const symbols = [market('ADA', 'BTC'), market('BTC', 'USDT'), market('XRP', 'EUR')]
  const lasts: Record<string, string> = { ADABTC: '0.00001', BTCUSDT: '50000', XRPEUR: '2' }
  const into = (asset: string, last = (symbol: string) => lasts[symbol] ?? '') => {
    const conversions = conversionsInto(asset, symbols, last)
    return (from: string, amount: string) => {
      const counted = conversions.get(from)?.(atoms(amount))
      return counted === undefined ? undefined : formatAtoms(counted)
    }
  }
  expect(into('USDT')('USDT', '7')).toBe('7')
  expect(into('USDT')('BTC', '0.5')).toBe('25000')
  expect(into('USDT')('ADA', '1000')).toBe('500')
  expect(into('BTC')('USDT', '100')).toBe('0.002')
  expect(into('ADA')('USDT', '100')).toBe('200')
  expect(into('USDT')('XRP', '1')).toBeUndefined()
  expect(into('USDT', () => '0')('BTC', '1')).toBeUndefined()
})
