/**
 * JSON text written as bytes, for the busiest answers. A string of forty parts is put together, flattened,
 * measured and encoded; bytes are written once, and sockets take a view of them (bench `wire`).
 *
 * Texts stand one behind the other in a page that is used again. A view is valid until the next text
 * begins, or if it was kept, until all kept ones are released.
 *
 *   | kept text | kept text | text since begin() |  room  |
 *                           start               end
 */
import { formatBigDecimal } from '../../base/fixed.ts'
import type { Int64 } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'

/** A longer text gets a page of its size. */
export const PAGE_BYTES = 64 * 1024
/** Pieces are written word by word: up to so many bytes behind a text's end are overwritten. */
const WORD_BYTES = 8
const UNIT = 10 ** WIRE_DECIMALS
const FOUR = 10_000
/** The digits and the sign of an exact integer, or the digits and the point of a decimal. */
const NUMBER_BYTES_MAX = 20
const [MINUS, POINT, ZERO, ASCII_MAX] = [45, 46, 48, 127]

/** By number below 10,000: its four digits as one little-endian word. */
const fourDigits = new Int32Array(FOUR)
for (let n = 0; n < FOUR; n++) {
  fourDigits[n] = Buffer.from(String(n).padStart(4, '0')).readInt32LE()
}

/** A constant part of texts, encoded once. */
export class Piece {
  readonly bytes: number
  /** Its UTF-8, and spaces up to a whole word. No UTF-8 reads as NaN, so words are copied exactly. */
  readonly words: Float64Array

  constructor(text: string) {
    const encoded = Buffer.from(text)
    this.bytes = encoded.length
    const padded = Buffer.alloc(Math.ceil(encoded.length / WORD_BYTES) * WORD_BYTES, ' ')
    encoded.copy(padded)
    const count = padded.length / WORD_BYTES
    this.words = Float64Array.from({ length: count }, (_, i) => padded.readDoubleLE(i * WORD_BYTES))
  }
}

export class JsonBytes {
  private page = new Uint8Array(PAGE_BYTES)
  /** The page's memory: `page.buffer` is a call in V8, this is a field. */
  private buffer = this.page.buffer
  private words = new DataView(this.buffer)
  private keptEnd = 0
  private start = 0
  private end = 0
  /** Bytes of the last answer that was written within another. */
  innerBytes = 0

  /** Begins a text. */
  begin(): void {
    this.start = this.keptEnd
    this.end = this.keptEnd
    if (this.page.length > PAGE_BYTES) this.turnPage(0)
  }

  /** Bytes since begin(). */
  get length(): number {
    return this.end - this.start
  }

  /** Returns the text since begin(), until the next begin() unless it is kept. */
  view(): Uint8Array {
    return new Uint8Array(this.buffer, this.start, this.end - this.start)
  }

  /** Keeps the text since begin() until releaseKept(). */
  keep(): void {
    this.keptEnd = this.end
  }

  /** Views of kept texts are no longer used. */
  releaseKept(): void {
    this.keptEnd = 0
  }

  piece({ bytes, words }: Piece): void {
    let at = this.roomFor(bytes)
    const page = this.words
    for (let i = 0; i < words.length; i++, at += WORD_BYTES) page.setFloat64(at, words[i]!, true)
    this.end += bytes
  }

  text(text: string): void {
    const { length } = text
    const at = this.roomFor(length)
    const page = this.page
    let codes = 0
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      codes |= code
      page[at + i] = code
    }
    if (codes <= ASCII_MAX) this.end += length
    else this.piece(new Piece(text))
  }

  /** Bytes of JSON that were written before. */
  bytes(bytes: Uint8Array): void {
    const at = this.roomFor(bytes.length)
    this.page.set(bytes, at)
    this.end += bytes.length
  }

  /** An exact integer. */
  integer(value: number): void {
    this.roomFor(NUMBER_BYTES_MAX)
    if (value < 0) this.page[this.end++] = MINUS
    this.digits(Math.abs(value))
  }

  /** An exact integer of up to 64 bits. */
  int64(value: Int64): void {
    if (typeof value === 'number') this.integer(value)
    else this.text(value.toString())
  }

  /** 10^-8 units, at least 0, as a decimal: decimals.ts, unitsText(). */
  units(value: Int64): void {
    if (typeof value !== 'number') {
      this.text(formatBigDecimal(value, WIRE_DECIMALS))
      return
    }
    this.roomFor(NUMBER_BYTES_MAX)
    const whole = Math.floor(value / UNIT)
    const fraction = value - whole * UNIT
    const upper = (fraction / FOUR) | 0
    this.digits(whole)
    this.page[this.end++] = POINT
    this.fourDigits(upper)
    this.fourDigits(fraction - upper * FOUR)
  }

  private digits(value: number): void {
    if (value >= FOUR) {
      const upper = Math.floor(value / FOUR)
      this.digits(upper)
      this.fourDigits(value - upper * FOUR)
    } else if (value >= 10) {
      const count = value >= 1000 ? 4 : value >= 100 ? 3 : 2
      // Without leading zeros.
      this.words.setInt32(this.end, fourDigits[value]! >>> (8 * (4 - count)), true)
      this.end += count
    } else this.page[this.end++] = ZERO + value
  }

  private fourDigits(value: number): void {
    this.words.setInt32(this.end, fourDigits[value]!, true)
    this.end += 4
  }

  /** Makes room for so many bytes and a word. Returns their place. */
  private roomFor(bytes: number): number {
    if (this.end + bytes + WORD_BYTES > this.page.length) this.turnPage(bytes)
    return this.end
  }

  /** Continues the text in a new page. The old one stays as long as its views. */
  private turnPage(bytes: number): void {
    const begun = this.page.subarray(this.start, this.end)
    const needed = 2 * (begun.length + bytes + WORD_BYTES)
    this.page = new Uint8Array(Math.max(PAGE_BYTES, needed))
    this.buffer = this.page.buffer
    this.words = new DataView(this.buffer)
    this.page.set(begun)
    this.keptEnd = 0
    this.start = 0
    this.end = begun.length
  }
}

/** The buffer of all answers of the thread: each is sent, or kept, before the next begins. */
export const jsonBytes = new JsonBytes()
