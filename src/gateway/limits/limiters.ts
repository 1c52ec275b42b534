/**
 * The limits: what each counts, over which interval, how much it allows, and the error beyond it
 * (rest-api.md, limits). Intervals are aligned to the epoch, not sliding.
 */
import type { ArrivalLimit, RateLimitRow } from '../../api/answers/limits.ts'
import { type ErrorId, Fault } from '../../api/errors.ts'
import { Ms } from '../../base/units.ts'

const UNIT_MS = { SECOND: 1_000, MINUTE: 60_000, DAY: 86_400_000 } as const

export interface Limiter {
  readonly row: RateLimitRow
  readonly limit: number
  readonly intervalMs: number
  /** The error of a refused request (errors.md). */
  readonly fault: Fault
}

export interface Limiters {
  readonly requestWeight: Limiter
  readonly rawRequests: Limiter
  readonly connections: Limiter
  readonly ordersPerSecond: Limiter
  readonly ordersPerDay: Limiter
}

/** The amount that each limiter allows. */
export interface LimitAmounts {
  readonly weightLimit: number
  readonly rawRequestsLimit: number
  readonly connectionsLimit: number
  readonly ordersPerSecond: number
  readonly ordersPerDay: number
}

export function limitersOf(amounts: LimitAmounts): Limiters {
  const weight = row('REQUEST_WEIGHT', 'MINUTE', 1, amounts.weightLimit)
  const second = row('ORDERS', 'SECOND', 1, amounts.ordersPerSecond)
  const day = row('ORDERS', 'DAY', 1, amounts.ordersPerDay)
  return {
    requestWeight: limiter(weight, faultOf('TOO_MUCH_WEIGHT', weight)),
    rawRequests: limiter(
      row('RAW_REQUESTS', 'MINUTE', 5, amounts.rawRequestsLimit),
      new Fault('TOO_MANY_REQUESTS'),
    ),
    connections: limiter(
      row('CONNECTIONS', 'MINUTE', 5, amounts.connectionsLimit),
      new Fault('TOO_MANY_REQUESTS'),
    ),
    ordersPerSecond: limiter(second, faultOf('TOO_MANY_ORDERS', second)),
    ordersPerDay: limiter(day, faultOf('TOO_MANY_ORDERS', day)),
  }
}

const arrivals = { RAW_REQUESTS: 'rawRequests', CONNECTIONS: 'connections' } as const

/** The limits as exchange information publishes them, by what counts arrivals. */
export function publishedLimits(
  limiters: Limiters,
  arrival: ArrivalLimit,
): readonly RateLimitRow[] {
  const { requestWeight, ordersPerSecond, ordersPerDay } = limiters
  const last = limiters[arrivals[arrival]]
  return [requestWeight, ordersPerSecond, ordersPerDay, last].map((limit) => limit.row)
}

/** Returns the number of the current interval. */
export const intervalOf = ({ intervalMs }: Limiter, nowMs: Ms): number =>
  Math.floor(nowMs / intervalMs)

/** Returns the end of the current interval, ms. */
export const retryMs = (limiter: Limiter, nowMs: Ms): Ms =>
  Ms((intervalOf(limiter, nowMs) + 1) * limiter.intervalMs)

/** The value of a Retry-After header: whole seconds, at least 1. */
export const retryAfterSeconds = (untilMs: Ms, nowMs: Ms): number =>
  Math.max(1, Math.ceil((untilMs - nowMs) / 1000))

const row = (
  rateLimitType: RateLimitRow['rateLimitType'],
  interval: RateLimitRow['interval'],
  intervalNum: number,
  limit: number,
): RateLimitRow => ({ rateLimitType, interval, intervalNum, limit })

const limiter = (of: RateLimitRow, fault: Fault): Limiter => ({
  row: of,
  limit: of.limit,
  intervalMs: UNIT_MS[of.interval] * of.intervalNum,
  fault,
})

const faultOf = (id: ErrorId, { limit, intervalNum, interval }: RateLimitRow): Fault =>
  new Fault(id, limit, intervalNum, interval)
