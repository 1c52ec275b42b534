/**
 * One symbol's book over one region of shared memory: price levels found by hash and bitmap, orders
 * linked by slot number in time order. Writer: the symbol's matcher, alone; it is also the only
 * reader while the matcher runs, since what others see is published as events.
 *
 * Everything the book knows stands in that memory, so that a book constructed over the memory of
 * another continues it. Nothing is allocated after construction. What is strange here for speed
 * (links in half cache lines, strided probing, groups of ticks) is paid for by `npm run bench -- book`.
 */
import { assert, unreachable } from '#base/assert.ts'
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import { Side } from '#base/codes.ts'
import { PRICE_TICKS_MAX } from '#base/limits.ts'
import { ClientIndex } from './client-index.ts'
import type { BookShape, OrderBook } from './face.ts'
import { Levels } from './levels.ts'
import { Head, mapMemory, RecordWord, wordsOf } from './memory-map.ts'
import { Orders } from './orders.ts'
import { SlotTable } from './slot-table.ts'

const { SHIFT, NEXT, PREVIOUS, LEVEL, PRICE, COUNT, LOTS_SHIFT, LOTS } = RecordWord
const { BUY, SELL } = Side
const { ORDER_COUNT, LEVEL_COUNT, BEST_BID, BEST_ASK, BEST_BID_TICKS, BEST_ASK_TICKS } = Head

export type { BookShape } from './face.ts'

export class Book implements OrderBook {
  readonly shape: BookShape
  readonly ordersMax: number
  readonly orderId: Float64Array
  readonly account: Int32Array
  readonly openLots: Float64Array
  readonly filledLots: Float64Array
  readonly filledAtoms: Float64Array
  readonly terms: Int32Array
  readonly clientOrderId: Int32Array

  /** The parts, for invariants.ts alone. */
  readonly head: Int32Array
  readonly records: Int32Array
  readonly orders: Orders
  readonly levels: Levels
  readonly clients: ClientIndex
  private readonly lots: Float64Array
  private readonly priceTicksMax: number
  private readonly accountsMax: number

  /** Bytes of shared memory that a book of this shape takes, indexes included. */
  static bytesFor(shape: BookShape): number {
    return mapMemory(shape).bytes
  }

  /** A memory of all zeros is an empty book. */
  constructor(memory: SharedArrayBuffer, shape: BookShape) {
    assert(shape.priceTicksMax <= PRICE_TICKS_MAX, 'a price is within the limit of all listings')
    const map = mapMemory(shape)
    assert(memory.byteLength >= map.bytes, 'the memory holds a book of this shape')
    this.shape = shape
    this.ordersMax = shape.ordersMax
    this.priceTicksMax = shape.priceTicksMax
    this.accountsMax = shape.accountsMax
    this.head = wordsOf(memory, map.head)
    this.orders = new Orders(memory, map)
    this.levels = new Levels(memory, map)
    this.records = this.levels.records
    this.lots = this.levels.lots
    const clientTable = new SlotTable(wordsOf(memory, map.clientTable), map.orderTableBits)
    this.clients = new ClientIndex(clientTable, this.orders)
    this.orderId = this.orders.orderId
    this.account = this.orders.account
    this.openLots = this.orders.openLots
    this.filledLots = this.orders.filledLots
    this.filledAtoms = this.orders.filledAtoms
    this.terms = this.orders.terms
    this.clientOrderId = this.orders.clientOrderId
  }

  get orderCount(): number {
    return this.head[ORDER_COUNT]!
  }

  get levelCount(): number {
    return this.head[LEVEL_COUNT]!
  }

  get bestBidTicks(): number {
    return this.head[BEST_BID_TICKS]!
  }

  get bestAskTicks(): number {
    return this.head[BEST_ASK_TICKS]!
  }

