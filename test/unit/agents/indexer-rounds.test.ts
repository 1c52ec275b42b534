/** The indexer never goes to sleep while a query waits for what it has not archived. */

import { expect, test } from 'vitest'
import { IndexerRounds } from '../../../src/agents/indexer-agent.ts'
import { Throttle } from '../../../src/agents/throttle.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { CountedBell } from '../../../src/ring/counted-bell.ts'

const moments = [
  'before the round',
  'before the journal is read',
  'after the journal was read',
  'while time is told',
  'while it rests',
  'when it would sleep',
] as const
type Moment = (typeof moments)[number]

/** One thread in the place of two: `at` is called in each moment of a round. */
class Scene {
  published = 0
  archived = 0
  /** What each transaction takes. */
  blocksMax = Number.POSITIVE_INFINITY
  hasMore = false
  readonly did: string[] = []
  at: (moment: Moment) => void = () => {}
  readonly bell = new CountedBell({ ring: () => {} }, new SharedArrayBuffer(4))
  private readonly time = new ManualTime(new ManualClock(Ms(7)))
  private readonly rounds = new IndexerRounds(this, this.bell, {
    time: this.time,
    throttle: new Throttle(this.time, { workMs: 1, restMs: 1 }),
    rest: () => this.rest(),
  })

  /** Something is journaled, and a query waits for it. */
  ask(): void {
    this.published++
    this.bell.ring()
  }

  /** A cycle, and the sleep behind it. */
  run(): void {
    this.at('before the round')
    if (this.rounds.run() > 0) return
    this.at('when it would sleep')
    if (this.rounds.isAwaited) return
    const ms = this.rounds.dueInMs
    this.did.push(`sleeps ${ms} ms`)
    this.time.advance(ms)
  }

  doWork(throttle?: unknown): number {
    this.at('before the journal is read')
    const events = Math.min(this.published - this.archived, this.blocksMax)
    this.archived += events
    this.hasMore = this.archived < this.published
    this.did.push(`archives ${events}${throttle === undefined ? ' at once' : ''}`)
    this.at('after the journal was read')
    return events
  }

  tend(nowMs: Ms): void {
    expect(nowMs).toBe(this.time.nowMs())
    this.at('while time is told')
  }

  private rest(): void {
    this.did.push('rests')
    this.at('while it rests')
  }
}

test('with nothing to do it sleeps', () => {
  const scene = new Scene()
  scene.run()
  scene.run()
  expect(scene.did).toEqual(['archives 0', 'sleeps 80 ms', 'archives 0', 'sleeps 80 ms'])
})

test.each(moments)('a query %s waits for no sleep', (moment) => {
  const scene = new Scene()
  // Something to do, so that it rests as well.
  scene.published = 1
  let isAsked = false
  scene.at = (now) => {
    if (now !== moment || isAsked) return
    isAsked = true
    scene.ask()
  }
  const asleep = () => scene.did.at(-1)!.startsWith('sleeps')
  do scene.run()
  while (!asleep())
  expect([isAsked, scene.archived]).toEqual([true, 2])
})

test('who asked before is no reason to stay awake', () => {
  const scene = new Scene()
  scene.ask()
  scene.ask()
  scene.run()
  scene.run()
  expect(scene.did).toEqual(['archives 2', 'rests', 'sleeps 80 ms'])
})

test('while there is more than a transaction takes, it neither rests nor sleeps', () => {
  const scene = new Scene()
  scene.blocksMax = 2
  scene.published = 5
  for (let round = 0; round < 4; round++) scene.run()
  expect(scene.did).toEqual([
    'archives 2',
    'archives 2 at once',
    'archives 1 at once',
    'rests',
    'sleeps 80 ms',
  ])
})
