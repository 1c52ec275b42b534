/** One symbol's auction as clients are shown it. */
import { SurplusSide } from '../../base/codes.ts'
import type { AuctionRow, AuctionView } from '../../core/views/auction-view.ts'
import type { SymbolSpec } from '../../market/listing.ts'

export function auctionRowOf(spec: SymbolSpec, { indicative, last, close }: AuctionView) {
  return {
    spec,
    status: spec.status,
    indicative: shownOf(spec, indicative),
    last: shownOf(spec, last),
    close: { spec, ...close },
  }
}

function shownOf(spec: SymbolSpec, { priceTicks, volume, timeMs, ...row }: AuctionRow) {
  const surplus = BigInt(row.surplus)
  const isBuy = surplus > 0n
  const isSell = surplus < 0n
  return {
    spec,
    priceTicks,
    volume: BigInt(volume),
    surplus: isSell ? -surplus : surplus,
    surplusSide: isBuy ? SurplusSide.BUY : isSell ? SurplusSide.SELL : SurplusSide.NONE,
    timeMs,
  }
}
