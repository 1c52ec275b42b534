/**
 * The price levels of one book, of both sides, found by key: a SELL's key is its price in ticks, a
 * BUY's is its price negated. So the better of two keys of one side is the lower. The two sides have
 * no key in common, and no branch depends on who buys.
 *
 * The table of levels has rows of 64 homes. A key's row is a hash of its group: the 64 keys that
 * differ in their low bits only. Those bits are its home in the row. So two words of bits show
 * where a whole group has levels, and these words are few enough to stay in a near cache; the table
 * itself is read only where there is something to find. Levels that share a home are chained. A
 * bitmap of groups leads from one to the next.
 *
 * Clients choose prices, so the hash multiplies by an odd factor that comes of the book's salt: prices that
 * share a row under one factor spread under another. Rows depend on the salt; what a book decides does not.
 *
 * Where groups share a row, one that becomes empty may look as if it were not. It then stays in
 * the bitmap until a search finds nothing in it: one step too many, at most once for a level opened.
 *
 * Levels are records of the book (memory-map.ts). Writer: the matcher of the symbol.
 */
import { mix } from '../../base/client-id-hash.ts'
import { type Doubles, type Lots, Ticks } from '../../base/units.ts'
import { BitTower, isZero, lowestBit } from './bit-tower.ts'
import { Chains } from './chains.ts'
import {
  doublesOf,
  GROUP_BITS,
  Head,
  type MemoryMap,
  RECORD_WORDS,
  RecordWord,
  wordsOf,
} from './memory-map.ts'

const { NEXT, PREVIOUS, KEY, COUNT, CHAIN, LOTS } = RecordWord
const { LEVEL_COUNT, LEVEL_FREE, LEVEL_FRESH } = Head

const HOME_MASK = (1 << GROUP_BITS) - 1

const GOLDEN = 0x9e3779b9

export function keyOf(side: number, priceTicks: Ticks): number {
  const mirror = side - 1
  return (priceTicks ^ mirror) - mirror
}

export function priceOf(side: number, key: number): Ticks {
  const mirror = side - 1
  return Ticks((key ^ mirror) - mirror)
}

export class Levels {
  readonly levelsMax: number
  /** All records, and the same memory as doubles for the open lots of levels. */
  readonly records: Int32Array
  readonly lots: Doubles<Lots>
  /** Groups of keys that have levels, and some that had; the first is `groupsBelow` below group 0. */
  readonly groups: BitTower
  readonly groupsBelow: number
  /** First level of each home that is taken, and their chains. */
  readonly homes: Int32Array
  readonly chains: Chains
  /** A bit for each home that has levels, and one for each that has several. */
  readonly taken: Int32Array
  readonly shared: Int32Array
  private readonly rowShift: number
  private readonly rowFactor: number
  private readonly head: Int32Array
  /** The last record of an order; levels follow. */
  private readonly slotMax: number

  /** Levels that stand in the memory were opened under the same salt. */
  constructor(memory: SharedArrayBuffer, map: MemoryMap, salt: number) {
    this.levelsMax = map.levelsMax
    this.records = wordsOf(memory, map.records)
    this.lots = doublesOf(memory, map.records)
    this.groups = new BitTower(wordsOf(memory, map.groups), map.groupCount)
    this.groupsBelow = map.groupCount >>> 1
    this.taken = wordsOf(memory, map.levelTaken)
    this.shared = wordsOf(memory, map.levelShared)
    this.homes = wordsOf(memory, map.levelHomes)
    this.chains = new Chains(this.homes, wordsOf(memory, map.records, CHAIN))
    this.rowShift = 32 - map.levelRowBits
    this.rowFactor = mix(salt ^ GOLDEN) | 1
    this.head = wordsOf(memory, map.head)
    this.slotMax = map.slotMax
  }

  get count(): number {
    return this.head[LEVEL_COUNT]!
  }

  private homeOf(key: number): number {
    const row = Math.imul(key >> GROUP_BITS, this.rowFactor) >>> this.rowShift
    return (row << GROUP_BITS) | (key & HOME_MASK)
  }

