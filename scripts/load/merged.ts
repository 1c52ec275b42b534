/** Shares of a load put together, as if one thread had carried all of it. */
import { mergedChecks } from './checks/findings.ts'
import type { OrderCounts } from './checks/order-check.ts'
import type { Shown } from './display.ts'
import type { StepResult } from './driver.ts'
import type { LimitReport } from './limit-gate.ts'
import { Measure } from './measure.ts'
import type { ReportParts } from './report.ts'
import type { ShareState } from './share.ts'
import type { UsageSeen } from './target.ts'

/** At least one share. */
export function mergedParts(
  shares: readonly ShareState[],
): Omit<ReportParts, 'title' | 'options' | 'symbols' | 'beganMs'> {
  const sum = (of: (share: ShareState) => number) => shares.reduce((all, it) => all + of(it), 0)
  const most = (of: (share: ShareState) => number) => Math.max(...shares.map(of))
  const names = Object.keys(shares[0]!.orders) as (keyof OrderCounts)[]
  const orders = names.map((name) => [name, sum((share) => share.orders[name])])
  return {
    elapsedMs: most(({ elapsedMs }) => elapsedMs),
    warmUp: Measure.of(shares.map(({ warmUp }) => warmUp)),
    measure: Measure.of(shares.map(({ measure }) => measure)),
    checks: mergedChecks(shares.map(({ checks }) => checks)),
    orders: Object.fromEntries(orders) as unknown as OrderCounts,
    leftOpen: sum(({ leftOpen }) => leftOpen),
    steps: mergedSteps(shares.map(({ steps }) => steps)),
    limits: mergedLimits(shares.map(({ limits }) => limits)),
    usage: mergedUsage(shares.flatMap(({ usage }) => usage)),
    // The first share alone reads streams.
    streams: shares[0]!.streams,
    sentInAll: sum(({ sentInAll }) => sentInAll),
    busyShare: most(({ busyShare }) => busyShare),
  }
}

/** The median share's p50 and the slowest share's p99 stand for all. */
export function mergedShown(shares: readonly Shown[]): Shown {
  const sum = (of: (shown: Shown) => number) => shares.reduce((all, it) => all + of(it), 0)
  const p50s = shares.map(({ p50 }) => p50).sort((a, b) => a - b)
  return {
    elapsedMs: Math.max(...shares.map(({ elapsedMs }) => elapsedMs)),
    answered: sum(({ answered }) => answered),
    waiting: sum(({ waiting }) => waiting),
    errors: sum(({ errors }) => errors),
    p50: p50s[p50s.length >> 1]!,
    p99: Math.max(...shares.map(({ p99 }) => p99)),
  }
}

/** A step is held when every share held it; one that a share did not reach was not. */
function mergedSteps(shares: readonly (readonly StepResult[])[]): StepResult[] {
  const count = Math.max(...shares.map((steps) => steps.length))
  return Array.from({ length: count }, (_, index) => {
    const reached = shares.flatMap((steps) => steps[index] ?? [])
    const sum = (of: (step: StepResult) => number) => reached.reduce((all, it) => all + of(it), 0)
    return {
      perSecond: Math.round((sum(({ perSecond }) => perSecond) * shares.length) / reached.length),
      seconds: reached[0]!.seconds,
      inFlight: sum(({ inFlight }) => inFlight),
      withheld: sum(({ withheld }) => withheld),
      isHeld: reached.length === shares.length && reached.every(({ isHeld }) => isHeld),
    }
  })
}

function mergedLimits(reports: readonly LimitReport[]): LimitReport {
  const first = reports
    .filter(({ firstMs }) => firstMs !== undefined)
    .sort((a, b) => a.firstMs! - b.firstMs!)[0]
  return {
    refused: reports.reduce((all, { refused }) => all + refused, 0),
    banned: reports.reduce((all, { banned }) => all + banned, 0),
    firstMs: first?.firstMs,
    said: first?.said ?? '',
  }
}

function mergedUsage(rows: readonly UsageSeen[]): UsageSeen[] {
  const most = new Map<string, number>()
  for (const row of rows) most.set(row.header, Math.max(row.most, most.get(row.header) ?? 0))
  return [...most].map(([header, value]) => ({ header, most: value }))
}
