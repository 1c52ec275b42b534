/**
 * Klines that a symbol begins with, before this exchange's own trades: minutes of another venue, from a seed file,
 * or a past that a demo makes up. They are shown as klines, and are nothing else here: no trade, no part of a
 * ticker.
 */
import type { Lots, Ms, SymbolId, Ticks } from '../base/units.ts'

/** Klines of all symbols together: a week of minutes of one. */
export const SEEDED_KLINES_MAX = 10_080
/** Days of a past that is made up: they fill a chart. The first read of all their minutes takes tens of ms. */
export const PAST_DAYS = 120

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

/** Minutes of one symbol, from a seed file. */
export interface SeededMinutes {
  readonly symbol: SymbolId
  /** Ascending, and later than those of the symbol before. */
  readonly minutes: readonly SeededMinute[]
}

/** Minutes that archive/seeded-past.ts derives, whenever they are read. A symbol has one past, or minutes. */
export interface SeededPast {
  readonly symbol: SymbolId
  /** An integer of 32 bits: the same values give the same klines. */
  readonly seed: number
  /** Opens the first minute: a whole one. */
  readonly fromMs: Ms
  readonly days: number
  /** Close of the last minute. */
  readonly closeTicks: Ticks
  /** Volume of a usual minute; at most PAST_LOTS_MAX. */
  readonly lots: Lots
}

/** The most lots of a bar: what the arithmetic of a past multiplies stays an exact number. */
export const PAST_LOTS_MAX = 2 ** 32

export type SeededKlines = SeededMinutes | SeededPast
