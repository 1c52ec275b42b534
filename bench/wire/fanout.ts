/**
 * `npm run bench -- fanout [--seconds 3] [--pairs 2] [--readers 1,100,1000,10000] [--port 18380]`: how
 * many frames of trades reach the readers of a stream while 64 connections are kept busy with orders,
 * beside a bare uWebSockets.js server that publishes the same frames on the same requests, by turns.
 * Then, at fixed rates of orders: how long after the engine's time a frame is with its readers, and
 * whether a reader that has stopped reading changes that for the others. Times of the engine are
 * whole milliseconds.
 */
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { type LoadReport, load, Plans, runLoad } from './load.ts'
import { type BenchServer, type RingbookServer, startPublisher, startRingbook } from './server.ts'
import { restingPlan, tradingPlan } from './workload.ts'

const STREAM = '/ws/btcusdt@trade'
const RESTING_ORDERS = 2_000
const TRADING_ROUNDS = 2_500
const ORDER_CONNECTIONS = 64
const RECORDED_FRAMES = 3_000
const WARMUP_SECONDS = 1
/** Orders per second and readers of the two measurements of latency. */
const LIGHT = { rate: 100, readers: 1_000 }
const STALLED = { rate: 6_000, readers: 20, seconds: 8, pairs: 3 }

export const flags = {
  seconds: 3,
  pairs: 2,
  readers: [1, 100, 1000, 10_000],
  port: 18_380,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

interface Bench {
  readonly settings: Settings
  readonly plans: Plans
  readonly ours: RingbookServer
  /** What readers ask for once, and the orders that go round. */
  readonly listening: string
  readonly trading: string
}

export async function run(settings: Settings): Promise<BenchResult> {
  // Well above zero, something else ran on the machine, and the figures are worth little.
  const loadAverageBefore = os.loadavg()[0]!
  const plans = new Plans()
  const servers: BenchServer[] = []
  try {
    const ours = await startRingbook(settings.port, 'flushed')
    servers.push(ours)
    const listening = plans.write('listen', '{"method":"LIST_SUBSCRIPTIONS","id":1}\n')
    const trading = plans.write('trading', tradingPlan(ours.accounts, TRADING_ROUNDS))
    const resting = plans.write('resting', restingPlan(ours.accounts, RESTING_ORDERS))
    await load({ port: ours.port, plan: resting, seconds: 60 })
    const bench = { settings, plans, ours, listening, trading }
    const bare = await startPublisher(settings.port + 10, await recordedFrames(bench))
    servers.push(bare)
    const { ratios, figures } = await measure(bench, bare)
    return { ratios, figures: { ...figures, loadAverageBefore } }
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()))
    plans.remove()
  }
}

/** The file of the first frames that one reader is sent. */
async function recordedFrames({ ours, trading, plans }: Bench): Promise<string> {
  const frames: string[] = []
  const socket = new WebSocket(`ws://127.0.0.1:${ours.port}${STREAM}`)
  socket.on('message', (data) => frames.push(String(data)))
  await new Promise((resolve) => socket.once('open', resolve))
  while (frames.length < RECORDED_FRAMES) {
    await load({ port: ours.port, plan: trading, cycle: true, seconds: 1 })
  }
  socket.terminate()
  return plans.write('frames', frames.slice(0, RECORDED_FRAMES).join('\n'))
}

