/** Lines over a span of time, by uPlot, with the newest values above them, and marks of what happened. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { LABELS } from '../toolkit/canvas.ts'
import { colors, type Palette, theme } from '../toolkit/theme.ts'
import type { Sample } from './figure-history.ts'
import type { Mark } from './figures.ts'
import { bytesText, momentText, timeText } from './texts.ts'

const LINES = ['a', 'b', 'c', 'd', 'e', 'f'] as const
export const LINES_MAX = LINES.length
/** Room for the values beside the y axis. */
const AXIS_WIDTH = 58
/** Room for the times below. */
const AXIS_HEIGHT = 26
const SPACE_X = 80
const SPACE_Y = 28
/** Steps of an axis of bytes, which texts count by powers of two. */
const BYTE_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power)

export interface Line {
  readonly name: string
  /** Undefined where the sample has no value. */
  readonly of: (sample: Sample) => number | undefined
}

interface ChartProps {
  readonly title: string
  readonly samples: readonly Sample[]
  readonly marks: readonly Mark[]
  /** At most LINES_MAX. */
  readonly lines: readonly Line[]
  readonly text: (value: number) => string
  /** The top of the axis, where the values have a known end. */
  readonly max?: number
}

export function SeriesChart({ title, samples, marks, lines, text, max }: ChartProps): JSX.Element {
  const marked = useRef(marks)
  marked.current = marks
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const pointed = useSignal<number | undefined>(undefined)
  const names = lines.map(({ name }) => name).join()
  const { value: shownTheme } = theme
  useEffect(() => {
    const element = place.current!
    const made = new uPlot(options(lines, text, max, pointed, marked), [[]], element)
    plot.current = made
    const fit = () => made.setSize({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.current = undefined
      made.destroy()
    }
  }, [names, shownTheme])
  useEffect(() => {
    const columns = lines.map(({ of }) => samples.map((sample) => known(of(sample)) ?? null))
    plot.current?.setData([samples.map(({ time }) => time), ...columns])
  }, [samples, names, shownTheme])
  const shown = samples[pointed.value ?? -1] ?? samples.at(-1)
  const values = lines.map(({ name, of }) => {
    const value = shown === undefined ? undefined : known(of(shown))
    return [name, value === undefined ? '–' : text(value)] as const
  })
  const said = values.map(([name, value]) => `${name} ${value}`).join(', ')
  return (
    <>
      <ul class="legend">
        {values.map(([name, value], index) => (
          <li key={name}>
            <i class={`key line-${LINES[index]}`} aria-hidden="true" />
            {name} <b class="figure">{value}</b>
          </li>
        ))}
      </ul>
      <div class="plot" role="img" aria-label={`${title}: ${said}`} ref={place} />
    </>
  )
}

function options(
  lines: readonly Line[],
  text: (value: number) => string,
  max: number | undefined,
  pointed: { value: number | undefined },
  marked: { readonly current: readonly Mark[] },
): uPlot.Options {
  const palette = colors()
  const top = (highest: number): number => max ?? (highest > 0 ? highest * 1.08 : 1)
  return {
    width: 1,
    height: 1,
    legend: { show: false },
    cursor: { y: false, points: { size: 5 }, drag: { x: false, y: false } },
    scales: { y: { range: (_, __, highest) => [0, top(highest ?? 0)] } },
    hooks: {
      draw: [(plot) => paintMarks(plot, marked.current, palette)],
      setCursor: [
        ({ cursor }) => {
          pointed.value = cursor.idx ?? undefined
        },
      ],
    },
    axes: [
      { ...axis(palette, SPACE_X, timeText), values: timesText, size: AXIS_HEIGHT },
      {
        ...axis(palette, SPACE_Y, text),
        size: AXIS_WIDTH,
        ...(text === bytesText && { incrs: BYTE_STEPS }),
      },
    ],
    series: [
      {},
      ...lines.map((_, index) => ({
        stroke: palette[LINES[index]!],
        width: 1.5,
        points: { show: false },
      })),
    ],
  }
}

const known = (value: number | undefined): number | undefined =>
  Number.isNaN(value) ? undefined : value

const DAY = 86_400

/** Returns the texts of times; those of more than a day have their days. */
function timesText(_: uPlot, splits: readonly number[]): string[] {
  const isLong = splits.at(-1)! - splits[0]! > DAY
  const text = (at: number) =>
    momentText(at * 1_000).slice('YYYY-'.length, 'YYYY-MM-DD hh:mm'.length)
  return splits.map(isLong ? text : timeText)
}

function paintMarks(
  { ctx, bbox, scales, valToPos }: uPlot,
  marks: readonly Mark[],
  palette: Palette,
) {
  const { min = 0, max = 0 } = scales.x ?? {}
  ctx.save()
  ctx.strokeStyle = palette.quiet
  ctx.lineWidth = 1
  ctx.setLineDash([2, 3])
  for (const { timeMs } of marks) {
    const time = timeMs / 1_000
    if (time < min! || time > max!) continue
    const x = Math.round(valToPos(time, 'x', true)) + 0.5
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

const axis = (palette: Palette, space: number, text: (value: number) => string): uPlot.Axis => ({
  stroke: palette.quiet,
  font: LABELS,
  space,
  grid: { stroke: palette.line, width: 1 },
  ticks: { show: false },
  values: (_, splits) => splits.map(text),
})
