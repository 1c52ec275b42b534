/**
 * Who is turned away when more is asked for than can be done: what changes orders, once this gateway has
 * so much of it on the way that one more would wait too long. It is judged before keys and parameters
 * are, because a refusal must cost far less than an order, or refusing would be what nobody keeps up
 * with. Queries go on: by them clients find out what became of their orders.
 */
import type { Operation } from '#api/operations/index.ts'
import { GatewayCounter, type ThreadCounters } from '#ring/counters.ts'
import type { Pending } from './pending.ts'

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

  /** Whether the request is to be answered "busy" (-1008). Counts it. */
  turnsAway({ sources }: Operation): boolean {
    if (this.#pending.count < this.#pendingOrders) return false
    if (sources.length !== 1 || sources[0] !== 'ENGINE') return false
    this.#counters.add(GatewayCounter.pendingFull, 1)
    return true
  }
}
