/**
 * Commands of one gateway to one matcher: a single producer, a single consumer, slots of
 * COMMAND_SLOT_BYTES. The gateway writes slots and `tail`, the matcher writes `head`. Neither ever
 * waits: a full ring is the producer's answer, an empty one the consumer's.
 *
 *   byte 0    head   i32  commands released, modulo 2^32
 *   byte 128  tail   i32  commands committed, modulo 2^32
 *   byte 256  slots  128 bytes each, a power of two of them
 *
 * `head` and `tail` are two cache lines apart, because processors fetch lines in pairs. Their
 * difference, not their size, has meaning, so that they may wrap.
 */
import { assert } from '#base/assert.ts'
import { RecordBuffer } from '#layout/record-buffer.ts'
import { COMMAND_SLOT_BYTES } from '#layout/records.gen.ts'

const HEAD = 0
const TAIL = 32
const CONTROL_BYTES = 256

/** Bytes of shared memory for a ring of `slots` commands, a power of two up to 2^24. */
export function commandRingBytes(slots: number): number {
  assert(isPowerOfTwo(slots) && slots <= 1 << 24, 'a command ring has a power of two of slots')
  return CONTROL_BYTES + slots * COMMAND_SLOT_BYTES
}

export class CommandRingProducer {
  /** The slots. What lies outside the claimed slot is not the producer's. */
  readonly buffer: RecordBuffer
  readonly #control: Int32Array
  readonly #slots: number
  #tail: number
  /** Where the consumer was when last looked: it can only be further now. */
  #headSeen: number

  /** `memory` is zeroed before its first use, and has commandRingBytes(slots) bytes. */
  constructor(memory: SharedArrayBuffer) {
    this.buffer = new RecordBuffer(memory, CONTROL_BYTES)
    this.#control = new Int32Array(memory, 0, CONTROL_BYTES >> 2)
    this.#slots = slotsOf(memory)
    this.#tail = Atomics.load(this.#control, TAIL)
    this.#headSeen = Atomics.load(this.#control, HEAD)
  }

  /**
   * Byte offset in `buffer` of the next free slot, or -1 when the ring is full. A slot claimed and
   * not committed is given again.
   */
  claim(): number {
    if (((this.#tail - this.#headSeen) | 0) === this.#slots) {
      this.#headSeen = Atomics.load(this.#control, HEAD)
      if (((this.#tail - this.#headSeen) | 0) === this.#slots) return -1
    }
    return (this.#tail & (this.#slots - 1)) * COMMAND_SLOT_BYTES
  }

  /** Hands the claimed slot to the consumer. */
  commit(): void {
    this.#tail = (this.#tail + 1) | 0
    Atomics.store(this.#control, TAIL, this.#tail)
  }
}

export class CommandRingConsumer {
  /** The slots. The consumer may write into what it has not released yet; nobody reads it again. */
  readonly buffer: RecordBuffer
  readonly #control: Int32Array
  readonly #slots: number
  #head: number
  #tailSeen: number

  constructor(memory: SharedArrayBuffer) {
    this.buffer = new RecordBuffer(memory, CONTROL_BYTES)
    this.#control = new Int32Array(memory, 0, CONTROL_BYTES >> 2)
    this.#slots = slotsOf(memory)
    this.#head = Atomics.load(this.#control, HEAD)
    this.#tailSeen = this.#head
  }

  /** Commands that wait, as of now. */
  available(): number {
    this.#tailSeen = Atomics.load(this.#control, TAIL)
    return (this.#tailSeen - this.#head) | 0
  }

  /** Byte offset in `buffer` of the index-th of the waiting commands, 0 the oldest. */
  slotAt(index: number): number {
    return ((this.#head + index) & (this.#slots - 1)) * COMMAND_SLOT_BYTES
  }

  /** Gives the `count` oldest slots back to the producer. */
  release(count: number): void {
    assert(count >= 0 && count <= ((this.#tailSeen - this.#head) | 0), 'released what was there')
    this.#head = (this.#head + count) | 0
    Atomics.store(this.#control, HEAD, this.#head)
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
