/**
 * A journal store in memory that can lose power: blocks past the last flushed one may be gone, from
 * some block on. Never a middle, and never a flushed block.
 */
import { assert } from '../../src/base/assert.ts'
import type { ReadableJournal } from '../../src/journal/recovery.ts'
import type { Durability, JournalStore } from '../../src/journal/store.ts'

export class FaultyStore implements JournalStore {
  private readonly durability: Durability
  private keptBlocks: Uint8Array[] = []
  private flushed = 0

  constructor(durability: Durability) {
    this.durability = durability
  }

  get lastPosition(): number {
    return this.keptBlocks.length
  }

  get flushedPosition(): number {
    return this.flushed
  }

  append(block: Uint8Array): void {
    assert(block.length > 0, 'a block has bytes')
    this.keptBlocks.push(block.slice())
    if (this.durability === 'flushed') this.flush()
  }

  flush(): void {
    this.flushed = this.keptBlocks.length
  }

  *blocks(position: number): Iterable<{ readonly position: number; readonly block: Uint8Array }> {
    const last = this.lastPosition
    for (let i = Math.max(position, 1); i <= last; i++) {
      yield { position: i, block: this.keptBlocks[i - 1]! }
    }
  }

  /** As recovery reads it. */
  readable(folder: string): ReadableJournal {
    return {
      folder,
      block: (position) => this.keptBlocks[position - 1],
      lastCheckpointed: this.lastPosition,
      refresh: () => {},
      close: () => {},
    }
  }

  /** Power is lost: of the blocks that were not flushed, `kept` survive. */
  tear(kept: number): void {
    this.keptBlocks = this.keptBlocks.slice(0, this.flushed + kept)
    this.flushed = this.keptBlocks.length
  }

  close(): void {
    this.flush()
  }
}
