/** A match that self-trade prevention did not let happen (supplement 2a.1, myPreventedMatches item). */

import { preventionOf, SelfTradePrevention } from '../../base/codes.ts'
import type { Lots } from '../../base/units.ts'
import type { PreventedMatchRow } from '../../history/account-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { shapes } from '../shapes/shapes.ts'
import { priceText, quantityText, timeOf } from './decimals.ts'
import { rendererOf } from './shape-text.ts'
import { preventionNames } from './terms.ts'

const preventedMatchJson = rendererOf(shapes.PreventedMatch)

export function preventedMatch(
  spec: SymbolSpec,
  row: PreventedMatchRow,
  microseconds: boolean,
): string {
  const lost = (lots: Lots) => (lots > 0 ? quantityText(spec, lots) : undefined)
  return preventedMatchJson({
    symbol: spec.name,
    preventedMatchId: row.preventedMatchId,
    takerOrderId: row.takerOrderId,
    makerSymbol: spec.name,
    makerOrderId: row.makerOrderId,
    tradeGroupId: row.tradeGroupId,
    selfTradePreventionMode: preventionNames[effectiveMode(row)],
    price: priceText(spec, row.priceTicks),
    takerPreventedQuantity: lost(row.takerPreventedLots),
    makerPreventedQuantity: lost(row.makerPreventedLots),
    transactTime: timeOf(row.timeMs, microseconds),
  })
}

/** The taker's mode decides, except a transfer that only one side is ready for. */
function effectiveMode({ takerTerms, makerTerms }: PreventedMatchRow): SelfTradePrevention {
  const { TRANSFER, DECREMENT } = SelfTradePrevention
  const mode = preventionOf(takerTerms)
  return mode === TRANSFER && preventionOf(makerTerms) !== TRANSFER ? DECREMENT : mode
}
