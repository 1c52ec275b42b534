/**
 * The archive's answers as one gateway asks for them, counted while they are under way, so that a stop
 * can wait for them. Used on the gateway's thread only; it keeps nothing and changes no answer.
 */
import type { HistoryQueries } from '#api/context.ts'

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

  allOrders: HistoryQueries['allOrders'] = (query) => this.#counted(this.#history.allOrders(query))

  order: HistoryQueries['order'] = (query) => this.#counted(this.#history.order(query))

  myTrades: HistoryQueries['myTrades'] = (query) => this.#counted(this.#history.myTrades(query))

  publicTrades: HistoryQueries['publicTrades'] = (query) =>
    this.#counted(this.#history.publicTrades(query))

  aggregateTrades: HistoryQueries['aggregateTrades'] = (query) =>
    this.#counted(this.#history.aggregateTrades(query))

  klines: HistoryQueries['klines'] = (query) => this.#counted(this.#history.klines(query))

  klineList: HistoryQueries['klineList'] = (query, form) =>
    this.#counted(this.#history.klineList(query, form))

  publicTradeList: HistoryQueries['publicTradeList'] = (query, form) =>
    this.#counted(this.#history.publicTradeList(query, form))

  aggregateTradeList: HistoryQueries['aggregateTradeList'] = (query, form) =>
    this.#counted(this.#history.aggregateTradeList(query, form))

  window: HistoryQueries['window'] = (query) => this.#counted(this.#history.window(query))

  day: HistoryQueries['day'] = (query) => this.#counted(this.#history.day(query))

  orderList: HistoryQueries['orderList'] = (query) => this.#counted(this.#history.orderList(query))

  orderLists: HistoryQueries['orderLists'] = (query) =>
    this.#counted(this.#history.orderLists(query))

  openOrderLists: HistoryQueries['openOrderLists'] = (query) =>
    this.#counted(this.#history.openOrderLists(query))

  preventedMatches: HistoryQueries['preventedMatches'] = (query) =>
    this.#counted(this.#history.preventedMatches(query))

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
