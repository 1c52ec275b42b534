/**
 * The snapshots' thread: at intervals, and when an operator asks, it makes a snapshot beside the running
 * exchange (agents/snapshots.ts). Only that operator waits for it, and it gives up when the exchange
 * stops. It logs why it cannot make one, and retries at the next interval: the journals have everything.
 * When the thread fails, another one takes its place (derived-worker.ts).
 */

import { receiveMessageOnPort } from 'node:worker_threads'
import { makeSnapshot } from '../agents/snapshots.ts'
import { Throttle } from '../agents/throttle.ts'
import { RealTime } from '../base/real-time.ts'
import { elapsedMs } from '../base/time.ts'
import type { Announcement } from '../market/announcement.ts'
import type { AssetSpec, SymbolSpec } from '../market/listing.ts'
import { stepBack } from './background.ts'
import { turnLoop } from './loop-turn.ts'
import { Phase } from './memory.ts'
import {
  type Attempt,
  attempted,
  noteSealedAtStart,
  oldBlocksSteps,
  refused,
  snapshotOptions,
} from './snapshot-parts.ts'
import { startedWith } from './start-gate.ts'
import type { SnapshotOrder, ThreadNews, ThreadReport, ThreadStart } from './thread-messages.ts'

const SLEEP_MS = 100
const MINUTE_MS = 60_000

const time = new RealTime()
const { port, start } = startedWith<ThreadStart>()
const report = (message: ThreadReport) => port.postMessage(message)

/** Messages of the main thread: requested snapshots, and newly listed symbols. */
class Mail {
  readonly asked: number[] = []
  private readonly knownSymbols: SymbolSpec[]
  /** What the archive counts trading volumes in. */
  valuationAsset: AssetSpec | undefined

  constructor({ symbols, valuationAsset }: ThreadStart) {
    this.knownSymbols = [...symbols]
    this.valuationAsset = valuationAsset
  }

  /** By id, all symbols that may have trades: a symbol is posted here before it is opened. */
  symbols(): readonly SymbolSpec[] {
    this.read()
    return this.knownSymbols
  }

  read(): void {
    for (let post = receiveMessageOnPort(port); post; post = receiveMessageOnPort(port)) {
      const message: SnapshotOrder | ThreadNews = post.message
      if (message.order === 'snapshot') this.asked.push(message.number)
      else for (const news of message.announcements) this.applyNews(news)
    }
  }

  private applyNews(news: Announcement): void {
    if (news.kind === 'asset' && news.isValuation) this.valuationAsset = news.asset
    if (news.kind !== 'listing') return
    const { symbol } = news.listed
    // A thread that began after the action has it already.
    if (symbol.id === this.knownSymbols.length) this.knownSymbols.push(symbol)
  }
}

await run(start)

async function run(start: ThreadStart): Promise<void> {
  const { config, regions } = start
  // Threads that serve clients go first (bench `recovery`).
  report({ report: 'ready', thread: stepBack() })
  const phase = new Int32Array(regions.phase)
  const goesOn = () => Atomics.load(phase, 0) < Phase.STOPPING
  const mail = new Mail(start)
  noteSealedAtStart(start)
  const parts = {
    symbols: () => mail.symbols(),
    valuationAsset: () => mail.valuationAsset,
    clock: time,
  }
  let dueMs = elapsedMs(time) + config.snapshotMinutes * MINUTE_MS
  while (goesOn()) {
    time.wait(phase, 0, Atomics.load(phase, 0), SLEEP_MS)
    await turnLoop(time)
    mail.read()
    const asked = mail.asked.splice(0)
    if (elapsedMs(time) < dueMs && asked.length === 0) continue
    const outcome = attempt(start, mail, goesOn)
    report({ report: 'degraded', why: 'refused' in outcome ? outcome.refused : undefined })
    for (const number of asked) report({ report: 'applied', number, ...outcome })
    for (const _ of oldBlocksSteps(start, { ...parts, goesOn: throttled(goesOn) }, report));
    dueMs = elapsedMs(time) + config.snapshotMinutes * MINUTE_MS
  }
  report({ report: 'stopped' })
}

function attempt(start: ThreadStart, mail: Mail, isWanted: () => boolean): Attempt {
  const beganMs = elapsedMs(time)
  try {
    const options = snapshotOptions(start, () => mail.symbols(), report)
    const made = makeSnapshot({ ...options, goesOn: throttled(isWanted) })
    return attempted(made, elapsedMs(time) - beganMs, report)
  } catch (error) {
    return refused(error, report)
  }
}

function throttled(isWanted: () => boolean): () => boolean {
  const throttle = new Throttle(time)
  return () => {
    throttle.tread()
    return isWanted()
  }
}
