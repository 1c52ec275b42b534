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
  /** By slot, without its low zero bits: its index in the heap, from 1; 0 when it is not here. */
  private indexes = new Int32Array(START)
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
    const index = ++this.count
    if (index === this.keys.length) {
      this.keys = doubledFloats(this.keys)
      this.slots = doubledInts(this.slots)
    }
    const at = slot >> this.shift
    while (at >= this.indexes.length) this.indexes = doubledInts(this.indexes)
    this.up(index, slot, key)
  }

  /** Whether the slot was here. */
  remove(slot: number): boolean {
    const at = slot >> this.shift
    const index = at < this.indexes.length ? this.indexes[at]! : 0
    if (index === 0) return false
    this.indexes[at] = 0
    const last = this.count--
    if (index === last) return true
    const moved = this.slots[last]!
    const key = this.keys[last]!
    if (index > 1 && key < this.keys[index >> 1]!) this.up(index, moved, key)
    else this.down(index, moved, key)
    return true
  }

  private put(index: number, slot: number, key: number): void {
    this.keys[index] = key
    this.slots[index] = slot
    this.indexes[slot >> this.shift] = index
  }

  private up(from: number, slot: number, key: number): void {
    let index = from
    while (index > 1 && key < this.keys[index >> 1]!) {
      this.put(index, this.slots[index >> 1]!, this.keys[index >> 1]!)
      index >>= 1
    }
    this.put(index, slot, key)
  }

  private down(from: number, slot: number, key: number): void {
    const keys = this.keys
    let index = from
    for (;;) {
      let child = 2 * index
      if (child > this.count) break
      if (child < this.count && keys[child + 1]! < keys[child]!) child++
      if (keys[child]! >= key) break
      this.put(index, this.slots[child]!, keys[child]!)
      index = child
    }
    this.put(index, slot, key)
  }
}
