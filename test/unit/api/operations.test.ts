/** What each operation's row states of orders agrees with the rest of the row. */
import { describe, expect, test } from 'vitest'
import { entersOrders, operations } from '../../../src/api/operations/index.ts'

describe.each(operations)('$id', ({ id, effect, orderCount, security, method, sources }) => {
  test('is counted as orders if it enters some', () => {
    expect(orderCount > 0).toBe(entersOrders(effect))
  })

  test('trades if it changes orders, and asks the engine alone', () => {
    const changes = effect !== 'NONE'
    const trades = security === 'TRADE' && !id.startsWith('test')
    expect(changes).toBe(trades || effect === 'MOVES')
    if (changes) expect([method === 'GET', sources]).toEqual([false, ['ENGINE']])
  })
})
