/** The validity of a signed request (rest-api.md, request security). */
import { MICROSECONDS_FROM, RECV_WINDOW_MS_MAX, TIMESTAMP_AHEAD_MS_MAX } from '../../base/limits.ts'
import type { Ms } from '../../base/units.ts'

/** What `expiryOf` returns instead of a time. */
export const TimingFault = { RECV_WINDOW_TOO_LARGE: -1, TOO_OLD: -2, AHEAD: -3 } as const

/** Returns a timestamp in ms or µs as whole ms. */
export const millisecondsOf = (timestamp: number): number =>
  timestamp >= MICROSECONDS_FROM ? Math.floor(timestamp / 1000) : timestamp

/**
 * Returns the end of the request's validity in ms: timestamp + recvWindow; or a TimingFault.
 * `timestamp` is in ms or µs, `recvWindow` in µs.
 */
export function expiryOf(timestamp: number, recvWindow: number, nowMs: Ms): number {
  const stampMs = timestamp >= MICROSECONDS_FROM ? timestamp / 1000 : timestamp
  const windowMs = recvWindow / 1000
  if (windowMs > RECV_WINDOW_MS_MAX) return TimingFault.RECV_WINDOW_TOO_LARGE
  if (stampMs >= nowMs + TIMESTAMP_AHEAD_MS_MAX) return TimingFault.AHEAD
  if (nowMs - stampMs > windowMs) return TimingFault.TOO_OLD
  return Math.floor(stampMs + windowMs)
}
