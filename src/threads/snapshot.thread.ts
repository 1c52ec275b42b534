/**
 * The snapshots' thread: at intervals, and when an operator asks, it makes a snapshot beside the running
 * exchange (agents/snapshots.ts). Only that operator waits for it, and it gives up when the exchange
 * stops. It logs why it cannot make one, and retries at the next interval: the journals have everything.
 * When the thread fails, another one takes its place (derived-worker.ts).
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import { bookShape } from '../agents/book-memory.ts'
import { noteSealed, sealSegment } from '../agents/compactor.ts'
import { Pace } from '../agents/pace.ts'
import { coveredByAll, type MadeSnapshot, makeSnapshot } from '../agents/snapshots.ts'
import { AssertionError } from '../base/assert.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { Announcement } from '../market/announcement.ts'
import type { SymbolSpec } from '../market/listing.ts'
import { stepBack } from './background.ts'
import { turnLoop } from './loop-turn.ts'
import { Phase } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { SnapshotOrder, ThreadNews, ThreadReport, ThreadStart } from './thread-messages.ts'

const SLEEP_MS = 100
const MINUTE_MS = 60_000

const { port, start } = startedWith<ThreadStart>()
const report = (message: ThreadReport) => port.postMessage(message)

/** Messages of the main thread: requested snapshots, and newly listed symbols. */
class Mail {
  readonly asked: number[] = []
  readonly #symbols: SymbolSpec[]

  constructor(symbols: readonly SymbolSpec[]) {
    this.#symbols = [...symbols]
  }

  /** By id, all symbols that may have trades: a symbol is posted here before it is opened. */
  symbols(): readonly SymbolSpec[] {
    this.read()
    return this.#symbols
  }

  read(): void {
    for (let post = receiveMessageOnPort(port); post; post = receiveMessageOnPort(port)) {
      const message: SnapshotOrder | ThreadNews = post.message
      if (message.order === 'snapshot') this.asked.push(message.number)
      else for (const news of message.announcements) this.#applyNews(news)
    }
  }

  #applyNews(news: Announcement): void {
    if (news.kind !== 'listing') return
    const { symbol } = news.listed
    // A thread that began after the action has it already.
    if (symbol.id === this.#symbols.length) this.#symbols.push(symbol)
  }
}

await run(start)

async function run(start: ThreadStart): Promise<void> {
  const { config, regions } = start
  // Threads that serve clients go first (bench `recovery`).
  report({ report: 'ready', thread: stepBack() })
  const phase = new Int32Array(regions.phase)
  const goesOn = () => Atomics.load(phase, 0) < Phase.STOPPING
  const mail = new Mail(start.symbols)
  if (config.journalKept === 'snapshots') {
    for (const [matcher, memory] of regions.wals.entries()) {
      noteSealed(config.data, matcher, new WalCells(memory))
    }
  }
  let dueMs = performance.now() + config.snapshotMinutes * MINUTE_MS
  while (goesOn()) {
    Atomics.wait(phase, 0, Atomics.load(phase, 0), SLEEP_MS)
    await turnLoop()
    mail.read()
    const asked = mail.asked.splice(0)
    if (performance.now() < dueMs && asked.length === 0) continue
    const outcome = attempt(start, mail, goesOn)
    report({ report: 'degraded', why: 'refused' in outcome ? outcome.refused : undefined })
    for (const number of asked) report({ report: 'applied', number, ...outcome })
    if (config.journalKept === 'snapshots') seal(start, goesOn)
    dueMs = performance.now() + config.snapshotMinutes * MINUTE_MS
  }
  report({ report: 'stopped' })
}

/** Returns a sentence about the result. */
type Attempt = { readonly said: string } | { readonly refused: string }

function attempt({ config, idSalt }: ThreadStart, mail: Mail, isWanted: () => boolean): Attempt {
  const beganMs = performance.now()
  const goesOn = paced(isWanted)
  try {
    const made = makeSnapshot({
      dataFolder: config.data,
      symbols: () => mail.symbols(),
      accountsMax: config.accounts,
      shapeOf: (spec) => bookShape(spec, config),
      idSalt,
      kept: config.snapshotsKept,
      goesOn,
      log: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
    })
    if (made === undefined) return { said: 'There is nothing new to make a snapshot of.' }
    announce(made, performance.now() - beganMs)
    return { said: `Snapshot ${made.number} covers ${made.covered.events} events.` }
  } catch (error) {
    if (error instanceof AssertionError) throw error
    const { message: reason } = error as Error
    report({ report: 'log', level: 'warn', fields: { reason }, message: 'no snapshot was made' })
    return { refused: `No snapshot was made: ${reason}` }
  }
}

/** Seals blocks that all snapshots cover. Logs each segment. */
function seal({ config, regions }: ThreadStart, isWanted: () => boolean): void {
  const goesOn = paced(isWanted)
  try {
    for (const [matcher, { position }] of coveredByAll(config.data)) {
      const memory = regions.wals[matcher]
      // A journal of an earlier start, of a matcher that is no more, stays as it is.
      if (memory === undefined) continue
      const cells = new WalCells(memory)
      // The covered block itself stays: a start looks whether it is the one that was covered. An archivist
      // that is behind finds those before it in the segments.
      const options = { dataFolder: config.data, matcher, cells, until: position - 1, goesOn }
      for (let made = sealSegment(options); made !== undefined; made = sealSegment(options)) {
        const message = 'sealed a segment of a journal, in old-journals'
        report({ report: 'log', level: 'info', fields: { journal: matcher, ...made }, message })
      }
    }
  } catch (error) {
    if (error instanceof AssertionError) throw error
    const { message: reason } = error as Error
    report({ report: 'log', level: 'warn', fields: { reason }, message: 'no segment was sealed' })
  }
}

function paced(isWanted: () => boolean): () => boolean {
  const pace = new Pace()
  return () => {
    pace.tread()
    return isWanted()
  }
}

function announce(made: MadeSnapshot, ms: number): void {
  const { number: snapshot, covered, replayedEvents, bytes, reservedBytes } = made
  const fields = {
    snapshot,
    events: covered.events,
    replayedEvents,
    bytes,
    reservedBytes,
    seconds: Math.round(ms) / 1000,
  }
  report({ report: 'log', level: 'info', fields, message: 'made a snapshot' })
}
