/**
 * `npm run bench -- fanout [--seconds 3] [--pairs 2] [--readers 1,100,1000,10000] [--sbe-pairs 2]
 * [--stalled-pairs 3] [--port 18380]`: how many frames of trades reach the readers of a stream while 64 connections are kept
 * busy with orders, beside a bare uWebSockets.js server that publishes the same frames on the same
 * requests, by turns. Meanwhile polite clients ask for the depth, and place orders, a hundred times a second:
 * their p99, beside that without readers.
 *
 * The same with readers in SBE, whose messages have all trades of an execution: processor time for each trade and
 * reader, and bytes of a trade, over those of JSON.
 *
 * A reader that the server closes as slow counts until then: figures say how many were.
 *
 * Then, at fixed rates of orders: how long after the engine's time a frame is with its readers, beside
 * bare publishing; what polite clients wait then; and whether a reader that has stopped reading changes it
 * for the others. Times of the engine are whole milliseconds.
 */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { type LoadReport, load, Plans, runLoad } from './load.ts'
import { type BenchServer, type RingbookServer, startPublisher, startRingbook } from './server.ts'
import { depthPlan, FILL_SHARE, namedPlan, restingPlan, tradingPlan } from './workload.ts'

const STREAM = '/ws/btcusdt@trade'
const SBE_STREAM = '/sbe/ws/btcusdt@trade'
/** Where a message of trades has the time of its execution. */
const SBE_TIME_AT = 16
const RESTING_ORDERS = 2_000
const TRADING_ROUNDS = 2_500
const ORDER_CONNECTIONS = 64
const RECORDED_FRAMES = 3_000
/** From the last reader's connection to the first order; readers count from a moment before it. */
const QUIET_SECONDS = 1.5
const UNCOUNTED_SECONDS = 1
/** Readers count for so long after the last order: frames may be late, but must come. */
const LATE_SECONDS = 4
/** Requests per second of each polite client, on connections that others do not share. */
const POLITE = { rate: 100, connections: 8 }
/** What the generator prints of a reader that the server closed, since too much waited for it. */
const CLOSED = 'the server closed a connection'
/** Orders per second and readers of the two measurements of latency. */
const LIGHT = { rate: 100, readers: 1_000 }
const STALLED = { rate: 6_000, readers: 20, seconds: 8 }

export const flags = {
  seconds: 3,
  pairs: 2,
  readers: [1, 100, 1000, 10_000],
  sbePairs: { usual: 2, mayBeZero: true },
  stalledPairs: { usual: 3, mayBeZero: true },
  port: 18_380,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

interface Bench {
  readonly settings: Settings
  readonly plans: Plans
  readonly ours: RingbookServer
  /** An Ed25519 key, for readers in SBE. */
  readonly key: string
  /** What readers ask for once, the orders that go round, and what polite clients send. */
  readonly listening: string
  readonly trading: string
  readonly depth: string
  /** Orders named by the number of the turn. */
  readonly named: (turn: number) => string
}

/** What one turn gave. */
interface Turn {
  /** Undefined without readers. */
  readonly readers: LoadReport | undefined
  /** Frames that reached readers, for each second in which orders came. */
  readonly rate: number
  readonly closedReaders: number
  readonly depthP99Us: number
  readonly orderP99Us: number
  /** Server's processor time for each frame and reader, µs, whether the reader was quick enough to count it or not. */
  readonly cpuUs: number
}

export async function run(settings: Settings): Promise<BenchResult> {
  // Well above zero, something else ran on the machine, and the figures are worth little.
  const loadAverageBefore = os.loadavg()[0]!
  const plans = new Plans()
  const servers: BenchServer[] = []
  try {
    let data = ''
    const ours = await startRingbook(settings.port, 'flushed', (folder) => {
      data = folder
    })
    servers.push(ours)
    const key = await createKey(data, settings.port + 1)
    const listening = plans.write('listen', '{"method":"LIST_SUBSCRIPTIONS","id":1}\n')
    const trading = plans.write('trading', tradingPlan(ours.accounts, TRADING_ROUNDS))
    const resting = plans.write('resting', restingPlan(ours.accounts, RESTING_ORDERS))
    await load({ port: ours.port, plan: resting, seconds: 60 })
    const depth = plans.write('depth', depthPlan())
    const politeOrders = POLITE.rate * (settings.seconds + 1)
    const named = (turn: number) =>
      plans.write('named', namedPlan(ours.accounts, `polite${turn}`, politeOrders))
    const bench = { settings, plans, ours, key, listening, trading, depth, named }
    const bare = await startPublisher(settings.port + 10, await recordedFrames(bench))
    servers.push(bare)
    const { ratios, figures } = await measure(bench, bare)
    return { ratios, figures: { ...figures, loadAverageBefore } }
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()))
    plans.remove()
  }
}

