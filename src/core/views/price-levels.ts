/**
 * One side of a depth: open quantity by price, in order. Leaves of at most 128 levels stand in a
 * list, worst price first: the best level is the last, and changes near it move few bytes; a change
 * far away moves one leaf's worth. Written by its DepthView alone.
 *
 * Prices are kept as ranks, which rise with how good a price is: ticks for bids, minus ticks for asks.
 */
import { assert } from '../../base/assert.ts'
import { Side } from '../../base/codes.ts'
import { Doubles, Lots, Ticks } from '../../base/units.ts'

const LEAF_LEVELS = 128

interface Leaf {
  readonly ranks: Int32Array
  readonly lots: Doubles<Lots>
  count: number
}

export class PriceLevels {
  private readonly sign: number
  /** Never without a leaf; only the one leaf of an empty side is empty. */
  private leaves: Leaf[] = [newLeaf()]
  private _count = 0

  constructor(side: Side) {
    this.sign = side === Side.BUY ? 1 : -1
  }

  get count(): number {
    return this._count
  }

  /** Price of the best level; 0 when there is none. */
  get bestTicks(): Ticks {
    const leaf = this.leaves[this.leaves.length - 1]!
    return leaf.count === 0 ? Ticks(0) : Ticks(leaf.ranks[leaf.count - 1]! * this.sign)
  }

  /** Quantity of the best level; 0 when there is none. */
  get bestLots(): Lots {
    const leaf = this.leaves[this.leaves.length - 1]!
    return leaf.count === 0 ? Lots(0) : leaf.lots[leaf.count - 1]!
  }

  /** Quantity at the price; 0 when there is no such level. */
  lotsAt(priceTicks: Ticks): Lots {
    const rank = priceTicks * this.sign
    const leaf = this.leaves[this.leafOf(rank)]!
    const slot = slotOf(leaf, rank)
    return slot < leaf.count && leaf.ranks[slot] === rank ? leaf.lots[slot]! : Lots(0)
  }

  /** Adds lots to the level, or takes them when negative; a level left with none is removed. */
  add(priceTicks: Ticks, lots: Lots): void {
    const rank = priceTicks * this.sign
    const leafIndex = this.leafOf(rank)
    const leaf = this.leaves[leafIndex]!
    const slot = slotOf(leaf, rank)
    if (slot === leaf.count || leaf.ranks[slot] !== rank) {
      assert(lots > 0, 'only a level that exists can lose lots')
      this.insert(leafIndex, slot, rank, lots)
      return
    }
    const left = Lots(leaf.lots[slot]! + lots)
    assert(left >= 0, 'a level has the lots that it loses')
    if (left > 0) leaf.lots[slot] = left
    else this.remove(leafIndex, slot)
  }

  clear(): void {
    this.leaves = [newLeaf()]
    this._count = 0
  }

  /** At most `limit` levels, best first. */
  walk(limit: number, into: (priceTicks: Ticks, lots: Lots) => void): void {
    let left = Math.min(limit, this._count)
    for (let index = this.leaves.length - 1; left > 0; index--) {
      const leaf = this.leaves[index]!
      for (let slot = leaf.count - 1; slot >= 0 && left > 0; slot--, left--) {
        into(Ticks(leaf.ranks[slot]! * this.sign), leaf.lots[slot]!)
      }
    }
  }

  /** The last leaf that begins at or below the rank, or the first leaf. */
  private leafOf(rank: number): number {
    const leaves = this.leaves
    let low = 0
    let high = leaves.length - 1
    // Most changes are near the best price, which is in the last leaf.
    if (high > 0 && leaves[high]!.ranks[0]! <= rank) return high
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (leaves[middle]!.ranks[0]! <= rank) low = middle
      else high = middle - 1
    }
    return low
  }

  private insert(leafIndex: number, slot: number, rank: number, lots: Lots): void {
    const leaf = this.leaves[leafIndex]!
    this._count++
    if (leaf.count < LEAF_LEVELS) {
      insertAt(leaf, slot, rank, lots)
      return
    }
    const half = LEAF_LEVELS >> 1
    const upper = newLeaf()
    upper.ranks.set(leaf.ranks.subarray(half))
    upper.lots.set(Doubles<Lots>(leaf.lots.subarray(half)))
    upper.count = LEAF_LEVELS - half
    leaf.count = half
    this.leaves.splice(leafIndex + 1, 0, upper)
    if (slot <= half) insertAt(leaf, slot, rank, lots)
    else insertAt(upper, slot - half, rank, lots)
  }

  private remove(leafIndex: number, slot: number): void {
    const leaf = this.leaves[leafIndex]!
    leaf.ranks.copyWithin(slot, slot + 1, leaf.count)
    leaf.lots.copyWithin(slot, slot + 1, leaf.count)
    leaf.count--
    this._count--
    if (leaf.count === 0 && this.leaves.length > 1) this.leaves.splice(leafIndex, 1)
  }
}

function newLeaf(): Leaf {
  return {
    ranks: new Int32Array(LEAF_LEVELS),
    lots: Doubles(new Float64Array(LEAF_LEVELS)),
    count: 0,
  }
}

/** The first slot whose rank is at least `rank`; the leaf's count when there is none. */
function slotOf(leaf: Leaf, rank: number): number {
  let low = 0
  let high = leaf.count
  while (low < high) {
    const middle = (low + high) >> 1
    if (leaf.ranks[middle]! < rank) low = middle + 1
    else high = middle
  }
  return low
}

function insertAt(leaf: Leaf, slot: number, rank: number, lots: Lots): void {
  if (slot < leaf.count) {
    leaf.ranks.copyWithin(slot + 1, slot, leaf.count)
    leaf.lots.copyWithin(slot + 1, slot, leaf.count)
  }
  leaf.ranks[slot] = rank
  leaf.lots[slot] = lots
  leaf.count++
}
