/**
 * Reads the blocks of a write-ahead log (wal-writer.ts), behind or beside its writer. It finds blocks by
 * their heads; the caller checks that a block is whole.
 */
import * as fs from 'node:fs'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { BLOCK_HEADER_BYTES, blockHeadAt, blockLengthAt } from './block.ts'
import { PAGE_BYTES } from './environment.ts'
import { SEGMENT_COUNT, WalCells } from './wal-cells.ts'
import { paddedBytes, SEGMENT_BYTES, segmentFile } from './wal-writer.ts'

/** Bytes of one read: several blocks of a busy matcher. Threads that wake wait for the whole copy. */
const CHUNK_BYTES = 64 << 10
/** In place of a file that is missing. */
const NO_FILE = ''

export class WalReader {
  private readonly cells: WalCells
  private readonly files: readonly (number | undefined)[]
  /** Place of the block of this position, unless it begins another segment. */
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

  /** For the write-ahead log that a matcher has open. Throws when a segment is missing. */
  static beside(folder: string, cells: WalCells): WalReader {
    return new WalReader(filesOf(segmentFile, folder), cells)
  }

  /**
   * For a write-ahead log whose writer is gone: makes its cells from the heads, up to the first missing
   * block. `checkpointed` is the last block that LMDB holds. A segment that is missing holds none.
   */
  static left(files: readonly string[], checkpointed: number): WalReader {
    const cells = new WalCells()
    const reader = new WalReader(
      files.map((file) => (fs.existsSync(file) ? file : NO_FILE)),
      cells,
    )
    cells.setWritten(Number.MAX_SAFE_INTEGER)
    cells.setCheckpointed(checkpointed)
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      if (!reader.load(segment, 0, PAGE_BYTES, PAGE_BYTES)) continue
      const head = blockHeadAt(reader.chunk, 0)
      if (head !== undefined) cells.setFirst(segment, head.position)
    }
    return reader
  }

  /**
   * Returns the block, in memory that the next read overwrites; undefined when the write-ahead log does
   * not hold it. Beside a writer it is whole only if it is still not checkpointed after the read.
   */
  block(position: number): Uint8Array | undefined {
    if (position > this.cells.written) return undefined
    let length = position === this.next ? this.lengthHere(position) : 0
    // The first one that is read, or the first one of a segment.
    if (length === 0 && this.find(position)) length = this.lengthHere(position)
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
    for (const file of this.files) if (file !== undefined) fs.closeSync(file)
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
    const file = this.files[segment]
    if (file === undefined) return false
    while (this.end < offset + needed) {
      const at = this.end - offset
      const read = fs.readSync(file, this.chunk.bytes, at, wanted - at, this.end)
      if (read === 0) return false
      this.end += read
    }
    return true
  }
}

export const filesOf = (nameOf: typeof segmentFile, folder: string): readonly string[] =>
  Array.from({ length: SEGMENT_COUNT }, (_, segment) => nameOf(folder, segment))

/** Opens all files; none stays open when one cannot be opened. */
function openAll(files: readonly string[]): (number | undefined)[] {
  const opened: (number | undefined)[] = []
  try {
    for (const file of files) opened.push(file === NO_FILE ? undefined : fs.openSync(file, 'r'))
  } catch (error) {
    for (const file of opened) if (file !== undefined) fs.closeSync(file)
    throw error
  }
  return opened
}
