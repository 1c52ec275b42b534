/** How a ladder fills its panel, and what its levels come to. */
import { describe, expect, test } from 'vitest'
import { LocalBook } from '../../../src/console/book/local-book.ts'
import { groupAt, ladderRows, shapeOf, sumsText } from '../../../src/console/ladder/ladder-rows.ts'
import { marketSymbol, type SymbolRow } from '../../../src/console/market/symbols.ts'

const symbol = marketSymbol({
  symbol: 'BTCUSDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000.00', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000.0', stepSize: '0.00001' },
  ],
} as unknown as SymbolRow)
const price = (value: number) => value * 10 ** symbol.priceScale
const lots = (value: number) => value * 10 ** symbol.quantityScale

const book = new LocalBook()
book.takeSnapshot(
  {
    lastUpdateId: 1,
    asks: [
      [price(101), lots(1)],
      [price(102), lots(3)],
    ],
    bids: [
      [price(100), lots(2)],
      [price(99), lots(1)],
    ],
  },
  1_000,
)

describe.each([
  ['both', 634, 15, 300, 334],
  ['both', 650, 15, 308, 342],
  ['bids', 634, 30, 0, 34],
  ['asks', 634, 30, 600, 634],
] as const)('%s in %i pixels', (sides, height, rows, spreadTop, spreadEnd) => {
  const shape = shapeOf(height, sides)

  test('fill the panel', () => {
    expect(shape).toMatchObject({ rows, spreadTop, spreadEnd })
    const ends = sides === 'asks' ? spreadTop : height - spreadEnd
    expect(shape.rowHeight * rows).toBeCloseTo(ends)
  })

  test('have a group at each height', () => {
    const shown = ladderRows(book, symbol.tick, shape.rows, sides)
    expect(groupAt(shown, shape, (spreadTop + spreadEnd) / 2)).toBeUndefined()
    const above = groupAt(shown, shape, spreadTop - 1)?.group.price
    const below = groupAt(shown, shape, spreadEnd + 1)?.group.price
    expect(above).toBe(sides === 'bids' ? undefined : price(101))
    expect(below).toBe(sides === 'asks' ? undefined : price(100))
  })
})

test('sums are of all levels up to a group, at their own prices', () => {
  const text = (at: number, isBid: boolean, step = symbol.tick) =>
    sumsText(book, symbol, step, {
      group: { price: price(at), quantity: 0, total: 0 },
      isBid,
    })
  expect(text(101, false)).toBe('1.00000 BTC, 101 USDT, average 101.00')
  expect(text(102, false)).toBe('4.00000 BTC, 407 USDT, average 101.75')
  expect(text(99, true)).toBe('3.00000 BTC, 299 USDT, average 99.66')
  // Joined by 10, both asks are at 110.
  expect(text(110, false, price(10))).toBe('4.00000 BTC, 407 USDT, average 101.75')
  expect(text(100.5, false)).toBe('')
})