/** Resolves to an Ed25519 key that the operator creates for the maker. */
async function createKey(data: string, adminPort: number): Promise<string> {
  const { publicKey } = generateKeyPairSync('ed25519')
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
  const token = readFileSync(path.join(data, 'operator-token'), 'utf8').trim()
  const response = await fetch(`http://127.0.0.1:${adminPort}/actions/key-create`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ account: 'maker', kind: 'ED25519', 'public-key': pem }),
  })
  const { rows } = (await response.json()) as { rows: readonly { apiKey: string }[] }
  return rows[0]!.apiKey
}

/** Bytes of a trade on one reader's connection, in either encoding. */
async function bytesOfTrade({
  ours,
  key,
  trading,
}: Bench): Promise<Record<'json' | 'sbe', number>> {
  const bytes = { json: 0, sbe: 0 }
  let trades = 0
  const headers = { 'X-MBX-APIKEY': key }
  const sockets = [STREAM, SBE_STREAM].map(
    (stream) => new WebSocket(`ws://127.0.0.1:${ours.port}${stream}`, { headers }),
  )
  for (const socket of sockets) {
    socket.on('message', (data: Buffer, isBinary) => {
      bytes[isBinary ? 'sbe' : 'json'] += data.length
      if (!isBinary) trades++
    })
  }
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  await load({ port: ours.port, plan: trading, cycle: true, seconds: 1 })
  await delay(500)
  for (const socket of sockets) socket.terminate()
  return { json: bytes.json / trades, sbe: bytes.sbe / trades }
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
  const heads = ['readers', 'ours/s', 'bare/s', 'ratio', 'CPU ratio', 'depth', 'order', 'bare']
  const rows: (string | number)[][] = [heads]
  for (const readers of [0, ...settings.readers]) {
    const turns = { ours: [] as Turn[], bare: [] as Turn[] }
    for (let pair = 0; pair < settings.pairs; pair++) {
      turns.ours.push(await takeTurn(bench, ours, { readers }))
      turns.bare.push(await takeTurn(bench, bare, { readers }))
    }
    const of = (figure: (turn: Turn) => number) => [
      median(turns.ours.map(figure)),
      median(turns.bare.map(figure)),
    ]
    const [oursRate = 0, bareRate = 0] = of(({ rate }) => rate)
    const [oursCpuUs = 0, bareCpuUs = 0] = of(({ cpuUs }) => cpuUs)
    const [closed = 0, bareClosed = 0] = of(({ closedReaders }) => closedReaders)
    const [lagP99Us = 0, bareLagP99Us = 0] = of((turn) => turn.readers?.latencyUs.p99 ?? 0)
    const [depthP99Us = 0, barePoliteP99Us = 0] = of((turn) => turn.depthP99Us)
    const [orderP99Us = 0] = of((turn) => turn.orderP99Us)
    rows.push([
      ...[String(readers), oursRate, bareRate, oursRate / bareRate, bareCpuUs / oursCpuUs],
      ...[depthP99Us, orderP99Us, barePoliteP99Us],
    ])
    const polite = { depthP99Us, orderP99Us, barePoliteP99Us }
    for (const [name, value] of Object.entries(polite)) figures[`${name}${readers}`] = value
    if (readers === 0) continue
    figures[`oursPerSecond${readers}`] = oursRate
    figures[`barePerSecond${readers}`] = bareRate
    figures[`over${readers}`] = oursRate / bareRate
    figures[`cpuUs${readers}`] = oursCpuUs
    figures[`bareCpuUs${readers}`] = bareCpuUs
    figures[`closedReaders${readers}`] = closed
    figures[`bareClosedReaders${readers}`] = bareClosed
    figures[`lagP99Us${readers}`] = lagP99Us
    figures[`bareLagP99Us${readers}`] = bareLagP99Us
    // The ratio that counts is that of the most readers.
    ratios.deliveriesOverBare = oursRate / bareRate
  }
  printTable('frames delivered, 64 connections kept busy with orders; p99 in µs of others', rows)
  const inSbe = settings.sbePairs > 0 ? await besideSbe(bench) : undefined
  const light = await lightly(bench, bare)
  const stalled = settings.stalledPairs > 0 ? await besideStalled(bench) : undefined
  return {
    ratios: {
      ...ratios,
      lightP50OverBare: light.engineToSocketP50Us / light.bareToSocketP50Us,
      ...inSbe?.ratios,
      ...(stalled && { stalledP99Ratio: stalled.besideP99Us / stalled.aloneP99Us }),
    },
    figures: {
      ...figures,
      ...light,
      ...inSbe?.figures,
      ...stalled,
      seconds: settings.seconds,
      pairs: settings.pairs,
      machine: `${os.cpus()[0]?.model.trim()} × ${os.cpus().length}`,
      node: process.version,
    },
  }
}

