/**
 * Everything that a matcher needs of a disk: journal.ts in production, faulty memory in tests.
 * Positions are block numbers, counted from 1 without gaps.
 */

/** What "written" means when `append` returns (`--durability`, docs/settings.md). */
export type Durability = 'flushed' | 'committed' | 'replicated'

export interface JournalStore {
  /** Position of the last block, 0 when there is none. */
  readonly lastPosition: number
  /** Last position known to survive a power loss. */
  readonly flushedPosition: number
  /**
   * Appends one block at `lastPosition + 1`. Returns when it is as durable as the store promises, or has
   * begun a flush that makes it so.
   * Throws when the disk refuses; after that nothing may be appended.
   */
  append(block: Uint8Array): void
  /** Brings `flushedPosition` up to `lastPosition`. Ends a flush that is under way. */
  flush(): void
  /** Begins a flush beside the caller, where flushes do not block it: until it is over nothing is appended. */
  readonly beginFlush?: (() => void) | undefined
  /**
   * Whether a flush beside the caller is under way: one that was begun, or that of the last block. Throws
   * when the disk has refused it.
   */
  isFlushing?(): boolean
  close(): void
}
