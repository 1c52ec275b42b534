/**
 * The checkpointer: copies the blocks of every matcher's write-ahead log into its journal in LMDB, so
 * that matchers find room in their write-ahead logs and need no LMDB transaction of their own. It alone
 * writes those journals.
 */
import { Checkpointer } from '../journal/checkpointer.ts'
import type { StoreWatch } from '../journal/store-watch.ts'
import type { WalCells } from '../journal/wal-cells.ts'
import { journalStore } from '../shared/counters.ts'
import { countedWatch } from './store-watches.ts'
import type { Throttle } from './throttle.ts'

/**
 * It hurries once so many segments of a write-ahead log are full: one is free then, beside the one that
 * is filled.
 */
const URGENT_SEGMENTS = 2

export interface CheckpointerOptions {
  readonly dataFolder: string
  /** By matcher. */
  readonly wals: readonly WalCells[]
  /** The exchange's counters (shared/counters.ts): the journals' blocks of cells are written here. */
  readonly counters?: SharedArrayBuffer
  readonly warn?: (sentence: string) => void
}

export class CheckpointerAgent {
  private readonly wals: readonly WalCells[]
  private readonly checkpointers: readonly Checkpointer[]
  private readonly watches: readonly StoreWatch[]

  constructor({ dataFolder, wals, counters, warn = () => {} }: CheckpointerOptions) {
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
