/**
 * `npm run bench -- replicated [--blocks N] [--seconds 8] [--turns 3] [--port 18450]`: what a quorum
 * costs, on three servers of PostgreSQL that share this machine and its disk. First a block: time of an
 * insert with its fence, and the processor time of this process and of the servers; beside it, in turns, a
 * flush of the same bytes to a file. Next several blocks, one of each matcher, in one call. Then orders of
 * 64 connections, `flushed` and `replicated` in turns: at 2,000/s in an open loop, and as many as each does.
 * For each rate it gives the processor time of generator, exchange and servers, which share this machine.
 */

import fs from 'node:fs'
import path from 'node:path'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { NO_POINT, type QuorumBlock, type QuorumPoint } from '../../src/replica/quorum.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable, quantile } from '../harness/report.ts'
import { type LoadOptions, type LoadReport, load, Plans } from '../wire/load.ts'
import { type RingbookServer, startRingbook } from '../wire/server.ts'
import { tradingPlan } from '../wire/workload.ts'

const BLOCK_BYTES = [256, 1_024, 4_096, 16_384]
/** Figures are of this size: some orders. */
const FIGURE_BYTES = 1_024
const EPOCH = 1
/** Matchers that offer blocks at once. */
const MATCHERS = [1, 2, 4, 8, 16]
/** Their journals are behind those of the single blocks. */
const FIRST_JOURNAL = BLOCK_BYTES.length

const CONNECTIONS = 64
const ORDERS_PER_SECOND = 2_000
const TRADING_ROUNDS = 2_500
const WARMUP_SECONDS = 2

