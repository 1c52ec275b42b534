/** Reads the archive on a history thread: rows as `History` returns them, or lists that it encodes. */
import { encodeList } from '../api/answers/encoders.ts'
import { listRows } from '../api/answers/history-lists.ts'
import type { History } from '../archive/history.ts'
import {
  type HistoryName,
  type HistoryQuery,
  isListName,
  type ListForm,
  type ListName,
  type ListRow,
} from '../history/queries.ts'
import { KlineLists } from './kline-lists.ts'

export class QueryService {
  private readonly history: History
  private readonly klines: KlineLists

  constructor(history: History) {
    this.history = history
    this.klines = new KlineLists(history)
  }

  /** Returns what is archived by now: rows, or with a `form` an array of them, encoded. */
  read(name: HistoryName, query: unknown, form?: ListForm): unknown {
    const history = this.history
    return history.read(() =>
      form !== undefined && isListName(name)
        ? this.list(name, query as never, form)
        : (history[name] as (query: unknown) => unknown).call(history, query),
    )
  }

  private list<Name extends ListName>(
    name: Name,
    query: HistoryQuery<Name>,
    form: ListForm,
  ): Uint8Array {
    if (name === 'klines') {
      return this.klines.list(query as HistoryQuery<'klines'>, form)
    }
    const history = this.history
    const rowsOf = history[name] as (query: HistoryQuery<Name>) => readonly ListRow<Name>[]
    return encodeList(form.encoding, listRows(name, rowsOf.call(history, query), form))
  }
}
