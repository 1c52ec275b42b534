/** Reads leave half of an address's weight to orders, and nothing is sent in a pause that was demanded. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as WeightModule from '../../../src/console/net/weight.ts'

const LIMIT = 6_000
const START_MS = Date.UTC(2026, 0, 5, 12)

let weight: typeof WeightModule
beforeEach(async () => {
  vi.useFakeTimers({ now: START_MS })
  vi.resetModules()
  weight = await import('../../../src/console/net/weight.ts')
})
afterEach(() => vi.useRealTimers())

/** Returns the seconds that a request waits; undefined when it waits for more than two minutes. */
async function waited(isShared?: boolean): Promise<number | undefined> {
  let isDone = false
  void weight.roomToRead(isShared).then(() => {
    isDone = true
  })
  for (let seconds = 0; seconds <= 120; seconds++) {
    await vi.advanceTimersByTimeAsync(0)
    if (isDone) return seconds
    await vi.advanceTimersByTimeAsync(1_000)
  }
  return undefined
}

test.each([
  ['less than half', LIMIT / 2 - 1, 0],
  ['half', LIMIT / 2, 60],
  ['more', LIMIT, 60],
])('a read waits for the next minute once half is used: %s', async (_, used, seconds) => {
  weight.noteWeight(used, LIMIT)
  expect(await waited()).toBe(seconds)
})

test('nothing waits where there is no limit, nor what is for an order', async () => {
  weight.noteWeight(LIMIT, 0)
  expect(await waited()).toBe(0)
  weight.noteWeight(LIMIT, LIMIT)
  expect(await waited(false)).toBe(0)
})

test('in a pause nothing is read, for an order neither; the longest of several holds', async () => {
  weight.notePause(30_000)
  weight.notePause(10_000)
  expect(await waited(false)).toBe(30)
  weight.notePause(5_000)
  expect(await waited()).toBe(5)
})

test('the page is shown the weight, and why reads wait', async () => {
  const shown: WeightModule.Weight[] = []
  weight.watchWeight((it) => shown.push(it))
  weight.noteWeight(LIMIT / 2, LIMIT)
  expect(shown.at(-1)).toEqual({ used: 3_000, limit: LIMIT, readsWait: '' })
  await waited()
  expect(shown.find(({ readsWait }) => readsWait !== '')?.readsWait).toMatch(/^Half of the request/)
  expect(shown.at(-1)!.readsWait).toBe('')
})
