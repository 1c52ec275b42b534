/**
 * Commands of one gateway to one matcher: a single producer, a single consumer, slots of
 * COMMAND_SLOT_BYTES. The gateway writes slots and `tail`, the matcher writes `head`. Neither ever
 * waits: the producer sees that the ring is full, the consumer that it is empty.
 *
 *   byte 0    CommandRingCell (layout/schema/heads.ts): head, tail, what the matcher defers
 *   byte 256  slots  128 bytes each, a power of two of them
 *
 * A command larger than a slot takes several in a row. Where too few slots are left before the ring's
 * end, the producer pads them with empty commands, whose length is zero. It publishes whole commands,
 * padding included, any number of them at once.
 *
 * Only the difference of `head` and `tail` has meaning, not their size, so they may wrap.
 */
import { assert } from '../base/assert.ts'
import { CommandRingCell } from '../layout/cells.gen.ts'
import { RecordBuffer, writeHead } from '../layout/record-buffer.ts'
import { COMMAND_SLOT_BYTES } from '../layout/records.gen.ts'

const { HEAD, TAIL, DEFERRED_ORDERS, DEFERRED_QUERIES, bytes: CONTROL_BYTES } = CommandRingCell

/** Returns the slots that a command of `bytes` takes; an empty command takes one. */
export function commandSlots(bytes: number): number {
  return bytes <= COMMAND_SLOT_BYTES ? 1 : Math.ceil(bytes / COMMAND_SLOT_BYTES)
}

/** Returns the bytes of shared memory for a ring of `slots` slots, a power of two up to 2^24. */
export function commandRingBytes(slots: number): number {
  assert(isPowerOfTwo(slots) && slots <= 1 << 24, 'a command ring has a power of two of slots')
  return CONTROL_BYTES + slots * COMMAND_SLOT_BYTES
}

/** For metrics: the slots taken, and all slots. */
export function commandRingUse(memory: SharedArrayBuffer): { taken: number; slots: number } {
  const control = new Int32Array(memory, 0, CONTROL_BYTES >> 2)
  // The head first: it never passes a tail that is read later.
  const head = Atomics.load(control, HEAD)
  return { taken: (Atomics.load(control, TAIL) - head) | 0, slots: slotsOf(memory) }
}

/** What a matcher has taken from a gateway's ring and executes later. */
export interface DeferredCounts {
  readonly queries: number
  /** All other commands. */
  readonly orders: number
}

export class CommandRingProducer {
  /** The slots. The producer owns only the claimed ones. */
  readonly buffer: RecordBuffer
  private readonly control: Int32Array
  private readonly _slots: number
  /** Slots committed, and of these published. */
  private tail: number
  private published: number
  /** The consumer's position when last loaded: it can only be further now. */
  private headSeen: number
  /** Slots claimed, padding included. */
  private claimed = 0

  /** `memory` is zeroed before its first use, and has commandRingBytes(slots) bytes. */
  constructor(memory: SharedArrayBuffer) {
    this.buffer = new RecordBuffer(memory, CONTROL_BYTES)
    this.control = new Int32Array(memory, 0, CONTROL_BYTES >> 2)
    this._slots = slotsOf(memory)
    this.tail = Atomics.load(this.control, TAIL)
    this.published = this.tail
    this.headSeen = Atomics.load(this.control, HEAD)
  }

  /** Slots of the ring. */
  get slots(): number {
    return this._slots
  }

  /** What the consumer has deferred, by its last report. */
  get deferred(): DeferredCounts {
    const orders = Atomics.load(this.control, DEFERRED_ORDERS)
    return { orders, queries: Atomics.load(this.control, DEFERRED_QUERIES) }
  }

  /**
   * Returns the byte offset in `buffer` of the next free slot, or of the first of `count` in a row;
   * -1 when the ring is full. Slots that are claimed and not committed are returned again.
   */
  claim(count = 1): number {
    const position = this.tail & (this._slots - 1)
    const isWrapping = position + count > this._slots
    const padding = isWrapping ? this._slots - position : 0
    const free = this._slots - count - padding
    if (((this.tail - this.headSeen) | 0) > free) {
      this.headSeen = Atomics.load(this.control, HEAD)
      if (((this.tail - this.headSeen) | 0) > free) return -1
    }
    this.claimed = padding + count
    if (!isWrapping) return position * COMMAND_SLOT_BYTES
    for (let slot = position; slot < this._slots; slot++) {
      writeHead(this.buffer, slot * COMMAND_SLOT_BYTES, 0, 0)
    }
    return 0
  }

  /** Makes the claimed slots a command, not yet visible. */
  commit(): void {
    this.tail = (this.tail + this.claimed) | 0
  }

  /** Makes everything committed visible to the consumer at once; false when there is nothing new. */
  publish(): boolean {
    if (this.published === this.tail) return false
    this.published = this.tail
    Atomics.store(this.control, TAIL, this.tail)
    return true
  }
}

export class CommandRingConsumer {
  /** The slots. The consumer may write into those that it has not released yet: no thread reads them. */
  readonly buffer: RecordBuffer
  private readonly control: Int32Array
  private readonly slots: number
  private head: number
  private tailSeen: number
  private deferred: DeferredCounts = { orders: 0, queries: 0 }

  constructor(memory: SharedArrayBuffer) {
    this.buffer = new RecordBuffer(memory, CONTROL_BYTES)
    this.control = new Int32Array(memory, 0, CONTROL_BYTES >> 2)
    this.slots = slotsOf(memory)
    this.head = Atomics.load(this.control, HEAD)
    this.tailSeen = this.head
  }

  /** Returns the slots that wait now: whole commands, and padding. */
  available(): number {
    this.tailSeen = Atomics.load(this.control, TAIL)
    return (this.tailSeen - this.head) | 0
  }

  /** Returns where the slots end that wait now: a position for `hasReleased`. */
  end(): number {
    return (this.head + this.available()) | 0
  }

  /** Whether all slots up to that position are given back. */
  hasReleased(end: number): boolean {
    return ((end - this.head) | 0) <= 0
  }

  /** Returns the byte offset in `buffer` of a waiting slot; index 0 is the oldest. */
  slotAt(index: number): number {
    return ((this.head + index) & (this.slots - 1)) * COMMAND_SLOT_BYTES
  }

  /** Gives the `count` oldest slots back to the producer. */
  release(count: number): void {
    assert(count >= 0 && count <= ((this.tailSeen - this.head) | 0), 'released what was there')
    this.head = (this.head + count) | 0
    Atomics.store(this.control, HEAD, this.head)
  }

  /** Shows the producer what is deferred now. */
  defer({ orders, queries }: DeferredCounts): void {
    if (this.deferred.orders === orders && this.deferred.queries === queries) return
    this.deferred = { orders, queries }
    Atomics.store(this.control, DEFERRED_ORDERS, orders)
    Atomics.store(this.control, DEFERRED_QUERIES, queries)
  }
}

function slotsOf(memory: SharedArrayBuffer): number {
  const slots = (memory.byteLength - CONTROL_BYTES) / COMMAND_SLOT_BYTES
  assert(isPowerOfTwo(slots), 'the memory was sized by commandRingBytes')
  return slots
}

function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(count) && count > 0 && (count & (count - 1)) === 0
}
