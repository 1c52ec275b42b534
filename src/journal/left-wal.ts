/**
 * What the last run left in a write-ahead log, for a start, an audit or a salvage: the whole blocks that
 * follow LMDB's, and whether they are all of it. The end of a log is proven, not assumed: a block
 * behind the last whole one was lost if anything proves that it was flushed. The witnesses:
 *
 * - the mark beside the log (flush-mark.ts);
 * - the head of a later block, which names the blocks before it that were not flushed. Not in the log of
 *   a quorum's member, whose blocks may have come from another machine;
 * - a sealed segment;
 * - the archive, or its summary (archive/archive-witness.ts). Not of a committed log, of which it may have had
 *   more than a power loss left, nor of that of a quorum's member, since the quorum decides which blocks there are;
 * - a snapshot, which salvage reads (a start refuses one that covers more by itself).
 *
 * Without a witness the end is what a crash may leave: with `flushed` one block at most.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import type { Correction } from '../base/corrections.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { BLOCK_HEADER_BYTES, BlockReader, blockHeadAt, JournalDamage } from './block.ts'
import type { BlockChain } from './chain.ts'
import { PAGE_BYTES } from './environment.ts'
import { type FlushMark, flushMarkFile, readFlushMark } from './flush-mark.ts'
import { blockName } from './lmdb-store.ts'
import { lastSealedBlock } from './sealed-segments.ts'
import { type WalNote, WalState } from './wal-note.ts'
import { filesOf, WalReader } from './wal-reader.ts'
import { formerSegmentFile, paddedBytes, segmentFile } from './wal-writer.ts'

/** How a write-ahead log ends. */
export interface WalEnd {
  /** The last block of the journal that can be used. */
  readonly position: number
  /** The last block that a witness proves flushed; `position` when none proves more. */
  readonly flushed: number
  /** Returns what is missing although it was flushed; undefined when nothing is. */
  readonly damage: string | undefined
  /** The last block that something is left of, or may have been, and that no flush covered. */
  readonly givenUp: number | undefined
  /** Whether the mark is exact: then no block behind it was ever flushed. */
  readonly isExact: boolean
}

/** A head behind the log's end, with its block if that is whole. */
export interface Remains {
  readonly position: number
  /** Blocks up to it were flushed when the block was written; 0: unknown. */
  readonly flushed: number
  readonly file: string
  /** Until the next one. */
  readonly block: BlockReader | undefined
}

/**
 * Iterates over the blocks of the log of `folder` that follow the chain, and advances it. A block is valid
 * until the next one. Returns how the log ends.
 */
export function* blocksLeftInWal(
  folder: string,
  chain: BlockChain,
  note: WalNote | undefined,
  corrections: readonly Correction[] = [],
): Generator<BlockReader, WalEnd> {
  const begin = chain.position
  if (note?.state === WalState.EMPTY) return endOfEmpty(folder, begin, note)
  const block = new BlockReader(corrections)
  for (const files of logsIn(folder)) {
    const wal = WalReader.left(files, chain.position)
    try {
      for (;;) {
        const bytes = wal.block(chain.position + 1)
        if (bytes === undefined || !follows(chain, block, bytes)) break
        chain.advance(block)
        yield block
      }
    } finally {
      wal.close()
    }
  }
  return judge(folder, chain, note, chain.position > begin)
}

/** By matcher: the last blocks that stores made of the journals have. */
export interface DerivedBlocks {
  readonly archived?: ReadonlyMap<number, number>
  readonly snapshots?: ReadonlyMap<number, number>
}

/** Returns how a log ends whose blocks archive and snapshots have up to `archived` and `inSnapshots`. */
export function endByOthers(
  end: WalEnd,
  folder: string,
  note: WalNote | undefined,
  { archived, inSnapshots }: { readonly archived: number; readonly inSnapshots: number },
): WalEnd {
  const { position } = end
  const durability = note?.durability ?? 'flushed'
  if (durability === 'replicated') return end
  // A snapshot has nothing that a power loss can undo, whatever the durability.
  const isCommitted = durability === 'committed'
  const proven = isCommitted ? inSnapshots : Math.max(archived, inSnapshots)
  if (proven <= position) {
    return archived > position ? { ...end, givenUp: Math.max(end.givenUp ?? 0, archived) } : end
  }
  const where = proven === inSnapshots ? 'a snapshot' : 'the archive'
  const damage =
    end.damage ??
    `${path.basename(folder)} ends with block ${position}, but ${where} has block ${proven}: ` +
      `${counted(proven - position)} lost.`
  return { ...end, damage, flushed: Math.max(end.flushed, proven) }
}

const counted = (blocks: number): string => (blocks === 1 ? '1 block is' : `${blocks} blocks are`)

/** Iterates over the blocks of a matcher in the log of `folder` that stand behind a position, in any order. */
export function* remainsIn(
  folder: string,
  matcher: number,
  position: number,
  note: WalNote | undefined,
): Generator<Remains> {
  const block = new BlockReader()
  for (const file of logsIn(folder).flat()) {
    const bytes = readFile(file)
    for (let at = 0; at + BLOCK_HEADER_BYTES <= bytes.bytes.length; at += PAGE_BYTES) {
      const head = blockHeadAt(bytes, at)
      if (head === undefined || head.matcher !== matcher || head.position <= position) continue
      const isWhole = opens(block, bytes.bytes.subarray(at, at + head.length))
      yield {
        position: head.position,
        flushed: flushedBefore(head.position, head.unflushed, note),
        file: path.basename(file),
        block: isWhole ? block : undefined,
      }
      if (isWhole) at += paddedBytes(head.length) - PAGE_BYTES
    }
  }
}

