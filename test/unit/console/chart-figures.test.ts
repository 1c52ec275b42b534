/** Averages of candles, and own fills by candle. */
import { expect, test } from 'vitest'
import { averageAt, marksOf } from '../../../src/console/chart/chart-figures.ts'
import type { FillRow } from '../../../src/console/trade/account-rows.ts'

const candles = [1, 2, 3, 4].map((close, at) => ({
  timeMs: at * 60_000,
  open: 1,
  high: 9,
  low: 1,
  close,
  volume: close * 10,
}))
const fill = (time: number, qty: string, isBuyer = true): FillRow => ({
  id: time,
  orderId: 1,
  price: '1',
  qty,
  quoteQty: '1',
  time,
  isBuyer,
  isMaker: false,
  commission: '0',
  commissionAsset: 'BTC',
})

test('an average is of so many candles up to one, and of no fewer', () => {
  expect([0, 1, 2, 3, 4].map((at) => averageAt(candles, at, 3, 'close'))).toEqual([
    ...[undefined, undefined, 2, 3, undefined],
  ])
  expect(averageAt(candles, 3, 4, 'volume')).toBe(25)
})

test('fills of a side in a candle are one mark, and those before the first have none', () => {
  const fills = [fill(60_000, '0.1'), fill(119_999, '0.2'), fill(60_001, '1', false)]
  const marks = marksOf([...fills, fill(-1, '5'), fill(999_999_999, '3')], candles)
  expect(marks).toEqual([
    { timeMs: 60_000, isBuyer: true, quantity: 30_000_000n },
    { timeMs: 60_000, isBuyer: false, quantity: 100_000_000n },
    { timeMs: 180_000, isBuyer: true, quantity: 300_000_000n },
  ])
})
