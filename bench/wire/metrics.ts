/**
 * `npm run bench -- metrics [--seconds 24] [--pairs 12] [--connections 64] [--port 18400]`: what metrics
 * cost. Two exchanges, with `--metrics on` and off, take turns under the orders of `wire`, flushed; who
 * goes first changes from pair to pair, and the one that is not measured has nothing to do. Metrics are
 * scraped when a turn begins and every 5 seconds of it. The ratio is the median of the pairs' ratios.
 */
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { type LoadReport, load, Plans } from './load.ts'
import { type RingbookServer, startRingbook } from './server.ts'
import { prepared, RESTING_ORDERS } from './turns.ts'

const WARMUP_SECONDS = 4
/** The interval in scripts/deploy/prometheus.yml. */
const SCRAPE_MS = 5_000

export const flags = {
  seconds: 24,
  pairs: 12,
  connections: 64,
  port: 18_400,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

interface Side {
  readonly server: RingbookServer
  readonly plan: string
  readonly reports: LoadReport[]
  /** By turn: processor time of the server for one order, µs. */
  readonly orderUs: number[]
}

export async function run(settings: Settings): Promise<BenchResult> {
  const plans = new Plans()
  const servers: RingbookServer[] = []
  const begin = async (port: number, metrics: 'on' | 'off'): Promise<Side> => {
    const server = await startRingbook(port, 'flushed', undefined, { metrics })
    servers.push(server)
    const { connections } = settings
    const plan = await prepared(server, plans, { connections, warmUp: WARMUP_SECONDS })
    return { server, plan, reports: [], orderUs: [] }
  }
  try {
    const on = await begin(settings.port, 'on')
    // The first scrape loads what the others use.
    await scrape(on)
    const off = await begin(settings.port + 10, 'off')
    for (let pair = 0; pair < settings.pairs; pair++) {
      const order = pair % 2 === 0 ? [on, off] : [off, on]
      for (const side of order) await turn(side, side === on, settings)
    }
    return result(settings, on, off)
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()))
    plans.remove()
  }
}

const scrape = async ({ server }: Side): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${server.port + 1}/metrics`)
  await answer.arrayBuffer()
}

async function turn(side: Side, isScraped: boolean, settings: Settings): Promise<void> {
  const { server, plan } = side
  const scraper = isScraped ? setInterval(() => scrape(side), SCRAPE_MS) : undefined
  const first = isScraped ? scrape(side) : undefined
  const before = server.processorSeconds()
  const report = await load({
    port: server.port,
    plan,
    cycle: true,
    seconds: settings.seconds / settings.pairs,
    connections: settings.connections,
    require: '"orderId":',
  }).finally(() => clearInterval(scraper))
  await first
  side.reports.push(report)
  side.orderUs.push(((server.processorSeconds() - before) / report.answered) * 1e6)
}

function result(settings: Settings, on: Side, off: Side): BenchResult {
  const rate = (side: Side) => median(side.reports.map((report) => report.rate))
  const p99Us = (side: Side) => median(side.reports.map(({ latencyUs }) => latencyUs.p99))
  const ratios = on.reports.map((report, pair) => report.rate / off.reports[pair]!.rate)
  const rows = [
    ['on', rate(on), p99Us(on), median(on.orderUs)],
    ['off', rate(off), p99Us(off), median(off.orderUs)],
  ] as const
  printTable(`${settings.connections} connections, flushed, one gateway, one matcher`, [
    ['metrics', 'orders/s', 'p99 µs', 'processor µs/order'],
    ...rows,
  ])
  return {
    ratios: { onOverOff: median(ratios) },
    figures: {
      onOverOffMin: Math.min(...ratios),
      onOverOffMax: Math.max(...ratios),
      onRate: rate(on),
      offRate: rate(off),
      onP99Us: p99Us(on),
      offP99Us: p99Us(off),
      onOrderUs: median(on.orderUs),
      offOrderUs: median(off.orderUs),
      orderUsOnOverOff: median(on.orderUs.map((us, pair) => us / off.orderUs[pair]!)),
      ...settings,
      restingOrders: RESTING_ORDERS,
    },
  }
}
