/**
 * Moves blocks that all snapshots cover out of a journal (journal/sealed-segments.ts), in whole runs, while
 * the exchange runs. It only copies blocks, each checked against the one before it. The checkpointer, which
 * alone writes journals, removes them from LMDB once `WalCells` marks them as moved.
 */
import { BlockReader } from '../journal/block.ts'
import { BEGINNING, BlockChain } from '../journal/chain.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { journalFolder, placeOf } from '../journal/lmdb-store.ts'
import { lastSealedBlock, writeSegment } from '../journal/sealed-segments.ts'
import type { WalCells } from '../journal/wal-cells.ts'

/** The smallest run, so that there are few files. */
const RUN_BYTES = 16 << 20

export interface SealOptions {
  readonly dataFolder: string
  readonly matcher: number
  readonly cells: WalCells
  /** The last block that may be moved. */
  readonly until: number
  /** Called before each block, and again before its copy; false gives up. */
  readonly goesOn: () => boolean
  /** 16 MiB when left out. */
  readonly runBytes?: number
}

export interface SealedRun {
  readonly first: number
  readonly last: number
  readonly bytes: number
}

/**
 * Moves one run. Returns undefined when there are too few blocks, or it gave up. Throws JournalDamage,
 * or the file system's error.
 */
export function sealSegment(options: SealOptions): SealedRun | undefined {
  const { dataFolder, matcher, cells, until, goesOn, runBytes = RUN_BYTES } = options
  const folder = journalFolder(dataFolder, matcher)
  const reader = new JournalReader(folder)
  try {
    const before = lastSealedBlock(folder)
    const last = lastOfRun(reader, before, until, runBytes, goesOn)
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

/** Lets the checkpointer remove the blocks that an earlier start has moved. */
export function noteSealed(dataFolder: string, matcher: number, cells: WalCells): void {
  cells.setSealed(lastSealedBlock(journalFolder(dataFolder, matcher)))
}

/** Returns the position of the block that makes the run long enough; 0 when none does. */
function lastOfRun(
  reader: JournalReader,
  before: number,
  until: number,
  runBytes: number,
  goesOn: () => boolean,
): number {
  let bytes = 0
  for (let position = before + 1; position <= until && goesOn(); position++) {
    bytes += reader.block(position)?.length ?? 0
    if (bytes >= runBytes) return position
  }
  return 0
}

function checkedBlocks(reader: JournalReader, matcher: number, before: number, last: number) {
  const block = new BlockReader()
  let chain = new BlockChain(matcher, BEGINNING)
  const open = (position: number): Uint8Array => {
    const bytes = reader.block(position)!
    block.open(bytes, placeOf(reader.folder, position))
    return bytes
  }
  if (before > 0) {
    open(before)
    chain = new BlockChain(matcher, { position: before, checksum: block.checksum })
  }
  return (): Uint8Array | undefined => {
    const position = chain.position + 1
    if (position > last) return undefined
    const bytes = open(position)
    chain.check(block, placeOf(reader.folder, position))
    chain.advance(block)
    return bytes
  }
}
