/** A report as one HTML page in the console's style, with its plots by uPlot. It needs nothing else. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { timeText } from './display.ts'
import type { Interval, Latency } from './measure.ts'
import type { LoadReport } from './report.ts'
import { remarks } from './summary.ts'

/** `npm run` starts scripts in the project's folder. */
const UPLOT = 'node_modules/uplot/dist'
/** Colors of the console, which the build puts beside its pages. */
const THEME_FILE = path.join(import.meta.dirname, '../../src/console/theme.css')
/** The console's user chooses light colors; a report follows the reader's system. */
const LIGHT_THEME = /:root\[data-theme="light"\] (\{[^}]*\})/
const STYLE = `
* { box-sizing: border-box }
body { margin: 0 auto; padding: 0 24px 64px; max-width: 1040px; background: var(--ground);
  color: var(--ink); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
.brand { margin: 0 -24px 24px; padding: 16px 24px; border-bottom: 1px solid var(--line); font-weight: 650 }
.brand::before { content: ""; display: inline-block; width: 13px; height: 13px; margin-right: 9px;
  border: 2px solid var(--accent); border-radius: 50%; vertical-align: -2px }
h1 { font-size: 22px; font-weight: 650; line-height: 1.2; letter-spacing: -.01em; margin: 0 0 4px }
h2 { font-size: 15px; font-weight: 600; margin: 36px 0 10px }
p { margin: 4px 0 } .faint { color: var(--quiet) } .good { color: var(--up) } .bad { color: var(--down) }
td, .box b { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-variant-numeric: tabular-nums }
.boxes { display: grid; grid-template-columns: repeat(auto-fit, minmax(124px, 1fr)); gap: 1px;
  margin: 24px 0 8px; background: var(--line); border: 1px solid var(--line) }
.box { background: var(--panel); padding: 10px 14px } .box b { display: block; font-size: 19px }
.box span { color: var(--quiet); font-size: 12px }
.wide { overflow-x: auto; background: var(--panel) }
table { border-collapse: collapse; width: 100%; font-size: 12px }
th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid var(--line); white-space: nowrap }
th { color: var(--quiet); font-weight: 500; font-size: 11px } th:first-child, td:first-child,
td.text, th.text { text-align: left } td.text { white-space: normal }
.uplot { max-width: 100%; background: var(--panel) } .u-legend { color: var(--quiet) }
ul { margin: 8px 0; padding-left: 22px }
`

/** Draws `plots`. The page's colors are those of the style sheet at the moment it is opened. */
const SCRIPT = `
const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name)
const numberText = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 1 })
const percentileText = (nines) => String(+(100 - 100 / 10 ** nines).toPrecision(7))
for (const { id, x, isTime, at, lines } of plots) {
  const isPercentile = x === 'percentile'
  const texts = [isPercentile ? percentileText : numberText, isTime ? timeText : numberText]
  const shown = (axis) => (_, value) => value === null ? '' : texts[axis](value)
  const axes = texts.map((_, axis) => ({
    stroke: colorOf('quiet'),
    grid: { stroke: colorOf('line'), width: 1 },
    ticks: { show: false },
    size: [40, 70][axis],
    values: (plot, values) => values.map((value) => shown(axis)(plot, value)),
  }))
  if (isPercentile) {
    axes[0].splits = ({ scales }) =>
      [0, Math.log10(2), 1, 2, 3, 4, 5, 6].filter((nines) => nines <= scales.x.max)
  }
  const series = lines.map(({ label }, index) => (
    { label, width: 1.8, stroke: colorOf('abcde'[index]), value: shown(1) }
  ))
  const scales = { x: { time: false }, y: { distr: isTime ? 3 : 1 } }
  new uPlot(
    { width: 980, height: 320, scales, axes, series: [{ label: x, value: shown(0) }, ...series] },
    [at, ...lines.map(({ values }) => values)],
    document.getElementById(id),
  )
}
`

interface Plot {
  readonly id: string
  readonly x: 'seconds' | 'percentile'
  /** Whether values are microseconds, on an axis of decades. */
  readonly isTime: boolean
  readonly at: readonly number[]
  readonly lines: readonly { readonly label: string; readonly values: readonly number[] }[]
}

export function pageOf(report: LoadReport): string {
  const { title, target, began, seconds } = report
  const plots = JSON.stringify(plotsOf(report)).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}: load report</title>
