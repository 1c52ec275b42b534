import { describe, expect, test } from 'vitest'
import { LimitGate } from '../../../scripts/load/limit-gate.ts'
import { Measure } from '../../../scripts/load/measure.ts'
import { readOptions } from '../../../scripts/load/options.ts'
import { linearTicks, logTicks } from '../../../scripts/load/plots.ts'
import { type ReportParts, reportOf } from '../../../scripts/load/report.ts'
import { pageOf } from '../../../scripts/load/report-page.ts'
import { summaryOf } from '../../../scripts/load/summary.ts'
import { readMarkup } from '../../fixtures/markup.ts'

const options = readOptions(['--keys', 'k', '--scenario', 's', '--rate', '10', '--seconds', '1'])!
const nothing: ReportParts = {
  title: 'Nothing <script>alert("&")</script>',
  options,
  symbols: ['A'],
  beganMs: 0,
  elapsedMs: 1,
  measure: new Measure(1_000),
  checks: [],
  orders: {
    accepted: 0,
    rejected: 0,
    tradesTaken: 0,
    tradesMade: 0,
    canceled: 0,
    expired: 0,
  },
  leftOpen: 0,
  steps: [],
  limits: new LimitGate().report(),
  usage: [],
  streams: { connections: 0, frames: 0, lagP50: 0, lagP99: 0, lagMax: 0 },
  sentInAll: 0,
  busyShare: 0,
}

describe('the page', () => {
  test('of a load in which nothing happened is whole, and its title is text', () => {
    const page = pageOf(reportOf(nothing))
    const { counts, text } = readMarkup(page)
    expect([counts.svg, counts.script ?? 0]).toEqual([3, 0])
    expect(text).toContain('Nothing &lt;script&gt;')
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('of one answer is whole', () => {
    const measure = new Measure(1_000)
    measure.sent(0, 0)
    measure.done('ask', '200', 'answered', 0, 3)
    const page = pageOf(reportOf({ ...nothing, measure, elapsedMs: 900 }))
    readMarkup(page)
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
    expect(page).toContain('3 ms')
  })

  test('of a check that fails says so, and so does the summary', () => {
    const check = { check: 'books', compared: 9, failed: 1, failures: ['bid 1 < bid 2'] }
    const report = reportOf({ ...nothing, checks: [check], busyShare: 0.97, leftOpen: 2 })
    const { text } = readMarkup(pageOf(report))
    expect(text).toContain('A check fails.')
    expect(text).toContain('bid 1 &lt; bid 2')
    const summary = summaryOf(report)
    expect(summary).toContain('FAILS: books (9 compared, 1 differ)\n  bid 1 < bid 2\n')
    expect(summary).toContain('The generator took 97 % of a processor')
    expect(summary).toContain('2 orders could not be canceled at the end.')
  })

  test('of a ramp says which rate was held', () => {
    const step = { perSecond: 10, seconds: 5, inFlight: 0, withheld: 0, isHeld: true }
    const steps = [step, { ...step, perSecond: 20, inFlight: 99, isHeld: false }]
    const report = reportOf({ ...nothing, options: { ...options, isRamp: true }, steps })
    expect([report.held, report.notHeld]).toEqual([10, 20])
    expect(summaryOf(report)).toContain('saturation: 10/s was held, 20/s was not held')
    expect(readMarkup(pageOf(report)).text).toContain('not held')
  })
})

describe('ticks', () => {
  test.each([
    [10, [0, 2, 4, 6, 8, 10]],
    [0.7, [0, 0.2, 0.4, 0.6]],
    [1_234, [0, 500, 1_000]],
  ])('up to %d', (max, ticks) => {
    expect(linearTicks(max, 5, String).map(([value]) => Number(value.toFixed(3)))).toEqual(ticks)
  })

  test('of decades have text where there is room', () => {
    expect(logTicks(10, 1_000, String).map(([, text]) => text)).toEqual([
      '10',
      '20',
      '50',
      '100',
      '200',
      '500',
      '1000',
    ])
    const sparse = logTicks(1, 10_000, String).map(([, text]) => text)
    expect(sparse.filter((text) => text !== '')).toEqual(['1', '10', '100', '1000', '10000'])
  })
})
