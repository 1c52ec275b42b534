/**
 * The last ten minutes in samples, one a second. A sample holds what happened between two readings: rates
 * of totals, buckets of histograms, and the gauges of the second. Those before the page was opened are of what the
 * exchange kept: a few series, and neither histograms nor counts by key, symbol or thread.
 */
import type { Figures } from '../../admin-api/readings.ts'
import type { History } from './figures.ts'
import { sumOf, sumOfSymbols } from './figures.ts'

export const SAMPLES_MAX = 600
/** Quantiles of the time of a flush: the shares of flushes that took no longer. */
export const FLUSH_SHARES = { p50: 0.5, p99: 0.99, max: 1 } as const
type FlushTimes = Readonly<Record<keyof typeof FLUSH_SHARES, number | undefined>>

/** Counts of a histogram's buckets. */
export interface Buckets {
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
}

export interface Sample {
  /** Seconds since 1970. */
  readonly time: number
  /** Whether the exchange kept it, and the page was not there. */
  readonly isKept: boolean
  /** A second. */
  readonly orders: number
  readonly trades: number
  readonly requests: number
  readonly refused: number
  /** ns. */
  readonly flush: FlushTimes
  /** Shares of the second, of the busiest thread. */
  readonly matcherBusiest: number
  readonly gatewayBusiest: number
  /** Share of the slots, of the fullest ring. */
  readonly ringFullest: number
  /** By symbol id, a second. */
  readonly ordersOf: readonly number[]
  readonly tradesOf: readonly number[]
  readonly refusalsOf: readonly number[]
  /** A second, by status and code. */
  readonly answers: ReadonlyMap<string, number>
  readonly refusals: ReadonlyMap<string, number>
  readonly histograms: ReadonlyMap<string, Buckets>
  /** Shares of the second. */
  readonly matchersBusy: readonly number[]
  readonly gatewaysBusy: readonly number[]
  /** Shares of the slots, the fullest ring of each matcher. */
  readonly ringFill: readonly number[]
  readonly eventBytesWaiting: number
  readonly archiveLag: number
  readonly checkpointerLag: number
  readonly connections: number
  readonly slowClosed: number
  readonly residentBytes: number
  readonly gatewayHeapBytes: number
}

const NS_PER_MS = 1e6

export class FigureHistory {
  private _samples: Sample[] = []
  private last: Figures | undefined = undefined

  /** The oldest first. */
  get samples(): readonly Sample[] {
    return this._samples
  }

  /** Forgets everything: a reading of another start began. */
  clear(): void {
    this._samples = []
    this.last = undefined
  }

  /** Puts what the exchange kept before the samples that there are. */
  begin(history: History): void {
    const first = this._samples[0]?.time ?? Number.POSITIVE_INFINITY
    const kept = keptSamples(history).filter(({ time }) => time < first)
    this._samples = [...kept, ...this._samples].slice(-SAMPLES_MAX)
  }

  add(figures: Figures): void {
    const before = this.last
    if (before !== undefined && figures.uptimeSeconds < before.uptimeSeconds) this.clear()
    else if (before !== undefined && figures.uptimeSeconds > before.uptimeSeconds) {
      this._samples = [...this._samples.slice(1 - SAMPLES_MAX), sampleOf(before, figures)]
    }
    this.last = figures
  }
}

/** Returns a sample for each point with any value. */
export function keptSamples({ beginMs, stepMs, series }: History): readonly Sample[] {
  const points = series.orders?.length ?? 0
  return Array.from({ length: points }, (_, at) => {
    const value = (name: string) => series[name]?.[at] ?? undefined
    const number = (name: string) => value(name) ?? Number.NaN
    return {
      time: (beginMs + at * stepMs) / 1_000,
      isKept: true,
      orders: number('orders'),
      trades: number('trades'),
      requests: number('requests'),
      refused: number('refused'),
      slowClosed: number('slowClosed'),
      flush: { p50: value('flushP50'), p99: value('flushP99'), max: value('flushMax') },
      matcherBusiest: number('matcherBusiest'),
      gatewayBusiest: number('gatewayBusiest'),
      ringFullest: number('ringFullest'),
      archiveLag: number('archiveLag'),
      checkpointerLag: number('checkpointerLag'),
      connections: number('connections'),
      residentBytes: number('residentBytes'),
      gatewayHeapBytes: number('gatewayHeapBytes'),
      eventBytesWaiting: Number.NaN,
      ordersOf: [],
      tradesOf: [],
      refusalsOf: [],
      matchersBusy: [],
      gatewaysBusy: [],
      ringFill: [],
      answers: new Map(),
      refusals: new Map(),
      histograms: new Map(),
    }
  })
}

