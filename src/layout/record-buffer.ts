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

export const headOf = (type: number, lengthBytes: number, flags = 0): number =>
  type | (flags << 8) | (lengthBytes << 16)
export const recordType = (buffer: RecordBuffer, at: number): number => buffer.i32[at >> 2]! & 0xff
export const recordFlags = (buffer: RecordBuffer, at: number): number =>
  (buffer.i32[at >> 2]! >>> 8) & 0xff
export const recordLength = (buffer: RecordBuffer, at: number): number =>
  buffer.i32[at >> 2]! >>> 16

/** Writes the head of a record. */
export function writeHead(
  buffer: RecordBuffer,
  at: number,
  type: number,
  lengthBytes: number,
  flags = 0,
): void {
  buffer.i32[at >> 2] = headOf(type, lengthBytes, flags)
}

/** Sets a flag of a record that is written. */
export function addFlag(buffer: RecordBuffer, at: number, flag: number): void {
  buffer.i32[at >> 2] = buffer.i32[at >> 2]! | (flag << 8)
}
