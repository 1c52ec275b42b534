/**
 * `npm run bench -- queries [--trades 10000000] [--asks 2000] [--pairs 60] [--seconds 1]
 * [--rate 2000] [--klines 100] [--port 18400]`: what each query of the archive takes on a long history,
 * on one thread; then how long orders take to their answer, at a fixed rate, with and without klines
 * that are asked for meanwhile, in turns. The server has traded for half a day before, so that a list
 * of klines is as long as can be asked for.
 */
import fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import { History } from '../../src/archive/history.ts'
import { Prng } from '../../src/base/prng.ts'
import { AccountId, Ms, OrderId, SymbolId } from '../../src/base/units.ts'
import { DAY_MS, HOUR_MS, Interval, MINUTE_MS } from '../../src/market/intervals.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, pairedRatio, printTable } from '../harness/report.ts'
import { drain } from '../workloads/drain.ts'
import { journalDay } from '../workloads/journaled-day.ts'
import { LongHistory, makerIdOf } from '../workloads/long-history.ts'
import { type LoadReport, load, Plans } from './load.ts'
import { startRingbook, temporaryFolder } from './server.ts'
import { klinesPlan, restingPlan, tradingPlan } from './workload.ts'

const SYMBOLS = 4
const ACCOUNTS = 8
const SPAN_MS = 30 * DAY_MS
/** What the server's journal holds of the half day before it starts. */
const STAGED_EVENTS = 300_000
const STAGED_HOURS = 12
const STAGED_BLOCK_MS = 15_000
const RESTING_ORDERS = 4000
const TRADING_ROUNDS = 2500
const ORDER_CONNECTIONS = 16
const KLINE_CONNECTIONS = 4
const WARMUP_SECONDS = 4
/** Warm-up of orders and klines together, at so many times their rates. */
const LONG_WARMUP_SECONDS = 15
const WARMUP_FACTOR = 2
/** What clients ask for when they say nothing, and at most. */
const LIMIT = 500
const LIMIT_MAX = 1000

