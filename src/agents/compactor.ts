/**
 * The compactor: seals blocks that all snapshots cover into segments (journal/sealed-segments.ts) while the
 * exchange runs. It copies them, each checked against the one before it. The checkpointer, LMDB's one writer,
 * removes them once `WalCells` marks them as sealed. A crash between the two leaves blocks in both places,
 * which are the same; the next start removes them.
 */
import { BlockReader } from '../journal/block.ts'
import { BlockChain } from '../journal/chain.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { blockName, journalFolder } from '../journal/lmdb-store.ts'
import { beginningOf, lastSealedBlock, writeSegment } from '../journal/sealed-segments.ts'
import type { WalCells } from '../journal/wal-cells.ts'

/** The smallest segment, so that there are few files. */
const SEGMENT_BYTES = 16 << 20

export interface SealOptions {
  readonly dataFolder: string
  readonly matcher: number
  readonly cells: WalCells
  /**
   * The last block that all snapshots cover. It stays: a start looks whether it is the one that was covered. An
   * indexer that is behind finds those before it in the segments.
   */
  readonly covered: number
  /** Called before each block, and again before its copy; false gives up. */
  readonly goesOn: () => boolean
  /** 16 MiB when left out. */
  readonly segmentBytes?: number
}

export interface SealedSegment {
  readonly first: number
  readonly last: number
  readonly bytes: number
}

/**
 * Seals one segment. Returns undefined when there are too few blocks, or it gave up. Throws JournalDamage, or
 * the file system's error.
 */
export function sealSegment(options: SealOptions): SealedSegment | undefined {
  const { dataFolder, matcher, cells, covered, goesOn, segmentBytes = SEGMENT_BYTES } = options
  const folder = journalFolder(dataFolder, matcher)
  const reader = new JournalReader(folder)
  try {
    const before = lastSealedBlock(folder)
    const last = lastOfSegment(reader, before, covered, segmentBytes, goesOn)
    if (last === 0) return undefined
    const next = checkedBlocks(reader, matcher, before, last)
    const { blocks, bytes } = writeSegment(folder, before + 1, () =>
      goesOn() ? next() : undefined,
    )
    if (blocks === 0) return undefined
    cells.setSealed(before + blocks)
    return { first: before + 1, last: before + blocks, bytes }
  } finally {
    reader.close()
  }
}

/** Lets the checkpointer remove the blocks that an earlier start has sealed. */
export function noteSealed(dataFolder: string, matcher: number, cells: WalCells): void {
  cells.setSealed(lastSealedBlock(journalFolder(dataFolder, matcher)))
}

/** Returns the position of the block that makes the segment large enough; 0 when none does. */
function lastOfSegment(
  reader: JournalReader,
  before: number,
  covered: number,
  segmentBytes: number,
  goesOn: () => boolean,
): number {
  let bytes = 0
  for (let position = before + 1; position < covered && goesOn(); position++) {
    bytes += reader.block(position)?.length ?? 0
    if (bytes >= segmentBytes) return position
  }
  return 0
}

/** Returns a function that reads the blocks behind `before`, up to `last`, one by one. */
function checkedBlocks(reader: JournalReader, matcher: number, before: number, last: number) {
  const block = new BlockReader()
  const open = (position: number): BlockReader => {
    block.open(reader.block(position)!, blockName(reader.folder, position))
    return block
  }
  const beginning = beginningOf(reader.folder)
  const isFirst = before === beginning.position
  const point = isFirst ? beginning : { position: before, checksum: open(before).checksum }
  const chain = new BlockChain(matcher, point)
  return (): BlockReader | undefined => {
    const position = chain.position + 1
    if (position > last) return undefined
    open(position)
    chain.check(block, blockName(reader.folder, position))
    chain.advance(block)
    return block
  }
}
