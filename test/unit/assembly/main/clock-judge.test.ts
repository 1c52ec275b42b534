/** Which steps of the machine's clock are believed, at their exact bounds. */
import { expect, test } from 'vitest'
import {
  AGREE_MS,
  ClockJudge,
  type Doubt,
  differs,
  GAP_MS,
  isGap,
  STEP_MS_MAX,
} from '../../../../src/assembly/main/clock-judge.ts'

const STEP_MS = 60_000

/** A machine's clock and a monotonic one, with the own time as the judge steers it. */
class Clocks {
  readonly judge: ClockJudge
  elapsedMs = 0
  machineMs = 1_000_000_000_000
  ownMs = this.machineMs
  isAwaited = false

  constructor(stepMs = STEP_MS) {
    this.judge = new ClockJudge(stepMs)
    this.judge.trust({ nowMs: this.ownMs, elapsedMs: 0 })
  }

  /** Time passes, then the machine's clock steps. */
  after(ms: number, stepMs = 0): Doubt | undefined {
    this.elapsedMs += ms
    this.ownMs += ms
    this.machineMs += ms + stepMs
    const { machineMs, elapsedMs, ownMs, isAwaited } = this
    const doubt = this.judge.judge({ machineMs, nowMs: ownMs, elapsedMs, isAwaited })
    if (doubt === undefined) this.ownMs = this.machineMs
    return doubt
  }
}

test('a step of a minute is followed, and one of a millisecond more is doubted', () => {
  expect(new Clocks().after(100, STEP_MS)).toBeUndefined()
  expect(new Clocks().after(100, STEP_MS + 1)).toEqual({
    aheadMs: STEP_MS + 1,
    believedInMs: AGREE_MS,
  })
  expect(new Clocks(5_000).after(100, 5_000)).toBeUndefined()
  expect(new Clocks(5_000).after(100, 5_001)).toBeDefined()
})

test('steps that are followed add up to no more than that in a minute', () => {
  const clocks = new Clocks()
  expect(clocks.after(100, 30_000)).toBeUndefined()
  expect(clocks.after(100, 30_000)).toBeUndefined()
  expect(clocks.after(100, 2)).toBeDefined()
  // The minute began with the first look.
  const later = new Clocks()
  expect(later.after(100, STEP_MS)).toBeUndefined()
  expect(later.after(AGREE_MS - 1, STEP_MS)).toBeDefined()
  const next = new Clocks()
  expect(next.after(100, STEP_MS)).toBeUndefined()
  expect(next.after(AGREE_MS, STEP_MS)).toBeUndefined()
})

test('every backward step is followed, and so is the way back', () => {
  const clocks = new Clocks()
  expect(clocks.after(100, -1)).toBeUndefined()
  expect(clocks.after(100, -40 * 365 * 86_400_000)).toBeUndefined()
  expect(clocks.after(100, 40 * 365 * 86_400_000)).toBeUndefined()
  expect(clocks.after(100, STEP_MS + 2)).toBeDefined()
})

test('a step of a day is believed after a minute, and not a millisecond before', () => {
  const clocks = new Clocks()
  expect(clocks.after(100, STEP_MS_MAX)?.believedInMs).toBe(AGREE_MS)
  expect(clocks.after(AGREE_MS - 1)?.believedInMs).toBe(1)
  expect(clocks.after(1)).toBeUndefined()
})

test('a larger step is never believed by itself', () => {
  const clocks = new Clocks()
  expect(clocks.after(100, STEP_MS_MAX + 1)?.believedInMs).toBeUndefined()
  expect(clocks.after(100 * AGREE_MS)).toBeDefined()
  clocks.judge.trust({ nowMs: clocks.machineMs, elapsedMs: clocks.elapsedMs })
  clocks.ownMs = clocks.machineMs
  expect(clocks.after(100)).toBeUndefined()
})

test('a doubted clock that moves by more than a second begins its minute again', () => {
  const clocks = new Clocks()
  clocks.after(100, 3_600_000)
  expect(clocks.after(30_000, 1_000)?.believedInMs).toBe(30_000)
  expect(clocks.after(1_000, 1)?.believedInMs).toBe(AGREE_MS)
  expect(clocks.after(AGREE_MS - 1)).toBeDefined()
  expect(clocks.after(1)).toBeUndefined()
})

test('a clock that was put right is doubted no more', () => {
  const clocks = new Clocks()
  expect(clocks.after(100, 400 * 86_400_000)).toBeDefined()
  expect(clocks.after(3_000, -400 * 86_400_000)).toBeUndefined()
  expect(clocks.after(100, 400 * 86_400_000)).toBeDefined()
})

test('a start waits for more than 30 days, and believes them', () => {
  expect(isGap(1_000, 1_000 + GAP_MS)).toBe(false)
  expect(isGap(1_000, 1_001 + GAP_MS)).toBe(true)
})

test('while a start waits, only a clock within the 30 days ends it', () => {
  const clocks = new Clocks()
  clocks.machineMs += 2 * GAP_MS
  clocks.isAwaited = true
  expect(clocks.after(100 * AGREE_MS)).toEqual({ aheadMs: 2 * GAP_MS, believedInMs: undefined })
  expect(clocks.after(100, 1 - GAP_MS)).toBeDefined()
  expect(clocks.after(100, -1)).toBeUndefined()
})

test('what two readings may differ by moves nothing', () => {
  const at = (machineMs: number) =>
    differs({ machineMs, nowMs: 10, elapsedMs: 0, isAwaited: false })
  expect([8, 9, 10, 11, 12].map(at)).toEqual([true, false, false, false, true])
  expect(differs({ machineMs: 10, nowMs: 10, elapsedMs: 0, isAwaited: true })).toBe(true)
})