function sampleOf(before: Figures, now: Figures): Sample {
  const seconds = now.uptimeSeconds - before.uptimeSeconds
  const rate = (after: number, earlier: number) => Math.max(0, after - earlier) / seconds
  const rates = (after: readonly number[] = [], earlier: readonly number[] = []) =>
    after.map((value, index) => rate(value, earlier[index] ?? 0))
  const total = (name: string) => rate(sumOfSymbols(now, name), sumOfSymbols(before, name))
  const ofGateways = (name: string) => rate(sumOf(now.gateways, name), sumOf(before.gateways, name))
  const { counters } = now.symbols
  const refusals = ratesByKey(now.refusals, before.refusals, rate)
  const histograms = bucketsBetween(before, now)
  const busy = busyShares(before, now)
  const rings = ringFill(now)
  return {
    isKept: false,
    time: now.timeMs / 1_000,
    orders: total('orders'),
    trades: total('trades'),
    requests: ofGateways('requests'),
    ordersOf: rates(counters.orders, before.symbols.counters.orders),
    tradesOf: rates(counters.trades, before.symbols.counters.trades),
    refusalsOf: rates(now.symbols.refusals, before.symbols.refusals),
    answers: ratesByKey(now.answers, before.answers, rate),
    refusals,
    refused: [...refusals.values()].reduce((sum, each) => sum + each, 0),
    histograms,
    flush: flushTimes(histograms.get('flush')),
    ...busy,
    matcherBusiest: Math.max(0, ...busy.matchersBusy),
    gatewayBusiest: Math.max(0, ...busy.gatewaysBusy),
    ringFill: rings,
    ringFullest: Math.max(0, ...rings),
    eventBytesWaiting: sumOf(now.gateways, 'eventBytesWaiting'),
    archiveLag: lagOf(now, 'archived'),
    checkpointerLag: lagOf(now, 'checkpointed'),
    connections: sumOf(now.gateways, 'connections'),
    slowClosed: ofGateways('slowClientsClosed'),
    residentBytes: now.process.residentBytes,
    gatewayHeapBytes: sumOf(now.gateways, 'heapBytes'),
  }
}

type Counted = readonly (readonly [key: number, count: number, ...rest: unknown[]])[]

function ratesByKey(
  now: Counted,
  before: Counted,
  rate: (after: number, earlier: number) => number,
): Map<string, number> {
  const earlier = new Map(before.map(([key, count]) => [key, count]))
  return new Map(now.map(([key, count]) => [String(key), rate(count, earlier.get(key) ?? 0)]))
}

function bucketsBetween(before: Figures, now: Figures): Map<string, Buckets> {
  return new Map(
    now.histograms.map(({ name, bounds, counts }, index) => {
      const earlier = before.histograms[index]?.counts ?? []
      return [
        name,
        { bounds, counts: counts.map((count, at) => Math.max(0, count - (earlier[at] ?? 0))) },
      ]
    }),
  )
}

const flushTimes = (flushes: Buckets | undefined): FlushTimes => {
  const within = (share: number) => (flushes === undefined ? undefined : quantile(flushes, share))
  const { p50, p99, max } = FLUSH_SHARES
  return { p50: within(p50), p99: within(p99), max: within(max) }
}

function busyShares(before: Figures, now: Figures) {
  const elapsedMs = 1_000 * (now.uptimeSeconds - before.uptimeSeconds)
  const share = (busy: number) => Math.min(1, Math.max(0, busy))
  return {
    matchersBusy: now.matchers.map(({ idleNs = 0 }, index) => {
      const idleMs = (idleNs - (before.matchers[index]?.idleNs ?? 0)) / NS_PER_MS
      return share(1 - idleMs / elapsedMs)
    }),
    gatewaysBusy: now.gatewayLoops.map(({ activeMs, idleMs }, index) => {
      const earlier = before.gatewayLoops[index] ?? { activeMs: 0, idleMs: 0 }
      const active = activeMs - earlier.activeMs
      return share(active / Math.max(1, active + idleMs - earlier.idleMs))
    }),
  }
}

function ringFill({ rings, matchers }: Figures): number[] {
  return matchers.map((_, matcher) =>
    Math.max(
      0,
      ...rings.filter((ring) => ring.matcher === matcher).map((it) => it.taken / it.slots),
    ),
  )
}

const lagOf = ({ journals }: Figures, reached: 'archived' | 'checkpointed'): number =>
  journals.reduce((sum, journal) => sum + Math.max(0, journal.published - journal[reached]), 0)

/** Returns the bound below which this share of the values lies; undefined without values. */
export function quantile({ bounds, counts }: Buckets, share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let reached = 0
  for (const [bucket, count] of counts.entries()) {
    reached += count
    if (reached >= share * total) return bounds[bucket] ?? bounds.at(-1)
  }
  return bounds.at(-1)
}

/** Adds counts of buckets up. */
export function together(all: readonly Buckets[]): Buckets {
  const { bounds, counts } = all[0]!
  return { bounds, counts: counts.map((_, at) => all.reduce((sum, it) => sum + it.counts[at]!, 0)) }
}
