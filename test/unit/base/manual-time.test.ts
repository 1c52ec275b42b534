/** Time that a program moves. */
import { expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { elapsedMs } from '../../../src/base/time.ts'
import { Ms } from '../../../src/base/units.ts'

const START_MS = Ms(1_000_000)

function begin() {
  const time = new ManualTime(new ManualClock(START_MS))
  const ran: string[] = []
  const note = (name: string) => () => void ran.push(`${name} ${elapsedMs(time)}`)
  return { time, ran, note }
}

test('stands still until it is moved, and moves both clocks', () => {
  const { time } = begin()
  expect([time.nowMs(), time.elapsedNs()]).toEqual([START_MS, 0])
  time.advance(1.5)
  expect([time.nowMs(), time.elapsedNs()]).toEqual([START_MS + 1, 1_500_000])
  time.clock.wallMs = Ms(5)
  expect([time.nowMs(), time.elapsedNs()]).toEqual([5, 1_500_000])
})

test('a move runs what has become due, once each, earliest first', () => {
  const { time, ran, note } = begin()
  time.every(100, note('every'))
  time.after(250, note('late'))
  time.after(150, note('early'))
  time.after(1_000, note('never')).cancel()
  time.advance(1_000)
  expect(ran).toEqual(['every 1000', 'early 1000', 'late 1000'])
  time.advance(99)
  expect(ran.length).toBe(3)
  time.advance(1)
  expect(ran.at(-1)).toBe('every 1100')
})

test('steps from timer to timer', () => {
  const { time, ran, note } = begin()
  time.after(20, note('b'))
  time.after(10, note('a'))
  expect(time.nextInMs).toBe(10)
  while (time.step());
  expect(ran).toEqual(['a 10', 'b 20'])
  expect(time.nextInMs).toBeUndefined()
})

test('a timer canceled by one that is due with it does not run', () => {
  const { time, ran, note } = begin()
  time.after(1, () => second.cancel())
  const second = time.after(1, note('second'))
  time.advance(1)
  expect(ran).toEqual([])
})

test('a periodic timer that cancels itself while it runs runs no more', () => {
  const { time, ran, note } = begin()
  const timer = time.every(10, () => {
    note('every')()
    if (ran.length === 2) timer.cancel()
  })
  for (let i = 0; i < 5; i++) time.advance(10)
  expect(ran).toEqual(['every 10', 'every 20'])
  expect(time.timerCount).toBe(0)
})

test('what is set without a delay waits for the next move', () => {
  const { time, ran, note } = begin()
  time.after(1, () => time.after(0, note('next')))
  time.advance(1)
  expect(ran).toEqual([])
  expect(time.runNext()).toBe(true)
  expect(time.runNext()).toBe(false)
  expect(ran).toEqual(['next 1'])
})

test('times share a clock, and each runs its own timers', () => {
  const { time, ran, note } = begin()
  const other = new ManualTime(time.clock)
  other.after(5, note('other'))
  time.advance(5)
  expect(ran).toEqual([])
  expect(other.runNext()).toBe(true)
})

test('what is deferred runs on the event loop while time stands still', () => {
  const deferred: (() => void)[] = []
  const time = new ManualTime(new ManualClock(START_MS), { defer: (run) => deferred.push(run) })
  time.defer(() => {})
  expect(time.nextInMs).toBeUndefined()
  expect(deferred.length).toBe(1)
})

test('a wait that nothing can end times out', () => {
  const { time } = begin()
  const cells = new Int32Array(new SharedArrayBuffer(4))
  expect(time.wait(cells, 0, 1, 10)).toBe('not-equal')
  expect(time.wait(cells, 0, 0, 10)).toBe('timed-out')
  expect(() => time.wait(cells, 0, 0)).toThrow('does not wait for itself')
})
