/**
 * `npm run bench -- tail [--seconds 30] [--turns 5] [--connections 64] [--in-place 1] [--port 18420]`: how
 * long the slowest of a hundred orders take at rates below capacity, durability flushed. Orders come in an
 * open loop at 2,000/s, at 8,000/s and at half of what the server does when the connections are kept busy.
 * Hello-world at the same rate and bare flushes of the same disk take turns with them: as many a second
 * as the orders' turn made, for as long. Latency counts from the time a request was due, and that of a flush
 * too: a disk that stands still for a moment delays all that are due meanwhile. The budget is twice what the
 * parts take: hello-world's p99 and the p99 of two flushes. `seconds` is the time of one turn.
 *
 * Hello-world and our gateway are kept on one processor, the generator on another, as in `wire`. With
 * `--in-place 0` our gateway runs wherever the system has it, and waits for the generator where it shares
 * its processor. The columns `cores` and `generator` tell how many processors server and generator kept
 * busy: where they are nearly all that the machine has, the tail is the wait for a processor.
 */
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable, quantile } from '../harness/report.ts'
import { measureSteadyFlushes, type SteadyFlushes } from './flush.ts'
import { type LoadOptions, load, Plans } from './load.ts'
import {
  type BenchServer,
  gatewayPlace,
  type RingbookServer,
  startHello,
  startRingbook,
} from './server.ts'
import { prepared, RESTING_ORDERS, type Used, usedBy } from './turns.ts'
import { helloPlan } from './workload.ts'

const WARMUP_SECONDS = 2
const CAPACITY_SECONDS = 5
/** Each turn begins with so much time that latencies leave out. */
const TURN_WARMUP_SECONDS = 0.5
const BUDGET = 2

export const flags = {
  seconds: 30,
  turns: 5,
  connections: 64,
  inPlace: { usual: 1, mayBeZero: true },
  port: 18_420,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

/** The names of the rates in ratios and figures. */
const RATES = ['2000', '8000', 'Half'] as const
type RateName = (typeof RATES)[number]

interface Turn {
  readonly hello: Used
  readonly ours: Used
  readonly flushes: SteadyFlushes
  readonly flushesPerSecond: number
}

export async function run(settings: Settings): Promise<BenchResult> {
  const plans = new Plans()
  const servers: BenchServer[] = []
  try {
    const hello = await startHello(settings.port)
    servers.push(hello)
    const place = settings.inPlace > 0 ? gatewayPlace() : {}
    const ours = await startRingbook(settings.port + 10, 'flushed', undefined, place)
    servers.push(ours)
    return await new TailBench(settings, plans, hello, ours).run()
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()))
    plans.remove()
  }
}

class TailBench {
  private readonly settings: Settings
  private readonly plans: Plans
  private readonly hello: BenchServer
  private readonly ours: RingbookServer
  private readonly helloPlan: string
  private tradingPlan = ''

  constructor(settings: Settings, plans: Plans, hello: BenchServer, ours: RingbookServer) {
    this.settings = settings
    this.plans = plans
    this.hello = hello
    this.ours = ours
    this.helloPlan = plans.write('hello', helloPlan())
  }

  async run(): Promise<BenchResult> {
    const capacity = await this.capacity()
    const rates: Record<RateName, number> = { 2000: 2_000, 8000: 8_000, Half: capacity / 2 }
    const turns: Record<RateName, Turn[]> = { 2000: [], 8000: [], Half: [] }
    for (let turn = 0; turn < this.settings.turns; turn++) {
      for (const name of RATES) turns[name].push(await this.turn(rates[name]))
    }
    return this.result(rates, turns)
  }

  /** Places the resting orders, warms the server up and returns the orders/s that it does when kept busy. */
  private async capacity(): Promise<number> {
    const { connections } = this.settings
    const warm = { connections, warmUp: WARMUP_SECONDS }
    this.tradingPlan = await prepared(this.ours, this.plans, warm)
    const busy = { port: this.ours.port, plan: this.tradingPlan, connections, cycle: true }
    const { rate } = await load({ ...busy, seconds: CAPACITY_SECONDS })
    return rate
  }

  private async turn(rate: number): Promise<Turn> {
    const { connections, seconds } = this.settings
    const open = { connections, rate, seconds, cycle: true, warmup: TURN_WARMUP_SECONDS }
    const hello = { ...open, port: this.hello.port, plan: this.helloPlan }
    const orders = { ...open, port: this.ours.port, plan: this.tradingPlan }
    const helloUsed = await this.used(this.hello, hello)
    const flushesBefore = await flushCount(this.ours)
    const ours = await this.used(this.ours, { ...orders, require: '"orderId":' })
    const flushCounted = (await flushCount(this.ours)) - flushesBefore
    const flushesPerSecond = flushCounted / (seconds + TURN_WARMUP_SECONDS)
    const flushes = await measureSteadyFlushes(flushesPerSecond, seconds)
    return { hello: helloUsed, ours, flushes, flushesPerSecond }
  }

