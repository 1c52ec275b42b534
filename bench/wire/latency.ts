/**
 * `npm run bench -- latency [--rate 200] [--seconds 5] [--rounds 4] [--port 18340]`: how long an
 * order takes to its answer, durability flushed. One connection at a light fixed rate, in turn with
 * hello-world and with bare flushes of the same disk. Then the way of an order to
 * each stream beside its answer: alone, with a thousand readers of the stream, and beside orders at half of
 * what the server does. Latency counts from the time a request was due.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable, quantile } from '../harness/report.ts'
import { type FlushTimes, measureFlushes } from './flush.ts'
import { type LoadReport, load, Plans, runLoad } from './load.ts'
import { type BenchServer, type RingbookServer, startHello, startRingbook } from './server.ts'
import { measureWays, type WayTimes, ways } from './stream-ways.ts'
import { prepared, RESTING_ORDERS } from './turns.ts'
import { helloPlan } from './workload.ts'

const BUSY_CONNECTIONS = 64
const FLUSHES_PER_ROUND = 250
const READERS = 1_000
/** Readers have connected. */
const CONNECTED_MS = 2_000

export const flags = { rate: 200, seconds: 5, rounds: 4, port: 18_340 } as const satisfies Flags

type Settings = SettingsOf<typeof flags>

interface Round {
  readonly hello: LoadReport
  readonly ours: LoadReport
  readonly flushes: FlushTimes
}

export async function run(settings: Settings): Promise<BenchResult> {
  const plans = new Plans()
  const servers: BenchServer[] = []
  const use = <Server extends BenchServer>(server: Server): Server => {
    servers.push(server)
    return server
  }
  try {
    const hello = use(await startHello(settings.port))
    const ours = use(await startRingbook(settings.port + 10, 'flushed'))
    return await measure(settings, plans, { hello, ours })
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()))
    plans.remove()
  }
}

interface Servers {
  readonly hello: BenchServer
  readonly ours: RingbookServer
}

async function measure(
  settings: Settings,
  plans: Plans,
  { hello, ours }: Servers,
): Promise<BenchResult> {
  const { rate, seconds } = settings
  const helloFile = plans.write('hello', helloPlan())
  const trading = await prepared(ours, plans, { connections: BUSY_CONNECTIONS, warmUp: 2 })

  const light = { cycle: true, connections: 1, rate, seconds, warmup: 0.5 }
  const rounds: Round[] = []
  for (let round = 0; round < settings.rounds; round++) {
    rounds.push({
      hello: await load({ ...light, port: hello.port, plan: helloFile }),
      ours: await load({ ...light, port: ours.port, plan: trading, require: '"orderId":' }),
      flushes: await measureFlushes(FLUSHES_PER_ROUND, 1000 / rate),
    })
  }
  const busy = { port: ours.port, plan: trading, cycle: true, connections: BUSY_CONNECTIONS }
  const full = await load({ ...busy, seconds })
  const half = { trading, rate: full.rate / 2 }
  return result(settings, rounds, await measureStreams(settings, plans, ours, half))
}

interface StreamTimes {
  readonly alone: WayTimes
  readonly readers: WayTimes
  readonly busy: WayTimes
}

/** Other orders are of another symbol. */
async function measureStreams(
  { rate, seconds }: Settings,
  plans: Plans,
  ours: RingbookServer,
  half: { readonly trading: string; readonly rate: number },
): Promise<StreamTimes> {
  const { port } = ours
  const alone = await measureWays(ours, rate, seconds)
  const long = seconds + CONNECTED_MS / 1_000 + 2
  const plan = plans.write('listen', '{"method":"LIST_SUBSCRIPTIONS","id":1}\n')
  const websocket = '/ws/ethusdt@trade'
  const reading = runLoad({
    port,
    plan,
    websocket,
    listen: true,
    connections: READERS,
    seconds: long,
  })
  await delay(CONNECTED_MS)
  const readers = await measureWays(ours, rate, seconds)
  await reading
  const orders = { plan: half.trading, cycle: true, connections: BUSY_CONNECTIONS, rate: half.rate }
  const [busy] = await Promise.all([
    measureWays(ours, rate, seconds),
    load({ port, ...orders, seconds: long }),
  ])
  return { alone, readers, busy }
}

function result(settings: Settings, rounds: readonly Round[], streams: StreamTimes): BenchResult {
  const times = (of: (round: Round) => number) => median(rounds.map(of))
  const helloP50Us = times((round) => round.hello.latencyUs.p50)
  const oursP50Us = times((round) => round.ours.latencyUs.p50)
  const flushP50Us = times((round) => median(round.flushes.blockUs))
  const lmdbP50Us = times((round) => median(round.flushes.lmdbUs))
  const budgetUs = helloP50Us + 2 * flushP50Us
  const figures = {
    oursP50Us,
    oursP99Us: times((round) => round.ours.latencyUs.p99),
    helloP50Us,
    helloP99Us: times((round) => round.hello.latencyUs.p99),
    flushP50Us,
    flushP99Us: times((round) => quantile(round.flushes.blockUs, 0.99)),
    lmdbP50Us,
    lmdbP99Us: times((round) => quantile(round.flushes.lmdbUs, 0.99)),
    budgetUs,
  }
  printTable(`orders at ${settings.rate}/s on one connection, flushed; latency from due time`, [
    ['', 'p50 µs', 'p99 µs'],
    ['order to answer', oursP50Us, figures.oursP99Us],
    ['hello-world', helloP50Us, figures.helloP99Us],
    ['write and fdatasync, 4 KiB', flushP50Us, figures.flushP99Us],
    ['LMDB transaction', lmdbP50Us, figures.lmdbP99Us],
    ['budget: hello + 2 × fdatasync', budgetUs, ''],
  ])
  const streamFigures = printStreams(settings, streams)
  const tradeOverAnswer = ({ trade, answer }: WayTimes) => trade.p99Us / answer.p99Us
  return {
    ratios: {
      tradeP99OverAnswer: tradeOverAnswer(streams.alone),
      tradeP99OverAnswerWithReaders: tradeOverAnswer(streams.readers),
      tradeP99OverAnswerBusy: tradeOverAnswer(streams.busy),
      p50OverBudget: oursP50Us / budgetUs,
      // Over a budget with the flush of the store: LMDB flushes its pages, and then the page that leads to them.
      p50OverLmdbBudget: oursP50Us / (helloP50Us + 2 * lmdbP50Us),
    },
    figures: {
      ...figures,
      ...streamFigures,
      rate: settings.rate,
      seconds: settings.seconds,
      rounds: settings.rounds,
      restingOrders: RESTING_ORDERS,
    },
  }
}

/** Returns their figures. */
function printStreams(settings: Settings, streams: StreamTimes): Readonly<Record<string, number>> {
  const named = Object.entries(streams) as [keyof StreamTimes, WayTimes][]
  printTable(`a trade at ${settings.rate}/s, from the order's due time: p50 and p99 µs`, [
    ['', ...ways.flatMap((way) => [way, 'p99'])],
    ...named.map(([name, of]) => [name, ...ways.flatMap((way) => [of[way].p50Us, of[way].p99Us])]),
  ])
  const figures = named.flatMap(([name, of]) =>
    ways.flatMap((way) => [
      [`${name}.${way}P50Us`, of[way].p50Us],
      [`${name}.${way}P99Us`, of[way].p99Us],
    ]),
  )
  return Object.fromEntries(figures)
}
