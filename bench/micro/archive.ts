/**
 * `npm run bench -- archive [--events 5000000] [--pairs 3] [--seconds 4] [--port 18380]`: how fast the
 * indexer applies a journal, over how fast a server that is kept busy by 64 connections produces
 * events: whether it keeps up, and how much faster it catches up. The two take turns. `archivistUsPerOrder`
 * is the processor time of the busy server's own indexer for an order, until it has caught up.
 */
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import type { CounterReading } from '../../src/shared/counters.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { load, Plans } from '../wire/load.ts'
import { type RingbookServer, startRingbook, temporaryFolder } from '../wire/server.ts'
import { prepared } from '../wire/turns.ts'
import { drain } from '../workloads/drain.ts'
import { EVENTS_PER_TRADE, LongHistory } from '../workloads/long-history.ts'

const CONNECTIONS = 64
const WARMUP_SECONDS = 2
const LOOK_MS = 50
/** About what a busy exchange makes in a millisecond. */
const EVENTS_PER_MS = 100

export const flags = {
  events: 5_000_000,
  pairs: 3,
  seconds: 4,
  port: 18_380,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

interface Pair {
  readonly archivedPerSecond: number
  readonly archivedPerProcessorSecond: number
  readonly producedPerSecond: number
  readonly ordersPerSecond: number
  readonly archivistUsPerOrder: number
}

export async function run(settings: Settings): Promise<BenchResult> {
  const folder = temporaryFolder()
  const plans = new Plans()
  const server = await startRingbook(settings.port, 'flushed')
  try {
    writeJournal(folder, settings.events)
    const pairs = await measure(settings, folder, server, plans)
    return result(settings, pairs, archivedBytes(folder))
  } finally {
    await server.stop()
    plans.remove()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function writeJournal(folder: string, events: number): void {
  const trades = Math.ceil(events / EVENTS_PER_TRADE)
  const spanMs = Math.ceil(events / EVENTS_PER_MS)
  new LongHistory(trades, 1, 4, Date.now() - spanMs, spanMs).writeJournal(folder)
}

async function measure(
  settings: Settings,
  folder: string,
  server: RingbookServer,
  plans: Plans,
): Promise<Pair[]> {
  const plan = await prepared(server, plans, { connections: CONNECTIONS, warmUp: WARMUP_SECONDS })
  const busy = {
    port: server.port,
    plan,
    cycle: true,
    connections: CONNECTIONS,
    require: '"orderId":',
  }
  const pairs: Pair[] = []
  for (let pair = 0; pair < settings.pairs; pair++) {
    fs.rmSync(archiveFolder(folder), { recursive: true, force: true })
    const { events, seconds, processorSeconds } = drain(folder, 1)
    // Connections that the server closed while this thread was busy are noticed before the next request.
    await delay(LOOK_MS)
    const before = await eventsOf(server)
    await caughtUp(server)
    const usedBefore = server.indexerSeconds()
    const report = await load({ ...busy, seconds: settings.seconds })
    await caughtUp(server)
    const usedSeconds = server.indexerSeconds() - usedBefore
    pairs.push({
      archivedPerSecond: events / seconds,
      archivedPerProcessorSecond: events / processorSeconds,
      producedPerSecond: ((await eventsOf(server)) - before) / report.seconds,
      ordersPerSecond: report.rate,
      archivistUsPerOrder: (usedSeconds / report.answered) * 1e6,
    })
  }
  return pairs
}

/** Events ever journaled, by the admin server. */
async function eventsOf(server: RingbookServer): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.port + 1}/counters`)
  const rows = (await answer.json()) as readonly CounterReading[]
  const events = rows.filter(({ scope, name }) => scope === 'symbol' && name === 'events')
  return events.reduce((sum, { value }) => sum + value, 0)
}

/** Resolves when the indexer of the server has archived every block. */
async function caughtUp({ port }: RingbookServer): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${port + 1}/metrics`)).text()
    const lags = metrics.match(/^ringbook_archive_lag_blocks.* (\d+)$/gm) ?? []
    if (lags.length > 0 && lags.every((line) => line.endsWith(' 0'))) return
    await delay(LOOK_MS)
  }
}

const archivedBytes = (folder: string): number =>
  fs.statSync(path.join(archiveFolder(folder), 'data.mdb')).size

function result(settings: Settings, pairs: readonly Pair[], bytes: number): BenchResult {
  const archived = median(pairs.map((pair) => pair.archivedPerSecond))
  const produced = median(pairs.map((pair) => pair.producedPerSecond))
  const orders = median(pairs.map((pair) => pair.ordersPerSecond))
  const archivistUsPerOrder = median(pairs.map((pair) => pair.archivistUsPerOrder))
  printTable(`${settings.events} events archived, and as many as a busy server produces`, [
    ['', 'events/s', 'orders/s', "indexer's µs/order"],
    ['archived', archived, '', ''],
    ['produced, flushed', produced, orders, archivistUsPerOrder],
  ])
  return {
    ratios: { archivedOverProduced: archived / produced },
    figures: {
      archivedEventsPerSecond: archived,
      // What other work on the machine changes least.
      archivedEventsPerProcessorSecond: median(
        pairs.map((pair) => pair.archivedPerProcessorSecond),
      ),
      archivistUsPerOrder,
      producedEventsPerSecond: produced,
      ordersPerSecond: orders,
      archiveBytesPerEvent: bytes / settings.events,
      events: settings.events,
      pairs: settings.pairs,
      seconds: settings.seconds,
    },
  }
}
