import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timeText } from '../../../scripts/load/display.ts'
import { LimitGate } from '../../../scripts/load/limit-gate.ts'
import { Measure } from '../../../scripts/load/measure.ts'

describe('measures', () => {
  test('latency counts from when a request was due', () => {
    const measure = new Measure(10_000)
    measure.sent(100, 900)
    measure.done('ask', '200', 'answered', 100, 1_100)
    expect(measure.total()).toMatchObject({ count: 1, p50: expect.closeTo(1_000_000, -4) })
    expect(measure.lateness().max).toBeCloseTo(800_000, -4)
  })

  test('tell whose time it was: of the generator, of waiting for a connection, of the target', () => {
    const one = new Measure(10_000)
    one.sent(100, 300)
    one.done('ask', '200', 'answered', 100, 1_100, { begunMs: 300, sentMs: 700 })
    for (const measure of [one, Measure.of([one.state()])]) {
      const parts = [measure.lateness(), measure.queued(), measure.service(), measure.total()]
      expect(parts.map(({ max }) => Math.round(max / 10_000) / 100)).toEqual([0.2, 0.4, 0.4, 1])
    }
  })

  test('intervals hold what was due in them', () => {
    const measure = new Measure(3_000)
    measure.sent(0, 0)
    measure.sent(1_500, 1_500)
    measure.withheld(2_999)
    measure.done('a', '200', 'answered', 0, 2_000)
    measure.done('b', '400 -1013', 'refused', 1_500, 1_501)
    const shape = measure
      .intervals()
      .map(({ due, withheld, answered, refused }) => [due, withheld, answered, refused])
    expect(shape).toEqual([
      [1, 0, 1, 0],
      [1, 0, 0, 1],
      [0, 1, 0, 0],
    ])
    expect(measure.counts()).toEqual({ due: 2, answered: 1, refused: 1, limited: 0, failed: 0 })
    expect(measure.inFlight).toBe(0)
    expect(measure.actions().map(({ action, outcomes }) => [action, outcomes])).toEqual([
      ['a', { 200: 1 }],
      ['b', { '400 -1013': 1 }],
    ])
  })

  test('several in one are one of all', () => {
    const latencyMs = fc.integer({ min: 0, max: 5_000 })
    const dueMs = fc.integer({ min: 0, max: 4_000 })
    const event = fc.tuple(fc.nat(2), dueMs, latencyMs, fc.constantFrom('a', 'b'), fc.boolean())
    fc.assert(
      fc.property(fc.array(event, { maxLength: 50 }), (events) => {
        const one = new Measure(3_000)
        const shares = [new Measure(3_000), new Measure(3_000), new Measure(3_000)]
        for (const [share, due, latency, action, isDone] of events) {
          for (const measure of [one, shares[share]!]) {
            measure.sent(due, due)
            if (isDone) measure.done(action, '200', 'answered', due, due + latency)
            else measure.withheld(due)
          }
        }
        const merged = Measure.of(shares.map((measure) => structuredClone(measure.state())))
        // Sent elsewhere, the largest value is as exact as a histogram's buckets.
        const all = Measure.of([one.state()])
        const sorted = (measure: Measure) =>
          [...measure.actions()].sort((a, b) => (a.action < b.action ? -1 : 1))
        expect(merged.intervals()).toEqual(all.intervals())
        expect(sorted(merged)).toEqual(sorted(all))
        expect(merged.total()).toEqual(all.total())
        expect(merged.percentiles()).toEqual(all.percentiles())
        expect([merged.counts(), merged.inFlight, merged.withheldCount]).toEqual([
          all.counts(),
          all.inFlight,
          all.withheldCount,
        ])
      }),
      { numRuns: 50 },
    )
  })

  test('a long load has a few hundred intervals', () => {
    const measure = new Measure(3_600_000)
    measure.withheld(3_599_999)
    expect(measure.intervals()).toHaveLength(300)
  })

  test('nothing measured is zeros, and no curve', () => {
    const measure = new Measure(1_000)
    expect(measure.total()).toEqual({
      count: 0,
      mean: 0,
      p50: 0,
      p90: 0,
      p99: 0,
      p999: 0,
      p9999: 0,
      max: 0,
    })
    expect(measure.percentiles()).toEqual([])
    expect(measure.recent().count).toBe(0)
  })

  test('percentiles are those of sorted values, within two thousandths', () => {
    const times = fc.array(fc.integer({ min: 1, max: 50_000_000 }), {
      minLength: 1,
      maxLength: 300,
    })
    fc.assert(
      fc.property(times, (microseconds) => {
        const measure = new Measure(1_000)
        for (const time of microseconds) {
          measure.sent(0, 0)
          measure.done('a', '200', 'answered', 0, time / 1_000)
        }
        const sorted = [...microseconds].sort((a, b) => a - b)
        const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
        const { p50, p90, max } = measure.total()
        for (const [measured, exact] of [
          [p50, at(0.5)],
          [p90, at(0.9)],
          [max, at(1)],
        ] as const) {
          expect(Math.abs(measured - exact)).toBeLessThanOrEqual(Math.max(1, exact / 500))
        }
        const curve = measure.percentiles()
        expect(curve.at(-1)?.percentile).toBe(100)
        const heights = curve.map((point) => point.microseconds)
        expect(heights).toEqual([...heights].sort((a, b) => a - b))
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    [0, '0 µs'],
    [870, '870 µs'],
    [1_240, '1.24 ms'],
    [12_000_000, '12 s'],
  ])('%i µs reads %s', (microseconds, text) => {
    expect(timeText(microseconds)).toBe(text)
  })
})

describe('limits', () => {
  const answer = (status: number, code: number, retryAfter = 0) => ({
    status,
    code,
    retryAfter,
    body: { code, msg: 'Too much.' },
    failure: '',
  })

  test.each([
    [200, 0, false],
    [400, -2010, false],
    [0, 0, false],
    [429, -1003, true],
    [418, -1003, true],
    [429, -1015, true],
    [400, -1015, true],
  ])('status %i with code %i is a limit: %s', (status, code, isLimit) => {
    expect(new LimitGate().note(answer(status, code), 0)).toBe(isLimit)
  })

  test('the pause is as long as the target asks for, at least a second', () => {
    const gate = new LimitGate()
    expect(gate.isPausedAt(0)).toBe(false)
    gate.note(answer(429, -1003, 3), 1_000)
    gate.note(answer(418, -1003), 1_500)
    expect([3_999, 4_000].map((ms) => gate.isPausedAt(ms))).toEqual([true, false])
    gate.note(answer(429, -1015), 5_000)
    expect([5_999, 6_000].map((ms) => gate.isPausedAt(ms))).toEqual([true, false])
    expect(gate.report()).toEqual({ refused: 2, banned: 1, firstMs: 1_000, said: 'Too much.' })
  })
})
