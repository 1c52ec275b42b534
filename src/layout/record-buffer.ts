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

export {
  addFlag,
  headOf,
  recordFlags,
  recordLength,
  recordType,
  writeHead,
} from './record-head.gen.ts'
