/** The heap of timers by itself: whatever is taken out of its middle, the others come in order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HeapTimer, TimerHeap } from '../../../src/base/timer-heap.ts'

const timerAt = (dueMs: number): HeapTimer => ({
  run: () => {},
  effect: undefined,
  dueMs,
  periodMs: 0,
  order: 0,
  index: -1,
})
const dues = fc.array(fc.nat({ max: 50 }), { maxLength: 200, size: 'max' })
const picks = fc.array(fc.nat(), { maxLength: 100, size: 'max' })

/** The earlier one first; of those due together the one that was added first. */
const inOrder = (timers: Iterable<HeapTimer>) =>
  [...timers].sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)

function drained(heap: TimerHeap): HeapTimer[] {
  const all: HeapTimer[] = []
  for (let first = heap.first; first !== undefined; first = heap.first) {
    heap.remove(first)
    expect(first.index).toBeLessThan(0)
    all.push(first)
  }
  return all
}

test('drains in order after any removals, also of timers that have left', () => {
  fc.assert(
    fc.property(dues, picks, (all, removed) => {
      const heap = new TimerHeap()
      const timers = all.map(timerAt)
      for (const timer of timers) heap.add(timer)
      const left = new Set(timers)
      for (const pick of removed) {
        const timer = timers[pick % timers.length]
        if (timer === undefined) break
        heap.remove(timer)
        left.delete(timer)
        expect(heap.size).toBe(left.size)
      }
      expect(drained(heap)).toEqual(inOrder(left))
    }),
  )
})

test('a timer that comes again goes behind those due with it', () => {
  const heap = new TimerHeap()
  const [one, two] = [timerAt(1), timerAt(1)]
  for (const timer of [one, two]) heap.add(timer)
  heap.remove(one)
  heap.add(one)
  expect(heap.lastOrder).toBe(3)
  expect(drained(heap)).toEqual([two, one])
})
