/**
 * Placements of every kind of order list: the examples of the REST API's documents, and what they leave
 * out. The client's ids are leg-1, leg-2 and leg-3, in the order in which the list shows its legs.
 */
import type { Frame } from '../frame-log.ts'
import type { Params } from '../trader.ts'

export interface Placement {
  readonly name: string
  readonly path: string
  readonly lastPrice: string
  readonly request: Params
  readonly contingencyType: string
  /** In the order of the list; each as a RESULT shows it. */
  readonly legs: readonly Frame[]
}

export const placements: readonly Placement[] = [
  {
    name: 'the old OCO',
    path: '/api/v3/order/oco',
    lastPrice: '0.5',
    request: {
      side: 'BUY',
      quantity: '0.624363',
      price: '0.036435',
      stopPrice: '0.960664',
      stopClientOrderId: 'leg-1',
      limitClientOrderId: 'leg-2',
    },
    contingencyType: 'OCO',
    legs: [
      {
        type: 'STOP_LOSS',
        side: 'BUY',
        origQty: '0.62436300',
        stopPrice: '0.96066400',
        workingTime: -1,
      },
      { type: 'LIMIT_MAKER', side: 'BUY', origQty: '0.62436300', price: '0.03643500' },
    ],
  },
  {
    name: 'the old OCO with a stop-limit leg, icebergs and strategies',
    path: '/api/v3/order/oco',
    lastPrice: '2',
    request: {
      side: 'SELL',
      quantity: '5',
      price: '3',
      stopPrice: '1.5',
      stopLimitPrice: '1.4',
      stopLimitTimeInForce: 'GTC',
      stopIcebergQty: '1',
      stopStrategyId: 7,
      stopStrategyType: 1_000_001,
      stopClientOrderId: 'leg-1',
      limitIcebergQty: '2',
      limitStrategyId: 8,
      limitStrategyType: 1_000_002,
      limitClientOrderId: 'leg-2',
    },
    contingencyType: 'OCO',
    legs: [
      {
        type: 'STOP_LOSS_LIMIT',
        side: 'SELL',
        origQty: '5.00000000',
        price: '1.40000000',
        stopPrice: '1.50000000',
        icebergQty: '1.00000000',
        strategyId: 7,
        strategyType: 1_000_001,
        workingTime: -1,
      },
      {
        type: 'LIMIT_MAKER',
        side: 'SELL',
        origQty: '5.00000000',
        price: '3.00000000',
        icebergQty: '2.00000000',
        strategyId: 8,
        strategyType: 1_000_002,
      },
    ],
  },
  {
    name: 'OCO',
    path: '/api/v3/orderList/oco',
    lastPrice: '2',
    request: {
      side: 'SELL',
      quantity: '5',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '3',
      aboveClientOrderId: 'leg-2',
      belowType: 'STOP_LOSS_LIMIT',
      belowPrice: '1',
      belowStopPrice: '1',
      belowTimeInForce: 'GTC',
      belowIcebergQty: '1',
      belowClientOrderId: 'leg-1',
    },
    contingencyType: 'OCO',
    legs: [
      {
        type: 'STOP_LOSS_LIMIT',
        side: 'SELL',
        origQty: '5.00000000',
        price: '1.00000000',
        stopPrice: '1.00000000',
        icebergQty: '1.00000000',
        workingTime: -1,
      },
      { type: 'LIMIT_MAKER', side: 'SELL', origQty: '5.00000000', price: '3.00000000' },
    ],
  },
  {
    name: 'OTO',
    path: '/api/v3/orderList/oto',
    lastPrice: '0.5',
    request: {
      workingType: 'LIMIT',
      workingSide: 'SELL',
      workingPrice: '1',
      workingQuantity: '1',
      workingTimeInForce: 'GTC',
      workingClientOrderId: 'leg-1',
      pendingType: 'MARKET',
      pendingSide: 'BUY',
      pendingQuantity: '5',
      pendingClientOrderId: 'leg-2',
    },
    contingencyType: 'OTO',
    legs: [
      { type: 'LIMIT', side: 'SELL', origQty: '1.00000000', price: '1.00000000' },
      {
        type: 'MARKET',
        side: 'BUY',
        origQty: '5.00000000',
        status: 'PENDING_NEW',
        workingTime: -1,
      },
    ],
  },
  {
    name: 'OTOCO',
    path: '/api/v3/orderList/otoco',
    lastPrice: '0.5',
    request: {
      workingType: 'LIMIT',
      workingSide: 'SELL',
      workingPrice: '1',
      workingQuantity: '1',
      workingTimeInForce: 'GTC',
      workingClientOrderId: 'leg-1',
      pendingSide: 'BUY',
      pendingQuantity: '5',
      pendingAboveType: 'STOP_LOSS_LIMIT',
      pendingAbovePrice: '1',
      pendingAboveStopPrice: '6',
      pendingAboveTimeInForce: 'IOC',
      pendingAboveClientOrderId: 'leg-2',
      pendingBelowType: 'LIMIT_MAKER',
      pendingBelowPrice: '3',
      pendingBelowClientOrderId: 'leg-3',
    },
    contingencyType: 'OTO',
    legs: [
      { type: 'LIMIT', side: 'SELL', origQty: '1.00000000', price: '1.00000000' },
      {
        type: 'STOP_LOSS_LIMIT',
        side: 'BUY',
        origQty: '5.00000000',
        price: '1.00000000',
        timeInForce: 'IOC',
        stopPrice: '6.00000000',
        status: 'PENDING_NEW',
        workingTime: -1,
      },
      {
        type: 'LIMIT_MAKER',
        side: 'BUY',
        origQty: '5.00000000',
        price: '3.00000000',
        status: 'PENDING_NEW',
        workingTime: -1,
      },
    ],
  },
]
