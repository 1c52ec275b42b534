/** Tests that need a second try, or do not; run by test/runner/reporters.test.ts. */
import { expect, test } from 'vitest'

let tries = 0

test('holds', () => {
  expect(1).toBe(1)
})

test('holds at the second try', () => {
  expect(++tries).toBe(2)
})