async function measure(bench: Bench, bare: BenchServer): Promise<BenchResult> {
  const { settings, ours } = bench
  const ratios: Record<string, number> = {}
  const figures: Record<string, number | string> = {}
  const rows: (string | number)[][] = [['readers', 'ours/s', 'bare/s', 'ratio', 'reader busy']]
  for (const readers of settings.readers) {
    const turns = { ours: [] as LoadReport[], bare: [] as LoadReport[] }
    for (let pair = 0; pair < settings.pairs; pair++) {
      turns.ours.push(await deliver(bench, ours.port, { readers }))
      turns.bare.push(await deliver(bench, bare.port, { readers }))
    }
    const oursRate = median(turns.ours.map(({ rate }) => rate))
    const bareRate = median(turns.bare.map(({ rate }) => rate))
    const busy = median(turns.ours.map(({ processorShare }) => processorShare))
    rows.push([String(readers), oursRate, bareRate, oursRate / bareRate, busy])
    figures[`oursPerSecond${readers}`] = oursRate
    figures[`barePerSecond${readers}`] = bareRate
    figures[`over${readers}`] = oursRate / bareRate
    // The ratio that counts is that of the most readers.
    ratios.deliveriesOverBare = oursRate / bareRate
  }
  printTable('frames delivered, 64 connections kept busy with orders', rows)
  const latency = await latencies(bench)
  return {
    ratios: { ...ratios, stalledP99Ratio: latency.stalledP99Ratio },
    figures: {
      ...figures,
      ...latency,
      seconds: settings.seconds,
      pairs: settings.pairs,
      machine: `${os.cpus()[0]?.model.trim()} × ${os.cpus().length}`,
      node: process.version,
    },
  }
}

async function latencies(bench: Bench) {
  const { port } = bench.ours
  const light = await deliver(bench, port, LIGHT)
  const alone: LoadReport[] = []
  const beside: LoadReport[] = []
  for (let pair = 0; pair < STALLED.pairs; pair++) {
    alone.push(await deliver(bench, port, STALLED))
    beside.push(await deliver(bench, port, { ...STALLED, stalled: 1 }))
  }
  const p99 = (reports: readonly LoadReport[]) => median(reports.map((it) => it.latencyUs.p99))
  const [aloneP99Us, besideP99Us] = [p99(alone), p99(beside)]
  printTable('from the engine to the reader', [
    ['', 'p50 µs', 'p99 µs'],
    [`${LIGHT.readers} readers, ${LIGHT.rate} orders/s`, light.latencyUs.p50, light.latencyUs.p99],
    [`${STALLED.readers} readers, ${STALLED.rate} orders/s`, '', aloneP99Us],
    ['the same beside one that stalled', '', besideP99Us],
  ])
  return {
    engineToSocketP50Us: light.latencyUs.p50,
    engineToSocketP99Us: light.latencyUs.p99,
    aloneP99Us,
    besideP99Us,
    stalledP99Ratio: besideP99Us / aloneP99Us,
  }
}

interface Delivery {
  readonly readers: number
  /** Orders per second; as many as can be when left out. */
  readonly rate?: number
  readonly seconds?: number
  readonly stalled?: number
}

/** What so many readers are sent while orders come. */
async function deliver(bench: Bench, port: number, delivery: Delivery): Promise<LoadReport> {
  const { readers, rate, stalled = 0, seconds = bench.settings.seconds } = delivery
  const listening = runLoad({
    port,
    plan: bench.listening,
    websocket: STREAM,
    listen: true,
    clock: '"T":',
    connections: readers,
    seconds,
    warmup: WARMUP_SECONDS,
    ...(stalled > 0 ? { stalled } : {}),
  })
  await Promise.race([connected(port, readers + stalled), listening])
  await load({
    port,
    plan: bench.trading,
    cycle: true,
    connections: ORDER_CONNECTIONS,
    seconds: WARMUP_SECONDS + seconds + 1,
    require: '"orderId":',
    ...(rate === undefined ? {} : { rate }),
  })
  const report = await listening
  if (report.errors > 0) throw new Error(`readers met: ${report.errorTexts.join(' | ')}`)
  return report
}

/** Resolves when so many connections to the port stand, by Linux's table of them. */
async function connected(port: number, count: number): Promise<void> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const isOurs = (line: string) => {
    const [, at = '', , state] = line.trim().split(/\s+/)
    return at.endsWith(local) && state === '01'
  }
  while (readFileSync('/proc/net/tcp', 'utf8').split('\n').filter(isOurs).length < count) {
    await delay(50)
  }
}
