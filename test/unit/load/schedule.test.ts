import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rampSteps, Schedule } from '../../../scripts/load/schedule.ts'

function drain(schedule: Schedule): number[] {
  const dues: number[] = []
  for (let due = schedule.nextDueMs(); due < Number.POSITIVE_INFINITY; due = schedule.nextDueMs()) {
    dues.push(due)
    schedule.advance()
  }
  return dues
}

describe('schedule', () => {
  test('a fixed rate is evenly spaced, whatever is asked in between', () => {
    const schedule = new Schedule([{ perSecond: 4, seconds: 1 }])
    expect(schedule.nextDueMs()).toBe(0)
    expect(schedule.nextDueMs()).toBe(0)
    expect(drain(schedule)).toEqual([0, 250, 500, 750])
    expect(schedule.nextDueMs()).toBe(Number.POSITIVE_INFINITY)
  })

  test('steps follow each other, also those without arrivals', () => {
    const schedule = new Schedule([
      { perSecond: 2, seconds: 1 },
      { perSecond: 0.5, seconds: 1 },
      { perSecond: 4, seconds: 0.5 },
    ])
    expect(drain(schedule)).toEqual([0, 500, 2000, 2250])
    expect([schedule.endMs, schedule.arrivals]).toEqual([2500, 4])
    expect([0, 999, 1000, 2499, 9999].map((ms) => schedule.stepAt(ms))).toEqual([0, 0, 1, 2, 2])
  })

  test('any schedule has its arrivals in order, each within its step', () => {
    const step = fc.record({
      perSecond: fc.integer({ min: 1, max: 500 }),
      seconds: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const schedule = new Schedule(steps)
        const dues = drain(schedule)
        const sum = steps.reduce((all, { perSecond, seconds }) => all + perSecond * seconds, 0)
        expect(dues).toHaveLength(sum)
        expect(dues).toEqual([...dues].sort((a, b) => a - b))
        const counted = steps.map(
          (_, index) => dues.filter((due) => schedule.stepAt(due) === index).length,
        )
        expect(counted).toEqual(steps.map(({ perSecond, seconds }) => perSecond * seconds))
      }),
      { numRuns: 30 },
    )
  })

  test.each([
    [100, 1000, 10, 2],
    [100, 1000, 60, 12],
    [1, 1_000_000, 100_000, 40],
  ])('a ramp from %i to %i in %i s has %i steps', (from, to, seconds, count) => {
    const steps = rampSteps(from, to, seconds)
    expect(steps).toHaveLength(count)
    expect([steps[0]?.perSecond, steps.at(-1)?.perSecond]).toEqual([from, to])
    expect(steps.reduce((sum, step) => sum + step.seconds, 0)).toBeCloseTo(seconds)
  })
})
