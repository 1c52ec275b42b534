/**
 * Refuses requests that change orders, once this gateway has so many commands under way that one more
 * would wait too long; and requests that place orders, while none are taken (Context.newOrderFault). It comes
 * before the checks of keys and parameters, because a refusal must cost far less than an order. Queries
 * continue, since clients need them to learn the fate of their orders. They have their own room
 * (queriesMax), so that they take none from orders. Cancels continue on the reserve, which is there for them.
 */
import { Fault } from '../api/errors.ts'
import type { Operation } from '../api/operations/index.ts'
import type { EngineClient } from '../gateway/engine-link/engine-client.ts'
import type { Pending } from '../gateway/engine-link/pending.ts'
import { GatewayCounter, type ThreadCounters } from '../shared/counters.ts'

const busy = new Fault('SERVER_BUSY')

export class Overload {
  private readonly pending: Pending
  private readonly pendingOrders: number
  private readonly engine: Pick<EngineClient, 'deferredOrders' | 'newOrderFault'>
  private readonly counters: ThreadCounters

  /**
   * `pendingOrders` is the number of commands under way at which orders are refused; those that matchers
   * have deferred do not count.
   */
  constructor(
    pending: Pending,
    pendingOrders: number,
    engine: Pick<EngineClient, 'deferredOrders' | 'newOrderFault'>,
    counters: ThreadCounters,
  ) {
    this.pending = pending
    this.pendingOrders = pendingOrders
    this.engine = engine
    this.counters = counters
  }

  /**
   * Returns the refusal, and counts it; undefined without one. The handler of a replacement refuses its new order
   * itself, and cancels the other one (replace-order.ts).
   */
  refusalOf({ effect }: Pick<Operation, 'effect'>): Fault | undefined {
    if (effect === 'NONE') return undefined
    const fault =
      effect === 'PLACES' || effect === 'MOVES' ? this.engine.newOrderFault() : undefined
    if (fault !== undefined || !this.isFull()) return fault
    this.counters.add(GatewayCounter.pendingFull, 1)
    return busy
  }

  /** What waits in a matcher behind a symbol delays no command of another. */
  private isFull(): boolean {
    const { count, queries } = this.pending
    if (count - queries < this.pendingOrders) return false
    return count - queries - this.engine.deferredOrders() >= this.pendingOrders
  }
}
