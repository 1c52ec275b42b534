/** Texts of the operator's screen. */
import { expect, test } from 'vitest'
import { timeText } from '../../../src/console/operator/texts.ts'

test('a time of day is that of UTC, wherever the browser is', () => {
  expect(timeText(Date.UTC(2026, 0, 1, 23, 59, 7) / 1_000)).toBe('23:59:07')
})
