/**
 * The price levels of one book. A level is found by its price in a hash table, and its neighbours
 * through groups of 16 consecutive ticks: a bitmap says which groups have levels, and the levels of
 * one group are linked in price order. One set of levels serves both sides, since every bid is below
 * every ask; who stands at the spread is the book's to know.
 *
 * A level is 32 bytes, half a cache line, because whoever touches one of its words touches most:
 *
 * ```
 * word  0 price ticks   1 first order    2 last order     3 order count
 *       4 open lots (a double)           6 lower level    7 higher level, of the same group
 * ```
 *
 * Writer: the matcher of the symbol. Level 0 stays all zeros and stands for none.
 */
import { assert } from '#base/assert.ts'
import { BitTower } from './bit-tower.ts'
import { floatsOf, GROUP_BITS, Head, type MemoryMap, wordsOf } from './memory-map.ts'
import { type Homes, SlotTable } from './slot-table.ts'

/** Words of a level; a level's first word is at level << LEVEL_SHIFT. */
export const LEVEL_SHIFT = 3
export const LevelWord = {
  PRICE: 0,
  FIRST: 1,
  LAST: 2,
  COUNT: 3,
  LOWER: 6,
  HIGHER: 7,
} as const
/** Open lots, counted in doubles: level << LEVEL_LOTS_SHIFT, plus LEVEL_LOTS. */
export const LEVEL_LOTS_SHIFT = 2
export const LEVEL_LOTS = 2

const { PRICE, FIRST, LAST, COUNT, LOWER, HIGHER } = LevelWord

export class Levels implements Homes {
  readonly levelsMax: number
  readonly words: Int32Array
  readonly lots: Float64Array
  /** Groups of ticks that have levels. */
  readonly groups: BitTower
  readonly table: SlotTable
  readonly #head: Int32Array

  constructor(memory: SharedArrayBuffer, map: MemoryMap) {
    this.levelsMax = map.levelsMax
    this.words = wordsOf(memory, map.levels)
    this.lots = floatsOf(memory, map.levels)
    this.groups = new BitTower(wordsOf(memory, map.groupWords), map.groups)
    this.table = new SlotTable(wordsOf(memory, map.levelTable), map.levelTableBits)
    this.#head = wordsOf(memory, map.head)
  }

  get count(): number {
    return this.#head[Head.LEVEL_COUNT]!
  }

  /** Neighbouring prices lie side by side; the high bits keep round prices from sharing homes. */
  #home(priceTicks: number): number {
    const table = this.table
    return (priceTicks ^ (priceTicks >>> table.bits)) & table.mask
  }

  homeOf(level: number): number {
    return this.#home(this.words[level << LEVEL_SHIFT]!)
  }

  /** The level at a price; 0 when there is none. */
  find(priceTicks: number): number {
    const words = this.words
    const table = this.table
    const slots = table.slots
    let position = this.#home(priceTicks)
    for (;;) {
      const level = slots[position]!
      if (level === 0 || words[level << LEVEL_SHIFT] === priceTicks) return level
      position = table.next(position)
    }
  }

  /** A new, empty level at a price that has none; 0 when all are taken. */
  open(priceTicks: number): number {
    const level = this.#allocate()
    if (level === 0) return 0
    const words = this.words
    const at = level << LEVEL_SHIFT
    words[at + PRICE] = priceTicks
    words[at + FIRST] = 0
    words[at + LAST] = 0
    words[at + COUNT] = 0
    words[at + LOWER] = 0
    words[at + HIGHER] = 0
    this.lots[(level << LEVEL_LOTS_SHIFT) + LEVEL_LOTS] = 0
    if (!this.groups.add(priceTicks >>> GROUP_BITS)) this.#link(level, priceTicks)
    this.table.add(this.#home(priceTicks), level)
    return level
  }

  /** Takes an empty level off. */
  close(level: number): void {
    const words = this.words
    const at = level << LEVEL_SHIFT
    const priceTicks = words[at + PRICE]!
    const lower = words[at + LOWER]!
    const higher = words[at + HIGHER]!
    if ((lower | higher) === 0) this.groups.delete(priceTicks >>> GROUP_BITS)
    if (lower !== 0) words[(lower << LEVEL_SHIFT) + HIGHER] = higher
    if (higher !== 0) words[(higher << LEVEL_SHIFT) + LOWER] = lower
    this.table.remove(this.#home(priceTicks), level, this)
    this.#free(level)
  }

  /** The nearest level below this one, of either side; 0 when there is none. */
  lower(level: number): number {
    const at = level << LEVEL_SHIFT
    const neighbour = this.words[at + LOWER]!
    if (neighbour !== 0) return neighbour
    const group = this.groups.below(this.words[at + PRICE]! >>> GROUP_BITS)
    return group < 0 ? 0 : this.#downFrom(lastTicksOf(group), group)
  }

  /** The nearest level above this one, of either side; 0 when there is none. */
  higher(level: number): number {
    const at = level << LEVEL_SHIFT
    const neighbour = this.words[at + HIGHER]!
    if (neighbour !== 0) return neighbour
    const group = this.groups.above(this.words[at + PRICE]! >>> GROUP_BITS)
    return group < 0 ? 0 : this.#upFrom(group << GROUP_BITS, group)
  }

  /** Links a level between its neighbours of the same group, which has at least one. */
  #link(level: number, priceTicks: number): void {
    const words = this.words
    const group = priceTicks >>> GROUP_BITS
    const lower = this.#downFrom(priceTicks - 1, group)
    const higher =
      lower === 0 ? this.#upFrom(priceTicks + 1, group) : words[(lower << LEVEL_SHIFT) + HIGHER]!
    const at = level << LEVEL_SHIFT
    words[at + LOWER] = lower
    words[at + HIGHER] = higher
    if (lower !== 0) words[(lower << LEVEL_SHIFT) + HIGHER] = level
    if (higher !== 0) words[(higher << LEVEL_SHIFT) + LOWER] = level
  }

  /** The level at a price or the nearest below it within the group. */
  #downFrom(priceTicks: number, group: number): number {
    for (let ticks = priceTicks; ticks >>> GROUP_BITS === group; ticks--) {
      const level = this.find(ticks)
      if (level !== 0) return level
    }
    return 0
  }

  /** The level at a price or the nearest above it within the group. */
  #upFrom(priceTicks: number, group: number): number {
    for (let ticks = priceTicks; ticks >>> GROUP_BITS === group; ticks++) {
      const level = this.find(ticks)
      if (level !== 0) return level
    }
    return 0
  }

  #allocate(): number {
    const head = this.#head
    let level = head[Head.LEVEL_FREE]!
    if (level !== 0) head[Head.LEVEL_FREE] = this.words[(level << LEVEL_SHIFT) + FIRST]!
    else {
      if (head[Head.LEVEL_FRESH] === this.levelsMax) return 0
      level = ++head[Head.LEVEL_FRESH]!
    }
    head[Head.LEVEL_COUNT]!++
    return level
  }

  #free(level: number): void {
    const head = this.#head
    assert(this.words[(level << LEVEL_SHIFT) + COUNT] === 0, 'a level is empty when it is closed')
    this.words[(level << LEVEL_SHIFT) + FIRST] = head[Head.LEVEL_FREE]!
    head[Head.LEVEL_FREE] = level
    head[Head.LEVEL_COUNT]!--
  }
}

const lastTicksOf = (group: number): number => ((group + 1) << GROUP_BITS) - 1
