/** Placing and canceling order lists: rest-api.md. */

import { one } from '../answers/by-name.ts'
import { cancelOrderList } from '../handlers/cancel-order.ts'
import {
  placeOco,
  placeOldOco,
  placeOpo,
  placeOpoco,
  placeOto,
  placeOtoco,
} from '../handlers/place-order-list.ts'
import { labelFields, prefixedLabels } from '../order-labels.ts'
import { type LegPrefix, type ParamName, RareParam } from '../parameters.ts'
import { may, must, newClientOrderId, type Operation, type ParamRow } from './operation.ts'

const trade = {
  security: 'TRADE',
  signed: true,
  weight: 1,
  weightOnSuccess: 0,
  sources: ['ENGINE'],
} as const

/** What an order of the list may have besides its type. */
function legParams(prefix: LegPrefix): readonly ParamRow[] {
  const names = ['Price', 'TimeInForce', 'IcebergQty', ...labelFields, 'ClientOrderId']
  names.push('PegPriceType', 'PegOffsetType', 'PegOffsetValue')
  if (prefix !== 'working') names.push('StopPrice', 'TrailingDelta')
  return may(...names.map((name) => `${prefix}${name}` as ParamName))
}

const listParams: readonly ParamRow[] = may(
  'listClientOrderId',
  'newOrderRespType',
  'selfTradePreventionMode',
)

const workingParams: readonly ParamRow[] = [
  ...must('workingType', 'workingSide', 'workingQuantity'),
  ...legParams('working'),
]

export const orderListOperations: readonly Operation[] = [
  {
    ...trade,
    id: 'placeOldOco',
    method: 'POST',
    path: '/api/v3/order/oco',
    wsMethod: 'orderList.place',
    effect: 'PLACES',
    orderCount: 2,
    params: [
      ...must('symbol', 'side', 'quantity', 'price'),
      ...may('stopPrice', 'trailingDelta', 'stopLimitPrice', 'stopLimitTimeInForce'),
      ...may('limitClientOrderId', 'limitIcebergQty', ...prefixedLabels('limit')),
      ...may('stopClientOrderId', 'stopIcebergQty', ...prefixedLabels('stop')),
      ...listParams,
    ],
    answer: one('PlacedOrderList'),
    handler: placeOldOco,
  },
  {
    ...trade,
    id: 'placeOco',
    method: 'POST',
    path: '/api/v3/orderList/oco',
    wsMethod: 'orderList.place.oco',
    effect: 'PLACES',
    orderCount: 2,
    params: [
      ...must('symbol', 'side', 'quantity', 'aboveType', 'belowType'),
      ...legParams('above'),
      ...legParams('below'),
      ...listParams,
    ],
    answer: one('PlacedOrderList'),
    handler: placeOco,
  },
  {
    ...trade,
    id: 'placeOto',
    method: 'POST',
    path: '/api/v3/orderList/oto',
    wsMethod: 'orderList.place.oto',
    effect: 'PLACES',
    orderCount: 2,
    params: [
      ...must('symbol'),
      ...workingParams,
      ...must('pendingType', 'pendingSide', 'pendingQuantity'),
      ...legParams('pending'),
      ...listParams,
    ],
    answer: one('PlacedOrderList'),
    handler: placeOto,
  },
  {
    ...trade,
    id: 'placeOtoco',
    method: 'POST',
    path: '/api/v3/orderList/otoco',
    wsMethod: 'orderList.place.otoco',
    effect: 'PLACES',
    orderCount: 3,
    params: [
      ...must('symbol'),
      ...workingParams,
      ...must('pendingSide', 'pendingQuantity', 'pendingAboveType'),
      ...may('pendingBelowType'),
      ...legParams('pendingAbove'),
      ...legParams('pendingBelow'),
      ...listParams,
    ],
    answer: one('PlacedOrderList'),
    handler: placeOtoco,
  },
  {
    ...trade,
    id: 'placeOpo',
    method: 'POST',
    path: '/api/v3/orderList/opo',
    wsMethod: 'orderList.place.opo',
    effect: 'PLACES',
    orderCount: 2,
    params: [
      ...must('symbol'),
      ...workingParams,
      ...must('pendingType', 'pendingSide'),
      ...legParams('pending'),
      ...listParams,
    ],
    answer: one('PlacedOrderList'),
    handler: placeOpo,
  },
  {
    ...trade,
    id: 'placeOpoco',
    method: 'POST',
    path: '/api/v3/orderList/opoco',
    wsMethod: 'orderList.place.opoco',
    effect: 'PLACES',
    orderCount: 3,
    params: [
      ...must('symbol'),
      ...workingParams,
      ...must('pendingSide', 'pendingAboveType'),
      ...may('pendingBelowType'),
      ...legParams('pendingAbove'),
      ...legParams('pendingBelow'),
      ...listParams,
    ],
    answer: one('PlacedOrderList'),
    handler: placeOpoco,
  },
  {
    ...trade,
    id: 'cancelOrderList',
    method: 'DELETE',
    path: '/api/v3/orderList',
    wsMethod: 'orderList.cancel',
    effect: 'CANCELS',
    orderCount: 0,
    params: [...must('symbol'), ...may('orderListId', 'listClientOrderId'), newClientOrderId],
    oneOf: [RareParam.orderListId, RareParam.listClientOrderId],
    answer: one('CanceledOrderList'),
    handler: cancelOrderList,
  },
]
