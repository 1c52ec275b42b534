/**
 * The archive as it is asked from outside its thread: for rows, as `History` answers them, or for lists
 * that are rendered here.
 */
import {
  aggregateTradeTexts,
  arrayBytes,
  type ListForm,
  publicTradeTexts,
} from '#api/render/history-lists.ts'
import type { History } from '#archive/history.ts'
import type { AggregateTradesQuery, KlineQuery, PublicTradesQuery } from '#base/market-history.ts'
import { KlineLists } from './kline-lists.ts'

/** What of History can be asked for rows: each takes one query. */
export type RowsAsk =
  | 'allOrders'
  | 'order'
  | 'myTrades'
  | 'publicTrades'
  | 'aggregateTrades'
  | 'klines'
  | 'window'
  | 'day'
  | 'orderList'
  | 'orderLists'
  | 'openOrderLists'
  | 'preventedMatches'
  | 'amendments'
  | 'tradingStatus'
  | 'tradingVolume'

/** What can be asked for as the bytes of a JSON array: each takes a query and how rows are to be written. */
export type ListAsk = 'klineList' | 'publicTradeList' | 'aggregateTradeList'

export type HistoryQuery<Ask extends RowsAsk> = Parameters<History[Ask]>[0]

export class HistoryDesk {
  readonly #history: History
  readonly #klines: KlineLists

  constructor(history: History) {
    this.#history = history
    this.#klines = new KlineLists(history)
  }

  /** What is archived by now; `form` is for a ListAsk. */
  answer(ask: RowsAsk | ListAsk, query: unknown, form?: ListForm): unknown {
    const history = this.#history
    history.refresh()
    const answer =
      form === undefined
        ? (history[ask as RowsAsk] as (query: unknown) => unknown).call(history, query)
        : this[ask as ListAsk](query as never, form)
    // An old state that is held while nobody asks keeps its pages, and the archive grows instead.
    history.refresh()
    return answer
  }

  klineList(query: KlineQuery, form: ListForm): Uint8Array {
    return this.#klines.list(query, form)
  }

  publicTradeList(query: PublicTradesQuery, form: ListForm): Uint8Array {
    return arrayBytes(publicTradeTexts(this.#history.publicTrades(query), form))
  }

  aggregateTradeList(query: AggregateTradesQuery, form: ListForm): Uint8Array {
    return arrayBytes(aggregateTradeTexts(this.#history.aggregateTrades(query), form))
  }
}
