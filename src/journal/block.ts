/**
 * The journal's block: the events of one batch of one matcher. The matcher writes it through
 * BlockWriter; recovery and the indexer read it through BlockReader, which refuses any changed
 * byte. A written block never changes.
 *
 * ```
 *  0           56         the block's length
 *  ┌───────────┬──────────┐
 *  │ BlockHead │ records  │   bytes of both: layout/schema.ts; records in the order of execution
 *  └───────────┴──────────┘
 * ```
 *
 * The checksum is the CRC-32 of the bytes behind it. Each block has the checksum of the block before, so
 * none can be left out.
 */
import { crc32 } from 'node:zlib'
import { assert } from '../base/assert.ts'
import { type Correction, shownMs } from '../base/corrections.ts'
import { BLOCK_BYTES_MAX } from '../base/limits.ts'
import { Ms } from '../base/units.ts'
import { EventHeader } from '../layout/accessors.gen.ts'
import {
  convertRecords,
  isReadLayout,
  JOURNAL_LAYOUT,
  OLDEST_LAYOUT,
} from '../layout/conversions.ts'
import { correctRecords } from '../layout/corrections.ts'
import { RecordBuffer, recordLength } from '../layout/record-buffer.ts'
import { BlockHead } from '../layout/rows.gen.ts'

export { JOURNAL_LAYOUT }

export const BLOCK_HEADER_BYTES = BlockHead.bytes

/** The first four bytes: "RBJ1". */
const MAGIC = 0x314a4252

/** Bytes that are not the block that Ringbook wrote there. */
export class JournalDamage extends Error {
  override readonly name = 'JournalDamage'
}

const WAY_OUT =
  'Put a whole copy of the journal in its place, or restore a backup (ringbook restore).'

/** Returns the error of a block that a data folder has in LMDB: of a damaged one its sentence names the way out. */
export const ofStoredBlock = (error: unknown): unknown =>
  error instanceof JournalDamage ? new JournalDamage(`${error.message} ${WAY_OUT}`) : error

/** Journals, or a block of them, that this Ringbook cannot read, because their records are laid out otherwise. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError'

  /** Throws it unless this Ringbook reads the layout of `what`, which begins the sentence. */
  static check(what: string, layout: number): void {
    if (!isReadLayout(layout)) throw new LayoutError(what, layout)
  }

  constructor(what: string, layout: number) {
    const other = layout > JOURNAL_LAYOUT ? 'a newer one' : 'start on a new folder'
    super(
      `${what} was written in journal layout ${layout}, and this Ringbook reads layouts ` +
        `${OLDEST_LAYOUT} to ${JOURNAL_LAYOUT}: use the Ringbook that wrote it, or ${other}.`,
    )
  }
}

export interface BlockOrigin {
  /** By how much the block's time is ahead of its records'; 0 when left out. */
  readonly correctedMs?: number
  readonly matcher: number
  readonly epoch: number
  /** Checksum of the journal's last block, 0 when it has none. */
  readonly previous: number
}

/** Seals batches into blocks, one after another, in separate memory. */
export class BlockWriter {
  private buffer = RecordBuffer.allocate(BLOCK_HEADER_BYTES + (256 << 10))
  private readonly matcher: number
  private readonly epoch: number
  private readonly correctedMs: number
  private previous: number

  constructor(origin: BlockOrigin) {
    this.matcher = origin.matcher
    this.epoch = origin.epoch
    this.correctedMs = origin.correctedMs ?? 0
    this.previous = origin.previous
  }

  /**
   * Returns the block of the events in `events`[0 .. end), which must be whole records. Valid until
   * the next call; the next block follows this one. `unflushed`: blocks before it that are not flushed
   * yet; left out where it is unknown.
   */
  seal(
    events: RecordBuffer,
    end: number,
    position: number,
    timeMs: Ms,
    unflushed = -1,
  ): Uint8Array {
    const length = BLOCK_HEADER_BYTES + end
    if (length > this.buffer.bytes.length) this.buffer = RecordBuffer.allocate(length * 2)
    const { bytes } = this.buffer
    bytes.set(events.bytes.subarray(0, end), BLOCK_HEADER_BYTES)
    const records = countRecords(this.buffer, length)
    assert(records > 0, 'a block holds whole records, and at least one')
    const head = this.buffer
    BlockHead.setMagic(head, 0, MAGIC)
    BlockHead.setLayout(head, 0, JOURNAL_LAYOUT)
    BlockHead.setLength(head, 0, length)
    BlockHead.setMatcher(head, 0, this.matcher)
    BlockHead.setRecords(head, 0, records)
    BlockHead.setPosition(head, 0, position)
    BlockHead.setEpoch(head, 0, this.epoch)
    BlockHead.setTimeMs(head, 0, Ms(timeMs + this.correctedMs))
    BlockHead.setPrevious(head, 0, this.previous)
    BlockHead.setUnflushed(head, 0, 1 + unflushed)
    const block = bytes.subarray(0, length)
    const checksum = crc32(block.subarray(BlockHead.layoutStart)) | 0
    BlockHead.setChecksum(head, 0, checksum)
    this.previous = checksum
    return block
  }
}

