import { expect, test } from 'vitest'
import { countersBytes, readCounters } from '../../src/shared/counters.ts'
import { onThread } from './ring-threads.ts'

test('a counter of many writers loses nothing', async () => {
  const memory = new SharedArrayBuffer(countersBytes(1, 1))
  const results = await Promise.all(
    [200_000, 300_000, 400_000].map((count) => onThread('count', { memory, count, seed: 0 })),
  )
  const warnings = readCounters(memory, 1, 1).find((row) => row.name === 'warnings')
  expect(warnings?.value).toBe(results.reduce((sum, { added }) => sum + added, 0))
  expect(warnings?.value).toBe(2_700_000)
})
