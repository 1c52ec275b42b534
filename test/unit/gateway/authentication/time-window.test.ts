import { expect, test } from 'vitest'
import { Ms } from '../../../../src/base/units.ts'
import { expiryOf, TimingFault } from '../../../../src/gateway/authentication/time-window.ts'

const now = 1_700_000_000_000
const { TOO_OLD, AHEAD, RECV_WINDOW_TOO_LARGE } = TimingFault
test.each([
  ['now', now, 5_000_000, now + 5_000],
  ['at its far end', now - 5_000, 5_000_000, now],
  ['past it', now - 5_001, 5_000_000, TOO_OLD],
  ['just ahead', now + 999, 5_000_000, now + 5_999],
  ['too far ahead', now + 1_000, 5_000_000, AHEAD],
  ['in microseconds', now * 1_000 + 999, 5_000_000, now + 5_000],
  ['a microsecond too old', now * 1_000 - 5_000_001, 5_000_000, TOO_OLD],
  ['with a window of decimals', now - 2, 2_500, now],
  ['with a window of none', now, 0, now],
  ['with the largest window', now - 60_000, 60_000_000, now],
  ['with a larger one', now, 60_000_001, RECV_WINDOW_TOO_LARGE],
  ['of zero', 0, 5_000_000, TOO_OLD],
])('a timestamp %s', (_, timestamp, recvWindow, expected) => {
  expect(expiryOf(timestamp, recvWindow, Ms(now))).toBe(expected)
})
