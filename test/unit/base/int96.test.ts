/** Sums of many trades of the largest size that an order may have: exact beyond 64 bits. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { product } from '../../../src/base/int64.ts'
import {
  addInt96,
  addSum96,
  bigintToInt96,
  int96ToBigint,
  nearDifference96,
} from '../../../src/base/int96.ts'
import { ORDER_ATOMS_MAX, PRICE_TICKS_MAX, QTY_LOTS_MAX } from '../../../src/base/limits.ts'
import { Lots, Ms, QuoteAtoms, TickLots, Ticks, TradeId } from '../../../src/base/units.ts'
import { TradeSums } from '../../../src/core/views/trade-sums.ts'
import { Bar } from '../../../src/history/bar.ts'

const value = fc.bigInt({ min: 0n, max: 2n ** 95n })
const amount = fc.oneof(
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER),
)

test('sums of 96 bits are those of bigints', () => {
  fc.assert(
    fc.property(value, value, fc.array(amount), (start, other, amounts) => {
      const words = new Int32Array(6)
      bigintToInt96(words, 3, start)
      expect(int96ToBigint(words, 3)).toBe(start)
      for (const it of amounts) addInt96(words, 3, it)
      const sum = amounts.reduce((total, it) => total + BigInt(it), start)
      expect(int96ToBigint(words, 3)).toBe(sum)
      const from = new Int32Array(6)
      bigintToInt96(from, 3, other)
      addSum96(words, from, 3)
      expect(int96ToBigint(words, 3)).toBe(BigInt.asUintN(96, sum + other))
      expect([...words.subarray(0, 3)]).toEqual([0, 0, 0])
    }),
  )
})

test('a near difference is near, also where sums have wrapped', () => {
  const bits = fc.nat(94).chain((count) => fc.bigInt({ min: 0n, max: 2n ** BigInt(count) - 1n }))
  const start = fc.bigInt({ min: 0n, max: 2n ** 96n - 1n })
  fc.assert(
    fc.property(start, bits, (before, exact) => {
      const words = new Int32Array(6)
      bigintToInt96(words, 0, before)
      bigintToInt96(words, 3, BigInt.asUintN(96, before + exact))
      const error = BigInt(nearDifference96(words, 3, words, 0)) - exact
      expect((error < 0n ? -error : error) * 2n ** 51n).toBeLessThanOrEqual(exact)
    }),
    { numRuns: 2_000 },
  )
})

const TRADES = 5_000
const largest = BigInt(ORDER_ATOMS_MAX)

test('a bar of 5,000 of the largest trades, twice over', () => {
  const bar = new Bar()
  for (let n = 1; n <= TRADES; n++)
    bar.add(TradeId(n), Ticks(1), Lots(QTY_LOTS_MAX), QuoteAtoms(ORDER_ATOMS_MAX), false)
  const count = BigInt(TRADES)
  expect(bar.row()).toMatchObject({
    lots: count * BigInt(QTY_LOTS_MAX),
    quoteAtoms: count * largest,
    takerBuyQuoteAtoms: count * largest,
  })
  const other = new Bar()
  other.read(bar.row())
  bar.append(other)
  expect(bar.row().quoteAtoms).toBe(2n * count * largest)
})

test('an average over 5,000 of the largest trades', () => {
  const sums = new TradeSums(60_000)
  for (let n = 1; n <= 2 * TRADES; n++)
    sums.add(Ms(n), TickLots(product(PRICE_TICKS_MAX, QTY_LOTS_MAX)), Lots(QTY_LOTS_MAX))
  expect(sums.since(Ms(TRADES + 1))).toEqual({
    tickLots: BigInt(TRADES) * BigInt(PRICE_TICKS_MAX) * BigInt(QTY_LOTS_MAX),
    lots: BigInt(TRADES) * BigInt(QTY_LOTS_MAX),
  })
  expect(sums.nearAverageSince(Ms(TRADES + 1))).toBe(PRICE_TICKS_MAX)
  expect(sums.nearAverageSince(Ms(2 * TRADES + 1))).toBe(0)
})