export const flags = {
  trades: { usual: 10_000_000, mayBeZero: true },
  asks: 2000,
  pairs: 60,
  seconds: 1,
  rate: 2000,
  klines: 100,
  port: 18_400,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

interface Turn {
  readonly orders: LoadReport
  /** How many processors the server kept busy. */
  readonly cores: number
}

interface OrderTimes {
  readonly alone: readonly Turn[]
  /** Turns of orders while klines were queried. */
  readonly beside: readonly Turn[]
  readonly klines: readonly LoadReport[]
}

/** Each query's times in µs, by its name. */
type Times = ReadonlyMap<string, Float64Array>

export async function run(settings: Settings): Promise<BenchResult> {
  const times = settings.trades > 0 ? timeQueries(settings) : new Map<string, Float64Array>()
  const orders = await measureOrders(settings)
  return result(settings, times, orders)
}

/** Every query of the archive with chance arguments, each as often, in turns. */
function timeQueries({ trades, asks }: Settings): Times {
  const folder = temporaryFolder()
  try {
    const startMs = Date.now() - SPAN_MS
    const long = new LongHistory(trades, SYMBOLS, ACCOUNTS, startMs, SPAN_MS)
    long.writeJournal(folder)
    drain(folder, SYMBOLS)
    const history = new History(archiveFolder(folder))
    const queries = queriesOf(history, long)
    const times = new Map(Object.keys(queries).map((name) => [name, new Float64Array(asks)]))
    for (let ask = 0; ask < asks; ask++) {
      for (const [name, query] of Object.entries(queries)) {
        const began = performance.now()
        query()
        times.get(name)![ask] = (performance.now() - began) * 1000
      }
    }
    history.close()
    return times
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

type Queries = Readonly<Record<string, () => unknown>>

function queriesOf(history: History, long: LongHistory): Queries {
  const random = new Prng(1)
  const nowMs = Ms(long.startMs + long.spanMs)
  const chance: Chance = {
    nowMs,
    symbolId: () => SymbolId(random.below(SYMBOLS)),
    account: () => AccountId(random.between(1, ACCOUNTS)),
    tradeId: () => random.between(1, long.tradesOf(SYMBOLS - 1)),
    timeMs: () => Ms(long.startMs + Math.floor((random.below(1_000_000) / 1e6) * long.spanMs)),
  }
  return { ...marketQueries(history, chance), ...accountQueries(history, long, chance) }
}

/** What queries ask for by chance, within the history, and its end. */
interface Chance {
  readonly nowMs: Ms
  symbolId(): SymbolId
  account(): AccountId
  tradeId(): number
  timeMs(): Ms
}

function marketQueries(history: History, { nowMs, symbolId, tradeId, timeMs }: Chance): Queries {
  const klines = (interval: Interval) =>
    history.klines({ symbolId: symbolId(), interval, offsetMs: 0, limit: LIMIT_MAX, nowMs })
  return {
    'klines 1s': () => klines(Interval['1s']),
    'klines 1m': () => klines(Interval['1m']),
    'klines 1d': () => klines(Interval['1d']),
    'klines 1m from a time': () =>
      history.klines({
        symbolId: symbolId(),
        interval: Interval['1m'],
        offsetMs: 0,
        startTime: timeMs(),
        limit: LIMIT,
        nowMs,
      }),
    'window of 7 days': () => {
      const fromMs = Ms(Math.floor((nowMs - 7 * DAY_MS) / MINUTE_MS) * MINUTE_MS)
      const toMs = Ms(Math.floor(nowMs / 1000) * 1000)
      return history.window({ symbolId: symbolId(), fromMs, toMs })
    },
    historicalTrades: () =>
      history.publicTrades({ symbolId: symbolId(), fromId: tradeId(), limit: LIMIT }),
    'aggTrades of an hour': () => {
      const startTime = timeMs()
      const endTime = Ms(startTime + HOUR_MS)
      return history.aggregateTrades({ symbolId: symbolId(), startTime, endTime, limit: LIMIT })
    },
  }
}

function accountQueries(
  history: History,
  long: LongHistory,
  { nowMs, symbolId, account, tradeId, timeMs }: Chance,
): Queries {
  const own = () => ({ account: account(), symbolId: symbolId(), limit: LIMIT })
  return {
    'allOrders from a time': () => history.allOrders({ ...own(), startTime: timeMs() }),
    'myTrades from a time': () => history.myTrades({ ...own(), startTime: timeMs() }),
    'myTrades, the newest': () => history.myTrades(own()),
    'myTrades of an order': () => {
      const trade = long.tradeOf(symbolId(), tradeId())
      return history.myTrades({
        account: AccountId(trade.makerAccount),
        symbolId: SymbolId(trade.symbolId),
        orderId: OrderId(trade.makerOrderId),
        limit: LIMIT,
      })
    },
    'order by client id': () => {
      const id = tradeId()
      const trade = long.tradeOf(symbolId(), id)
      return history.order({
        account: AccountId(trade.makerAccount),
        symbolId: SymbolId(trade.symbolId),
        clientOrderId: makerIdOf(id),
      })
    },
    apiTradingStatus: () => history.tradingStatus({ account: account() }),
    'trading-volume': () => {
      const toDay = Math.floor(nowMs / DAY_MS)
      return history.tradingVolume({ account: account(), fromDay: toDay - 30, toDay })
    },
  }
}

/** A start does not wait for all that the archive is behind. */
async function archiveIsCurrent(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=500`
  for (;;) {
    const answer = await fetch(url)
    const klines: unknown = await answer.json()
    if (answer.ok && (klines as unknown[]).length === 500) return
    await delay(100)
  }
}

async function measureOrders(settings: Settings): Promise<OrderTimes> {
  const plans = new Plans()
  const server = await startRingbook(settings.port, 'flushed', (data) => {
    const startMs = Date.now() - STAGED_HOURS * HOUR_MS
    journalDay(data, STAGED_EVENTS, { startMs, blockMs: STAGED_BLOCK_MS })
  })
  try {
    const { port, accounts } = server
    const resting = plans.write('resting', restingPlan(accounts, RESTING_ORDERS))
    await load({ port, plan: resting, seconds: 60 })
    await archiveIsCurrent(port)
    const plan = plans.write('trading', tradingPlan(accounts, TRADING_ROUNDS))
    await load({ port, plan, cycle: true, seconds: WARMUP_SECONDS })
    const { rate, seconds } = settings
    const fixed = { port, cycle: true, seconds, warmup: 0.25 }
    const orders = { ...fixed, plan, connections: ORDER_CONNECTIONS, rate }
    const asked = {
      ...fixed,
      plan: plans.write('klines', klinesPlan()),
      connections: KLINE_CONNECTIONS,
      rate: settings.klines,
    }
    // What is compiled while the pairs run would be measured with them.
    await Promise.all([
      load({ ...orders, rate: rate * WARMUP_FACTOR, seconds: LONG_WARMUP_SECONDS }),
      load({ ...asked, rate: settings.klines * WARMUP_FACTOR, seconds: LONG_WARMUP_SECONDS }),
    ])
    const takeTurn = async (): Promise<Turn> => {
      const began = server.processorSeconds()
      const report = await load(orders)
      return { orders: report, cores: (server.processorSeconds() - began) / report.seconds }
    }
    const times = { alone: [] as Turn[], beside: [] as Turn[], klines: [] as LoadReport[] }
    const takeTurnBeside = async (): Promise<void> => {
      const [turn, klines] = await Promise.all([takeTurn(), load(asked)])
      times.beside.push(turn)
      times.klines.push(klines)
    }
    for (let pair = 0; pair < settings.pairs; pair++) {
      if (pair % 2 === 1) await takeTurnBeside()
      times.alone.push(await takeTurn())
      if (pair % 2 === 0) await takeTurnBeside()
    }
    return times
  } finally {
    await server.stop()
    plans.remove()
  }
}

function quantile(values: Float64Array, share: number): number {
  return values.slice().sort()[Math.min(values.length - 1, Math.floor(values.length * share))]!
}

function result(
  settings: Settings,
  times: Times,
  { alone, beside, klines }: OrderTimes,
): BenchResult {
  printTable(`${settings.trades} trades; ${settings.asks} of each query`, [
    ['query', 'p50 µs', 'p99 µs'],
    ...Array.from(times, ([name, us]) => [name, quantile(us, 0.5), quantile(us, 0.99)]),
  ])
  const of = (reports: readonly LoadReport[], at: 'p50' | 'p99') =>
    median(reports.map(({ latencyUs }) => latencyUs[at]))
  const reports = {
    alone: alone.map(({ orders }) => orders),
    beside: beside.map(({ orders }) => orders),
    klines,
  }
  const rows = Object.entries(reports).map(
    ([name, turns]) => [name, of(turns, 'p50'), of(turns, 'p99')] as const,
  )
  printTable(`${settings.rate} orders/s, flushed, with and without ${settings.klines} klines/s`, [
    ['', 'p50 µs', 'p99 µs'],
    ...rows,
  ])
  const p99sOf = (turns: readonly LoadReport[]) => turns.map(({ latencyUs }) => latencyUs.p99)
  const slowdown = pairedRatio(p99sOf(reports.beside), p99sOf(reports.alone))
  const asked = Array.from(times).flatMap(([name, us]) => [
    [`${name}, p50 µs`, quantile(us, 0.5)],
    [`${name}, p99 µs`, quantile(us, 0.99)],
  ])
  return {
    ratios: { orderP99Slowdown: slowdown.ratio },
    figures: {
      ...Object.fromEntries(asked),
      ...Object.fromEntries(rows.map(([name, , p99]) => [`${name}P99Us`, p99])),
      coresAlone: median(alone.map(({ cores }) => cores)),
      coresBeside: median(beside.map(({ cores }) => cores)),
      orderP99SlowdownLow: slowdown.low,
      orderP99SlowdownHigh: slowdown.high,
      ...settings,
    },
  }
}
