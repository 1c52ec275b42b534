/**
 * The archive's answers as one gateway asks for them, counted while they are under way, so that a stop
 * can wait for them. Used on the gateway's thread only; it keeps nothing and changes no answer.
 */
import type { HistoryQueries } from '../../api/context.ts'

export class CountedHistory implements HistoryQueries {
  readonly #history: HistoryQueries
  #count = 0

  constructor(history: HistoryQueries) {
    this.#history = history
  }

  /** Questions that are not answered yet. */
  get count(): number {
    return this.#count
  }

  order: HistoryQueries['order'] = (query) => this.#counted(this.#history.order(query))

  publicTrades: HistoryQueries['publicTrades'] = (query) =>
    this.#counted(this.#history.publicTrades(query))

  aggregateTrades: HistoryQueries['aggregateTrades'] = (query) =>
    this.#counted(this.#history.aggregateTrades(query))

  klines: HistoryQueries['klines'] = (query) => this.#counted(this.#history.klines(query))

  list: HistoryQueries['list'] = (name, query, form) =>
    this.#counted(this.#history.list(name, query, form))

  window: HistoryQueries['window'] = (query) => this.#counted(this.#history.window(query))

  day: HistoryQueries['day'] = (query) => this.#counted(this.#history.day(query))

  orderList: HistoryQueries['orderList'] = (query) => this.#counted(this.#history.orderList(query))

  orderLists: HistoryQueries['orderLists'] = (query) =>
    this.#counted(this.#history.orderLists(query))

  openOrderLists: HistoryQueries['openOrderLists'] = (query) =>
    this.#counted(this.#history.openOrderLists(query))

  amendments: HistoryQueries['amendments'] = (query) =>
    this.#counted(this.#history.amendments(query))

  tradingStatus: HistoryQueries['tradingStatus'] = (query) =>
    this.#counted(this.#history.tradingStatus(query))

  tradingVolume: HistoryQueries['tradingVolume'] = (query) =>
    this.#counted(this.#history.tradingVolume(query))

  async #counted<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#count++
    try {
      return await answer
    } finally {
      this.#count--
    }
  }
}
