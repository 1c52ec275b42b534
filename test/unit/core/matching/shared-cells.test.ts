/** Ids of order lists and open counts: what matchers share. */
import { expect, test } from 'vitest'
import { AccountId, OrderListId } from '../../../../src/base/units.ts'
import { Open, OpenCounts } from '../../../../src/core/matching/open-counts.ts'
import { OrderListIds } from '../../../../src/core/matching/order-list-ids.ts'

test('ids count across all who draw them, and continue after the highest recovered', () => {
  const memory = new SharedArrayBuffer(OrderListIds.bytes)
  const [one, other] = [new OrderListIds(memory), new OrderListIds(memory)]
  expect([one.next(), other.next(), one.next()]).toEqual([1, 2, 3])
  const after = new OrderListIds(new SharedArrayBuffer(OrderListIds.bytes))
  for (const id of [2, 7, 5]) after.recovered(OrderListId(id))
  expect(after.next()).toBe(8)
})

test('counts of accounts and kinds are apart', () => {
  const memory = new SharedArrayBuffer(OpenCounts.bytesFor(3))
  const counts = new OpenCounts(memory)
  counts.add(AccountId(1), Open.ORDERS, 2)
  counts.add(AccountId(1), Open.LISTS, 1)
  counts.add(AccountId(2), Open.ALGO_ORDERS, 1)
  counts.add(AccountId(1), Open.ORDERS, -1)
  const reader = new OpenCounts(memory)
  const all = [0, 1, 2].map((account) =>
    Object.values(Open).map((it) => reader.of(AccountId(account), it)),
  )
  expect(all).toEqual([
    [0, 0, 0, 0],
    [1, 0, 0, 1],
    [0, 1, 0, 0],
  ])
  expect(reader.accountsMax).toBe(3)
})