  /** The level of a key; 0 when there is none. */
  find(key: number): number {
    const home = this.homeOf(key)
    if ((this.taken[home >>> 5]! & (1 << (key & 31))) === 0) return 0
    return this.follow(home, key)
  }

  /** The level of a key in the chain of its home; 0 when there is none. */
  private follow(home: number, key: number): number {
    const records = this.records
    let level = this.homes[home]!
    while (level !== 0 && records[level | KEY] !== key) {
      level = records[level | CHAIN]!
    }
    return level
  }

  /** A new level, with one order, for a key that has none. There must be room. */
  open(key: number, slot: number, lots: Lots): number {
    const level = this.allocate()
    const { records, taken, homes } = this
    const home = this.homeOf(key)
    const bit = 1 << (key & 31)
    const word = taken[home >>> 5]!
    records[level | CHAIN] = 0
    if ((word & bit) !== 0) {
      records[level | CHAIN] = homes[home]!
      this.shared[home >>> 5]! |= bit
    }
    taken[home >>> 5] = word | bit
    homes[home] = level
    this.groups.add((key >> GROUP_BITS) + this.groupsBelow)
    records[level | NEXT] = slot
    records[level | PREVIOUS] = slot
    records[level | KEY] = key
    records[level | COUNT] = 1
    this.lots[(level >> 1) | LOTS] = lots
    return level
  }

  /** Takes off a key's level, whose last order has left. */
  close(key: number, level: number): void {
    const { taken, records, head } = this
    const home = this.homeOf(key)
    const bit = 1 << (key & 31)
    if ((this.shared[home >>> 5]! & bit) !== 0) this.unchain(home, level)
    else taken[home >>> 5]! &= ~bit
    this.groups.deleteIf(isZero(this.rowOf(home)), (key >> GROUP_BITS) + this.groupsBelow)
    records[level | NEXT] = head[LEVEL_FREE]!
    head[LEVEL_FREE] = level
    head[LEVEL_COUNT] = head[LEVEL_COUNT]! - 1
  }

  /** The taken homes of a home's row, as a word that is zero if there are none. */
  private rowOf(home: number): number {
    const at = (home >>> 5) & ~1
    return this.taken[at]! | this.taken[at | 1]!
  }

  /** Takes a level from a home that it shares. */
  private unchain(home: number, level: number): void {
    const { records, homes } = this
    this.chains.remove(home, level)
    if (records[homes[home]! | CHAIN] === 0) {
      this.shared[home >>> 5]! &= ~(1 << (home & 31))
    }
  }

  /** The next level of the key's side, away from the spread; 0 when there is none. */
  above(key: number): number {
    let level = this.firstFrom(key + 1)
    let group = (key >> GROUP_BITS) + this.groupsBelow
    while (level === 0) {
      group = this.groups.above(group)
      if (group < 0) return 0
      level = this.firstFrom((group - this.groupsBelow) << GROUP_BITS)
      if (level === 0) this.groups.deleteIf(1, group)
    }
    // What follows the last BUY is a SELL.
    return (this.records[level | KEY]! ^ key) < 0 ? 0 : level
  }

  /** The lowest level from a key to the end of its group; 0 when there is none. */
  private firstFrom(from: number): number {
    const end = (from | HOME_MASK) + 1
    let key = from
    while (key !== end) {
      const home = this.homeOf(key)
      const left = this.taken[home >>> 5]! & (-1 << (key & 31))
      if (left === 0) {
        key = (key | 31) + 1
        continue
      }
      const bit = lowestBit(left)
      const found = (key & -32) | bit
      const level = this.follow((home & -32) | bit, found)
      if (level !== 0) return level
      key = found + 1
    }
    return 0
  }

  private allocate(): number {
    const head = this.head
    let level = head[LEVEL_FREE]!
    if (level !== 0) head[LEVEL_FREE] = this.records[level | NEXT]!
    else {
      const fresh = head[LEVEL_FRESH]! + 1
      head[LEVEL_FRESH] = fresh
      level = this.slotMax + fresh * RECORD_WORDS
    }
    head[LEVEL_COUNT] = head[LEVEL_COUNT]! + 1
    return level
  }
}
