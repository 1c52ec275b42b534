/**
 * Running sums of a symbol's trades, one entry for each millisecond in which it traded: the exact
 * sums over any trailing window are one entry less another. Part of the tape, and of a symbol's snapshot.
 *
 * Sums have 96 bits and wrap; differences are exact while one window's sum is below 2^96. A trade adds at
 * most 2^74 (base/limits.ts, PRICE_TICKS_MAX × QTY_LOTS_MAX), so that takes 2^22 of the largest that a
 * book can have within a day.
 */
import { assert } from '../../base/assert.ts'
import { addInt96, int96ToBigint, nearDifference96 } from '../../base/int96.ts'
import { Doubles, type Lots, Ms, type TickLots } from '../../base/units.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'

const ENTRIES_FIRST = 16
/** Words of an entry's sums: Σ(ticks × lots), then Σ lots, both up to and including the entry. */
const ENTRY_WORDS = 6
/** Where the second column begins. */
const LOTS = 3

export class TradeSums {
  /** Entry e stands at e modulo the capacity, a power of two that grows with need. */
  private timesMs = Doubles<Ms>(new Float64Array(ENTRIES_FIRST))
  private sums = new Int32Array(ENTRIES_FIRST * ENTRY_WORDS)
  /** Entries [first, end) are kept; the one before `first` was the last one forgotten. */
  private first = 0
  private end = 0
  /** Sums of everything forgotten. */
  private readonly forgotten = new Int32Array(ENTRY_WORDS)
  private windowMs: number

  /** Windows of up to `windowMs` can be queried. */
  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  /** Longer windows can be queried, of what is not forgotten yet. */
  widen(windowMs: number): void {
    this.windowMs = Math.max(this.windowMs, windowMs)
  }

  clear(): void {
    this.first = 0
    this.end = 0
    this.forgotten.fill(0)
  }

  /** Adds one trade. A time before the last one's counts as the last one's. */
  add(timeMs: Ms, tickLots: TickLots, lots: Lots): void {
    const last = this.end - 1
    const sameEntry = this.end > this.first && timeMs <= this.timesMs[this.indexOf(last)]!
    if (!sameEntry) this.append(timeMs)
    const word = this.indexOf(this.end - 1) * ENTRY_WORDS
    addInt96(this.sums, word, tickLots)
    addInt96(this.sums, word + LOTS, lots)
  }

  /** Sums of the trades at `fromMs` and later, at most the window before the last trade. */
  since(fromMs: Ms): { tickLots: bigint; lots: bigint } {
    const from = this.entryAt(fromMs)
    return { tickLots: this.difference(from, 0), lots: this.difference(from, LOTS) }
  }

  /**
   * Their Σ(ticks × lots) over Σ lots, off by less than a part in 10^15; 0 where there are none. It makes
   * no bigint.
   */
  nearAverageSince(fromMs: Ms): number {
    const from = this.entryAt(fromMs)
    return from === this.end ? 0 : this.nearDifference(from, 0) / this.nearDifference(from, LOTS)
  }

  /** The first entry at `fromMs` or later. */
  private entryAt(fromMs: Ms): number {
    let low = this.first
    let high = this.end
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.timesMs[this.indexOf(middle)]! < fromMs) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The newest sum less the sum before entry `from`. */
  private difference(from: number, word: number): bigint {
    if (from === this.end) return 0n
    const newest = int96ToBigint(this.sums, this.indexOf(this.end - 1) * ENTRY_WORDS + word)
    const before =
      from === this.first
        ? int96ToBigint(this.forgotten, word)
        : int96ToBigint(this.sums, this.indexOf(from - 1) * ENTRY_WORDS + word)
    return BigInt.asUintN(96, newest - before)
  }

  private nearDifference(from: number, word: number): number {
    const sums = this.sums
    const newest = this.indexOf(this.end - 1) * ENTRY_WORDS + word
    return from === this.first
      ? nearDifference96(sums, newest, this.forgotten, word)
      : nearDifference96(sums, newest, sums, this.indexOf(from - 1) * ENTRY_WORDS + word)
  }

  write(image: ImageWriter): void {
    image.word(this.end - this.first)
    image.words(this.forgotten, 0, ENTRY_WORDS)
    for (let entry = this.first; entry < this.end; entry++) {
      const index = this.indexOf(entry)
      image.double(this.timesMs[index]!)
      image.words(this.sums, index * ENTRY_WORDS, ENTRY_WORDS)
    }
  }

  /** Into sums of no trade yet. */
  read(image: ImageReader): void {
    const count = image.word()
    image.words(this.forgotten, 0, ENTRY_WORDS)
    for (let left = count; left > 0; left--) {
      this.append(Ms(image.double()))
      image.words(this.sums, this.indexOf(this.end - 1) * ENTRY_WORDS, ENTRY_WORDS)
    }
  }

  /** A new entry that begins with the sums of the last one. */
  private append(timeMs: Ms): void {
    while (
      this.first < this.end &&
      this.timesMs[this.indexOf(this.first)]! < timeMs - this.windowMs
    ) {
      this.copySums(this.first, this.forgotten, 0)
      this.first++
    }
    if (this.end - this.first === this.timesMs.length) this.grow()
    const index = this.indexOf(this.end)
    this.timesMs[index] = timeMs
    if (this.end > this.first) this.copySums(this.end - 1, this.sums, index * ENTRY_WORDS)
    else this.sums.set(this.forgotten, index * ENTRY_WORDS)
    this.end++
  }

  private copySums(entry: number, target: Int32Array, at: number): void {
    const word = this.indexOf(entry) * ENTRY_WORDS
    for (let i = 0; i < ENTRY_WORDS; i++) target[at + i] = this.sums[word + i]!
  }

  private grow(): void {
    const timesMs = Doubles<Ms>(new Float64Array(this.timesMs.length * 2))
    const sums = new Int32Array(this.sums.length * 2)
    assert(
      timesMs.length <= this.windowMs * 2 + ENTRIES_FIRST,
      'a window has at most one entry per millisecond',
    )
    for (let entry = this.first; entry < this.end; entry++) {
      const index = entry & (timesMs.length - 1)
      timesMs[index] = this.timesMs[this.indexOf(entry)]!
      this.copySums(entry, sums, index * ENTRY_WORDS)
    }
    this.timesMs = timesMs
    this.sums = sums
  }

  private indexOf(entry: number): number {
    return entry % this.timesMs.length
  }
}
