/** Operators' actions on a virtual clock. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { VirtualClock } from '../../../src/base/virtual-clock.ts'
import { ActionBench } from './plain-control-plane.ts'

const BEGAN_MS = Ms(Date.UTC(2030, 0, 7))
let bench: ActionBench
let clock: VirtualClock
let time: ManualTime

beforeEach(async () => {
  bench = await ActionBench.make()
  const wall = new RealTime()
  time = new ManualTime(new ManualClock(BEGAN_MS), wall, wall)
  clock = new VirtualClock(time, true)
  bench.controlPlane.view.clock = clock
})
afterEach(() => clock.close())

const shown = async () => (await bench.ask('clock-show')).rows[0]

test('the clock is shown, moved, paused and let run', async () => {
  time.every(60_000, () => {})
  expect(await shown()).toEqual({
    time: '2030-01-07T00:00:00.000Z',
    ms: BEGAN_MS,
    state: 'paused',
    speed: 1,
    next: '2030-01-07T00:01:00.000Z',
    participants: 0,
    heldBy: '',
  })
  const sentences = [
    ['clock-step', 'It is 2030-01-07T00:01:00.000Z. It stands still.'],
    ['clock-step 90s', 'It is 2030-01-07T00:02:30.000Z. It stands still.'],
    ['clock-advance 1d12h', 'It is 2030-01-08T12:02:30.000Z. It stands still.'],
    ['clock-advance --moment 2030-01-09', 'It is 2030-01-09T00:00:00.000Z. It stands still.'],
  ]
  for (const [line, sentence] of sentences) expect((await bench.ask(line!)).said).toBe(sentence)
  expect((await bench.ask('clock-speed 2.5')).said).toContain('It stands still.')
  expect((await bench.ask('clock-resume')).said).toContain('It runs 2.5 times as fast')
  expect(await shown()).toMatchObject({ speed: 2.5 })
  await bench.ask('clock-pause')
  expect(await shown()).toMatchObject({ state: 'paused' })
})

test('a pause ends a move', async () => {
  time.after(1_000, () => void bench.ask('clock-pause'))
  await expect(bench.ask('clock-advance 1h')).rejects.toThrow('paused before it had arrived')
  expect(time.nowMs()).toBeLessThan(BEGAN_MS + 3_600_000)
})

test.each([
  ['clock-advance', 'clock-advance takes a length, or --moment.'],
  ['clock-advance 1h --moment 2031-01-01', 'clock-advance takes a length, or --moment.'],
  ['clock-advance 1y', 'length must be ms, or as 90s, 1h or 1d12h.'],
  ['clock-advance 40000d', 'The clock goes to the end of 2099 at most.'],
  ['clock-advance --moment tomorrow', 'moment must be a moment, as 2026-01-31T12:00:00Z or ms'],
  ['clock-advance --moment 2101-01-01', 'The clock goes to the end of 2099 at most.'],
  ['clock-advance --moment 2029-01-01', 'Time goes forwards: that moment has passed.'],
  ['clock-step 1y', 'length must be ms'],
  ['clock-speed 0', 'times must be a number from 0.001 to 1000000.'],
  ['clock-speed 1000001', 'times must be a number from 0.001 to 1000000.'],
])('%s is refused: %s', async (line, sentence) => {
  await expect(bench.ask(line)).rejects.toThrow(sentence)
  expect(time.nowMs()).toBe(BEGAN_MS)
})

test('a clock of the machine is shown as that, and not moved', async () => {
  bench.controlPlane.view.clock = undefined
  expect((await bench.ask('clock-show')).said).toBe("The clock is the machine's (--clock virtual).")
  for (const line of ['clock-pause', 'clock-resume', 'clock-step', 'clock-speed 2']) {
    await expect(bench.ask(line)).rejects.toThrow("The clock is the machine's (--clock virtual).")
  }
})
