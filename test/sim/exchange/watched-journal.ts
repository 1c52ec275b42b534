/** A matcher's journal that tells a witness just before and just after each block is appended. */
import type { JournalStore } from '../../../src/journal/store.ts'

export interface JournalWitness {
  /** The block is about to be written: no reader may know what is in it. */
  appending(block: Uint8Array, flushedPosition: number): void
  /** It is written as the store's durability says. */
  appended(position: number): void
}

export class WatchedJournal implements JournalStore {
  private readonly journal: JournalStore
  private readonly witness: JournalWitness

  constructor(journal: JournalStore, witness: JournalWitness) {
    this.journal = journal
    this.witness = witness
  }

  get lastPosition(): number {
    return this.journal.lastPosition
  }

  get flushedPosition(): number {
    return this.journal.flushedPosition
  }

  append(block: Uint8Array): void {
    this.witness.appending(block, this.flushedPosition)
    this.journal.append(block)
    this.witness.appended(this.lastPosition)
  }

  flush(): void {
    this.journal.flush()
  }

  close(): void {
    this.journal.close()
  }
}
