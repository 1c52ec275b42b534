/** When a member that follows takes the lead: what it saw, and when. */
import { expect, test } from 'vitest'
import { Cause, LACK_MAX, LeadWatch } from '../../../src/replica/lead-watch.ts'
import type { Lead } from '../../../src/replica/quorum.ts'

const AFTER_MS = 3_000
const lead = (beat: number, changes: Partial<Lead> = {}): Lead => ({
  epoch: 1,
  member: 'one',
  beat,
  address: 'http://one',
  successor: '',
  ...changes,
})
const watching = (afterMs: number | undefined = AFTER_MS) =>
  new LeadWatch({ member: 'me', afterMs, passedMs: 0 })

test('a leader that beats is followed for ever', () => {
  const watch = watching()
  for (let beat = 1; beat < 100; beat++) {
    watch.saw(lead(beat), beat * 500)
    expect(watch.cause(beat * 500 + AFTER_MS - 1)).toBeUndefined()
  }
})

test('a leader of the same name that beats is a twin, and is followed; its silence is own', () => {
  const watch = watching()
  for (let beat = 1; beat < 20; beat++) {
    watch.saw(lead(beat, { member: 'me' }), beat * 500)
    expect(watch.cause(beat * 500 + AFTER_MS - 1)).toBeUndefined()
  }
  expect(watch.cause(19 * 500 + AFTER_MS)).toBe(Cause.OWN)
})

test.each<[string, Partial<Lead>, number]>([
  ['a silence', {}, AFTER_MS],
  ['a handover to any member', { successor: 'any' }, 0],
])('a member that is far behind leaves the lead to others for a while: %s', (_, changes, fromMs) => {
  const watch = watching()
  watch.saw(lead(1, changes), 0)
  expect(watch.cause(fromMs, LACK_MAX)).toBeDefined()
  expect(watch.cause(fromMs, LACK_MAX + 1)).toBeUndefined()
  expect(watch.cause(fromMs + AFTER_MS - 1, LACK_MAX + 1)).toBeUndefined()
  expect(watch.cause(fromMs + AFTER_MS, LACK_MAX + 1)).toBeDefined()
})

test('a member that is asked or named leads however far behind it is', () => {
  const watch = watching()
  watch.saw(lead(1, { successor: 'me' }), 0)
  expect(watch.cause(0, Number.POSITIVE_INFINITY)).toBe(Cause.NAMED)
  watch.saw(lead(2), 0)
  watch.ask()
  expect(watch.cause(0, Number.POSITIVE_INFINITY)).toBe(Cause.ASKED)
})

test('silence is counted from the last new beat', () => {
  const watch = watching()
  watch.saw(lead(1), 1_000)
  watch.saw(lead(1), 3_900)
  expect(watch.cause(3_999)).toBeUndefined()
  expect(watch.cause(4_000)).toBe(Cause.SILENCE)
  watch.saw(lead(2), 4_100)
  expect(watch.cause(4_100)).toBeUndefined()
})

test('a quorum that does not answer is no silence of the leader', () => {
  const watch = watching()
  watch.saw(lead(1), 0)
  watch.lost(5_000)
  watch.saw(lead(1), 6_000)
  expect(watch.cause(7_999)).toBeUndefined()
  expect(watch.cause(8_000)).toBe(Cause.SILENCE)
})

test('a server that is behind says nothing new', () => {
  const watch = watching()
  watch.saw(lead(9, { epoch: 2 }), 0)
  for (const earlier of [lead(12), lead(8, { epoch: 2 }), undefined]) watch.saw(earlier, 2_999)
  expect(watch.cause(3_000)).toBe(Cause.SILENCE)
})

test.each<[string, Partial<Lead>, number | undefined, Cause | undefined]>([
  ['this member is named', { successor: 'me' }, AFTER_MS, Cause.NAMED],
  ['this member is named, which takes no lead by itself', { successor: 'me' }, undefined, 'named'],
  ['any member is named', { successor: 'any' }, AFTER_MS, Cause.NAMED],
  ['any member is named, but this one takes no lead', { successor: 'any' }, undefined, undefined],
  ['another member is named', { successor: 'two' }, AFTER_MS, undefined],
  [
    'the row names this member, which may be its living twin',
    { member: 'me' },
    AFTER_MS,
    undefined,
  ],
  [
    'the row names this member, which stopped',
    { member: 'me', successor: 'me' },
    AFTER_MS,
    'named',
  ],
  ['the row names this member, which takes no lead', { member: 'me' }, undefined, undefined],
])('%s', (_, changes, afterMs, cause) => {
  const watch = new LeadWatch({ member: 'me', afterMs, passedMs: 0 })
  watch.saw(lead(1, changes), 0)
  expect(watch.cause(0)).toBe(cause)
})

test('a name that comes between two beats counts', () => {
  const watch = watching()
  watch.saw(lead(1), 0)
  watch.saw(lead(1, { successor: 'me' }), 100)
  expect(watch.cause(100)).toBe(Cause.NAMED)
})

test('a member takes the lead that no other one ever had', () => {
  const watch = watching()
  watch.saw(undefined, 1_000)
  expect(watch.cause(2_999)).toBeUndefined()
  expect(watch.cause(3_000)).toBe(Cause.FIRST)
})

test('a member that takes no lead waits for ever, unless it is asked', () => {
  const watch = new LeadWatch({ member: 'me', afterMs: undefined, passedMs: 0 })
  watch.saw(lead(1), 0)
  expect(watch.cause(Number.MAX_SAFE_INTEGER)).toBeUndefined()
  watch.ask()
  expect(watch.cause(1)).toBe(Cause.ASKED)
  watch.saw(lead(2), 2)
  expect(watch.cause(2)).toBe(Cause.ASKED)
  watch.saw(lead(3, { epoch: 2, member: 'two' }), 3)
  expect(watch.cause(3)).toBeUndefined()
})
