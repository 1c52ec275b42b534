/** What a run ends with: slopes against their bounds, and whether all is well. */

import fs from 'node:fs'
import { readLog, type SoakLog } from './samples.ts'
import { type Slope, slopesOf, warmUpSeconds } from './slopes.ts'

/** Requests that may go unanswered, or meet a failure of the exchange's own: one in so many. */
const REQUESTS_OF_ONE_FAILURE = 10_000

/** The part that samples do not have. */
export interface SoakEnd {
  readonly kind: 'end'
  /** How the process ended before its time; empty when it did not. */
  readonly died: string
  readonly isRestarted: boolean
  /** Exit code 0 for the stop at the end. */
  readonly isStopped: boolean
  /** Acknowledged orders, fills and cancels that later answers contradict. */
  readonly lost: number
  readonly compared: number
  readonly requests: number
  readonly failed: number
  readonly orders: number
  readonly queries: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly warnings: Readonly<Record<string, number>>
  readonly disk: string
  readonly rate: number
}

export interface SoakReport extends Omit<SoakEnd, 'kind'> {
  readonly hours: number
  readonly warmUpMinutes: number
  readonly samples: number
  readonly slopes: readonly Slope[]
  readonly isWell: boolean
}

/** Of a run that was cut: nothing was compared, and what it knew last stands in its last sample. */
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

/** Of the samples that the file has, also those of a run that was cut. */
export function readReport(file: string): { readonly log: SoakLog; readonly report: SoakReport } {
  const log = readLog(file)
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  const last = lines.at(-1)!
  const { requests = 0, failed = 0, orders = 0, queries = 0 } = log.samples.at(-1)?.clients ?? {}
  const end: SoakEnd = last.startsWith('{"kind":"end"')
    ? JSON.parse(last)
    : { ...CUT, requests, failed, orders, queries }
  return { log, report: reportOf(log, end) }
}

export function reportOf(log: SoakLog, { kind: _, ...end }: SoakEnd): SoakReport {
  const slopes = slopesOf(log)
  const { died, isRestarted, isStopped, lost, failed, requests } = end
  const isServed = died === '' && isRestarted && isStopped
  const isAnswered = failed * REQUESTS_OF_ONE_FAILURE <= requests
  return {
    hours: round((log.samples.at(-1)?.atSeconds ?? 0) / 3600),
    warmUpMinutes: round(warmUpSeconds(log) / 60),
    samples: log.samples.length,
    ...end,
    slopes: slopes.map((slope) => rounded(slope)),
    isWell: isServed && isAnswered && lost === 0 && slopes.every(({ isBroken }) => !isBroken),
  }
}

function rounded(slope: Slope): Slope {
  const numbers = Object.entries(slope).map(([name, value]) => {
    return [name, typeof value === 'number' ? round(value) : value]
  })
  return Object.fromEntries(numbers)
}

const round = (value: number): number => Math.round(1000 * value) / 1000

const MIB = 1024 * 1024

/** A line for each slope. */
export function textOf({ slopes }: SoakReport): string {
  const lines = slopes.map(({ name, unit, perHour, perEventByte, most, bound, isBroken }) => {
    const isBytes = unit === 'bytes'
    const amount = (value: number) => (isBytes ? (value / MIB).toFixed(2) : value.toFixed(2))
    const word = isBytes ? 'MiB' : unit
    const measured =
      perEventByte !== undefined
        ? `, ${perEventByte.toFixed(2)} for each byte of events, at most ${bound}`
        : most !== undefined
          ? `, ${amount(most)} at most, bound ${amount(bound)}`
          : `, at most ${amount(bound)}`
    return `  ${name}: ${amount(perHour)} ${word} an hour${measured}${isBroken ? ': BROKEN' : ''}`
  })
  return `slopes:\n${lines.join('\n')}\n`
}
