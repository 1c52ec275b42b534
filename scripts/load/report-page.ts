/** A report as one HTML page that needs nothing else: no script, no font, no picture from elsewhere. */
import { timeText } from './display.ts'
import type { Interval, Latency } from './measure.ts'
import { escaped, linearTicks, logTicks, type Plot, type Series, svgOf } from './plots.ts'
import type { LoadReport } from './report.ts'
import { remarks } from './summary.ts'

const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2430; --faint: #66707f; --rule: #dfe3e8;
  --box: #f5f7f9; --good: #1b7f4d; --bad: #b3261e; --a: #2f6fd0; --b: #12907f; --c: #c97b00; --d: #c2334d }
@media (prefers-color-scheme: dark) { :root { --paper: #14181e; --ink: #e3e8ee; --faint: #97a2b0;
  --rule: #2c343e; --box: #1b2129; --good: #55c38c; --bad: #ff8a80; --a: #6fa5f5; --b: #3fc4b0;
  --c: #eeb04b; --d: #f2798c } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 32px 24px 64px; max-width: 1040px; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px } h2 { font-size: 18px; margin: 40px 0 10px }
p { margin: 4px 0 } .faint { color: var(--faint) } .good { color: var(--good) } .bad { color: var(--bad) }
.boxes { display: grid; grid-template-columns: repeat(auto-fit, minmax(124px, 1fr)); gap: 10px;
  margin: 24px 0 8px }
.box { background: var(--box); border-radius: 8px; padding: 10px 14px } .box b { display: block;
  font-size: 21px; font-variant-numeric: tabular-nums } .box span { color: var(--faint); font-size: 13px }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid var(--rule); white-space: nowrap }
th { color: var(--faint); font-weight: 600; font-size: 13px } th:first-child, td:first-child,
td.text, th.text { text-align: left } td.text { white-space: normal }
svg { display: block; width: 100%; height: auto } svg text { fill: var(--faint); font-size: 12px }
.grid { stroke: var(--rule) } .minor { stroke-opacity: .5 } .line { fill: none; stroke-width: 1.8 }
.a { stroke: var(--a) } .b { stroke: var(--b) } .c { stroke: var(--c) } .d { stroke: var(--d) }
.dot { fill: var(--paper) } .hint { fill: transparent } .hint:hover { fill: var(--ink); fill-opacity: .06 }
ul { margin: 8px 0; padding-left: 22px }
`

export function pageOf(report: LoadReport): string {
  const { title, target, began, seconds, isSound } = report
  const verdict = isSound
    ? '<b class="good">All checks hold.</b>'
    : '<b class="bad">A check fails.</b>'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}: load report</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p class="faint">${escaped(target)}, ${escaped(began)}, ${seconds} s, ${escaped(loadText(report))}</p>
<p>${verdict}</p>
${remarkList(report)}
${boxes(report)}
<h2>Latency over time</h2>
<p class="faint">From the moment at which a request was due to its whole answer.</p>
${svgOf(latencyPlot(report))}
<h2>Requests over time</h2>
${svgOf(ratePlot(report))}
<h2>Latency by percentile</h2>
${svgOf(percentilePlot(report))}
<h2>Actions</h2>
${actionTable(report)}
${stepTable(report)}
<h2>Checks</h2>
${checkTable(report)}
<h2>Settings</h2>
${settingsTable(report)}
</body>
</html>
`
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

function boxes({ requests, latency, orders, settings, held, streams }: LoadReport): string {
  const errors = requests.refused + requests.limited + requests.failed
  const cells: (readonly [string, string])[] = [
    [number(requests.perSecond), 'answers a second'],
    [timeText(latency.p50), 'p50'],
    [timeText(latency.p99), 'p99'],
    [timeText(latency.p999), 'p99.9'],
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

const seriesOf = (
  intervals: readonly Interval[],
  name: string,
  style: string,
  of: (interval: Interval) => number,
): Series => ({
  name,
  style,
  points: intervals.map((it) => [it.atSeconds + it.seconds / 2, of(it)] as const),
})

function timeAxis({ intervals, seconds }: LoadReport) {
  const last = intervals.at(-1)
  const max = Math.max(seconds, last === undefined ? 0 : last.atSeconds + last.seconds, 0.001)
  return { label: 'seconds', min: 0, max, ticks: linearTicks(max, 10, (value) => number(value)) }
}

/** The whole decades around the latencies. */
function latencyAxis(values: readonly number[]) {
  const above = values.filter((value) => value > 0)
  const min = 10 ** Math.floor(Math.log10(Math.min(1e9, ...above)))
  const max = 10 ** Math.ceil(Math.log10(Math.max(min * 10, ...above)))
  return { label: 'latency', min, max, isLog: true, ticks: logTicks(min, max, timeText) } as const
}

function latencyPlot(report: LoadReport): Plot {
  const told = report.intervals.filter(({ latency }) => latency.count > 0)
  return {
    title: 'Latency over time',
    x: timeAxis(report),
    y: latencyAxis(told.flatMap(({ latency: { p50, max } }) => [p50, max])),
    series: [
      seriesOf(told, 'p50', 'a', ({ latency }) => latency.p50),
      seriesOf(told, 'p90', 'b', ({ latency }) => latency.p90),
      seriesOf(told, 'p99', 'c', ({ latency }) => latency.p99),
      seriesOf(told, 'max', 'd', ({ latency }) => latency.max),
    ],
    notes: told.map(({ atSeconds, seconds, latency }) => ({
      from: atSeconds,
      to: atSeconds + seconds,
      text: `${number(atSeconds)} s\n${latencyText(latency)}`,
    })),
  }
}

function ratePlot(report: LoadReport): Plot {
  // What is due in the rest of a second after the end would look like a fall.
  const whole = report.intervals.filter((it) => it.atSeconds + it.seconds <= report.seconds + 0.01)
  const shown = whole.length > 0 ? whole : report.intervals
  const errors = ({ refused, limited, failed }: Interval) => refused + limited + failed
  const rate = (of: (interval: Interval) => number) => (it: Interval) => of(it) / it.seconds
  const isLeftOut = shown.some(({ withheld }) => withheld > 0)
  const leftOut = seriesOf(
    shown,
    'left out',
    'c',
    rate(({ withheld }) => withheld),
  )
  const most =
    Math.max(1, ...shown.map(rate(({ due, withheld }) => Math.max(due, withheld)))) * 1.05
  return {
    title: 'Requests over time',
    x: timeAxis(report),
    y: { label: 'a second', min: 0, max: most, ticks: linearTicks(most, 5, number) },
    series: [
      seriesOf(
        shown,
        'sent',
        'a',
        rate(({ due }) => due),
      ),
      seriesOf(
        shown,
        'answered',
        'b',
        rate(({ answered }) => answered),
      ),
      ...(isLeftOut ? [leftOut] : []),
      seriesOf(shown, 'errors', 'd', rate(errors)),
    ],
    notes: shown.map((it) => ({
      from: it.atSeconds,
      to: it.atSeconds + it.seconds,
      text: `${number(it.atSeconds)} s\nsent ${it.due}\nanswered ${it.answered}\nerrors ${errors(it)}`,
    })),
  }
}

function percentilePlot({ percentiles, latency }: LoadReport): Plot {
  const nines = Math.max(1, Math.log10(Math.max(10, latency.count)))
  const at = (percentile: number) =>
    Math.min(nines, -Math.log10(Math.max(1e-9, 1 - percentile / 100)))
  const points = percentiles.map(
    ({ percentile, microseconds }) => [at(percentile), microseconds] as const,
  )
  const known = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999]
  return {
    title: 'Latency by percentile',
    x: {
      label: 'percentile',
      min: 0,
      max: nines,
      ticks: known.filter((it) => at(it) < nines).map((it) => [at(it), String(it)] as const),
    },
    y: latencyAxis(points.map(([, microseconds]) => microseconds)),
    series: [{ name: 'all', style: 'a', points }],
    notes: percentiles.slice(1).map(({ percentile, microseconds }, index) => ({
      from: points[index]![0],
      to: points[index + 1]![0],
      text: `${Number(percentile.toPrecision(7))} %: ${timeText(microseconds)}`,
    })),
  }
}

function latencyText({ count, p50, p90, p99, max }: Latency): string {
  const times = [
    ['p50', p50],
    ['p90', p90],
    ['p99', p99],
    ['max', max],
  ] as const
  return [`${count} answers`, ...times.map(([name, at]) => `${name} ${timeText(at)}`)].join('\n')
}

function actionTable({ actions, latency }: LoadReport): string {
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
  return table(head, [...rows, row('all', latency, '')], [7])
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

function settingsTable({ settings, limits, streams, generator, requests }: LoadReport): string {
  const usage = limits.usage.map(({ header, most }) => `${header} ${most}`).join(', ')
  const rows = [
    ['scenario', settings.scenario],
    ['symbols', settings.symbols.join(', ')],
    ['seed', String(settings.seed)],
    ['connections', String(settings.connections)],
    ['honours limits', settings.honoursLimits ? 'yes' : 'no'],
    ['most used of the limits', usage || 'not told'],
    ['requests in all, with those before and after', number(requests.sentInAll)],
    ['generator sent late by', `p99 ${timeText(generator.lateness.p99)}`],
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
