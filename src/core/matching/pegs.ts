/**
 * Prices of pegged orders (faqs/pegged_orders.md): that of a level of the book as the order begins to work, once. It
 * passes the filters of prices then, which the gateway applies to the prices that clients send.
 */
import { PegPriceType, RejectReason, Side } from '../../base/codes.ts'
import { Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { isWithinPercent, referenceAverage } from '../../market/percent-price.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { SymbolState } from './symbol-state.ts'

const percentReasons: Readonly<Record<string, RejectReason>> = {
  PERCENT_PRICE: RejectReason.PERCENT_PRICE,
  PERCENT_PRICE_BY_SIDE: RejectReason.PERCENT_PRICE_BY_SIDE,
}

/** Gives the order its price, unless there is none or a filter refuses it. */
export function fixPrice(order: ArrivingOrder, state: SymbolState, spec: SymbolSpec): Verdict {
  const ticks = levelTicks(order, state)
  if (ticks === 0) return RejectReason.PEG_LIQUIDITY
  const priceTicks = lessAggressive(order, ticks)
  const verdict = judgePrice(order, priceTicks, state, spec)
  if (verdict === ADMITTED) order.fixPrice(priceTicks)
  return verdict
}

/** Returns the price of the level that the order names; 0 where the book has no such level. */
function levelTicks(order: ArrivingOrder, { book }: SymbolState): Ticks {
  const isOwnSide = order.pegPriceType === PegPriceType.PRIMARY_PEG
  const levels = order.pegLevels + 1
  let ticks = Ticks(0)
  const found = book.forEachLevel(
    isOwnSide ? order.side : order.side ^ 1,
    (priceTicks) => {
      ticks = priceTicks
    },
    Ticks(0),
    levels,
  )
  return found === levels ? ticks : Ticks(0)
}

/** The client's own limit, where it has one, bounds the peg. */
function lessAggressive({ side, priceTicks }: ArrivingOrder, ticks: Ticks): Ticks {
  if (priceTicks === 0) return ticks
  return Ticks(side === Side.BUY ? Math.min(ticks, priceTicks) : Math.max(ticks, priceTicks))
}

/** PRICE_FILTER, PERCENT_PRICE and the least notional; admission.ts judges the largest of every order. */
function judgePrice(
  { side, lots }: ArrivingOrder,
  ticks: Ticks,
  state: SymbolState,
  spec: SymbolSpec,
): Verdict {
  if (ticks < spec.priceTicksMin || ticks > spec.priceTicksMax) return RejectReason.PRICE_FILTER
  const reference = referenceAverage(spec.tickUnits, state.reference.unitsAt(state.timeMs))
  for (const filter of spec.bounds.percentPrices) {
    const average = reference ?? state.averagePrice(filter.avgPriceMins)
    if (average !== undefined && !isWithinPercent(filter, average, side as Side, ticks))
      return percentReasons[filter.filterType]!
  }
  const least = state.notional.down(ticks, lots)
  if (least < spec.notionalAtomsMin) return RejectReason.NOTIONAL_TOO_SMALL
  return least < 1 ? RejectReason.NOTIONAL_IS_ZERO : ADMITTED
}
