/** Orders: rest-api.md, with its footnote on what a success charges. */

import { many, one, placed } from '../answers/by-name.ts'
import { amendOrder } from '../handlers/amend-order.ts'
import { cancelOpenOrders, cancelOrder } from '../handlers/cancel-order.ts'
import { cancelWhere } from '../handlers/cancel-where.ts'
import { myAllocations } from '../handlers/history.ts'
import { relevantFilters } from '../handlers/market.ts'
import { openOrders } from '../handlers/open-orders.ts'
import { placeOrder, routeOrder, testOrder, testRoutedOrder } from '../handlers/place-order.ts'
import { queryOrder } from '../handlers/query-order.ts'
import { replaceOrder } from '../handlers/replace-order.ts'
import { labelNames } from '../order-labels.ts'
import { Param, RareParam } from '../parameters.ts'
import { may, must, newClientOrderId, type Operation, origClientOrderId } from './operation.ts'

const orderParams: Operation['params'] = [
  ...must('symbol', 'side', 'type'),
  ...may('timeInForce', 'quantity', 'price', 'quoteOrderQty'),
  newClientOrderId,
  ...may('newOrderRespType', 'selfTradePreventionMode'),
  ...may('icebergQty', 'stopPrice', 'trailingDelta', ...labelNames),
  ...may('pegPriceType', 'pegOffsetType', 'pegOffsetValue'),
]

const routedParams: Operation['params'] = [
  ...must('symbol', 'side', 'type', 'quantity'),
  ...may('timeInForce', 'price'),
  newClientOrderId,
  ...may('newOrderRespType', 'selfTradePreventionMode', 'icebergQty', ...labelNames),
]

const testWeight: Operation['weight'] = (params) =>
  params.text(Param.computeCommissionRates) === 'true' ? 20 : 1

const trade = { security: 'TRADE', signed: true, sources: ['ENGINE'] } as const
const data = {
  method: 'GET',
  security: 'USER_DATA',
  signed: true,
  effect: 'NONE',
  orderCount: 0,
} as const

export const placeOrderRow: Operation = {
  ...trade,
  id: 'placeOrder',
  method: 'POST',
  path: '/api/v3/order',
  wsMethod: 'order.place',
  weight: 1,
  weightOnSuccess: 0,
  effect: 'PLACES',
  orderCount: 1,
  params: orderParams,
  answer: placed,
  handler: placeOrder,
}

const routeOrderRow: Operation = {
  ...placeOrderRow,
  id: 'routeOrder',
  path: '/api/v3/sor/order',
  wsMethod: 'sor.order.place',
  params: routedParams,
  handler: routeOrder,
}

export const cancelOrderRow: Operation = {
  ...trade,
  id: 'cancelOrder',
  method: 'DELETE',
  path: '/api/v3/order',
  wsMethod: 'order.cancel',
  weight: 1,
  weightOnSuccess: 0,
  effect: 'CANCELS',
  orderCount: 0,
  params: [
    ...must('symbol'),
    ...may('orderId', 'cancelRestrictions'),
    origClientOrderId,
    newClientOrderId,
  ],
  alternatives: [Param.origClientOrderId, Param.orderId],
  answer: one('CanceledOrder', 'CanceledOrderList'),
  handler: cancelOrder,
}

export const replaceOrderRow: Operation = {
  ...trade,
  id: 'replaceOrder',
  method: 'POST',
  path: '/api/v3/order/cancelReplace',
  wsMethod: 'order.cancelReplace',
  weight: 1,
  weightOnSuccess: 0,
  effect: 'REPLACES',
  orderCount: 1,
  params: [
    ...orderParams,
    ...must('cancelReplaceMode'),
    ...may('cancelOrderId', 'cancelOrigClientOrderId', 'cancelNewClientOrderId'),
    ...may('cancelRestrictions', 'orderRateLimitExceededMode'),
  ],
  oneOf: [RareParam.cancelOrigClientOrderId, RareParam.cancelOrderId],
  answer: one('ReplacedOrder'),
  handler: replaceOrder,
}

export const tradingOperations: readonly Operation[] = [
  placeOrderRow,
  {
    ...trade,
    id: 'testOrder',
    method: 'POST',
    path: '/api/v3/order/test',
    wsMethod: 'order.test',
    weight: testWeight,
    effect: 'NONE',
    orderCount: 0,
    params: [...orderParams, ...may('computeCommissionRates')],
    sources: ['MEMORY'],
    answer: one('Empty', 'OrderRates'),
    handler: testOrder,
  },
  routeOrderRow,
  {
    ...trade,
    id: 'testRoutedOrder',
    method: 'POST',
    path: '/api/v3/sor/order/test',
    wsMethod: 'sor.order.test',
    weight: testWeight,
    effect: 'NONE',
    orderCount: 0,
    params: [...routedParams, ...may('computeCommissionRates')],
    sources: ['MEMORY'],
    answer: one('Empty', 'OrderRates'),
    handler: testRoutedOrder,
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
    answer: one('Order'),
    handler: queryOrder,
  },
  cancelOrderRow,
  {
    ...data,
    id: 'openOrders',
    path: '/api/v3/openOrders',
    wsMethod: 'openOrders.status',
    weight: (params) => (params.has(Param.symbol) ? 6 : 80),
    params: may('symbol'),
    sources: ['ENGINE', 'DATABASE'],
    answer: many('Order'),
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
    effect: 'CANCELS',
    orderCount: 0,
    params: must('symbol'),
    answer: many('CanceledOrder', 'CanceledOrderList'),
    handler: cancelOpenOrders,
  },
  {
    ...trade,
    id: 'cancelWhere',
    method: 'DELETE',
    path: '/ringbook/v1/openOrders',
    wsMethod: 'openOrders.cancelWhere',
    weight: (params) => (params.has(Param.symbol) ? 1 : 40),
    effect: 'CANCELS',
    orderCount: 0,
    params: may('symbol', 'side', 'minPrice', 'maxPrice', 'clientOrderIdPrefix'),
    answer: one('CanceledWhere'),
    handler: cancelWhere,
  },
  replaceOrderRow,
  {
    ...trade,
    id: 'amendOrder',
    method: 'PUT',
    path: '/api/v3/order/amend/keepPriority',
    wsMethod: 'order.amend.keepPriority',
    weight: 4,
    effect: 'AMENDS',
    orderCount: 0,
    params: [...must('symbol', 'newQty'), ...may('orderId'), origClientOrderId, newClientOrderId],
    oneOf: [Param.origClientOrderId, Param.orderId],
    answer: one('AmendedOrder'),
    handler: amendOrder,
  },
  {
    ...data,
    id: 'myFilters',
    path: '/api/v3/myFilters',
    wsMethod: 'myFilters',
    weight: 40,
    params: must('symbol'),
    sources: ['MEMORY'],
    answer: one('RelevantFilters'),
    handler: relevantFilters,
  },
  {
    ...data,
    id: 'myAllocations',
    path: '/api/v3/myAllocations',
    wsMethod: 'myAllocations',
    weight: 20,
    params: [
      ...must('symbol'),
      ...may('startTime', 'endTime', 'fromAllocationId', 'limit', 'orderId'),
    ],
    sources: ['DATABASE'],
    answer: many('Allocation'),
    handler: myAllocations,
  },
]
