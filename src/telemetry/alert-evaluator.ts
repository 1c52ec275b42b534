/**
 * Evaluates the table of alerts (alerts.ts) on this member's own metrics, as Prometheus would: a condition holds for its
 * span before the alert begins, and the alert ends with it. Keeps counters of five minutes at most.
 */
import type { AlertRow, Condition, Severity } from './alerts.ts'
import type { Sample } from './exposition.ts'

/** Samples by metric, without the prefix. */
export type ReadMetrics = (families: readonly string[]) => ReadonlyMap<string, readonly Sample[]>

/** An alert begins or ends. */
export interface AlertChange {
  readonly state: 'begin' | 'end'
  readonly name: string
  readonly severity: Severity
  readonly text: string
}

/** What is compared, and its series. */
interface Found {
  readonly labels: Sample['labels']
  readonly value: number
}

interface Reading {
  readonly atMs: number
  /** By series. */
  readonly values: ReadonlyMap<string, Found>
}

/** State of one alert row. */
interface Progress {
  /** Since when it holds; undefined while it does not. */
  sinceMs: number | undefined
  hasBegun: boolean
}

const HISTOGRAM_SUFFIX = /_(bucket|sum|count)$/
const familyOf = (metric: string): string => metric.replace(HISTOGRAM_SUFFIX, '')

export class AlertEvaluator {
  private readonly rows: readonly AlertRow[]
  private readonly families: readonly string[]
  private readonly read: ReadMetrics
  private readonly changed: (change: AlertChange) => void
  private readonly progress: readonly Progress[]
  /** By condition: the oldest first, back to its span. */
  private readonly readings = new Map<Condition, Reading[]>()

  constructor(
    rows: readonly AlertRow[],
    read: ReadMetrics,
    changed: (change: AlertChange) => void,
  ) {
    this.rows = rows.filter(({ isOutside }) => isOutside !== true)
    const conditions = this.rows.flatMap(({ when }) => when)
    this.families = [...new Set(conditions.flatMap(({ of }) => of.map(familyOf)))]
    this.read = read
    this.changed = changed
    this.progress = this.rows.map(() => ({ sinceMs: undefined, hasBegun: false }))
  }

  /** Call it every few seconds, by a steady clock. */
  look(nowMs: number): void {
    const samples = this.read(this.families)
    for (const [at, row] of this.rows.entries()) {
      // All conditions are read, so that each has its past.
      const found = row.when.map((condition) => this.meets(condition, samples, nowMs))
      this.step(
        row,
        this.progress[at]!,
        found.find((each) => each !== undefined),
        nowMs,
      )
    }
  }

  private step(row: AlertRow, progress: Progress, found: Found | undefined, nowMs: number): void {
    const { name, severity, forSeconds, text } = row
    if (found === undefined) {
      progress.sinceMs = undefined
      if (progress.hasBegun) this.changed({ state: 'end', name, severity, text: `Over: ${name}.` })
      progress.hasBegun = false
      return
    }
    progress.sinceMs ??= nowMs
    if (progress.hasBegun || nowMs - progress.sinceMs < 1_000 * forSeconds) return
    progress.hasBegun = true
    this.changed({ state: 'begin', name, severity, text: textOf(text, found) })
  }

  /** Returns the series that meets the condition most; undefined when none does. */
  private meets(
    condition: Condition,
    samples: ReadonlyMap<string, readonly Sample[]>,
    nowMs: number,
  ): Found | undefined {
    const { is, than, isSum } = condition
    const found = this.compared(condition, samples, nowMs)
    const all = isSum && found.length > 0 ? [summed(found)] : found
    const sorted = [...all].sort((a, b) => (is === '<' ? a.value - b.value : b.value - a.value))
    return sorted.find(({ value }) =>
      is === '>' ? value > than : is === '<' ? value < than : value === than,
    )
  }

  private compared(
    condition: Condition,
    samples: ReadonlyMap<string, readonly Sample[]>,
    nowMs: number,
  ): readonly Found[] {
    const { as, spanSeconds, of } = condition
    const values = new Map(
      of.flatMap((metric) => seriesOf(metric, as, samples).map((it) => [keyOf(metric, it), it])),
    )
    if (as === 'value') return [...values.values()]
    const readings = this.readings.get(condition) ?? []
    this.readings.set(condition, readings)
    readings.push({ atMs: nowMs, values })
    while (nowMs - readings[0]!.atMs > 1_000 * spanSeconds) readings.shift()
    const [first] = readings
    const seconds = (nowMs - first!.atMs) / 1_000
    if (seconds === 0) return []
    const added = [...values].flatMap(([key, { labels, value }]) => {
      const before = first!.values.get(key)
      return before === undefined ? [] : [{ labels, value: Math.max(0, value - before.value) }]
    })
    if (as === 'p99') return quantileOf(added)
    return as === 'increase' ? added : added.map((it) => ({ ...it, value: it.value / seconds }))
  }
}

/** Returns the series of a metric: of a histogram its buckets for a quantile, or those with the metric's suffix. */
function seriesOf(
  metric: string,
  as: Condition['as'],
  samples: ReadonlyMap<string, readonly Sample[]>,
): readonly Found[] {
  const [wanted] = as === 'p99' ? ['_bucket'] : (HISTOGRAM_SUFFIX.exec(metric) ?? [''])
  const all = samples.get(familyOf(metric)) ?? []
  return all.filter(({ suffix = '' }) => suffix === wanted)
}

const keyOf = (metric: string, { labels }: Found): string => `${metric}${JSON.stringify(labels)}`

const summed = (all: readonly Found[]): Found => ({
  labels: {},
  value: all.reduce((sum, { value }) => sum + value, 0),
})

/** Returns the least bound of cumulative buckets that 99 of 100 values do not exceed; nothing without values. */
function quantileOf(buckets: readonly Found[]): readonly Found[] {
  const total = Math.max(0, ...buckets.map(({ value }) => value))
  const bounds = buckets
    .filter(({ value }) => value >= 0.99 * total)
    .map(({ labels }) => Number(String(labels.le).replace('+Inf', 'Infinity')))
  return total === 0 ? [] : [{ labels: {}, value: Math.min(...bounds) }]
}

const VALUES: Readonly<Record<string, (value: number) => string>> = {
  value: String,
  count: (value) => String(Number(value.toPrecision(3))),
  share: (value) => `${Number((100 * value).toPrecision(3))} %`,
  duration: (value) => {
    if (value >= 172_800) return `${Math.floor(value / 86_400)} days`
    return value >= 7_200
      ? `${Math.floor(value / 3_600)} hours`
      : `${Number(value.toPrecision(3))} s`
  },
}

const textOf = (text: string, { labels, value }: Found): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => VALUES[name]?.(value) ?? String(labels[name]))
