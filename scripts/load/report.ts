/** What a load came to: the shape of `report.json`. Latencies are microseconds from when due, `service` from when sent. */
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
    | 'warmUpSeconds'
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
  /** Response time. */
  readonly latency: Latency
  readonly service: Latency
  /** Before the load, and in none of its figures. Checks are of both. */
  readonly warmUp: {
    readonly seconds: number
    readonly requests: number
    readonly latency: Latency
    readonly lateness: Latency
  }
  readonly percentiles: readonly PercentilePoint[]
  readonly actions: readonly ActionMeasure[]
  readonly intervals: readonly Interval[]
  readonly steps: readonly StepResult[]
  /** The highest rate that a ramp held, and the first that it did not, per second; 0 for none. */
  readonly held: number
  readonly notHeld: number
  readonly limits: LimitReport & { readonly usage: readonly UsageSeen[] }
  readonly streams: StreamMeasure
  readonly generator: {
    /** By how much its threads were late. */
    readonly lateness: Latency
    /** How long requests then waited for a free connection. */
    readonly queued: Latency
    /** How much of a processor its busiest thread took. */
    readonly busyShare: number
  }
}

export interface ReportParts {
  readonly title: string
  readonly options: Options
  readonly symbols: readonly string[]
  readonly beganMs: number
  readonly elapsedMs: number
  readonly warmUp: Measure
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
  const { options, warmUp, measure, elapsedMs, steps, checks } = parts
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
      warmUpSeconds: options.warmUpSeconds,
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
    service: measure.service(),
    warmUp: {
      seconds: options.warmUpSeconds,
      requests: warmUp.counts().due,
      latency: warmUp.total(),
      lateness: warmUp.lateness(),
    },
    percentiles: measure.percentiles(),
    actions: measure.actions(),
    intervals: measure.intervals(),
    steps,
    held: heldRate,
    notHeld: notHeld?.perSecond ?? 0,
    limits: { ...parts.limits, usage: parts.usage },
    streams: parts.streams,
    generator: {
      lateness: measure.lateness(),
      queued: measure.queued(),
      busyShare: round(parts.busyShare),
    },
  }
}

const round = (value: number): number => Math.round(value * 100) / 100
