/**
 * The stops that one direction of the price wakes, nearest first: a binary heap of slots, with each
 * slot's place in it, so that a canceled stop leaves from the middle. A caller that wants the highest
 * ticks first negates them.
 */
import { doubledFloats, doubledInts } from './sparse-column.ts'

const START = 8

export class StopHeap {
  private keys = new Float64Array(START)
  private slots = new Int32Array(START)
  /** By slot, without its low zero bits: its place, from 1; 0 when it is not here. */
  private places = new Int32Array(START)
  private readonly shift: number
  private count = 0

  /** Slots are multiples of 2 to the power of `shift`. */
  constructor(shift = 0) {
    this.shift = shift
  }

  /** The lowest key; Infinity when it is empty. */
  get firstKey(): number {
    return this.count === 0 ? Number.POSITIVE_INFINITY : this.keys[1]!
  }

  get firstSlot(): number {
    return this.slots[1]!
  }

  add(slot: number, key: number): void {
    const place = ++this.count
    if (place === this.keys.length) {
      this.keys = doubledFloats(this.keys)
      this.slots = doubledInts(this.slots)
    }
    const at = slot >> this.shift
    while (at >= this.places.length) this.places = doubledInts(this.places)
    this.up(place, slot, key)
  }

  /** Whether the slot was here. */
  remove(slot: number): boolean {
    const at = slot >> this.shift
    const place = at < this.places.length ? this.places[at]! : 0
    if (place === 0) return false
    this.places[at] = 0
    const last = this.count--
    if (place === last) return true
    const moved = this.slots[last]!
    const key = this.keys[last]!
    if (place > 1 && key < this.keys[place >> 1]!) this.up(place, moved, key)
    else this.down(place, moved, key)
    return true
  }

  private put(place: number, slot: number, key: number): void {
    this.keys[place] = key
    this.slots[place] = slot
    this.places[slot >> this.shift] = place
  }

  private up(from: number, slot: number, key: number): void {
    let place = from
    while (place > 1 && key < this.keys[place >> 1]!) {
      this.put(place, this.slots[place >> 1]!, this.keys[place >> 1]!)
      place >>= 1
    }
    this.put(place, slot, key)
  }

  private down(from: number, slot: number, key: number): void {
    const keys = this.keys
    let place = from
    for (;;) {
      let child = 2 * place
      if (child > this.count) break
      if (child < this.count && keys[child + 1]! < keys[child]!) child++
      if (keys[child]! >= key) break
      this.put(place, this.slots[child]!, keys[child]!)
      place = child
    }
    this.put(place, slot, key)
  }
}
