/** Where the time of orders went: for each stage a strip of time, whose colors count orders by latency. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { LABELS, type Surface, usePainted } from '../toolkit/canvas.ts'
import { requestFrame } from '../toolkit/frames.ts'
import { colors } from '../toolkit/theme.ts'
import { quantile, type Sample, together } from './figure-history.ts'
import { durationText, timeText } from './texts.ts'

/** In the order in which an order meets them. */
export const STAGES = ['parse', 'ring', 'match', 'journal', 'publish', 'answer'] as const
/** Seconds shown, at most and at least. */
const COLUMNS_MAX = 300
const COLUMNS_MIN = 60
/** Buckets shown: from 1 µs to 1 s. */
const FIRST_BUCKET = 4
const LAST_BUCKET = 43
const ROWS = LAST_BUCKET - FIRST_BUCKET + 1
const LEFT = 62
const RIGHT = 104
const BOTTOM = 18
const GAP = 6
/** Seconds between two times below the strips, or a multiple where they have no room. */
const MARK_SECONDS = 30
const MARK_WIDTH = 72

interface HeatProps {
  readonly samples: readonly Sample[]
}

export function HeatMap({ samples }: HeatProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const shown = useRef<readonly Sample[]>(samples)
  shown.current = samples
  requestFrame()
  const version = useRef(() => shown.current.at(-1)?.time ?? 0).current
  const paint = useRef((surface: Surface) => paintStrips(surface, shown.current)).current
  usePainted(canvas, version, paint)
  const said = STAGES.map((stage) => `${stage} ${quantileText(samples, stage, 0.99)}`).join(', ')
  const label = `Latency by stage, of 99 % of orders below: ${said}`
  return <canvas class="fill heat" role="img" aria-label={label} ref={canvas} />
}

function paintStrips(surface: Surface, samples: readonly Sample[]): void {
  const { context, width, height } = surface
  const columns = samples.slice(-COLUMNS_MAX)
  const plot = { left: LEFT, width: width - LEFT - RIGHT, bottom: height - BOTTOM }
  const stripHeight = (plot.bottom - GAP * STAGES.length) / STAGES.length
  context.font = LABELS
  context.textBaseline = 'middle'
  for (const [index, stage] of STAGES.entries()) {
    const top = index * (stripHeight + GAP)
    paintStrip(context, { stage, columns, top, height: stripHeight, ...plot })
    const middle = top + stripHeight / 2
    context.fillStyle = colors().ink
    context.textAlign = 'right'
    context.fillText(stage, LEFT - 8, middle)
    context.fillStyle = colors().quiet
    context.textAlign = 'left'
    const beside = width - RIGHT + 8
    context.fillText(`p50 ${quantileText(columns, stage, 0.5)}`, beside, middle - 8)
    context.fillText(`p99 ${quantileText(columns, stage, 0.99)}`, beside, middle + 8)
  }
  paintTimes(surface, columns, plot)
}

interface Strip {
  readonly stage: string
  readonly columns: readonly Sample[]
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The newest column is the last one on the right; its cells are brighter the more orders they count. */
function paintStrip(
  context: CanvasRenderingContext2D,
  { stage, columns, left, top, width, height }: Strip,
): void {
  const { raised, a } = colors()
  context.fillStyle = raised
  context.fillRect(left, top, width, height)
  context.fillStyle = a
  const room = Math.max(COLUMNS_MIN, columns.length)
  const cellWidth = width / room
  const cellHeight = height / ROWS
  const first = room - columns.length
  for (const [index, { histograms }] of columns.entries()) {
    const counts = histograms.get(stage)?.counts ?? []
    const most = Math.max(1, ...counts)
    for (const [row, count] of inRows(counts).entries()) {
      if (count === 0) continue
      context.globalAlpha = 0.2 + (0.8 * Math.log1p(count)) / Math.log1p(most)
      const x = left + (first + index) * cellWidth
      const y = top + height - (row + 1) * cellHeight
      context.fillRect(x, y, Math.max(1, cellWidth), Math.max(3, cellHeight))
    }
  }
  context.globalAlpha = 1
}

/** What is outside of the rows is counted in the first and the last of them. */
function inRows(counts: readonly number[]): number[] {
  const rows = new Array<number>(ROWS).fill(0)
  for (const [bucket, count] of counts.entries()) {
    const row = Math.min(LAST_BUCKET, Math.max(FIRST_BUCKET, bucket)) - FIRST_BUCKET
    rows[row]! += count
  }
  return rows
}

function paintTimes(
  { context }: Surface,
  columns: readonly Sample[],
  { left, width, bottom }: { left: number; width: number; bottom: number },
): void {
  const { quiet } = colors()
  context.fillStyle = quiet
  context.textAlign = 'center'
  const room = Math.max(COLUMNS_MIN, columns.length)
  const first = room - columns.length
  const step = MARK_SECONDS * Math.ceil((MARK_WIDTH * room) / width / MARK_SECONDS)
  for (const [index, { time }] of columns.entries()) {
    if (Math.floor(time) % step !== 0) continue
    const x = left + ((first + index) * width) / room
    context.fillText(timeText(time), x, bottom + BOTTOM / 2)
  }
}

/** Returns a quantile of a stage over all samples together, as a duration. */
function quantileText(samples: readonly Sample[], stage: string, share: number): string {
  const all = samples.flatMap(({ histograms }) => histograms.get(stage) ?? [])
  const ns = all.length === 0 ? undefined : quantile(together(all), share)
  return ns === undefined ? '–' : durationText(ns)
}
