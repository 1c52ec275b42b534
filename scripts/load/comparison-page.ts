/** Two reports in one HTML page: what changed from the one before to the one after. */
import { timeText } from './display.ts'
import {
  documentOf,
  latencyAxis,
  number,
  percentileAxis,
  table,
  timeAxis,
  verdictOf,
} from './page.ts'
import { escaped, type Plot, type Series, svgOf } from './plots.ts'
import type { LoadReport } from './report.ts'

/** The reports, with the styles of their lines. */
const SIDES = [
  ['before', 'a'],
  ['after', 'c dashed'],
] as const

interface Row {
  readonly name: string
  readonly of: (report: LoadReport) => number
  readonly text: (value: number) => string
}

const rows: readonly Row[] = [
  { name: 'answers a second', of: ({ requests }) => requests.perSecond, text: number },
  ...(['p50', 'p90', 'p99', 'p999', 'max'] as const).map((name) => ({
    name: name === 'p999' ? 'p99.9' : name,
    of: ({ latency }: LoadReport) => latency[name],
    text: timeText,
  })),
  { name: 'refused', of: ({ requests }) => requests.refused, text: number },
  { name: 'refused by limits', of: ({ requests }) => requests.limited, text: number },
  { name: 'failed', of: ({ requests }) => requests.failed, text: number },
  { name: 'left out', of: ({ requests }) => requests.withheld, text: number },
  { name: 'orders accepted', of: ({ orders }) => orders.accepted, text: number },
  { name: 'trades', of: ({ orders }) => orders.tradesTaken, text: number },
  { name: 'rate that was held', of: ({ held }) => held, text: (value) => `${number(value)}/s` },
]

type Pair = readonly [before: LoadReport, after: LoadReport]

export function comparisonPageOf(pair: Pair): string {
  const [before, after] = pair
  const title = before.title === after.title ? before.title : `${before.title}, ${after.title}`
  return documentOf(
    `${title}: comparison`,
    `<h1>${escaped(title)}</h1>
${pair.map((report, side) => `<p>${SIDES[side]![0]}: ${headOf(report)}</p>`).join('\n')}
${differences(pair)}
<h2>What changed</h2>
${table(['', 'before', 'after', 'change'], changeRows(pair), [])}
<h2>p99 over time</h2>
${svgOf(timePlot(pair))}
<h2>Latency by percentile</h2>
${svgOf(percentilePlot(pair))}
<h2>p99 by action</h2>
${table(['action', 'before', 'after', 'change'], actionRows(pair), [])}
`,
  )
}

/** The table of what changed, as text for a terminal. */
export function comparisonText(pair: Pair): string {
  const cells = [['', 'before', 'after', 'change'], ...changeRows(pair)]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]!.length)))
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  '),
  )
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

function headOf(report: LoadReport): string {
  const { target, began, seconds } = report
  return `${escaped(`${target}, ${began}, ${seconds} s`)}, ${verdictOf(report)}`
}

/** Settings that differ: the two may not be comparable then. */
function differences([before, after]: Pair): string {
  const names = Object.keys(before.settings) as (keyof LoadReport['settings'])[]
  const texts = names.flatMap((name) => {
    const [one, two] = [before.settings[name], after.settings[name]].map((it) => JSON.stringify(it))
    return one === two ? [] : [`${name} was ${one}, then ${two}`]
  })
  return texts.length === 0
    ? '<p class="faint">Both ran with the same settings.</p>'
    : `<p class="bad">${escaped(`Settings differ: ${texts.join('; ')}.`)}</p>`
}

const changeRows = ([before, after]: Pair): string[][] =>
  rows
    .map(({ name, of, text }) => [name, of(before), of(after), text] as const)
    .filter(([, one, two]) => one !== 0 || two !== 0)
    .map(([name, one, two, text]) => [name, text(one), text(two), changeOf(one, two)])

function actionRows([before, after]: Pair): string[][] {
  const found = (report: LoadReport, name: string) =>
    report.actions.find(({ action }) => action === name)?.latency.p99
  const names = new Set([...before.actions, ...after.actions].map(({ action }) => action))
  return [...names].map((name) => {
    const [one, two] = [found(before, name), found(after, name)]
    const change = one === undefined || two === undefined ? '' : changeOf(one, two)
    return [
      name,
      one === undefined ? '' : timeText(one),
      two === undefined ? '' : timeText(two),
      change,
    ]
  })
}

/** `+12.3 %`; without a value before there is no share. */
function changeOf(before: number, after: number): string {
  if (before === after) return 'same'
  if (before === 0) return 'new'
  const percent = (after / before - 1) * 100
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`
}

const sides = (pair: Pair, points: (report: LoadReport) => Series['points']): Series[] =>
  SIDES.map(([name, style], side) => ({ name, style, points: points(pair[side]!) }))

function timePlot(pair: Pair): Plot {
  const told = (report: LoadReport) => report.intervals.filter(({ latency }) => latency.count > 0)
  return {
    title: 'p99 over time',
    x: timeAxis(pair),
    y: latencyAxis(pair.flatMap((report) => told(report).map(({ latency }) => latency.p99))),
    series: sides(pair, (report) =>
      told(report).map((it) => [it.atSeconds + it.seconds / 2, it.latency.p99] as const),
    ),
    notes: [],
  }
}

function percentilePlot(pair: Pair): Plot {
  const { axis, at } = percentileAxis(Math.max(...pair.map(({ latency }) => latency.count)))
  const series = sides(pair, ({ percentiles }) =>
    percentiles.map(({ percentile, microseconds }) => [at(percentile), microseconds] as const),
  )
  const values = series.flatMap(({ points }) => points.map(([, microseconds]) => microseconds))
  return { title: 'Latency by percentile', x: axis, y: latencyAxis(values), series, notes: [] }
}
