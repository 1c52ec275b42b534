import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addInt64,
  bigintToInt64,
  int64,
  int64ToBigint,
  isBeyond64,
  isMore,
  least,
  minus,
  most,
  negative,
  plus,
  product,
  readInt64,
  writeInt64,
} from '../../../src/base/int64.ts'

const EXACT = 2n ** 53n
const edge = fc.bigInt({ min: -3n, max: 3n })
const near = (value: bigint) => edge.map((by) => value + by)
const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const value = fc.oneof(
  wide,
  near(0n),
  near(EXACT),
  near(-EXACT),
  near(2n ** 32n),
  near(-(2n ** 62n)),
)
const isExact = (it: bigint) => it < EXACT && it > -EXACT

test('words and bigint are the same number', () => {
  fc.assert(
    fc.property(value, (it) => {
      const words = new Int32Array(2)
      bigintToInt64(words, 0, it)
      expect(int64ToBigint(words, 0)).toBe(it)
    }),
  )
})

test('a value is a number just where that is exact', () => {
  fc.assert(
    fc.property(value, (it) => {
      expect(int64(it)).toBe(isExact(it) ? Number(it) : it)
    }),
  )
})

test('words are read as they were written, in the one form', () => {
  fc.assert(
    fc.property(value, (it) => {
      const words = new Int32Array(4)
      writeInt64(words, 2, int64(it))
      expect(int64ToBigint(words, 2)).toBe(it)
      expect(readInt64(words, 2)).toBe(int64(it))
      expect([words[0], words[1]]).toEqual([0, 0])
    }),
  )
})

test('adding an amount is adding modulo 2^64', () => {
  fc.assert(
    fc.property(value, value, (it, amount) => {
      const words = new Int32Array(4)
      bigintToInt64(words, 2, it)
      addInt64(words, 2, int64(amount))
      expect(int64ToBigint(words, 2)).toBe(BigInt.asIntN(64, it + amount))
      expect(words[0] === 0 && words[1] === 0).toBe(true)
    }),
  )
})

test('arithmetic is that of bigints, in the one form', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [first, second] = [int64(a), int64(b)]
      expect(plus(first, second)).toBe(int64(a + b))
      expect(minus(first, second)).toBe(int64(a - b))
      expect(BigInt(negative(first))).toBe(-a)
      expect(isMore(first, second)).toBe(a > b)
      expect(least(first, second)).toBe(int64(a < b ? a : b))
      expect(most(first, second)).toBe(int64(a > b ? a : b))
      expect([first < second, first === second]).toEqual([a < b, a === b])
    }),
    { numRuns: 2_000 },
  )
})

test('a product of safe integers is exact', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
      expect(BigInt(product(a, b))).toBe(BigInt(a) * BigInt(b))
    }),
  )
})

test('what 64 bits do not carry', () => {
  expect([2n ** 63n, 2n ** 63n - 1n, 5, -5].map((it) => isBeyond64(it))).toEqual([
    true,
    false,
    false,
    false,
  ])
})
