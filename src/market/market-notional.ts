/** NOTIONAL and MIN_NOTIONAL of MARKET orders by quantity (filters.md), compared exactly. */
import type { QuoteAtoms } from '../base/units.ts'
import type { NotionalRule, SymbolSpec } from './listing.ts'
import type { AveragePrice } from './percent-price.ts'

export const appliesToMarket = (rule: NotionalRule): boolean =>
  rule.minAppliesToMarket || rule.maxAppliesToMarket

/**
 * Returns the first rule that refuses so many lots at the average price of its minutes; undefined where none does. A
 * rule without an average passes.
 */
export function brokenMarketRule(
  spec: SymbolSpec,
  lots: number,
  averageOf: (minutes: number) => AveragePrice | undefined,
): NotionalRule | undefined {
  for (const rule of spec.notionalRules) {
    if (!appliesToMarket(rule)) continue
    const average = averageOf(rule.avgPriceMins)
    if (average === undefined) continue
    const atoms = average.tickLots * BigInt(lots) * BigInt(spec.atomsPerTickLot)
    const bound = (boundAtoms: QuoteAtoms) =>
      BigInt(boundAtoms) * average.lots * BigInt(spec.tickLotParts)
    const tooSmall = rule.minAppliesToMarket && atoms < bound(rule.atomsMin)
    const tooLarge = rule.maxAppliesToMarket && atoms > bound(rule.atomsMax)
    if (tooSmall || tooLarge) return rule
  }
  return undefined
}
