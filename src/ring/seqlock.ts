/**
 * A region that one thread rewrites and others read whole: the version is odd while it is being
 * written, and rises by two with each rewriting. The writer never waits; a reader copies and looks
 * whether the version stood still, a bounded number of times.
 *
 *   byte 0   version  i32, modulo 2^32
 *   byte 64  payload  a multiple of 8 bytes
 */
import { assert } from '#base/assert.ts'
import { RecordBuffer } from '#layout/record-buffer.ts'
import { fence } from './fence.ts'

const PAYLOAD = 64
const READ_ATTEMPTS_MAX = 64

/** Bytes of shared memory for a payload of `payloadBytes`, a multiple of 8. */
export function seqlockBytes(payloadBytes: number): number {
  assert(payloadBytes > 0 && payloadBytes % 8 === 0, 'a payload is a multiple of 8 bytes')
  return PAYLOAD + payloadBytes
}

export class SeqlockWriter {
  /** The payload, to be changed between `begin` and `end`. */
  readonly buffer: RecordBuffer
  readonly #version: Int32Array

  /** `memory` holds seqlockBytes(payloadBytes) bytes from `byteOffset` on, a multiple of 8. */
  constructor(memory: SharedArrayBuffer, byteOffset: number, payloadBytes: number) {
    this.#version = new Int32Array(memory, byteOffset, 1)
    this.buffer = new RecordBuffer(memory, byteOffset + PAYLOAD, payloadBytes)
  }

  begin(): void {
    assert((Atomics.add(this.#version, 0, 1) & 1) === 0, 'begin follows end')
    fence()
  }

  end(): void {
    assert((Atomics.add(this.#version, 0, 1) & 1) === 1, 'end follows begin')
  }
}

export class SeqlockReader {
  /** What the last successful `read` copied. After one that failed its content has no meaning. */
  readonly buffer: RecordBuffer
  readonly #version: Int32Array
  readonly #shared: Uint8Array

  constructor(memory: SharedArrayBuffer, byteOffset: number, payloadBytes: number) {
    this.#version = new Int32Array(memory, byteOffset, 1)
    this.#shared = new Uint8Array(memory, byteOffset + PAYLOAD, payloadBytes)
    this.buffer = RecordBuffer.allocate(payloadBytes)
  }

  /**
   * Copies the payload, as one `end` left it, into `buffer`. Answers false when the writer came
   * between each time: then ask its owner by command instead.
   */
  read(): boolean {
    for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
      const before = Atomics.load(this.#version, 0)
      if ((before & 1) === 1) continue
      this.buffer.bytes.set(this.#shared)
      fence()
      if (Atomics.load(this.#version, 0) === before) return true
    }
    return false
  }
}
