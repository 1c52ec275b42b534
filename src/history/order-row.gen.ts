// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import type { OrderRow, OrderRowDetails } from './account-history.ts'
import type { StandingOrder } from '../layout/order.gen.ts'

/**
 * Returns a row with what `order` says. Field by field: a spread takes six times as long, and a list of open
 * orders has thousands.
 */
export const orderRowOf = (
  order: Readonly<StandingOrder>,
  preventedMatchIdPlusOne: number,
  clientOrderId: string,
  details: OrderRowDetails | undefined,
): OrderRow => ({
  account: order.account,
  terms: order.terms,
  orderId: order.orderId,
  priceTicks: order.priceTicks,
  lots: order.lots,
  quoteAtoms: order.quoteAtoms,
  filledLots: order.filledLots,
  filledAtoms: order.filledAtoms,
  preventedLots: order.preventedLots,
  createdMs: order.createdMs,
  updatedMs: order.updatedMs,
  status: order.status,
  reason: order.reason,
  preventedMatchIdPlusOne,
  clientOrderId,
  details,
})
