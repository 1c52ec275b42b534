/**
 * JSON text written as bytes, for the busiest answers. A string of forty parts is put together, flattened,
 * measured and encoded; bytes are written once, and sockets take a view of them (bench `wire`).
 */
import { formatBigDecimal } from '../../base/fixed.ts'
import type { Int64 } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { BytePage, WORD_BYTES } from './byte-page.ts'

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

export class JsonBytes extends BytePage {
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
}

/** The buffer of all answers of the thread: each is sent, or kept, before the next begins. */
export const jsonBytes = new JsonBytes()
