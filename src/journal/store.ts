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
   * Appends one block at `lastPosition + 1`. Returns when it is as durable as the store promises.
   * Throws when the disk refuses; after that nothing may be appended.
   */
  append(block: Uint8Array): void
  /** Brings `flushedPosition` up to `lastPosition`. */
  flush(): void
  close(): void
}
