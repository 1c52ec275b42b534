/**
 * Reads the blocks of a tail (tail-writer.ts), behind or beside its writer. It finds blocks by their
 * heads; the caller checks that a block is whole.
 */
import fs from 'node:fs'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { BLOCK_HEADER_BYTES, blockLengthAt, blockPositionAt } from './block.ts'
import { PAGE_BYTES } from './environment.ts'
import { SEGMENT_COUNT, TailCells } from './tail-cells.ts'
import { paddedBytes, SEGMENT_BYTES, segmentFile } from './tail-writer.ts'

/** Bytes of one read: several blocks of a busy matcher. Threads that wake wait for the whole copy. */
const CHUNK_BYTES = 64 << 10

export class TailReader {
  readonly #cells: TailCells
  readonly #files: readonly number[]
  /** Place of the block of this position, unless it begins the next segment. */
  #next = 0
  #segment = 0
  #offset = 0
  /** Bytes [#start .. #end) of #chunkSegment, read when #chunkWritten was the last block. */
  #chunk = RecordBuffer.allocate(CHUNK_BYTES)
  #chunkSegment = -1
  #chunkWritten = 0
  #start = 0
  #end = 0

  /** For the tail of the journal in `folder`, whose segments must exist. */
  constructor(folder: string, cells: TailCells) {
    this.#cells = cells
    this.#files = openSegments(folder)
  }

  /**
   * For a tail whose writer is gone: makes its cells from the heads, up to the first missing block.
   * `carried` is the last block that LMDB holds.
   */
  static ofLeftTail(folder: string, carried: number): TailReader {
    const cells = new TailCells()
    const reader = new TailReader(folder, cells)
    cells.setWritten(Number.MAX_SAFE_INTEGER)
    cells.setCarried(carried)
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      if (!reader.#load(segment, 0, PAGE_BYTES, PAGE_BYTES)) continue
      const position = blockPositionAt(reader.#chunk, 0)
      const isHead = blockLengthAt(reader.#chunk, 0, position) > 0
      if (isHead && Number.isSafeInteger(position)) cells.setFirst(segment, position)
    }
    return reader
  }

  /**
   * Returns the block, in memory that the next read overwrites; undefined when the tail does not hold
   * it. Beside a writer it is whole only if it is still not carried after the read.
   */
  block(position: number): Uint8Array | undefined {
    if (position > this.#cells.written) return undefined
    if (position !== this.#next && !this.#find(position)) return undefined
    let length = this.#lengthHere(position)
    if (length === 0) {
      this.#segment = (this.#segment + 1) % SEGMENT_COUNT
      this.#offset = 0
      length = this.#lengthHere(position)
    }
    if (length === 0 || !this.#have(length, position)) {
      this.#next = 0
      return undefined
    }
    const at = this.#offset - this.#start
    this.#next = position + 1
    this.#offset += paddedBytes(length)
    return this.#chunk.bytes.subarray(at, at + length)
  }

  close(): void {
    for (const file of this.#files) fs.closeSync(file)
  }

  /** Finds the block from the beginning of its segment. Returns false when no head leads to it. */
  #find(position: number): boolean {
    let first = 0
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      const candidate = this.#cells.firstOf(segment)
      if (candidate <= first || candidate > position) continue
      first = candidate
      this.#segment = segment
    }
    if (first === 0) return false
    this.#offset = 0
    for (let passed = first; passed < position; passed++) {
      const length = this.#lengthHere(passed)
      if (length === 0) return false
      this.#offset += paddedBytes(length)
    }
    return true
  }

  /** Returns the length of the block of that position, if it begins here; else 0. */
  #lengthHere(position: number): number {
    const isInside = this.#offset === 0 || this.#offset + PAGE_BYTES <= SEGMENT_BYTES
    if (!isInside || !this.#have(BLOCK_HEADER_BYTES, position)) return 0
    const length = blockLengthAt(this.#chunk, this.#offset - this.#start, position)
    const fits = this.#offset === 0 || this.#offset + length <= SEGMENT_BYTES
    return fits ? length : 0
  }

  /**
   * Loads the next `length` bytes, those of that block, into the chunk. Returns false when the file is
   * shorter.
   */
  #have(length: number, position: number): boolean {
    const isThere =
      this.#segment === this.#chunkSegment &&
      this.#offset >= this.#start &&
      this.#offset + length <= this.#end &&
      this.#chunkWritten >= position
    if (isThere) return true
    this.#chunkWritten = this.#cells.written
    // Nothing of use follows the last block.
    const bytes = this.#chunkWritten === position ? paddedBytes(length) : CHUNK_BYTES
    return this.#load(this.#segment, this.#offset, length, Math.max(length, bytes))
  }

  /** Reads up to `wanted` bytes. Returns false when there are fewer than `needed`. */
  #load(segment: number, offset: number, needed: number, wanted: number): boolean {
    if (wanted > this.#chunk.bytes.length) this.#chunk = RecordBuffer.allocate(paddedBytes(wanted))
    this.#chunkSegment = segment
    this.#start = offset
    this.#end = offset
    while (this.#end < offset + needed) {
      const at = this.#end - offset
      const file = this.#files[segment]!
      const read = fs.readSync(file, this.#chunk.bytes, at, wanted - at, this.#end)
      if (read === 0) return false
      this.#end += read
    }
    return true
  }
}

/** Opens all segments; none stays open when one is missing. */
function openSegments(folder: string): number[] {
  const files: number[] = []
  try {
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      files.push(fs.openSync(segmentFile(folder, segment), 'r'))
    }
  } catch (error) {
    for (const file of files) fs.closeSync(file)
    throw error
  }
  return files
}
