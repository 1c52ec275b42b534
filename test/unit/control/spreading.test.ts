/** Symbols spread over matchers, held to every other way of spreading them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SymbolLoad, spread } from '../../../src/control/spreading.ts'

const MATCHERS = 3

const loads = fc
  .array(
    fc.record({ events: fc.nat(100), matcher: fc.nat(MATCHERS - 1), isPinned: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((rows) => rows.map((row, symbol): SymbolLoad => ({ ...row, symbol })))

/** The least that the busiest matcher can have, by trying everything. */
function best(all: readonly SymbolLoad[], at = 0, done: readonly number[] = [0, 0, 0]): number {
  const load = all[at]
  if (load === undefined) return Math.max(...done)
  const choices = load.isPinned ? [load.matcher] : [0, 1, 2]
  return Math.min(
    ...choices.map((choice) =>
      best(
        all,
        at + 1,
        done.map((sum, matcher) => sum + (matcher === choice ? load.events : 0)),
      ),
    ),
  )
}

test('is never worse than before, and within a half of the best there is', () => {
  fc.assert(
    fc.property(loads, (rows) => {
      const { matcherOf, busiestNow, busiestThen } = spread(rows, MATCHERS)
      const all = rows.reduce((sum, { events }) => sum + events, 0)
      const done = [0, 0, 0]
      for (const { symbol, events } of rows) done[matcherOf.get(symbol)!]! += events
      expect(busiestThen).toBe(all === 0 ? 0 : Math.max(...done) / all)
      expect(busiestThen).toBeLessThanOrEqual(busiestNow)
      expect(busiestThen * all).toBeLessThanOrEqual(1.5 * best(rows) + 1e-9)
    }),
    { numRuns: 300 },
  )
})

test('what is pinned, or idle, stays', () => {
  fc.assert(
    fc.property(loads, (rows) => {
      const { matcherOf } = spread(rows, MATCHERS)
      for (const { symbol, matcher, events, isPinned } of rows) {
        if (isPinned || events === 0) expect(matcherOf.get(symbol)).toBe(matcher)
      }
    }),
    { numRuns: 300 },
  )
})

test('two equally busy symbols get a matcher each', () => {
  const rows = [0, 1].map((symbol) => ({ symbol, events: 5, matcher: 0, isPinned: false }))
  expect([...spread(rows, 2).matcherOf]).toEqual([
    [0, 0],
    [1, 1],
  ])
})
