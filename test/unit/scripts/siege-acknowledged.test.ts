/** Each way in which an exchange could go back on what it sent a client is found. */
import { describe, expect, test } from 'vitest'
import {
  Acknowledged,
  changesBetween,
  type Found,
  type OrderTold,
} from '../../../scripts/exchange/acknowledged.ts'

const order = (changes: Partial<OrderTold> = {}): OrderTold => ({
  orderId: 7,
  clientOrderId: 'a',
  status: 'NEW',
  executedQty: '0.00100',
  fills: [{ tradeId: 3, price: '30000.00', qty: '0.00100' }],
  ...changes,
})
const trade = { price: '30000.00', qty: '0.00100' }
const found = (
  orders: readonly OrderTold[],
  trades: readonly (typeof trade)[] = [trade],
): Found => ({
  orders: new Map(orders.map((row) => [row.orderId, row])),
  trades: new Map(trades.map((row) => [3, row])),
})

function told(): Acknowledged {
  const acknowledged = new Acknowledged()
  acknowledged.placed(order())
  acknowledged.placed(order({ orderId: 8, clientOrderId: 'b', executedQty: '0', fills: [] }))
  acknowledged.canceled(8)
  acknowledged.refused('c')
  return acknowledged
}
const canceled = order({ orderId: 8, clientOrderId: 'b', status: 'CANCELED', executedQty: '0' })

describe('what was told', () => {
  test.each<[sentence: string[], Found]>([
    [[], found([order(), canceled])],
    [[], found([order({ status: 'FILLED', executedQty: '0.00200' }), canceled])],
    [['order 7 is lost'], found([canceled])],
    [['order 7 executed 0.00100, now 0'], found([order({ executedQty: '0' }), canceled])],
    [['trade 3 is lost'], found([order(), canceled], [])],
    [['trade 3 is lost'], found([order(), canceled], [{ ...trade, qty: '0.00200' }])],
    [['order 8 was canceled, is NEW'], found([order(), { ...canceled, status: 'NEW' }])],
    [['order 8 is lost', 'order 8 was canceled, is undefined'], found([order()])],
    [
      ['c was refused, exists'],
      found([order(), canceled, order({ orderId: 9, clientOrderId: 'c', fills: [] })]),
    ],
  ])('%j', (sentences, now) => {
    expect(told().contradictions(now)).toEqual(sentences)
  })
})

describe('what a kill changed', () => {
  test.each<[sentences: string[], before: OrderTold[], after: OrderTold[]]>([
    [[], [order()], [order(), canceled]],
    [['order 7 was NEW 0.00100 before the kill, is missing'], [order()], []],
    [
      ['order 7 was NEW 0.00100 before the kill, is FILLED 0.00100'],
      [order()],
      [order({ status: 'FILLED' })],
    ],
  ])('%j', (sentences, before, after) => {
    expect(changesBetween(found(before), found(after))).toEqual(sentences)
  })
})
