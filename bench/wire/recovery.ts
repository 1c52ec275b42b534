/**
 * `npm run bench -- recovery [--events 10000000] [--rate 1000] [--seconds 1] [--pairs 60] [--port 18540]`:
 * a journal of so many events is applied on this one thread, as a matcher's recovery applies it; a snapshot
 * is made that covers all of it; an exchange is started with it; and orders are sent at a fixed rate,
 * in turns with and without the whole journal being applied beside them without end, as a snapshot is
 * made of it, by a process scheduled as the exchange's own thread is, which has applied for a while before and
 * stands still in the turns without. The archive is brought up to date before the start, as it is when the
 * exchange was killed; after a power loss it is applied again, which this does not measure.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { Indexer } from '../../src/agents/indexer.ts'
import { replay } from '../../src/agents/replay.ts'
import { makeSnapshot, RecoveredSymbol, type SnapshotOptions } from '../../src/agents/snapshots.ts'
import { ASSETS_MAX } from '../../src/base/limits.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { settings } from '../../src/config/config.ts'
import type { Registry } from '../../src/control/registry.ts'
import { EffectSums } from '../../src/core/ledger/effect-sums.ts'
import { OrderListIds } from '../../src/core/matching/order-list-ids.ts'
import { journalsIn, openMerge } from '../../src/journal/recovery.ts'
import { LinuxScheduler } from '../../src/workers/background.ts'
import { BACKGROUND_NICENESS } from '../../src/workers/hosting.ts'
import { raiseInliningBudget } from '../../src/workers/optimizer.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import {
  type BenchResult,
  median,
  type PairedRatio,
  pairedRatio,
  printTable,
} from '../harness/report.ts'
import { ACCOUNTS_MAX, type JournaledDay, journalDay, shapeOf } from '../workloads/journaled-day.ts'
import { load, Plans } from './load.ts'
import { type RingbookServer, startRingbook } from './server.ts'
import { tradingPlan } from './workload.ts'

const TRADING_ROUNDS = 2500
const CONNECTIONS = 8
const WARMUP_SECONDS = 5
const VALUATION_ASSET = settings.valuationAsset.default

export const flags = {
  events: 10_000_000,
  rate: 1000,
  seconds: 1,
  pairs: 60,
  port: 18_540,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

/** What was measured before the exchange was started. */
interface Prepared {
  readonly day: JournaledDay
  readonly replayedPerSecond: number
  readonly replayedPerProcessorSecond: number
  readonly snapshotSeconds: number
  readonly snapshotBytes: number
  readonly archiveSeconds: number
  /** When all was there, performance.now(). */
  readonly readyMs: number
}

export async function run(settings: Settings): Promise<BenchResult> {
  raiseInliningBudget()
  const plans = new Plans()
  let prepared: Prepared | undefined
  let data = ''
  let server: RingbookServer | undefined
  try {
    server = await startRingbook(settings.port, 'flushed', (folder) => {
      data = folder
      prepared = prepare(folder, settings.events)
    })
    const startSeconds = (performance.now() - prepared!.readyMs) / 1000
    const plan = plans.write('trading', tradingPlan(server.accounts, TRADING_ROUNDS))
    const orders = await measureOrders(settings, data, plan)
    return result(settings, prepared!, startSeconds, orders)
  } finally {
    await server?.stop()
    plans.remove()
  }
}

export const snapshotOptions = (data: string, { symbols }: Registry): SnapshotOptions => ({
  dataFolder: data,
  symbols: () => symbols,
  accountsMax: ACCOUNTS_MAX,
  shapeOf,
  idSalt: 0,
  kept: 1,
  goesOn: () => true,
  log: (sentence) => process.stderr.write(`${sentence}\n`),
})

function prepare(data: string, events: number): Prepared {
  const day = journalDay(data, events)
  const replayed = measureReplay(data, day)
  let beganMs = performance.now()
  const made = makeSnapshot(snapshotOptions(data, day.registry))
  if (made?.covered.events !== day.events) throw new Error('the snapshot covers something else')
  const snapshotSeconds = (performance.now() - beganMs) / 1000
  beganMs = performance.now()
  archive(data, day.registry)
  const readyMs = performance.now()
  const archiveSeconds = (readyMs - beganMs) / 1000
  const { bytes: snapshotBytes } = made
  return { day, ...replayed, snapshotSeconds, snapshotBytes, archiveSeconds, readyMs }
}

