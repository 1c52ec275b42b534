/**
 * The open orders of one book, resting or not: their columns, the slots that are free, the ring of each
 * account's orders, and the index by order id. Writer: the matcher of the symbol.
 *
 * What engine and renderers read stands in columns that are views of the book's own records
 * (memory-map.ts). A freed slot keeps all of it but NEXT, which links the free slots.
 */
import { type AccountId, type Lots, Ms, type OrderId } from '../../base/units.ts'
import { BookColumns, resetSlot } from './book-columns.gen.ts'
import {
  AmountDouble,
  doublesOf,
  Head,
  type MemoryMap,
  RECORD_WORDS,
  RecordWord,
  TailWord,
  wordsOf,
} from './memory-map.ts'
import { SlotIndex } from './slot-index.ts'

const { NEXT, KEY, ACCOUNT_NEXT, ACCOUNT_PREVIOUS, CHAIN } = RecordWord
const { ORDER_ID } = AmountDouble
const { CREATED_LOW, UPDATED_LOW, TIMES_HIGH } = TailWord
const { ORDER_COUNT, ORDER_FREE, ORDER_FRESH, ORDER_MASK, ASIDE_COUNT } = Head

const WORD = 4294967296
const TIME_HIGH_BITS = 15
const TIME_HIGH_MASK = (1 << TIME_HIGH_BITS) - 1

export class Orders extends BookColumns {
  readonly slotMax: number
  readonly index: SlotIndex
  readonly records: Int32Array
  private readonly tails: Int32Array
  private readonly amounts: Float64Array
  private readonly head: Int32Array
  /** The record of account 0. */
  private readonly accountsAt: number

  constructor(memory: SharedArrayBuffer, map: MemoryMap) {
    super(memory, map)
    this.slotMax = map.slotMax
    this.amounts = doublesOf(memory, map.amounts)
    this.records = wordsOf(memory, map.records)
    this.tails = wordsOf(memory, map.tails)
    this.head = wordsOf(memory, map.head)
    const homes = wordsOf(memory, map.orderHomes)
    const links = wordsOf(memory, map.records, CHAIN)
    const hashOf = (slot: number) => this.orderId[slot]! | 0
    this.index = new SlotIndex(homes, links, 0, this.head, ORDER_MASK, hashOf)
    this.accountsAt = map.accountsAt
  }

  get count(): number {
    return this.head[ORDER_COUNT]!
  }

  find(orderId: OrderId): number {
    const { amounts, index } = this
    for (let slot = index.first(orderId); slot > 0; slot = index.next(slot)) {
      if (amounts[slot | ORDER_ID] === orderId) return slot
    }
    return 0
  }

  /** A slot for a new order, in the index and its account's ring, on no level; 0 when all are taken. */
  add(side: number, lots: Lots, orderId: OrderId, account: AccountId): number {
    const slot = this.allocate()
    if (slot === 0) return 0
    const { amounts, records, tails } = this
    resetSlot(amounts, records, tails, slot, orderId, lots, account, side)
    this.joinAccount(slot, this.accountsAt + account * RECORD_WORDS)
    this.index.add(orderId, slot)
    return slot
  }

  /** Whether the order is on a level. */
  isResting(slot: number): boolean {
    return this.records[slot | NEXT] !== 0
  }

  /** A new order rests on no level. */
  setAside(slot: number, key: number): void {
    this.records[slot | NEXT] = 0
    this.records[slot | KEY] = key
    this.head[ASIDE_COUNT] = this.head[ASIDE_COUNT]! + 1
  }

  /** An order that rests on no level joins one, or leaves. */
  leaveAside(): void {
    this.head[ASIDE_COUNT] = this.head[ASIDE_COUNT]! - 1
  }

  /** Takes an order out of the index and its account's ring, and frees its slot. */
  delete(slot: number): void {
    const records = this.records
    const next = records[slot | ACCOUNT_NEXT]!
    const previous = records[slot | ACCOUNT_PREVIOUS]!
    records[previous | ACCOUNT_NEXT] = next
    records[next | ACCOUNT_PREVIOUS] = previous
    this.index.remove(slot)
    const head = this.head
    records[slot | NEXT] = head[ORDER_FREE]!
    head[ORDER_FREE] = slot
    head[ORDER_COUNT] = head[ORDER_COUNT]! - 1
  }

  firstOfAccount(account: AccountId): number {
    return this.nextOfAccount(this.accountsAt + account * RECORD_WORDS)
  }

  nextOfAccount(record: number): number {
    const next = this.records[record | ACCOUNT_NEXT]!
    return next > this.slotMax ? 0 : next
  }

  createdMsOf(slot: number): Ms {
    const at = slot >> 1
    const high = this.tails[at | TIMES_HIGH]! & TIME_HIGH_MASK
    return Ms(high * WORD + (this.tails[at | CREATED_LOW]! >>> 0))
  }

  setTimes(slot: number, createdMs: Ms, updatedMs: Ms): void {
    const at = slot >> 1
    const updatedHigh = Math.floor(updatedMs / WORD) << TIME_HIGH_BITS
    this.tails[at | TIMES_HIGH] = Math.floor(createdMs / WORD) | updatedHigh
    this.tails[at | CREATED_LOW] = createdMs
    this.tails[at | UPDATED_LOW] = updatedMs
  }

  updatedMsOf(slot: number): Ms {
    const at = slot >> 1
    const high = (this.tails[at | TIMES_HIGH]! >>> TIME_HIGH_BITS) & TIME_HIGH_MASK
    return Ms(high * WORD + (this.tails[at | UPDATED_LOW]! >>> 0))
  }

  setUpdatedMs(slot: number, timeMs: Ms): void {
    const at = slot >> 1
    const others = this.tails[at | TIMES_HIGH]! & ~(TIME_HIGH_MASK << TIME_HIGH_BITS)
    this.tails[at | TIMES_HIGH] = others | (Math.floor(timeMs / WORD) << TIME_HIGH_BITS)
    this.tails[at | UPDATED_LOW] = timeMs
  }

  /** Where the order's client order id starts in `clientOrderId`. */
  clientOrderIdAt(slot: number): number {
    return slot << 1
  }

  hasClientOrderId(slot: number): boolean {
    return this.clientOrderId[this.clientOrderIdAt(slot)] !== 0
  }

  private allocate(): number {
    const head = this.head
    let slot = head[ORDER_FREE]!
    if (slot !== 0) head[ORDER_FREE] = this.records[slot | NEXT]!
    else {
      const fresh = head[ORDER_FRESH]! + 1
      slot = fresh * RECORD_WORDS
      if (slot > this.slotMax) return 0
      head[ORDER_FRESH] = fresh
    }
    head[ORDER_COUNT] = head[ORDER_COUNT]! + 1
    return slot
  }

  private joinAccount(slot: number, ring: number): void {
    const records = this.records
    const newest = records[ring | ACCOUNT_PREVIOUS]! || ring
    records[slot | ACCOUNT_NEXT] = ring
    records[slot | ACCOUNT_PREVIOUS] = newest
    records[newest | ACCOUNT_NEXT] = slot
    records[ring | ACCOUNT_PREVIOUS] = slot
  }
}
