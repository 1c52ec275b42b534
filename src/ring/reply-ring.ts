/**
 * Replies of one matcher to one gateway: a single producer, a single consumer, and a cursor that both
 * see, so that the matcher never overwrites unread replies. Neither waits: a reply without room is
 * refused, and the refusal has room because the matcher checks for it before it takes the command
 * (agents/matcher.ts).
 *
 *   byte 0    ReplyRingCell (layout/schema/heads.ts): cursor, passed, tail
 *   byte 256  words  8 bytes each, a power of two of them
 *
 * A reply is a frame of whole words, contiguous: ReplyFrame (layout/schema.ts), then its records.
 *
 * Where a frame does not fit before the ring's end, a word of NO_FRAME there sends the reader to the
 * beginning. Positions never decrease from one frame to the next.
 */
import { assert } from '../base/assert.ts'
import { ReplyRingCell } from '../layout/cells.gen.ts'
import { RecordBuffer, recordLength } from '../layout/record-buffer.ts'
import { ReplyFrame } from '../layout/rows.gen.ts'

const { CURSOR, PASSED, TAIL, bytes: CONTROL_BYTES } = ReplyRingCell
const NO_FRAME = -1
const FRAME_BYTES = ReplyFrame.bytes
/** A reply up to this long is small: a refusal, the end of a query. It may take the last words. */
const SMALL_BYTES = 32
/** The part of the ring that only small replies may take. */
const SMALL_PART = 4

/** Returns the bytes of shared memory for `capacityBytes`, a power of two from 1 KiB to 128 MiB. */
export function replyRingBytes(capacityBytes: number): number {
  assert(
    Number.isInteger(Math.log2(capacityBytes)) && capacityBytes >= 1 << 10,
    'a reply ring holds a power of two of bytes',
  )
  return CONTROL_BYTES + capacityBytes
}

export class ReplyRingWriter {
  private readonly control: Int32Array
  private readonly _passed: BigInt64Array
  private readonly buffer: RecordBuffer
  private readonly words: number
  /** Words written, and the part of them that is published. */
  private tail: number
  private published: number
  /** The reader's position when last loaded: it can only be further now. */
  private cursorSeen: number

  /** `memory` is zeroed before its first use, and has replyRingBytes(capacity) bytes. */
  constructor(memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, CONTROL_BYTES >> 2)
    this._passed = new BigInt64Array(memory, 0, CONTROL_BYTES >> 3)
    this.buffer = new RecordBuffer(memory, CONTROL_BYTES)
    this.words = (memory.byteLength - CONTROL_BYTES) >> 3
    this.tail = Atomics.load(this.control, TAIL)
    this.published = this.tail
    this.cursorSeen = Atomics.load(this.control, CURSOR)
  }

  /** Bytes of the event ring that the gateway has read. */
  get passed(): number {
    return Number(Atomics.load(this._passed, PASSED))
  }

  /** Whether every small reply has room. */
  hasRoom(): boolean {
    return this.findRoom(SMALL_BYTES)
  }

  /**
   * Appends the first `length` bytes of `source`, not yet visible: whole records that reply to one
   * command behind `position` bytes of events. Returns false when they have no room.
   */
  write(position: number, source: RecordBuffer, length: number): boolean {
    if (!this.findRoom(length)) return false
    const buffer = this.buffer
    const needed = wordsOf(length)
    let at = this.tail & (this.words - 1)
    if (at + needed > this.words) {
      ReplyFrame.setPosition(buffer, at << 3, NO_FRAME)
      this.tail += this.words - at
      at = 0
    }
    ReplyFrame.setPosition(buffer, at << 3, position)
    ReplyFrame.setLength(buffer, at << 3, length)
    ReplyFrame.setZero(buffer, at << 3, 0)
    buffer.bytes.set(source.bytes.subarray(0, length), (at << 3) + FRAME_BYTES)
    this.tail = (this.tail + needed) | 0
    return true
  }

  /** Makes everything written visible at once; false when there is nothing new. */
  publish(): boolean {
    if (this.published === this.tail) return false
    this.published = this.tail
    Atomics.store(this.control, TAIL, this.tail)
    return true
  }

  private findRoom(length: number): boolean {
    const needed = wordsOf(length)
    const left = this.words - (this.tail & (this.words - 1))
    const padding = needed > left ? left : 0
    const spared = length > SMALL_BYTES ? this.words / SMALL_PART : 0
    const taken = this.words - needed - padding - spared
    if (((this.tail - this.cursorSeen) | 0) <= taken) return true
    this.cursorSeen = Atomics.load(this.control, CURSOR)
    return ((this.tail - this.cursorSeen) | 0) <= taken
  }
}

