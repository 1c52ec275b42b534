/** Several orders in one request: an extension. Each part is what the operation for one of them takes and answers. */
import { many, one } from '../answers/by-name.ts'
import { serveBatch } from '../handlers/batch.ts'
import { quoteOrders } from '../handlers/quote-orders.ts'
import { ORDERS, slotOf } from '../parameters.ts'
import { may, must, type Operation, type ParamRow } from './operation.ts'
import { cancelOrderRow, placeOrderRow, replaceOrderRow } from './trading.ts'

const orders: ParamRow = {
  slot: slotOf('orders'),
  mandatory: true,
  kind: ORDERS,
  meaning: 'JSON array of 1 to 20 objects with the parameters of one order each',
}

/** The weight at arrival is that of the first part; the other parts add theirs. */
const batch = { security: 'TRADE', signed: true, sources: ['ENGINE'], weight: 1 } as const
const shared = { ...batch, params: [orders], handler: serveBatch } as const
/** Parts are not signed, and take none of a signature's parameters. */
const of = (single: Operation) => ({ each: { ...single, signed: false } })

export const batchOperations: readonly Operation[] = [
  {
    ...batch,
    id: 'quoteOrders',
    method: 'POST',
    path: '/ringbook/v1/quote',
    wsMethod: 'quote',
    weight: 4,
    effect: 'PLACES',
    orderCount: 4,
    params: [
      ...must('symbol'),
      ...may('bids', 'asks', 'quoteId', 'refusal', 'postOnly', 'selfTradePreventionMode'),
    ],
    answer: one('Quoted'),
    handler: quoteOrders,
  },
  {
    ...shared,
    ...of(placeOrderRow),
    id: 'placeBatch',
    method: 'POST',
    path: '/ringbook/v1/batchOrders',
    wsMethod: 'batch.place',
    effect: 'PLACES',
    orderCount: 1,
    answer: many('OrderAck', 'OrderResult', 'OrderFull', 'Error'),
  },
  {
    ...shared,
    ...of(cancelOrderRow),
    id: 'cancelBatch',
    method: 'DELETE',
    path: '/ringbook/v1/batchOrders',
    wsMethod: 'batch.cancel',
    effect: 'CANCELS',
    orderCount: 0,
    answer: many('CanceledOrder', 'CanceledOrderList', 'Error'),
  },
  {
    ...shared,
    ...of(replaceOrderRow),
    id: 'replaceBatch',
    method: 'POST',
    path: '/ringbook/v1/batchCancelReplace',
    wsMethod: 'batch.cancelReplace',
    effect: 'REPLACES',
    orderCount: 1,
    answer: many('ReplacedOrder', 'Error'),
  },
]
