/**
 * Journals as an exchange that is over has left them: what is in sealed segments and in LMDB, then what is
 * only in the write-ahead log, which a start would checkpoint. Unlike a start, nothing here writes.
 */
import { archivedBlocks } from '../../src/archive/archive-witness.ts'
import type { Correction } from '../../src/base/corrections.ts'
import { BlockReader, JournalDamage } from '../../src/journal/block.ts'
import { BlockChain } from '../../src/journal/chain.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { blocksLeftInWal, endByOthers } from '../../src/journal/left-wal.ts'
import { blockName, journalFolder } from '../../src/journal/lmdb-store.ts'
import { journalsIn } from '../../src/journal/recovery.ts'
import { beginningOf } from '../../src/journal/sealed-segments.ts'
import type { WalNote } from '../../src/journal/wal-note.ts'
import type { DataFolder } from './data-folder.ts'

/** How many blocks of each journal are in LMDB or sealed, by matcher. */
export function checkpointedBlocks(dataFolder: string): ReadonlyMap<number, number> {
  return new Map(
    journalsIn(dataFolder).map((matcher) => {
      const reader = new JournalReader(journalFolder(dataFolder, matcher))
      const blocks = reader.lastCheckpointed - beginningOf(reader.folder).position
      reader.close()
      return [matcher, blocks]
    }),
  )
}

/**
 * Every block of one journal, checked by itself and against the one before; valid until the next one is
 * asked for. A write-ahead log ends where a start would end it. Throws JournalDamage, which names the block
 * that is not whole or was lost.
 */
export function* leftBlocks(
  dataFolder: string,
  matcher: number,
  corrections: readonly Correction[] = [],
): Generator<BlockReader> {
  const folder = journalFolder(dataFolder, matcher)
  const reader = new JournalReader(folder)
  const { lastCheckpointed } = reader
  const chain = new BlockChain(matcher, beginningOf(folder))
  const block = new BlockReader(corrections)
  let note: WalNote | undefined
  try {
    note = reader.walNote()
    while (chain.position < lastCheckpointed) {
      const place = blockName(folder, chain.position + 1)
      block.open(reader.block(chain.position + 1)!, place)
      chain.check(block, place)
      yield block
      chain.advance(block)
    }
  } finally {
    reader.close()
  }
  const end = yield* blocksLeftInWal(folder, chain, note, corrections)
  const archived = archivedBlocks(dataFolder).get(matcher) ?? 0
  // Snapshots are audited by themselves.
  const { damage } = endByOthers(end, folder, note, { archived, inSnapshots: 0 })
  if (damage !== undefined) throw new JournalDamage(damage)
}

/** All journals side by side, the lowest epoch first, as recovery reads them. */
export class JournalWalk {
  private readonly journals: { readonly matcher: number; readonly blocks: Generator<BlockReader> }[]
  /** By matcher: the block that is read and not yet given. */
  private readonly waiting = new Map<number, BlockReader>()

  constructor({ folder, corrections }: Pick<DataFolder, 'folder' | 'corrections'>) {
    this.journals = journalsIn(folder).map((matcher) => ({
      matcher,
      blocks: leftBlocks(folder, matcher, corrections),
    }))
  }

  /**
   * The next block, valid until the next call; undefined at the end. With `limits` no journal is read
   * past its position there, by matcher, and one that is not named not at all.
   */
  next(limits?: ReadonlyMap<number, number>): BlockReader | undefined {
    let lowest: BlockReader | undefined
    for (const { matcher, blocks } of this.journals) {
      const block = this.waiting.get(matcher) ?? blocks.next().value
      if (block === undefined) continue
      this.waiting.set(matcher, block)
      if (limits !== undefined && block.position > (limits.get(matcher) ?? 0)) continue
      if (lowest === undefined || block.epoch < lowest.epoch) lowest = block
    }
    if (lowest !== undefined) this.waiting.delete(lowest.matcher)
    return lowest
  }

  close(): void {
    for (const { blocks } of this.journals) blocks.return(undefined)
  }
}
