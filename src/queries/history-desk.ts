/**
 * The archive as it is asked from outside its thread: for rows, as `History` answers them, or for lists
 * that are rendered here.
 */
import {
  arrayText,
  type ListForm,
  type ListName,
  type ListQuery,
  type ListRow,
  listTexts,
} from '../api/render/history-lists.ts'
import type { History } from '../archive/history.ts'
import { KlineLists } from './kline-lists.ts'

/** What of History can be asked: each takes one query. */
export type HistoryAsk =
  | ListName
  | 'order'
  | 'window'
  | 'day'
  | 'orderList'
  | 'orderLists'
  | 'openOrderLists'
  | 'amendments'
  | 'tradingStatus'
  | 'tradingVolume'

export type HistoryQuery<Ask extends HistoryAsk> = Parameters<History[Ask]>[0]

export class HistoryDesk {
  readonly #history: History
  readonly #klines: KlineLists

  constructor(history: History) {
    this.#history = history
    this.#klines = new KlineLists(history)
  }

  /** What is archived by now: rows, or with a `form` a JSON array of them. */
  answer(ask: HistoryAsk, query: unknown, form?: ListForm): unknown {
    const history = this.#history
    history.refresh()
    const answer =
      form === undefined
        ? (history[ask] as (query: unknown) => unknown).call(history, query)
        : this.#list(ask as ListName, query as never, form)
    // An old state that is held while nobody asks keeps its pages, and the archive grows instead.
    history.refresh()
    return answer
  }

  #list<Name extends ListName>(name: Name, query: ListQuery<Name>, form: ListForm): string {
    if (name === 'klines') return this.#klines.list(query as ListQuery<'klines'>, form)
    const history = this.#history
    const rowsOf = history[name] as (query: ListQuery<Name>) => readonly ListRow<Name>[]
    return arrayText(listTexts(name, rowsOf.call(history, query), form))
  }
}
