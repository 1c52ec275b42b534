/**
 * `npm run bench -- scale --gateways 3 [--rounds 7] [--seconds 3] [--port 18400]`: signed LIMIT orders over
 * 64 busy connections, flushed, through one, two and so on up to `gateways` gateways beside one matcher. Each
 * number of gateways has its own server, and they take turns. Processor time is that of the server's
 * process, all its threads, for one order: more gateways must not make an order cost more. The rate grows
 * with them only where processors are free, since matcher, indexer and generator need some too.
 *
 * The ceiling is hello-world, whose processes share a port in the same numbers: threads that take turns on
 * one processor push each other out of its caches, and read fewer requests each time they wake.
 */
import os from 'node:os'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { type LoadReport, load, Plans } from './load.ts'
import { type BenchServer, startHellos, startRingbook } from './server.ts'
import { prepared, type Used, usedBy } from './turns.ts'
import { helloPlan } from './workload.ts'

const CONNECTIONS = 64
/** For V8, which compiles for each gateway. */
const WARMUP_SECONDS = 8
/** From a number's port to that of hello-world; the admin server has the one between. */
const HELLO_PORT = 5

export interface GatewaysSettings {
  /** The most gateways. */
  readonly gateways: number
  readonly rounds: number
  readonly seconds: number
  readonly port: number
}

/** A number of gateways, or of hello-world's processes, and what is measured of them. */
interface Contender {
  readonly count: number
  readonly server: BenchServer
  readonly measure: () => Promise<LoadReport>
  readonly turns: Used[]
}

interface Measured {
  readonly count: number
  readonly rate: number
  readonly p50Us: number
  readonly p99Us: number
  readonly cores: number
  readonly cpuUs: number
}

export async function runGateways(settings: GatewaysSettings): Promise<BenchResult> {
  const plans = new Plans()
  const servers: BenchServer[] = []
  const ours: Contender[] = []
  const hellos: Contender[] = []
  try {
    const hello = plans.write('hello', helloPlan())
    for (let count = 1; count <= settings.gateways; count++) {
      const port = settings.port + 10 * count
      const more = { gateways: String(count) }
      const server = await startRingbook(port, 'flushed', undefined, more)
      servers.push(server)
      const trading = await prepared(server, plans, {
        connections: CONNECTIONS,
        warmUp: WARMUP_SECONDS,
      })
      const measure = () => busy(server, trading, settings.seconds)
      ours.push({ count, server, measure, turns: [] })
      const ceiling = await startHellos(port + HELLO_PORT, count)
      servers.push(ceiling)
      const measureHello = () => load({ ...kept(ceiling, settings.seconds), plan: hello })
      hellos.push({ count, server: ceiling, measure: measureHello, turns: [] })
    }
    await takeTurns(settings.rounds, [...ours, ...hellos])
    return result(settings, ours.map(measuredOf), hellos.map(measuredOf))
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()))
    plans.remove()
  }
}

async function takeTurns(rounds: number, contenders: readonly Contender[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const { server, measure, turns } of contenders) turns.push(await usedBy(server, measure))
  }
}

const kept = ({ port }: BenchServer, seconds: number) => ({
  port,
  seconds,
  connections: CONNECTIONS,
  cycle: true,
})

const busy = (server: BenchServer, plan: string, seconds: number) =>
  load({ ...kept(server, seconds), plan, require: '"orderId":' })

function measuredOf({ count, turns }: Contender): Measured {
  return {
    count,
    rate: median(turns.map(({ report }) => report.rate)),
    p50Us: median(turns.map(({ report }) => report.latencyUs.p50)),
    p99Us: median(turns.map(({ report }) => report.latencyUs.p99)),
    cores: median(turns.map(({ cores }) => cores)),
    cpuUs: median(turns.map(({ cpuUs }) => cpuUs)),
  }
}

function result(
  { rounds, seconds }: GatewaysSettings,
  ours: readonly Measured[],
  hellos: readonly Measured[],
): BenchResult {
  const columns = ['rate', 'p50Us', 'p99Us', 'cores', 'cpuUs'] as const
  const rowOf = (name: string) => (row: Measured) => [
    `${name}, ${row.count}`,
    ...columns.map((column) => row[column]),
  ]
  printTable(`${CONNECTIONS} connections; orders through one matcher, flushed`, [
    ['', 'a second', 'p50 µs', 'p99 µs', 'cores', 'processor µs each'],
    ...ours.map(rowOf('gateways')),
    ...hellos.map(rowOf('hello-world')),
  ])
  const figuresOf = (
    rows: readonly Measured[],
    nameOf: (column: string, count: number) => string,
  ) =>
    Object.fromEntries(
      rows.flatMap((row) => columns.map((column) => [nameOf(column, row.count), row[column]])),
    )
  return {
    ratios: {
      ...overOne(ours, (count) => `cpuOf${count}OverOne`),
      ...overOne(hellos, (count) => `helloCpuOf${count}OverOne`),
    },
    figures: {
      ...figuresOf(ours, (column, count) => `${column}Of${count}`),
      ...figuresOf(hellos, (column, count) => `hello${capital(column)}Of${count}`),
      rounds,
      seconds,
      connections: CONNECTIONS,
      processors: os.availableParallelism(),
    },
  }
}

/** Processor time of one request with more of them, over that with one. */
function overOne(
  [one, ...more]: readonly Measured[],
  nameOf: (count: number) => string,
): Record<string, number> {
  return Object.fromEntries(more.map(({ count, cpuUs }) => [nameOf(count), cpuUs / one!.cpuUs]))
}

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)
