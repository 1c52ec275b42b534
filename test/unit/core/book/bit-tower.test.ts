import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BitTower } from '../../../../src/core/book/bit-tower.ts'

const open = (count: number): { tower: BitTower; words: Int32Array } => {
  const words = new Int32Array(BitTower.wordsFor(count))
  return { tower: new BitTower(words, count), words }
}

describe('BitTower', () => {
  test.each([
    [1, 2],
    [32, 2],
    [33, 3],
    [1024, 33],
    [1025, 36],
    [6_250_001, 201_615],
  ])('a set within %i integers takes %i words', (count, words) => {
    expect(BitTower.wordsFor(count)).toBe(words)
  })

  test.each([1, 31, 32, 33, 1024, 1025, 40_000])('is a set within %i integers', (count) => {
    const value = fc.oneof(
      fc.integer({ min: 0, max: count - 1 }),
      fc.integer({ min: 0, max: Math.min(70, count - 1) }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), value), { maxLength: 100, size: 'max' }),
        (acts) => {
          const { tower, words } = open(count)
          const model = new Set<number>()
          for (const [add, member] of acts) {
            if (add) tower.add(member)
            else {
              tower.deleteIf(0, member)
              expect(tower.has(member)).toBe(model.has(member))
              tower.deleteIf(1, member)
            }
            if (add) model.add(member)
            else model.delete(member)
            const sorted = [...model].sort((a, b) => a - b)
            expect(tower.has(member)).toBe(add)
            expect(tower.above(member)).toBe(sorted.find((other) => other > member) ?? -1)
          }
          for (const member of model) tower.deleteIf(1, member)
          expect(words.every((word) => word === 0)).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })
})
