/**
 * Signed 64-bit integers: as values, and in two 32-bit words (low word first), as records, balances
 * and totals of money carry them.
 *
 * A value has one form: a number where that is exact (|value| <= 2^53 - 1), else a bigint. So `===` and
 * `<` mean what they say, whatever the forms of both sides. Nearly every amount is a number: code that
 * never meets another stays compiled for numbers alone (bench `instructions`).
 */
const WORD = 4294967296
const EXACT_MAX = Number.MAX_SAFE_INTEGER
/** High words of numbers are within ± this, but for the 2^32 lowest of them. */
const EXACT_HIGH = 2 ** 21 - 1

export type Int64 = number | bigint

export const INT64_MAX = 2n ** 63n - 1n

/** Returns the value in its one form. */
export const int64 = (value: bigint): Int64 =>
  value <= EXACT_MAX && value >= -EXACT_MAX ? Number(value) : value

/** Returns the value at words[at], words[at + 1]. */
export function readInt64(words: Int32Array, at: number): Int64 {
  const high = words[at + 1]!
  return high <= EXACT_HIGH && high >= -EXACT_HIGH
    ? high * WORD + (words[at]! >>> 0)
    : int64(int64ToBigint(words, at))
}

/** Writes a value of at most 64 bits. */
export function writeInt64(words: Int32Array, at: number, value: Int64): void {
  if (typeof value === 'number') {
    words[at] = value
    words[at + 1] = Math.floor(value / WORD)
  } else bigintToInt64(words, at, value)
}

/** words[at], words[at + 1] += amount, modulo 2^64. */
export function addInt64(words: Int32Array, at: number, amount: Int64): void {
  if (typeof amount !== 'number') {
    bigintToInt64(words, at, int64ToBigint(words, at) + amount)
    return
  }
  const high = Math.floor(amount / WORD)
  const low = (words[at]! >>> 0) + (amount - high * WORD)
  words[at] = low
  words[at + 1] = words[at + 1]! + high + (low >= WORD ? 1 : 0)
}

/** Returns the exact value. For cold edges: rendering, audits, tests. */
export function int64ToBigint(words: Int32Array, at: number): bigint {
  return (BigInt(words[at + 1]!) << 32n) | BigInt(words[at]! >>> 0)
}

export function bigintToInt64(words: Int32Array, at: number, value: bigint): void {
  const wrapped = BigInt.asUintN(64, value)
  words[at] = Number(wrapped & 0xffffffffn) | 0
  words[at + 1] = Number(wrapped >> 32n) | 0
}
