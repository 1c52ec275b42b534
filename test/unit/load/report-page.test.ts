import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { comparisonPageOf, comparisonText } from '../../../scripts/load/comparison-page.ts'
import { LimitGate } from '../../../scripts/load/limit-gate.ts'
import { LivePage } from '../../../scripts/load/live-page.ts'
import { Measure } from '../../../scripts/load/measure.ts'
import { readOptions } from '../../../scripts/load/options.ts'
import { linearTicks, logTicks } from '../../../scripts/load/plots.ts'
import { type ReportParts, reportOf } from '../../../scripts/load/report.ts'
import { csvOf } from '../../../scripts/load/report-csv.ts'
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

describe('the page', () => {
  test('of a load in which nothing happened is whole, and its title is text', () => {
    const page = pageOf(reportOf(nothing))
    const { counts, text } = readMarkup(page)
    expect([counts.svg, counts.script ?? 0]).toEqual([3, 0])
    expect(text).toContain('Nothing &lt;script&gt;')
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
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
    const page = pageOf(reportOf({ ...nothing, measure, elapsedMs: 900 }))
    readMarkup(page)
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
    expect(page).toContain('3 ms')
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
    const { text } = readMarkup(pageOf(report))
    expect(text).toContain('5 s, 1 requests, p50 3 s')
    expect(summaryOf({ ...report, warmUp: { ...report.warmUp, seconds: 0 } })).not.toContain('warm')
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

describe('the CSV', () => {
  test('has a row for each interval, and its titles', () => {
    const measure = new Measure(2_000)
    measure.sent(0, 0)
    measure.done('ask', '400 -2010', 'refused', 0, 3)
    measure.withheld(1_500)
    expect(csvOf(reportOf({ ...nothing, measure }))).toBe(
      [
        'atSeconds,seconds,due,withheld,answered,refused,limited,failed,' +
          'meanUs,p50Us,p90Us,p99Us,p999Us,p9999Us,maxUs',
        '0,1,1,0,0,1,0,0,3000,3000,3000,3000,3000,3000,3000',
        '1,1,0,1,0,0,0,0,0,0,0,0,0,0,0',
        '',
      ].join('\r\n'),
    )
  })
})

describe('two reports', () => {
  const reportAfter = (ms: number, rate: string) => {
    const measure = new Measure(1_000)
    measure.sent(0, 0)
    measure.done('ask', '200', 'answered', 0, ms)
    const options = readOptions(['--keys', 'k', '--scenario', 's', '--rate', rate])!
    return reportOf({ ...nothing, options, measure, elapsedMs: 1_000 })
  }

  test('in one page say what changed, and that settings differ', () => {
    const pair = [reportAfter(2, '10'), reportAfter(3, '20')] as const
    const { counts, text } = readMarkup(comparisonPageOf(pair))
    expect([counts.svg, counts.script ?? 0]).toEqual([2, 0])
    expect(text).toContain('Settings differ: steps was')
    expect(comparisonText(pair)).toMatch(/^p99 +2 ms +3 ms +\+50\.0 %$/m)
    expect(comparisonText(pair)).toMatch(/^answers a second +1 +1 +same$/m)
  })

  test('that are empty are compared too', () => {
    const pair = [reportOf(nothing), reportOf(nothing)] as const
    const page = comparisonPageOf(pair)
    expect(readMarkup(page).text).toContain('the same settings')
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('thresholds', () => {
  test('that are crossed are in the page and in the summary', () => {
    const thresholds = readThresholds('p99>1ms,failed>0')
    const report = reportOf({ ...nothing, options: { ...options, thresholds } })
    expect(readMarkup(pageOf(report)).text).toContain('p99&gt;1ms: it is no answer.')
    expect(summaryOf(report)).toContain('FAILS: not p99>1ms (no answer)\nholds: not failed>0 (0)\n')
  })
})

describe('the live page', () => {
  test('shows what there is now, and nothing else', async () => {
    let shown = 0
    const page = await LivePage.open(await claimPort(), 'A <load>', async () => `<p>${++shown}</p>`)
    const ask = async (path: string, method = 'GET') => {
      const answer = await fetch(`${page.url}${path}`, { method })
      return [answer.status, await answer.text()] as const
    }
    expect(await ask('body')).toEqual([200, '<p>1</p>'])
    expect(await ask('body')).toEqual([200, '<p>2</p>'])
    expect((await ask(''))[1]).toContain('A &lt;load&gt;: live')
    expect((await ask('report.json'))[0]).toBe(404)
    expect((await ask('body', 'POST'))[0]).toBe(404)
    page.close()
  })

  test('refuses a port that is taken', async () => {
    const port = await claimPort()
    const page = await LivePage.open(port, 'one', async () => '')
    await expect(LivePage.open(port, 'two', async () => '')).rejects.toThrow('--live cannot listen')
    page.close()
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
