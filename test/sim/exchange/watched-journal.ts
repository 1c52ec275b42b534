/** A matcher's journal that calls a witness just before and just after each block is appended. */
import type { JournalStore } from '../../../src/journal/store.ts'

export interface JournalWitness {
  /** The block is about to be written: no reader may know what is in it. */
  appending(block: Uint8Array, flushedPosition: number): void
  /** It is written by the store's durability. */
  appended(position: number): void
}

/** From now on. */
export function watchJournal(journal: JournalStore, witness: JournalWitness): void {
  const append = journal.append.bind(journal)
  journal.append = (block) => {
    witness.appending(block, journal.flushedPosition)
    append(block)
    witness.appended(journal.lastPosition)
  }
}
