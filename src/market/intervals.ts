/**
 * The kline intervals and where they begin (web-socket-streams.md). Pure arithmetic of
 * times in ms since the Unix epoch. An offset is how far a time zone's clock is ahead of UTC; days,
 * weeks and months begin at its midnight, weeks on its Monday.
 */
import { Ms } from '../base/units.ts'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Numbers travel to history threads; names are the wire's. */
export const Interval = {
  '1s': 0,
  '1m': 1,
  '3m': 2,
  '5m': 3,
  '15m': 4,
  '30m': 5,
  '1h': 6,
  '2h': 7,
  '4h': 8,
  '6h': 9,
  '8h': 10,
  '12h': 11,
  '1d': 12,
  '3d': 13,
  '1w': 14,
  '1M': 15,
} as const
export type Interval = (typeof Interval)[keyof typeof Interval]

/** Lengths by interval; a month has none. */
const LENGTHS_MS = [
  SECOND_MS,
  MINUTE_MS,
  3 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  3 * DAY_MS,
  7 * DAY_MS,
] as const

/** 1970-01-01 was a Thursday: the Monday of its week is three days before. */
const WEEK_SHIFT_MS = 3 * DAY_MS

/** Returns the begin of the interval that holds `timeMs`. */
export function intervalOpen(interval: Interval, timeMs: Ms, offsetMs: number): Ms {
  const localMs = timeMs + offsetMs
  if (interval === Interval['1M']) return Ms(monthOpen(localMs, 0) - offsetMs)
  const lengthMs = LENGTHS_MS[interval]!
  const shiftMs = interval === Interval['1w'] ? WEEK_SHIFT_MS : 0
  return Ms(Math.floor((localMs + shiftMs) / lengthMs) * lengthMs - shiftMs - offsetMs)
}

/** Returns the begin of the interval `count` after the one at `openMs`; negative counts go back. */
export function intervalAfter(interval: Interval, openMs: Ms, offsetMs: number, count: number): Ms {
  const isMonth = interval === Interval['1M']
  return Ms(
    isMonth
      ? monthOpen(openMs + offsetMs, count) - offsetMs
      : openMs + count * LENGTHS_MS[interval]!,
  )
}

/** Returns the first of the month that holds `localMs`, or of one `months` later. */
function monthOpen(localMs: number, months: number): number {
  const date = new Date(localMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}
