/**
 * The resting orders of one book: their columns, the slots that are free, the chain of each account's
 * orders, and the index by order id. Writer: the matcher of the symbol.
 *
 * What engine and renderers read stands in parallel columns. The links and times, which only the
 * book touches and always several at a time, share 32 bytes, half a cache line, for each order:
 *
 * ```
 * word  0 next of its level     1 previous of its level   2 level
 *       3 next of its account   4 previous of its account
 *       5 created, low word     6 updated, low word
 *       7 bits 0-14 created, high part; bits 15-29 updated, high part; bit 30 has a client order id
 * ```
 *
 * A freed slot keeps all of this but word 0, which links the free slots.
 */
import type { BookShape } from './face.ts'
import { floatsOf, Head, type MemoryMap, wordsOf } from './memory-map.ts'
import { type Homes, SlotTable } from './slot-table.ts'

/** Words of an order's links; the first is at slot << LINK_SHIFT. */
export const LINK_SHIFT = 3
export const LinkWord = {
  NEXT: 0,
  PREVIOUS: 1,
  LEVEL: 2,
  ACCOUNT_NEXT: 3,
  ACCOUNT_PREVIOUS: 4,
  CREATED_LOW: 5,
  UPDATED_LOW: 6,
  HIGH: 7,
} as const

const { NEXT, ACCOUNT_NEXT, ACCOUNT_PREVIOUS, CREATED_LOW, UPDATED_LOW, HIGH } = LinkWord

const WORD = 4294967296
const TIME_HIGH_BITS = 15
const TIME_HIGH_MASK = (1 << TIME_HIGH_BITS) - 1
const HAS_CLIENT_ORDER_ID = 1 << 30

export class Orders implements Homes {
  readonly ordersMax: number
  readonly links: Int32Array
  readonly orderId: Float64Array
  readonly openLots: Float64Array
  readonly filledLots: Float64Array
  readonly filledAtoms: Float64Array
  readonly account: Int32Array
  readonly terms: Int32Array
  readonly clientOrderId: Int32Array
  /** Oldest and newest open order of each account. */
  readonly accountEnds: Int32Array
  readonly table: SlotTable
  readonly #head: Int32Array

  constructor(memory: SharedArrayBuffer, map: MemoryMap, shape: BookShape) {
    this.ordersMax = shape.ordersMax
    this.links = wordsOf(memory, map.links)
    this.orderId = floatsOf(memory, map.orderId)
    this.openLots = floatsOf(memory, map.openLots)
    this.filledLots = floatsOf(memory, map.filledLots)
    this.filledAtoms = floatsOf(memory, map.filledAtoms)
    this.account = wordsOf(memory, map.account)
    this.terms = wordsOf(memory, map.terms)
    this.clientOrderId = wordsOf(memory, map.clientOrderId)
    this.accountEnds = wordsOf(memory, map.accounts)
    this.table = new SlotTable(wordsOf(memory, map.orderTable), map.orderTableBits)
    this.#head = wordsOf(memory, map.head)
  }

  get count(): number {
    return this.#head[Head.ORDER_COUNT]!
  }

  homeOf(slot: number): number {
    return this.orderId[slot]! & this.table.mask
  }

  find(orderId: number): number {
    const ids = this.orderId
    const table = this.table
    const slots = table.slots
    let position = orderId & table.mask
    for (;;) {
      const slot = slots[position]!
      if (slot === 0 || ids[slot] === orderId) return slot
      position = table.next(position)
    }
  }

  /** A slot for a new order, entered in the index and its account's chain; 0 when all are taken. */
  add(side: number, lots: number, orderId: number, account: number): number {
    const slot = this.#allocate()
    if (slot === 0) return 0
    this.orderId[slot] = orderId
    this.openLots[slot] = lots
    this.filledLots[slot] = 0
    this.filledAtoms[slot] = 0
    this.account[slot] = account
    this.terms[slot] = side
    this.#clearTimes(slot)
    this.#joinAccount(slot, account)
    this.table.add(orderId & this.table.mask, slot)
    return slot
  }