  /** Measures a load. The processor time of its warm-up is taken off. */
  private async used(server: BenchServer, options: LoadOptions): Promise<Used> {
    const { report, cores, cpuUs } = await usedBy(server, () => load(options))
    const share = options.seconds / (options.seconds + TURN_WARMUP_SECONDS)
    return { report, cores: cores * share, cpuUs: cpuUs * share }
  }

  private result(
    rates: Readonly<Record<RateName, number>>,
    turns: Record<RateName, Turn[]>,
  ): BenchResult {
    const { connections } = this.settings
    const columns = ['p50', 'p99', 'p999'] as const
    const ratios: Record<string, number> = {}
    const figures: Record<string, number> = {}
    const names = [...columns.map((name) => `${name} µs`), 'budget', 'cores', 'generator']
    const rows: (string | number)[][] = [['', ...names]]
    for (const name of RATES) {
      const { ours, hello, flush, flushAlone } = timesOf(turns[name])
      const budgetUs = BUDGET * (hello.p99 + 2 * flush.p99)
      ratios[`p99At${name}OverBudget`] = ours.p99 / budgetUs
      Object.assign(figures, named(`oursAt${name}`, ours), named(`helloAt${name}`, hello))
      Object.assign(figures, named(`flushAt${name}`, flush))
      Object.assign(figures, named(`flushAloneAt${name}`, flushAlone))
      const perSecond = median(turns[name].map((turn) => turn.flushesPerSecond))
      figures[`flushesAt${name}PerSecond`] = perSecond
      figures[`rateAt${name}`] = rates[name]
      figures[`budgetAt${name}Us`] = budgetUs
      const [ourCores, helloCores] = [coresOf(turns[name], 'ours'), coresOf(turns[name], 'hello')]
      figures[`oursAt${name}Cores`] = ourCores.server
      figures[`oursAt${name}GeneratorCores`] = ourCores.generator
      figures[`oursAt${name}CpuUs`] = median(turns[name].map((turn) => turn.ours.cpuUs))
      figures[`helloAt${name}CpuUs`] = median(turns[name].map((turn) => turn.hello.cpuUs))
      const rate = `${Math.round(rates[name])}/s`
      const timesIn = (times: Times) => columns.map((column) => times[column])
      rows.push([`orders, ${rate}`, ...timesIn(ours), budgetUs, ...Object.values(ourCores)])
      rows.push([`hello-world, ${rate}`, ...timesIn(hello), '', ...Object.values(helloCores)])
      rows.push([`fdatasync, ${Math.round(perSecond)}/s`, ...timesIn(flush), '', '', ''])
    }
    printTable(`open loop on ${connections} connections, flushed; latency from due time`, rows)
    return {
      ratios,
      figures: {
        ...figures,
        ...this.settings,
        restingOrders: RESTING_ORDERS,
      },
    }
  }
}

type Times = Readonly<Record<'p50' | 'p99' | 'p999', number>>

/** The flushes of its journal that a server has made. */
async function flushCount({ port }: BenchServer): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port + 1}/metrics`)).text()
  const counts = metrics.matchAll(/^ringbook_flush_seconds_count(?:\{[^}]*\})? (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Medians of the turns, in microseconds. */
function timesOf(turns: readonly Turn[]): Record<'ours' | 'hello' | 'flush' | 'flushAlone', Times> {
  const medians = (share: (turn: Turn, name: keyof Times) => number): Times => {
    const of = (name: keyof Times) => median(turns.map((turn) => share(turn, name)))
    return { p50: of('p50'), p99: of('p99'), p999: of('p999') }
  }
  const shares = { p50: 0.5, p99: 0.99, p999: 0.999 }
  return {
    ours: medians(({ ours }, name) => ours.report.latencyUs[name]),
    hello: medians(({ hello }, name) => hello.report.latencyUs[name]),
    flush: medians(({ flushes }, name) => quantile(flushes.dueUs, shares[name])),
    flushAlone: medians(({ flushes }, name) => quantile(flushes.aloneUs, shares[name])),
  }
}

/** Processors that the server and the generator kept busy. */
function coresOf(
  turns: readonly Turn[],
  side: 'ours' | 'hello',
): { readonly server: number; readonly generator: number } {
  const loads = turns.map((turn) => turn[side])
  return {
    server: median(loads.map(({ cores }) => cores)),
    generator: median(loads.map(({ report }) => report.processorShare)),
  }
}

const named = (prefix: string, { p50, p99, p999 }: Times): Record<string, number> => ({
  [`${prefix}P50Us`]: p50,
  [`${prefix}P99Us`]: p99,
  [`${prefix}P999Us`]: p999,
})
