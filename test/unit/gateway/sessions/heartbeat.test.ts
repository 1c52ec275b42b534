/** When a client counts as silent, on false time. */

import { beforeEach, expect, test, vi } from 'vitest'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Ms } from '../../../../src/base/units.ts'
import { Heartbeat } from '../../../../src/gateway/sessions/heartbeat.ts'

let time: ManualTime

beforeEach(() => {
  time = new ManualTime(new ManualClock(Ms(0)))
})

function pass(count: number): void {
  for (let i = 0; i < count; i++) time.advance(1)
}

test('it is missed once, when nothing has come for its period', () => {
  const missed = vi.fn()
  new Heartbeat(1000, time, missed)
  pass(999)
  expect(missed).not.toHaveBeenCalled()
  pass(2)
  expect(missed).toHaveBeenCalledTimes(1)
  pass(5000)
  expect(missed).toHaveBeenCalledTimes(1)
})

test('a frame restarts the period', () => {
  const missed = vi.fn()
  const heartbeat = new Heartbeat(1000, time, missed)
  for (let i = 0; i < 5; i++) {
    pass(900)
    heartbeat.frameReceived()
  }
  pass(999)
  expect(missed).not.toHaveBeenCalled()
  pass(2)
  expect(missed).toHaveBeenCalledTimes(1)
})

test('what came while the thread was busy counts', () => {
  const missed = vi.fn()
  const heartbeat = new Heartbeat(1000, time, missed)
  // The timer is late; the socket is read before what the timer defers.
  time.advance(5000)
  heartbeat.frameReceived()
  pass(999)
  expect(missed).not.toHaveBeenCalled()
  pass(2)
  expect(missed).toHaveBeenCalledTimes(1)
})

test('one that is stopped is never missed, even when it is due', () => {
  const missed = vi.fn()
  const early = new Heartbeat(1000, time, missed)
  pass(500)
  early.stop()
  const late = new Heartbeat(1000, time, missed)
  time.advance(1000)
  late.stop()
  pass(5000)
  expect(missed).not.toHaveBeenCalled()
})
