/** What benches say of turns in pairs: the median of their ratios, and what it may be. */
import { expect, test } from 'vitest'
import { pairedRatio } from '../../../bench/harness/report.ts'

const ones = (count: number) => new Array<number>(count).fill(1)

test.each([
  // Ranks for 95 % by the binomial distribution, as tables of the sign test give them.
  { count: 20, low: 6, high: 15 },
  { count: 50, low: 18, high: 33 },
  { count: 100, low: 40, high: 61 },
])('of $count pairs', ({ count, low, high }) => {
  const values = Array.from({ length: count }, (_, i) => i + 1)
  expect(pairedRatio(values.toReversed(), ones(count))).toEqual({
    ratio: (count + 1) / 2,
    low,
    high,
  })
})

test('each turn is compared with its own pair', () => {
  expect(pairedRatio([2, 20, 200], [1, 10, 100]).ratio).toBe(2)
})

test('one pair says nothing of its spread', () => {
  expect(pairedRatio([3], [2])).toEqual({ ratio: 1.5, low: 1.5, high: 1.5 })
})
