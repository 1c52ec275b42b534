/**
 * Signed 64-bit integers: as values, and in two 32-bit words (low word first), as records, balances
 * and totals of money carry them.
 *
 * A value has one form: a number where that is exact (|value| <= 2^53 - 1), else a bigint. So `===` and
 * `<` mean what they say, whatever the forms of both sides. Nearly every amount is a number: code that
 * never meets another stays compiled for numbers alone. Bounds are written out where they are compared,
 * and what makes bigints stands apart, because small functions are inlined first (bench `instructions`).
 */
export type Int64 = number | bigint

export const INT64_MAX = 2n ** 63n - 1n

/** Returns the value in its one form. */
export const int64 = (value: bigint): Int64 =>
  value < 2 ** 53 && value > -(2 ** 53) ? Number(value) : value

/** Sum, difference, and what is less or more of two values of one unit: exact, however large. */
export function plus<Of extends Int64>(a: Of, b: Of): Of {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (sum < 2 ** 53 && sum > -(2 ** 53)) return sum as Of
  }
  return widePlus(a, b) as Of
}
const widePlus = (a: Int64, b: Int64): Int64 => int64(BigInt(a) + BigInt(b))

export function minus<Of extends Int64>(a: Of, b: Of): Of {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (difference < 2 ** 53 && difference > -(2 ** 53)) return difference as Of
  }
  return wideMinus(a, b) as Of
}
const wideMinus = (a: Int64, b: Int64): Int64 => int64(BigInt(a) - BigInt(b))

export const negative = <Of extends Int64>(value: Of): Of =>
  (typeof value === 'number' ? 0 - value : -value) as Of

/** Whether a result is more than 64 bits carry. */
export const isBeyond64 = (value: Int64): boolean => typeof value !== 'number' && value > INT64_MAX

/** a > b, where a comparison of both forms would not be compiled for numbers alone. */
export function isMore(a: Int64, b: Int64): boolean {
  if (typeof a === 'number') return typeof b === 'number' ? a > b : b < 0n
  return a > b
}

export const least = <Of extends Int64>(a: Of, b: Of): Of => (isMore(a, b) ? b : a)
export const most = <Of extends Int64>(a: Of, b: Of): Of => (isMore(a, b) ? a : b)

/** Returns a × b, exact for any safe integers. */
export function product(a: number, b: number): Int64 {
  const near = a * b
  return near < 2 ** 53 && near > -(2 ** 53) ? near : wideProduct(a, b)
}
const wideProduct = (a: number, b: number): Int64 => int64(BigInt(a) * BigInt(b))

/** Returns the value at words[at], words[at + 1]. */
export function readInt64(words: Int32Array, at: number): Int64 {
  const high = words[at + 1]!
  // All numbers but the 2^32 lowest.
  return high < 2 ** 21 && high > -(2 ** 21)
    ? high * 2 ** 32 + (words[at]! >>> 0)
    : int64(int64ToBigint(words, at))
}

/** Writes a value of at most 64 bits. */
export function writeInt64(words: Int32Array, at: number, value: Int64): void {
  if (typeof value === 'number') {
    const low = value >>> 0
    words[at] = low
    words[at + 1] = (value - low) / 2 ** 32
  } else bigintToInt64(words, at, value)
}

/** words[at], words[at + 1] += amount, modulo 2^64. */
export function addInt64(words: Int32Array, at: number, amount: Int64): void {
  if (typeof amount !== 'number') {
    bigintToInt64(words, at, int64ToBigint(words, at) + amount)
    return
  }
  const low = amount >>> 0
  const sum = (words[at]! >>> 0) + low
  words[at] = sum
  words[at + 1] = words[at + 1]! + (amount - low) / 2 ** 32 + (sum < 2 ** 32 ? 0 : 1)
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