  /** Takes an order out of the index and its account's chain, and frees its slot. */
  delete(slot: number): void {
    this.table.remove(this.homeOf(slot), slot, this)
    this.#leaveAccount(slot)
    const head = this.#head
    this.links[(slot << LINK_SHIFT) + NEXT] = head[Head.ORDER_FREE]!
    head[Head.ORDER_FREE] = slot
    head[Head.ORDER_COUNT]!--
  }

  createdMsOf(slot: number): number {
    const at = slot << LINK_SHIFT
    const high = this.links[at + HIGH]! & TIME_HIGH_MASK
    return high * WORD + (this.links[at + CREATED_LOW]! >>> 0)
  }

  setCreatedMs(slot: number, timeMs: number): void {
    const at = slot << LINK_SHIFT
    const others = this.links[at + HIGH]! & ~TIME_HIGH_MASK
    this.links[at + HIGH] = others | Math.floor(timeMs / WORD)
    this.links[at + CREATED_LOW] = timeMs
  }

  updatedMsOf(slot: number): number {
    const at = slot << LINK_SHIFT
    const high = (this.links[at + HIGH]! >>> TIME_HIGH_BITS) & TIME_HIGH_MASK
    return high * WORD + (this.links[at + UPDATED_LOW]! >>> 0)
  }

  setUpdatedMs(slot: number, timeMs: number): void {
    const at = slot << LINK_SHIFT
    const others = this.links[at + HIGH]! & ~(TIME_HIGH_MASK << TIME_HIGH_BITS)
    this.links[at + HIGH] = others | (Math.floor(timeMs / WORD) << TIME_HIGH_BITS)
    this.links[at + UPDATED_LOW] = timeMs
  }

  hasClientOrderId(slot: number): boolean {
    return (this.links[(slot << LINK_SHIFT) + HIGH]! & HAS_CLIENT_ORDER_ID) !== 0
  }

  markClientOrderId(slot: number): void {
    this.links[(slot << LINK_SHIFT) + HIGH]! |= HAS_CLIENT_ORDER_ID
  }

  #allocate(): number {
    const head = this.#head
    let slot = head[Head.ORDER_FREE]!
    if (slot !== 0) head[Head.ORDER_FREE] = this.links[(slot << LINK_SHIFT) + NEXT]!
    else {
      if (head[Head.ORDER_FRESH] === this.ordersMax) return 0
      slot = ++head[Head.ORDER_FRESH]!
    }
    head[Head.ORDER_COUNT]!++
    return slot
  }

  /** Clears the times, and the client order id of whoever had the slot before. */
  #clearTimes(slot: number): void {
    const links = this.links
    const at = slot << LINK_SHIFT
    if ((links[at + HIGH]! & HAS_CLIENT_ORDER_ID) !== 0) {
      this.clientOrderId.fill(0, slot << 3, (slot << 3) + 8)
    }
    links[at + CREATED_LOW] = 0
    links[at + UPDATED_LOW] = 0
    links[at + HIGH] = 0
  }

  #joinAccount(slot: number, account: number): void {
    const links = this.links
    const ends = this.accountEnds
    const newest = ends[account * 2 + 1]!
    links[(slot << LINK_SHIFT) + ACCOUNT_NEXT] = 0
    links[(slot << LINK_SHIFT) + ACCOUNT_PREVIOUS] = newest
    if (newest === 0) ends[account * 2] = slot
    else links[(newest << LINK_SHIFT) + ACCOUNT_NEXT] = slot
    ends[account * 2 + 1] = slot
  }

  #leaveAccount(slot: number): void {
    const links = this.links
    const ends = this.accountEnds
    const account = this.account[slot]!
    const next = links[(slot << LINK_SHIFT) + ACCOUNT_NEXT]!
    const previous = links[(slot << LINK_SHIFT) + ACCOUNT_PREVIOUS]!
    if (previous === 0) ends[account * 2] = next
    else links[(previous << LINK_SHIFT) + ACCOUNT_NEXT] = next
    if (next === 0) ends[account * 2 + 1] = previous
    else links[(next << LINK_SHIFT) + ACCOUNT_PREVIOUS] = previous
  }
}
