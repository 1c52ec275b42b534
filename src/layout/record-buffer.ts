/**
 * One region of bytes under the three views that records are read and written through. Offsets
 * (`at`) are in bytes and multiples of 8.
 */
export class RecordBuffer {
  readonly bytes: Uint8Array
  readonly i32: Int32Array
  readonly f64: Float64Array

  constructor(buffer: ArrayBufferLike, offset = 0, length = buffer.byteLength - offset) {
    this.bytes = new Uint8Array(buffer, offset, length)
    this.i32 = new Int32Array(buffer, offset, length >> 2)
    this.f64 = new Float64Array(buffer, offset, length >> 3)
  }

  static allocate(length: number): RecordBuffer {
    return new RecordBuffer(new ArrayBuffer(length))
  }

  static share(length: number): RecordBuffer {
    return new RecordBuffer(new SharedArrayBuffer(length))
  }
}

/** The view of a RecordBuffer that heads are in. */
interface Words {
  readonly i32: Int32Array
}

/** The head of a record: its type in bits 0-7, its flags in bits 8-15, its length in bytes in bits 16-31. */
export const headOf = (type: number, length: number, flags = 0): number =>
  type | (flags << 8) | (length << 16)
export const recordType = (words: Words, at: number): number => words.i32[at >> 2]! & 255
export const recordFlags = (words: Words, at: number): number => (words.i32[at >> 2]! >>> 8) & 255
export const recordLength = (words: Words, at: number): number => words.i32[at >> 2]! >>> 16

/** Writes the head of a record. */
export function writeHead(words: Words, at: number, type: number, length: number, flags = 0): void {
  words.i32[at >> 2] = headOf(type, length, flags)
}

/** Sets a flag of a record that is written. */
export function addFlag(words: Words, at: number, flag: number): void {
  words.i32[at >> 2] = words.i32[at >> 2]! | (flag << 8)
}
