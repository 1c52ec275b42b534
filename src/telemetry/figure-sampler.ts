/** Reads one second of the series that are kept (kept-figures.ts) from shared memory. Delays no thread. */
import { elapsedMs, type Time } from '../base/time.ts'
import type { WalCells } from '../journal/wal-cells.ts'
import { commandRingUse } from '../ring/command-ring.ts'
import { counterColumn } from '../shared/counters.ts'
import type { DiskCells } from '../shared/disk.ts'
import { type HistogramReading, quantileOf, readHistograms } from '../shared/histograms.ts'
import { OutcomeReader } from '../shared/outcomes.ts'
import type { KeptValues } from './kept-figures.ts'

export interface SamplerParts {
  readonly time: Pick<Time, 'elapsedNs'>
  readonly matchers: number
  readonly gateways: number
  readonly symbols: () => number
  readonly counters: SharedArrayBuffer
  readonly histograms: SharedArrayBuffer
  readonly outcomes: SharedArrayBuffer
  /** Every code of a refusal. */
  readonly codes: readonly number[]
  /** By gateway, then matcher. */
  readonly commandRings: readonly (readonly SharedArrayBuffer[])[]
  readonly published: BigInt64Array
  readonly archived: BigInt64Array
  readonly wals: readonly WalCells[]
  readonly disk: Pick<DiskCells, 'read'>
  readonly gatewayLoops: () => readonly { readonly activeMs: number; readonly idleMs: number }[]
}

/** Totals since the start. */
interface Totals {
  readonly atMs: number
  readonly orders: number
  readonly trades: number
  readonly requests: number
  readonly refused: number
  readonly slowClosed: number
  readonly cpuMs: number
  readonly idleNs: readonly number[]
  readonly loops: readonly { readonly activeMs: number; readonly idleMs: number }[]
  readonly histograms: ReadonlyMap<string, HistogramReading>
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const most = (values: readonly number[]): number => Math.max(0, ...values)
const share = (value: number): number => Math.min(1, Math.max(0, value))

export class FigureSampler {
  private readonly parts: SamplerParts
  private readonly outcomes: OutcomeReader
  private before: Totals

  constructor(parts: SamplerParts) {
    this.parts = parts
    this.outcomes = new OutcomeReader(parts.outcomes, parts.gateways)
    this.before = this.totals()
  }

  /** Returns what happened since the last call, and how things are now. */
  read(): KeptValues {
    const before = this.before
    const now = this.totals()
    this.before = now
    const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1_000)
    const rate = (name: 'orders' | 'trades' | 'requests' | 'refused' | 'slowClosed') =>
      Math.max(0, now[name] - before[name]) / seconds
    return {
      orders: rate('orders'),
      trades: rate('trades'),
      requests: rate('requests'),
      refused: rate('refused'),
      slowClosed: rate('slowClosed'),
      processors: (now.cpuMs - before.cpuMs) / 1_000 / seconds,
      ...this.quantiles(before, now),
      ...busiest(before, now, seconds),
      ...this.gauges(),
    }
  }

  private totals(): Totals {
    const { time, matchers, codes, histograms, gateways, gatewayLoops } = this.parts
    const { user, system } = process.cpuUsage()
    return {
      atMs: elapsedMs(time),
      orders: sum(this.ofSymbols('orders')),
      trades: sum(this.ofSymbols('trades')),
      requests: sum(this.ofGateways('requests')),
      refused: sum(codes.map((code) => this.outcomes.refusals(code))),
      slowClosed: sum(this.ofGateways('slowClientsClosed')),
      cpuMs: (user + system) / 1_000,
      idleNs: counterColumn(this.parts.counters, 'matcher', 'idleNs', matchers),
      loops: gatewayLoops(),
      histograms: new Map(
        readHistograms(histograms, matchers, gateways).map((it) => [it.name, it]),
      ),
    }
  }

  private quantiles(before: Totals, now: Totals) {
    const between = (name: string) => {
      const { bounds, counts } = now.histograms.get(name)!
      const earlier = before.histograms.get(name)!.counts
      const added = counts.map((count, at) => Math.max(0, count - earlier[at]!))
      return (share: number) => quantileOf({ bounds, counts: added }, share) ?? Number.NaN
    }
    const [order, flush] = [between('order'), between('flush')]
    return {
      orderP50: order(0.5),
      orderP99: order(0.99),
      flushP50: flush(0.5),
      flushP99: flush(0.99),
      flushMax: flush(1),
    }
  }

  private gauges() {
    const { counters, matchers, commandRings, published, archived, wals, disk } = this.parts
    const { freeBytes, storeBytes } = disk.read()
    const fills = commandRings.flat().map((ring) => {
      const { taken, slots } = commandRingUse(ring)
      return taken / slots
    })
    // The archive first: it never passes a position that is published later.
    const behind = wals.map((_, at) => Atomics.load(archived, at))
    const lags = behind.map((reached, at) => Number(Atomics.load(published, at) - reached))
    return {
      openOrders: sum(this.ofSymbols('restingOrders')) + sum(this.ofSymbols('waitingOrders')),
      connections: sum(this.ofGateways('connections')),
      pendingRequests: sum(this.ofGateways('pendingRequests')),
      ringFullest: most(fills),
      archiveLag: sum(lags),
      checkpointerLag: sum(wals.map(({ written, checkpointed }) => written - checkpointed)),
      residentBytes: process.memoryUsage.rss(),
      gatewayHeapBytes: sum(this.ofGateways('heapBytes')),
      diskFreeBytes: freeBytes,
      storeBytes,
      readerAgeMs: most(counterColumn(counters, 'store', 'readerAgeMs', matchers + 2)),
    }
  }

  private ofSymbols(name: string): readonly number[] {
    return counterColumn(this.parts.counters, 'symbol', name, this.parts.symbols())
  }

  private ofGateways(name: string): readonly number[] {
    return counterColumn(this.parts.counters, 'gateway', name, this.parts.gateways)
  }
}

function busiest(before: Totals, now: Totals, seconds: number) {
  const matchers = now.idleNs.map(
    (idleNs, at) => 1 - (idleNs - (before.idleNs[at] ?? 0)) / 1e9 / seconds,
  )
  const gateways = now.loops.map(({ activeMs, idleMs }, at) => {
    const earlier = before.loops[at] ?? { activeMs: 0, idleMs: 0 }
    const active = activeMs - earlier.activeMs
    return active / Math.max(1, active + idleMs - earlier.idleMs)
  })
  return { matcherBusiest: share(most(matchers)), gatewayBusiest: share(most(gateways)) }
}
