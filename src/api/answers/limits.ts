/** Limits as clients are shown them. */
import { Answer } from './answer.ts'
import { choice, integer, type RowOf } from './element.ts'

const limit = {
  rateLimitType: choice('rateLimitType', [
    'REQUEST_WEIGHT',
    'RAW_REQUESTS',
    'CONNECTIONS',
    'ORDERS',
  ]),
  interval: choice('interval', ['SECOND', 'MINUTE', 'DAY']),
  intervalNum: integer('intervalNum'),
  limit: integer('limit'),
}

export const rateLimit = new Answer(limit)
export type RateLimitRow = RowOf<typeof limit> & {
  readonly intervalNum: number
  readonly limit: number
}

/** What counts how the requests of a transport arrive: each by itself, or the connection that carries them. */
export type ArrivalLimit = 'RAW_REQUESTS' | 'CONNECTIONS'

/** A rate limit with what is used of it. */
export const rateLimitCount = new Answer({ ...limit, count: integer('count') })
export type RateLimitCount = RateLimitRow & { readonly count: number }
