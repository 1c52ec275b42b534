/**
 * The three indicators of an account's trading on a symbol (Binance.US, wallet):
 * the shares of the orders placed within the window that never filled, expired or were
 * canceled. The archive counts and stores them, the protocol shows them.
 */
import { MINUTE_MS, SECOND_MS } from '../market/intervals.ts'

/** Counts of the orders placed in a span of time. */
export interface OrderTally {
  /** Orders of any kind, and those that have filled at least in part. */
  readonly orders: number
  readonly filled: number
  /** IOC and FOK orders, and those that have expired. */
  readonly immediate: number
  readonly expired: number
  /** GTC orders, MARKET orders aside, and those that were canceled. */
  readonly lasting: number
  readonly canceled: number
}

export interface IndicatorTrigger {
  readonly name: 'UFR' | 'IFER' | 'GCR'
  /** The least number of orders, and the least share, that trigger it. */
  readonly orders: number
  readonly share: number
}

/** The window of orders that count, and the time between two refreshes. */
export const INDICATOR_WINDOW_MS = 10 * MINUTE_MS
export const INDICATOR_REFRESH_MS = 30 * SECOND_MS
/** Duration of a lock. The orders that caused it cause no other. */
export const LOCK_MS = 5 * MINUTE_MS

/** In the order of the response. */
export const indicatorTriggers: readonly IndicatorTrigger[] = [
  { name: 'UFR', orders: 300, share: 0.995 },
  { name: 'IFER', orders: 150, share: 0.99 },
  { name: 'GCR', orders: 150, share: 0.99 },
]

export interface Indicator {
  readonly trigger: IndicatorTrigger
  /** Orders that count. */
  readonly count: number
  /** 0 when there is none. */
  readonly share: number
}

export function indicatorsOf(tally: OrderTally): readonly Indicator[] {
  const { orders, filled, immediate, expired, lasting, canceled } = tally
  const parts = [
    [orders, orders - filled],
    [immediate, expired],
    [lasting, canceled],
  ] as const
  return indicatorTriggers.map((trigger, index) => {
    const [count, met] = parts[index]!
    return { trigger, count, share: count === 0 ? 0 : met / count }
  })
}

/** Whether one of the indicators locks the account. */
export const isSetOff = (tally: OrderTally): boolean =>
  indicatorsOf(tally).some(
    ({ trigger, count, share }) => count >= trigger.orders && share >= trigger.share,
  )
