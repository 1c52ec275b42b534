import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addInt64,
  bigintToInt64,
  type Int64,
  int64,
  int64ToBigint,
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
      addInt64(words, 2, int64(amount) as Int64)
      expect(int64ToBigint(words, 2)).toBe(BigInt.asIntN(64, it + amount))
      expect(words[0] === 0 && words[1] === 0).toBe(true)
    }),
  )
})
