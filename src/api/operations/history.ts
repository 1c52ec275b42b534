/** What the archive answers of orders, trades and lists that are past: rest-api.md. */

import { many, one } from '../answers/by-name.ts'
import { allOrders, amendments, myPreventedMatches, myTrades } from '../handlers/history.ts'
import { allOrderLists, openOrderLists, orderList } from '../handlers/list-history.ts'
import { Param, RareParam } from '../parameters.ts'
import { may, must, type Operation, origClientOrderId } from './operation.ts'

const data = {
  method: 'GET',
  security: 'USER_DATA',
  signed: true,
  effect: 'NONE',
  orderCount: 0,
  sources: ['DATABASE'],
} as const

export const historyOperations: readonly Operation[] = [
  {
    ...data,
    id: 'allOrders',
    path: '/api/v3/allOrders',
    wsMethod: 'allOrders',
    weight: 20,
    params: [...must('symbol'), ...may('orderId', 'startTime', 'endTime', 'limit')],
    answer: many('Order'),
    handler: allOrders,
  },
  {
    ...data,
    id: 'myTrades',
    path: '/api/v3/myTrades',
    wsMethod: 'myTrades',
    weight: (params) => (params.has(Param.orderId) ? 5 : 20),
    params: [...must('symbol'), ...may('orderId', 'startTime', 'endTime', 'fromId', 'limit')],
    answer: many('AccountTrade'),
    handler: myTrades,
  },
  {
    ...data,
    id: 'myPreventedMatches',
    path: '/api/v3/myPreventedMatches',
    wsMethod: 'myPreventedMatches',
    weight: (params) => (params.has(Param.orderId) ? 20 : 2),
    weightWithoutSymbol: 2,
    params: [
      ...must('symbol'),
      ...may('preventedMatchId', 'orderId', 'fromPreventedMatchId', 'limit'),
    ],
    answer: many('PreventedMatch'),
    handler: myPreventedMatches,
  },
  {
    ...data,
    id: 'amendments',
    path: '/api/v3/order/amendments',
    wsMethod: 'order.amendments',
    weight: 4,
    params: [...must('symbol', 'orderId'), ...may('fromExecutionId', 'limit')],
    answer: many('Amendment'),
    handler: amendments,
  },
  {
    ...data,
    id: 'orderList',
    path: '/api/v3/orderList',
    wsMethod: 'orderList.status',
    weight: 4,
    params: [...may('orderListId'), origClientOrderId],
    oneOf: [Param.origClientOrderId, RareParam.orderListId],
    answer: one('OrderList'),
    handler: orderList,
  },
  {
    ...data,
    id: 'allOrderLists',
    path: '/api/v3/allOrderList',
    wsMethod: 'allOrderLists',
    weight: 20,
    params: may('fromId', 'startTime', 'endTime', 'limit'),
    answer: many('OrderList'),
    handler: allOrderLists,
  },
  {
    ...data,
    id: 'openOrderLists',
    path: '/api/v3/openOrderList',
    wsMethod: 'openOrderLists.status',
    weight: 6,
    params: [],
    answer: many('OrderList'),
    handler: openOrderLists,
  },
]
