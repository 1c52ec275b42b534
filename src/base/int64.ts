/**
 * Signed 64-bit integers in two 32-bit words (low word first), for sums that outgrow 2^53: balances
 * and totals of money. Each amount added or subtracted is an exact number of at most 2^53 - 1, so
 * the hot path never touches a bigint.
 */
const WORD = 4294967296

/** words[at], words[at + 1] += amount, for an integer amount with |amount| <= 2^53 - 1. */
export function addInt64(words: Int32Array, at: number, amount: number): void {
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
