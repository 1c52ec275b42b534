/** When a matcher has countdowns fire: behind what had arrived, while it idles, at a start, and as a follower never. */
import { expect, test } from 'vitest'
import { BATCH_COMMANDS_MAX } from '../../../src/base/limits.ts'
import { Ms } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { OneMatcher } from './one-matcher.ts'

const names = (it: OneMatcher) => it.read().map(({ name }) => name)
const FIRED = ['OrderClosed', 'CountdownChanged']

/** One with an order and a countdown that is over at 1,050. */
function counting(replyBytes?: number): OneMatcher {
  const it = new OneMatcher('flushed', 4096, 0, 1_000, replyBytes)
  it.place(0)
  it.countDown(0, 50)
  it.matcher.doWork()
  it.read()
  return it
}

/** Works until there is nothing to do. */
function work(it: OneMatcher): void {
  while (it.matcher.doWork() > 0);
}

test('an idle matcher wakes for the next one, and it fires once', () => {
  const it = counting()
  expect(it.matcher.idleMsMax).toBe(50)
  it.nowMs = Ms(1_049)
  work(it)
  expect([it.matcher.idleMsMax, names(it)]).toEqual([1, []])
  it.nowMs = Ms(1_050)
  expect(it.matcher.idleMsMax).toBe(0)
  work(it)
  expect(names(it)).toEqual(FIRED)
  expect(it.matcher.idleMsMax).toBe(Number.POSITIVE_INFINITY)
})

test('a renewal that had arrived comes in time, however much stands before it', () => {
  const it = counting()
  for (let i = 0; i < 2 * BATCH_COMMANDS_MAX; i++) it.query(1)
  it.countDown(1, 70)
  it.nowMs = Ms(1_050)
  while (it.matcher.doWork() > 0) it.readReplies(1)
  expect(names(it)).toEqual(['CountdownChanged'])
  expect(it.matcher.idleMsMax).toBe(70)
})

test('commands that keep arriving do not keep it from firing', () => {
  const it = counting()
  it.nowMs = Ms(1_050)
  const told: string[] = []
  for (let batch = 0; batch < 4 && told.length === 0; batch++) {
    for (let i = 0; i < BATCH_COMMANDS_MAX; i++) it.query(1)
    it.matcher.doWork()
    it.readReplies(1)
    told.push(...names(it))
  }
  expect(told).toEqual(FIRED)
})

test('a gateway that reads no replies delays nothing', () => {
  const it = counting(1 << 10)
  for (let i = 0; i < 1_000; i++) it.query(1)
  it.nowMs = Ms(1_050)
  work(it)
  expect(names(it)).toEqual(FIRED)
})

test('a start has those fire that were over meanwhile', () => {
  const it = counting()
  it.nowMs = Ms(9_000)
  it.matcher.endLeftCountdowns()
  while (it.matcher.finishLeft());
  expect(names(it)).toEqual(FIRED)
})

test('a follower has none fire, and takes them over with the lead', () => {
  const leader = counting()
  const follower = new OneMatcher('flushed', 4096, 0, 1_000, undefined, false)
  const follow = () => {
    for (const { block, position } of leader.journal.blocks(1)) {
      if (position > follower.journal.lastPosition) follower.following.take(block)
    }
  }
  follow()
  follower.read()
  follower.nowMs = Ms(5_000)
  work(follower)
  expect([follower.matcher.idleMsMax, names(follower)]).toEqual([Number.POSITIVE_INFINITY, []])
  follower.matcher.lead(new BlockWriter({ matcher: 0, epoch: 2, previous: 0 }), Ms(1_000))
  follower.matcher.endLeftCountdowns()
  while (follower.matcher.finishLeft());
  expect(names(follower)).toEqual(FIRED)
})
