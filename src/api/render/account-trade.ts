/** One side of a trade as its owner sees it (supplement 2a.1, myTrades item). */

import type { TradeRow } from '../../history/account-history.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { shapes } from '../shapes/shapes.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { rendererOf } from './shape-text.ts'

const accountTradeJson = rendererOf(shapes.AccountTrade)

/** `assets` by id. */
export function accountTrade(
  spec: SymbolSpec,
  assets: readonly AssetSpec[],
  row: TradeRow,
  microseconds: boolean,
): string {
  const received = row.isBuyer ? spec.base : spec.quote
  const paid = assets[row.commissionAssetId] ?? received
  return accountTradeJson({
    symbol: spec.name,
    id: row.tradeId,
    orderId: row.orderId,
    orderListId: row.orderListId,
    price: priceText(spec, row.priceTicks),
    qty: quantityText(spec, row.lots),
    quoteQty: unitsText(row.quoteAtoms),
    commission: unitsText(row.commissionAtoms),
    commissionAsset: paid.name,
    time: timeOf(row.timeMs, microseconds),
    isBuyer: row.isBuyer,
    isMaker: row.isMaker,
  })
}
