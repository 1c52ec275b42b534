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
  /** As the last PhaseChanged says: what interrupts trading. */
  bandBasisPoints: 10,
  windowMs: 11,
  /** The price that bands are measured from, and since when; only kept while something interrupts trading. */
  referenceTicks: 12,
  referenceMs: 13,
  /** The official close: the last price when the day's trading ended, and when that was; 0 before the first. */
  closeTicks: 14,
  closeMs: 15,
} as const

export const COUNTERS = 16
/** How many a snapshot of the layout before has. */
export const OLDER_COUNTERS = 6
