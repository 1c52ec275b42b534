/** Orders as queries show them (supplement 2a.3): the order record, of an open order or an archived one. */
import { OrderStatus } from '../../base/codes.ts'
import type { QuoteAtoms } from '../../base/units.ts'
import type { OrderRow } from '../../history/account-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { isWorking, listIdOf, momentOf, queriedDetailMembers } from './order-details.ts'
import { expiryReasonNames, preventionName, statusNames, termsMembers } from './terms.ts'

/** An order without details works from its acceptance on. */
export function orderRecord(spec: SymbolSpec, row: OrderRow, microseconds: boolean): string {
  const { details } = row
  const created = timeOf(row.createdMs, microseconds)
  const updated = timeOf(row.updatedMs, microseconds)
  const working = details === undefined ? created : momentOf(details.workingMs, microseconds)
  return (
    `{"symbol":"${spec.name}","orderId":${row.orderId},"orderListId":${listIdOf(details)},` +
    `"clientOrderId":"${row.clientOrderId}",` +
    `${amountMembers(spec, row)}${queriedDetailMembers(spec, details, microseconds)},` +
    `"time":${created},"updateTime":${updated},"isWorking":${isWorking(details)},` +
    `"workingTime":${working},` +
    `"origQuoteOrderQty":"${unitsText(row.quoteAtoms)}"${conditional(spec, row)},` +
    `"selfTradePreventionMode":"${preventionName(row.terms)}"}`
  )
}

type Amounts = Pick<
  OrderRow,
  'priceTicks' | 'lots' | 'filledLots' | 'filledAtoms' | 'status' | 'terms'
>

/** Price, quantities, status and terms, as records of queries have them. */
export function amountMembers(spec: SymbolSpec, row: Amounts): string {
  return `${askedMembers(spec, row)},${reachedMembers(row)}`
}

/** The same as records of cancels have them: the quote quantity that was asked for is among them. */
export function canceledAmountMembers(
  spec: SymbolSpec,
  row: Amounts & { readonly quoteAtoms: QuoteAtoms },
): string {
  const asked = `"origQuoteOrderQty":"${unitsText(row.quoteAtoms)}"`
  return `${askedMembers(spec, row)},${asked},${reachedMembers(row)}`
}

const askedMembers = (spec: SymbolSpec, row: Amounts): string =>
  `"price":"${priceText(spec, row.priceTicks)}",` +
  `"origQty":"${quantityText(spec, row.lots)}",` +
  `"executedQty":"${quantityText(spec, row.filledLots)}"`

const reachedMembers = (row: Amounts): string =>
  `"cummulativeQuoteQty":"${unitsText(row.filledAtoms)}",` +
  `"status":"${statusNames[row.status]}",${termsMembers(row.terms)}`

function conditional(spec: SymbolSpec, row: OrderRow): string {
  let text = ''
  if (row.preventedLots > 0) {
    if (row.preventedMatchIdPlusOne > 0) {
      text += `,"preventedMatchId":${row.preventedMatchIdPlusOne - 1}`
    }
    text += `,"preventedQuantity":"${quantityText(spec, row.preventedLots)}"`
  }
  if (row.status === OrderStatus.EXPIRED) {
    text += `,"expiryReason":"${expiryReasonNames[row.reason]}"`
  }
  return text
}