export const flags = {
  blocks: 1_000,
  seconds: 8,
  turns: 3,
  port: 18_450,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

export async function run(settings: Settings): Promise<BenchResult> {
  const servers = await PostgresServers.start(2)
  const file = path.join(process.cwd(), 'bench-replicated')
  const quorum = new PostgresQuorum({ url: servers.url(), answerMs: 10_000, time: new RealTime() })
  try {
    await quorum.open()
    await quorum.prepare()
    await quorum.takeLead(undefined, { epoch: EPOCH, member: 'bench', address: '' })
    const { ratios, figures } = await measure(quorum, servers, file, settings.blocks)
    await measureMatchers(quorum, settings.blocks)
    return { ratios, figures: { ...figures, ...(await measureOrders(servers, settings)) } }
  } finally {
    await quorum.close()
    await servers.remove()
    fs.rmSync(file, { force: true })
  }
}

async function measure(
  quorum: PostgresQuorum,
  servers: PostgresServers,
  file: string,
  blocks: number,
): Promise<BenchResult> {
  const handle = fs.openSync(file, 'w')
  const rows: (string | number)[][] = [
    ['bytes', 'insert p50 ms', 'p99 ms', 'inserts/s', 'own µs', 'servers µs', 'flush p50 ms'],
  ]
  const figures: Record<string, number> = {}
  for (const [journal, size] of BLOCK_BYTES.entries()) {
    const inserts: number[] = []
    const flushes: number[] = []
    let end: QuorumPoint = NO_POINT
    let watermark = 0
    let ownUs = 0
    const serversBefore = servers.processorMs()
    for (let position = 1; position <= blocks; position++) {
      const block = blockOf(journal, position, end, size)
      flushes.push(timed(() => flush(handle, block.bytes)))
      const before = process.cpuUsage()
      const beganMs = performance.now()
      watermark = await quorum.append(EPOCH, [block], watermark)
      inserts.push(performance.now() - beganMs)
      const { user, system } = process.cpuUsage(before)
      ownUs += user + system
      end = { position, checksum: block.checksum }
    }
    const serverUs = ((servers.processorMs() - serversBefore) * 1_000) / blocks
    const perSecond = 1_000 / (inserts.reduce((sum, it) => sum + it, 0) / blocks)
    const p50 = quantile(inserts, 0.5)
    const p99 = quantile(inserts, 0.99)
    const flushMs = quantile(flushes, 0.5)
    rows.push([size, p50, p99, perSecond, ownUs / blocks, serverUs, flushMs])
    if (size > FIGURE_BYTES) {
      figures.insertNsPerByte = ((p50 - figures.insertP50Ms!) * 1e6) / (size - FIGURE_BYTES)
    }
    if (size !== FIGURE_BYTES) continue
    Object.assign(figures, { insertP50Ms: p50, insertP99Ms: p99, insertsPerSecond: perSecond })
    Object.assign(figures, { ownMicroseconds: ownUs / blocks, serverMicroseconds: serverUs })
    figures.flushP50Ms = flushMs
  }
  fs.closeSync(handle)
  printTable('Blocks on a quorum: three servers, one of two standbys confirms', rows)
  return { ratios: { insertOverFlush: figures.insertP50Ms! / figures.flushP50Ms! }, figures }
}

/** Calls with a block of each of several matchers, in turns. */
async function measureMatchers(quorum: PostgresQuorum, calls: number): Promise<void> {
  const ends = new Map<number, QuorumPoint>()
  const times = MATCHERS.map(() => [] as number[])
  let watermark = 0
  for (let call = 0; call < calls; call++) {
    for (const [at, matchers] of MATCHERS.entries()) {
      const blocks = Array.from({ length: matchers }, (_, matcher) => {
        const journal = FIRST_JOURNAL + matcher
        const end = ends.get(journal) ?? NO_POINT
        const block = blockOf(journal, end.position + 1, end, FIGURE_BYTES)
        ends.set(journal, block)
        return block
      })
      const beganMs = performance.now()
      watermark = await quorum.append(EPOCH, blocks, watermark)
      times[at]!.push(performance.now() - beganMs)
    }
  }
  printTable('Blocks of several matchers in one call', [
    ['blocks', 'insert p50 ms', 'p99 ms'],
    ...MATCHERS.map((matchers, at) => [
      matchers,
      quantile(times[at]!, 0.5),
      quantile(times[at]!, 0.99),
    ]),
  ])
}

/** Orders at both durabilities, in turns. */
async function measureOrders(
  servers: PostgresServers,
  { seconds, turns, port }: Settings,
): Promise<Record<string, number>> {
  await servers.primary.query('CREATE DATABASE orders')
  const plans = new Plans()
  const contenders: RingbookServer[] = []
  try {
    contenders.push(await startRingbook(port, 'flushed'))
    const replica = { replica: servers.url('orders') }
    contenders.push(await startRingbook(port + 10, 'replicated', undefined, replica))
    const loads = contenders.map(({ accounts, port }, at) => ({
      port,
      plan: plans.write(`orders-${at}`, tradingPlan(accounts, TRADING_ROUNDS)),
      connections: CONNECTIONS,
      cycle: true,
      require: '"orderId":',
    }))
    for (const it of loads) await load({ ...it, seconds: WARMUP_SECONDS })
    const open = loads.map(() => [] as Turn[])
    const busy = loads.map(() => [] as Turn[])
    for (let turn = 0; turn < turns; turn++) {
      for (const [at, it] of loads.entries()) {
        const measured = (options: LoadOptions) => timedLoad(options, contenders[at]!, servers)
        open[at]!.push(await measured({ ...it, seconds, rate: ORDERS_PER_SECOND }))
        busy[at]!.push(await measured({ ...it, seconds }))
      }
    }
    return orderFigures(open, busy)
  } finally {
    await Promise.allSettled(contenders.map((it) => it.stop()))
    plans.remove()
  }
}

/** A load, and processor time of each process in µs an order. */
interface Turn {
  readonly report: LoadReport
  readonly generatorUs: number
  readonly exchangeUs: number
  readonly serversUs: number
}

async function timedLoad(
  options: LoadOptions,
  exchange: RingbookServer,
  servers: PostgresServers,
): Promise<Turn> {
  const exchangeBefore = exchange.processorSeconds()
  const serversBefore = servers.processorMs()
  const report = await load(options)
  const generatorUs = (report.processorShare * report.seconds * 1e6) / report.answered
  const exchangeUs = ((exchange.processorSeconds() - exchangeBefore) * 1e6) / report.answered
  const serversUs = ((servers.processorMs() - serversBefore) * 1e3) / report.answered
  return { report, generatorUs, exchangeUs, serversUs }
}

function orderFigures(
  open: readonly (readonly Turn[])[],
  busy: readonly (readonly Turn[])[],
): Record<string, number> {
  const of = (turns: readonly Turn[], value: (turn: Turn) => number) => median(turns.map(value))
  const processorUs = (turns: readonly Turn[]) => [
    of(turns, ({ generatorUs }) => generatorUs),
    of(turns, ({ exchangeUs }) => exchangeUs),
    of(turns, ({ serversUs }) => serversUs),
  ]
  const rows = ['flushed', 'replicated'].map((name, at) => ({
    name,
    p50: of(open[at]!, ({ report }) => report.latencyUs.p50),
    p99: of(open[at]!, ({ report }) => report.latencyUs.p99),
    rate: of(busy[at]!, ({ report }) => report.rate),
    openUs: processorUs(open[at]!),
    busyUs: processorUs(busy[at]!),
  }))
  const processes = ['generator µs', 'exchange µs', 'servers µs']
  printTable(`Orders at ${ORDERS_PER_SECOND}/s, and processor time of one`, [
    ['durability', 'p50 ms', 'p99 ms', ...processes],
    ...rows.map(({ name, p50, p99, openUs }) => [name, p50 / 1_000, p99 / 1_000, ...openUs]),
  ])
  printTable('As many orders as each does, and processor time of one', [
    ['durability', 'orders/s', ...processes],
    ...rows.map(({ name, rate, busyUs }) => [name, rate, ...busyUs]),
  ])
  const [flushed, replicated] = rows
  return {
    p50OverFlushedMs: (replicated!.p50 - flushed!.p50) / 1_000,
    replicatedOrdersPerSecond: replicated!.rate,
    flushedOrdersPerSecond: flushed!.rate,
    exchangeMicroseconds: replicated!.openUs[1]!,
    serversMicroseconds: replicated!.openUs[2]!,
  }
}

function blockOf(journal: number, position: number, end: QuorumPoint, size: number): QuorumBlock {
  const bytes = Buffer.alloc(size, position)
  return { journal, position, previous: end.checksum, checksum: position, bytes }
}

function timed(action: () => void): number {
  const beganMs = performance.now()
  action()
  return performance.now() - beganMs
}

function flush(file: number, bytes: Uint8Array): void {
  fs.writeSync(file, bytes, 0, bytes.length)
  fs.fdatasyncSync(file)
}
