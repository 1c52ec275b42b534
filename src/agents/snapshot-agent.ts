/**
 * The snapshots' worker: at intervals, and when an operator asks, it makes a snapshot beside the running
 * exchange (snapshots.ts), in slices. Then it works on old blocks, if the settings want that. Only that
 * operator waits for it, and it gives up when the exchange stops. It logs why it cannot make a snapshot, and
 * retries at the next interval: the journals have everything. When the worker fails, another one takes its place
 * (derived-worker.ts).
 */
import { cutOf } from '../archive/retention.ts'
import { AssertionError } from '../base/assert.ts'
import { type Clock, elapsedMs } from '../base/time.ts'
import { AssetId } from '../base/units.ts'
import { readCorrections } from '../journal/corrections.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { AssetSpec, SymbolSpec } from '../market/listing.ts'
import type { ControlMessage } from '../shared/control-message.ts'
import { bookShape } from './book-memory.ts'
import { noteSealed, sealSegment } from './compactor.ts'
import { removeOldSegments } from './journal-retention.ts'
import { Phase, snapshotBellOffset } from './memory.ts'
import type { ThreadOrder, ThreadReport, ThreadStart } from './messages.ts'
import {
  coveredByAll,
  type MadeSnapshot,
  SnapshotMaker,
  type SnapshotOptions,
} from './snapshots.ts'
import { type AgentWays, BellAgent } from './worker-agent.ts'

/** Blocks in one duty cycle: some milliseconds. */
const SLICE_BLOCKS = 64
const MINUTE_MS = 60_000
/** The longest time that one round works on the archive's summary, so that snapshots stay due. */
const REMOVAL_MS = 300_000

type Report = (message: ThreadReport) => void

/** A sentence about the result. */
type Attempt = { readonly said: string } | { readonly refused: string }

export class SnapshotAgent extends BellAgent {
  private readonly begun: ThreadStart
  /** By id, all symbols that may have trades: a symbol is listed here before it is opened. */
  private readonly symbols: SymbolSpec[]
  /** What the archive counts trading volumes in. */
  private valuationAsset: AssetSpec | undefined
  /** Numbers of the operators' orders. */
  private readonly asked: number[] = []
  private readonly maker: SnapshotMaker
  private dueMs = 0
  /** The work under way: yields the blocks that a step counts for, 1 when left out. */
  private steps: Generator<number | undefined, void, void> | undefined = undefined

  constructor(start: ThreadStart, ways: AgentWays) {
    const { matchers, gateways } = start.config
    super('snapshot', snapshotBellOffset(matchers, gateways), start, ways)
    this.begun = start
    this.symbols = [...start.symbols]
    this.maker = new SnapshotMaker(snapshotOptions(start, () => this.symbols, ways.report))
    this.valuationAsset = start.valuationAsset
  }

  get idleMsMax(): number {
    return Math.max(0, this.dueMs - elapsedMs(this.ways.time))
  }

  override get isDone(): boolean {
    return this.at >= Phase.STOPPING
  }

  start(): undefined {
    this.ways.report({ report: 'ready' })
    noteSealedAtStart(this.begun)
    this.schedule()
  }

  take(order: ThreadOrder): void {
    if (order.order === 'snapshot') this.asked.push(order.number)
    if (order.order !== 'control') return
    for (const message of order.messages) this.apply(message)
  }

  hasWork(): boolean {
    return this.steps !== undefined || this.asked.length > 0 || this.isDone
  }

  doWork(): number {
    if (!this.hasWork() && this.idleMsMax > 0) return 0
    if (this.isDone) return 0
    this.ways.throttle?.begin()
    this.steps ??= this.round()
    for (let blocks = 0; blocks < SLICE_BLOCKS; ) {
      const { done, value = 1 } = this.steps.next()
      if (done === true) {
        this.steps = undefined
        break
      }
      blocks += value
      this.ways.throttle?.tread()
    }
    return 1
  }

  override close(): void {
    this.steps?.return()
    super.close()
  }

  private apply(message: ControlMessage): void {
    if (message.kind === 'asset' && message.isValuation) this.valuationAsset = message.asset
    if (message.kind !== 'listing') return
    const { symbol } = message.listed
    // One that began after the action has it already.
    if (symbol.id === this.symbols.length) this.symbols.push(symbol)
  }

  private schedule(): void {
    this.dueMs = elapsedMs(this.ways.time) + this.begun.config.snapshotMinutes * MINUTE_MS
  }

  /** Makes a snapshot, then works on old blocks: a block at each step, then a segment or a transaction. */
  private *round(): Generator<number | undefined, void, void> {
    const { time, report } = this.ways
    const asked = this.asked.splice(0)
    const outcome = yield* this.attempt()
    report({ report: 'degraded', why: 'refused' in outcome ? outcome.refused : undefined })
    for (const number of asked) report({ report: 'applied', number, ...outcome })
    const parts = {
      symbols: () => this.symbols,
      valuationAsset: () => this.valuationAsset,
      clock: time,
      goesOn: () => this.goesOn(),
    }
    for (const _ of oldBlocksSteps(this.begun, parts, report)) yield SLICE_BLOCKS
    this.schedule()
  }

