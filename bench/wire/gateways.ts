/**
 * `npm run bench -- scale --gateways 3 [--rounds 7] [--seconds 3] [--port 18400]`: signed LIMIT orders over
 * 64 busy connections, flushed, through one, two and so on up to `gateways` gateways beside one matcher. Each
 * number of gateways has a server of its own, and they take turns. Processor time is that of the server's
 * process, all its threads, for one order: more gateways must not make an order cost more. The rate grows
 * with them only where processors are free, since matcher, archivist and generator need some too.
 */
import os from 'node:os'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { load, Plans } from './load.ts'
import { type BenchServer, type RingbookServer, startRingbook } from './server.ts'
import { type Used, usedBy } from './turns.ts'
import { restingPlan, tradingPlan } from './workload.ts'

const CONNECTIONS = 64
const RESTING_ORDERS = 4_000
const TRADING_ROUNDS = 2_500
const WARMUP_SECONDS = 2

export interface GatewaysSettings {
  /** The most gateways. */
  readonly gateways: number
  readonly rounds: number
  readonly seconds: number
  readonly port: number
}

interface Measured {
  readonly gateways: number
  readonly rate: number
  readonly p50Us: number
  readonly p99Us: number
  readonly cores: number
  readonly cpuUs: number
}

export async function runGateways(settings: GatewaysSettings): Promise<BenchResult> {
  const loadAverageBefore = os.loadavg()[0]!
  const plans = new Plans()
  const servers: RingbookServer[] = []
  try {
    for (let gateways = 1; gateways <= settings.gateways; gateways++) {
      const port = settings.port + 10 * gateways
      const more = { gateways: String(gateways) }
      servers.push(await startRingbook(port, 'flushed', undefined, more))
    }
    const rows = await measureInTurns(settings, plans, servers)
    return result(settings, rows, loadAverageBefore)
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()))
    plans.remove()
  }
}

async function measureInTurns(
  { rounds, seconds }: GatewaysSettings,
  plans: Plans,
  servers: readonly RingbookServer[],
): Promise<Measured[]> {
  const trading: string[] = []
  for (const server of servers) trading.push(await prepare(server, plans))
  const turns = servers.map((): Used[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of servers.entries()) {
      turns[index]!.push(await usedBy(server, () => busy(server, trading[index]!, seconds)))
    }
  }
  return turns.map((used, index) => measuredOf(index + 1, used))
}

/** Places the resting orders and warms the server up. Returns the plan of the orders to measure. */
async function prepare(server: RingbookServer, plans: Plans): Promise<string> {
  const { port, accounts } = server
  const resting = plans.write('resting', restingPlan(accounts, RESTING_ORDERS))
  await load({ port, plan: resting, connections: CONNECTIONS, seconds: 60 })
  const plan = plans.write('trading', tradingPlan(accounts, TRADING_ROUNDS))
  await busy(server, plan, WARMUP_SECONDS)
  return plan
}

const busy = ({ port }: BenchServer, plan: string, seconds: number) =>
  load({ port, plan, seconds, connections: CONNECTIONS, cycle: true, require: '"orderId":' })

function measuredOf(gateways: number, turns: readonly Used[]): Measured {
  return {
    gateways,
    rate: median(turns.map(({ report }) => report.rate)),
    p50Us: median(turns.map(({ report }) => report.latencyUs.p50)),
    p99Us: median(turns.map(({ report }) => report.latencyUs.p99)),
    cores: median(turns.map(({ cores }) => cores)),
    cpuUs: median(turns.map(({ cpuUs }) => cpuUs)),
  }
}

function result(
  { rounds, seconds }: GatewaysSettings,
  rows: readonly Measured[],
  loadAverageBefore: number,
): BenchResult {
  const [one, ...more] = rows
  const columns = ['gateways', 'rate', 'p50Us', 'p99Us', 'cores', 'cpuUs'] as const
  printTable(`${CONNECTIONS} connections, one matcher, flushed`, [
    ['gateways', 'orders/s', 'p50 µs', 'p99 µs', 'cores', 'processor µs each'],
    ...rows.map((row) => columns.map((name) => row[name])),
  ])
  const ofEach = (of: (row: Measured) => [name: string, value: number][]) =>
    Object.fromEntries(rows.flatMap(of))
  return {
    ratios: Object.fromEntries(
      more.map(({ gateways, cpuUs }) => [`cpuOf${gateways}OverOne`, cpuUs / one!.cpuUs]),
    ),
    figures: {
      ...ofEach(({ gateways, ...row }) =>
        Object.entries(row).map(([name, value]) => [`${name}Of${gateways}`, value]),
      ),
      rounds,
      seconds,
      connections: CONNECTIONS,
      processors: os.availableParallelism(),
      loadAverageBefore,
      machine: `${os.cpus()[0]?.model.trim()} × ${os.cpus().length}`,
      node: process.version,
    },
  }
}
