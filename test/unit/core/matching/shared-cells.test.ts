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

/** Another matcher draws ids once in the middle of the action: behind a read, or before a write. Returns how many. */
function besideOther(memory: SharedArrayBuffer, drawn: bigint, action: () => void): number {
  const { load, store } = Atomics
  let others = 0n
  const draw = (cell: { readonly buffer: ArrayBufferLike }) => {
    if (others > 0n || cell.buffer !== memory) return
    others = drawn
    Atomics.add(cell as BigInt64Array, 0, drawn)
  }
  const given: Pick<typeof Atomics, 'load' | 'store'> = {
    load: (cell: Int32Array, at: number) => {
      const read = load(cell, at)
      draw(cell)
      return read
    },
    store: (cell: Int32Array, at: number, value: number) => {
      draw(cell)
      return store(cell, at, value)
    },
  } as never
  Object.assign(Atomics, given)
  try {
    action()
  } finally {
    Object.assign(Atomics, { load, store })
  }
  return Number(others)
}

test('no id is given twice that another matcher draws at the same time', () => {
  const memory = new SharedArrayBuffer(OrderListIds.bytes)
  const ids = new OrderListIds(memory)
  let drawn = 0
  const others = besideOther(memory, 1n, () => {
    drawn = ids.next()
  })
  expect([drawn, ids.last]).toEqual([1, 1 + others])
  const { last } = ids
  const ahead = besideOther(memory, 2n, () => ids.recovered(OrderListId(last + 1)))
  expect([ahead, ids.last]).toEqual([2, last + 2])
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
