/** What the phase of a symbol says to new orders (supplement 2c.9). Cancels always work. */
import {
  OrderType,
  RejectReason,
  SymbolStatus,
  TimeInForce,
  timeInForceOf,
} from '../../base/codes.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { ADMITTED, type Verdict } from './verdict.ts'

export function phaseVerdict(status: SymbolStatus, order: ArrivingOrder): Verdict {
  if (status === SymbolStatus.TRADING) return ADMITTED
  if (status === SymbolStatus.HALT || status === SymbolStatus.BREAK) {
    return RejectReason.MARKET_CLOSED
  }
  const isAuction = status === SymbolStatus.PRE_TRADING || status === SymbolStatus.AUCTION_MATCH
  const isGoodTillCanceled = timeInForceOf(order.terms) === TimeInForce.GTC
  return isAuction && order.type === OrderType.LIMIT && !isGoodTillCanceled
    ? RejectReason.PHASE_REQUIRES_GTC
    : RejectReason.PHASE_REFUSES_TYPE
}
