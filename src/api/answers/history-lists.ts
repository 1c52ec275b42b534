/** Lists of the past: the table of rows for each query of the archive. */
import type { ListName, ListRow } from '../../history/queries.ts'
import { type Answer, type AnyRows, Rows } from './answer.ts'
import type { Elements, Form, RowOf } from './element.ts'
import { aggregateTrade, blockTrade, kline, publicTrade } from './market.ts'
import { accountTrade, allocation, order } from './orders.ts'

type Show<Row> = (rows: readonly Row[], form: Form) => AnyRows

const shownBy =
  <E extends Elements>(answer: Answer<E>): Show<RowOf<E>> =>
  (rows, form) =>
    new Rows(answer, rows, form)

const shows: { readonly [Name in ListName]: Show<ListRow<Name>> } = {
  allOrders: shownBy(order),
  myTrades: shownBy(accountTrade),
  allocations: shownBy(allocation),
  publicTrades: shownBy(publicTrade),
  blockTrades: shownBy(blockTrade),
  aggregateTrades: shownBy(aggregateTrade),
  klines: shownBy(kline),
}

/** The rows of a list with their table. */
export function listRows<Name extends ListName>(
  name: Name,
  rows: readonly ListRow<Name>[],
  form: Form,
): AnyRows {
  const show: Show<ListRow<Name>> = shows[name]
  return show(rows, form)
}
