/**
 * One symbol's book over one region of shared memory: price levels found by hash and bitmap, orders
 * linked by slot number in time order. Writer: the symbol's matcher, alone; it is also the only
 * reader while the matcher runs, since what others see is published as events.
 *
 * Everything the book knows stands in that memory, so that a book constructed over the memory of
 * another continues it. Nothing is allocated after construction. What is strange here for speed
 * (links in half cache lines, strided probing, groups of ticks) is paid for by `npm run bench -- book`.
 */
import { assert } from '#base/assert.ts'
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import { Side } from '#base/codes.ts'
import { PRICE_TICKS_MAX } from '#base/limits.ts'
import { ClientIndex } from './client-index.ts'
import type { BookShape, OrderBook } from './face.ts'
import { LEVEL_LOTS, LEVEL_LOTS_SHIFT, LEVEL_SHIFT, Levels, LevelWord } from './levels.ts'
import { Head, mapMemory, wordsOf } from './memory-map.ts'
import { LINK_SHIFT, LinkWord, Orders } from './orders.ts'
import { SlotTable } from './slot-table.ts'

const { PRICE, FIRST, LAST, COUNT } = LevelWord
const { NEXT, PREVIOUS, LEVEL, ACCOUNT_NEXT } = LinkWord
const { ORDER_COUNT, LEVEL_COUNT, BEST_BID, BEST_ASK } = Head

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
  readonly orders: Orders
  readonly levels: Levels
  readonly clients: ClientIndex

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
    this.head = wordsOf(memory, map.head)
    this.orders = new Orders(memory, map, shape)
    this.levels = new Levels(memory, map)
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
    return this.levels.words[(this.head[BEST_BID]! << LEVEL_SHIFT) + PRICE]!
  }

  get bestAskTicks(): number {
    return this.levels.words[(this.head[BEST_ASK]! << LEVEL_SHIFT) + PRICE]!
  }

  rest(side: number, priceTicks: number, lots: number, orderId: number, account: number): number {
    assert(lots > 0 && priceTicks > 0, 'an order rests with a price and a quantity')
    assert(priceTicks <= this.shape.priceTicksMax, 'an order rests within the listed prices')
    assert(account >= 0 && account < this.shape.accountsMax, 'an account is within the shape')
    let level = this.levels.find(priceTicks)
    if (level === 0) {
      if (this.orders.count === this.ordersMax) return 0
      level = this.#openLevel(side, priceTicks)
      if (level === 0) return 0
    } else {
      const isBid = priceTicks <= this.bestBidTicks
      assert(isBid === (side === Side.BUY), 'a level belongs to one side')
    }
    const slot = this.orders.add(side, lots, orderId, account)
    if (slot === 0) return 0
    const words = this.levels.words
    const links = this.orders.links
    const at = level << LEVEL_SHIFT
    const link = slot << LINK_SHIFT
    const last = words[at + LAST]!
    links[link + NEXT] = 0
    links[link + PREVIOUS] = last
    links[link + LEVEL] = level
    if (last === 0) words[at + FIRST] = slot
    else links[(last << LINK_SHIFT) + NEXT] = slot
    words[at + LAST] = slot
    words[at + COUNT]!++
    this.levels.lots[(level << LEVEL_LOTS_SHIFT) + LEVEL_LOTS]! += lots
    return slot
  }

  canRest(side: number, priceTicks: number): boolean {
    if (this.orders.count === this.ordersMax) return false
    if (this.levels.count < this.levels.levelsMax) return true
    return this.#levelAt(side, priceTicks) !== 0
  }

  fill(slot: number, lots: number): void {
    const open = this.openLots[slot]! - lots
    assert(lots > 0 && open >= 0, 'a fill takes at most what is open')
    this.filledLots[slot]! += lots
    this.openLots[slot] = open
    const level = this.orders.links[(slot << LINK_SHIFT) + LEVEL]!
    this.levels.lots[(level << LEVEL_LOTS_SHIFT) + LEVEL_LOTS]! -= lots
    if (open === 0) this.#leave(slot, level)
  }

  remove(slot: number): void {
    const level = this.orders.links[(slot << LINK_SHIFT) + LEVEL]!
    this.levels.lots[(level << LEVEL_LOTS_SHIFT) + LEVEL_LOTS]! -= this.openLots[slot]!
    this.#leave(slot, level)
  }

  bestOrder(side: number): number {
    const level = this.head[BEST_BID + side]!
    return this.levels.words[(level << LEVEL_SHIFT) + FIRST]!
  }

  nextOrder(slot: number): number {
    const link = slot << LINK_SHIFT
    const next = this.orders.links[link + NEXT]!
    if (next !== 0) return next
    const level = this.#worse(this.terms[slot]! & 1, this.orders.links[link + LEVEL]!)
    return this.levels.words[(level << LEVEL_SHIFT) + FIRST]!
  }

  findOrder(orderId: number): number {
    return this.orders.find(orderId)
  }

  setClientOrderId(slot: number, words: Int32Array, at: number): void {
    assert(!this.orders.hasClientOrderId(slot), 'an order gets its client order id once')
    const own = slot * CLIENT_ORDER_ID_WORDS
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
      this.clientOrderId[own + word] = words[at + word]!
    }
    this.orders.markClientOrderId(slot)
    this.clients.add(slot)
  }

  findClientOrder(account: number, words: Int32Array, at: number): number {
    return this.clients.find(account, words, at)
  }

  firstOfAccount(account: number): number {
    return this.orders.accountEnds[account * 2]!
  }

  nextOfAccount(slot: number): number {
    return this.orders.links[(slot << LINK_SHIFT) + ACCOUNT_NEXT]!
  }

  priceTicksOf(slot: number): number {
    const level = this.orders.links[(slot << LINK_SHIFT) + LEVEL]!
    return this.levels.words[(level << LEVEL_SHIFT) + PRICE]!
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
    return this.levels.lots[(this.#levelAt(side, priceTicks) << LEVEL_LOTS_SHIFT) + LEVEL_LOTS]!
  }

  levelOrders(side: number, priceTicks: number): number {
    return this.levels.words[(this.#levelAt(side, priceTicks) << LEVEL_SHIFT) + COUNT]!
  }

  forEachLevel(
    side: number,
    visit: (priceTicks: number, lots: number, orderCount: number) => void,
  ): void {
    const { words, lots } = this.levels
    for (let level = this.head[BEST_BID + side]!; level !== 0; level = this.#worse(side, level)) {
      const at = level << LEVEL_SHIFT
      visit(words[at + PRICE]!, lots[(level << LEVEL_LOTS_SHIFT) + LEVEL_LOTS]!, words[at + COUNT]!)
    }
  }

  /** The level at a price if it belongs to the side; else 0. */
  #levelAt(side: number, priceTicks: number): number {
    const isBid = priceTicks <= this.bestBidTicks
    return isBid === (side === Side.BUY) ? this.levels.find(priceTicks) : 0
  }

  #worse(side: number, level: number): number {
    return side === Side.BUY ? this.levels.lower(level) : this.levels.higher(level)
  }

  #openLevel(side: number, priceTicks: number): number {
    const level = this.levels.open(priceTicks)
    if (level === 0) return 0
    const bid = this.bestBidTicks
    const ask = this.bestAskTicks
    if (side === Side.BUY) {
      assert(ask === 0 || priceTicks < ask, 'a resting BUY is below every SELL')
      if (priceTicks > bid) this.head[BEST_BID] = level
    } else {
      assert(priceTicks > bid, 'a resting SELL is above every BUY')
      if (ask === 0 || priceTicks < ask) this.head[BEST_ASK] = level
    }
    return level
  }

  /** Takes an order out of its level, whose open lots have been reduced already. */
  #leave(slot: number, level: number): void {
    const words = this.levels.words
    const links = this.orders.links
    const at = level << LEVEL_SHIFT
    const next = links[(slot << LINK_SHIFT) + NEXT]!
    const previous = links[(slot << LINK_SHIFT) + PREVIOUS]!
    if (previous === 0) words[at + FIRST] = next
    else links[(previous << LINK_SHIFT) + NEXT] = next
    if (next === 0) words[at + LAST] = previous
    else links[(next << LINK_SHIFT) + PREVIOUS] = previous
    if (--words[at + COUNT]! === 0) this.#closeLevel(level)
    if (this.orders.hasClientOrderId(slot)) this.clients.delete(slot)
    this.orders.delete(slot)
  }

  #closeLevel(level: number): void {
    const head = this.head
    if (level === head[BEST_BID]) head[BEST_BID] = this.levels.lower(level)
    else if (level === head[BEST_ASK]) head[BEST_ASK] = this.levels.higher(level)
    this.levels.close(level)
  }
}
