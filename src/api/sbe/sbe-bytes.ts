/**
 * The bytes of SBE messages, little-endian. Decimals are mantissas of one exponent for a whole message: that of
 * the wire's decimals, or a larger one where a mantissa does not fit.
 */
import { INT64_MAX, type Int64 } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { BytePage } from '../answers/byte-page.ts'

/** Bytes of a message's header: of its block, its template, the schema and its version. */
export const HEADER_BYTES = 8
const ASCII_MAX = 127
/** The id of none. */
export const NO_SUBSCRIPTION = 65_535
const NULL_INT64_HIGH = -(2 ** 31)

export interface SchemaVersion {
  readonly id: number
  readonly version: number
  /** Whether the client asked for an older version. */
  readonly isDeprecated?: boolean
}

export class SbeBytes extends BytePage {
  /** Of the schema that messages are written in. */
  schemaId = 0
  /** Its minor version. */
  version = 0
  /** Of all decimals since begin() that are no quantities. */
  exponent = -WIRE_DECIMALS
  qtyExponent = -WIRE_DECIMALS
  /** Whether the client asked for an older version. */
  isDeprecated = false
  /** Whose event is written. */
  subscriptionId = NO_SUBSCRIPTION
  /** Whether a mantissa or a length had no room, or a decimal more places than the exponent. */
  isInexact = false

  /** Begins a message of a schema, whose decimals have the exponents. */
  beginWith(schema: SchemaVersion, exponent: number, qtyExponent: number): void {
    this.begin()
    this.schemaId = schema.id
    this.version = schema.version
    this.isDeprecated = schema.isDeprecated === true
    this.exponent = exponent
    this.qtyExponent = qtyExponent
    this.isInexact = false
  }

  /** Makes room for a block. Returns where it begins in `view`, until more room is made. */
  take(bytes: number): number {
    const at = this.roomFor(bytes)
    this.end += bytes
    return at
  }

  /** Where fields of blocks are written; another one once room was made. */
  get fields(): DataView {
    return this.words
  }

  header(blockBytes: number, templateId: number): void {
    const at = this.take(HEADER_BYTES)
    this.words.setUint16(at, blockBytes, true)
    this.words.setUint16(at + 2, templateId, true)
    this.words.setUint16(at + 4, this.schemaId, true)
    this.words.setUint16(at + 6, this.version, true)
  }

  group16(blockBytes: number, count: number): void {
    const at = this.take(4)
    this.words.setUint16(at, blockBytes, true)
    this.words.setUint16(at + 2, count, true)
    if (count >= 2 ** 16) this.isInexact = true
  }

  group32(blockBytes: number, count: number): void {
    const at = this.take(6)
    this.words.setUint16(at, blockBytes, true)
    this.words.setUint32(at + 2, count, true)
  }

  int64(at: number, value: Int64): void {
    if (typeof value !== 'number') {
      this.words.setBigInt64(at, value, true)
      return
    }
    const low = value >>> 0
    this.words.setInt32(at, low, true)
    this.words.setInt32(at + 4, (value - low) / 2 ** 32, true)
  }

  nullInt64(at: number): void {
    this.words.setInt32(at, 0, true)
    this.words.setInt32(at + 4, NULL_INT64_HIGH, true)
  }

  /** A decimal of so many 10^-8. */
  mantissa(at: number, units: Int64): void {
    this.decimal(at, units, this.exponent)
  }

  /** The same of a quantity. */
  quantity(at: number, units: Int64): void {
    this.decimal(at, units, this.qtyExponent)
  }

  private decimal(at: number, units: Int64, exponent: number): void {
    if (typeof units === 'number' && exponent === -WIRE_DECIMALS) this.int64(at, units)
    else this.wholeMantissa(at, this.scaled(BigInt(units), exponent))
  }

  private wholeMantissa(at: number, mantissa: bigint): void {
    if (mantissa > INT64_MAX || mantissa < -INT64_MAX) this.isInexact = true
    this.words.setBigInt64(at, mantissa, true)
  }

  /** A decimal of so many 10^-8, of 128 bits. */
  wideMantissa(at: number, units: Int64): void {
    this.wideDecimal(at, units, this.exponent)
  }

  wideQuantity(at: number, units: Int64): void {
    this.wideDecimal(at, units, this.qtyExponent)
  }

  private wideDecimal(at: number, units: Int64, exponent: number): void {
    if (typeof units === 'number' && exponent === -WIRE_DECIMALS) {
      this.int64(at, units)
      const sign = units < 0 ? -1 : 0
      this.words.setInt32(at + 8, sign, true)
      this.words.setInt32(at + 12, sign, true)
    } else {
      const mantissa = this.scaled(BigInt(units), exponent)
      this.words.setBigUint64(at, BigInt.asUintN(64, mantissa), true)
      this.words.setBigInt64(at + 8, mantissa >> 64n, true)
    }
  }

  private scaled(units: bigint, exponent: number): bigint {
    const unit = 10n ** BigInt(exponent + WIRE_DECIMALS)
    if (units % unit !== 0n) this.isInexact = true
    return units / unit
  }

  /** A text of UTF-8 behind its length. */
  text(text: string, lengthBytes: 1 | 2 | 4): void {
    const { length } = text
    const at = this.roomFor(lengthBytes + 3 * length)
    const page = this.page
    const begin = at + lengthBytes
    let codes = 0
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      codes |= code
      page[begin + i] = code
    }
    const bytes = codes <= ASCII_MAX ? length : utf8.encodeInto(text, page.subarray(begin)).written
    this.end = begin + bytes
    this.setLength(at, bytes, lengthBytes)
  }

  /** Begins a message within this one. Returns what endInner() needs. */
  beginInner(lengthBytes: 1 | 2 | 4): number {
    this.take(lengthBytes)
    return this.length
  }

  endInner(from: number, lengthBytes: 1 | 2 | 4): void {
    this.innerBytes = this.length - from
    this.setLength(this.start + from - lengthBytes, this.innerBytes, lengthBytes)
  }

  private setLength(at: number, bytes: number, lengthBytes: 1 | 2 | 4): void {
    if (lengthBytes === 1) this.words.setUint8(at, bytes)
    else if (lengthBytes === 2) this.words.setUint16(at, bytes, true)
    else this.words.setUint32(at, bytes, true)
    if (bytes >= 2 ** (8 * lengthBytes)) this.isInexact = true
  }
}

const utf8 = new TextEncoder()

/** The page of all messages of the thread: each is sent, or kept, before the next begins. */
export const sbeBytes = new SbeBytes()
