/** When the batches of a matcher begin. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Gathering } from '../../../src/agents/gathering.ts'

const US = 1_000
const MS = 1_000 * US
/** The last wait that is not slept, ns. */
const WAIT_NS_MIN = 15 * US

interface Batch {
  readonly beganNs: number
  readonly endedNs: number
  readonly commands: number
}

/** Commands that arrive at these times go through batches that take `tookNs` each; else time passes by. */
function batchesOf(arrivalsNs: readonly number[], tookNs: number, usMax: number): Batch[] {
  let nowNs = 0
  let taken = 0
  const batches: Batch[] = []
  const waiting = () => arrivalsNs.filter((arrivedNs) => arrivedNs <= nowNs).length - taken
  const duty = {
    hasWork: () => waiting() > 0,
    doWork: () => {
      const commands = waiting()
      if (commands === 0) return 0
      taken += commands
      const beganNs = nowNs
      nowNs += tookNs
      batches.push({ beganNs, endedNs: nowNs, commands })
      return commands
    },
    sleep: (ms: number) => {
      nowNs += ms * MS
    },
  }
  const gathering = new Gathering(duty, { elapsedNs: () => nowNs }, usMax)
  while (taken < arrivalsNs.length) {
    // With nothing to do the matcher sleeps until a command rings.
    if (gathering.doWork() === 0) nowNs = Math.max(nowNs, arrivalsNs[taken]!)
  }
  return batches
}

test('the first batch waits for nothing', () => {
  expect(batchesOf([0], 200 * US, 250)).toEqual([{ beganNs: 0, endedNs: 200 * US, commands: 1 }])
})

test.each([
  { batch: 'a usual one', tookNs: 200 * US, usMax: 250, waitsNs: 100 * US },
  { batch: 'a slow one', tookNs: 8 * MS, usMax: 250, waitsNs: 250 * US },
  { batch: 'one that nothing was flushed for', tookNs: 20 * US, usMax: 250, waitsNs: 0 },
  { batch: 'a usual one, without gathering', tookNs: 200 * US, usMax: 0, waitsNs: 0 },
])('after $batch the next waits for $waitsNs ns', ({ tookNs, usMax, waitsNs }) => {
  const [first, second] = batchesOf([0, tookNs / 2], tookNs, usMax)
  expect(second!.beganNs - first!.endedNs).toBeCloseTo(waitsNs, 3)
})

test('what arrives during the wait goes with the next batch', () => {
  const tookNs = 200 * US
  const arrivals = [0, 50 * US, 220 * US, 290 * US, 310 * US]
  expect(batchesOf(arrivals, tookNs, 250).map(({ commands }) => commands)).toEqual([1, 3, 1])
  expect(batchesOf(arrivals, tookNs, 0).map(({ commands }) => commands)).toEqual([1, 1, 3])
})

test('a command that comes after the wait is taken at once', () => {
  const [, second] = batchesOf([0, 350 * US], 200 * US, 250)
  expect(second!.beganNs).toBe(350 * US)
})

test('no command waits for longer than half of the batch before it, or the bound', () => {
  const gapNs = fc.integer({ min: 0, max: MS })
  const tookNs = fc.integer({ min: 1, max: 20 * MS })
  fc.assert(
    fc.property(fc.array(gapNs, { minLength: 2 }), tookNs, fc.nat(1_000), (gaps, took, usMax) => {
      let atNs = 0
      const arrivals = gaps.map((gap) => (atNs += gap))
      const batches = batchesOf(arrivals, took, usMax)
      const bound = Math.min(took / 2, usMax * US)
      let first = 0
      for (const [index, { beganNs, commands }] of batches.entries()) {
        const endedNs = batches[index - 1]?.endedNs ?? 0
        const dueNs = Math.max(arrivals[first]!, endedNs)
        expect(beganNs - dueNs).toBeLessThanOrEqual((bound < WAIT_NS_MIN ? 0 : bound) + 1e-3)
        first += commands
      }
    }),
  )
})
