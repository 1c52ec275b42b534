/** How an open order is changed, and what another order in its place has of it. */
import { expect, test } from 'vitest'
import type { OrderRow } from '../../../src/console/trade/account-rows.ts'
import { lossesOf, replacement, wayOf } from '../../../src/console/trade/changed-order.ts'

const order: OrderRow = {
  symbol: 'BTCUSDT',
  orderId: 1,
  orderListId: -1,
  clientOrderId: 'a',
  type: 'LIMIT',
  price: '100.00',
  origQty: '1.00',
  executedQty: '0.00',
  cummulativeQuoteQty: '0.00',
  status: 'NEW',
  timeInForce: 'GTC',
  side: 'BUY',
  time: 1,
  updateTime: 1,
}
const partly: OrderRow = { ...order, executedQty: '0.40', status: 'PARTIALLY_FILLED' }

test.each([
  [order, '100', '1', undefined],
  [order, '100', '0.99', 'amend'],
  [order, '100', '1.01', 'replace'],
  [order, '100.01', '0.5', 'replace'],
  [partly, '100', '0.6', undefined],
  [partly, '100', '0.59', 'amend'],
  [partly, '100', '0.61', 'again'],
  [partly, '99', '0.6', 'again'],
  [order, '100', '0', undefined],
  [order, '99', 'x', undefined],
  [order, '', '1', undefined],
])('%o at %s with %s left', (given, price, quantity, way) => {
  expect(wayOf(given, price, quantity)).toBe(way)
})

test('another order has all fields, and a default that is meant is not named', () => {
  const labels = { strategyId: 7, strategyType: 1_000_001, trailingDelta: 20, stopPrice: '90' }
  const full: OrderRow = { ...order, ...labels, icebergQty: '0.3', type: 'STOP_LOSS_LIMIT' }
  const mode = { selfTradePreventionMode: 'NONE' } as const
  const given = { symbol: 'BTCUSDT', side: 'BUY', type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC' }
  expect(replacement({ ...full, ...mode }, '99', '0.6', 'EXPIRE_MAKER')).toEqual({
    ...given,
    ...labels,
    ...mode,
    icebergQty: '0.3',
    price: '99',
    quantity: '0.6',
    newOrderRespType: 'FULL',
  })
  expect(
    replacement({ ...full, ...mode }, '99', '0.6', 'NONE').selfTradePreventionMode,
  ).toBeUndefined()
})

test('what another order has not is said', () => {
  expect(lossesOf(order, '1')).toBe('')
  expect(lossesOf({ ...order, orderListId: 3 }, '1')).toMatch(/^Its list 3 is canceled/)
  expect(lossesOf({ ...order, trailingDelta: 20 }, '1')).toBe('Its trailing stop begins again.')
  const iceberg = { ...order, icebergQty: '0.3' }
  expect(lossesOf(iceberg, '0.31')).toBe('')
  expect(lossesOf(iceberg, '0.3')).toMatch(/no longer an iceberg/)
  expect(replacement(iceberg, '99', '0.31').icebergQty).toBe('0.3')
  expect(replacement(iceberg, '99', '0.3').icebergQty).toBeUndefined()
  const strange = { ...order, strategyId: 2 ** 53 }
  expect(lossesOf(strange, '1')).toMatch(/^It loses its strategy id/)
  expect(replacement(strange, '99', '1').strategyId).toBeUndefined()
})
