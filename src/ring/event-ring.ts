/**
 * Events of one matcher for every gateway: a byte ring that one writer fills and any number of readers
 * follow, each with its own cursor. The writer never waits and knows no reader. A reader copies
 * out, then checks that the writer has not begun to overwrite the copied bytes. An overrun reader is
 * overrun and reads nothing more until it resumes: no torn, repeated or missing record in between.
 *
 *   byte 0    EventRingCell (layout/schema/heads.ts): intent, published
 *   byte 256  bytes  the byte of position p stands at p modulo capacity
 *
 * Records are contiguous, whole multiples of 8 bytes, and wrap around the end; readers see them
 * unwrapped. Positions only grow, and are exact numbers: 2^53 bytes outlast the machine.
 */
import { assert } from '../base/assert.ts'
import { EventRingCell } from '../layout/cells.gen.ts'
import { RecordBuffer, recordLength } from '../layout/record-buffer.ts'
import { fence } from './fence.ts'

const { INTENT, PUBLISHED, bytes: CONTROL_BYTES } = EventRingCell
/** The length of a record has 16 bits: this many bytes hold at least one whole record. */
const RECORD_BYTES_MAX = 65_536
/** Bytes of one poll by default. */
const POLL_BYTES = 256 * 1024

/** Returns the bytes of shared memory for `capacityBytes`, a multiple of 8 and at least 64 KiB. */
export function eventRingBytes(capacityBytes: number): number {
  assert(
    capacityBytes >= RECORD_BYTES_MAX && capacityBytes % 8 === 0,
    'an event ring holds whole words and at least one record of any length',
  )
  return CONTROL_BYTES + capacityBytes
}

export class EventRingWriter {
  private readonly positions: BigInt64Array
  private readonly bytes: Uint8Array
  private written: number
  private published: number
  private _oversizedCount = 0

  /** `memory` is zeroed before its first use, and has eventRingBytes(capacity) bytes. */
  constructor(memory: SharedArrayBuffer) {
    this.positions = new BigInt64Array(memory, 0, CONTROL_BYTES >> 3)
    this.bytes = new Uint8Array(memory, CONTROL_BYTES)
    this.published = Number(Atomics.load(this.positions, PUBLISHED))
    this.written = this.published
  }

  /** Publications larger than the ring, which reach no reader. */
  get oversizedCount(): number {
    return this._oversizedCount
  }

  /** Bytes ever written: the next record begins there. */
  get position(): number {
    return this.written
  }

  /** Bytes that a reader may be behind. */
  get capacity(): number {
    return this.bytes.length
  }

  /** Appends `length` bytes of `source` from `from` on, whole records, not yet visible. */
  write(source: RecordBuffer, length: number, from = 0): void {
    assert(length % 8 === 0, 'records are multiples of 8 bytes')
    const capacity = this.bytes.length
    const start = this.written
    this.written = start + length
    Atomics.store(this.positions, INTENT, BigInt(this.written))
    fence()
    // Longer than the ring: no reader can read it; its position shows that.
    if (length > capacity) return
    const at = start % capacity
    const first = Math.min(length, capacity - at)
    const [split, end] = [from + first, from + length]
    this.bytes.set(source.bytes.subarray(from, split), at)
    if (first < length) this.bytes.set(source.bytes.subarray(split, end), 0)
  }

  /** Makes everything written visible at once. */
  publish(): void {
    if (this.written === this.published) return
    if (this.written - this.published > this.bytes.length) this._oversizedCount++
    this.published = this.written
    Atomics.store(this.positions, PUBLISHED, BigInt(this.published))
  }
}

export class EventRingReader {
  private readonly positions: BigInt64Array
  private readonly bytes: Uint8Array
  /** The copy that records are read from. */
  private readonly copy: RecordBuffer
  private cursor: number
  private _isOverrun = false
  private _lapCount = 0

  /** Begins at the newest position, behind everything published. */
  constructor(memory: SharedArrayBuffer) {
    this.positions = new BigInt64Array(memory, 0, CONTROL_BYTES >> 3)
    this.bytes = new Uint8Array(memory, CONTROL_BYTES)
    this.copy = RecordBuffer.allocate(Math.min(POLL_BYTES, this.bytes.length))
    this.cursor = this.load(PUBLISHED)
  }

  /** Set when the writer overran this reader; `poll` returns 0 until `resume`. */
  get isOverrun(): boolean {
    return this._isOverrun
  }

  get overrunCount(): number {
    return this._lapCount
  }

  /** Bytes of the ring that this reader has passed. */
  position(): number {
    return this.cursor
  }

  /** Bytes that the writer has published. */
  published(): number {
    return this.load(PUBLISHED)
  }

  /** Whether a poll would find events; false for an overrun reader. */
  hasNext(): boolean {
    return !this._isOverrun && this.load(PUBLISHED) > this.cursor
  }

  /**
   * Passes the next whole records, about `limitBytes` at most, to `visit` in order. Returns their
   * number; 0 when there are none or the reader was overrun. Reads up to position `until`, a record
   * boundary at or before `published`. The buffer is the reader's own and valid during the call.
   */
  poll(
    visit: (buffer: RecordBuffer, at: number) => void,
    limitBytes = POLL_BYTES,
    until = this.published(),
  ): number {
    if (this._isOverrun) return 0
    const waiting = until - this.cursor
    if (waiting === 0) return 0
    const taken = Math.min(waiting, this.copy.bytes.length, Math.max(limitBytes, RECORD_BYTES_MAX))
    const capacity = this.bytes.length
    const at = this.cursor % capacity
    const first = Math.min(taken, capacity - at)
    this.copy.bytes.set(this.bytes.subarray(at, at + first))
    if (first < taken) this.copy.bytes.set(this.bytes.subarray(0, taken - first), first)
    fence()
    if (this.load(INTENT) - this.cursor > capacity) {
      this._isOverrun = true
      this._lapCount++
      return 0
    }
    return this.visitRecords(visit, taken)
  }

  /** Continues at the newest position, after an overrun or to skip waiting events. */
  resume(): void {
    this.cursor = this.load(PUBLISHED)
    this._isOverrun = false
  }

  private visitRecords(visit: (buffer: RecordBuffer, at: number) => void, end: number): number {
    const copy = this.copy
    let count = 0
    let at = 0
    while (at < end) {
      const length = recordLength(copy, at)
      assert(length >= 16 && length % 8 === 0, 'the ring holds whole records')
      if (at + length > end) break
      this.cursor += length
      visit(copy, at)
      at += length
      count++
    }
    return count
  }

  private load(position: number): number {
    return Number(Atomics.load(this.positions, position))
  }
}
