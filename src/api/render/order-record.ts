/**
 * Orders as queries and cancels show them (supplement 2a.3): the order record, from an OrderState
 * reply or an archived row, and the cancel record, from an OrderClosed event.
 */
import { OrderStatus } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import { readOrderClosed, readOrderState } from '#layout/records.gen.ts'
import type { OrderRow } from '../context.ts'
import { atomsText, priceText, quantityText, timeOf, ZERO } from './decimals.ts'
import {
  expiryReasonNames,
  openStatus,
  preventionName,
  statusNames,
  termsMembers,
} from './terms.ts'

/** An OrderState reply as the row that the archive would hold of it. */
export function rowOfOrderState(buffer: RecordBuffer, at: number): OrderRow {
  const state = readOrderState(buffer, at)
  return {
    ...state,
    preventedMatchIdPlusOne: 0,
    status: openStatus(state.filledLots, state.lots),
    reason: 0,
  }
}

/** `isWorking` and `workingTime`: every order without a trigger works from its acceptance on. */
export function orderRecord(spec: SymbolSpec, row: OrderRow, microseconds: boolean): string {
  const created = timeOf(row.createdMs, microseconds)
  const updated = timeOf(row.updatedMs, microseconds)
  return `{"symbol":"${spec.name}","orderId":${row.orderId},"orderListId":-1,"clientOrderId":"${row.clientOrderId}",${amounts(spec, row)},"stopPrice":"${ZERO}","icebergQty":"${ZERO}","time":${created},"updateTime":${updated},"isWorking":true,"workingTime":${created},"origQuoteOrderQty":"${atomsText(spec.quote, row.quoteAtoms)}"${conditional(spec, row)},"selfTradePreventionMode":"${preventionName(row.terms)}"}`
}

export function cancelRecord(
  spec: SymbolSpec,
  buffer: RecordBuffer,
  at: number,
  microseconds: boolean,
): string {
  const closed = readOrderClosed(buffer, at)
  return `{"symbol":"${spec.name}","origClientOrderId":"${closed.origClientOrderId}","orderId":${closed.orderId},"orderListId":-1,"clientOrderId":"${closed.clientOrderId}","transactTime":${timeOf(closed.timeMs, microseconds)},"origQuoteOrderQty":"${atomsText(spec.quote, closed.quoteAtoms)}",${amounts(spec, closed)},"selfTradePreventionMode":"${preventionName(closed.terms)}"}`
}

type Amounts = Pick<
  OrderRow,
  'priceTicks' | 'lots' | 'filledLots' | 'filledAtoms' | 'status' | 'terms'
>

function amounts(spec: SymbolSpec, row: Amounts): string {
  return `"price":"${priceText(spec, row.priceTicks)}","origQty":"${quantityText(spec, row.lots)}","executedQty":"${quantityText(spec, row.filledLots)}","cummulativeQuoteQty":"${atomsText(spec.quote, row.filledAtoms)}","status":"${statusNames[row.status]}",${termsMembers(row.terms)}`
}

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
