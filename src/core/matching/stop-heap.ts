/**
 * The stops that one direction of the price wakes, nearest first: a binary heap of rows of `Details`,
 * with each row's place in it, so that a canceled stop leaves from the middle. Ticks are negated by
 * whoever wants the highest first.
 */
import { doubledFloats, doubledInts } from './details.ts'

const START = 64

export class StopHeap {
  #keys = new Float64Array(START)
  #rows = new Int32Array(START)
  /** By row: its place, from 1; 0 when it is not here. */
  #places = new Int32Array(START)
  #count = 0

  /** The lowest key; Infinity when it is empty. */
  get firstKey(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : this.#keys[1]!
  }

  get firstRow(): number {
    return this.#rows[1]!
  }

  add(row: number, key: number): void {
    const place = ++this.#count
    if (place === this.#keys.length) {
      this.#keys = doubledFloats(this.#keys)
      this.#rows = doubledInts(this.#rows)
    }
    while (row >= this.#places.length) this.#places = doubledInts(this.#places)
    this.#up(place, row, key)
  }

  /** Whether the row was here. */
  remove(row: number): boolean {
    const place = row < this.#places.length ? this.#places[row]! : 0
    if (place === 0) return false
    this.#places[row] = 0
    const last = this.#count--
    if (place === last) return true
    const moved = this.#rows[last]!
    const key = this.#keys[last]!
    if (place > 1 && key < this.#keys[place >> 1]!) this.#up(place, moved, key)
    else this.#down(place, moved, key)
    return true
  }

  #put(place: number, row: number, key: number): void {
    this.#keys[place] = key
    this.#rows[place] = row
    this.#places[row] = place
  }

  #up(from: number, row: number, key: number): void {
    let place = from
    while (place > 1 && key < this.#keys[place >> 1]!) {
      this.#put(place, this.#rows[place >> 1]!, this.#keys[place >> 1]!)
      place >>= 1
    }
    this.#put(place, row, key)
  }

  #down(from: number, row: number, key: number): void {
    const keys = this.#keys
    let place = from
    for (;;) {
      let child = 2 * place
      if (child > this.#count) break
      if (child < this.#count && keys[child + 1]! < keys[child]!) child++
      if (keys[child]! >= key) break
      this.#put(place, this.#rows[child]!, keys[child]!)
      place = child
    }
    this.#put(place, row, key)
  }
}
