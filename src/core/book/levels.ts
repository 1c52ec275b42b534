/**
 * The price levels of one book. A level is found by its price in a hash table, and its neighbours
 * through groups of 16 consecutive ticks: a bitmap says which groups have levels, and the levels of
 * one group are linked in price order. One set of levels serves both sides, since every bid is below
 * every ask; who stands at the spread is the book's to know.
 *
 * Levels are records of the book (memory-map.ts). Writer: the matcher of the symbol.
 */
import { unreachable } from '#base/assert.ts'
import { BitTower } from './bit-tower.ts'
import {
  GROUP_BITS as BITS_OF_A_GROUP,
  doublesOf,
  Head,
  type MemoryMap,
  RecordWord,
  wordsOf,
} from './memory-map.ts'
import { type Homes, SlotTable } from './slot-table.ts'

const { SHIFT, NEXT, PREVIOUS, PRICE, COUNT, LOWER, HIGHER, LOTS_SHIFT, LOTS } = RecordWord
const { LEVEL_COUNT, LEVEL_FREE, LEVEL_FRESH } = Head
const GROUP_BITS = BITS_OF_A_GROUP

export class Levels implements Homes {
  readonly levelsMax: number
  /** All records, and the same memory as doubles for the open lots of levels. */
  readonly records: Int32Array
  readonly lots: Float64Array
  /** Groups of ticks that have levels. */
  readonly groups: BitTower
  readonly table: SlotTable
  private readonly head: Int32Array
  /** The last record of an order; levels follow. */
  private readonly ordersMax: number

  constructor(memory: SharedArrayBuffer, map: MemoryMap) {
    this.levelsMax = map.levelsMax
    this.records = wordsOf(memory, map.records)
    this.lots = doublesOf(memory, map.records)
    this.groups = new BitTower(wordsOf(memory, map.groups), map.groupCount)
    this.table = new SlotTable(wordsOf(memory, map.levelTable), map.levelTableBits)
    this.head = wordsOf(memory, map.head)
    this.ordersMax = map.ordersMax
  }

  get count(): number {
    return this.head[LEVEL_COUNT]!
  }

  /** Neighbouring prices lie side by side; the high bits keep round prices from sharing homes. */
  private home(priceTicks: number): number {
    const table = this.table
    return (priceTicks ^ (priceTicks >>> table.bits)) & table.mask
  }

  homeOf(level: number): number {
    return this.home(this.records[(level << SHIFT) | PRICE]!)
  }

  /** The level at a price; 0 when there is none. */
  find(priceTicks: number): number {
    const records = this.records
    const table = this.table
    const slots = table.slots
    let position = this.home(priceTicks)
    for (;;) {
      const level = slots[position]!
      if (level === 0 || records[(level << SHIFT) | PRICE] === priceTicks) return level
      position = table.next(position)
    }
  }

  /** A new level, still without orders, at a price that has none; 0 when all are taken. */
  open(priceTicks: number): number {
    const level = this.allocate()
    if (level === 0) return 0
    const records = this.records
    const at = level << SHIFT
    records[at | NEXT] = level
    records[at | PREVIOUS] = level
    records[at | PRICE] = priceTicks
    records[at | COUNT] = 0
    records[at | LOWER] = 0
    records[at | HIGHER] = 0
    this.lots[(level << LOTS_SHIFT) | LOTS] = 0
    if (!this.groups.add(priceTicks >>> GROUP_BITS)) this.link(level, priceTicks)
    this.table.add(this.home(priceTicks), level)
    return level
  }

  /** Takes an empty level off. */
  close(level: number): void {
    const records = this.records
    const at = level << SHIFT
    if (records[at | COUNT] !== 0) unreachable('a level is empty when it is closed')
    const priceTicks = records[at | PRICE]!
    const lower = records[at | LOWER]!
    const higher = records[at | HIGHER]!
    if ((lower | higher) === 0) this.groups.delete(priceTicks >>> GROUP_BITS)
    else {
      if (lower !== 0) records[(lower << SHIFT) | HIGHER] = higher
      if (higher !== 0) records[(higher << SHIFT) | LOWER] = lower
    }
    this.table.remove(this.home(priceTicks), level, this)
    const head = this.head
    records[at | NEXT] = head[LEVEL_FREE]!
    head[LEVEL_FREE] = level
    head[LEVEL_COUNT] = head[LEVEL_COUNT]! - 1
  }

  /** The nearest level below this one, of either side; 0 when there is none. */
  lower(level: number): number {
    const at = level << SHIFT
    const neighbour = this.records[at | LOWER]!
    if (neighbour !== 0) return neighbour
    const group = this.groups.below(this.records[at | PRICE]! >>> GROUP_BITS)
    return group < 0 ? 0 : this.downFrom(((group + 1) << GROUP_BITS) - 1, group)
  }

  /** The nearest level above this one, of either side; 0 when there is none. */
  higher(level: number): number {
    const at = level << SHIFT
    const neighbour = this.records[at | HIGHER]!
    if (neighbour !== 0) return neighbour
    const group = this.groups.above(this.records[at | PRICE]! >>> GROUP_BITS)
    return group < 0 ? 0 : this.upFrom(group << GROUP_BITS, group)
  }

  /** Links a level between its neighbours of the same group, which has at least one. */
  private link(level: number, priceTicks: number): void {
    const records = this.records
    const group = priceTicks >>> GROUP_BITS
    const lower = this.downFrom(priceTicks - 1, group)
    const higher =
      lower === 0 ? this.upFrom(priceTicks + 1, group) : records[(lower << SHIFT) | HIGHER]!
    const at = level << SHIFT
    records[at | LOWER] = lower
    records[at | HIGHER] = higher
    if (lower !== 0) records[(lower << SHIFT) | HIGHER] = level
    if (higher !== 0) records[(higher << SHIFT) | LOWER] = level
  }

  /** The level at a price or the nearest below it within the group; 0 when there is none. */
  private downFrom(priceTicks: number, group: number): number {
    for (let ticks = priceTicks; ticks >>> GROUP_BITS === group; ticks--) {
      const level = this.find(ticks)
      if (level !== 0) return level
    }
    return 0
  }

  /** The level at a price or the nearest above it within the group; 0 when there is none. */
  private upFrom(priceTicks: number, group: number): number {
    for (let ticks = priceTicks; ticks >>> GROUP_BITS === group; ticks++) {
      const level = this.find(ticks)
      if (level !== 0) return level
    }
    return 0
  }

  private allocate(): number {
    const head = this.head
    let level = head[LEVEL_FREE]!
    if (level !== 0) head[LEVEL_FREE] = this.records[(level << SHIFT) | NEXT]!
    else {
      const fresh = head[LEVEL_FRESH]! + 1
      if (fresh > this.levelsMax) return 0
      head[LEVEL_FRESH] = fresh
      level = this.ordersMax + fresh
    }
    head[LEVEL_COUNT] = head[LEVEL_COUNT]! + 1
    return level
  }
}