  private *attempt(): Generator<undefined, Attempt, void> {
    const { time, report } = this.ways
    const beganMs = elapsedMs(time)
    try {
      const made = yield* this.maker.steps()
      return attempted(made, elapsedMs(time) - beganMs, report)
    } catch (error) {
      return refused(error, report)
    }
  }

  private goesOn(): boolean {
    this.ways.throttle?.tread()
    return !this.isDone
  }
}

/** Options of a snapshot; `symbols` returns all that may have trades, by id. */
const snapshotOptions = (
  { config, idSalt }: ThreadStart,
  symbols: () => readonly SymbolSpec[],
  report: Report,
): Omit<SnapshotOptions, 'goesOn'> => ({
  dataFolder: config.data,
  symbols,
  accountsMax: config.accounts,
  shapeOf: () => bookShape(config),
  idSalt,
  kept: config.snapshotsKept,
  log: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
})

/** Logs a snapshot that was made, if one was. */
function attempted(made: MadeSnapshot | undefined, ms: number, report: Report): Attempt {
  if (made === undefined) return { said: 'There is nothing new to make a snapshot of.' }
  const { number: snapshot, covered, replayedEvents, bytes, reservedBytes } = made
  const seconds = Math.round(ms) / 1000
  const counts = { events: covered.events, replayedEvents, bytes, reservedBytes }
  const message = 'made a snapshot'
  report({ report: 'log', level: 'info', fields: { snapshot, ...counts, seconds }, message })
  return { said: `Snapshot ${snapshot} covers ${covered.events} events.` }
}

/** Logs why no snapshot was made. Throws the error again when it is a defect. */
function refused(error: unknown, report: Report): Attempt {
  if (error instanceof AssertionError) throw error
  const { message: reason } = error as Error
  report({ report: 'log', level: 'warn', fields: { reason }, message: 'no snapshot was made' })
  return { refused: `No snapshot was made: ${reason}` }
}

/** Notes them before the first snapshot, if old blocks are sealed. */
function noteSealedAtStart({ config, regions }: ThreadStart): void {
  if (config.journalKept !== 'snapshots') return
  for (const [matcher, memory] of regions.wals.entries()) {
    noteSealed(config.data, matcher, new WalCells(memory))
  }
}

/** What the work on old blocks needs beside the start: all that changes while the exchange runs. */
interface OldBlocksParts {
  /** By id, all that may have trades. */
  readonly symbols: () => readonly SymbolSpec[]
  /** What the archive counts trading volumes in. */
  readonly valuationAsset: () => AssetSpec | undefined
  readonly clock: Clock
  /** Called between blocks; false gives up. */
  readonly goesOn: () => boolean
}

/**
 * Seals blocks that all snapshots cover, then removes old segments, if the settings want that: a segment, or a
 * transaction of the archive's summary, at each step. Logs each segment.
 */
function* oldBlocksSteps(
  start: ThreadStart,
  parts: OldBlocksParts,
  report: Report,
): Generator<void, void, void> {
  const { journalKept, keepJournalDays } = start.config
  try {
    if (journalKept === 'snapshots') yield* sealSteps(start, parts.goesOn, report)
    if (keepJournalDays > 0) yield* removalSteps(start, parts, report)
  } catch (error) {
    if (error instanceof AssertionError) throw error
    const { message: reason } = error as Error
    const message = 'old blocks stay where they are'
    report({ report: 'log', level: 'warn', fields: { reason }, message })
  }
}

function* sealSteps(
  { config, regions }: ThreadStart,
  goesOn: () => boolean,
  report: Report,
): Generator<void, void, void> {
  for (const [matcher, { position }] of coveredByAll(config.data)) {
    const memory = regions.wals[matcher]
    // A journal of an earlier start, of a matcher that is no more, stays as it is.
    if (memory === undefined) continue
    const cells = new WalCells(memory)
    const options = { dataFolder: config.data, matcher, cells, covered: position, goesOn }
    for (let made = sealSegment(options); made !== undefined; made = sealSegment(options)) {
      const message = 'sealed a segment of a journal, in old-journals'
      report({ report: 'log', level: 'info', fields: { journal: matcher, ...made }, message })
      yield
    }
  }
}

function* removalSteps(
  { config, retention, klines }: ThreadStart,
  { symbols, valuationAsset, clock, goesOn }: OldBlocksParts,
  report: Report,
): Generator<void, void, void> {
  const untilMs = elapsedMs(clock) + REMOVAL_MS
  const nowMs = clock.nowMs()
  const corrections = readCorrections(config.data).length
  const assetId = AssetId(valuationAsset()?.id ?? -1)
  const valuation = { symbols: symbols(), assetId, klines, corrections }
  const removed = yield* removeOldSegments({
    dataFolder: config.data,
    valuation,
    retention,
    nowMs,
    beforeMs: cutOf(nowMs, config.keepJournalDays),
    goesOn: () => goesOn() && elapsedMs(clock) < untilMs,
  })
  for (const fields of removed) {
    const message = 'removed old segments of a journal'
    report({ report: 'log', level: 'info', fields: { ...fields }, message })
  }
}
