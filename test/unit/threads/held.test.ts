/** How long a matcher is held for a backup. */

import { expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import { Hold } from '../../../src/market/announcement.ts'
import { waitHeld } from '../../../src/threads/held.ts'

const cellOf = (value: number) => {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  cell[0] = value
  return cell
}

test('a matcher that is not released continues, and the cell says so', () => {
  const cell = cellOf(Hold.HELD)
  waitHeld(new RealTime(), cell, 5)
  expect(cell[0]).toBe(Hold.GIVEN_UP)
})

test.each([Hold.RELEASED, Hold.GIVEN_UP])('one that is released (%i) does not wait', (value) => {
  const cell = cellOf(value)
  waitHeld(new RealTime(), cell)
  expect(cell[0]).toBe(value)
})
