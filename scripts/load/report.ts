/** What a load came to: the shape of `report.json`. Latencies are microseconds from when due. */
import type { CheckResult } from './checks/findings.ts'
import type { OrderCounts } from './checks/order-check.ts'
import type { StepResult } from './driver.ts'
import type { LimitReport } from './limit-gate.ts'
import type {
  ActionMeasure,
  Interval,
  Latency,
  Measure,
  OutcomeKind,
  PercentilePoint,
} from './measure.ts'
import type { Options } from './options.ts'
import type { UsageSeen } from './target.ts'
import { judge, type ThresholdResult } from './thresholds.ts'
import type { StreamMeasure } from './watch.ts'

export interface LoadReport {
  readonly version: 1
  readonly title: string
  readonly target: string
  /** ISO 8601. */
  readonly began: string
  readonly seconds: number
  readonly settings: Pick<
    Options,
    | 'scenario'
    | 'steps'
    | 'isRamp'
    | 'seed'
    | 'connections'
    | 'threads'
    | 'honorsLimits'
    | 'timeoutMs'
  > & { readonly symbols: readonly string[] }
  /** Whether every check holds. */
  readonly isSound: boolean
  readonly checks: readonly CheckResult[]
  /** Conditions of --fail-if. */
  readonly thresholds: readonly ThresholdResult[]
  readonly requests: Readonly<Record<OutcomeKind | 'due', number>> & {
    /** Arrivals for which nothing was sent. */
    readonly withheld: number
    /** Responses to the load's requests, each second. */
    readonly perSecond: number
    /** All that were ever sent to the target, those before and after the load too. */
    readonly sentInAll: number
  }
  /** By the user data streams. */
  readonly orders: OrderCounts & { readonly leftOpen: number }
  readonly latency: Latency
  readonly percentiles: readonly PercentilePoint[]
  readonly actions: readonly ActionMeasure[]
  readonly intervals: readonly Interval[]
  readonly steps: readonly StepResult[]
  /** Of a ramp: the highest rate that was held, and the first that was not; 0 for none. */
  readonly held: number
  readonly notHeld: number
  readonly limits: LimitReport & { readonly usage: readonly UsageSeen[] }
  readonly streams: StreamMeasure
  /** How late requests were sent, and how much of a processor its busiest thread took. */
  readonly generator: { readonly lateness: Latency; readonly busyShare: number }
}

export interface ReportParts {
  readonly title: string
  readonly options: Options
  readonly symbols: readonly string[]
  readonly beganMs: number
  readonly elapsedMs: number
  readonly measure: Measure
  readonly checks: readonly CheckResult[]
  readonly orders: OrderCounts
  readonly leftOpen: number
  readonly steps: readonly StepResult[]
  readonly limits: LimitReport
  readonly usage: readonly UsageSeen[]
  readonly streams: StreamMeasure
  readonly sentInAll: number
  readonly busyShare: number
}

export function reportOf(parts: ReportParts): LoadReport {
  const { options, measure, elapsedMs, steps, checks } = parts
  const { scenario, isRamp, seed, connections, threads, honorsLimits, timeoutMs } = options
  const counts = measure.counts()
  const held = steps.filter(({ isHeld }) => isHeld)
  const notHeld = steps.find(({ isHeld }) => !isHeld)
  const done = counts.due - measure.inFlight
  const latency = measure.total()
  const requests = {
    ...counts,
    withheld: measure.withheldCount,
    perSecond: round(done / (elapsedMs / 1000)),
    sentInAll: parts.sentInAll,
  }
  const heldRate = held.at(-1)?.perSecond ?? 0
  const reading = { latency, requests, held: heldRate }
  return {
    version: 1,
    title: parts.title,
    target: options.url,
    began: new Date(parts.beganMs).toISOString(),
    seconds: round(elapsedMs / 1000),
    settings: {
      scenario,
      symbols: parts.symbols,
      steps: options.steps,
      isRamp,
      seed,
      connections,
      threads,
      honorsLimits,
      timeoutMs,
    },
    isSound: checks.every(({ failed }) => failed === 0),
    checks,
    thresholds: options.thresholds.map((threshold) => judge(threshold, reading)),
    requests,
    orders: { ...parts.orders, leftOpen: parts.leftOpen },
    latency,
    percentiles: measure.percentiles(),
    actions: measure.actions(),
    intervals: measure.intervals(),
    steps,
    held: heldRate,
    notHeld: notHeld?.perSecond ?? 0,
    limits: { ...parts.limits, usage: parts.usage },
    streams: parts.streams,
    generator: { lateness: measure.lateness(), busyShare: round(parts.busyShare) },
  }
}

const round = (value: number): number => Math.round(value * 100) / 100
