/**
 * Long lists of the market's past as answers show them. The archive's threads write them, as bytes, so
 * that the gateway has only to pass them on: a text of a hundred kilobytes would cost it a third of a
 * millisecond to encode (bench `queries`).
 */
import type { SymbolSpec } from '#base/listing.ts'
import type { AggregateTradeRow, KlineRow, PublicTradeRow } from '#base/market-history.ts'
import { aggregateTradeText, klineText, publicTradeText } from './ticker.ts'

/** How the rows of a list are to be written. */
export interface ListForm {
  readonly spec: SymbolSpec
  readonly microseconds: boolean
}

/**
 * A JSON array of texts, which are ASCII, in memory of its own. `head`, if there is one, is what it
 * begins with: texts that were joined before.
 */
export function arrayBytes(texts: readonly string[], head?: Uint8Array): Uint8Array {
  const comma = head !== undefined && texts.length > 0 ? ',' : ''
  const rest = `${comma}${texts.join()}]`
  const restAt = 1 + (head?.length ?? 0)
  const bytes = Buffer.allocUnsafeSlow(restAt + rest.length)
  bytes.write('[', 'latin1')
  if (head !== undefined) bytes.set(head, 1)
  bytes.write(rest, restAt, 'latin1')
  return bytes
}

export const klineTexts = (rows: readonly KlineRow[], form: ListForm): string[] =>
  rows.map((row) => klineText(form.spec, row, form.microseconds))

export const publicTradeTexts = (rows: readonly PublicTradeRow[], form: ListForm): string[] =>
  rows.map((row) => publicTradeText(form.spec, row, form.microseconds))

export const aggregateTradeTexts = (rows: readonly AggregateTradeRow[], form: ListForm): string[] =>
  rows.map((row) => aggregateTradeText(form.spec, row, form.microseconds))
