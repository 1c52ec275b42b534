/** The quantity of pending orders that sell what their working order bought (faqs/opo.md). */
import { assert } from '../../src/base/assert.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import type { PlainMarket } from './plain-market.ts'
import { isMarketType, type PlainOrder } from './plain-order.ts'
import { referenceAt } from './plain-reference.ts'
import { lesser } from './plain-sizing.ts'

/** Sizes the orders, which share a purse, by what is in it. Returns whether their filters allow that. */
export function sizeByReceipt(market: PlainMarket, orders: readonly PlainOrder[]): boolean {
  const { atoms } = orders[0]!.purse
  const allowed = orders.map(({ type }) => mostLots(market.spec, isMarketType(type), atoms))
  const lots = allowed.reduce(lesser)
  for (const order of orders) {
    order.lots = lots
    order.open = lots
  }
  return orders.every((order) => passesFilters(market, order))
}

/** One by one from what there is down to whole steps, as a clerk would. */
function mostLots(spec: SymbolSpec, isMarket: boolean, atoms: bigint): bigint {
  const lotAtoms = BigInt(spec.atomsPerLot)
  let lots = lesser(atoms / lotAtoms, BigInt(spec.qtyLotsMax))
  if (!isMarket) return lots
  lots = lesser(lots, BigInt(spec.marketQtyLotsMax))
  const step = BigInt(spec.marketStepUnits)
  while (step > 0n && (lots * lotAtoms) % step !== 0n) lots--
  return lots
}

function passesFilters(market: PlainMarket, order: PlainOrder): boolean {
  const { spec } = market
  const { lots, icebergLots, price } = order
  const isMarket = isMarketType(order.type)
  if (lots < BigInt(spec.qtyLotsMin)) return false
  if (isMarket && lots < BigInt(spec.marketQtyLotsMin)) return false
  if (icebergLots > 0n) {
    const parts = Number((lots + icebergLots - 1n) / icebergLots)
    if (icebergLots >= lots || parts > spec.bounds.icebergPartsMax) return false
  }
  // The price of a pegged order is judged once it is fixed.
  if (order.pegPriceType !== 0) return true
  if (isMarket) return passesNotional(market, lots)
  const worth = market.rounded(price, lots, false)
  return worth > 0n && worth >= BigInt(spec.notionalAtomsMin)
}

/** The twin keeps no trades: its symbols have no minutes of an average, for which the last price stands. */
function passesNotional({ spec, state, last, timeMs }: PlainMarket, lots: bigint): boolean {
  const reference = referenceAt(state.reference, spec.tickUnits, timeMs)
  const one = BigInt(spec.tickLotParts) * (reference === undefined ? 1n : BigInt(spec.tickUnits))
  const worth = (reference ?? last) * lots * BigInt(spec.atomsPerTickLot)
  return spec.notionalRules.every((rule) => {
    assert(rule.avgPriceMins === 0 || reference !== undefined, 'no average is asked for')
    return (
      (!rule.minAppliesToMarket || worth >= BigInt(rule.atomsMin) * one) &&
      (!rule.maxAppliesToMarket || worth <= BigInt(rule.atomsMax) * one)
    )
  })
}
