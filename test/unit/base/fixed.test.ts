import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DecimalFault,
  formatBigDecimal,
  formatDecimal,
  multiplyDivideHalfUp,
  parseDecimal,
} from '../../../src/base/fixed.ts'

const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

describe('parseDecimal', () => {
  test.each([
    ['0', 8, 0],
    ['1', 8, 100000000],
    ['0.1', 8, 10000000],
    ['0.00000001', 8, 1],
    ['0.000000010', 8, 1],
    ['00012.50', 2, 1250],
    ['12', 0, 12],
    ['12.000', 0, 12],
    ['90071992.54740991', 8, Number.MAX_SAFE_INTEGER],
    ['90071992.54740992', 8, DecimalFault.OVERFLOW],
    ['99999999999999999999', 8, DecimalFault.OVERFLOW],
    ['0.000000001', 8, DecimalFault.PRECISION],
    ['12.5', 0, DecimalFault.PRECISION],
    ['', 8, DecimalFault.SYNTAX],
    ['.', 8, DecimalFault.SYNTAX],
    ['.5', 8, DecimalFault.SYNTAX],
    ['5.', 8, DecimalFault.SYNTAX],
    ['-1', 8, DecimalFault.SYNTAX],
    ['+1', 8, DecimalFault.SYNTAX],
    ['1e5', 8, DecimalFault.SYNTAX],
    ['1,5', 8, DecimalFault.SYNTAX],
    [' 1', 8, DecimalFault.SYNTAX],
    ['1 ', 8, DecimalFault.SYNTAX],
    ['1.2.3', 8, DecimalFault.SYNTAX],
    ['0x10', 8, DecimalFault.SYNTAX],
    ['NaN', 8, DecimalFault.SYNTAX],
    ['Infinity', 8, DecimalFault.SYNTAX],
    ['1'.repeat(21), 8, DecimalFault.SYNTAX],
    [`0.${'0'.repeat(20)}`, 8, 0],
    [`0.${'0'.repeat(21)}`, 8, DecimalFault.SYNTAX],
    ['１', 8, DecimalFault.SYNTAX],
  ])('%j with %i decimals', (text, decimals, expected) => {
    expect(parseDecimal(text, decimals)).toBe(expected)
  })

  test('agrees with exact arithmetic on any digits', () => {
    const digits = fc.stringMatching(/^[0-9]{1,22}(\.[0-9]{1,22})?$/)
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 12 }), (text, decimals) => {
        expect(parseDecimal(text, decimals)).toBe(parseExactly(text, decimals))
      }),
    )
  })

  test('reads back what formatDecimal wrote', () => {
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 12 }), (value, decimals) => {
        expect(parseDecimal(formatDecimal(value, decimals), decimals)).toBe(value)
      }),
    )
  })
})

describe('formatting', () => {
  test.each([
    [0, 8, '0.00000000'],
    [1, 8, '0.00000001'],
    [150000000, 8, '1.50000000'],
    [-150000000, 8, '-1.50000000'],
    [12, 0, '12'],
    [Number.MAX_SAFE_INTEGER, 8, '90071992.54740991'],
  ])('formatDecimal(%d, %i)', (value, decimals, expected) => {
    expect(formatDecimal(value, decimals)).toBe(expected)
    expect(formatBigDecimal(BigInt(value), decimals)).toBe(expected)
  })

  test('formatDecimal refuses what is not an exact integer', () => {
    for (const value of [0.5, Number.NaN, 2 ** 53]) {
      expect(() => formatDecimal(value, 8)).toThrow('exact integer')
    }
  })
})

describe('multiply and divide', () => {
  const positive = fc.integer({ min: 1, max: 10_000_000_000 })

  test('half up, as exact arithmetic does', () => {
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 100_000_000 }), positive, (a, n, d) => {
        const exact = (BigInt(a) * BigInt(n) * 2n + BigInt(d)) / (2n * BigInt(d))
        fc.pre(exact <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(multiplyDivideHalfUp(a, n, d)).toBe(Number(exact))
      }),
    )
  })

  test.each([
    [5, 1, 10, 1],
    [4, 1, 10, 0],
    [15, 1, 10, 2],
    [0, 7, 10, 0],
  ])('%d × %d / %d', (amount, numerator, denominator, expected) => {
    expect(multiplyDivideHalfUp(amount, numerator, denominator)).toBe(expected)
  })
})

function parseExactly(text: string, decimals: number): number {
  const [whole = '', fraction = ''] = text.split('.')
  if (whole.length > 20 || fraction.length > 20) return DecimalFault.SYNTAX
  if (/[1-9]/.test(fraction.slice(decimals))) return DecimalFault.PRECISION
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? DecimalFault.OVERFLOW : Number(value)
}
