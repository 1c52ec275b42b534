/**
 * Conditions under which a load fails, such as `p99>20ms` or `refused>1%`, so that a pipeline can hold an
 * exchange to what it should do.
 */
import { UsageError } from '../command-line/usage-error.ts'
import { timeText } from './display.ts'
import type { Latency, OutcomeKind } from './measure.ts'

type Requests = Readonly<Record<OutcomeKind | 'due' | 'withheld' | 'perSecond', number>>
/** What thresholds look at in a report. */
export interface Reading {
  readonly latency: Latency
  readonly requests: Requests
  readonly held: number
}
type Unit = 'time' | 'requests' | 'rate'

export interface Threshold {
  /** As it was given. */
  readonly condition: string
  readonly measure: string
  /** Whether the load fails above the limit; otherwise below it. */
  readonly isMost: boolean
  /** Microseconds, requests, requests a second, or a share of the requests. */
  readonly limit: number
  readonly isShare: boolean
}

export interface ThresholdResult {
  readonly condition: string
  /** What the load came to, with its unit. */
  readonly found: string
  readonly isCrossed: boolean
}

const time = (of: keyof Latency) => ({
  unit: 'time' as const,
  of: ({ latency }: Reading) => latency[of],
})
const requests = (of: (requests: Requests) => number) => ({
  unit: 'requests' as const,
  of: (reading: Reading) => of(reading.requests),
})
const rate = (of: (reading: Reading) => number) => ({ unit: 'rate' as const, of })

interface Measured {
  readonly unit: Unit
  of(reading: Reading): number
}
const measures: ReadonlyMap<string, Measured> = new Map(
  Object.entries<Measured>({
    mean: time('mean'),
    p50: time('p50'),
    p90: time('p90'),
    p99: time('p99'),
    'p99.9': time('p999'),
    'p99.99': time('p9999'),
    max: time('max'),
    refused: requests((it) => it.refused),
    limited: requests((it) => it.limited),
    failed: requests((it) => it.failed),
    errors: requests((it) => it.refused + it.limited + it.failed),
    'left-out': requests((it) => it.withheld),
    rate: rate(({ requests: it }) => it.perSecond),
    held: rate(({ held }) => held),
  }),
)

const MICROSECONDS: Readonly<Record<string, number>> = { µs: 1, us: 1, ms: 1_000, s: 1_000_000 }
const FORM = /^([a-z0-9.-]+)([<>])(\d+(?:\.\d+)?)(µs|us|ms|s|%|\/s)?$/
const EXAMPLES = 'such as p99>20ms, refused>1%, failed>0 or rate<1000/s'

/** Conditions separated by commas. Throws UsageError. */
export function readThresholds(text: string): readonly Threshold[] {
  return text === '' ? [] : text.split(',').map((condition) => thresholdOf(condition.trim()))
}

function thresholdOf(condition: string): Threshold {
  const [, name = '', sign, digits = '', ending = ''] = FORM.exec(condition) ?? []
  const measure = measures.get(name)
  if (measure === undefined) {
    const names = [...measures.keys()].join(', ')
    throw new UsageError(`--fail-if must be conditions ${EXAMPLES}, on one of ${names}.`)
  }
  const endings = { time: Object.keys(MICROSECONDS), requests: ['', '%'], rate: ['', '/s'] }
  if (!endings[measure.unit].includes(ending)) {
    const wanted = endings[measure.unit].filter((it) => it !== '').join(', ')
    const found = ending === '' ? 'no unit' : ending
    throw new UsageError(`--fail-if ${condition} has ${found}; ${name} takes ${wanted}.`)
  }
  const isShare = ending === '%'
  const factor = isShare ? 0.01 : (MICROSECONDS[ending] ?? 1)
  return { condition, measure: name, isMost: sign === '>', limit: Number(digits) * factor, isShare }
}

/** What a load came to under a threshold. A latency without a single answer crosses it. */
export function judge(threshold: Threshold, reading: Reading): ThresholdResult {
  const { condition, isMost, limit, isShare } = threshold
  const { unit, of } = measures.get(threshold.measure)!
  if (unit === 'time' && reading.latency.count === 0) {
    return { condition, found: 'no answer', isCrossed: true }
  }
  const { due, withheld } = reading.requests
  const arrivals = Math.max(1, due + withheld)
  const value = isShare ? of(reading) / arrivals : of(reading)
  const isCrossed = isMost ? value > limit : value < limit
  return { condition, found: foundText(value, unit, isShare), isCrossed }
}

function foundText(value: number, unit: Unit, isShare: boolean): string {
  if (isShare) return `${Number((100 * value).toPrecision(3))} %`
  if (unit === 'time') return timeText(value)
  return unit === 'rate' ? `${value}/s` : String(value)
}
