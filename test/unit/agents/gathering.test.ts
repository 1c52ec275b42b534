/** When the next batch of a matcher begins. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Gathering } from '../../../src/agents/gathering.ts'

const MS = 1_000_000

function after(tookNs: number, usMax: number): Gathering {
  const gathering = new Gathering(usMax)
  gathering.batchEnded(5 * MS, 5 * MS + tookNs)
  return gathering
}

test('the first batch waits for nothing', () => {
  expect(new Gathering(250).leftMs(0)).toBe(0)
})

test.each([
  { batch: 'a usual one', tookMs: 0.2, usMax: 250, waitsMs: 0.1 },
  { batch: 'a slow one', tookMs: 8, usMax: 250, waitsMs: 0.25 },
  { batch: 'one that nothing was flushed for', tookMs: 0.02, usMax: 250, waitsMs: 0 },
  { batch: 'a usual one, without gathering', tookMs: 0.2, usMax: 0, waitsMs: 0 },
])('after $batch the next waits for $waitsMs ms', ({ tookMs, usMax, waitsMs }) => {
  const endNs = (5 + tookMs) * MS
  expect(after(tookMs * MS, usMax).leftMs(endNs)).toBeCloseTo(waitsMs, 9)
})

test('no command waits for longer than half of the batch before it, or the bound', () => {
  const ns = fc.integer({ min: 0, max: 20 * MS })
  fc.assert(
    fc.property(ns, ns, fc.integer({ min: 0, max: 1_000 }), (tookNs, sinceNs, usMax) => {
      const leftMs = after(tookNs, usMax).leftMs(5 * MS + tookNs + sinceNs)
      expect(leftMs).toBeGreaterThanOrEqual(0)
      expect(leftMs * MS).toBeLessThanOrEqual(
        Math.max(0, Math.min(tookNs / 2, usMax * 1_000) - sinceNs) + 1e-3,
      )
    }),
  )
})