/** Applies the journal once, cold, as a start does. */
function measureReplay(data: string, { registry, events, restingOrders }: JournaledDay) {
  const { symbols } = registry
  const orderListIds = new OrderListIds(new SharedArrayBuffer(OrderListIds.bytes))
  const options = snapshotOptions(data, registry)
  const recovering = symbols.map((spec) => new RecoveredSymbol(spec, options, orderListIds))
  const sums = new EffectSums(ACCOUNTS_MAX, ASSETS_MAX)
  const merge = openMerge(data, journalsIn(data))
  const usageBefore = process.cpuUsage()
  const beganMs = performance.now()
  const replayed = replay({ merge, recovering, symbols, sums })
  const seconds = (performance.now() - beganMs) / 1000
  const { user, system } = process.cpuUsage(usageBefore)
  merge.close()
  const isSame = recovering[0]!.state.book.orderCount === restingOrders
  if (replayed.events !== events || !isSame) throw new Error('the replay came to something else')
  return {
    replayedPerSecond: events / seconds,
    replayedPerProcessorSecond: (events * 1e6) / (user + system),
  }
}

function archive(data: string, registry: Registry): void {
  const archived = new BigInt64Array(new SharedArrayBuffer(8))
  // What volumes are counted in is the demo exchange's, or the archive would be applied again.
  const { symbols, assets } = registry
  const assetId = assets.find(({ name }) => name === VALUATION_ASSET)!.id
  const valuation = { symbols, assetId }
  const time = new RealTime()
  const options = { time, dataFolder: data, matchers: 1, archived, valuation, log: () => {} }
  const indexer = new Indexer(options)
  while (indexer.doWork() > 0);
  indexer.close()
}

interface OrderTimes {
  /** Median p99 of the turns, µs. */
  readonly alone: number
  readonly beside: number
  readonly slowdown: PairedRatio
}

async function measureOrders(settings: Settings, data: string, plan: string): Promise<OrderTimes> {
  const { port, rate, seconds, pairs } = settings
  const busy = { port, plan, cycle: true, connections: CONNECTIONS, rate, seconds, warmup: 0.25 }
  const alone: number[] = []
  const beside: number[] = []
  await load({ ...busy, seconds: WARMUP_SECONDS })
  const peer = startPeer(data)
  const exited = once(peer, 'exit')
  try {
    await once(peer, 'message')
    // As the exchange's own is, where that is possible.
    const scheduler = new LinuxScheduler()
    await scheduler.probe().then(
      () => scheduler.give(peer.pid!, 'idle'),
      () => {},
    )
    const turns = [
      ['SIGSTOP', alone],
      ['SIGCONT', beside],
    ] as const
    for (let pair = 0; pair < pairs; pair++) {
      for (const [signal, p99s] of pair % 2 === 0 ? turns : turns.toReversed()) {
        peer.kill(signal)
        p99s.push((await load(busy)).latencyUs.p99)
      }
    }
  } finally {
    // One that stands still would otherwise stay.
    peer.kill('SIGKILL')
    await exited
  }
  return { alone: median(alone), beside: median(beside), slowdown: pairedRatio(beside, alone) }
}

/** Applies the journals from their beginning, again and again, until it is killed. */
function startPeer(data: string): ChildProcess {
  const file = path.join(import.meta.dirname, 'recovery-peer.js')
  const peer = spawn(process.execPath, [file, data], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  os.setPriority(peer.pid!, BACKGROUND_NICENESS)
  return peer
}

function result(
  settings: Settings,
  prepared: Prepared,
  startSeconds: number,
  orders: OrderTimes,
): BenchResult {
  const { day, readyMs: _, ...measured } = prepared
  const { events, blocks, trades, restingOrders } = day
  printTable(`${events.toLocaleString('en-US')} journaled events`, [
    ['', ''],
    ['replayed events/s', measured.replayedPerSecond],
    ['replayed events per processor second', measured.replayedPerProcessorSecond],
    ['snapshot from nothing, s', measured.snapshotSeconds],
    ['snapshot, bytes', measured.snapshotBytes],
    ['start with it, s', startSeconds],
    ['order p99 alone, µs', orders.alone],
    ['order p99 beside a snapshot, µs', orders.beside],
  ])
  return {
    ratios: { orderP99WhileSnapshot: orders.slowdown.ratio },
    figures: {
      ...measured,
      startSeconds,
      orderP99AloneUs: orders.alone,
      orderP99BesideUs: orders.beside,
      orderP99WhileSnapshotLow: orders.slowdown.low,
      orderP99WhileSnapshotHigh: orders.slowdown.high,
      events,
      blocks,
      trades,
      restingOrders,
      rate: settings.rate,
      seconds: settings.seconds,
      pairs: settings.pairs,
    },
  }
}
