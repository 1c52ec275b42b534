import { expect, test } from 'vitest'
import { GeneratedIds } from '../../../../src/gateway/engine-link/generated-ids.ts'

test('ids are 22 letters and digits, and none is given out twice', () => {
  const ids = new GeneratedIds()
  // Past the point where the third letter from the end has come round.
  const given = Array.from({ length: 62 ** 3 + 62 }, () => ids.next())
  expect(new Set(given).size).toBe(given.length)
  expect(given.filter((id) => !/^[A-Za-z0-9]{22}$/.test(id))).toEqual([])
  expect(new Set(given.map((id) => id.slice(0, 14))).size).toBe(1)
})

test('two starts of a gateway give out different ids', () => {
  expect(new GeneratedIds().next()).not.toBe(new GeneratedIds().next())
})
