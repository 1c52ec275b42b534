import { expect, test } from 'vitest'
import { microsecondsOf } from '../../../../src/gateway/http/time-unit.ts'

test.each([
  ['', false],
  ['MILLISECOND', false],
  ['millisecond', false],
  ['MICROSECOND', true],
  ['microsecond', true],
  ['Microsecond', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
])('"%s" asks for microseconds: %s', (text, expected) => {
  expect(microsecondsOf(text)).toBe(expected)
})
