/**
 * Who is turned away when more is asked for than can be done: what changes orders, once this gateway has
 * so much of it on the way that one more would wait too long. It is judged before keys and parameters
 * are, because a refusal must cost far less than an order, or refusing would be what nobody keeps up
 * with. Queries go on: by them clients find out what became of their orders. They have room of their own
 * (queriesMax), so that they take none from orders.
 */
import type { Operation } from '../../api/operations/index.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Pending } from './pending.ts'

const QUERIES_MAX = 1_024
/** The part of a command ring that queries may fill. */
const QUERY_SHARE = 4

/** Queries that one gateway may have on the way, where its command rings have so many slots. */
export const queriesMax = (ringSlots: number): number =>
  Math.min(QUERIES_MAX, ringSlots / QUERY_SHARE)

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
  turnsAway({ sources }: Operation): boolean {
    const { count, queries } = this.#pending
    const isOverloaded = count - queries >= this.#pendingOrders
    return isOverloaded && sources.length === 1 && sources[0] === 'ENGINE'
  }

  /** The answer, which is counted. */
  refuse(): 'SERVER_BUSY' {
    this.#counters.add(GatewayCounter.pendingFull, 1)
    return 'SERVER_BUSY'
  }
}
