/**
 * What one matcher tells every gateway: a byte ring that one writer fills and any number of readers
 * follow, each with a cursor of its own. The writer never waits and knows no reader; a reader copies
 * out, then looks whether the writer had begun to overwrite what it copied. One that was overrun is
 * told so and gets nothing more until it resumes: never a torn, repeated or missing record in between.
 *
 *   byte 0    intent     i64  bytes ever written, raised before the bytes themselves are
 *   byte 128  published  i64  bytes that readers may read, a record boundary
 *   byte 256  bytes      the byte of position p stands at p modulo capacity
 *
 * Records are contiguous, whole multiples of 8 bytes, and wrap around the end; readers see them
 * unwrapped. Positions only grow, and are exact numbers: 2^53 bytes outlast the machine.
 */
import { assert } from '../base/assert.ts'
import { RecordBuffer, recordLength } from '../layout/record-buffer.ts'
import { fence } from './fence.ts'

const INTENT = 0
const PUBLISHED = 16
const CONTROL_BYTES = 256
/** The length of a record is 16 bits: whoever takes at least this much takes one whole record. */
const RECORD_BYTES_MAX = 65_536
/** What a reader takes in one poll unless told otherwise. */
const POLL_BYTES = 256 * 1024

/** Bytes of shared memory for a ring of `capacityBytes`, a multiple of 8 and at least 64 KiB. */
export function eventRingBytes(capacityBytes: number): number {
  assert(
    capacityBytes >= RECORD_BYTES_MAX && capacityBytes % 8 === 0,
    'an event ring holds whole words and at least one record of any length',
  )
  return CONTROL_BYTES + capacityBytes
}

export class EventRingWriter {
  readonly #positions: BigInt64Array
  readonly #bytes: Uint8Array
  #written: number
  #published: number
  #oversizedCount = 0

  /** `memory` is zeroed before its first use, and has eventRingBytes(capacity) bytes. */
  constructor(memory: SharedArrayBuffer) {
    this.#positions = new BigInt64Array(memory, 0, CONTROL_BYTES >> 3)
    this.#bytes = new Uint8Array(memory, CONTROL_BYTES)
    this.#published = Number(Atomics.load(this.#positions, PUBLISHED))
    this.#written = this.#published
  }

  /** Publications that were larger than the ring, and so reached no reader. */
  get oversizedCount(): number {
    return this.#oversizedCount
  }

  /** Bytes ever written: where the next record begins. */
  get position(): number {
    return this.#written
  }

  /** Bytes that a reader may be behind. */
  get capacity(): number {
    return this.#bytes.length
  }

  /** Appends the first `length` bytes of `source`, whole records, not yet visible. */
  write(source: RecordBuffer, length: number): void {
    assert(length % 8 === 0, 'records are multiples of 8 bytes')
    const capacity = this.#bytes.length
    const start = this.#written
    this.#written = start + length
    Atomics.store(this.#positions, INTENT, BigInt(this.#written))
    fence()
    // Longer than the ring: nobody can read it, and the position alone tells everybody so.
    if (length > capacity) return
    const at = start % capacity
    const first = Math.min(length, capacity - at)
    this.#bytes.set(source.bytes.subarray(0, first), at)
    if (first < length) this.#bytes.set(source.bytes.subarray(first, length), 0)
  }

  /** Makes everything written visible at once. */
  publish(): void {
    if (this.#written === this.#published) return
    if (this.#written - this.#published > this.#bytes.length) this.#oversizedCount++
    this.#published = this.#written
    Atomics.store(this.#positions, PUBLISHED, BigInt(this.#published))
  }
}

export class EventRingReader {
  readonly #positions: BigInt64Array
  readonly #bytes: Uint8Array
  /** Where bytes are copied before anybody looks at them. */
  readonly #copy: RecordBuffer
  #cursor: number
  #lapped = false
  #lapCount = 0

  /** Begins at the newest position: what was published before is not seen. */
  constructor(memory: SharedArrayBuffer) {
    this.#positions = new BigInt64Array(memory, 0, CONTROL_BYTES >> 3)
    this.#bytes = new Uint8Array(memory, CONTROL_BYTES)
    this.#copy = RecordBuffer.allocate(Math.min(POLL_BYTES, this.#bytes.length))
    this.#cursor = this.#load(PUBLISHED)
  }

  /** Set when the writer overran this reader; `poll` answers 0 until `resume`. */
  get lapped(): boolean {
    return this.#lapped
  }

  /** How often that has happened. */
  get lapCount(): number {
    return this.#lapCount
  }

  /** Bytes of the ring that this reader has passed. */
  position(): number {
    return this.#cursor
  }

  /** Bytes that the writer has published. */
  published(): number {
    return this.#load(PUBLISHED)
  }

  /** Whether a poll would find something. A lapped reader has nothing to wait for. */
  hasNext(): boolean {
    return !this.#lapped && this.#load(PUBLISHED) > this.#cursor
  }

  /**
   * Hands the next whole records, at most about `limitBytes` of them, to `visit` in order, and
   * answers how many; 0 when there are none or the reader was lapped. Reads no further than position
   * `until`, a record boundary that `published` gave or one before it. The buffer is the reader's
   * own and valid during the call.
   */
  poll(
    visit: (buffer: RecordBuffer, at: number) => void,
    limitBytes = POLL_BYTES,
    until = this.published(),
  ): number {
    if (this.#lapped) return 0
    const waiting = until - this.#cursor
    if (waiting === 0) return 0
    const taken = Math.min(waiting, this.#copy.bytes.length, Math.max(limitBytes, RECORD_BYTES_MAX))
    const capacity = this.#bytes.length
    const at = this.#cursor % capacity
    const first = Math.min(taken, capacity - at)
    this.#copy.bytes.set(this.#bytes.subarray(at, at + first))
    if (first < taken) this.#copy.bytes.set(this.#bytes.subarray(0, taken - first), first)
    fence()
    if (this.#load(INTENT) - this.#cursor > capacity) {
      this.#lapped = true
      this.#lapCount++
      return 0
    }
    return this.#visitRecords(visit, taken)
  }

  /** Goes on at the newest position, after a lap or to skip what waits. */
  resume(): void {
    this.#cursor = this.#load(PUBLISHED)
    this.#lapped = false
  }

  #visitRecords(visit: (buffer: RecordBuffer, at: number) => void, end: number): number {
    const copy = this.#copy
    let count = 0
    let at = 0
    while (at < end) {
      const length = recordLength(copy, at)
      assert(length >= 16 && length % 8 === 0, 'the ring holds whole records')
      if (at + length > end) break
      this.#cursor += length
      visit(copy, at)
      at += length
      count++
    }
    return count
  }

  #load(position: number): number {
    return Number(Atomics.load(this.#positions, position))
  }
}
