/**
 * Refuses requests that change orders, once this gateway has so many commands under way that one more
 * would wait too long. It comes before the checks of keys and parameters, because a refusal must cost far
 * less than an order. Queries continue, since clients need them to learn the fate of their orders. They
 * have room of their own (queriesMax), so that they take none from orders.
 */
import type { Operation } from '../../api/operations/index.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Pending } from '../engine-link/pending.ts'

export class Overload {
  readonly #pending: Pending
  readonly #pendingOrders: number
  readonly #counters: ThreadCounters

  /** `pendingOrders` is the number of commands under way at which orders are refused. */
  constructor(pending: Pending, pendingOrders: number, counters: ThreadCounters) {
    this.#pending = pending
    this.#pendingOrders = pendingOrders
    this.#counters = counters
  }

  /** Whether the caller must respond with refuse(). */
  turnsAway({ effect }: Operation): boolean {
    const { count, queries } = this.#pending
    return effect !== 'NONE' && count - queries >= this.#pendingOrders
  }

  /** Returns the refusal, and counts it. */
  refuse(): 'SERVER_BUSY' {
    this.#counters.add(GatewayCounter.pendingFull, 1)
    return 'SERVER_BUSY'
  }
}
