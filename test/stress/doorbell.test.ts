import { expect, test } from 'vitest'
import { Doorbell } from '../../src/ring/doorbell.ts'
import { onThread } from './ring-threads.ts'

/** Nothing in these tests sleeps with a limit: one wake-up lost, and the test never ends. */
const shared = (cells: number) => new SharedArrayBuffer(cells * 128)

test('two sleeping threads never miss each other', async () => {
  const [bells, scores] = [shared(2), shared(1)]
  const count = 30_000
  const [first, second] = await Promise.all([
    onThread('playPingPong', { bells, scores, count, mine: 0, other: 1 }),
    onThread('playPingPong', { bells, scores, count, mine: 1, other: 0 }),
  ])
  expect([first.served, second.served]).toEqual([count, count])
})

test('an event loop and a sleeping thread never miss each other', async () => {
  const [bells, scores] = [shared(2), shared(1)]
  const count = 10_000
  const [own, theirs] = [new Doorbell(bells, 0), new Doorbell(bells, 128)]
  const cells = new Int32Array(scores)
  const player = onThread('playPingPong', { bells, scores, count, mine: 1, other: 0 })
  const hasWork = () => Atomics.load(cells, 1) === Atomics.load(cells, 0)
  for (let served = 0; served < count; ) {
    if (hasWork()) {
      served = Atomics.add(cells, 0, 1) + 1
      theirs.ring()
      // Now and then the loop is busy with something else when the answer comes.
      if (served % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
    } else await own.sleepAsync(hasWork)
  }
  expect((await player).served).toBe(count)
})

test('one sleeper hears all of many ringers', async () => {
  const [bells, scores] = [shared(1), shared(1)]
  const count = 20_000
  const bell = new Doorbell(bells, 0)
  const cells = new Int32Array(scores)
  const ringers = [1, 2, 3].map((mine) =>
    onThread('ringForWork', { bells, scores, count, mine, other: 0 }),
  )
  let taken = 0
  const hasWork = () => Atomics.load(cells, 0) > 0
  while (taken < count * ringers.length) {
    taken += Atomics.exchange(cells, 0, 0)
    if (taken < count * ringers.length) await bell.sleepAsync(hasWork)
  }
  await Promise.all(ringers)
  expect(Atomics.load(cells, 0)).toBe(0)
})
