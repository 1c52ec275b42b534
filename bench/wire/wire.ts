/**
 * `npm run bench -- wire [--seconds 30] [--pairs 6] [--connections 64] [--resting 4000] [--cancels 27000]
 * [--pipeline 8] [--in-place 1] [--port 18300]`: signed LIMIT orders over connections kept busy, each
 * answer checked, beside uWebSockets.js hello-world under the same generator. Ours and hello-world take
 * turns, `pairs` times, so that a machine that changes its speed changes both. A ratio is the median of
 * our rates over the median of all of hello-world's; the median of the pairs' ratios is reported as a
 * figure. Processor time is that of the server's process, all its threads, for one request; sessions of
 * the WebSocket API send the same kind of orders, `pipeline` in flight each. Hello-world, our gateway and
 * the assembled exchange are kept on one processor, the generator on another; with `--in-place 0` our
 * gateway runs wherever the system has it, as it does by default. `seconds` is the time that ours is
 * measured for, over all pairs.
 */
import { createHmac } from 'node:crypto'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { type LoadOptions, type LoadReport, load, Plans } from './load.ts'
import {
  type BenchServer,
  type Durability,
  gatewayPlace,
  type RingbookServer,
  startAssembled,
  startHello,
  startRingbook,
} from './server.ts'
import { EdKey, SESSIONS_PATH, stageSessions } from './sessions.ts'
import {
  type Measured,
  type Paired,
  pairedOf,
  prepared,
  TRADING_ROUNDS,
  type Turn,
  type Used,
  usedBy,
} from './turns.ts'
import {
  batchPlan,
  cancelPlan,
  depthPlan,
  FILL_SHARE,
  helloPlan,
  namedPlan,
  ORDERS_PER_BATCH,
  type PlanAccounts,
  SYMBOL,
  sessionPlan,
  unsigned,
} from './workload.ts'

const WARMUP_SECONDS = 2
/** For frames, which are code that no load before runs: V8 compiles it in the first seconds. */
const SESSIONS_WARMUP_SECONDS = 4
/** For loads that are only reported. */
const FEW_PAIRS = 3
const ORDER_COUNTS = { rested: '"status":"NEW"' }

