/** The price of an auction: random books against brute force, and each rule by itself. */
import { describe, expect, test } from 'vitest'
import { Side } from '../../../../src/base/codes.ts'
import type { PlainQuote } from '../../../model/plain-phases.ts'
import { expectBruteForce, expected, found, quote } from '../../../model/random-auctions.ts'

test('the price is that of brute force over all prices', () => expectBruteForce(3_000))

describe('of several prices it is', () => {
  const { BUY, SELL } = Side
  const cases: readonly [string, readonly PlainQuote[], number, readonly (number | bigint)[]][] = [
    [
      'that of most volume',
      [quote(BUY, 20, 5), quote(SELL, 10, 2), quote(SELL, 18, 9)],
      1,
      [18, 5n, -6n],
    ],
    [
      'that which leaves the least',
      [quote(BUY, 20, 5), quote(BUY, 15, 2), quote(SELL, 10, 5)],
      1,
      [16, 5n, 0n],
    ],
    ['the highest where buyers are left', [quote(BUY, 20, 5), quote(SELL, 10, 2)], 1, [20, 2n, 3n]],
    [
      'the lowest where sellers are left',
      [quote(BUY, 20, 2), quote(SELL, 10, 5)],
      29,
      [10, 2n, -3n],
    ],
    ['the nearest to the last price', [quote(BUY, 20, 5), quote(SELL, 10, 5)], 13, [13, 5n, 0n]],
    ['its end that is nearest', [quote(BUY, 20, 5), quote(SELL, 10, 5)], 29, [20, 5n, 0n]],
    ['the middle without a last price', [quote(BUY, 21, 5), quote(SELL, 10, 5)], 0, [15, 5n, 0n]],
  ]
  test.each(cases)('%s', (_, quotes, reference, price) => {
    expect(found(quotes, reference)).toEqual(price)
    expect(expected(quotes, reference)).toEqual(price)
  })
})

test('sums beyond the numbers are exact', () => {
  const lots = Number.MAX_SAFE_INTEGER
  const quotes = [quote(Side.BUY, 9, lots), quote(Side.BUY, 8, lots), quote(Side.SELL, 7, lots)]
  quotes.push(quote(Side.SELL, 6, lots - 1))
  expect(found(quotes, 7)).toEqual([8, 2n * BigInt(lots) - 1n, 1n])
})

test('a book that is not crossed has none', () => {
  expect(found([quote(Side.BUY, 5, 1), quote(Side.SELL, 6, 1)], 1)).toBeUndefined()
  expect(found([quote(Side.BUY, 5, 1)], 1)).toBeUndefined()
})
