import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LimitGate } from '../../../scripts/load/limit-gate.ts'
import { Measure } from '../../../scripts/load/measure.ts'
import { readOptions } from '../../../scripts/load/options.ts'
import { type ReportParts, reportOf } from '../../../scripts/load/report.ts'
import { pageOf } from '../../../scripts/load/report-page.ts'
import { summaryOf } from '../../../scripts/load/summary.ts'
import { readThresholds } from '../../../scripts/load/thresholds.ts'
import { readMarkup } from '../../fixtures/markup.ts'

const options = readOptions(['--keys', 'k', '--scenario', 's', '--rate', '10', '--seconds', '1'])!
const nothing: ReportParts = {
  title: 'Nothing <script>alert("&")</script>',
  options,
  symbols: ['A'],
  beganMs: 0,
  elapsedMs: 1,
  warmUp: new Measure(5_000),
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

interface Shown {
  readonly at: readonly number[]
  readonly lines: readonly { readonly label: string; readonly values: readonly number[] }[]
}

/** The page without its scripts, and what they draw. */
function partsOf(page: string): { readonly markup: string; readonly plots: readonly Shown[] } {
  const [, plots] = /^const plots = (.*)$/m.exec(page)!
  return { markup: page.replaceAll(/<script>.*?<\/script>/gs, ''), plots: JSON.parse(plots!) }
}

describe('the page', () => {
  test('of a load in which nothing happened is whole, and its title is text', () => {
    const { markup, plots } = partsOf(pageOf(reportOf(nothing)))
    const { text } = readMarkup(markup)
    expect(plots.map(({ at }) => at)).toEqual([[], [], []])
    expect(text).toContain('Nothing &lt;script&gt;')
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('has the colors of the console, dark or light as the system is', () => {
    const page = pageOf(reportOf(nothing))
    const [, dark, light] =
      /(--ground: #\w+).*?prefers-color-scheme: light.*?(--ground: #\w+)/s.exec(page)!
    const theme = readFileSync('src/console/theme.css', 'utf8')
    expect(theme.match(/--ground: #\w+/g)).toEqual([dark, light])
    const { style } = /<style>(?<style>.*)<\/style>/s.exec(page)!.groups!
    const named = [...style!.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => `${name}:`)
    expect(named.filter((name) => !theme.includes(name))).toEqual([])
  })

  test('of one answer is whole', () => {
    const measure = new Measure(1_000)
    measure.sent(0, 0)
    measure.done('ask', '200', 'answered', 0, 3)
    const { markup, plots } = partsOf(pageOf(reportOf({ ...nothing, measure, elapsedMs: 900 })))
    readMarkup(markup)
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
    expect(markup).toContain('3 ms')
    expect(plots[0]).toMatchObject({ at: [0.5], lines: Array(4).fill({ values: [3_000] }) })
    expect(plots[1]!.lines.map(({ label, values }) => [label, values])).toEqual([
      ['sent', [1]],
      ['answered', [1]],
      ['left out', [0]],
      ['errors', [0]],
    ])
    expect(plots[2]!.at[9]).toBeCloseTo(0.9)
  })

  test('and the summary tell the warm-up and the service apart', () => {
    const [warmUp, measure] = [new Measure(5_000), new Measure(1_000)]
    warmUp.sent(0, 2_000)
    warmUp.done('ask', '200', 'answered', 0, 3_000)
    measure.sent(0, 1)
    measure.done('ask', '200', 'answered', 0, 9, { begunMs: 1, sentMs: 4 })
    const report = reportOf({ ...nothing, warmUp, measure, elapsedMs: 900 })
    expect(report.requests.due).toBe(1)
    const summary = summaryOf(report)
    expect(summary).toContain('response time, from when due: p50 9 ms, p99 9 ms')
    expect(summary).toContain('service time, from when sent: p50 5 ms')
    expect(summary).toMatch(
      /late, by itself: p50 1 ms.*\n.*connections waited for answers: p50 3 ms/,
    )
    expect(summary).toMatch(/^warm-up, not counted: 1 requests in 5 s, p99 3 s.* late p99 2 s$/m)
    const { text } = readMarkup(partsOf(pageOf(report)).markup)
    expect(text).toContain('5 s, 1 requests, p50 3 s')
    expect(summaryOf({ ...report, warmUp: { ...report.warmUp, seconds: 0 } })).not.toContain('warm')
  })

  test('of a check that fails says so, and so does the summary', () => {
    const check = { check: 'books', compared: 9, failed: 1, failures: ['bid 1 < bid 2'] }
    const report = reportOf({ ...nothing, checks: [check], busyShare: 0.97, leftOpen: 2 })
    const { text } = readMarkup(partsOf(pageOf(report)).markup)
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
    expect(readMarkup(partsOf(pageOf(report)).markup).text).toContain('not held')
  })
})

describe('thresholds', () => {
  test('that are crossed are in the page and in the summary', () => {
    const thresholds = readThresholds('p99>1ms,failed>0')
    const report = reportOf({ ...nothing, options: { ...options, thresholds } })
    expect(readMarkup(partsOf(pageOf(report)).markup).text).toContain(
      'p99&gt;1ms: it is no answer.',
    )
    expect(summaryOf(report)).toContain('FAILS: not p99>1ms (no answer)\nholds: not failed>0 (0)\n')
  })
})
