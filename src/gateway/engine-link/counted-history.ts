/**
 * One gateway's queries of the archive, counted while they are under way, so that a stop can wait for
 * them. Used on the gateway's thread only; it changes no result.
 */
import { type HistoryQueries, historyQueries, type ListName } from '../../history/queries.ts'

export class CountedHistory {
  readonly queries: HistoryQueries
  private _count = 0

  constructor(history: HistoryQueries) {
    this.queries = historyQueries(async (name, query, form) => {
      this._count++
      try {
        return await (form === undefined
          ? history[name](query as never)
          : history.list(name as ListName, query as never, form))
      } finally {
        this._count--
      }
    })
  }

  /** Queries without a result so far. */
  get count(): number {
    return this._count
  }
}
