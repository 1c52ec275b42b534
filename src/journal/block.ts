/**
 * The journal's block: the events of one batch of one matcher. The matcher writes it through
 * BlockWriter; recovery and the archivist read it through BlockReader, which refuses any changed
 * byte. A written block never changes.
 *
 * ```
 *  0         4         8         12        16        20        24                  32
 *  ┌─────────┬─────────┬─────────┬─────────┬─────────┬─────────┬───────────────────┐
 *  │ magic   │ checksum│ layout  │ length  │ matcher │ records │ position          │
 *  ├─────────┴─────────┼─────────┴─────────┼─────────┼─────────┼───────────────────┘
 *  │ epoch             │ timeMs            │ previous│ zero    │  records as in layout/schema.ts,
 *  └───────────────────┴───────────────────┴─────────┴─────────┘  in the order of execution, to
 *  32                  40                  48        52        56 the end of the block
 * ```
 *
 * Little-endian; 4-byte words are signed, 8-byte ones are integers carried as doubles. `checksum` is
 * the CRC-32 of the bytes from 8 on. `length` counts the whole block, `records` the records.
 * `position` counts the blocks of the journal from 1. `epoch` counts the starts of the exchange.
 * `previous` is the checksum of the block before, 0 for the first: a block cannot be left out.
 */
import { crc32 } from 'node:zlib'
import { assert } from '../base/assert.ts'
import { BLOCK_BYTES_MAX } from '../base/limits.ts'
import { EventHeader } from '../layout/accessors.gen.ts'
import { RecordBuffer, recordLength } from '../layout/record-buffer.ts'

export const BLOCK_HEADER_BYTES = 56

/** The first four bytes: "RBJ1". */
const MAGIC = 0x314a4252
/** Rises when the records of layout/schema.ts change so that old readers cannot read them. */
export const JOURNAL_LAYOUT = 3

const WORDS = { magic: 0, checksum: 1, layout: 2, length: 3, matcher: 4, records: 5 } as const
const DOUBLES = { position: 3, epoch: 4, timeMs: 5 } as const
const PREVIOUS_WORD = 12
const ZERO_WORD = 13
const CHECKED_FROM = 8

/** Bytes that are not the block that Ringbook wrote there. */
export class JournalDamage extends Error {
  override readonly name = 'JournalDamage'
}

/** A data folder whose journals this Ringbook cannot read, because their records are laid out otherwise. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError'

  constructor(layout: number) {
    super(
      `The data folder was written in journal layout ${layout}, and this Ringbook reads layout ` +
        `${JOURNAL_LAYOUT}: use the Ringbook that wrote it, or start on a new folder.`,
    )
  }
}

export interface BlockOrigin {
  readonly matcher: number
  readonly epoch: number
  /** Checksum of the journal's last block, 0 when it has none. */
  readonly previous: number
}

/** Seals batches into blocks, one after another, in memory of its own. */
export class BlockWriter {
  #buffer = RecordBuffer.allocate(BLOCK_HEADER_BYTES + (256 << 10))
  readonly #matcher: number
  readonly #epoch: number
  #previous: number

  constructor(origin: BlockOrigin) {
    this.#matcher = origin.matcher
    this.#epoch = origin.epoch
    this.#previous = origin.previous
  }

  /**
   * Returns the block of the events in `events`[0 .. end), which must be whole records. Valid until
   * the next call; the next block follows this one.
   */
  seal(events: RecordBuffer, end: number, position: number, timeMs: number): Uint8Array {
    const length = BLOCK_HEADER_BYTES + end
    if (length > this.#buffer.bytes.length) this.#buffer = RecordBuffer.allocate(length * 2)
    const { bytes, i32, f64 } = this.#buffer
    bytes.set(events.bytes.subarray(0, end), BLOCK_HEADER_BYTES)
    const records = countRecords(this.#buffer, length)
    assert(records > 0, 'a block holds whole records, and at least one')
    i32[WORDS.magic] = MAGIC
    i32[WORDS.layout] = JOURNAL_LAYOUT
    i32[WORDS.length] = length
    i32[WORDS.matcher] = this.#matcher
    i32[WORDS.records] = records
    f64[DOUBLES.position] = position
    f64[DOUBLES.epoch] = this.#epoch
    f64[DOUBLES.timeMs] = timeMs
    i32[PREVIOUS_WORD] = this.#previous
    i32[ZERO_WORD] = 0
    const block = bytes.subarray(0, length)
    const checksum = crc32(block.subarray(CHECKED_FROM)) | 0
    i32[WORDS.checksum] = checksum
    this.#previous = checksum
    return block
  }
}

/** Holds one block at a time, checked, with its records where they can be read. */
export class BlockReader {
  #buffer = RecordBuffer.allocate(64 << 10)
  matcher = 0
  epoch = 0
  position = 0
  timeMs = 0
  recordCount = 0
  previous = 0
  checksum = 0
  /** The records lie in records.bytes[start .. end). */
  readonly start = BLOCK_HEADER_BYTES
  end = BLOCK_HEADER_BYTES

  get records(): RecordBuffer {
    return this.#buffer
  }

  /**
   * Copies the block in and checks all of it. `place` names it in the sentence of a JournalDamage;
   * the reader is empty after that.
   */
  open(block: Uint8Array, place: string): void {
    const length = block.length
    this.end = BLOCK_HEADER_BYTES
    refuseIf(length < BLOCK_HEADER_BYTES, place, 'is shorter than a header')
    if (length > this.#buffer.bytes.length) this.#buffer = RecordBuffer.allocate(length * 2)
    const { bytes, i32, f64 } = this.#buffer
    bytes.set(block)
    refuseIf(i32[WORDS.magic] !== MAGIC, place, 'does not begin as a block does')
    refuseIf(i32[WORDS.length] !== length, place, 'is not as long as its header says')
    const checksum = crc32(bytes.subarray(CHECKED_FROM, length)) | 0
    refuseIf(i32[WORDS.checksum] !== checksum, place, 'does not match its checksum')
    refuseIf(i32[WORDS.layout] !== JOURNAL_LAYOUT, place, 'was written in another layout')
    refuseIf(
      i32[WORDS.records] !== countRecords(this.#buffer, length),
      place,
      'does not hold the number of records that its header says',
    )
    this.checksum = checksum
    this.matcher = i32[WORDS.matcher]!
    this.recordCount = i32[WORDS.records]!
    this.position = f64[DOUBLES.position]!
    this.epoch = f64[DOUBLES.epoch]!
    this.timeMs = f64[DOUBLES.timeMs]!
    this.previous = i32[PREVIOUS_WORD]!
    this.end = length
  }
}

/**
 * Returns the bytes of the block of that position, if its head is at `at`, a multiple of 8; else 0.
 * Checks only the head.
 */
export function blockLengthAt(buffer: RecordBuffer, at: number, position: number): number {
  const { i32, f64 } = buffer
  if (i32[(at >> 2) + WORDS.magic] !== MAGIC) return 0
  if (f64[(at >> 3) + DOUBLES.position] !== position) return 0
  const length = i32[(at >> 2) + WORDS.length]!
  return length >= BLOCK_HEADER_BYTES && length <= BLOCK_BYTES_MAX ? length : 0
}

/** Returns the position in a head at `at`; any number where there is no head. */
export const blockPositionAt = (buffer: RecordBuffer, at: number): number =>
  buffer.f64[(at >> 3) + DOUBLES.position]!

function refuseIf(damaged: boolean, place: string, what: string): void {
  if (damaged) throw new JournalDamage(`${place} ${what}.`)
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
