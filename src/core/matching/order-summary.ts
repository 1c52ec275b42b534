/**
 * What events contain of one order: owner, terms, progress. The order at work is
 * one (arriving-order.ts); an open order is copied into one before an event is written.
 */

import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { WholeOrder } from '../../layout/order.gen.ts'

export class OrderSummary extends WholeOrder {
  /** Slot of a detailed order, and of one that rests; 0 while it is plain and at work. */
  slot = 0
  /** Where its client order id stands. */
  idWords: Int32Array = new Int32Array(0)
  idAt = 0
}

/** What recovery keeps of the order whose execution it applies. Written by the event and detail appliers. */
export class ExecutionOrder extends OrderSummary {
  override readonly idWords = new Int32Array(CLIENT_ORDER_ID_WORDS)
}
