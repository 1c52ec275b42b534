/**
 * The checkpointer: copies the blocks of every matcher's write-ahead log into its journal in LMDB, so
 * that matchers find room in their write-ahead logs and need no own LMDB transaction. It alone
 * writes those journals.
 *
 * It works when a segment of a write-ahead log is full: large transactions are cheap, and each makes the disk
 * busy. Else it works once in a while, so that a start after a crash finds little. What is left at a stop it
 * does in pieces; when the process ends, it does nothing more.
 */
import { elapsedMs } from '../base/time.ts'
import { Checkpointer } from '../journal/checkpointer.ts'
import type { StoreWatch } from '../journal/store-watch.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { journalStore } from '../shared/counters.ts'
import { checkpointerBellOffset, Phase } from './memory.ts'
import type { ThreadStart } from './messages.ts'
import { countedWatch } from './store-watches.ts'
import type { Throttle } from './throttle.ts'
import { type AgentWays, BellAgent } from './worker-agent.ts'

/** The longest time that a block stays in its write-ahead log alone while no matcher needs room. */
const PERIOD_MS = 1_000
/**
 * It hurries once so many segments of a write-ahead log are full: one is free then, beside the one that
 * is filled.
 */
const URGENT_SEGMENTS = 2

export class CheckpointerAgent extends BellAgent {
  private readonly checkpointer: JournalsCheckpointer
  private dueMs: number

  constructor(
    start: ThreadStart,
    ways: AgentWays,
    checkpointer = checkpointerOf(start, ways.report),
  ) {
    const { matchers, gateways } = start.config
    super('checkpointer', checkpointerBellOffset(matchers, gateways), start, ways)
    this.checkpointer = checkpointer
    this.dueMs = elapsedMs(ways.time) + PERIOD_MS
  }

  get idleMsMax(): number {
    return Math.max(0, this.dueMs - elapsedMs(this.ways.time))
  }

  start(): undefined {
    this.ways.report({ report: 'ready' })
  }

  take(): void {}

  hasWork(): boolean {
    return this.isOver || this.checkpointer.hasWork()
  }

  doWork(): number {
    if (this.isOver) return this.finish()
    if (!this.hasWork() && this.idleMsMax > 0) return 0
    const blocks = this.checkpointer.doWork(this.ways.throttle)
    this.checkpointer.removeSealed()
    this.checkpointer.watch(elapsedMs(this.ways.time))
    this.dueMs = elapsedMs(this.ways.time) + PERIOD_MS
    return blocks
  }

  override close(): void {
    this.checkpointer.close()
    super.close()
  }

  /** Whether no journal grows any more. */
  private get isOver(): boolean {
    return this.at >= Phase.MATCHED
  }

  private finish(): number {
    const blocks = this.at === Phase.ENDING ? 0 : this.checkpointer.doWork()
    this._isDone = blocks === 0
    return blocks
  }
}

export interface JournalsOptions {
  readonly dataFolder: string
  /** By matcher. */
  readonly wals: readonly WalCells[]
  /** The exchange's counters (shared/counters.ts): the journals' blocks of cells are written here. */
  readonly counters?: SharedArrayBuffer
  readonly warn?: (sentence: string) => void
}

/** All journals. A matcher on the agent's event loop has it make room itself, also while it recovers. */
export class JournalsCheckpointer {
  private readonly wals: readonly WalCells[]
  private readonly checkpointers: readonly Checkpointer[]
  private readonly watches: readonly StoreWatch[]

  constructor({ dataFolder, wals, counters, warn = () => {} }: JournalsOptions) {
    this.wals = wals
    this.checkpointers = wals.map((cells, matcher) => new Checkpointer(dataFolder, matcher, cells))
    this.watches =
      counters === undefined
        ? []
        : this.checkpointers.map((checkpointer, matcher) =>
            countedWatch(counters, journalStore(matcher), () => checkpointer.figures(), warn),
          )
  }

  /**
   * Runs at most one transaction for each journal, throttled if there is a throttle, until a matcher is about to
   * need the room. Returns the number of blocks.
   */
  doWork(throttle?: Pick<Throttle, 'begin' | 'tread'>): number {
    throttle?.begin()
    const pause = () => {
      if (!this.isUrgent()) throttle?.tread()
    }
    return this.checkpointers.reduce((sum, checkpointer) => sum + checkpointer.checkpoint(pause), 0)
  }

  /** Removes some of the blocks that are in sealed segments from LMDB. Returns their number. */
  removeSealed(): number {
    return this.checkpointers.reduce((sum, checkpointer) => sum + checkpointer.removeSealed(), 0)
  }

  /** Whether enough waits to be worth a transaction. */
  hasWork(): boolean {
    return this.wals.some((cells) => cells.fullSegments() > 0)
  }

  /** Looks at the journals' files, by a steady clock. */
  watch(nowMs: number): void {
    for (const watch of this.watches) watch.look(nowMs)
  }

  private isUrgent(): boolean {
    return this.wals.some((cells) => cells.fullSegments() >= URGENT_SEGMENTS)
  }

  close(): void {
    for (const checkpointer of this.checkpointers) checkpointer.close()
  }
}

/** Returns the checkpointer of all journals. */
export const checkpointerOf = (
  { config, regions }: ThreadStart,
  report: AgentWays['report'],
): JournalsCheckpointer =>
  new JournalsCheckpointer({
    dataFolder: config.data,
    wals: regions.wals.map((memory) => new WalCells(memory)),
    counters: regions.counters,
    warn: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
  })
