/** What chaos compares by, and how its faults follow each other. */
import { expect, test } from 'vitest'
import type { OrderState } from '../../../scripts/chaos/known-orders.ts'
import { mayShowAfter } from '../../../scripts/chaos/transitions.ts'
import { turnsOf } from '../../../scripts/chaos/turns.ts'
import { Prng } from '../../../src/base/prng.ts'

const open: OrderState = { status: 'PARTIALLY_FILLED', origQty: 9n, executedQty: 3n, quoteQty: 30n }
const filled: OrderState = { status: 'FILLED', origQty: 9n, executedQty: 9n, quoteQty: 90n }

test.each<[string, OrderState, OrderState | undefined, boolean]>([
  ['the same', open, open, true],
  ['more', open, filled, true],
  ['its end without a further fill', open, { ...open, status: 'CANCELED' }, true],
  ['nothing', open, undefined, false],
  ['a fill less', open, { ...open, executedQty: 2n }, false],
  ['less money', open, { ...open, quoteQty: 29n }, false],
  ['another end', filled, { ...filled, status: 'EXPIRED' }, false],
  ['an order that is open again', filled, { ...filled, status: 'PARTIALLY_FILLED' }, false],
])('a member shows %s of an order: whether it may', (_, earlier, later, may) => {
  expect(mayShowAfter(earlier, later)).toBe(may)
})

test('all faults come before one comes again, and those of a plan in turn', () => {
  const all = ['a', 'b', 'c']
  const drawn = turnsOf(undefined, all, new Prng(1))
  for (let round = 0; round < 5; round++) {
    expect(all.map(() => drawn()).sort()).toEqual(all)
  }
  const planned = turnsOf(['c', 'a'], all, new Prng(1))
  expect([1, 2, 3].map(() => planned())).toEqual(['c', 'a', 'c'])
})
