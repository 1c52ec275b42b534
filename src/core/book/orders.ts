/**
 * The resting orders of one book: their columns, the slots that are free, the ring of each account's
 * orders, and the index by order id. Writer: the matcher of the symbol.
 *
 * What engine and renderers read stands in parallel columns; links and times, which only the book
 * touches and always several at a time, in the order's record (memory-map.ts). A freed slot keeps all
 * of it but NEXT, which links the free slots.
 */
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import { Chains } from './chains.ts'
import { doublesOf, Head, type MemoryMap, RecordWord, wordsOf } from './memory-map.ts'

const { SHIFT, NEXT, ACCOUNT_NEXT, ACCOUNT_PREVIOUS, CHAIN, HAS_CLIENT_ID } = RecordWord
const { ORDER_COUNT, ORDER_FREE, ORDER_FRESH } = Head

const WORD = 4294967296
const TIME_HIGH_BITS = 15
const TIME_HIGH_MASK = (1 << TIME_HIGH_BITS) - 1

/** Words of an order's times. */
const CREATED_LOW = 0
const UPDATED_LOW = 1
/** Bits 0-14 created, high part; bits 15-29 updated, high part. */
const HIGH = 2
const TIME_WORDS = 3

export class Orders {
  readonly ordersMax: number
  readonly orderId: Float64Array
  readonly openLots: Float64Array
  readonly filledLots: Float64Array
  readonly filledAtoms: Float64Array
  readonly account: Int32Array
  readonly terms: Int32Array
  readonly clientOrderId: Int32Array
  readonly index: Chains
  readonly records: Int32Array
  private readonly times: Int32Array
  private readonly head: Int32Array
  /** The record of account 0. */
  private readonly accountsAt: number

  constructor(memory: SharedArrayBuffer, map: MemoryMap) {
    this.ordersMax = map.ordersMax
    this.orderId = doublesOf(memory, map.orderId)
    this.openLots = doublesOf(memory, map.openLots)
    this.filledLots = doublesOf(memory, map.filledLots)
    this.filledAtoms = doublesOf(memory, map.filledAtoms)
    this.account = wordsOf(memory, map.account)
    this.terms = wordsOf(memory, map.terms)
    this.clientOrderId = wordsOf(memory, map.clientOrderId)
    this.records = wordsOf(memory, map.records)
    this.index = new Chains(wordsOf(memory, map.orderHomes), this.records, CHAIN)
    this.times = wordsOf(memory, map.times)
    this.head = wordsOf(memory, map.head)
    this.accountsAt = map.accountsAt
  }

  get count(): number {
    return this.head[ORDER_COUNT]!
  }

  find(orderId: number): number {
    const { orderId: ids, index } = this
    let slot = index.homes[orderId & index.mask]!
    while (slot !== 0 && ids[slot] !== orderId) slot = index.next(slot)
    return slot
  }

  /** A slot for a new order, in the index and its account's ring, on no level; 0 when all are taken. */
  add(side: number, lots: number, orderId: number, account: number): number {
    const slot = this.allocate()
    if (slot === 0) return 0
    this.orderId[slot] = orderId
    this.openLots[slot] = lots
    this.filledLots[slot] = 0
    this.filledAtoms[slot] = 0
    this.account[slot] = account
    this.terms[slot] = side
    const records = this.records
    const at = slot << SHIFT
    if (records[at | HAS_CLIENT_ID] !== 0) this.clearClientOrderId(slot)
    const times = slot * TIME_WORDS
    this.times[times + CREATED_LOW] = 0
    this.times[times + UPDATED_LOW] = 0
    this.times[times + HIGH] = 0
    this.joinAccount(slot, this.accountsAt + account)
    this.index.add(orderId & this.index.mask, slot)
    return slot
  }

  /** Takes an order out of the index and its account's ring, and frees its slot. */
  delete(slot: number): void {
    const records = this.records
    const at = slot << SHIFT
    const next = records[at | ACCOUNT_NEXT]!
    const previous = records[at | ACCOUNT_PREVIOUS]!
    records[(previous << SHIFT) | ACCOUNT_NEXT] = next
    records[(next << SHIFT) | ACCOUNT_PREVIOUS] = previous
    this.index.remove(this.orderId[slot]! & this.index.mask, slot)
    const head = this.head
    records[at | NEXT] = head[ORDER_FREE]!
    head[ORDER_FREE] = slot
    head[ORDER_COUNT] = head[ORDER_COUNT]! - 1
  }

  firstOfAccount(account: number): number {
    return this.nextOfAccount(this.accountsAt + account)
  }

  nextOfAccount(record: number): number {
    const next = this.records[(record << SHIFT) | ACCOUNT_NEXT]!
    return next > this.ordersMax ? 0 : next
  }

  createdMsOf(slot: number): number {
    const at = slot * TIME_WORDS
    const high = this.times[at + HIGH]! & TIME_HIGH_MASK
    return high * WORD + (this.times[at + CREATED_LOW]! >>> 0)
  }

  setCreatedMs(slot: number, timeMs: number): void {
    const at = slot * TIME_WORDS
    const others = this.times[at + HIGH]! & ~TIME_HIGH_MASK
    this.times[at + HIGH] = others | Math.floor(timeMs / WORD)
    this.times[at + CREATED_LOW] = timeMs
  }

  updatedMsOf(slot: number): number {
    const at = slot * TIME_WORDS
    const high = (this.times[at + HIGH]! >>> TIME_HIGH_BITS) & TIME_HIGH_MASK
    return high * WORD + (this.times[at + UPDATED_LOW]! >>> 0)
  }

  setUpdatedMs(slot: number, timeMs: number): void {
    const at = slot * TIME_WORDS
    const others = this.times[at + HIGH]! & ~(TIME_HIGH_MASK << TIME_HIGH_BITS)
    this.times[at + HIGH] = others | (Math.floor(timeMs / WORD) << TIME_HIGH_BITS)
    this.times[at + UPDATED_LOW] = timeMs
  }

  hasClientOrderId(slot: number): boolean {
    return this.records[(slot << SHIFT) | HAS_CLIENT_ID] !== 0
  }

  markClientOrderId(slot: number): void {
    this.records[(slot << SHIFT) | HAS_CLIENT_ID] = 1
  }

  private clearClientOrderId(slot: number): void {
    // Eight stores: `fill` is a call out of compiled code, which costs more (bench `engine`).
    const own = slot * CLIENT_ORDER_ID_WORDS
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) this.clientOrderId[own + word] = 0
    this.records[(slot << SHIFT) | HAS_CLIENT_ID] = 0
  }

  private allocate(): number {
    const head = this.head
    let slot = head[ORDER_FREE]!
    if (slot !== 0) head[ORDER_FREE] = this.records[(slot << SHIFT) | NEXT]!
    else {
      slot = head[ORDER_FRESH]! + 1
      if (slot > this.ordersMax) return 0
      head[ORDER_FRESH] = slot
    }
    head[ORDER_COUNT] = head[ORDER_COUNT]! + 1
    return slot
  }

  private joinAccount(slot: number, ring: number): void {
    const records = this.records
    const at = slot << SHIFT
    const newest = records[(ring << SHIFT) | ACCOUNT_PREVIOUS]! || ring
    records[at | ACCOUNT_NEXT] = ring
    records[at | ACCOUNT_PREVIOUS] = newest
    records[(newest << SHIFT) | ACCOUNT_NEXT] = slot
    records[(ring << SHIFT) | ACCOUNT_PREVIOUS] = slot
  }
}
