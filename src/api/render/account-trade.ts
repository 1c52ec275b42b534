/** One side of a trade as its owner sees it (supplement 2a.1, myTrades item). */
import type { SymbolSpec } from '#base/listing.ts'
import type { TradeRow } from '../context.ts'
import { atomsText, notionalText, priceText, quantityText, timeOf } from './decimals.ts'

export function accountTrade(spec: SymbolSpec, row: TradeRow, microseconds: boolean): string {
  const received = row.isBuyer ? spec.base : spec.quote
  return `{"symbol":"${spec.name}","id":${row.tradeId},"orderId":${row.orderId},"orderListId":-1,"price":"${priceText(spec, row.priceTicks)}","qty":"${quantityText(spec, row.lots)}","quoteQty":"${notionalText(spec, row.priceTicks, row.lots)}","commission":"${atomsText(received, row.commissionAtoms)}","commissionAsset":"${received.name}","time":${timeOf(row.timeMs, microseconds)},"isBuyer":${row.isBuyer},"isMaker":${row.isMaker},"isBestMatch":true}`
}
