/**
 * Long lists of the past as answers show them. The archive's threads write them, so that the gateway has
 * only to pass them on, and no order waits while it renders (bench `queries`).
 */
import type { ListForm, ListName, ListRow } from '../../history/queries.ts'
import { type Answer, Rows } from '../answers/answer.ts'
import type { Elements, RowOf } from '../answers/element.ts'
import { aggregateTrade, kline, publicTrade } from '../answers/market.ts'
import { accountTrade, order, preventedMatch } from '../answers/orders.ts'
import { textOf } from './json-bytes.ts'

type RowText<Name extends ListName> = (row: ListRow<Name>, form: ListForm) => string

function rowText<E extends Elements>(answer: Answer<E>) {
  return (row: RowOf<E>, form: ListForm) => textOf(new Rows(answer, row, form))
}

const rowTexts: { readonly [Name in ListName]: RowText<Name> } = {
  allOrders: rowText(order),
  myTrades: rowText(accountTrade),
  preventedMatches: rowText(preventedMatch),
  publicTrades: rowText(publicTrade),
  aggregateTrades: rowText(aggregateTrade),
  klines: rowText(kline),
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
