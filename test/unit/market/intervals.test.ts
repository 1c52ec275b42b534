import { describe, expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { Ms } from '../../../src/base/units.ts'
import {
  DAY_MS,
  HOUR_MS,
  Interval,
  intervalAfter,
  intervalOpen,
  MINUTE_MS,
  SECOND_MS,
} from '../../../src/market/intervals.ts'

const UTC = 0
const KATHMANDU = 5 * HOUR_MS + 45 * MINUTE_MS
const at = (text: string): number => Date.parse(text)

describe('where an interval begins', () => {
  test.each([
    ['1s', '2024-02-29T23:59:59.999Z', UTC, '2024-02-29T23:59:59Z'],
    ['3m', '2024-02-29T23:59:59Z', UTC, '2024-02-29T23:57:00Z'],
    ['8h', '2024-02-29T15:59:59Z', UTC, '2024-02-29T08:00:00Z'],
    ['8h', '2024-02-29T15:59:59Z', 8 * HOUR_MS, '2024-02-29T08:00:00Z'],
    ['12h', '2024-02-29T15:59:59Z', 8 * HOUR_MS, '2024-02-29T04:00:00Z'],
    ['1h', '2024-02-29T15:50:00Z', KATHMANDU, '2024-02-29T15:15:00Z'],
    ['1d', '2024-02-29T18:15:00Z', KATHMANDU, '2024-02-29T18:15:00Z'],
    ['1d', '2024-02-29T18:14:59Z', KATHMANDU, '2024-02-28T18:15:00Z'],
    ['1d', '2024-02-29T11:59:00Z', -12 * HOUR_MS, '2024-02-28T12:00:00Z'],
    ['3d', '1970-01-03T23:59:59Z', UTC, '1970-01-01T00:00:00Z'],
    ['1w', '2024-03-03T23:59:59Z', UTC, '2024-02-26T00:00:00Z'],
    ['1w', '2024-03-04T00:00:00Z', UTC, '2024-03-04T00:00:00Z'],
    ['1w', '2024-03-03T16:00:00Z', 8 * HOUR_MS, '2024-03-03T16:00:00Z'],
    ['1M', '2024-02-29T23:59:59Z', UTC, '2024-02-01T00:00:00Z'],
    ['1M', '2024-02-29T23:59:59Z', 14 * HOUR_MS, '2024-02-29T10:00:00Z'],
    ['1M', '2025-01-01T00:00:00Z', -HOUR_MS, '2024-12-01T01:00:00Z'],
  ] as const)('%s at %s', (name, time, offsetMs, open) => {
    expect(intervalOpen(Interval[name], Ms(at(time)), offsetMs)).toBe(at(open))
  })

  test.each([
    ['1M', '2024-01-01T00:00:00Z', 1, '2024-02-01T00:00:00Z'],
    ['1M', '2024-01-01T00:00:00Z', -13, '2022-12-01T00:00:00Z'],
    ['1w', '2024-02-26T00:00:00Z', 2, '2024-03-11T00:00:00Z'],
    ['15m', '2024-02-29T23:45:00Z', 1, '2024-03-01T00:00:00Z'],
  ] as const)('%s after %s by %i', (name, open, count, later) => {
    expect(intervalAfter(Interval[name], Ms(at(open)), 0, count)).toBe(at(later))
  })
})

test('every time is in exactly the interval that begins before it and ends after it', () => {
  const random = new Prng(7)
  for (let i = 0; i < 20_000; i++) {
    const interval = random.pick(Object.values(Interval))
    const offsetMs = random.between(-12 * 60, 14 * 60) * MINUTE_MS
    const timeMs = random.below(100 * 366) * DAY_MS + random.below(DAY_MS / SECOND_MS) * SECOND_MS
    const open = intervalOpen(interval, Ms(timeMs), offsetMs)
    const next = intervalAfter(interval, open, offsetMs, 1)
    expect(open).toBeLessThanOrEqual(timeMs)
    expect(next).toBeGreaterThan(timeMs)
    expect(intervalOpen(interval, next, offsetMs)).toBe(next)
    expect(intervalAfter(interval, next, offsetMs, -1)).toBe(open)
    expect(intervalOpen(interval, Ms(next - 1), offsetMs)).toBe(open)
  }
})
