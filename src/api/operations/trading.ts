/** Orders: supplement 2a.1, with its footnote on what a success charges. */
import { cancelOpenOrders, cancelOrder } from '../handlers/cancel-order.ts'
import { placeOrder, testOrder } from '../handlers/place-order.ts'
import { openOrders, queryOrder } from '../handlers/query-order.ts'
import { Param } from '../parameters.ts'
import { may, must, newClientOrderId, type Operation, origClientOrderId } from './operation.ts'

const orderParams: Operation['params'] = [
  ...must('symbol', 'side', 'type'),
  ...may('timeInForce', 'quantity', 'price', 'quoteOrderQty'),
  newClientOrderId,
  ...may('newOrderRespType', 'selfTradePreventionMode'),
  ...may('icebergQty', 'stopPrice', 'trailingDelta'),
]

const trade = { security: 'TRADE', signed: true, sources: ['ENGINE'] } as const
const data = { method: 'GET', security: 'USER_DATA', signed: true, orderCount: 0 } as const

export const tradingOperations: readonly Operation[] = [
  {
    ...trade,
    id: 'placeOrder',
    method: 'POST',
    path: '/api/v3/order',
    wsMethod: 'order.place',
    weight: 1,
    weightOnSuccess: 0,
    orderCount: 1,
    params: orderParams,
    handler: placeOrder,
  },
  {
    ...trade,
    id: 'testOrder',
    method: 'POST',
    path: '/api/v3/order/test',
    wsMethod: 'order.test',
    weight: (params) => (params.text(Param.computeCommissionRates) === 'true' ? 20 : 1),
    orderCount: 0,
    params: [...orderParams, ...may('computeCommissionRates')],
    sources: ['MEMORY'],
    handler: testOrder,
  },
  {
    ...data,
    id: 'queryOrder',
    path: '/api/v3/order',
    wsMethod: 'order.status',
    weight: 4,
    params: [...must('symbol'), ...may('orderId'), origClientOrderId],
    oneOf: [Param.origClientOrderId, Param.orderId],
    sources: ['ENGINE', 'DATABASE'],
    handler: queryOrder,
  },
  {
    ...trade,
    id: 'cancelOrder',
    method: 'DELETE',
    path: '/api/v3/order',
    wsMethod: 'order.cancel',
    weight: 1,
    weightOnSuccess: 0,
    orderCount: 0,
    params: [
      ...must('symbol'),
      ...may('orderId', 'cancelRestrictions'),
      origClientOrderId,
      newClientOrderId,
    ],
    handler: cancelOrder,
  },
  {
    ...data,
    id: 'openOrders',
    path: '/api/v3/openOrders',
    wsMethod: 'openOrders.status',
    weight: (params) => (params.has(Param.symbol) ? 6 : 80),
    params: may('symbol'),
    sources: ['ENGINE'],
    handler: openOrders,
  },
  {
    ...trade,
    id: 'cancelOpenOrders',
    method: 'DELETE',
    path: '/api/v3/openOrders',
    wsMethod: 'openOrders.cancelAll',
    weight: 1,
    weightOnSuccess: 0,
    orderCount: 0,
    params: must('symbol'),
    handler: cancelOpenOrders,
  },
]
