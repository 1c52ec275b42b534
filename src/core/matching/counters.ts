/**
 * The numbers that a symbol counts: places in one Float64Array that its engine writes, and state-hash
 * and tests read. All of them are carried by events, so recovery restores them.
 */
export const Counter = {
  /** Last event sequence given, from 1. */
  sequence: 0,
  /** Last order id given, from 1. */
  orderId: 1,
  /** Last trade id given, from 1. */
  tradeId: 2,
  /** Depth version: how often a price level changed. */
  updateId: 3,
  /** Prevented matches so far, and so the id of the next: they count from 0. */
  preventedMatchId: 4,
  /** Price of the last trade; 0 when there was none. */
  lastPriceTicks: 5,
} as const

export const COUNTERS = 6
