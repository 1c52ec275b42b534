/** Payloads of the market streams (supplement 2d), each made once however many read it. */

import type { Ms } from '../../base/units.ts'
import type { DepthFold } from '../../core/folds/depth.ts'
import type { DepthChanges, DepthRow } from '../../core/folds/depth-diff.ts'
import type { Tape } from '../../core/folds/tape.ts'
import type { AggregateTradeRow, PublicTradeRow } from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { AVERAGE_PRICE_MINUTES, bestMembers } from './market.ts'

export const tradeFrame = (
  spec: SymbolSpec,
  trade: PublicTradeRow,
  eventTimeMs: Ms,
  microseconds: boolean,
): string =>
  `{"e":"trade","E":${timeOf(eventTimeMs, microseconds)},"s":"${spec.name}",` +
  `"t":${trade.tradeId},"p":"${priceText(spec, trade.priceTicks)}",` +
  `"q":"${quantityText(spec, trade.lots)}","T":${timeOf(trade.timeMs, microseconds)},` +
  `"m":${trade.isBuyerMaker},"M":true}`

export const aggregateTradeFrame = (
  spec: SymbolSpec,
  trade: AggregateTradeRow,
  eventTimeMs: Ms,
  microseconds: boolean,
): string =>
  `{"e":"aggTrade","E":${timeOf(eventTimeMs, microseconds)},"s":"${spec.name}",` +
  `"a":${trade.aggregateId},"p":"${priceText(spec, trade.priceTicks)}",` +
  `"q":"${quantityText(spec, trade.lots)}","f":${trade.firstTradeId},` +
  `"l":${trade.lastTradeId},"T":${timeOf(trade.timeMs, microseconds)},` +
  `"m":${trade.isBuyerMaker},"M":true}`

/** Absolute quantities; zero takes the level away. */
export function depthFrame(
  spec: SymbolSpec,
  changes: DepthChanges,
  eventTimeMs: Ms,
  microseconds: boolean,
): string {
  return (
    `{"e":"depthUpdate","E":${timeOf(eventTimeMs, microseconds)},"s":"${spec.name}",` +
    `"U":${changes.firstUpdateId},"u":${changes.finalUpdateId},` +
    `"b":[${rowsText(spec, changes.bids)}],"a":[${rowsText(spec, changes.asks)}]}`
  )
}

const rowsText = (spec: SymbolSpec, rows: readonly DepthRow[]): string =>
  rows
    .map(([priceTicks, lots]) => `["${priceText(spec, priceTicks)}","${quantityText(spec, lots)}"]`)
    .join()

/** Without an event name or a time. */
export const bookTickerFrame = (spec: SymbolSpec, fold: DepthFold): string =>
  `{"u":${fold.updateId},"s":"${spec.name}",${bestMembers(spec, fold, ['b', 'B', 'a', 'A'])}}`

/** What REST's avgPrice shows at `eventTimeMs`. */
export function averagePriceFrame(tape: Tape, eventTimeMs: Ms, microseconds: boolean): string {
  const units = tape.averagePriceUnits(AVERAGE_PRICE_MINUTES, eventTimeMs)
  return (
    `{"e":"avgPrice","E":${timeOf(eventTimeMs, microseconds)},"s":"${tape.spec.name}",` +
    `"i":"${AVERAGE_PRICE_MINUTES}m","w":"${unitsText(units)}",` +
    `"T":${timeOf(tape.lastTimeMs, microseconds)}}`
  )
}
