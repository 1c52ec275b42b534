/**
 * The share of a load that one thread carries: its rate, its connections, its actors with orders of their
 * own, and the checks of those orders. A load on one thread is one share.
 */
import { performance } from 'node:perf_hooks'
import { type Market, marketOf, type SymbolInfo } from '../../src/liquidity/market.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { Cast } from './cast.ts'
import type { OrderCounts } from './checks/order-check.ts'
import { cleanUp } from './clean-up.ts'
import type { Shown } from './display.ts'
import { Driver } from './driver.ts'
import { readKeys } from './keys.ts'
import { LimitGate } from './limit-gate.ts'
import { Measure, type MeasureState } from './measure.ts'
import type { Options } from './options.ts'
import type { ReportParts } from './report.ts'
import { Schedule, type Step } from './schedule.ts'
import { Target } from './target.ts'
import type { WatchPlan } from './watch.ts'
import { WatchThread } from './watch-thread.ts'

/** Can be sent to a thread. */
export interface SharePlan extends WatchPlan {
  readonly beganMs: number
  /** Which share it is, from 0. */
  readonly index: number
}

/** What came of a share so far. */
export type ShareState = Omit<
  ReportParts,
  'title' | 'options' | 'symbols' | 'beganMs' | 'measure' | 'warmUp'
> & { readonly measure: MeasureState; readonly warmUp: MeasureState }

export interface RunningShare {
  state(): Promise<ShareState>
  /** Ends it now; `ended` then resolves as at its end. */
  abort(): void
  /** Resolves when its orders are canceled and everything is compared. Rejects with UsageError. */
  readonly ended: Promise<ShareState>
}

/** Plans of equal shares. Streams are read by the first one. */
export function plansOf(plan: Omit<SharePlan, 'index'>): SharePlan[] {
  const { options, scenario } = plan
  const { threads, steps, connections, inFlightMax, seed } = options
  return Array.from({ length: threads }, (_, index) => ({
    ...plan,
    index,
    scenario: index === 0 ? scenario : { ...scenario, subscribers: [] },
    options: {
      ...options,
      steps: steps.map((step) => ({ ...step, perSecond: step.perSecond / threads })),
      connections: Math.ceil(connections / threads),
      inFlightMax: Math.ceil(inFlightMax / threads),
      seed: seed + 1_000_000 * index,
    },
  }))
}

/** Carries a share on this thread. `shown` is called a few times a second. */
export async function beginShare(
  plan: SharePlan,
  shown: (shown: Shown) => void,
): Promise<RunningShare> {
  const { options } = plan
  const target = new Target(options.url, options.connections, options.timeoutMs)
  try {
    await target.readClock()
    const markets = await readMarkets(target, plan.symbols)
    return await Share.begin(plan, target, markets, shown)
  } catch (error) {
    await target.close()
    throw error
  }
}

class Share implements RunningShare {
  readonly ended: Promise<ShareState>
  private readonly target: Target
  private readonly watch: WatchThread
  private readonly cast: Cast
  private readonly options: Options
  private readonly shown: (shown: Shown) => void
  private readonly warmUp: Measure
  private readonly measure: Measure
  private readonly gate = new LimitGate()
  /** The warm-up's, then the measured one. */
  private driver: Driver
  private isAborted = false
  private idle = performance.eventLoopUtilization()
  private warmUpOrders: OrderCounts | undefined = undefined
  /** Set once the load is over. */
  private elapsedMs: number | undefined = undefined
  private busyShare = 0
  private leftOpen = 0

  private constructor(
    { options }: SharePlan,
    target: Target,
    watch: WatchThread,
    cast: Cast,
    shown: (shown: Shown) => void,
  ) {
    this.options = options
    this.target = target
    this.watch = watch
    this.cast = cast
    this.shown = shown
    const warmUp = new Schedule(warmUpSteps(options))
    this.warmUp = new Measure(warmUp.endMs)
    this.measure = new Measure(new Schedule(options.steps).endMs)
    this.driver = this.driverOf(warmUp, this.warmUp, 0)
    this.ended = this.run()
  }

