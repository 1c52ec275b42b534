/**
 * The resting orders of one book: their columns, the slots that are free, the ring of each account's
 * orders, and the index by order id. Writer: the matcher of the symbol.
 *
 * What engine and renderers read stands in parallel columns; links and times, which only the book
 * touches and always several at a time, in the order's record (memory-map.ts). A freed slot keeps all
 * of it but NEXT, which links the free slots.
 */
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import { doublesOf, Head, type MemoryMap, RecordWord, wordsOf } from './memory-map.ts'
import { type Homes, SlotTable } from './slot-table.ts'

const { SHIFT, NEXT, ACCOUNT_NEXT, ACCOUNT_PREVIOUS } = RecordWord
const { CREATED_LOW, UPDATED_LOW, HIGH } = RecordWord
const { ORDER_COUNT, ORDER_FREE, ORDER_FRESH } = Head

const WORD = 4294967296
const TIME_HIGH_BITS = 15
const TIME_HIGH_MASK = (1 << TIME_HIGH_BITS) - 1
const HAS_CLIENT_ORDER_ID = 1 << 30

export class Orders implements Homes {
  readonly ordersMax: number
  readonly orderId: Float64Array
  readonly openLots: Float64Array
  readonly filledLots: Float64Array
  readonly filledAtoms: Float64Array
  readonly account: Int32Array
  readonly terms: Int32Array
  readonly clientOrderId: Int32Array
  readonly table: SlotTable
  private readonly records: Int32Array
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
    this.table = new SlotTable(wordsOf(memory, map.orderTable), map.orderTableBits)
    this.records = wordsOf(memory, map.records)
    this.head = wordsOf(memory, map.head)
    this.accountsAt = map.accountsAt
  }

  get count(): number {
    return this.head[ORDER_COUNT]!
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
    if ((records[at | HIGH]! & HAS_CLIENT_ORDER_ID) !== 0) this.clearClientOrderId(slot)
    records[at | CREATED_LOW] = 0
    records[at | UPDATED_LOW] = 0
    records[at | HIGH] = 0
    this.joinAccount(slot, this.accountsAt + account)
    this.table.add(orderId & this.table.mask, slot)
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
    this.table.remove(this.homeOf(slot), slot, this)
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
    const at = slot << SHIFT
    const high = this.records[at | HIGH]! & TIME_HIGH_MASK
    return high * WORD + (this.records[at | CREATED_LOW]! >>> 0)
  }

  setCreatedMs(slot: number, timeMs: number): void {
    const at = slot << SHIFT
    const others = this.records[at | HIGH]! & ~TIME_HIGH_MASK
    this.records[at | HIGH] = others | Math.floor(timeMs / WORD)
    this.records[at | CREATED_LOW] = timeMs
  }

  updatedMsOf(slot: number): number {
    const at = slot << SHIFT
    const high = (this.records[at | HIGH]! >>> TIME_HIGH_BITS) & TIME_HIGH_MASK
    return high * WORD + (this.records[at | UPDATED_LOW]! >>> 0)
  }

  setUpdatedMs(slot: number, timeMs: number): void {
    const at = slot << SHIFT
    const others = this.records[at | HIGH]! & ~(TIME_HIGH_MASK << TIME_HIGH_BITS)
    this.records[at | HIGH] = others | (Math.floor(timeMs / WORD) << TIME_HIGH_BITS)
    this.records[at | UPDATED_LOW] = timeMs
  }

  hasClientOrderId(slot: number): boolean {
    return (this.records[(slot << SHIFT) | HIGH]! & HAS_CLIENT_ORDER_ID) !== 0
  }

  markClientOrderId(slot: number): void {
    this.records[(slot << SHIFT) | HIGH]! |= HAS_CLIENT_ORDER_ID
  }

  private clearClientOrderId(slot: number): void {
    // Eight stores: `fill` is a call out of compiled code, which costs more (bench `engine`).
    const own = slot * CLIENT_ORDER_ID_WORDS
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) this.clientOrderId[own + word] = 0
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
