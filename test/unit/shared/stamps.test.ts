import { expect, test } from 'vitest'
import { BatchStamps, StampReader, stampsBytes } from '../../../src/shared/stamps.ts'

const PLACES = 8
const memories = () => [0, 1].map(() => new SharedArrayBuffer(stampsBytes(PLACES)))

test('what a batch was stamped with is found by the gateway that asked', () => {
  const shared = memories()
  const batch = new BatchStamps(shared)
  const readers = shared.map((memory) => new StampReader(memory))
  expect(batch.isTimed).toBe(false)
  batch.executed(0, 3, 10, 12)
  batch.executed(1, 3, 12, 15)
  expect(batch.isTimed).toBe(true)
  batch.journaled(40)
  batch.published(45)
  expect(batch.isTimed).toBe(false)
  const rest = { journaledNs: 40, publishedNs: 45 }
  expect(readers[0]!.of(3)).toEqual({ begunNs: 10, matchedNs: 12, ...rest })
  expect(readers[1]!.of(3)).toEqual({ begunNs: 12, matchedNs: 15, ...rest })
})

test('the next batch leaves the stamps of the one before alone', () => {
  const shared = memories()
  const batch = new BatchStamps(shared)
  const reader = new StampReader(shared[0]!)
  batch.executed(0, 1, 1, 2)
  batch.journaled(3)
  batch.published(4)
  batch.executed(0, 2, 5, 6)
  batch.journaled(7)
  batch.published(8)
  expect(reader.of(1)).toEqual({ begunNs: 1, matchedNs: 2, journaledNs: 3, publishedNs: 4 })
})

test('a place that was used again is not mistaken for what it was', () => {
  const shared = memories()
  const batch = new BatchStamps(shared)
  const reader = new StampReader(shared[0]!)
  batch.executed(0, 5 + PLACES, 1, 2)
  batch.published(4)
  expect(reader.of(5)).toBeUndefined()
  expect(reader.of(5 + PLACES)).toBeDefined()
})