/** Readers in SBE by turns with readers in JSON, as many as most. */
async function besideSbe(bench: Bench): Promise<BenchResult> {
  const { settings, ours } = bench
  const readers = Math.max(...settings.readers)
  const turns = { json: [] as Turn[], sbe: [] as Turn[] }
  for (let pair = 0; pair < settings.sbePairs; pair++) {
    turns.json.push(await takeTurn(bench, ours, { readers }))
    turns.sbe.push(await takeTurn(bench, ours, { readers, isSbe: true }))
  }
  const cpuUs = (of: readonly Turn[]) => median(of.map((turn) => turn.cpuUs))
  const lagP99Us = (of: readonly Turn[]) => median(of.map((turn) => turn.readers!.latencyUs.p99))
  const bytes = await bytesOfTrade(bench)
  const heads = ['', 'CPU µs a trade and reader', 'lag p99 µs', 'bytes a trade']
  printTable(`${readers} readers in either encoding`, [
    heads,
    ['JSON', cpuUs(turns.json), lagP99Us(turns.json), bytes.json],
    ['SBE', cpuUs(turns.sbe), lagP99Us(turns.sbe), bytes.sbe],
  ])
  return {
    ratios: {
      sbeCpuOverJson: cpuUs(turns.sbe) / cpuUs(turns.json),
      sbeBytesOverJson: bytes.sbe / bytes.json,
    },
    figures: {
      sbeCpuUs: cpuUs(turns.sbe),
      jsonCpuUs: cpuUs(turns.json),
      sbeLagP99Us: lagP99Us(turns.sbe),
    },
  }
}

/** At a hundred orders per second. */
async function lightly(bench: Bench, bare: BenchServer) {
  const { ours, settings } = bench
  const [quiet, read, bareRead] = [[] as Turn[], [] as Turn[], [] as Turn[]]
  for (let pair = 0; pair < settings.pairs; pair++) {
    quiet.push(await takeTurn(bench, ours, { ...LIGHT, readers: 0 }))
    read.push(await takeTurn(bench, ours, LIGHT))
    bareRead.push(await takeTurn(bench, bare, LIGHT))
  }
  const of = (turns: readonly Turn[], figure: (turn: Turn) => number) => median(turns.map(figure))
  const p50 = ({ readers }: Turn) => readers!.latencyUs.p50
  const p99 = ({ readers }: Turn) => readers!.latencyUs.p99
  const figures = {
    engineToSocketP50Us: of(read, p50),
    engineToSocketP99Us: of(read, p99),
    bareToSocketP50Us: of(bareRead, p50),
    bareToSocketP99Us: of(bareRead, p99),
    lightDepthP99Us: of(read, (turn) => turn.depthP99Us),
    lightDepthP99UsAlone: of(quiet, (turn) => turn.depthP99Us),
    lightOrderP99Us: of(read, (turn) => turn.orderP99Us),
    lightOrderP99UsAlone: of(quiet, (turn) => turn.orderP99Us),
  }
  printTable(`${LIGHT.readers} readers, ${LIGHT.rate} orders/s`, [
    ['', 'p50 µs', 'p99 µs'],
    ['from the engine to the reader', figures.engineToSocketP50Us, figures.engineToSocketP99Us],
    ['the same of bare publishing', figures.bareToSocketP50Us, figures.bareToSocketP99Us],
    ['depth, polite client', '', figures.lightDepthP99Us],
    ['the same without readers', '', figures.lightDepthP99UsAlone],
    ['order, polite client', '', figures.lightOrderP99Us],
    ['the same without readers', '', figures.lightOrderP99UsAlone],
  ])
  return figures
}

