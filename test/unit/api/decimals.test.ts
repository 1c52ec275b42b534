import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeOf, unitsText } from '../../../src/api/render/decimals.ts'
import { formatDecimal, parseDecimal } from '../../../src/base/fixed.ts'
import { Ms } from '../../../src/base/units.ts'

test('eight places, as the plain formatter has them', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (units) => {
      expect(unitsText(units)).toBe(formatDecimal(units, 8))
      expect(parseDecimal(unitsText(units), 8)).toBe(units)
    }),
  )
})

test.each([
  [0, '0.00000000'],
  [1, '0.00000001'],
  [9_999, '0.00009999'],
  [10_000, '0.00010000'],
  [100_000_000, '1.00000000'],
  [Number.MAX_SAFE_INTEGER, '90071992.54740991'],
])('%s units', (units, text) => {
  expect(unitsText(units)).toBe(text)
})

test('times in the unit asked for', () => {
  expect(timeOf(Ms(1_700_000_000_000), false)).toBe(1_700_000_000_000)
  expect(timeOf(Ms(1_700_000_000_000), true)).toBe(1_700_000_000_000_000)
})