/** Holds one block at a time, checked, with its records in today's layout where they can be read. */
export class BlockReader {
  /** The block as it was written. */
  private buffer = RecordBuffer.allocate(64 << 10)
  private length = 0
  private _records = this.buffer
  matcher = 0
  epoch = 0
  position = 0
  timeMs = Ms(0)
  recordCount = 0
  previous = 0
  checksum = 0
  private readonly corrections: readonly Correction[]
  /** The records lie in records.bytes[start .. end). */
  readonly start = BLOCK_HEADER_BYTES
  end: number = BLOCK_HEADER_BYTES

  /** Times are shown by the corrections of the clock, which writing the block again needs not. */
  constructor(corrections: readonly Correction[] = []) {
    this.corrections = corrections
  }

  get records(): RecordBuffer {
    return this._records
  }

  /** The block as it was written, until the next one is opened. */
  get bytes(): Uint8Array {
    return this.buffer.bytes.subarray(0, this.length)
  }

  /**
   * Copies the block in and checks all of it. `name` names it in the sentence of a JournalDamage or
   * LayoutError; the reader is empty after that.
   */
  open(block: Uint8Array, name: string): void {
    const length = block.length
    this.end = BLOCK_HEADER_BYTES
    this.length = 0
    refuseIf(length < BLOCK_HEADER_BYTES, name, 'is shorter than a header')
    if (length > this.buffer.bytes.length) this.buffer = RecordBuffer.allocate(length * 2)
    const head = this.buffer
    head.bytes.set(block)
    refuseIf(BlockHead.magic(head, 0) !== MAGIC, name, 'does not begin as a block does')
    refuseIf(BlockHead.length(head, 0) !== length, name, 'is not as long as its header says')
    const checksum = crc32(head.bytes.subarray(BlockHead.layoutStart, length)) | 0
    refuseIf(BlockHead.checksum(head, 0) !== checksum, name, 'does not match its checksum')
    const layout = BlockHead.layout(head, 0)
    LayoutError.check(name, layout)
    refuseIf(
      BlockHead.records(head, 0) !== countRecords(this.buffer, length),
      name,
      'does not hold the number of records that its header says',
    )
    this.checksum = checksum
    this.matcher = BlockHead.matcher(head, 0)
    this.recordCount = BlockHead.records(head, 0)
    this.position = BlockHead.position(head, 0)
    this.epoch = BlockHead.epoch(head, 0)
    this.timeMs = BlockHead.timeMs(head, 0)
    this.previous = BlockHead.previous(head, 0)
    this.length = length
    const { records, end } = convertRecords(layout, head, this.start, length)
    this._records = records
    this.end = end
    this.correct()
  }

  private correct(): void {
    const corrections = this.corrections
    const timeMs = this.timeMs
    if (corrections.length === 0) return
    this.timeMs = shownMs(timeMs, corrections)
    if (this.timeMs === timeMs) return
    // The bytes stay as they were written.
    const records = RecordBuffer.allocate(this.end)
    records.bytes.set(this._records.bytes.subarray(0, this.end))
    correctRecords(records, this.start, this.end, this.timeMs)
    this._records = records
  }
}

/**
 * Returns the bytes of the block of that position, if its head is at `at`, a multiple of 8; else 0.
 * Checks only the head.
 */
export function blockLengthAt(buffer: RecordBuffer, at: number, position: number): number {
  if (BlockHead.magic(buffer, at) !== MAGIC) return 0
  if (BlockHead.position(buffer, at) !== position) return 0
  const length = BlockHead.length(buffer, at)
  return length >= BLOCK_HEADER_BYTES && length <= BLOCK_BYTES_MAX ? length : 0
}

/** What the head of a block contains; only the checksum of the whole block proves it. */
export interface FoundHead {
  readonly position: number
  readonly length: number
  readonly matcher: number
  /** 1 + the blocks before it that were not flushed when it was written; 0: unknown. */
  readonly unflushed: number
}

/** Returns the head at `at`, a multiple of 8; undefined where there is none. */
export function blockHeadAt(buffer: RecordBuffer, at: number): FoundHead | undefined {
  const position = BlockHead.position(buffer, at)
  const length = blockLengthAt(buffer, at, position)
  if (length === 0 || !Number.isSafeInteger(position)) return undefined
  const matcher = BlockHead.matcher(buffer, at)
  return { position, length, matcher, unflushed: BlockHead.unflushed(buffer, at) }
}

function refuseIf(damaged: boolean, name: string, what: string): void {
  if (damaged) throw new JournalDamage(`${name} ${what}.`)
}

/** Returns the number of records in bytes [header .. length); -1 when they do not fill them exactly. */
function countRecords(buffer: RecordBuffer, length: number): number {
  let count = 0
  let at = BLOCK_HEADER_BYTES
  while (at < length) {
    const bytes = recordLength(buffer, at)
    if (bytes < EventHeader.bytes || bytes % 8 !== 0) return -1
    at += bytes
    count++
  }
  return at === length ? count : -1
}
