/**
 * An open-addressing hash table of slot numbers over shared words, for keys that come in runs: order
 * ids that count upwards, prices next to each other. Zero marks a free position.
 *
 * A key's home is its low bits, so a run of keys lies in a run of cache lines. Probing from home by
 * steps of one would then crawl through whole runs; it steps by a stride instead, whose inverse is
 * near the golden section of the table. Seen in steps of the stride, a run's homes are spread as
 * evenly as multiplicative hashing spreads them: the same few probes, without losing the locality.
 *
 * The table compares no keys: whoever owns the slots does, walking from `home` with `next`. Writer:
 * the book that owns it. It never moves an entry except to close the gap that a removal leaves, so no
 * marks of dead entries pile up.
 */
import { assert } from '#base/assert.ts'

/** At most three quarters of the positions are ever taken. */
export function slotTableBits(entriesMax: number): number {
  let bits = 4
  while (entriesMax > 0.75 * 2 ** bits) bits++
  return bits
}

/** Where the key of a slot starts its search. Asked only when a removal meets other entries. */
export interface Homes {
  homeOf(slot: number): number
}

export class SlotTable {
  /** Slot at each position; 0 where it is free. */
  readonly slots: Int32Array
  readonly bits: number
  readonly mask: number
  private readonly stride: number
  private readonly inverse: number

  /** `slots` is all zeros, or what a table of the same bits left there. */
  constructor(slots: Int32Array, bits: number) {
    assert(slots.length === 2 ** bits, 'a slot table has a power of two positions')
    this.slots = slots
    this.bits = bits
    this.mask = slots.length - 1
    this.inverse = Math.floor(0.6180339887 * slots.length) | 1
    this.stride = inverseOf(this.inverse) & this.mask
  }

  /** The position that a search visits after this one. */
  next(position: number): number {
    return (position + this.stride) & this.mask
  }

  add(home: number, slot: number): void {
    const { slots, mask } = this
    const stride = this.stride
    let position = home
    while (slots[position] !== 0) position = (position + stride) & mask
    slots[position] = slot
  }

  /** Removes a slot that was added at this home. */
  remove(home: number, slot: number, homes: Homes): void {
    const { slots, mask } = this
    const stride = this.stride
    let position = home
    while (slots[position] !== slot) position = (position + stride) & mask
    slots[position] = 0
    const after = (position + stride) & mask
    if (slots[after] !== 0) this.close(position, homes)
  }

  /** Moves entries back over a gap until every search again meets its entry before a free position. */
  private close(gap: number, homes: Homes): void {
    const { slots, mask } = this
    const stride = this.stride
    const inverse = this.inverse
    let hole = gap
    for (let at = (gap + stride) & mask; slots[at] !== 0; at = (at + stride) & mask) {
      const slot = slots[at]!
      const stepsFromHome = Math.imul(at - homes.homeOf(slot), inverse) & mask
      const stepsFromHole = Math.imul(at - hole, inverse) & mask
      if (stepsFromHome >= stepsFromHole) {
        slots[hole] = slot
        slots[at] = 0
        hole = at
      }
    }
  }
}

/** The inverse of an odd number modulo 2^32, by Newton's method: each round doubles the right bits. */
function inverseOf(odd: number): number {
  let inverse = odd
  for (let round = 0; round < 5; round++) {
    inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse))
  }
  return inverse
}
