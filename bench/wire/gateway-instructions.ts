/**
 * `npm run bench -- gateway-instructions [--rounds 3] [--seconds 10] [--warm-up 60] [--connections 64]
 * [--resting 4000] [--port 18700]`: the instructions of user space that a gateway spends on one signed LIMIT order, over REST
 * and over sessions of the WebSocket API, beside those of hello-world for a request, as valgrind's
 * callgrind counts them (harness/callgrind.ts). Each is the median of `rounds`. Garbage that it collects and
 * code that it compiles count too. So runs of one build differ by one in a hundred over REST, and by some in
 * a hundred over sessions.
 *
 * The two digests of a signature take some eight thousand instructions more than on processors with
 * instructions for SHA-256, which valgrind does not have. Work that a clock begins is spread over fewer
 * orders, since each takes longer. Needs the program valgrind; takes about five minutes.
 */
import { Callgrind } from '../harness/callgrind.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { type LoadOptions, load, Plans } from './load.ts'
import { type BenchProcess, startHello, startRingbook } from './server.ts'
import { EdKey, SESSIONS_PATH, stageSessions } from './sessions.ts'
import { helloPlan, restingPlan, sessionPlan, tradingPlan } from './workload.ts'

const TRADING_ROUNDS = 2500
const HELLO_WARM_UP_SECONDS = 6
const WARM_UPS = 3
/** Orders in flight on each session. */
const PIPELINE = 8
/** The longest that the protocol allows: valgrind runs one thread at a time, some fifty times as slowly. */
const WINDOW = { recvWindow: 60_000 }

export const flags = {
  rounds: 3,
  seconds: 10,
  warmUp: 60,
  connections: 64,
  resting: 4000,
  port: 18_700,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

/** Instructions of one request. */
interface Counted {
  readonly hello: number
  readonly rest: number
  readonly session: number
}

export async function run(settings: Settings): Promise<BenchResult> {
  const bench = new GatewayInstructions(settings)
  try {
    return result(settings, { hello: await bench.hello(), ...(await bench.orders()) })
  } finally {
    await bench.close()
  }
}

class GatewayInstructions {
  private readonly settings: Settings
  private readonly callgrind = new Callgrind()
  private readonly plans = new Plans()
  private server: BenchProcess | undefined = undefined

  constructor(settings: Settings) {
    this.settings = settings
  }

  async hello(): Promise<number> {
    const server = await startHello(this.settings.port, this.callgrind.nodeCommand())
    this.server = server
    const plan = this.plans.write('hello', helloPlan())
    const counted = await this.counted(server, HELLO_WARM_UP_SECONDS, () => ({ plan }))
    await this.stop()
    return counted
  }

  async orders(): Promise<Omit<Counted, 'hello'>> {
    const { port, connections, warmUp, resting } = this.settings
    const pipeline = Math.min(PIPELINE, connections)
    const plans = this.plans
    const [maker, taker] = [new EdKey('maker'), new EdKey('taker')]
    const stage = (data: string) => stageSessions(data, maker, taker)
    const command = this.callgrind.nodeCommand()
    const server = await startRingbook(port + 10, 'flushed', stage, {}, command)
    this.server = server
    const accounts = { ...server.accounts, ...WINDOW }
    const plan = plans.write('resting', restingPlan(accounts, resting))
    await load({ port: server.port, plan, connections, seconds: 120 })
    const trading = plans.write('trading', tradingPlan(accounts, TRADING_ROUNDS))
    const rest = await this.counted(server, warmUp, () => ({
      plan: trading,
      require: '"orderId":',
    }))
    // As many orders in flight. Each load logs on again, by its own signatures.
    const session = await this.counted(server, warmUp, () => ({
      plan: plans.write(
        'sessions',
        sessionPlan(maker.session(), taker.session(), TRADING_ROUNDS, WINDOW),
      ),
      connections: Math.floor(connections / pipeline),
      pipeline,
      sessions: true,
      websocket: SESSIONS_PATH,
      require: '"orderId":',
    }))
    await this.stop()
    return { rest, session }
  }

  async close(): Promise<void> {
    await this.server?.stop().catch(() => {})
    this.callgrind.close()
    this.plans.remove()
  }

  /** Instructions of one request on the busiest thread, the gateway's. `options` are made for each load. */
  private async counted(
    server: BenchProcess,
    warmUp: number,
    options: () => Omit<LoadOptions, 'port' | 'seconds'>,
  ): Promise<number> {
    const { rounds, seconds, connections } = this.settings
    const once = (seconds: number) =>
      load({ port: server.port, connections, cycle: true, seconds, ...options() })
    // Connections that begin and end are code too, which V8 has to meet.
    for (let time = 0; time < WARM_UPS; time++) await once(warmUp / WARM_UPS)
    const counted: number[] = []
    for (let round = 0; round < rounds; round++) {
      let answered = 0
      const counts = await this.callgrind.count(server.pid, async () => {
        answered = (await once(seconds)).answered
      })
      counted.push(Math.max(...counts) / answered)
    }
    return Math.round(median(counted))
  }

  private async stop(): Promise<void> {
    const server = this.server
    this.server = undefined
    await server?.stop()
  }
}

function result(settings: Settings, { hello, rest, session }: Counted): BenchResult {
  printTable('instructions of one request', [
    ['', 'instructions', 'over hello'],
    ['hello-world', hello, 1],
    ['order over REST', rest, rest / hello],
    ['order over sessions', session, session / hello],
  ])
  return {
    ratios: { orderOverHello: rest / hello, sessionOrderOverHello: session / hello },
    figures: {
      helloInstructions: hello,
      orderInstructions: rest,
      sessionOrderInstructions: session,
      ...settings,
    },
  }
}
