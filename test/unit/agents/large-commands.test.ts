/** Commands of several slots, drained among small ones, past the end of the ring. */
import { expect, test } from 'vitest'
import { OneMatcher } from './one-matcher.ts'

test('lists are executed wherever they lie in the ring', () => {
  const one = new OneMatcher('flushed', 8)
  let accepted = 0
  for (let round = 0; round < 24; round++) {
    for (let i = 0; i < round % 3; i++) one.place(0)
    one.placeList(0)
    one.place(0)
    const commands = one.matcher.doWork()
    expect(commands).toBe((round % 3) + 2)
    accepted += one.read().filter(({ name }) => name === 'OrderAccepted').length
    expect(accepted).toBe(one.counter('orders', 'symbol'))
  }
  expect(accepted).toBe(24 * (2 + 1 + 1))
})

test('a command that finds no room is sent when there is some', () => {
  const one = new OneMatcher('flushed', 8)
  one.placeList(0)
  one.placeList(0)
  expect(() => one.placeList(0)).toThrow('full')
  one.matcher.doWork()
  one.placeList(0)
  expect(one.matcher.doWork()).toBe(1)
  const lists = one.read().filter(({ name }) => name === 'OrderListChanged')
  expect(lists.map(({ orderListId }) => orderListId)).toEqual([1, 2, 3])
})
