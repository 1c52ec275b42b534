/**
 * Unsigned 96-bit integers in three 32-bit words (low word first), for sums over many trades. No more
 * than 2^62 atoms of an asset exist, so a sum wraps after 2^34 trades of all of them. In 64 bits it
 * would wrap after four.
 */
import type { Int64 } from './int64.ts'

const WORD = 4294967296

/** Adds an integer of at least 0 to the sum at words[at ..]. */
export function addInt96(words: Int32Array, at: number, amount: Int64): void {
  if (typeof amount !== 'number') {
    bigintToInt96(words, at, int96ToBigint(words, at) + amount)
    return
  }
  const high = Math.floor(amount / WORD)
  const low = (words[at]! >>> 0) + (amount - high * WORD)
  const middle = (words[at + 1]! >>> 0) + high + (low >= WORD ? 1 : 0)
  words[at] = low
  words[at + 1] = middle
  if (middle >= WORD) words[at + 2]!++
}

/** Adds the sum at from[at ..] to the one at the same place of `words`. */
export function addSum96(words: Int32Array, from: Int32Array, at: number): void {
  const low = (words[at]! >>> 0) + (from[at]! >>> 0)
  const middle = (words[at + 1]! >>> 0) + (from[at + 1]! >>> 0) + (low >= WORD ? 1 : 0)
  words[at] = low
  words[at + 1] = middle
  words[at + 2] = words[at + 2]! + from[at + 2]! + (middle >= WORD ? 1 : 0)
}

/** Returns the exact value. */
export function int96ToBigint(words: Int32Array, at: number): bigint {
  const low = BigInt(words[at]! >>> 0) | (BigInt(words[at + 1]! >>> 0) << 32n)
  return (BigInt(words[at + 2]! >>> 0) << 64n) | low
}

/**
 * Returns the sum at words[at ..] less the one at others[othersAt ..], off by less than a part in 2^51,
 * where it is at least 0 and below 2^94.
 */
export function nearDifference96(
  words: Int32Array,
  at: number,
  others: Int32Array,
  othersAt: number,
): number {
  const low = (words[at]! >>> 0) - (others[othersAt]! >>> 0)
  const middle = (words[at + 1]! >>> 0) - (others[othersAt + 1]! >>> 0)
  const high = (words[at + 2]! - others[othersAt + 2]!) | 0
  return (high * WORD + middle) * WORD + low
}

export function bigintToInt96(words: Int32Array, at: number, value: bigint): void {
  for (let word = 0; word < 3; word++) {
    words[at + word] = Number((value >> BigInt(32 * word)) & 0xffffffffn) | 0
  }
}

/** Copies the sum at from[fromAt ..]. */
export function copyInt96(from: Int32Array, fromAt: number, to: Int32Array, toAt: number): void {
  to[toAt] = from[fromAt]!
  to[toAt + 1] = from[fromAt + 1]!
  to[toAt + 2] = from[fromAt + 2]!
}
