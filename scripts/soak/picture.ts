/** A run as one SVG: memory, files, handles and the orders' p99 over time. */
import { type Axis, linearTicks, type Series, svgOf } from '../load/plots.ts'
import type { Sample, SoakLog } from './samples.ts'

const WIDTH = 960
const HEIGHT = 320
const MIB = 1024 * 1024
const TICKS = 5
/** Points of a line; of more samples every n-th is drawn. */
const POINTS_MAX = 400
const STYLE = `text { font: 12px system-ui, sans-serif; fill: #555 }
.grid { stroke: #ccc } .minor { stroke-opacity: .5 } .line { fill: none; stroke-width: 1.8 }
.one { stroke: #2166ac } .two { stroke: #b2182b } .three { stroke: #1b7837 } .four { stroke: #762a83 }`

type Of<Row> = readonly [name: string, of: (row: Row) => number]
const styles = ['one', 'two', 'three', 'four'] as const

const mib = (name: string, of: (sample: Sample) => number | undefined): Of<Sample> => [
  name,
  (sample) => (of(sample) ?? 0) / MIB,
]

const journals = ({ folders }: Sample): number =>
  Object.entries(folders).reduce(
    (sum, [name, bytes]) => sum + (name.startsWith('journal-') ? bytes : 0),
    0,
  )

export function pictureOf(log: SoakLog): string {
  const { samples, minutes } = log
  const panels = [
    panel('memory, MiB', samples, [
      mib('anonymous', ({ memory }) => memory.anonymous),
      mib('of files', ({ memory }) => memory.files),
    ]),
    panel('files, MiB', samples, [
      mib('journals', journals),
      mib('archive', ({ folders }) => folders.archive),
      mib('snapshots', ({ folders }) => folders.snapshots),
      mib('events', ({ eventBytes }) => eventBytes),
    ]),
    panel('handles', samples, [
      ['files', ({ handles }) => handles.files],
      ['sockets', ({ handles }) => handles.sockets],
      ['threads', ({ handles }) => handles.threads],
    ]),
    panel('orders by the minute, ms', minutes, [
      ['p50', ({ p50Ms }) => p50Ms],
      ['p99', ({ p99Ms }) => p99Ms],
      ['timers', ({ lateP99Ms = 0 }) => lateP99Ms],
    ]),
  ]
  const placed = panels.map((svg, at) =>
    svg.replace('<svg ', `<svg y="${at * HEIGHT}" width="${WIDTH}" height="${HEIGHT}" `),
  )
  const height = HEIGHT * panels.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}">`,
    '<title>Memory, files, handles and times of orders during a soak</title>',
    `<style>${STYLE}</style>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...placed,
    '</svg>\n',
  ].join('\n')
}

function panel<Row extends { readonly atSeconds: number }>(
  label: string,
  rows: readonly Row[],
  lines: readonly Of<Row>[],
): string {
  const every = Math.max(1, Math.ceil(rows.length / POINTS_MAX))
  const drawn = rows.filter((_, index) => index % every === 0)
  const series: Series[] = lines.map(([name, of], at) => ({
    name,
    style: styles[at]!,
    points: drawn.map((row) => [row.atSeconds / 60, of(row)]),
  }))
  const minutes = axis('minutes', drawn.at(-1)?.atSeconds ?? 0, 60)
  const values = series.flatMap(({ points }) => points.map(([, y]) => y))
  const y = axis(label, 1.1 * Math.max(...values, 0), 1)
  return svgOf({ title: label, x: minutes, y, series, notes: [] })
}

/** From 0 to so much, which is divided by its unit. */
function axis(label: string, most: number, unit: number): Axis {
  const max = Math.max(1e-3, most / unit)
  return {
    label,
    min: 0,
    max,
    ticks: linearTicks(max, TICKS, (value) => String(+value.toFixed(3))),
  }
}