  static async begin(
    plan: SharePlan,
    target: Target,
    markets: readonly Market[],
    shown: (shown: Shown) => void,
  ): Promise<Share> {
    const { options, scenario, beganMs, index } = plan
    const keys = readKeys(options.keys, plan.keysText)
    let cast: Cast | undefined
    const watch = await WatchThread.open(plan, (account, report) =>
      cast?.ordersOf(account)?.report(report),
    )
    try {
      const places = markets.map((market) => watch.place(market))
      const prefix = `l${beganMs.toString(36)}-${index}-`
      cast = new Cast(scenario.actors, keys, places, watch.orders, prefix, options.seed)
      return new Share(plan, target, watch, cast, shown)
    } catch (error) {
      await watch.close()
      throw error
    }
  }

  abort(): void {
    this.isAborted = true
    this.driver.abort()
  }

  async state(): Promise<ShareState> {
    const { checks, orders, streams, usage, requests } = await this.watch.state()
    return {
      elapsedMs: this.elapsedMs ?? this.driver.elapsedMs,
      warmUp: this.warmUp.state(),
      measure: this.measure.state(),
      checks,
      orders: without(orders, this.warmUpOrders),
      leftOpen: this.leftOpen,
      steps: this.isWarm ? this.driver.steps : [],
      limits: this.gate.report(),
      usage: [...this.target.usage, ...usage],
      streams,
      sentInAll: this.target.requests + requests,
      busyShare: this.busyNow(),
    }
  }

  private async run(): Promise<ShareState> {
    try {
      await this.driver.run()
      this.warmUpOrders = (await this.watch.state()).orders
      this.idle = performance.eventLoopUtilization()
      const schedule = new Schedule(this.options.steps)
      this.driver = this.driverOf(schedule, this.measure, 1_000 * this.options.warmUpSeconds)
      if (this.isAborted) this.driver.abort()
      const elapsedMs = await this.driver.run()
      this.busyShare = this.busyNow()
      this.elapsedMs = elapsedMs
      this.leftOpen = await cleanUp(this.cast.accountOrders, this.target)
      await this.watch.end()
      return await this.state()
    } finally {
      await this.watch.close()
      await this.target.close()
    }
  }

  private get isWarm(): boolean {
    return this.warmUpOrders !== undefined
  }

  /** `beforeMs` is how long the load has lasted when the driver begins. */
  private driverOf(schedule: Schedule, measure: Measure, beforeMs: number): Driver {
    const { options, gate, target, cast } = this
    return new Driver({
      ...options,
      isRamp: options.isRamp && measure === this.measure,
      schedule,
      measure,
      gate,
      target,
      pick: () => cast.pick(),
      shown: (elapsedMs) => this.shown({ elapsedMs: beforeMs + elapsedMs, ...measure.shown() }),
    })
  }

  /** How much of a processor the load took of this thread. */
  private busyNow(): number {
    if (this.elapsedMs !== undefined) return this.busyShare
    return performance.eventLoopUtilization(this.idle).utilization
  }
}

/** The first rate, before the steps that are measured. */
export const warmUpSteps = ({
  steps,
  warmUpSeconds,
}: Pick<Options, 'steps' | 'warmUpSeconds'>): readonly Step[] => [
  { perSecond: steps[0]!.perSecond, seconds: warmUpSeconds },
]

/** The orders of a load less those of its warm-up; all while that is going on. */
function without(all: OrderCounts, before: OrderCounts | undefined): OrderCounts {
  const names = Object.keys(all) as (keyof OrderCounts)[]
  const rest = names.map((name) => [name, all[name] - (before?.[name] ?? 0)])
  return Object.fromEntries(rest) as Record<keyof OrderCounts, number>
}

async function readMarkets(target: Target, symbols: readonly string[]): Promise<readonly Market[]> {
  const info = await target.ask<{ symbols: readonly SymbolInfo[] }>('/api/v3/exchangeInfo', {
    params: { symbols: JSON.stringify(symbols) },
  })
  return symbols.map((symbol) => {
    const row = info.symbols.find((it) => it.symbol === symbol)
    const market = row === undefined ? undefined : marketOf(row)
    if (market?.isTrading === true) return market
    throw new UsageError(`The target does not trade ${symbol}.`)
  })
}
