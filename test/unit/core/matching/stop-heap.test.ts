/** The heap of stops by itself: whatever leaves from its middle, the others drain in order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Prng } from '../../../../src/base/prng.ts'
import { StopHeap } from '../../../../src/core/matching/stop-heap.ts'

/** The plain twin: slots with their keys, searched whole. */
type PlainStops = Map<number, number>

/** Takes the first slot until there is none; every key must be the lowest left, and its slot its own. */
function expectDrained(heap: StopHeap, plain: PlainStops): void {
  const keys = [...plain.values()].sort((one, other) => one - other)
  const drained: number[] = []
  while (heap.firstKey !== Number.POSITIVE_INFINITY) {
    const { firstSlot, firstKey } = heap
    expect(plain.get(firstSlot)).toBe(firstKey)
    plain.delete(firstSlot)
    expect(heap.remove(firstSlot)).toBe(true)
    expect(heap.remove(firstSlot)).toBe(false)
    drained.push(firstKey)
  }
  expect(drained).toEqual(keys)
  expect(plain.size).toBe(0)
}

const stops = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 200, size: 'max' })

test('drains in order after any removals', () => {
  fc.assert(
    fc.property(stops, fc.array(fc.nat(), { maxLength: 100, size: 'max' }), (keys, picks) => {
      const heap = new StopHeap()
      const plain: PlainStops = new Map()
      for (const [index, key] of keys.entries()) {
        heap.add(index + 1, key)
        plain.set(index + 1, key)
      }
      for (const pick of picks) {
        const slot = 1 + (pick % (keys.length + 1))
        expect(heap.remove(slot)).toBe(plain.delete(slot))
      }
      expectDrained(heap, plain)
    }),
  )
})

test('and so does a large one that is filled again while it drains', () => {
  const random = new Prng(1)
  const heap = new StopHeap()
  const plain: PlainStops = new Map()
  for (let step = 0; step < 40_000; step++) {
    const slot = 1 + random.below(6_000)
    expect(heap.remove(slot)).toBe(plain.delete(slot))
    if (random.chance(0.3)) continue
    const key = random.chance(0.1) ? random.below(100) : random.below(2 ** 30) - 2 ** 29
    heap.add(slot, key)
    plain.set(slot, key)
  }
  expect(plain.size).toBeGreaterThan(2_000)
  expectDrained(heap, plain)
})
