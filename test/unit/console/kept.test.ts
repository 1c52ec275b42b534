/** What the browser has kept is taken only where it is a value. */
import { expect, test } from 'vitest'
import { isFlag, keptValue, oneOf } from '../../../src/console/toolkit/kept-value.ts'

test.each([
  ['true', true],
  ['false', false],
  ['"true"', undefined],
  ['{', undefined],
  ['', undefined],
  [null, undefined],
  [`${' '.repeat(32_768)}true`, undefined],
])('a flag of %j is %s', (text, value) => {
  expect(keptValue(text, isFlag)).toBe(value)
})

test('one of a few values is another one only by being it', () => {
  const read = oneOf(['both', 'bids'] as const)
  expect(keptValue('"bids"', read)).toBe('bids')
  for (const text of ['"asks"', '0', '["bids"]', 'null'])
    expect(keptValue(text, read)).toBe(undefined)
})
