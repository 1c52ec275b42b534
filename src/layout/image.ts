/**
 * What a snapshot holds of one structure: a row of doubles and a row of 32-bit words, read back in the
 * order in which they were written. Integers within ±(2^53 - 1) are doubles; what is written once for
 * each order of a large book should be few of them. 64-bit integers stand among the doubles.
 *
 *   byte 0   ImageHead
 *   byte 16  the doubles, then the words, then zeros up to a multiple of 8
 */
import { assert } from '../base/assert.ts'
import { type Int64, readInt64, writeInt64 } from '../base/int64.ts'
import { RecordBuffer } from './record-buffer.ts'
import { ImageHead } from './rows.gen.ts'

const START = 1024

export class ImageWriter {
  private doubles = new Float64Array(START)
  /** The memory of `doubles` in words: an int64 that became a double might not come through. */
  private doubleWords = new Int32Array(this.doubles.buffer)
  private imageWords = new Int32Array(START)
  private doubleCount = 0
  private wordCount = 0

  double(value: number): void {
    this.reserveDouble()
    this.doubles[this.doubleCount++] = value
  }

  int64(value: Int64): void {
    this.reserveDouble()
    writeInt64(this.doubleWords, this.doubleCount++ * 2, value)
  }

  private reserveDouble(): void {
    if (this.doubleCount < this.doubles.length) return
    const larger = new Float64Array(this.doubles.length * 2)
    this.doubles = larger
    const words = new Int32Array(larger.buffer)
    words.set(this.doubleWords)
    this.doubleWords = words
  }

  word(value: number): void {
    if (this.wordCount === this.imageWords.length) {
      const larger = new Int32Array(this.imageWords.length * 2)
      larger.set(this.imageWords)
      this.imageWords = larger
    }
    this.imageWords[this.wordCount++] = value
  }

  words(from: Int32Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) this.word(from[at + i]!)
  }

  text(text: string): void {
    this.word(text.length)
    for (let i = 0; i < text.length; i++) this.word(text.charCodeAt(i))
  }

  /** Begins another image in the same memory. */
  clear(): this {
    this.doubleCount = 0
    this.wordCount = 0
    return this
  }

  /** All of it, one piece after another, until the next change. */
  pieces(): readonly Uint8Array[] {
    const head = RecordBuffer.allocate(ImageHead.bytes)
    ImageHead.setDoubles(head, 0, this.doubleCount)
    ImageHead.setWords(head, 0, this.wordCount)
    // Zeros up to a multiple of 8 bytes: `word` has room left for one.
    if (this.wordCount % 2 === 1) this.imageWords[this.wordCount] = 0
    const words = this.imageWords.buffer
    return [
      head.bytes,
      new Uint8Array(this.doubles.buffer, 0, this.doubleCount * 8),
      new Uint8Array(words, 0, Math.ceil(this.wordCount / 2) * 8),
    ]
  }

  /** All of it, in separate memory. */
  bytes(): Uint8Array {
    const pieces = this.pieces()
    const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }
}

export class ImageReader {
  private readonly doubles: Float64Array
  private readonly doubleWords: Int32Array
  private readonly imageWords: Int32Array
  private doubleAt = 0
  private wordAt = 0

  /** `bytes` are an image, and begin at a multiple of 8 of their memory. */
  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, byteLength } = bytes
    const [doubles, words] = new Float64Array(buffer, byteOffset, 2)
    const wordsAt = ImageHead.bytes + doubles! * 8
    assert(wordsAt + Math.ceil(words! / 2) * 8 === byteLength, 'an image is as long as it says')
    this.doubles = new Float64Array(buffer, byteOffset + ImageHead.bytes, doubles)
    this.doubleWords = new Int32Array(buffer, byteOffset + ImageHead.bytes, doubles! * 2)
    this.imageWords = new Int32Array(buffer, byteOffset + wordsAt, words)
  }

  double(): number {
    return this.doubles[this.nextDouble()]!
  }

  int64(): Int64 {
    return readInt64(this.doubleWords, this.nextDouble() * 2)
  }

  private nextDouble(): number {
    assert(this.doubleAt < this.doubles.length, 'an image has the doubles that are read')
    return this.doubleAt++
  }

  word(): number {
    assert(this.wordAt < this.imageWords.length, 'an image has the words that are read')
    return this.imageWords[this.wordAt++]!
  }

  words(into: Int32Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) into[at + i] = this.word()
  }

  text(): string {
    let text = ''
    for (let left = this.word(); left > 0; left--) text += String.fromCharCode(this.word())
    return text
  }

  /** Whether all of it was read. */
  get isRead(): boolean {
    return this.doubleAt === this.doubles.length && this.wordAt === this.imageWords.length
  }
}
