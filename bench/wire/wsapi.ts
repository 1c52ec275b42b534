/**
 * `npm run bench -- wsapi [--seconds 24] [--pairs 4] [--connections 64] [--pipeline 8] [--resting 4000]
 * [--port 18360]`: LIMIT orders over sessions of the WebSocket API, logged on by Ed25519 keys and kept
 * busy with several requests in flight each, beside the same orders over REST, signed, one request in
 * flight on each connection as HTTP/1.1 clients have it. Both flushed, on one server, by turns. The
 * ratio is of medians. `seconds` is the time that each is measured for, over all pairs.
 */
import os from 'node:os'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { type LoadOptions, type LoadReport, load, Plans } from './load.ts'
import { type RingbookServer, startRingbook } from './server.ts'
import { EdKey, SESSIONS_PATH, stageSessions } from './sessions.ts'
import { FILL_SHARE, restingPlan, sessionPlan, tradingPlan } from './workload.ts'

/** Rounds of the trading plan before it starts again: some ten thousand orders. */
const TRADING_ROUNDS = 2500
const WARMUP_SECONDS = 2
const ORDER_COUNTS = { rested: '"status":"NEW"' }

interface Turn {
  readonly report: LoadReport
  /** Processor time of the server for each order. */
  readonly serverUs: number
}

export const flags = {
  seconds: 24,
  pairs: 4,
  connections: 64,
  pipeline: 8,
  resting: 4000,
  port: 18_360,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

export async function run(settings: Settings): Promise<BenchResult> {
  // Well above zero, something else ran on the machine, and the figures are worth little.
  const loadAverageBefore = os.loadavg()[0]!
  const plans = new Plans()
  const [maker, taker] = [new EdKey('maker'), new EdKey('taker')]
  const server = await startRingbook(settings.port, 'flushed', (data) =>
    stageSessions(data, maker, taker),
  )
  try {
    const { rest, sessions } = await measure(settings, plans, server, maker, taker)
    return result(settings, rest, sessions, loadAverageBefore)
  } finally {
    await server.stop()
    plans.remove()
  }
}

async function measure(
  settings: Settings,
  plans: Plans,
  server: RingbookServer,
  maker: EdKey,
  taker: EdKey,
): Promise<{ rest: Turn[]; sessions: Turn[] }> {
  const { connections, pipeline, pairs } = settings
  const { port, accounts } = server
  const orders = plans.write('trading', tradingPlan(accounts, TRADING_ROUNDS))
  const overRest = { port, connections, plan: orders, cycle: true }
  const overSessions = (): Omit<LoadOptions, 'seconds'> => {
    const plan = sessionPlan(maker.session(), taker.session(), TRADING_ROUNDS)
    const path = plans.write('sessions', plan)
    return { port, connections, pipeline, websocket: SESSIONS_PATH, sessions: true, plan: path }
  }
  const resting = plans.write('resting', restingPlan(accounts, settings.resting))
  await load({ port, connections, plan: resting, seconds: 60 })
  await load({ ...overRest, seconds: WARMUP_SECONDS })
  await load({ ...overSessions(), seconds: WARMUP_SECONDS })
  const checked = { seconds: settings.seconds / pairs, require: '"orderId":', counts: ORDER_COUNTS }
  const executionOf = async (options: Omit<LoadOptions, 'seconds'>): Promise<Turn> => {
    const before = server.processorSeconds()
    const report = await load({ ...options, ...checked })
    return { report, serverUs: ((server.processorSeconds() - before) / report.answered) * 1e6 }
  }
  const turns = { rest: [] as Turn[], sessions: [] as Turn[] }
  for (let pair = 0; pair < pairs; pair++) {
    turns.rest.push(await executionOf(overRest))
    turns.sessions.push(await executionOf(overSessions()))
  }
  return turns
}

function result(
  settings: Settings,
  rest: readonly Turn[],
  sessions: readonly Turn[],
  loadAverageBefore: number,
): BenchResult {
  const of = (turns: readonly Turn[]) => {
    const middle = (value: (turn: Turn) => number) => median(turns.map(value))
    return {
      Rate: middle(({ report }) => report.rate),
      P50Us: middle(({ report }) => report.latencyUs.p50),
      P99Us: middle(({ report }) => report.latencyUs.p99),
      ServerUs: middle(({ serverUs }) => serverUs),
      FillShare: fillShareOf(turns.map(({ report }) => report)),
    }
  }
  const [byRest, bySession] = [of(rest), of(sessions)]
  const columns = ['Rate', 'P50Us', 'P99Us', 'ServerUs'] as const
  printTable(`${settings.connections} connections, one gateway, one matcher, flushed`, [
    ['orders', 'requests/s', 'p50 µs', 'p99 µs', 'server µs each'],
    ['REST, signed', ...columns.map((name) => byRest[name])],
    [`sessions, ${settings.pipeline} in flight each`, ...columns.map((name) => bySession[name])],
  ])
  const named = (prefix: string, figures: object) =>
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [prefix + name, value]))
  const pairs = sessions.map(({ report }, pair) => report.rate / rest[pair]!.report.rate)
  return {
    ratios: { wsapiOverRest: bySession.Rate / byRest.Rate },
    figures: {
      pairedRatio: median(pairs),
      ...named('rest', byRest),
      ...named('session', bySession),
      plannedFillShare: FILL_SHARE,
      loadAverageBefore,
      ...settings,
      machine: `${os.cpus()[0]?.model.trim()} × ${os.cpus().length}`,
      node: process.version,
    },
  }
}

/** The share of orders that did not rest. */
function fillShareOf(reports: readonly LoadReport[]): number {
  const total = (of: (report: LoadReport) => number) =>
    reports.reduce((sum, report) => sum + of(report), 0)
  return 1 - total(({ counts }) => counts.rested!) / total(({ answered }) => answered)
}
