/**
 * Moves blocks that all snapshots cover out of a journal (journal/old-blocks.ts), in whole runs, while
 * the exchange runs. It only copies blocks, each checked against the one before it. The carrier, which
 * alone writes journals, removes them from LMDB once `TailCells` marks them as moved.
 */
import { BlockReader } from '../journal/block.ts'
import { BEGINNING, BlockChain } from '../journal/chain.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { journalFolder, placeOf } from '../journal/lmdb-store.ts'
import { lastOldBlock, writeRun } from '../journal/old-blocks.ts'
import type { TailCells } from '../journal/tail-cells.ts'

/** The smallest run, so that there are few files. */
const RUN_BYTES = 16 << 20

export interface MoveOptions {
  readonly dataFolder: string
  readonly matcher: number
  readonly cells: TailCells
  /** The last block that may be moved. */
  readonly until: number
  /** Called before each block, and again before its copy; false gives up. */
  readonly goesOn: () => boolean
  /** 16 MiB when left out. */
  readonly runBytes?: number
}

export interface MovedRun {
  readonly first: number
  readonly last: number
  readonly bytes: number
}

/**
 * Moves one run. Returns undefined when there are too few blocks, or it gave up. Throws JournalDamage,
 * or the file system's error.
 */
export function moveRun(options: MoveOptions): MovedRun | undefined {
  const { dataFolder, matcher, cells, until, goesOn, runBytes = RUN_BYTES } = options
  const folder = journalFolder(dataFolder, matcher)
  const reader = new JournalReader(folder)
  try {
    const before = lastOldBlock(folder)
    const last = lastOfRun(reader, before, until, runBytes, goesOn)
    if (last === 0) return undefined
    const next = checkedBlocks(reader, matcher, before, last)
    const { blocks, bytes } = writeRun(folder, before + 1, () => (goesOn() ? next() : undefined))
    if (blocks === 0) return undefined
    cells.setMoved(before + blocks)
    return { first: before + 1, last: before + blocks, bytes }
  } finally {
    reader.close()
  }
}

/** Lets the carrier remove the blocks that an earlier start has moved. */
export function noteMoved(dataFolder: string, matcher: number, cells: TailCells): void {
  cells.setMoved(lastOldBlock(journalFolder(dataFolder, matcher)))
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
