import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addInt64,
  addInt64Words,
  bigintToInt64,
  int64ToBigint,
  int64ToNumber,
} from '../../../src/base/int64.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const exact = fc.maxSafeInteger()

test('words and bigint are the same number', () => {
  fc.assert(
    fc.property(int64, (value) => {
      const words = new Int32Array(2)
      bigintToInt64(words, 0, value)
      expect(int64ToBigint(words, 0)).toBe(value)
    }),
  )
})

test('adding an exact amount is adding modulo 2^64', () => {
  fc.assert(
    fc.property(int64, exact, (value, amount) => {
      const words = new Int32Array(4)
      bigintToInt64(words, 2, value)
      addInt64(words, 2, amount)
      expect(int64ToBigint(words, 2)).toBe(BigInt.asIntN(64, value + BigInt(amount)))
      expect(words[0] === 0 && words[1] === 0).toBe(true)
    }),
  )
})

test('adding words is adding modulo 2^64', () => {
  fc.assert(
    fc.property(int64, int64, (a, b) => {
      const words = new Int32Array(4)
      bigintToInt64(words, 0, a)
      bigintToInt64(words, 2, b)
      addInt64Words(words, 0, words, 2)
      expect(int64ToBigint(words, 0)).toBe(BigInt.asIntN(64, a + b))
    }),
  )
})

test('as a number it is exact within 2^53, and compares rightly with exact amounts beyond', () => {
  fc.assert(
    fc.property(int64, exact, (value, amount) => {
      const words = new Int32Array(2)
      bigintToInt64(words, 0, value)
      const number = int64ToNumber(words, 0)
      if (value >= -(2n ** 53n) && value <= 2n ** 53n) expect(BigInt(number)).toBe(value)
      expect(number >= amount).toBe(value >= BigInt(amount))
    }),
  )
})
