import { expect, test } from 'vitest'
import { QUORUM_COUNTS_BYTES, QuorumCounts } from '../../../src/shared/quorum-counts.ts'

test('counts what was sent, and for how long the quorum did not answer', () => {
  let nowMs = 1_000
  const memory = new SharedArrayBuffer(QUORUM_COUNTS_BYTES)
  const counts = new QuorumCounts(memory, { elapsedNs: () => nowMs * 1e6 })
  const reader = new QuorumCounts(memory, { elapsedNs: () => nowMs * 1e6 })
  const nothing = { blocks: 0, bytes: 0, losses: 0, lostMs: 0, waitMs: 0 }
  expect(reader.read()).toEqual(nothing)
  expect(counts.find()).toBe(0)
  counts.noteSent(2, 300)
  counts.lose()
  nowMs += 40
  counts.lose()
  nowMs += 2
  expect(reader.read()).toEqual({ blocks: 2, bytes: 300, losses: 1, lostMs: 42, waitMs: 42 })
  expect(counts.find()).toBe(42)
  nowMs += 5
  expect(reader.read()).toEqual({ blocks: 2, bytes: 300, losses: 1, lostMs: 42, waitMs: 0 })
  counts.lose()
  // A loss within the same ms is a loss.
  expect(counts.find()).toBe(1)
  expect(reader.read()).toMatchObject({ losses: 2, lostMs: 43 })
})