export const flags = {
  seconds: 30,
  pairs: 6,
  connections: 64,
  resting: 4000,
  cancels: 27_000,
  pipeline: 8,
  inPlace: { usual: 1, mayBeZero: true },
  port: 18_300,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

type RowName = 'flushed' | 'committed' | 'batch' | 'cancel' | 'depth' | 'ws' | 'assembled'

export async function run(settings: Settings): Promise<BenchResult> {
  const bench = new WireBench(settings)
  try {
    return await bench.run()
  } finally {
    await bench.close()
  }
}

class WireBench {
  private readonly settings: Settings
  private readonly plans = new Plans()
  private readonly helloPlan: string
  private readonly servers = new Set<BenchServer>()
  private readonly helloTurns: Used[] = []
  private readonly edKeys = [new EdKey('maker'), new EdKey('taker')] as const
  private hello!: BenchServer

  constructor(settings: Settings) {
    this.settings = settings
    this.helloPlan = this.plans.write('hello', helloPlan())
  }

  async run(): Promise<BenchResult> {
    this.hello = await this.use(startHello(this.settings.port))
    await this.helloTurn()
    const { orders, assembled, resting, ...others } = await this.ringbook(
      'flushed',
      async (server, trading) => ({
        ...(await this.besideAssembled(server, trading)),
        resting: await openOrders(server),
        batch: await this.batches(server),
        cancel: await this.cancels(server),
        depth: await this.depth(server),
        ws: await this.sessions(server),
      }),
    )
    const committed = await this.ringbook('committed', async (server, trading) => {
      const [only] = await this.paired([this.orders(server, trading)], this.settings.pairs)
      return only!
    })
    return this.result({ flushed: orders, committed, ...others, assembled }, resting)
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.servers].map((server) => server.stop()))
    this.plans.remove()
  }

  private async use<Server extends BenchServer>(starting: Promise<Server>): Promise<Server> {
    const server = await starting
    this.servers.add(server)
    return server
  }

  private async release(server: BenchServer): Promise<void> {
    this.servers.delete(server)
    await server.stop()
  }

  /** Starts one, brings the resting orders, warms up, measures and stops it. */
  private async ringbook<Measured>(
    durability: Durability,
    measure: (server: RingbookServer, tradingPlan: string) => Promise<Measured>,
  ): Promise<Measured> {
    const { port, inPlace } = this.settings
    const place = inPlace > 0 ? gatewayPlace() : {}
    const stage = (data: string) => stageSessions(data, ...this.edKeys)
    const starting = startRingbook(port + 10, durability, stage, place)
    const server = await this.use(starting)
    const trading = await this.prepare(server, server.accounts)
    const measured = await measure(server, trading)
    await this.release(server)
    return measured
  }

  /** Hello-world, ours and the assembled exchange take turns. */
  private async besideAssembled(
    ours: RingbookServer,
    trading: string,
  ): Promise<{ orders: Paired; assembled: Paired }> {
    const server = await this.use(startAssembled(this.settings.port + 20))
    const unsignedTrading = await this.prepare(server, unsigned)
    const turns = [this.orders(ours, trading), this.orders(server, unsignedTrading)]
    const [orders, assembled] = await this.paired(turns, this.settings.pairs)
    await this.release(server)
    return { orders: orders!, assembled: assembled! }
  }

  private prepare({ port }: BenchServer, accounts: PlanAccounts): Promise<string> {
    const { connections, resting } = this.settings
    return prepared({ port, accounts }, this.plans, {
      connections,
      resting,
      warmUp: WARMUP_SECONDS,
    })
  }

  private orders(server: BenchServer, plan: string): Turn {
    const seconds = this.settings.seconds / this.settings.pairs
    const options = { port: server.port, plan, cycle: true, seconds, require: '"orderId":' }
    return { server, measure: () => this.load({ ...options, counts: ORDER_COUNTS }) }
  }

  /** Each request is a batch of orders. */
  private async batches(server: RingbookServer): Promise<Paired> {
    const plan = this.plans.write('batch', batchPlan(server.accounts, TRADING_ROUNDS))
    const options = { port: server.port, plan, cycle: true, require: '"orderId":' }
    await this.load({ ...options, seconds: WARMUP_SECONDS })
    const counts = { refused: '"code":' }
    const measure = async () => {
      const report = await this.load({ ...options, counts, seconds: this.helloSeconds() })
      if (report.counts.refused !== 0) throw new Error('An order of a batch was refused.')
      return report
    }
    const [only] = await this.paired([{ server, measure }], FEW_PAIRS)
    return only!
  }

  private async depth(server: BenchServer): Promise<Paired> {
    const plan = this.plans.write('depth', depthPlan())
    const options = { port: server.port, plan, cycle: true, seconds: this.helloSeconds() }
    const measure = () => this.load({ ...options, require: '"lastUpdateId":' })
    const [only] = await this.paired([{ server, measure }], FEW_PAIRS)
    return only!
  }

  /** Each turn logs on again, by its own signatures. */
  private async sessions(server: RingbookServer): Promise<Paired> {
    const { port } = server
    const { pipeline } = this.settings
    const seconds = this.helloSeconds()
    const options = { port, pipeline, seconds, sessions: true, websocket: SESSIONS_PATH }
    let plan = ''
    const prepare = async () => {
      const [maker, taker] = this.edKeys
      const text = sessionPlan(maker.session(), taker.session(), TRADING_ROUNDS)
      plan = this.plans.write('sessions', text)
    }
    const measure = () => this.load({ ...options, plan, require: '"orderId":' })
    await prepare()
    await this.load({ ...options, plan, seconds: SESSIONS_WARMUP_SECONDS })
    const [only] = await this.paired([{ server, measure, prepare }], FEW_PAIRS)
    return only!
  }

  /** Each turn cancels orders that were placed, not measured, just before it. */
  private async cancels(server: RingbookServer): Promise<Paired> {
    const { port, accounts } = server
    const count = this.settings.cancels
    let plan = ''
    const prepare = async (round: number) => {
      const placing = this.plans.write('named', namedPlan(accounts, `c${round}`, count))
      await this.load({ port, plan: placing, seconds: 60 })
      plan = this.plans.write('cancel', cancelPlan(accounts, `c${round}`, count))
    }
    const measure = () => this.load({ port, plan, seconds: 60, require: '"status":"CANCELED"' })
    const [only] = await this.paired([{ server, measure, prepare }], FEW_PAIRS)
    return only!
  }

  /** Runs the rounds: hello-world, then each turn in order; answers what each turn came to. */
  private async paired(turns: readonly Turn[], rounds: number): Promise<Paired[]> {
    const measured = turns.map((): Measured[] => [])
    for (let round = 0; round < rounds; round++) {
      for (const turn of turns) await turn.prepare?.(round)
      const hello = await this.helloTurn()
      for (const [index, { server, measure }] of turns.entries()) {
        const used = await usedBy(server, measure)
        measured[index]!.push({ ...used, overHello: used.report.rate / hello.rate })
      }
    }
    return measured.map(pairedOf)
  }

  private async helloTurn(): Promise<LoadReport> {
    const options = { port: this.hello.port, plan: this.helloPlan, cycle: true }
    const measure = () => this.load({ ...options, seconds: this.helloSeconds() })
    const used = await usedBy(this.hello, measure)
    this.helloTurns.push(used)
    return used.report
  }

  private helloSeconds(): number {
    return Math.min(2, this.settings.seconds / this.settings.pairs)
  }

  private load(options: LoadOptions): Promise<LoadReport> {
    return load({ connections: this.settings.connections, ...options })
  }

  private result(rows: Readonly<Record<RowName, Paired>>, resting: number): BenchResult {
    const { flushed, committed, batch, cancel, depth, ws, assembled } = rows
    const helloRates = this.helloTurns.map(({ report }) => report.rate)
    const helloRate = median(helloRates)
    const helloCpuUs = median(this.helloTurns.map(({ cpuUs }) => cpuUs))
    printTable(`${this.settings.connections} connections, keep-alive, one gateway, one matcher`, [
      ['load', 'requests/s', 'over hello', 'p50 µs', 'p99 µs', 'cores', 'processor µs each'],
      ['hello-world', helloRate, 1, '', '', '', helloCpuUs],
      ...Object.entries(rows).map(([name, row]) => [
        name,
        row.rate,
        row.rate / helloRate,
        row.p50Us,
        row.p99Us,
        row.cores,
        row.cpuUs,
      ]),
    ])
    const answered = sum(flushed.reports.map((report) => report.answered))
    const rested = sum(flushed.reports.map((report) => report.counts.rested!))
    return {
      ratios: {
        flushedOverHello: flushed.rate / helloRate,
        committedOverHello: committed.rate / helloRate,
        cancelOverHello: cancel.rate / helloRate,
        depthOverHello: depth.rate / helloRate,
        oursOverAssembled: median(
          flushed.reports.map(({ rate }, round) => rate / assembled.reports[round]!.rate),
        ),
        flushedCpuOverHello: flushed.cpuUs / helloCpuUs,
        wsCpuOverHello: ws.cpuUs / helloCpuUs,
        wsapiOverRest: ws.rate / flushed.rate,
      },
      figures: {
        helloRate,
        helloRateMin: Math.min(...helloRates),
        helloRateMax: Math.max(...helloRates),
        helloCpuUs,
        ...flatFigures(rows),
        sessionRate: ws.rate,
        batchCpuUsOfOrder: batch.cpuUs / ORDERS_PER_BATCH,
        fillShare: 1 - rested / answered,
        fillSharePlanned: FILL_SHARE,
        restingOrders: resting,
        orders: answered,
        connections: this.settings.connections,
        pipeline: this.settings.pipeline,
        inPlace: this.settings.inPlace,
        seconds: this.settings.seconds,
        pairs: this.settings.pairs,
        durability: 'flushed, except committed; the disk is that of the temporary folder',
      },
    }
  }
}

function flatFigures(rows: Readonly<Record<string, Paired>>): Record<string, number> {
  const figures: Record<string, number> = {}
  for (const [name, row] of Object.entries(rows)) {
    figures[`${name}Rate`] = row.rate
    figures[`${name}OverHelloOfPairs`] = row.overHello
    figures[`${name}P50Us`] = row.p50Us
    figures[`${name}P99Us`] = row.p99Us
    figures[`${name}Cores`] = row.cores
    figures[`${name}CpuUs`] = row.cpuUs
  }
  return figures
}

/** Open orders of both accounts after the measurement: the resting depth. */
async function openOrders(server: RingbookServer): Promise<number> {
  let count = 0
  for (const { apiKey, secretKey } of server.accounts.keys) {
    const query = `symbol=${SYMBOL}&timestamp=${Date.now()}`
    const signature = createHmac('sha256', secretKey).update(query).digest('hex')
    const url = `http://127.0.0.1:${server.port}/api/v3/openOrders?${query}&signature=${signature}`
    const answer = await fetch(url, { headers: { 'X-MBX-APIKEY': apiKey } })
    if (!answer.ok) throw new Error(`openOrders: ${await answer.text()}`)
    count += ((await answer.json()) as unknown[]).length
  }
  return count
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
