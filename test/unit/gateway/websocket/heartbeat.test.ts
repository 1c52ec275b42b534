/** When a client counts as silent, on false time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Ms } from '../../../../src/base/units.ts'
import { Heartbeat } from '../../../../src/gateway/websocket/heartbeat.ts'

let ms = 0
const clock = { nowMs: () => Ms(ms), elapsedNs: () => ms * 1_000_000 }

beforeEach(() => {
  ms = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function pass(count: number): void {
  for (let i = 0; i < count; i++) {
    ms++
    vi.advanceTimersByTime(1)
  }
}

test('it is missed once, when nothing has come for its period', () => {
  const missed = vi.fn()
  new Heartbeat(1000, clock, missed)
  pass(999)
  expect(missed).not.toHaveBeenCalled()
  pass(2)
  expect(missed).toHaveBeenCalledTimes(1)
  pass(5000)
  expect(missed).toHaveBeenCalledTimes(1)
})

test('a frame restarts the period', () => {
  const missed = vi.fn()
  const heartbeat = new Heartbeat(1000, clock, missed)
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
  const heartbeat = new Heartbeat(1000, clock, missed)
  ms = 5000
  // The timer is late; the socket is read before immediates run.
  vi.advanceTimersToNextTimer()
  heartbeat.frameReceived()
  pass(999)
  expect(missed).not.toHaveBeenCalled()
  pass(2)
  expect(missed).toHaveBeenCalledTimes(1)
})

test('one that is stopped is never missed, even when it is due', () => {
  const missed = vi.fn()
  const early = new Heartbeat(1000, clock, missed)
  pass(500)
  early.stop()
  const late = new Heartbeat(1000, clock, missed)
  ms += 1000
  vi.advanceTimersToNextTimer()
  late.stop()
  pass(5000)
  expect(missed).not.toHaveBeenCalled()
})
