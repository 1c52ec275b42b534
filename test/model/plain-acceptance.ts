/** An order that was judged and paid for enters: it has an id, and its owner gets an event. */

import { OrderPhase } from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import type { PlainMarket } from './plain-market.ts'
import { detailsOf, faceOf, type PlainOrder } from './plain-order.ts'
import { beginWaiting } from './plain-stops.ts'

export function acceptOrder(market: PlainMarket, order: PlainOrder, held: bigint): void {
  order.orderId = ++market.state.orderId
  if (order.phase === OrderPhase.UNTRIGGERED) beginWaiting(order, market.last, market.timeMs)
  market.state.orders.push(order)
  market.say('OrderAccepted', {
    ...faceOf(order),
    heldAtoms: int64(held),
    clientOrderId: order.clientOrderId,
    ...detailsOf(order),
  })
}
