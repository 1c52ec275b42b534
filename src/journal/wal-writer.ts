/**
 * The write-ahead log of a journal: files into which a matcher writes its blocks first. The checkpointer
 * copies them into LMDB (checkpointer.ts). Only the matcher writes it; readers use WalReader.
 *
 *   wal-0 … wal-3    segments of SEGMENT_BYTES, written in turn; each block begins at a multiple of
 *                    PAGE_BYTES and is filled up with zeros to the next one
 *
 * A segment's bytes exist before it is used, so a flush writes only those bytes: no length, no place
 * on the disk, and so one flush of the device. No page is written twice before its block is checkpointed,
 * so a torn write damages no other block.
 *
 * Beside them `wal-flushed` has how far they are flushed (flush-mark.ts).
 *
 * A block that does not fit the remaining bytes of a segment begins the next one. A block larger than a
 * segment makes its file grow until the segment is used again. A segment is used again only when all its
 * blocks are checkpointed; remains of old blocks have lower positions than any that a reader looks for. A
 * start checkpoints or gives up the blocks that it finds before it opens the write-ahead log, which then
 * begins with zeros.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { assert } from '../base/assert.ts'
import { storeFault } from '../base/file-fault.ts'
import { flushFolder, PAGE_BYTES, StorageError } from './environment.ts'
import { FlushMarkWriter } from './flush-mark.ts'
import { SEGMENT_COUNT, type WalCells } from './wal-cells.ts'

export const SEGMENT_BYTES = 4 << 20

export const segmentFile = (folder: string, segment: number): string =>
  path.join(folder, `wal-${segment}`)

/** Returns the name that a segment had up to layout 4: a start recovers its blocks, then removes it. */
export const formerSegmentFile = (folder: string, segment: number): string =>
  path.join(folder, `tail-${segment}`)

/** Larger blocks are written without being copied first. */
const PADDED_BYTES_MAX = 512 << 10

/** Returns the bytes that a block takes of a segment. */
export const paddedBytes = (length: number): number => Math.ceil(length / PAGE_BYTES) * PAGE_BYTES

export interface WalWriterOptions {
  /** The journal's. */
  readonly folder: string
  /** Both of its positions are the journal's last. */
  readonly cells: WalCells
  /** Called when a segment is begun: the one before it waits to be checkpointed. */
  readonly segmentBegun: () => void
  /** Called when no segment is free: returns once the block is checkpointed, or throws. */
  readonly makeRoom: (position: number) => void
  /** A multiple of PAGE_BYTES; SEGMENT_BYTES when left out. Readers find the end of shorter files. */
  readonly segmentBytes?: number
}

export class WalWriter {
  private readonly options: WalWriterOptions
  private readonly segmentBytes: number
  private readonly files: readonly number[]
  private readonly mark: FlushMarkWriter
  /** By segment: its last block. */
  private readonly lasts = new Float64Array(SEGMENT_COUNT)
  private readonly _unflushed = new Set<number>()
  private readonly padded = Buffer.alloc(PADDED_BYTES_MAX)
  private segment = SEGMENT_COUNT - 1
  private offset: number

  /**
   * Zeroes the segments, whose blocks must be in LMDB, and which LMDB must not say to be in use. Throws
   * StorageError.
   */
  constructor(options: WalWriterOptions) {
    this.options = options
    const { folder, cells, segmentBytes = SEGMENT_BYTES } = options
    this.segmentBytes = segmentBytes
    this.offset = segmentBytes
    this.mark = this.guard(() => new FlushMarkWriter(folder, cells.written))
    this.files = this.guard(() => {
      const zeros = Buffer.alloc(segmentBytes)
      const files = Array.from({ length: SEGMENT_COUNT }, (_, segment) => {
        const file = fs.openSync(
          segmentFile(folder, segment),
          fs.constants.O_RDWR | fs.constants.O_CREAT,
          0o644,
        )
        writeWhole(file, zeros, zeros.length, 0)
        fs.ftruncateSync(file, segmentBytes)
        fs.fsyncSync(file)
        fs.rmSync(formerSegmentFile(folder, segment), { force: true })
        return file
      })
      flushFolder(folder)
      return files
    })
  }

  /** Writes the block to the kernel. Throws StorageError when it refuses. */
  write(block: Uint8Array, position: number): void {
    const length = paddedBytes(block.length)
    if (this.offset + length > this.segmentBytes) this.beginSegment(position)
    const segment = this.segment
    this.guard(() => this.writePadded(this.files[segment]!, block, length))
    this.offset += length
    this.lasts[segment] = position
    this._unflushed.add(segment)
  }

  /** Segments that were written since they were flushed, in the order of their blocks. */
  get unflushed(): readonly number[] {
    return [...this._unflushed]
  }

  /** Notes for a later start that blocks up to the position are on the disk. Throws StorageError. */
  markFlushed(position: number): void {
    this.guard(() => this.mark.write(position))
  }

  /** Returns when all written blocks are on the disk. Throws StorageError. */
  flush(): void {
    for (const segment of this.unflushed) {
      this.guard(() => fs.fdatasyncSync(this.files[segment]!))
      this._unflushed.delete(segment)
    }
  }

  /**
   * Begins a flush beside the caller, who has written something since the last one. `ended` gets what the system
   * refused, if it did.
   */
  beginFlush(ended: (refusal?: StorageError) => void): void {
    const segments = this.unflushed
    assert(segments.length > 0, 'there is something to flush')
    let left = segments.length
    let refusal: StorageError | undefined
    for (const segment of segments) {
      const last = this.lasts[segment]
      fs.fdatasync(this.files[segment]!, (error) => {
        if (error !== null) refusal = this.fault(error)
        // A flush that blocked may have come first, and another block after it.
        else if (this.lasts[segment] === last) this._unflushed.delete(segment)
        if (--left === 0) ended(refusal)
      })
    }
  }

  close(): void {
    for (const file of this.files) fs.closeSync(file)
    this.mark.close()
  }

  private beginSegment(position: number): void {
    const { cells, makeRoom, segmentBegun } = this.options
    const segment = (this.segment + 1) % SEGMENT_COUNT
    if (cells.checkpointed < this.lasts[segment]!) makeRoom(this.lasts[segment]!)
    const file = this.files[segment]!
    this.guard(() => {
      if (fs.fstatSync(file).size > this.segmentBytes) {
        fs.ftruncateSync(file, this.segmentBytes)
      }
    })
    cells.setFirst(segment, position)
    this.segment = segment
    this.offset = 0
    segmentBegun()
  }

  /** Writes whole pages, so that the kernel never has to read one first. */
  private writePadded(file: number, block: Uint8Array, length: number): void {
    const padded = this.padded
    if (length <= padded.length) {
      padded.set(block)
      padded.fill(0, block.length, length)
      writeWhole(file, padded, length, this.offset)
    } else {
      padded.fill(0, 0, length - block.length)
      writeWhole(file, block, block.length, this.offset)
      writeWhole(file, padded, length - block.length, this.offset + block.length)
    }
  }

  private guard<T>(action: () => T): T {
    try {
      return action()
    } catch (error) {
      throw this.fault(error)
    }
  }

  private fault(error: unknown): StorageError {
    const what = `The write-ahead log in ${this.options.folder}`
    return new StorageError(storeFault(what, 'written', error), { cause: error })
  }
}

function writeWhole(file: number, bytes: Uint8Array, length: number, offset: number): void {
  for (let done = 0; done < length; ) {
    done += fs.writeSync(file, bytes, done, length - done, offset + done)
  }
}
