/**
 * A set of integers as a bitmap with a tower of summaries above it: each floor has one bit for each
 * word of the floor below that is not zero, up to a single word. The next member after any integer is
 * found in at most one step up and one down a floor. Writer: the book that owns it.
 *
 * ```
 * floor 2                      [word]                     one word
 * floor 1        [word]        [word]        [word]       a bit for each word of floor 0
 * floor 0   [word][word][word][word][word][word][word]    a bit for each integer
 * ```
 *
 * The two lowest floors are written unconditionally: whether they change is unpredictable, and a
 * mispredicted branch costs more than a write. Floors above them rarely change.
 */
import { assert } from '../../base/assert.ts'

/** Words of the floors over integers 0 to count - 1, lowest first: two floors at least. */
function floorWords(count: number): number[] {
  const floors: number[] = []
  let words = count
  do {
    words = Math.ceil(words / 32)
    floors.push(words)
  } while (words > 1 || floors.length < 2)
  return floors
}

export class BitTower {
  private readonly words: Int32Array
  /** Where each floor starts. */
  private readonly starts: Int32Array
  private readonly floors: number
  private readonly secondFloor: number

  static wordsFor(count: number): number {
    return floorWords(count).reduce((sum, words) => sum + words, 0)
  }

  /** A set within 0 to count - 1; `words` are all zeros, or what such a set left there. */
  constructor(words: Int32Array, count: number) {
    const floors = floorWords(count)
    assert(words.length === BitTower.wordsFor(count), 'a bit tower fits its words')
    this.words = words
    this.floors = floors.length
    this.starts = new Int32Array(floors.length)
    for (let floor = 1; floor < floors.length; floor++) {
      this.starts[floor] = this.starts[floor - 1]! + floors[floor - 1]!
    }
    this.secondFloor = this.starts[1]!
  }

  has(value: number): boolean {
    return (this.words[value >>> 5]! & (1 << (value & 31))) !== 0
  }

  /** Adds a value that may be a member already. */
  add(value: number): void {
    const words = this.words
    const index = value >>> 5
    words[index]! |= 1 << (value & 31)
    const at = this.secondFloor + (index >>> 5)
    const word = words[at]!
    words[at] = word | (1 << (index & 31))
    if (word === 0) this.raise(index >>> 5)
  }

  private raise(value: number): void {
    const words = this.words
    const starts = this.starts
    let index = value
    for (let floor = 2; floor < this.floors; floor++) {
      const at = starts[floor]! + (index >>> 5)
      const word = words[at]!
      words[at] = word | (1 << (index & 31))
      if (word !== 0) return
      index >>>= 5
    }
  }

  /** Removes a member if `gone` is 1, and changes nothing if it is 0, at the same pace. */
  deleteIf(gone: number, value: number): void {
    const words = this.words
    const index = value >>> 5
    const left = words[index]! & ~(gone << (value & 31))
    words[index] = left
    const at = this.secondFloor + (index >>> 5)
    const word = words[at]! & ~(isZero(left) << (index & 31))
    words[at] = word
    if (word === 0) this.lower(index >>> 5)
  }

  private lower(value: number): void {
    const words = this.words
    const starts = this.starts
    let index = value
    for (let floor = 2; floor < this.floors; floor++) {
      const at = starts[floor]! + (index >>> 5)
      const word = words[at]! & ~(1 << (index & 31))
      words[at] = word
      if (word !== 0) return
      index >>>= 5
    }
  }

  /** The smallest member above `value`; -1 when there is none. */
  above(value: number): number {
    const words = this.words
    const starts = this.starts
    let index = value
    for (let floor = 0; floor < this.floors; floor++) {
      const word = words[starts[floor]! + (index >>> 5)]! & (-2 << (index & 31))
      index >>>= 5
      if (word === 0) continue
      index = (index << 5) | lowestBit(word)
      for (let down = floor - 1; down >= 0; down--) {
        index = (index << 5) | lowestBit(words[starts[down]! + index]!)
      }
      return index
    }
    return -1
  }
}

/** Place of the lowest bit of a word that is not zero. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** 1 if a word is zero, else 0, without a branch. */
export function isZero(word: number): number {
  return Math.clz32(word) >>> 5
}
