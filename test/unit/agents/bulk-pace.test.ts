import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BulkPace } from '../../../src/agents/bulk-pace.ts'

const RING_BYTES = 1 << 20
const MS = 1e6

test.each([
  ['a quarter of the ring goes at once', [[0, RING_BYTES / 4]], [0]],
  ['what is beyond rests', [[0, RING_BYTES / 4 + 32 * 1024]], [2]],
  [
    'time pays it back',
    [
      [0, RING_BYTES / 4],
      [1, 16 * 1024],
      [1, 16 * 1024],
    ],
    [0, 0, 1],
  ],
  [
    'a long rest pays no more than a quarter',
    [
      [0, 0],
      [1e6, RING_BYTES / 4 + 16 * 1024],
    ],
    [0, 1],
  ],
])('%s', (_, batches, rests) => {
  const pace = new BulkPace(RING_BYTES)
  expect(batches.map(([ms, bytes]) => pace.published(bytes!, ms! * MS))).toEqual(rests)
})

test('a matcher that rests as told never publishes more than a quarter of the ring beyond the rate', () => {
  const batch = fc.record({ bytes: fc.nat(1 << 20), idleMs: fc.nat(20) })
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 50 }), (batches) => {
      const pace = new BulkPace(RING_BYTES)
      let nowMs = 0
      let total = 0
      for (const { bytes, idleMs } of batches) {
        nowMs += idleMs
        // A batch may begin with any credit, so its own bytes come on top.
        expect(total).toBeLessThanOrEqual(RING_BYTES / 4 + nowMs * 16 * 1024 + 1)
        total += bytes
        nowMs += pace.published(bytes, nowMs * MS)
      }
    }),
  )
})
