import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  brief,
  cut,
  decimalsOf,
  formatAtoms,
  formatUnits,
  grouped,
  multiplyAtoms,
  parseAtoms,
  parseUnits,
  scaleFor,
  shown,
  shownAtoms,
  shownUnits,
  trimmed,
} from '../../../src/console/book/decimals.ts'
import { BookSide } from '../../../src/console/book/local-book.ts'
import { groupLevels, groupPrice, priceSteps } from '../../../src/console/book/price-groups.ts'

test('units of every scale are exact, and come back as they were', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 40 }), fc.nat(8), (units, scale) => {
      const text = formatUnits(units, scale, scale)
      expect(parseUnits(text, scale)).toBe(units)
      expect(Number(text)).toBeCloseTo(units / 10 ** scale, 8)
    }),
  )
})

test.each([
  ['1000000.00000000', 8],
  ['90071992.00000000', 8],
  ['900719925.00000000', 7],
  ['9000000000000000', 0],
])('prices up to %s have scale %i', (max, scale) => {
  expect(scaleFor(max)).toBe(scale)
  expect(Number.isSafeInteger(parseUnits(max, scale))).toBe(true)
})

test.each<[string, bigint | undefined]>([
  ['1', 100_000_000n],
  ['.5', 50_000_000n],
  ['1.', 100_000_000n],
  [' 0.00000001 ', 1n],
  ['0.000000001', undefined],
  ['', undefined],
  ['.', undefined],
  ['1e3', undefined],
  ['-1', undefined],
  ['1,5', undefined],
])('typed %j', (text, atoms) => {
  expect(parseAtoms(text)).toBe(atoms)
})

test('atoms come back as they were typed', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (atoms) => {
      expect(parseAtoms(formatAtoms(atoms))).toBe(atoms)
    }),
  )
  expect([formatAtoms(-150_000_000n), formatAtoms(0n)]).toEqual(['-1.5', '0'])
  expect(multiplyAtoms(150_000_000n, 200_000_000n)).toBe(300_000_000n)
})

test('numbers for people', () => {
  expect(['1.50000000', '10', '100.00', '0.00'].map(trimmed)).toEqual(['1.5', '10', '100', '0'])
  expect([decimalsOf('0.01000000'), decimalsOf('1.00000000'), decimalsOf('1')]).toEqual([2, 0, 0])
  expect(['1234567.89100000', '123', '0.1234567', '-1234.5'].map(grouped)).toEqual([
    ...['1,234,567.89100000', '123', '0.1234567', '-1,234.5'],
  ])
  expect([shown('1234.50000000'), shownAtoms(150_000_000_000n), shownUnits(123_456, 2, 1)]).toEqual(
    [...['1,234.5', '1,500', '1,234.5']],
  )
  expect([cut('50000.00000000', 2), cut('50000.5', 0)]).toEqual(['50,000.00', '50,000'])
  expect([brief(0.5), brief(0), brief(12_345), brief(2e6), brief(3e9), brief(4e12)]).toEqual([
    ...['0.5000', '0.00', '12.35K', '2.00M', '3.00B', '4.00T'],
  ])
})

test('groups hold all levels of their step, and no other', () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 9 })))
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 60 }), fc.boolean(), (levels, step, isBid) => {
      const side = new BookSide(isBid ? 1 : -1)
      for (const [price, quantity] of levels) side.set(price, quantity)
      const plain = new Map<number, number>()
      for (const [price, quantity] of new Map(levels)) {
        const group = (isBid ? Math.floor : Math.ceil)(price / step) * step
        expect(groupPrice(price, isBid, step)).toBe(group)
        plain.set(group, (plain.get(group) ?? 0) + quantity)
      }
      let total = 0
      const sorted = [...plain].sort(([a], [b]) => (isBid ? b - a : a - b))
      const expected = sorted.map(([price, quantity]) => {
        total += quantity
        return { price, quantity, total }
      })
      expect(groupLevels(side, isBid, step, 1_000)).toEqual(expected)
      expect(groupLevels(side, isBid, step, 3)).toEqual(expected.slice(0, 3))
    }),
  )
})

test('price steps begin at the tick and rise by 1, 2, 5', () => {
  expect(priceSteps(1, 5_000)).toEqual([1, 2, 5, 10, 20, 50, 100])
  expect(priceSteps(100, 1)).toEqual([100])
})
