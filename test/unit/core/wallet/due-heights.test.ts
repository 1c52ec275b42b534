import { expect, test } from 'vitest'
import { DueHeights } from '../../../../src/core/wallet/due-heights.ts'

test('heights that are met without a look at them are not kept', () => {
  const rows = new Map<number, number>()
  let looks = 0
  const due = new DueHeights(rows, (height) => {
    looks++
    return height
  })
  for (let id = 1; id <= 100; id++) {
    rows.set(id, id)
    due.add(id, id)
    rows.set(id, Number.POSITIVE_INFINITY)
  }
  looks = 0
  expect(due.first()).toBeUndefined()
  expect(looks).toBe(1)
})
