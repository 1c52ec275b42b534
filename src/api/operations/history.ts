/** What the archive answers of orders, trades and lists that are past: supplement 2a.1. */
import { allOrders, myTrades } from '../handlers/history.ts'
import { Param } from '../parameters.ts'
import { may, must, type Operation } from './operation.ts'

const data = {
  method: 'GET',
  security: 'USER_DATA',
  signed: true,
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
    handler: allOrders,
  },
  {
    ...data,
    id: 'myTrades',
    path: '/api/v3/myTrades',
    wsMethod: 'myTrades',
    weight: (params) => (params.has(Param.orderId) ? 5 : 20),
    params: [...must('symbol'), ...may('orderId', 'startTime', 'endTime', 'fromId', 'limit')],
    handler: myTrades,
  },
]
