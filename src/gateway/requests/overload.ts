/**
 * Turns away requests that change orders, once so many commands of this gateway are on the way that one
 * more would wait too long. It comes before keys and parameters are checked, because a refusal must cost
 * far less than an order. Queries go on: by them clients find out what became of their orders. They have
 * room of their own (queriesMax), so that they take none from orders.
 */
import type { Operation } from '../../api/operations/index.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Pending } from '../engine-link/pending.ts'

export class Overload {
  readonly #pending: Pending
  readonly #pendingOrders: number
  readonly #counters: ThreadCounters

  /** `pendingOrders` is how many commands may be on the way before orders are turned away. */
  constructor(pending: Pending, pendingOrders: number, counters: ThreadCounters) {
    this.#pending = pending
    this.#pendingOrders = pendingOrders
    this.#counters = counters
  }

  /** Whether the request is to be answered with refuse(). */
  turnsAway({ effect }: Operation): boolean {
    const { count, queries } = this.#pending
    return effect !== 'NONE' && count - queries >= this.#pendingOrders
  }

  /** The answer, which is counted. */
  refuse(): 'SERVER_BUSY' {
    this.#counters.add(GatewayCounter.pendingFull, 1)
    return 'SERVER_BUSY'
  }
}
