/**
 * Orders that are executed next: pending legs that fills have released and stops that prices have woken,
 * in the order in which they are executed. A cascade may continue in a later batch, or after a start,
 * so the queue is part of the symbol's state: snapshots hold it, and recovery rebuilds it from events.
 * Writer: the engine of the symbol.
 */
import { assert } from '../../base/assert.ts'
import type { OrderId } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { OrderList } from './order-lists.ts'

export class ExecutionQueue {
  private readonly book: Pick<OrderBook, 'findOrder' | 'orderId'>
  /** Ids of orders; those before `next` were executed. */
  private orderIds: OrderId[] = []
  private next = 0
  /** What the execution at hand has released and woken. */
  private readonly released: OrderId[] = []
  private readonly woken: OrderId[] = []

  constructor(book: Pick<OrderBook, 'findOrder' | 'orderId'>) {
    this.book = book
  }

  /** A leg was filled whole: the legs that wait for it are released. */
  filled(list: OrderList, leg: number): void {
    if (!list.isWorkingLeg(leg)) return
    for (let pending = 1; pending < list.legs; pending++) {
      if (list.isOpen(pending)) this.released.push(list.orderIds[pending]!)
    }
  }

  /** A price of the execution has woken the stop. */
  woke(orderId: OrderId): void {
    this.woken.push(orderId)
  }

  /** The execution has ended: what it released queues first, then what it woke, oldest first. */
  endTurn(): void {
    if (this.released.length !== 0) {
      for (const orderId of this.released) this.orderIds.push(orderId)
      this.released.length = 0
    }
    if (this.woken.length === 0) return
    for (const orderId of this.woken.sort((a, b) => a - b)) this.orderIds.push(orderId)
    this.woken.length = 0
  }

  /** The slot of the order to execute next; 0 when there is none. Skips orders that have ended. */
  get nextSlot(): number {
    if (this.orderIds.length === 0) return 0
    for (; this.next < this.orderIds.length; this.next++) {
      const slot = this.book.findOrder(this.orderIds[this.next]!)
      if (slot !== 0) return slot
    }
    this.orderIds = []
    this.next = 0
    return 0
  }

  /** The order of `nextSlot` is executed. */
  shift(): void {
    this.next++
  }

  /** Recovery: the order was executed. */
  taken(orderId: OrderId): void {
    this.endTurn()
    const slot = this.nextSlot
    assert(slot !== 0 && this.book.orderId[slot] === orderId, 'executions come in their order')
    this.shift()
  }

  /** Ids of the open orders in the queue, between two executions. */
  open(): readonly OrderId[] {
    this.endTurn()
    const rest = this.orderIds.slice(this.next)
    return rest.filter((orderId) => this.book.findOrder(orderId) !== 0)
  }

  /** A snapshot has the order in its queue. */
  restore(orderId: OrderId): void {
    this.orderIds.push(orderId)
  }
}
