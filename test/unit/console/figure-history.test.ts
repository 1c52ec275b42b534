/** What the operator's screen makes of two readings. */
import { describe, expect, test } from 'vitest'
import type { Figures } from '../../../src/admin-api/readings.ts'
import {
  FigureHistory,
  quantile,
  SAMPLES_MAX,
} from '../../../src/console/operator/figure-history.ts'
import { nothing } from './figures.ts'

const at = (seconds: number, changes: Partial<Figures> = {}): Figures => ({
  ...nothing,
  timeMs: 1_000 * seconds,
  uptimeSeconds: seconds,
  ...changes,
})
const between = (before: Figures, after: Figures) => {
  const history = new FigureHistory()
  history.add(before)
  history.add(after)
  return history.samples[0]!
}
const symbols = (orders: number[], trades: number[], refusals: number[]): Figures['symbols'] => ({
  names: orders.map(String),
  statuses: [],
  groups: [],
  counters: { orders, trades },
  refusals,
})

test('totals become rates by the steady clock, of all symbols and of each', () => {
  const before = at(10, { symbols: symbols([10], [0], [1]), gateways: [{ requests: 5 }] })
  const changes = {
    symbols: symbols([14, 6], [2, 0], [1, 8]),
    stores: [],
    gateways: [{ requests: 9 }, { requests: 1 }],
  }
  // The wall clock stepped back meanwhile.
  const sample = between(before, { ...at(12, changes), timeMs: 3 })
  expect(sample).toMatchObject({ orders: 5, trades: 1, requests: 2.5, ordersOf: [2, 3] })
  expect(sample.refusalsOf).toEqual([0, 4])
})

test('a status that was not counted before begins at 0', () => {
  const before = at(1, { answers: [[200, 5]] })
  const changes: Partial<Figures> = {
    answers: [
      [200, 7],
      [400, 3],
    ],
    refusals: [[-1013, 3, '']],
  }
  const { answers, refusals } = between(before, at(2, changes))
  expect([...answers, ...refusals]).toEqual([
    ['200', 2],
    ['400', 3],
    ['-1013', 3],
  ])
})

test('busy shares are within 0 and 1', () => {
  const idle = (...ms: number[]) => ms.map((each) => ({ idleNs: each * 1e6 }))
  const before = at(1, { matchers: idle(0, 0, 0), gatewayLoops: [{ activeMs: 0, idleMs: 0 }] })
  const changes = { matchers: idle(250, 1_100, 0), gatewayLoops: [{ activeMs: 100, idleMs: 300 }] }
  const sample = between(before, at(2, changes))
  expect([sample.matchersBusy, sample.gatewaysBusy]).toEqual([[0.75, 0, 1], [0.25]])
})

test('the fullest ring of a matcher counts, and lags are sums', () => {
  const ring = (gateway: number, matcher: number, taken: number) => ({
    gateway,
    matcher,
    taken,
    slots: 10,
  })
  const sample = between(
    at(1),
    at(2, {
      matchers: [{}, {}],
      rings: [ring(0, 0, 1), ring(1, 0, 4), ring(0, 1, 2)],
      journals: [
        { published: 9, checkpointed: 7, archived: 4 },
        { published: 3, checkpointed: 3, archived: 2 },
      ],
    }),
  )
  expect(sample).toMatchObject({ ringFill: [0.4, 0.2], checkpointerLag: 2, archiveLag: 6 })
})

describe('the history', () => {
  test('is bounded', () => {
    const history = new FigureHistory()
    for (let second = 0; second < SAMPLES_MAX + 20; second++) history.add(at(second))
    expect(history.samples).toHaveLength(SAMPLES_MAX)
    expect(history.samples.at(-1)!.time).toBe(SAMPLES_MAX + 19)
  })

  test('begins again with the exchange', () => {
    const history = new FigureHistory()
    for (const second of [50, 51, 2, 3]) history.add(at(second))
    expect(history.samples.map(({ time }) => time)).toEqual([3])
  })
})

test('a quantile is the bound below which the share lies', () => {
  const bounds = [1, 2, 4]
  expect(quantile({ bounds, counts: [0, 0, 0, 0] }, 0.5)).toBeUndefined()
  expect(quantile({ bounds, counts: [2, 1, 1, 0] }, 0.5)).toBe(1)
  expect(quantile({ bounds, counts: [2, 1, 1, 0] }, 0.51)).toBe(2)
  expect(quantile({ bounds, counts: [2, 1, 1, 0] }, 1)).toBe(4)
  expect(quantile({ bounds, counts: [0, 0, 0, 1] }, 0.5)).toBe(4)
})

test('what the exchange kept comes before the samples that there are, and holds no counts by key', () => {
  const history = new FigureHistory()
  for (const second of [100, 101]) history.add(at(second))
  const orders = [null, 5, 6, 7]
  history.begin({
    beginMs: 98_000,
    stepMs: 1_000,
    series: { orders, flushP50: [1, 2, 3, 4] },
    marks: [],
  })
  const { samples } = history
  expect(samples.map(({ time, isKept }) => [time, isKept])).toEqual([
    ...[98, 99, 100].map((time) => [time, true]),
    [101, false],
  ])
  const [first, second] = samples
  expect([first!.orders, second!.orders, second!.trades]).toEqual([Number.NaN, 5, Number.NaN])
  expect(second).toMatchObject({ flush: { p50: 2, p99: undefined }, ordersOf: [] })
  expect([second!.histograms.size, second!.answers.size]).toEqual([0, 0])
  // Read again, it takes nothing away and adds nothing twice.
  history.begin({ beginMs: 98_000, stepMs: 1_000, series: { orders }, marks: [] })
  expect(history.samples.map(({ time }) => time)).toEqual([98, 99, 100, 101])
  expect(history.samples[1]!.orders).toBe(5)
})
