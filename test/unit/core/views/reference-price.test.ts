/** How a reference price is calculated, by the words of faqs/price_range_execution_rules.md. */
import { describe, expect, test } from 'vitest'
import { ReferenceCalculation } from '../../../../src/base/codes.ts'
import { REFERENCE_BUCKETS_MAX } from '../../../../src/base/limits.ts'
import { Ms, Ticks } from '../../../../src/base/units.ts'
import { NO_PRICE, ReferencePrice } from '../../../../src/core/views/reference-price.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { noReference } from '../../../../src/market/listing.ts'

/** Ticks of 0.01. */
const TICK_UNITS = 1_000_000
const price = (units: number) => Math.round(units * 10 ** 8)

const meanOf = (bucketCount: number, bucketWidthMs: number) => ({
  ...noReference,
  calculation: ReferenceCalculation.ARITHMETIC_MEAN,
  bucketCount,
  bucketWidthMs,
})
const external = (externalId: number) => ({
  ...noReference,
  calculation: ReferenceCalculation.EXTERNAL,
  externalId,
})

function priced(
  [bucketCount, bucketWidthMs]: readonly [number, number],
  trades: readonly (readonly [timeMs: number, price: number])[],
): ReferencePrice {
  const reference = new ReferencePrice(TICK_UNITS)
  reference.change(meanOf(bucketCount, bucketWidthMs), NO_PRICE)
  for (const [timeMs, at] of trades) reference.traded(Ticks(Math.round(at * 100)), Ms(timeMs))
  return reference
}
const unitsAt = (reference: ReferencePrice, ms: number) => Number(reference.unitsAt(Ms(ms)))

describe('a mean', () => {
  const ten: [number, number] = [10, 1_000]

  test.each([
    [
      'is of prices, whatever quantities traded',
      ten,
      [
        [1_000, 10],
        [1_500, 11],
      ],
      2_000,
      10.5,
    ],
    [
      'counts every trade of a bucket',
      ten,
      [
        [1_000, 10],
        [1_100, 10],
        [1_200, 13],
      ],
      1_300,
      11,
    ],
    [
      'counts trades of all buckets alike',
      ten,
      [
        [1_000, 9],
        [1_001, 9],
        [8_000, 12],
      ],
      9_000,
      10,
    ],
    [
      'drops its remainder',
      ten,
      [
        [1_000, 1],
        [1_000, 1],
        [1_000, 2],
      ],
      1_000,
      1.33333333,
    ],
    [
      'counts a bucket whole while it began within the window',
      ten,
      [
        [1_000, 10],
        [9_000, 20],
      ],
      11_000,
      15,
    ],
    // The window began at 1,250: a quarter of the first bucket is out of it.
    [
      'counts a bucket in part that began before',
      ten,
      [
        [1_000, 10],
        [9_000, 20],
      ],
      11_250,
      15.71428571,
    ],
    [
      'counts it to the last moment',
      ten,
      [
        [1_000, 10],
        [9_000, 20],
      ],
      11_999,
      19.99000999,
    ],
    [
      'forgets a bucket whose end is out of the window',
      ten,
      [
        [1_000, 10],
        [9_000, 20],
      ],
      12_000,
      20,
    ],
    // The share of one trade is 0.33333 of a count of 4 decimals.
    [
      'counts parts of trades to 4 decimals',
      [1, 3],
      [
        [0, 10],
        [3, 20],
      ],
      5,
      17.50043751,
    ],
    [
      'aligns buckets to the time, not to trades',
      [1, 1_000],
      [
        [1_999, 10],
        [2_000, 20],
      ],
      2_500,
      16.66666666,
    ],
  ] as const)('%s', (_, window, trades, nowMs, expected) => {
    expect(unitsAt(priced(window, trades), nowMs)).toBe(price(expected))
  })

  test('is none before the first trade and once the last is out of the window', () => {
    const reference = priced(ten, [])
    expect([reference.hasPriced, unitsAt(reference, 500)]).toEqual([false, NO_PRICE])
    reference.traded(Ticks(100), Ms(1_000))
    expect([reference.hasPriced, unitsAt(reference, 11_999)]).toEqual([true, price(1)])
    expect([reference.hasPriced, unitsAt(reference, 12_000)]).toEqual([true, NO_PRICE])
  })

  test('asked of later is as it was, asked of again', () => {
    const reference = priced(ten, [[1_000, 10]])
    expect(unitsAt(reference, 50_000)).toBe(NO_PRICE)
    expect(unitsAt(reference, 1_000)).toBe(price(10))
  })

  test('holds one bucket more than its window has, and no more', () => {
    const count = REFERENCE_BUCKETS_MAX
    const reference = priced([count, 10], [])
    for (let at = 0; at < 3 * count; at++) reference.traded(Ticks(100), Ms(at * 10 + (at % 10)))
    expect(reference.image.buckets).toHaveLength(count + 1)
  })

  test('is exact where sums are more than a number carries', () => {
    const reference = new ReferencePrice(1)
    reference.change(meanOf(1, 1_000), NO_PRICE)
    const ticks = Ticks(2 ** 30)
    for (let at = 0; at < 100_000; at++) reference.traded(ticks, Ms(1_000))
    expect(reference.unitsAt(Ms(1_500))).toBe(2 ** 30)
  })
})

test('a price from outside holds until the next one', () => {
  const reference = new ReferencePrice(TICK_UNITS)
  reference.change(external(2), NO_PRICE)
  expect([reference.hasPriced, unitsAt(reference, 0)]).toEqual([false, NO_PRICE])
  reference.change(external(2), price(10))
  expect(unitsAt(reference, 10 ** 9)).toBe(price(10))
  reference.change(external(2), NO_PRICE)
  expect([reference.hasPriced, unitsAt(reference, 0)]).toEqual([true, NO_PRICE])
})

test('another calculation begins without trades', () => {
  const reference = priced([2, 1_000], [[1_000, 10]])
  reference.change(meanOf(3, 1_000), NO_PRICE)
  expect([reference.hasPriced, unitsAt(reference, 1_000)]).toEqual([true, NO_PRICE])
  reference.traded(Ticks(500), Ms(1_100))
  reference.change(meanOf(3, 1_000), NO_PRICE)
  expect(unitsAt(reference, 1_100)).toBe(price(5))
})

test.each([
  [
    'mean',
    priced(
      [3, 1_000],
      [
        [1_000, 10],
        [1_100, 12],
        [3_000, 20],
      ],
    ),
  ],
  ['price from outside', new ReferencePrice(TICK_UNITS)],
])('an image keeps a %s', (_, reference) => {
  if (!reference.isMean) reference.change(external(7), price(12.5))
  const image = new ImageWriter()
  reference.write(image)
  const read = new ReferencePrice(TICK_UNITS)
  read.read(new ImageReader(image.bytes()))
  expect(read.image).toEqual(reference.image)
  expect(unitsAt(read, 4_500)).toBe(unitsAt(reference, 4_500))
})
