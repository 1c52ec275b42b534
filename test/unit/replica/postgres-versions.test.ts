/** Releases of PostgreSQL whose first commits after a start may wait for no standby are not used. */
import { expect, test } from 'vitest'
import { isTooOld } from '../../../src/replica/postgres-session.ts'

test.each([
  [140_018, true],
  [150_012, true],
  [150_013, false],
  [160_008, true],
  [160_009, false],
  [170_004, true],
  [170_005, false],
  [180_000, false],
  [190_001, false],
])('version %i', (version, isRefused) => {
  expect(isTooOld(version)).toBe(isRefused)
})
