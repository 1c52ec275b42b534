/** A report as one HTML page. */
import { timeText } from './display.ts'
import type { Interval, Latency } from './measure.ts'
import {
  documentOf,
  latencyAxis,
  number,
  percentileAxis,
  table,
  timeAxis,
  verdictOf,
} from './page.ts'
import { escaped, linearTicks, type Plot, type Series, svgOf } from './plots.ts'
import type { LoadReport } from './report.ts'
import { remarks } from './summary.ts'

export const pageOf = (report: LoadReport): string =>
  documentOf(`${report.title}: load report`, bodyOf(report))

/** The page without its frame. */
export function bodyOf(report: LoadReport): string {
  const { title, target, began, seconds } = report
  return `<h1>${escaped(title)}</h1>
<p class="faint">${escaped(target)}, ${escaped(began)}, ${seconds} s, ${escaped(loadText(report))}</p>
<p>${verdictOf(report)}</p>
${remarkList(report)}
${boxes(report)}
<h2>Latency over time</h2>
<p class="faint">Response time: from the moment at which a request was due to its whole answer.</p>
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
${thresholdTable(report)}
<h2>Settings</h2>
${settingsTable(report)}
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

function latencyPlot(report: LoadReport): Plot {
  const told = report.intervals.filter(({ latency }) => latency.count > 0)
  return {
    title: 'Latency over time',
    x: timeAxis([report]),
    y: latencyAxis(told.flatMap(({ latency: { p50, max } }) => [p50, max])),
    series: [
      seriesOf(told, 'p50', 'a', ({ latency }) => latency.p50),
      seriesOf(told, 'p90', 'b dashed', ({ latency }) => latency.p90),
      seriesOf(told, 'p99', 'c', ({ latency }) => latency.p99),
      seriesOf(told, 'max', 'd dotted', ({ latency }) => latency.max),
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
    'c dotted',
    rate(({ withheld }) => withheld),
  )
  const most =
    Math.max(1, ...shown.map(rate(({ due, withheld }) => Math.max(due, withheld)))) * 1.05
  return {
    title: 'Requests over time',
    x: timeAxis([report]),
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
        'b dashed',
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
  const { axis, at } = percentileAxis(latency.count)
  const points = percentiles.map(
    ({ percentile, microseconds }) => [at(percentile), microseconds] as const,
  )
  return {
    title: 'Latency by percentile',
    x: axis,
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
    ['threads that sent', String(settings.threads)],
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
