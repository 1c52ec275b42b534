/** What a run ends with: slopes against their bounds, and whether all is well. */

import { readLog, type SoakEnd, type SoakLog } from './samples.ts'
import { type Slope, slopesOf, warmUpSeconds } from './slopes.ts'

/** Requests that may go unanswered, or meet a failure of the exchange's own: one in so many. */
const REQUESTS_OF_ONE_FAILURE = 10_000
/** Acknowledged orders and cancels, of the requests for orders: about 0.9 of them are. */
const COMPARED_SHARE_MIN = 0.5

export interface SoakReport extends Omit<SoakEnd, 'kind'> {
  /** False when the run was cut: nothing was compared then. */
  readonly isWhole: boolean
  readonly hours: number
  readonly warmUpMinutes: number
  readonly samples: number
  /** The median of the minutes. */
  readonly p99Ms: number
  readonly slopes: readonly Slope[]
  readonly isWell: boolean
}

/** The end of a run that was cut; its counts are in its last sample. */
const CUT: SoakEnd = {
  kind: 'end',
  died: '',
  isRestarted: true,
  isStopped: true,
  lost: 0,
  compared: 0,
  requests: 0,
  failed: 0,
  orders: 0,
  queries: 0,
  outcomes: {},
  warnings: {},
  disk: '',
  rate: 0,
}

/** Reads the samples that the file has, also those of a run that was cut, and reports on them. */
export function readReport(file: string): { readonly log: SoakLog; readonly report: SoakReport } {
  const log = readLog(file)
  const { requests = 0, failed = 0, orders = 0, queries = 0 } = log.samples.at(-1)?.clients ?? {}
  const outcomes = log.minutes.at(-1)?.outcomes ?? {}
  const end = log.end ?? { ...CUT, requests, failed, orders, queries, outcomes }
  return { log, report: reportOf(log, end, log.end !== undefined) }
}

function reportOf(log: SoakLog, { kind: _, ...end }: SoakEnd, isWhole: boolean): SoakReport {
  const slopes = slopesOf(log)
  const p99s = log.minutes.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b)
  const { died, isRestarted, isStopped, lost, compared, failed, requests, orders } = end
  // An exchange that refuses is easily well.
  const isUsed = orders > 0 && (!isWhole || compared >= COMPARED_SHARE_MIN * orders)
  const isServed = died === '' && isRestarted && isStopped
  const isAnswered = failed * REQUESTS_OF_ONE_FAILURE <= requests
  return {
    isWhole,
    hours: round((log.samples.at(-1)?.atSeconds ?? 0) / 3600),
    warmUpMinutes: round(warmUpSeconds(log) / 60),
    samples: log.samples.length,
    p99Ms: p99s[p99s.length >> 1] ?? 0,
    ...end,
    slopes: slopes.map((slope) => rounded(slope)),
    isWell:
      isServed && isUsed && isAnswered && lost === 0 && slopes.every(({ isBroken }) => !isBroken),
  }
}

function rounded(slope: Slope): Slope {
  const numbers = Object.entries(slope).map(([name, value]) => {
    return [name, typeof value === 'number' ? round(value) : value]
  })
  return Object.fromEntries(numbers)
}

const round = (value: number): number => Math.round(1000 * value) / 1000

/** A line for each slope. */
export function textOf({ slopes }: SoakReport): string {
  const lines = slopes.map((slope) => {
    const { growth, bound } = textsOf(slope)
    return `  ${slope.name}: ${growth}; bound ${bound}${slope.isBroken ? ': BROKEN' : ''}`
  })
  return `growth:\n${lines.join('\n')}\n`
}

/** What is kept of a run: each slope over its bound, and both in words. */
export function keptOf(report: SoakReport) {
  const { slopes, hours, rate, orders, queries, failed, compared, lost, p99Ms } = report
  const figures: Record<string, number | string> = {
    hours,
    rate,
    orders,
    queries,
    failed,
    compared,
    lost,
    p99Ms,
  }
  const ratios: Record<string, number> = {}
  for (const slope of slopes) {
    const { growth, bound } = textsOf(slope)
    ratios[slope.name] = measuredOf(slope) / slope.bound
    figures[`${slope.name}, growth`] = growth
    figures[`${slope.name}, bound`] = bound
  }
  return { ratios, figures }
}

/** What is held to the bound. */
const measuredOf = ({ perHour, perEventByte, most }: Slope): number =>
  perEventByte ?? most ?? perHour

const MIB = 1024 * 1024

function textsOf(slope: Slope): { readonly growth: string; readonly bound: string } {
  const { unit, perEventByte, most, bound } = slope
  const text = (value: number) => {
    const amount = unit === 'bytes' && perEventByte === undefined ? value / MIB : value
    const word = perEventByte !== undefined ? 'bytes' : unit === 'bytes' ? 'MiB' : unit
    return `${Number(amount.toFixed(2))} ${word} ${endOf}`.trim()
  }
  const endOf =
    perEventByte !== undefined ? 'for a byte of events' : most === undefined ? 'an hour' : ''
  return { growth: text(measuredOf(slope)), bound: text(bound) }
}
