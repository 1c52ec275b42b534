/**
 * Client order ids as eight words. Their alphabet has 67 letters (rest-api.md, New order: letters, digits,
 * `-`, `_`, and `.`, `:`, `/`), so five of them and an end mark make one number below 68^5 < 2^31:
 * 36 letters fit in 32 bytes, two ids compare as eight words, and packing checks the alphabet.
 * An id of all zeros means none.
 */
import { assert } from './assert.ts'
import { CLIENT_ORDER_ID_CHARS_MAX } from './limits.ts'

export const CLIENT_ORDER_ID_WORDS = 8

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/'
const BASE = LETTERS.length + 1
const LETTERS_PER_WORD = 5
const DIGIT_OF = new Uint8Array(128)
for (let i = 0; i < LETTERS.length; i++) DIGIT_OF[LETTERS.charCodeAt(i)] = i + 1

assert(BASE ** LETTERS_PER_WORD < 2 ** 31, 'five letters fit in a positive word')
assert(
  CLIENT_ORDER_ID_WORDS * LETTERS_PER_WORD >= CLIENT_ORDER_ID_CHARS_MAX,
  'a client order id fits in its words',
)

/**
 * Writes `text` to words[at .. at + 7]. Returns false, with the words all zero, for text that is
 * empty, longer than 36 letters, or has a letter outside the alphabet.
 */
export function packClientOrderId(text: string, words: Int32Array, at: number): boolean {
  const length = text.length
  let good = length > 0 && length <= CLIENT_ORDER_ID_CHARS_MAX
  let next = 0
  let to = at
  for (; good && next + LETTERS_PER_WORD <= length; next += LETTERS_PER_WORD) {
    const first = digitAt(text, next)
    const second = digitAt(text, next + 1)
    const third = digitAt(text, next + 2)
    const fourth = digitAt(text, next + 3)
    const fifth = digitAt(text, next + 4)
    good = first > 0 && second > 0 && third > 0 && fourth > 0 && fifth > 0
    words[to++] = (((first * BASE + second) * BASE + third) * BASE + fourth) * BASE + fifth
  }
  if (good && next < length) {
    let packed = 0
    for (let i = 0; i < LETTERS_PER_WORD; i++) {
      const digit = next + i < length ? digitAt(text, next + i) : 0
      if (digit === 0 && next + i < length) good = false
      packed = packed * BASE + digit
    }
    words[to++] = packed
  }
  if (!good) to = at
  while (to < at + CLIENT_ORDER_ID_WORDS) words[to++] = 0
  return good
}

/** 0 for a letter outside the alphabet. */
function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code < DIGIT_OF.length ? DIGIT_OF[code]! : 0
}

/** A global of Node.js, declared for pages, which have none: they import types of files that import this one. */
declare const Buffer: {
  from(text: string): Uint8Array
  alloc(bytes: number): Uint8Array & {
    toString(encoding: 'latin1', from: number, to: number): string
  }
}
/** By digit: the code of its letter. */
const CODE_OF = Buffer.from(` ${LETTERS}`)
/** One text is made of all letters: a text of 22 parts takes twice as long. */
const letters = Buffer.alloc(CLIENT_ORDER_ID_WORDS * LETTERS_PER_WORD)

/** Returns the text of words[at .. at + 7]; '' for none. */
export function unpackClientOrderId(words: Int32Array, at: number): string {
  let count = 0
  for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
    let rest = words[at + word] as number
    if (rest === 0) break
    for (let divisor = BASE ** (LETTERS_PER_WORD - 1); rest > 0; divisor /= BASE) {
      const digit = Math.floor(rest / divisor)
      rest -= digit * divisor
      letters[count++] = CODE_OF[digit]!
    }
  }
  return letters.toString('latin1', 0, count)
}

export function isNoClientOrderId(words: Int32Array, at: number): boolean {
  return words[at] === 0
}

export function isSameClientOrderId(
  words: Int32Array,
  at: number,
  others: Int32Array,
  othersAt: number,
): boolean {
  for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
    if (words[at + word] !== others[othersAt + word]) return false
  }
  return true
}

/** Whether the id at words[at] begins with the letters at prefix[prefixAt]. */
export function beginsClientOrderId(
  prefix: Int32Array,
  prefixAt: number,
  words: Int32Array,
  at: number,
): boolean {
  for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
    const wanted = prefix[prefixAt + word]!
    if (wanted === 0) return true
    const beyond = words[at + word]! - wanted
    if (beyond === 0) continue
    // Behind the prefix's last letter the word may have others.
    let unit = 1
    while (wanted % (unit * BASE) === 0) unit *= BASE
    return beyond > 0 && beyond < unit
  }
  return true
}

/** Copies words[fromAt .. fromAt + 7]. Written out: a loop costs more than the copy (bench `engine`). */
export function copyClientOrderId(
  from: Int32Array,
  fromAt: number,
  to: Int32Array,
  toAt: number,
): void {
  to[toAt] = from[fromAt]!
  to[toAt + 1] = from[fromAt + 1]!
  to[toAt + 2] = from[fromAt + 2]!
  to[toAt + 3] = from[fromAt + 3]!
  to[toAt + 4] = from[fromAt + 4]!
  to[toAt + 5] = from[fromAt + 5]!
  to[toAt + 6] = from[fromAt + 6]!
  to[toAt + 7] = from[fromAt + 7]!
}