export class ReplyRingReader {
  /** The index of the next seen reply's position; infinity when none is seen. */
  nextPosition = Number.POSITIVE_INFINITY
  private readonly control: Int32Array
  private readonly passed: BigInt64Array
  private readonly buffer: RecordBuffer
  private readonly words: number
  private cursor: number
  private released: number
  /** The end of the seen replies. */
  private seen: number

  constructor(memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, CONTROL_BYTES >> 2)
    this.passed = new BigInt64Array(memory, 0, CONTROL_BYTES >> 3)
    this.buffer = new RecordBuffer(memory, CONTROL_BYTES)
    this.words = (memory.byteLength - CONTROL_BYTES) >> 3
    this.cursor = Atomics.load(this.control, CURSOR)
    this.released = this.cursor
    this.seen = this.cursor
  }

  /** Tells the matcher how far the gateway has read the event ring. */
  pass(position: number): void {
    Atomics.store(this.passed, PASSED, BigInt(position))
  }

  /** Whether a reply waits. */
  hasNext(): boolean {
    return Atomics.load(this.control, TAIL) !== this.cursor
  }

  /**
   * Sees the waiting replies, or the first of about `limitBytes`. Returns the event position up to
   * which all replies are seen: the caller reads no event beyond it. The caller loads the published
   * event position first, so that every reply that precedes it is here.
   */
  look(limitBytes: number): number {
    const tail = Atomics.load(this.control, TAIL)
    const limit = limitBytes / 8
    let bound = Number.POSITIVE_INFINITY
    let end = tail
    if (((tail - this.cursor) | 0) > limit) {
      end = this.frameAt(this.cursor)
      while (end !== tail && ((end - this.cursor) | 0) < limit) {
        end = (end + this.wordsAt(end)) | 0
        if (end !== tail) end = this.frameAt(end)
      }
      if (end !== tail) bound = this.positionAt(end)
    }
    this.seen = end
    this.findNext()
    return bound
  }

  /** Passes the records of the next seen reply to `visit`; the bytes are valid during the call. */
  deliver(visit: (buffer: RecordBuffer, at: number) => void): number {
    const buffer = this.buffer
    const frame = (this.cursor & (this.words - 1)) << 3
    let at = frame + FRAME_BYTES
    const end = at + ReplyFrame.length(buffer, frame)
    this.cursor = (this.cursor + this.wordsAt(this.cursor)) | 0
    this.findNext()
    let count = 0
    while (at < end) {
      const length = recordLength(buffer, at)
      assert(length >= 16 && at + length <= end, 'an answer holds whole records')
      visit(buffer, at)
      at += length
      count++
    }
    return count
  }

  /**
   * Releases the words of delivered replies. Returns true when the ring was half full: then the
   * matcher may wait for room, and the caller rings its bell.
   */
  release(): boolean {
    if (this.released === this.cursor) return false
    const used = (Atomics.load(this.control, TAIL) - this.released) | 0
    this.released = this.cursor
    Atomics.store(this.control, CURSOR, this.cursor)
    return used >= this.words >> 1
  }

  private findNext(): void {
    if (this.cursor !== this.seen) this.cursor = this.frameAt(this.cursor)
    this.nextPosition =
      this.cursor === this.seen ? Number.POSITIVE_INFINITY : this.positionAt(this.cursor)
  }

  /** Returns the cursor of the frame at `cursor`, or behind the padding there. `cursor` is not the end. */
  private frameAt(cursor: number): number {
    const at = cursor & (this.words - 1)
    return ReplyFrame.position(this.buffer, at << 3) === NO_FRAME
      ? (cursor + this.words - at) | 0
      : cursor
  }

  private positionAt(cursor: number): number {
    return ReplyFrame.position(this.buffer, (cursor & (this.words - 1)) << 3)
  }

  private wordsAt(cursor: number): number {
    return wordsOf(ReplyFrame.length(this.buffer, (cursor & (this.words - 1)) << 3))
  }
}

/** Returns the words of a frame with `bytes` of records. */
const wordsOf = (length: number): number => (FRAME_BYTES + length) >> 3
