/** Payloads of the market streams (supplement 2d), each made once however many read it. */
import { Side, sideOf } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { DepthFold } from '#core/folds/depth.ts'
import type { DepthChanges, DepthRow } from '#core/folds/depth-diff.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import { Trade } from '#layout/records.gen.ts'
import { priceText, quantityText, timeOf } from './decimals.ts'
import { bestMembers } from './market.ts'

/** From a Trade event. */
export function tradeFrame(
  spec: SymbolSpec,
  { i32, f64 }: RecordBuffer,
  at: number,
  eventTimeMs: number,
  microseconds: boolean,
): string {
  const double = at >> 3
  const isBuyerMaker = sideOf(i32[(at >> 2) + Trade.makerTerms]!) === Side.BUY
  return `{"e":"trade","E":${timeOf(eventTimeMs, microseconds)},"s":"${spec.name}","t":${f64[double + Trade.tradeId]},"p":"${priceText(spec, f64[double + Trade.priceTicks]!)}","q":"${quantityText(spec, f64[double + Trade.tradeLots]!)}","T":${timeOf(f64[double + Trade.timeMs]!, microseconds)},"m":${isBuyerMaker},"M":true}`
}

/** Absolute quantities; zero takes the level away. */
export function depthFrame(
  spec: SymbolSpec,
  changes: DepthChanges,
  eventTimeMs: number,
  microseconds: boolean,
): string {
  return `{"e":"depthUpdate","E":${timeOf(eventTimeMs, microseconds)},"s":"${spec.name}","U":${changes.firstUpdateId},"u":${changes.finalUpdateId},"b":[${rowsText(spec, changes.bids)}],"a":[${rowsText(spec, changes.asks)}]}`
}

const rowsText = (spec: SymbolSpec, rows: readonly DepthRow[]): string =>
  rows
    .map(([priceTicks, lots]) => `["${priceText(spec, priceTicks)}","${quantityText(spec, lots)}"]`)
    .join()

/** The one payload without an event name or a time. */
export const bookTickerFrame = (spec: SymbolSpec, fold: DepthFold): string =>
  `{"u":${fold.updateId},"s":"${spec.name}",${bestMembers(spec, fold, ['b', 'B', 'a', 'A'])}}`
