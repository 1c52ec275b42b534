import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addInt64, bigintToInt64, int64ToBigint } from '../../../src/base/int64.ts'

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