<style>${readFileSync(`${UPLOT}/uPlot.min.css`, 'utf8')}${themeText()}${STYLE}</style>
</head>
<body>
<p class="brand">Ringbook</p>
<h1>${escaped(title)}</h1>
<p class="faint">${escaped(target)}, ${escaped(began)}, ${seconds} s, ${escaped(loadText(report))}</p>
<p>${verdictOf(report)}</p>
${remarkList(report)}
${boxes(report)}
<h2>Latency over time</h2>
<p class="faint">Response time: from the moment at which a request was due to its whole answer.</p>
<div id="latency"></div>
<h2>Requests a second over time</h2>
<div id="requests"></div>
<h2>Latency by percentile</h2>
<div id="percentiles"></div>
<h2>Actions</h2>
${actionTable(report)}
${stepTable(report)}
<h2>Checks</h2>
${checkTable(report)}
${thresholdTable(report)}
<h2>Settings</h2>
${settingsTable(report)}
<script>${readFileSync(`${UPLOT}/uPlot.iife.min.js`, 'utf8')}</script>
<script>${timeText}
const plots = ${plots}
${SCRIPT}</script>
</body>
</html>
`
}

function themeText(): string {
  const theme = readFileSync(THEME_FILE, 'utf8')
  return theme.replace(LIGHT_THEME, '@media (prefers-color-scheme: light) { :root $1 }')
}

function plotsOf({ intervals, seconds, percentiles }: LoadReport): readonly Plot[] {
  const told = intervals.filter(({ latency }) => latency.count > 0)
  // What is due in the rest of a second after the end would look like a fall.
  const whole = intervals.filter((it) => it.atSeconds + it.seconds <= seconds + 0.01)
  const shown = whole.length > 0 ? whole : intervals
  const timesOf = (rows: readonly Interval[]) => rows.map((it) => it.atSeconds + it.seconds / 2)
  const latency = (name: 'p50' | 'p90' | 'p99' | 'max') => ({
    label: name,
    values: told.map((it) => Math.max(1, it.latency[name])),
  })
  const rate = (label: string, of: (interval: Interval) => number) => ({
    label,
    values: shown.map((it) => of(it) / it.seconds),
  })
  const values = percentiles.map(({ microseconds }) => Math.max(1, microseconds))
  const nines = percentiles.map(
    ({ percentile }) => -Math.log10(Math.max(1e-9, 1 - percentile / 100)),
  )
  return [
    {
      id: 'latency',
      x: 'seconds',
      isTime: true,
      at: timesOf(told),
      lines: (['p50', 'p90', 'p99', 'max'] as const).map(latency),
    },
    {
      id: 'requests',
      x: 'seconds',
      isTime: false,
      at: timesOf(shown),
      lines: [
        rate('sent', ({ due }) => due),
        rate('answered', ({ answered }) => answered),
        rate('left out', ({ withheld }) => withheld),
        rate('errors', ({ refused, limited, failed }) => refused + limited + failed),
      ],
    },
    // The last one is that of all values, whose nines have no end.
    {
      id: 'percentiles',
      x: 'percentile',
      isTime: true,
      at: nines.slice(0, -1),
      lines: [{ label: 'all', values: values.slice(0, -1) }],
    },
  ]
}

/** Whether checks hold and no threshold is crossed. */
function verdictOf({ isSound, thresholds }: LoadReport): string {
  if (!isSound) return '<b class="bad">A check fails.</b>'
  const crossed = thresholds.find(({ isCrossed }) => isCrossed)
  if (crossed === undefined) return '<b class="good">All checks hold.</b>'
  return `<b class="bad">${escaped(`${crossed.condition}: it is ${crossed.found}.`)}</b>`
}

function loadText({ settings: { steps, isRamp } }: LoadReport): string {
  const [first] = steps
  return isRamp ? `${first?.perSecond} to ${steps.at(-1)?.perSecond}/s` : `${first?.perSecond}/s`
}

function remarkList(report: LoadReport): string {
  const said = remarks(report)
  if (said.length === 0) return ''
  return `<ul>${said.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>`
}

function boxes({
  requests,
  latency,
  service,
  orders,
  settings,
  held,
  streams,
}: LoadReport): string {
  const errors = requests.refused + requests.limited + requests.failed
  const cells: (readonly [string, string])[] = [
    [number(requests.perSecond), 'answers a second'],
    [timeText(latency.p50), 'p50'],
    [timeText(latency.p99), 'p99'],
    [timeText(latency.p999), 'p99.9'],
    [timeText(service.p99), 'p99 from when sent'],
    [number(errors), 'answers that were errors'],
    [number(orders.accepted), 'orders accepted'],
    [number(orders.tradesTaken), 'trades'],
  ]
  if (settings.isRamp) cells.unshift([`${number(held)}/s`, 'held at most'])
  if (streams.connections > 0) cells.push([number(streams.frames), 'frames of market streams'])
  const boxed = cells.map(
    ([value, what]) => `<div class="box"><b>${value}</b><span>${what}</span></div>`,
  )
  return `<div class="boxes">${boxed.join('')}</div>`
}

function actionTable({ actions, latency, service }: LoadReport): string {
  const row = (name: string, { count, p50, p90, p99, p999, max }: Latency, outcomes: string) => [
    name,
    number(count),
    ...[p50, p90, p99, p999, max].map(timeText),
    outcomes,
  ]
  const rows = actions.map(({ action, latency: own, outcomes }) =>
    row(
      action,
      own,
      Object.entries(outcomes)
        .map(([outcome, count]) => `${outcome}: ${number(count)}`)
        .join(', '),
    ),
  )
  const head = ['action', 'requests', 'p50', 'p90', 'p99', 'p99.9', 'max', 'outcomes']
  const all = [row('all', latency, ''), row('all, from when sent', service, '')]
  return table(head, [...rows, ...all], [7])
}

function stepTable({ steps, settings }: LoadReport): string {
  if (!settings.isRamp) return ''
  const rows = steps.map(({ perSecond, seconds, inFlight, withheld, isHeld }) => [
    `${number(perSecond)}/s`,
    `${Math.round(seconds * 10) / 10} s`,
    number(inFlight),
    number(withheld),
    isHeld ? 'held' : 'not held',
  ])
  const head = ['rate', 'for', 'waiting at its end', 'left out', '']
  return `<h2>Ramp</h2>\n${table(head, rows, [])}`
}

function checkTable({ checks }: LoadReport): string {
  const rows = checks.map(({ check, compared, failed, failures }) => [
    check,
    number(compared),
    number(failed),
    failures.join('; '),
  ])
  return table(['check', 'compared', 'differ', 'first differences'], rows, [3])
}

function thresholdTable({ thresholds }: LoadReport): string {
  if (thresholds.length === 0) return ''
  const rows = thresholds.map(({ condition, found, isCrossed }) => [
    condition,
    found,
    isCrossed ? 'met: the load fails' : 'not met',
  ])
  return `<h2>Thresholds</h2>\n${table(['fails if', 'found', ''], rows, [2])}`
}

function settingsTable({
  settings,
  warmUp,
  limits,
  streams,
  generator,
  requests,
}: LoadReport): string {
  const usage = limits.usage.map(({ header, most }) => `${header} ${most}`).join(', ')
  const rows = [
    ['scenario', settings.scenario],
    ['symbols', settings.symbols.join(', ')],
    ['seed', String(settings.seed)],
    ['connections', String(settings.connections)],
    ['honors limits', settings.honorsLimits ? 'yes' : 'no'],
    ['most used of the limits', usage || 'not told'],
    ['requests in all, with those before and after', number(requests.sentInAll)],
    ['generator sent late by', lateText(generator.lateness)],
    ['then waited for a free connection', lateText(generator.queued)],
    ['warm-up, counted nowhere else', warmUpText(warmUp)],
    ['generator took of a processor', `${Math.round(100 * generator.busyShare)} %`],
  ]
  if (streams.connections > 0) {
    rows.push([
      'frames came after their event time by',
      `p50 ${streams.lagP50} ms, p99 ${streams.lagP99} ms, max ${streams.lagMax} ms ` +
        `(${streams.connections} readers)`,
    ])
  }
  return table(['', ''], rows, [1])
}

const lateText = ({ p50, p99, max }: Latency): string =>
  `p50 ${timeText(p50)}, p99 ${timeText(p99)}, max ${timeText(max)}`

const warmUpText = ({ seconds, requests, latency }: LoadReport['warmUp']): string =>
  seconds === 0 ? 'none' : `${seconds} s, ${number(requests)} requests, ${lateText(latency)}`

/** Columns of these places hold text. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly number[],
): string {
  const style = (index: number) => (texts.includes(index) ? ' class="text"' : '')
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell, index) => `<${tag}${style(index)}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const header = head.every((cell) => cell === '') ? '' : `<thead>${line('th', head)}</thead>`
  const body = rows.map((row) => line('td', row)).join('\n')
  return `<div class="wide"><table>${header}<tbody>\n${body}\n</tbody></table></div>`
}

const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 1 })

function escaped(text: string): string {
  const codes: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  }
  return text.replaceAll(/[&<>"]/g, (letter) => codes[letter]!)
}
