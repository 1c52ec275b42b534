/**
 * Reads the blocks of a write-ahead log (wal-writer.ts), behind or beside its writer. It finds blocks by
 * their heads; the caller checks that a block is whole.
 */
import fs from 'node:fs'
import { RecordBuffer } from '../layout/record-buffer.ts'
import {
  BLOCK_HEADER_BYTES,
  BlockReader,
  blockLengthAt,
  blockPositionAt,
  JournalDamage,
} from './block.ts'
import type { BlockChain } from './chain.ts'
import { PAGE_BYTES } from './environment.ts'
import { SEGMENT_COUNT, WalCells } from './wal-cells.ts'
import { formerSegmentFile, paddedBytes, SEGMENT_BYTES, segmentFile } from './wal-writer.ts'

/** Bytes of one read: several blocks of a busy matcher. Threads that wake wait for the whole copy. */
const CHUNK_BYTES = 64 << 10

export class WalReader {
  private readonly cells: WalCells
  private readonly files: readonly number[]
  /** Place of the block of this position, unless it begins the next segment. */
  private next = 0
  private segment = 0
  private offset = 0
  /** Bytes [start .. end) of chunkSegment, read when chunkWritten was the last block. */
  private chunk = RecordBuffer.allocate(CHUNK_BYTES)
  private chunkSegment = -1
  private chunkWritten = 0
  private start = 0
  private end = 0

  /** Reads the segments in `files`, which must exist. */
  constructor(files: readonly string[], cells: WalCells) {
    this.cells = cells
    this.files = openAll(files)
  }

  /** For the write-ahead log that a matcher has open. */
  static beside(folder: string, cells: WalCells): WalReader {
    return new WalReader(filesOf(segmentFile, folder), cells)
  }

  /**
   * For a write-ahead log whose writer is gone: makes its cells from the heads, up to the first missing
   * block. `checkpointed` is the last block that LMDB holds.
   */
  static left(files: readonly string[], checkpointed: number): WalReader {
    const cells = new WalCells()
    const reader = new WalReader(files, cells)
    cells.setWritten(Number.MAX_SAFE_INTEGER)
    cells.setCheckpointed(checkpointed)
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      if (!reader.load(segment, 0, PAGE_BYTES, PAGE_BYTES)) continue
      const position = blockPositionAt(reader.chunk, 0)
      const isHead = blockLengthAt(reader.chunk, 0, position) > 0
      if (isHead && Number.isSafeInteger(position)) cells.setFirst(segment, position)
    }
    return reader
  }

  /**
   * Returns the block, in memory that the next read overwrites; undefined when the write-ahead log does
   * not hold it. Beside a writer it is whole only if it is still not checkpointed after the read.
   */
  block(position: number): Uint8Array | undefined {
    if (position > this.cells.written) return undefined
    if (position !== this.next && !this.find(position)) return undefined
    let length = this.lengthHere(position)
    if (length === 0) {
      this.segment = (this.segment + 1) % SEGMENT_COUNT
      this.offset = 0
      length = this.lengthHere(position)
    }
    if (length === 0 || !this.have(length, position)) {
      this.next = 0
      return undefined
    }
    const at = this.offset - this.start
    this.next = position + 1
    this.offset += paddedBytes(length)
    return this.chunk.bytes.subarray(at, at + length)
  }

  close(): void {
    for (const file of this.files) fs.closeSync(file)
  }

  /** Finds the block from the beginning of its segment. Returns false when no head leads to it. */
  private find(position: number): boolean {
    let first = 0
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      const candidate = this.cells.firstOf(segment)
      if (candidate <= first || candidate > position) continue
      first = candidate
      this.segment = segment
    }
    if (first === 0) return false
    this.offset = 0
    for (let passed = first; passed < position; passed++) {
      const length = this.lengthHere(passed)
      if (length === 0) return false
      this.offset += paddedBytes(length)
    }
    return true
  }

  /** Returns the length of the block of that position, if it begins here; else 0. */
  private lengthHere(position: number): number {
    const isInside = this.offset === 0 || this.offset + PAGE_BYTES <= SEGMENT_BYTES
    if (!isInside || !this.have(BLOCK_HEADER_BYTES, position)) return 0
    const length = blockLengthAt(this.chunk, this.offset - this.start, position)
    const fits = this.offset === 0 || this.offset + length <= SEGMENT_BYTES
    return fits ? length : 0
  }

  /**
   * Loads the next `length` bytes, those of that block, into the chunk. Returns false when the file is
   * shorter.
   */
  private have(length: number, position: number): boolean {
    const isThere =
      this.segment === this.chunkSegment &&
      this.offset >= this.start &&
      this.offset + length <= this.end &&
      this.chunkWritten >= position
    if (isThere) return true
    this.chunkWritten = this.cells.written
    // Nothing of use follows the last block.
    const bytes = this.chunkWritten === position ? paddedBytes(length) : CHUNK_BYTES
    return this.load(this.segment, this.offset, length, Math.max(length, bytes))
  }

  /** Reads up to `wanted` bytes. Returns false when there are fewer than `needed`. */
  private load(segment: number, offset: number, needed: number, wanted: number): boolean {
    if (wanted > this.chunk.bytes.length) this.chunk = RecordBuffer.allocate(paddedBytes(wanted))
    this.chunkSegment = segment
    this.start = offset
    this.end = offset
    while (this.end < offset + needed) {
      const at = this.end - offset
      const file = this.files[segment]!
      const read = fs.readSync(file, this.chunk.bytes, at, wanted - at, this.end)
      if (read === 0) return false
      this.end += read
    }
    return true
  }
}

/**
 * Iterates over the blocks that the last run left in the write-ahead log of `folder`, those that follow the
 * chain, and advances it. A block that a power loss tore, or that was never written, is the end and no
 * error. A block is valid until the next one.
 */
export function* blocksLeftInWal(folder: string, chain: BlockChain): Generator<BlockReader> {
  const block = new BlockReader()
  for (const files of walsIn(folder)) {
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
}

function follows(chain: BlockChain, block: BlockReader, bytes: Uint8Array): boolean {
  try {
    block.open(bytes, '')
    chain.check(block, '')
    return true
  } catch (error) {
    if (error instanceof JournalDamage) return false
    throw error
  }
}

/** Whether the folder has a write-ahead log. */
export const hasWal = (folder: string): boolean => walsIn(folder).length > 0

/**
 * Returns the segments of the write-ahead logs in the folder: one at most, except a crash in the first start
 * behind layout 4. All segments are made before the first block: where one is missing, there is no block.
 */
const walsIn = (folder: string): readonly (readonly string[])[] =>
  [formerSegmentFile, segmentFile]
    .map((nameOf) => filesOf(nameOf, folder))
    .filter((files) => files.every((file) => fs.existsSync(file)))

const filesOf = (nameOf: typeof segmentFile, folder: string): readonly string[] =>
  Array.from({ length: SEGMENT_COUNT }, (_, segment) => nameOf(folder, segment))

/** Opens all files; none stays open when one is missing. */
function openAll(files: readonly string[]): number[] {
  const opened: number[] = []
  try {
    for (const file of files) opened.push(fs.openSync(file, 'r'))
  } catch (error) {
    for (const file of opened) fs.closeSync(file)
    throw error
  }
  return opened
}
