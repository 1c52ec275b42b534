/**
 * Long lists of the market's past as answers show them. The archive's threads write them, so that the
 * gateway has only to pass them on (bench `queries`).
 */
import type { SymbolSpec } from '#base/listing.ts'
import type { AggregateTradeRow, KlineRow, PublicTradeRow } from '#base/market-history.ts'
import { aggregateTradeText, klineText, publicTradeText } from './ticker.ts'

/** How the rows of a list are to be written. */
export interface ListForm {
  readonly spec: SymbolSpec
  readonly microseconds: boolean
}

/** A JSON array of texts. */
export const arrayText = (texts: readonly string[]): string => `[${texts.join()}]`

export const klineTexts = (rows: readonly KlineRow[], form: ListForm): string[] =>
  rows.map((row) => klineText(form.spec, row, form.microseconds))

export const publicTradeTexts = (rows: readonly PublicTradeRow[], form: ListForm): string[] =>
  rows.map((row) => publicTradeText(form.spec, row, form.microseconds))

export const aggregateTradeTexts = (rows: readonly AggregateTradeRow[], form: ListForm): string[] =>
  rows.map((row) => aggregateTradeText(form.spec, row, form.microseconds))
