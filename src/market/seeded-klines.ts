/**
 * Klines of minutes that a symbol begins with, from a seed file: of another venue, before this exchange's own
 * trades. They are shown as klines, and are nothing else here: no trade, no part of a ticker.
 */
import type { Ms, SymbolId, Ticks } from '../base/units.ts'

/** Of all symbols together: a week of minutes of one. */
export const SEEDED_KLINES_MAX = 10_080

/** A minute with trades. Volumes are decimal text of lots and of quote atoms, since they may outgrow a number. */
export type SeededMinute = readonly [
  openMs: Ms,
  openTicks: Ticks,
  highTicks: Ticks,
  lowTicks: Ticks,
  closeTicks: Ticks,
  trades: number,
  lots: string,
  quoteAtoms: string,
  takerBuyLots: string,
  takerBuyQuoteAtoms: string,
]

export interface SeededKlines {
  readonly symbol: SymbolId
  /** Ascending, and later than those of the symbol before. */
  readonly minutes: readonly SeededMinute[]
}
