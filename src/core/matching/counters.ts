import { type Int64, int64 } from '../../base/int64.ts'
import { INTERRUPTIONS_KEPT } from '../../base/limits.ts'

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
  /** SymbolStatus of the phase, and 1 more; 0 while no event has named one: the symbol's status at its start. */
  phase: 6,
  /** SymbolStatus that follows at `endsMs`. */
  nextPhase: 7,
  /** When the phase ends by itself; 0 when it does not. */
  endsMs: 8,
  /** Price of the auction whose trades follow; 0 when none do. */
  auctionTicks: 9,
  /** From the last PhaseChanged: what interrupts trading. */
  bandBasisPoints: 10,
  windowMs: 11,
  /** The price that bands are measured from, and since when; only kept while something interrupts trading. */
  anchorTicks: 12,
  anchorMs: 13,
  /** The official close: the last price when the day's trading ended, and when that was; 0 before the first. */
  closeTicks: 14,
  closeMs: 15,
  /** Last trade id when that was. */
  closeTradeId: 16,
  /** From the last PhaseChanged: PhaseSettings.resumptions, and how often the call was extended. */
  resumptions: 17,
  extensions: 18,
  /** 1 while the trades of an auction are made at a bound of its corridor. */
  isAuctionBound: 19,
  /** Lots traded so far in the auction whose trades are made, and lots that are left at its price. */
  tradedLots: 20,
  surplus: 22,
  /** The last auction in which something traded: price, when its last trade was made, lots traded and left. */
  auctionedTicks: 24,
  auctionedMs: 25,
  auctionedLots: 26,
  auctionedSurplus: 28,
  /** When the last interruptions began, the latest first. */
  interruptedMs: 30,
} as const

export const COUNTERS = Counter.interruptedMs + INTERRUPTIONS_KEPT
/** How many a snapshot of each earlier layout may have. */
export const OLDER_COUNTERS: readonly number[] = [6, 16]

/** A sum of lots may be over 2^53: it takes two counters; the second counts these. */
const WIDE_PART = 2 ** 52

export function setWide(counters: Float64Array, at: number, value: Int64): void {
  const high = typeof value === 'number' ? 0 : Number(value / BigInt(WIDE_PART))
  counters[at] = Number(BigInt(value) - BigInt(high) * BigInt(WIDE_PART))
  counters[at + 1] = high
}

export function wideOf(counters: Float64Array, at: number): Int64 {
  const high = counters[at + 1]!
  return high === 0
    ? counters[at]!
    : int64(BigInt(high) * BigInt(WIDE_PART) + BigInt(counters[at]!))
}