async function besideStalled(bench: Bench) {
  const { port } = bench.ours
  const alone: LoadReport[] = []
  const beside: LoadReport[] = []
  for (let pair = 0; pair < bench.settings.stalledPairs; pair++) {
    alone.push(await deliver(bench, port, STALLED))
    beside.push(await deliver(bench, port, { ...STALLED, stalled: 1 }))
  }
  const p99 = (reports: readonly LoadReport[]) => median(reports.map((it) => it.latencyUs.p99))
  const [aloneP99Us, besideP99Us] = [p99(alone), p99(beside)]
  printTable('from the engine to the reader', [
    ['', 'p99 µs'],
    [`${STALLED.readers} readers, ${STALLED.rate} orders/s`, aloneP99Us],
    ['the same beside one that stalled', besideP99Us],
  ])
  return { aloneP99Us, besideP99Us }
}

let turnsTaken = 0

/** A turn with polite clients. */
async function takeTurn(bench: Bench, server: BenchServer, delivery: Delivery): Promise<Turn> {
  const { settings, depth } = bench
  const { port } = server
  const seconds = delivery.seconds ?? settings.seconds
  const named = bench.named(turnsTaken++)
  const [readers, [depths, orders, cpuSeconds], trading] = await deliverWhile(
    bench,
    port,
    delivery,
    () =>
      Promise.all([
        load({ port, plan: depth, cycle: true, seconds, ...POLITE }),
        load({ port, plan: named, seconds, ...POLITE }),
        processorSeconds(server, seconds + LATE_SECONDS - QUIET_SECONDS),
      ]),
  )
  // The bare server publishes whatever it is asked for.
  const asked = server === bench.ours ? 0 : depths.answered + orders.answered
  const deliveries = delivery.readers * (1 - FILL_SHARE) * (trading.answered + asked)
  return {
    readers,
    rate: (readers?.answered ?? 0) / seconds,
    closedReaders: readers?.errors ?? 0,
    depthP99Us: depths.latencyUs.p99,
    orderP99Us: orders.latencyUs.p99,
    cpuUs: (cpuSeconds * 1e6) / deliveries,
  }
}

/** What the server uses in so many seconds from now on. */
async function processorSeconds(server: BenchServer, seconds: number): Promise<number> {
  const before = server.processorSeconds()
  await delay(1_000 * seconds)
  return server.processorSeconds() - before
}

interface Delivery {
  readonly readers: number
  /** Orders per second; as many as can be when left out. */
  readonly rate?: number
  readonly seconds?: number
  readonly stalled?: number
  readonly isSbe?: boolean
}

/** What so many readers are sent while orders come. */
async function deliver(bench: Bench, port: number, delivery: Delivery): Promise<LoadReport> {
  const [report] = await deliverWhile(bench, port, delivery, async () => {})
  return report!
}

/** Returns what readers are sent, undefined for no readers, with what came of `meanwhile`, and of the orders. */
async function deliverWhile<Result>(
  bench: Bench,
  port: number,
  delivery: Delivery,
  meanwhile: () => Promise<Result>,
): Promise<[LoadReport | undefined, Result, LoadReport]> {
  const { readers, rate, stalled = 0, seconds = bench.settings.seconds, isSbe } = delivery
  const stream = isSbe
    ? { websocket: SBE_STREAM, key: bench.key, micros: SBE_TIME_AT }
    : { websocket: STREAM, clock: '"T":' }
  const listening =
    readers === 0
      ? undefined
      : runLoad({
          port,
          plan: bench.listening,
          ...stream,
          listen: true,
          connections: readers,
          seconds: QUIET_SECONDS - UNCOUNTED_SECONDS + seconds + LATE_SECONDS,
          warmup: UNCOUNTED_SECONDS,
          ...(stalled > 0 ? { stalled } : {}),
        })
  if (listening !== undefined) {
    await Promise.race([connected(port, readers + stalled), listening])
    await delay(1_000 * QUIET_SECONDS)
  }
  const ordering = load({
    port,
    plan: bench.trading,
    cycle: true,
    connections: ORDER_CONNECTIONS,
    seconds,
    require: '"orderId":',
    ...(rate === undefined ? {} : { rate }),
  })
  const [result, trading] = await Promise.all([meanwhile(), ordering])
  const report = await listening
  const errorTexts = report?.errorTexts ?? []
  // Frames that come faster than one processor reads them fill the readers' buffers.
  if (errorTexts.some((text) => rate !== undefined || text !== CLOSED)) {
    throw new Error(`readers met: ${errorTexts.join(' | ')}`)
  }
  return [report, result, trading]
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
