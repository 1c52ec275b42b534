/** One load: its connections, its actors with orders of their own, and the checks of those orders. */
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
import { Measure } from './measure.ts'
import type { Options } from './options.ts'
import type { ReportParts } from './report.ts'
import { Schedule, type Step } from './schedule.ts'
import { Target, type UsageSeen } from './target.ts'
import type { WatchPlan } from './watch.ts'
import { WatchThread } from './watch-thread.ts'

export interface LoadPlan extends WatchPlan {
  readonly beganMs: number
}

type Came = Omit<ReportParts, 'title' | 'options' | 'symbols' | 'beganMs'>

export class Load {
  /** Resolves when its orders are canceled and everything is compared. Rejects with UsageError. */
  readonly ended: Promise<Came>
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

  private constructor(
    { options }: LoadPlan,
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

  /** Resolves once it sends. `shown` is called a few times a second. Rejects with UsageError. */
  static async begin(plan: LoadPlan, shown: (shown: Shown) => void): Promise<Load> {
    const { options, scenario, beganMs } = plan
    const keys = readKeys(options.keys, plan.keysText)
    const target = new Target(options.url, options.connections, options.timeoutMs)
    let cast: Cast | undefined
    let watch: WatchThread | undefined
    try {
      await target.readClock()
      const markets = await readMarkets(target, plan.symbols)
      const opened = await WatchThread.open(plan, (account, report) =>
        cast?.ordersOf(account)?.report(report),
      )
      watch = opened
      const places = markets.map((market) => opened.place(market))
      const prefix = `l${beganMs.toString(36)}-`
      cast = new Cast(scenario.actors, keys, places, opened.orders, prefix, options.seed)
      return new Load(plan, target, opened, cast, shown)
    } catch (error) {
      await watch?.close()
      await target.close()
      throw error
    }
  }

  /** Ends it now; `ended` then resolves as at its end. */
  abort(): void {
    this.isAborted = true
    this.driver.abort()
  }

  private async run(): Promise<Came> {
    const { warmUp, measure } = this
    try {
      await this.driver.run()
      const warmUpOrders = (await this.watch.state()).orders
      const idle = performance.eventLoopUtilization()
      const schedule = new Schedule(this.options.steps)
      this.driver = this.driverOf(schedule, measure, 1_000 * this.options.warmUpSeconds)
      if (this.isAborted) this.driver.abort()
      const elapsedMs = await this.driver.run()
      const busyShare = performance.eventLoopUtilization(idle).utilization
      const leftOpen = await cleanUp(this.cast.accountOrders, this.target)
      const { checks, orders, streams, usage, requests } = await this.watch.end()
      return {
        elapsedMs,
        warmUp,
        measure,
        checks,
        orders: without(orders, warmUpOrders),
        leftOpen,
        steps: this.driver.steps,
        limits: this.gate.report(),
        usage: mostOf([...this.target.usage, ...usage]),
        streams,
        sentInAll: this.target.requests + requests,
        busyShare,
      }
    } finally {
      await this.watch.close()
      await this.target.close()
    }
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
}

/** The first rate, before the steps that are measured. */
const warmUpSteps = ({
  steps,
  warmUpSeconds,
}: Pick<Options, 'steps' | 'warmUpSeconds'>): readonly Step[] => [
  { perSecond: steps[0]!.perSecond, seconds: warmUpSeconds },
]

/** The orders of a load less those of its warm-up. */
function without(all: OrderCounts, before: OrderCounts): OrderCounts {
  const names = Object.keys(all) as (keyof OrderCounts)[]
  const rest = names.map((name) => [name, all[name] - before[name]])
  return Object.fromEntries(rest) as Record<keyof OrderCounts, number>
}

/** The largest count of each header. */
function mostOf(rows: readonly UsageSeen[]): UsageSeen[] {
  const most = new Map<string, number>()
  for (const row of rows) most.set(row.header, Math.max(row.most, most.get(row.header) ?? 0))
  return [...most].map(([header, value]) => ({ header, most: value }))
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