/** Whether anything of a write-ahead log is in the folder. */
export const hasWal = (folder: string): boolean =>
  logsIn(folder).length > 0 || fs.existsSync(flushMarkFile(folder))

/** A log of layout 6 or before proves nothing: what stood before may have been flushed. */
function flushedBefore(position: number, unflushed: number, note: WalNote | undefined): number {
  if (note?.durability === 'replicated') return 0
  if (unflushed > 0) return position - unflushed
  return note === undefined ? position - 1 : 0
}

/** Returns the end of a log whose files do not count: its mark does, unless a quorum decided which blocks there are. */
function endOfEmpty(folder: string, position: number, { durability }: WalNote): WalEnd {
  let mark: FlushMark | undefined
  try {
    mark = durability === 'replicated' ? undefined : readFlushMark(folder)
  } catch (error) {
    // It is just being made.
    if (!(error instanceof JournalDamage)) throw error
  }
  return endOf(folder, position, later(markWitness(mark), sealedWitness(folder)))
}

/** Records that blocks up to `position` were on the disk. */
interface Witness {
  readonly position: number
  readonly words: string
}

function judge(
  folder: string,
  chain: BlockChain,
  note: WalNote | undefined,
  hasBlocks: boolean,
): WalEnd {
  const end = chain.position
  let missing = note && missingOf(folder, note)
  let mark: FlushMark | undefined
  try {
    mark = readFlushMark(folder)
  } catch (error) {
    if (!(error instanceof JournalDamage)) throw error
    missing ??= error.message
  }
  let witness = later(markWitness(mark), sealedWitness(folder))
  let last = end
  for (const { position, flushed, file } of remainsIn(folder, chain.matcher, end, note)) {
    last = Math.max(last, position)
    const words = `block ${position} stands behind it in ${file}`
    witness = later(witness, { position: flushed, words })
  }
  const isExact = mark?.isExact === true
  // A power loss may have taken a block without a trace.
  if (!isExact && hasBlocks && mark !== undefined) last = Math.max(last, end + 1)
  const givenUp = last > end ? last : undefined
  return { ...endOf(folder, end, witness, missing), givenUp, isExact }
}

const later = (one: Witness, other: Witness): Witness =>
  other.position > one.position ? other : one

function endOf(folder: string, position: number, witness: Witness, missing?: string): WalEnd {
  const flushed = Math.max(position, witness.position)
  const end = { position, flushed, givenUp: undefined, isExact: true }
  if (witness.position <= position) return { ...end, damage: missing }
  const first = position + 1
  const { position: last, words } = witness
  const blocks = last === first ? `block ${first} was` : `blocks ${first} to ${last} were`
  const damage =
    missing === undefined
      ? `${blockName(folder, first)} is not whole, but ${blocks} flushed: ${words}.`
      : `${missing.slice(0, -1)}, and ${blocks} flushed.`
  return { ...end, damage }
}

const markWitness = (mark: FlushMark | undefined): Witness => ({
  position: mark?.position ?? 0,
  words: 'wal-flushed says so',
})

const sealedWitness = (folder: string): Witness => {
  const position = lastSealedBlock(folder)
  return { position, words: `old-journals has block ${position}` }
}

/** Returns what is missing of a log that is in use, in a sentence; undefined when its files are there. */
function missingOf(folder: string, { segmentBytes }: WalNote): string | undefined {
  const journal = path.basename(folder)
  for (const file of [...filesOf(segmentFile, folder), flushMarkFile(folder)]) {
    const name = `${path.basename(file)} of ${journal}`
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined) return `${name} is no longer there.`
    const isShort = file !== flushMarkFile(folder) && size < segmentBytes
    if (isShort) return `${name} has ${size} of its ${segmentBytes} bytes.`
  }
  return undefined
}

/**
 * Returns the segments of the write-ahead logs in the folder: of one at most, except after a crash in the
 * first start behind layout 4. Some of them may be missing.
 */
const logsIn = (folder: string): readonly (readonly string[])[] =>
  [formerSegmentFile, segmentFile]
    .map((nameOf) => filesOf(nameOf, folder))
    .filter((files) => files.some((file) => fs.existsSync(file)))

function readFile(file: string): RecordBuffer {
  if (!fs.existsSync(file)) return RecordBuffer.allocate(0)
  const descriptor = fs.openSync(file, 'r')
  try {
    const bytes = RecordBuffer.allocate(paddedBytes(fs.fstatSync(descriptor).size))
    for (let at = 0; ; ) {
      const read = fs.readSync(descriptor, bytes.bytes, at, bytes.bytes.length - at, at)
      if (read === 0) return bytes
      at += read
    }
  } finally {
    fs.closeSync(descriptor)
  }
}

function follows(chain: BlockChain, block: BlockReader, bytes: Uint8Array): boolean {
  if (!opens(block, bytes)) return false
  try {
    chain.check(block, '')
    return true
  } catch (error) {
    if (error instanceof JournalDamage) return false
    throw error
  }
}

function opens(block: BlockReader, bytes: Uint8Array): boolean {
  try {
    block.open(bytes, '')
    return true
  } catch (error) {
    if (error instanceof JournalDamage) return false
    throw error
  }
}
