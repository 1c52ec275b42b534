/** A match that self-trade prevention did not let happen (supplement 2a.1, myPreventedMatches item). */

import { preventionOf, SelfTradePrevention } from '../../base/codes.ts'
import type { Lots } from '../../base/units.ts'
import type { PreventedMatchRow } from '../../history/account-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { priceText, quantityText, timeOf } from './decimals.ts'
import { preventionNames } from './terms.ts'

export function preventedMatch(
  spec: SymbolSpec,
  row: PreventedMatchRow,
  microseconds: boolean,
): string {
  const lost = (side: string, lots: Lots) =>
    lots > 0 ? `,"${side}PreventedQuantity":"${quantityText(spec, lots)}"` : ''
  return (
    `{"symbol":"${spec.name}","preventedMatchId":${row.preventedMatchId},` +
    `"takerOrderId":${row.takerOrderId},"makerSymbol":"${spec.name}",` +
    `"makerOrderId":${row.makerOrderId},"tradeGroupId":${row.tradeGroupId},` +
    `"selfTradePreventionMode":"${preventionNames[effectiveMode(row)]}",` +
    `"price":"${priceText(spec, row.priceTicks)}"` +
    `${lost('taker', row.takerPreventedLots)}${lost('maker', row.makerPreventedLots)},` +
    `"transactTime":${timeOf(row.timeMs, microseconds)}}`
  )
}

/** The taker's mode decides, but for a transfer that only one side is ready for. */
function effectiveMode({ takerTerms, makerTerms }: PreventedMatchRow): SelfTradePrevention {
  const { TRANSFER, DECREMENT } = SelfTradePrevention
  const mode = preventionOf(takerTerms)
  return mode === TRANSFER && preventionOf(makerTerms) !== TRANSFER ? DECREMENT : mode
}
