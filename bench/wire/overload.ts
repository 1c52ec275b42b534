/**
 * `npm run bench -- overload [--seconds 60] [--capacity-seconds 10] [--connections 64] [--pipeline 8]
 * [--deep 64] [--resting 4000] [--port 18420]`: what happens when more orders are asked for than can be
 * done. Sessions of the WebSocket API, flushed, one gateway, one matcher. First the capacity: as many
 * orders as `pipeline` in flight on each connection bring. Then, with up to `deep` in flight on each,
 * 1.5 times that at a fixed rate, and as much as the generator can, each for `seconds`. After each, the
 * capacity again, measured from one second on after the last answer.
 *
 * The surplus must be answered -1008, at once; what is accepted must not wait more than 5 times as long
 * as at capacity (p99 over p99); and nothing may pile up.
 */
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, printTable } from '../harness/report.ts'
import { type LoadOptions, load, type OverloadReport, overload, Plans } from './load.ts'
import { type RingbookServer, startRingbook } from './server.ts'
import { EdKey, meetingPlan, SESSIONS_PATH, stageSessions } from './sessions.ts'
import { restingPlan } from './workload.ts'

/** Before the plan starts again. */
const ORDERS = 20_000
const WARMUP_SECONDS = 2
const OVERLOAD = 1.5
/** How long after an overload full speed may take to come back. */
const RECOVERY_SECONDS = 1

export const flags = {
  seconds: 60,
  capacitySeconds: 10,
  connections: 64,
  pipeline: 8,
  deep: 64,
  resting: 4000,
  port: 18_420,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

interface Row {
  readonly name: string
  readonly report: OverloadReport
  readonly residentBytes: number
  /** Processor time of the server for each request, warm-up included. */
  readonly serverUs: number
}

export async function run(settings: Settings): Promise<BenchResult> {
  const plans = new Plans()
  const [one, other] = [new EdKey('trader1'), new EdKey('trader2')]
  const server = await startRingbook(settings.port, 'flushed', (data) =>
    stageSessions(data, one, other),
  )
  try {
    const rows = await measure(settings, plans, server, () =>
      plans.write('sessions', meetingPlan([one.session(), other.session()], ORDERS)),
    )
    return result(settings, rows)
  } finally {
    await server.stop()
    plans.remove()
  }
}

async function measure(
  settings: Settings,
  plans: Plans,
  server: RingbookServer,
  planned: () => string,
): Promise<readonly Row[]> {
  const { seconds, capacitySeconds, connections, pipeline, deep } = settings
  const { port, accounts } = server
  const resting = plans.write('resting', restingPlan(accounts, settings.resting))
  await load({ port, connections, plan: resting, seconds: 60 })
  const shared = { port, connections, websocket: SESSIONS_PATH }
  const rows: Row[] = []
  const turn = async (name: string, options: Pick<LoadOptions, 'seconds' | 'rate' | 'warmup'>) => {
    const inFlight = name.startsWith('capacity') ? pipeline : deep
    const all = { ...shared, ...options, pipeline: inFlight, plan: planned() }
    const before = server.processorSeconds()
    const report = await overload(all)
    const share = report.seconds / (report.seconds + (options.warmup ?? 0))
    const serverUs = ((server.processorSeconds() - before) * share * 1e6) / report.sent
    rows.push({ name, report, residentBytes: server.residentBytes(), serverUs })
    return report
  }
  const full = { seconds: capacitySeconds, warmup: WARMUP_SECONDS }
  const capacity = await turn('capacity', full)
  const recovered = { seconds: capacitySeconds, warmup: RECOVERY_SECONDS }
  const rate = Math.round(OVERLOAD * capacity.accepted.rate)
  await turn(`${OVERLOAD} times capacity`, { seconds, rate })
  await turn('capacity, 1 s after', recovered)
  await turn('all that it can', { seconds })
  await turn('capacity, 1 s after', recovered)
  return rows
}

function result(settings: Settings, rows: readonly Row[]): BenchResult {
  const [capacity, half, afterHalf, most, afterMost] = rows.map(({ report }) => report) as [
    OverloadReport,
    OverloadReport,
    OverloadReport,
    OverloadReport,
    OverloadReport,
  ]
  const answers = ['sent/s', 'accepted/s', 'p99 µs', 'busy/s', 'busy p99 µs', 'other']
  printTable(`${settings.connections} connections, one gateway, one matcher, flushed`, [
    ['', ...answers, 'MiB', 'server µs each'],
    ...rows.map(({ name, report, residentBytes, serverUs }) => [
      name,
      report.sent / report.seconds,
      report.accepted.rate,
      report.accepted.latencyUs.p99,
      report.busy.rate,
      report.busy.latencyUs.p99,
      report.other.answered,
      Math.round(residentBytes / 2 ** 20),
      serverUs,
    ]),
  ])
  for (const text of rows.flatMap(({ report }) => report.others)) process.stdout.write(`${text}\n`)
  const p99 = ({ accepted }: OverloadReport) => accepted.latencyUs.p99
  const rate = ({ accepted }: OverloadReport) => accepted.rate
  return {
    ratios: {
      p99OverCapacityAtHalfMore: p99(half) / p99(capacity),
      p99OverCapacityAtMost: p99(most) / p99(capacity),
      acceptedOverCapacityAtHalfMore: rate(half) / rate(capacity),
      acceptedOverCapacityAtMost: rate(most) / rate(capacity),
      fullSpeedAfterHalfMore: rate(afterHalf) / rate(capacity),
      fullSpeedAfterMost: rate(afterMost) / rate(capacity),
    },
    figures: {
      ...Object.fromEntries(
        Object.entries({ capacity, half, afterHalf, most, afterMost }).flatMap(([name, it]) => [
          [`${name}Sent`, it.sent / it.seconds],
          [`${name}Withheld`, it.withheld],
          [`${name}Accepted`, it.accepted.rate],
          [`${name}P99Us`, it.accepted.latencyUs.p99],
          [`${name}Busy`, it.busy.rate],
          [`${name}BusyP99Us`, it.busy.latencyUs.p99],
          [`${name}Other`, it.other.answered],
          [`${name}DrainSeconds`, it.drainSeconds],
          [`${name}InFlightMax`, it.inFlightMax],
        ]),
      ),
      serverUs: rows.map(({ serverUs }) => serverUs.toFixed(1)).join(' '),
      residentMiB: rows.map(({ residentBytes }) => Math.round(residentBytes / 2 ** 20)).join(' '),
      ...settings,
    },
  }
}
