/**
 * Long lists of the past as answers show them. The archive's threads write them, so that the gateway has
 * only to pass them on, and no order waits while it renders (bench `queries`).
 */
import type { ListForm, ListName, ListRow } from '../../history/queries.ts'
import { Rows } from '../answers/answer.ts'
import { aggregateTrade, kline, publicTrade } from '../answers/market.ts'
import { accountTrade } from './account-trade.ts'
import { textOf } from './json-bytes.ts'
import { orderRecord } from './order-record.ts'
import { preventedMatch } from './prevented-match.ts'

type RowText<Name extends ListName> = (row: ListRow<Name>, form: ListForm) => string

const rowTexts: { readonly [Name in ListName]: RowText<Name> } = {
  allOrders: (row, { spec, microseconds }) => orderRecord(spec, row, microseconds),
  myTrades: (row, { spec, assets = [], microseconds }) =>
    accountTrade(spec, assets, row, microseconds),
  preventedMatches: (row, { spec, microseconds }) => preventedMatch(spec, row, microseconds),
  publicTrades: (row, form) => textOf(new Rows(publicTrade, row, form)),
  aggregateTrades: (row, form) => textOf(new Rows(aggregateTrade, row, form)),
  klines: (row, form) => textOf(new Rows(kline, row, form)),
}

/** Each row as JSON. */
export function listTexts<Name extends ListName>(
  name: Name,
  rows: readonly ListRow<Name>[],
  form: ListForm,
): string[] {
  const text: RowText<Name> = rowTexts[name]
  return rows.map((row) => text(row, form))
}

/** A JSON array of texts. */
export const arrayText = (texts: readonly string[]): string => `[${texts.join()}]`