  rest(side: number, priceTicks: number, lots: number, orderId: number, account: number): number {
    // Asked the other way round from `assert`: V8 then compares and jumps, and builds no booleans.
    if (lots <= 0) unreachable('an order rests with a quantity')
    if (priceTicks <= 0 || priceTicks > this.priceTicksMax) unreachable('a price is listed')
    if (account < 0 || account >= this.accountsMax) unreachable('an account is within the shape')
    const level = this.levelFor(side, priceTicks)
    if (level === 0) return 0
    const slot = this.orders.add(side, lots, orderId, account)
    if (slot === 0) return 0
    const records = this.records
    const at = slot << SHIFT
    const ring = level << SHIFT
    const last = records[ring | PREVIOUS]!
    records[at | NEXT] = level
    records[at | PREVIOUS] = last
    records[at | LEVEL] = level
    records[(last << SHIFT) | NEXT] = slot
    records[ring | PREVIOUS] = slot
    records[ring | COUNT] = records[ring | COUNT]! + 1
    this.addLots(level, lots)
    return slot
  }

  canRest(side: number, priceTicks: number): boolean {
    if (this.orders.count === this.ordersMax) return false
    if (this.levels.count < this.levels.levelsMax) return true
    return this.levelAt(side, priceTicks) !== 0
  }

  fill(slot: number, lots: number): void {
    const open = this.openLots[slot]! - lots
    if (lots <= 0 || open < 0) unreachable('a fill takes at most what is open')
    this.filledLots[slot] = this.filledLots[slot]! + lots
    this.openLots[slot] = open
    this.addLots(this.records[(slot << SHIFT) | LEVEL]!, -lots)
    if (open === 0) this.leave(slot)
  }

  replenish(slot: number, lots: number): void {
    const open = this.openLots[slot]!
    const { records } = this
    const at = slot << SHIFT
    const level = records[at | LEVEL]!
    const ring = level << SHIFT
    if (lots <= 0) unreachable('an order rests with a quantity')
    this.filledLots[slot] = this.filledLots[slot]! + open
    this.openLots[slot] = lots
    this.addLots(level, lots - open)
    if (records[ring | PREVIOUS] === slot) return
    const next = records[at | NEXT]!
    const previous = records[at | PREVIOUS]!
    records[(previous << SHIFT) | NEXT] = next
    records[(next << SHIFT) | PREVIOUS] = previous
    const last = records[ring | PREVIOUS]!
    records[at | NEXT] = level
    records[at | PREVIOUS] = last
    records[(last << SHIFT) | NEXT] = slot
    records[ring | PREVIOUS] = slot
  }

  reduce(slot: number, lots: number): void {
    const open = this.openLots[slot]! - lots
    if (lots < 0 || open <= 0) unreachable('an order that is reduced goes on')
    this.openLots[slot] = open
    this.addLots(this.records[(slot << SHIFT) | LEVEL]!, -lots)
  }

  remove(slot: number): void {
    this.addLots(this.records[(slot << SHIFT) | LEVEL]!, -this.openLots[slot]!)
    this.leave(slot)
  }

  bestOrder(side: number): number {
    return this.records[(this.head[BEST_BID + side]! << SHIFT) | NEXT]!
  }

  nextOrder(slot: number): number {
    const next = this.records[(slot << SHIFT) | NEXT]!
    if (next <= this.ordersMax) return next
    return this.records[(this.worse(this.terms[slot]! & 1, next) << SHIFT) | NEXT]!
  }

  findOrder(orderId: number): number {
    return this.orders.find(orderId)
  }

  setClientOrderId(slot: number, words: Int32Array, at: number): void {
    assert(!this.orders.hasClientOrderId(slot), 'an order gets its client order id once')
    this.copyClientOrderId(slot, words, at)
    this.orders.markClientOrderId(slot)
    this.clients.add(slot)
  }

  renameClientOrder(slot: number, words: Int32Array, at: number): void {
    assert(this.orders.hasClientOrderId(slot), 'an order that is renamed has a client order id')
    this.clients.delete(slot)
    this.copyClientOrderId(slot, words, at)
    this.clients.add(slot)
  }

  findClientOrder(account: number, words: Int32Array, at: number): number {
    return this.clients.find(account, words, at)
  }

  firstOfAccount(account: number): number {
    return this.orders.firstOfAccount(account)
  }

  nextOfAccount(slot: number): number {
    return this.orders.nextOfAccount(slot)
  }

  priceTicksOf(slot: number): number {
    return this.records[(this.records[(slot << SHIFT) | LEVEL]! << SHIFT) | PRICE]!
  }

