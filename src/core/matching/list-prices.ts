/** How the prices of a pair of legs must stand around the last price (supplement 2a.4). */
import { RejectReason, Side } from '../../base/codes.ts'
import type { Ticks } from '../../base/units.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import type { SymbolState } from './symbol-state.ts'
import { ADMITTED, type Verdict } from './verdict.ts'

/**
 * A SELL's limit or take-profit price is above the last price and its stop-loss price below; a BUY's
 * the other way round. Without a last price they are judged against each other; a leg that trails
 * without a stop price is not judged.
 */
export function judgeRelation(
  stopLoss: ArrivingOrder,
  other: ArrivingOrder,
  state: SymbolState,
): Verdict {
  const lastTicks = state.lastPriceTicks
  const stopTicks = stopLoss.stopTicks
  const otherTicks = other.isStop ? other.stopTicks : other.priceTicks
  const isSell = stopLoss.side === Side.SELL
  const isRelated = (low: Ticks, high: Ticks): boolean => low === 0 || high === 0 || low < high
  const isOrdered = (outer: Ticks, inner: Ticks): boolean =>
    isSell ? isRelated(inner, outer) : isRelated(outer, inner)
  const stands =
    lastTicks === 0
      ? isOrdered(otherTicks, stopTicks)
      : isOrdered(otherTicks, lastTicks) && isOrdered(lastTicks, stopTicks)
  return stands ? ADMITTED : RejectReason.PRICES_NOT_RELATED
}
