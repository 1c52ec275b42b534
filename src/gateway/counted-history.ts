/**
 * The archive's answers as one gateway asks for them, counted while they are under way, so that a stop
 * can wait for them. Used on the gateway's thread only; it keeps nothing and changes no answer.
 */
import type { GatewayHistory } from './gateway.ts'

export class CountedHistory implements GatewayHistory {
  readonly #history: GatewayHistory
  #count = 0

  constructor(history: GatewayHistory) {
    this.#history = history
  }

  /** Questions that are not answered yet. */
  get count(): number {
    return this.#count
  }

  allOrders: GatewayHistory['allOrders'] = (query) => this.#counted(this.#history.allOrders(query))

  order: GatewayHistory['order'] = (query) => this.#counted(this.#history.order(query))

  myTrades: GatewayHistory['myTrades'] = (query) => this.#counted(this.#history.myTrades(query))

  recentTrades: GatewayHistory['recentTrades'] = (query) =>
    this.#counted(this.#history.recentTrades(query))

  orderList: GatewayHistory['orderList'] = (query) => this.#counted(this.#history.orderList(query))

  orderLists: GatewayHistory['orderLists'] = (query) =>
    this.#counted(this.#history.orderLists(query))

  openOrderLists: GatewayHistory['openOrderLists'] = (query) =>
    this.#counted(this.#history.openOrderLists(query))

  preventedMatches: GatewayHistory['preventedMatches'] = (query) =>
    this.#counted(this.#history.preventedMatches(query))

  amendments: GatewayHistory['amendments'] = (query) =>
    this.#counted(this.#history.amendments(query))

  async #counted<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#count++
    try {
      return await answer
    } finally {
      this.#count--
    }
  }
}