  sideOf(slot: number): number {
    return this.terms[slot]! & 1
  }

  createdMsOf(slot: number): number {
    return this.orders.createdMsOf(slot)
  }

  setCreatedMs(slot: number, timeMs: number): void {
    this.orders.setCreatedMs(slot, timeMs)
  }

  updatedMsOf(slot: number): number {
    return this.orders.updatedMsOf(slot)
  }

  setUpdatedMs(slot: number, timeMs: number): void {
    this.orders.setUpdatedMs(slot, timeMs)
  }

  levelLots(side: number, priceTicks: number): number {
    return this.lots[(this.levelAt(side, priceTicks) << LOTS_SHIFT) | LOTS]!
  }

  levelOrders(side: number, priceTicks: number): number {
    return this.records[(this.levelAt(side, priceTicks) << SHIFT) | COUNT]!
  }

  forEachLevel(
    side: number,
    visit: (priceTicks: number, lots: number, orderCount: number) => void,
  ): void {
    const { records, lots } = this
    for (let level = this.head[BEST_BID + side]!; level !== 0; level = this.worse(side, level)) {
      const at = level << SHIFT
      visit(records[at | PRICE]!, lots[(level << LOTS_SHIFT) | LOTS]!, records[at | COUNT]!)
    }
  }

  /** The level at a price if it belongs to the side; else 0. */
  private levelAt(side: number, priceTicks: number): number {
    const isBid = priceTicks <= this.bestBidTicks
    return isBid === (side === BUY) ? this.levels.find(priceTicks) : 0
  }

  private worse(side: number, level: number): number {
    return side === BUY ? this.levels.lower(level) : this.levels.higher(level)
  }

  private copyClientOrderId(slot: number, words: Int32Array, at: number): void {
    const own = slot * CLIENT_ORDER_ID_WORDS
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
      this.clientOrderId[own + word] = words[at + word]!
    }
  }

  private addLots(level: number, lots: number): void {
    const at = (level << LOTS_SHIFT) | LOTS
    this.lots[at] = this.lots[at]! + lots
  }

  /** The level for an order to join, opened where there is none; 0 when the book has no room. */
  private levelFor(side: number, priceTicks: number): number {
    const bid = this.head[BEST_BID_TICKS]!
    const ask = this.head[BEST_ASK_TICKS]!
    let isBest = bid === 0 || priceTicks > bid
    if (side === BUY) {
      if (ask !== 0 && priceTicks >= ask) unreachable('a resting BUY is below every SELL')
    } else {
      if (priceTicks <= bid) unreachable('a resting SELL is above every BUY')
      isBest = ask === 0 || priceTicks < ask
    }
    const found = this.levels.find(priceTicks)
    if (found !== 0 || this.head[ORDER_COUNT] === this.ordersMax) return found
    const level = this.levels.open(priceTicks)
    if (isBest && level !== 0) this.setBest(side, level)
    return level
  }

  private setBest(side: number, level: number): void {
    this.head[BEST_BID + side] = level
    this.head[BEST_BID_TICKS + side] = this.records[(level << SHIFT) | PRICE]!
  }

  /** Takes an order, whose open lots its level has lost already, off the book. */
  private leave(slot: number): void {
    const records = this.records
    const at = slot << SHIFT
    const next = records[at | NEXT]!
    const previous = records[at | PREVIOUS]!
    const level = records[at | LEVEL]!
    records[(previous << SHIFT) | NEXT] = next
    records[(next << SHIFT) | PREVIOUS] = previous
    const count = records[(level << SHIFT) | COUNT]! - 1
    records[(level << SHIFT) | COUNT] = count
    if (count === 0) this.closeLevel(level)
    if (this.orders.hasClientOrderId(slot)) this.clients.delete(slot)
    this.orders.delete(slot)
  }

  private closeLevel(level: number): void {
    const head = this.head
    if (level === head[BEST_BID]) this.setBest(BUY, this.levels.lower(level))
    else if (level === head[BEST_ASK]) this.setBest(SELL, this.levels.higher(level))
    this.levels.close(level)
  }
}
