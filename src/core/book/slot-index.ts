/**
 * An index of resting orders by a hash: each home names the first order of its chain, and each order,
 * in one of its words, the next. The last of a chain names the home instead, as its complement, so that
 * an order is taken out without its hash.
 *
 * A home is a hash's low bits. Their number grows with the orders, up to what was reserved: the homes
 * of a book of some thousand orders stay in a near cache, where those of the largest book would not
 * (bench `engine`). All are laid out again when they double, some ten times in the life of a book; the
 * last time, between 16,384 and 32,768 orders, takes about a millisecond.
 *
 * The index compares no keys: the orders' owner does, walking a chain. Writer: the book.
 */
import { assert } from '../../base/assert.ts'
import { Head } from './memory-map.ts'

const { ORDER_COUNT } = Head

/** Homes of an empty book. */
const HOMES_MIN = 16
/** At least as many for each order, so that few chains are longer than one. */
const HOMES_PER_ORDER = 4
/** More orders than any book has. */
const ORDERS_ENDLESS = 2 ** 30

export class SlotIndex {
  /** First order of each home; 0 where there is none. */
  readonly homes: Int32Array
  private readonly links: Int32Array
  private readonly shift: number
  private readonly head: Int32Array
  private readonly maskWord: number
  private readonly hashOf: (slot: number) => number
  /** Values of the head's word: a look into it costs as much as the home (bench `book`). */
  private mask: number
  /** The orders of a book from which on homes double. */
  private ordersFew: number

  /**
   * An order's link is links[slot >> shift]. `homes`, and the word of the head that keeps the mask, are
   * all zeros, or what an index left there. `hashOf` returns the hash of an order that is in it.
   */
  constructor(
    homes: Int32Array,
    links: Int32Array,
    shift: number,
    head: Int32Array,
    maskWord: number,
    hashOf: (slot: number) => number,
  ) {
    assert((homes.length & (homes.length - 1)) === 0, 'a power of two of homes')
    assert(homes.length >= HOMES_MIN, 'no fewer homes than an index begins with')
    this.homes = homes
    this.links = links
    this.shift = shift
    this.head = head
    this.maskWord = maskWord
    this.hashOf = hashOf
    this.mask = head[maskWord]! | (HOMES_MIN - 1)
    this.ordersFew = this.fewOrders()
  }

  /** The first order that may have this hash; not above 0 when there is none. */
  first(hash: number): number {
    return this.homes[hash & this.mask]!
  }

  /** The one after it; not above 0 when there is none. */
  next(slot: number): number {
    return this.links[slot >> this.shift]!
  }

  add(hash: number, slot: number): void {
    if (this.head[ORDER_COUNT]! > this.ordersFew) this.double(this.mask)
    this.put(hash & this.mask, slot)
  }

  remove(slot: number): void {
    const { homes, links, shift } = this
    const next = links[slot >> shift]!
    let last = next
    while (last > 0) last = links[last >> shift]!
    const home = ~last
    const first = homes[home]!
    if (first === slot) homes[home] = next > 0 ? next : 0
    else {
      let at = first >> shift
      while (links[at] !== slot) at = links[at]! >> shift
      links[at] = next
    }
  }

  private fewOrders(): number {
    const isLargest = this.mask + 1 === this.homes.length
    return isLargest ? ORDERS_ENDLESS : Math.floor(this.mask / HOMES_PER_ORDER)
  }

  private put(home: number, slot: number): void {
    const first = this.homes[home]!
    this.links[slot >> this.shift] = first === 0 ? ~home : first
    this.homes[home] = slot
  }

  /** Orders of a home stay there, or move as many homes up as there were. */
  private double(oldMask: number): void {
    const mask = oldMask * 2 + 1
    this.head[this.maskWord] = mask
    this.mask = mask
    this.ordersFew = this.fewOrders()
    for (let home = 0; home <= oldMask; home++) {
      let slot = this.homes[home]!
      this.homes[home] = 0
      while (slot > 0) {
        const next = this.next(slot)
        this.put(this.hashOf(slot) & mask, slot)
        slot = next
      }
    }
  }
}
