/** Moments that are none are refused, not taken for others. */
import { expect, test } from 'vitest'
import { parseMoment } from '../../../src/base/time-text.ts'

test.each([
  ['2028-02-29T12:00:00Z', Date.UTC(2028, 1, 29, 12)],
  ['2027-12-31T23:30:00-01:00', Date.UTC(2028, 0, 1, 0, 30)],
  ['2027-01-31', Date.UTC(2027, 0, 31)],
  ['1796000000000', 1_796_000_000_000],
  ['2027-02-29T12:00:00Z', undefined],
  ['2027-02-31', undefined],
  ['2027-04-31T00:00Z', undefined],
  ['2027-13-01', undefined],
  ['2027-00-10', undefined],
  ['2027-01-31T25:00:00Z', undefined],
  ['2027-01-31T12:00:00', undefined],
])('%s', (text, ms) => {
  expect(parseMoment(text)).toBe(ms)
})
