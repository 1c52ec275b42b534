/** The machine's clock is wrong, and the exchange's time stays: at a start, while it runs, and by a decision. */
import { beforeEach, expect, test } from 'vitest'
import { ClockWatch } from '../../../../src/assembly/main/clock-watch.ts'
import { Ms } from '../../../../src/base/units.ts'
import { SteeredTime } from '../../../fixtures/steered-time.ts'

const DAY_MS = 86_400_000
const BEGAN_MS = Date.UTC(2026, 10, 28)

let machine: SteeredTime
let lines: string[]
let degraded: string[]

beforeEach(() => {
  machine = new SteeredTime(BEGAN_MS)
  lines = []
  degraded = []
})

function begin(more: { stepSeconds?: number; accepts?: boolean } = {}): ClockWatch | undefined {
  const log = (_: object, sentence: string) => void lines.push(sentence)
  return ClockWatch.begin(machine.time, more.stepSeconds ?? 60, {
    accepts: more.accepts ?? false,
    log: { info: log, warn: log },
    degrade: (_, why) => {
      degraded = why === undefined ? [] : [why]
    },
  })
}

const aheadMs = () => machine.nowMs() - machine.manual.nowMs()

test('400 days for three seconds move nothing, and one sentence says so', () => {
  const watch = begin()!
  machine.pass(1_000)
  machine.wrongMs = 400 * DAY_MS
  machine.pass(3_000)
  expect(aheadMs()).toBe(0)
  const sentence =
    "The machine's clock is 400.0 days ahead of the exchange's time, which does not follow it: " +
    'clock-accept believes it.'
  expect(lines).toEqual([sentence])
  expect(degraded).toEqual([sentence])
  expect(watch.reading()).toMatchObject({ doubt: { aheadMs: 400 * DAY_MS } })
  machine.wrongMs = 0
  machine.pass(1_000)
  expect(aheadMs()).toBe(0)
  expect(degraded).toEqual([])
  expect(lines).toEqual([sentence, "the machine's clock is doubted no more"])
})

test('steps that are believed reach the time, forward and back', () => {
  begin()
  machine.wrongMs = 60_000
  machine.pass(100)
  expect(aheadMs()).toBe(60_000)
  machine.wrongMs = -3_600_000
  machine.pass(100)
  expect(aheadMs()).toBe(-3_600_000)
  expect(lines).toEqual([])
})

test('a sleep of hours is believed after a minute', () => {
  begin()
  machine.wrongMs = 8 * 3_600_000
  machine.pass(60_000)
  expect(aheadMs()).toBe(0)
  expect(degraded[0]).toContain('60 s without a change or clock-accept')
  machine.pass(200)
  expect(aheadMs()).toBe(8 * 3_600_000)
  expect(degraded).toEqual([])
})

test('an operator’s decision moves the time at once', () => {
  const watch = begin()!
  machine.wrongMs = 400 * DAY_MS
  machine.pass(200)
  watch.accept()
  expect(aheadMs()).toBe(400 * DAY_MS)
  expect(degraded).toEqual([])
  machine.pass(1_000)
  expect(watch.reading().doubt).toBeUndefined()
})

test.each([
  [true, 400 * DAY_MS],
  [false, 0],
])('a quorum that agrees: %s', async (agrees, wanted) => {
  let asked = 0
  begin()!.askQuorum(async () => {
    asked++
    return agrees
  })
  machine.pass(10_000)
  expect(asked).toBe(0)
  machine.wrongMs = 400 * DAY_MS
  machine.pass(100)
  await Promise.resolve()
  await Promise.resolve()
  expect(aheadMs()).toBe(wanted)
  machine.pass(4_900)
  expect(asked).toBe(1)
  machine.pass(200)
  expect(asked).toBe(agrees ? 1 : 2)
})

test('a quorum that agrees after the stop moves nothing', async () => {
  const watch = begin()!
  watch.askQuorum(async () => true)
  machine.wrongMs = 400 * DAY_MS
  machine.pass(100)
  watch.stop()
  await new Promise((resolve) => setImmediate(resolve))
  expect(aheadMs()).toBe(0)
})

test('a quorum that fails says nothing', async () => {
  begin()!.askQuorum(async () => {
    throw new Error('no answer')
  })
  machine.wrongMs = 400 * DAY_MS
  machine.pass(100)
  await new Promise((resolve) => setImmediate(resolve))
  expect(aheadMs()).toBe(0)
})

test('a start after 30 days takes orders, and after a moment more waits', () => {
  begin()!.opened(Ms(BEGAN_MS - 30 * DAY_MS))
  expect([machine.isAwaited, aheadMs()]).toEqual([false, 0])

  machine = new SteeredTime(BEGAN_MS)
  const watch = begin()!
  watch.opened(Ms(BEGAN_MS - 30 * DAY_MS - 1))
  machine.pass(120_000)
  expect([machine.isAwaited, aheadMs()]).toEqual([true, -30 * DAY_MS - 1])
  expect(degraded[0]).toContain(
    'no order is taken. If it is right, as after a long rest, clock-accept',
  )
  watch.accept()
  expect([machine.isAwaited, aheadMs()]).toEqual([false, 0])
})

test.each([
  { accepts: true },
  { stepSeconds: 0 },
])('a start that believes the clock: %o', (more) => {
  begin(more)?.opened(Ms(BEGAN_MS - 400 * DAY_MS))
  expect([machine.isAwaited, aheadMs()]).toEqual([false, 0])
})

test('an old state that a running exchange loads has no gap', () => {
  begin()!.stop()
  machine.wrongMs = 400 * DAY_MS
  begin()!.opened(Ms(BEGAN_MS - 400 * DAY_MS))
  expect([machine.isAwaited, aheadMs()]).toEqual([false, 0])
})

test('the next exchange in its place decides again about what this one waited for', () => {
  const lastMs = Ms(BEGAN_MS - 400 * DAY_MS)
  const first = begin()!
  first.opened(lastMs)
  first.stop()
  const second = begin()!
  second.opened(lastMs)
  second.stop()
  expect([machine.isAwaited, aheadMs()]).toEqual([true, -400 * DAY_MS])
  begin()!.opened(Ms(BEGAN_MS))
  expect([machine.isAwaited, aheadMs()]).toEqual([false, 0])
})

test('an empty folder has no gap', () => {
  begin()!.opened(Ms(0))
  expect([machine.isAwaited, aheadMs()]).toEqual([false, 0])
})

test('a start whose clock is put right meanwhile takes orders', () => {
  begin()!.opened(Ms(BEGAN_MS - 400 * DAY_MS))
  machine.wrongMs = -399 * DAY_MS
  machine.pass(100)
  expect([machine.isAwaited, aheadMs()]).toEqual([false, -399 * DAY_MS])
})

test('a start whose clock is put back to the journal’s end exactly takes orders', () => {
  begin()!.opened(Ms(BEGAN_MS - 400 * DAY_MS))
  machine.wrongMs = -400 * DAY_MS
  machine.pass(100)
  expect([machine.isAwaited, aheadMs()]).toEqual([false, -400 * DAY_MS])
})

test('a watch that stopped moves nothing', () => {
  begin()!.stop()
  machine.wrongMs = 30_000
  machine.pass(1_000)
  expect(aheadMs()).toBe(0)
})
