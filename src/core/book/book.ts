/**
 * One symbol's book over one region of shared memory: price levels found by hash and bitmap, orders
 * linked by slot number in time order. Writer: the symbol's matcher, alone; it is also the only
 * reader while the matcher runs, since what others see is published as events.
 *
 * Everything the book knows stands in that memory, so that a book constructed over the memory of
 * another continues it. Nothing is allocated after construction. What is strange here for speed
 * (keys, columns with strides, bits for homes) is paid for by `npm run bench -- book`.
 */
import { assert, unreachable } from '../../base/assert.ts'
import { copyClientOrderId } from '../../base/client-order-id.ts'
import { PRICE_TICKS_MAX } from '../../base/limits.ts'
import {
  type AccountId,
  type Doubles,
  type Int64s,
  Lots,
  type Ms,
  type OrderId,
  type QuoteAtoms,
  Ticks,
  type Words,
} from '../../base/units.ts'
import { ClientIndex } from './client-index.ts'
import { keyOf, Levels, priceOf } from './levels.ts'
import { Head, mapMemory, RecordWord, SLOT_SHIFT, wordsOf } from './memory-map.ts'
import type { BookShape, OrderBook } from './order-book.ts'
import { Orders } from './orders.ts'

const { NEXT, PREVIOUS, KEY, COUNT, LOTS } = RecordWord
const { ORDER_COUNT, ASIDE_COUNT, LEVEL_COUNT, BEST_BID, BEST_BID_KEY, BEST_ASK_KEY } = Head

export type { BookShape } from './order-book.ts'

export class Book implements OrderBook {
  readonly shape: BookShape
  readonly slotShift = SLOT_SHIFT
  readonly ordersMax: number
  mayCross = false
  readonly orderId: Doubles<OrderId>
  readonly account: Words<AccountId>
  readonly openLots: Doubles<Lots>
  readonly filledLots: Doubles<Lots>
  readonly filledAtoms: Int64s<QuoteAtoms>
  readonly terms: Int32Array
  readonly clientOrderId: Int32Array

  /** The parts, for invariants.ts alone. */
  readonly head: Int32Array
  readonly records: Int32Array
  readonly orders: Orders
  readonly levels: Levels
  readonly clients: ClientIndex
  private readonly lots: Doubles<Lots>
  private readonly priceTicksMax: number
  private readonly accountsMax: number

  /** Bytes of shared memory that a book of this shape takes, indexes included. */
  static bytesFor(shape: BookShape): number {
    return mapMemory(shape).bytes
  }

  /**
   * A memory of all zeros is an empty book, which hashes prices and client order ids with `idSalt`. A
   * book that has held orders keeps the salt that stands in its memory.
   */
  constructor(memory: SharedArrayBuffer, shape: BookShape, idSalt = 0) {
    assert(shape.priceTicksMax <= PRICE_TICKS_MAX, 'a price is within the limit of all listings')
    const map = mapMemory(shape)
    assert(memory.byteLength >= map.bytes, 'the memory holds a book of this shape')
    this.shape = shape
    this.ordersMax = shape.ordersMax
    this.priceTicksMax = shape.priceTicksMax
    this.accountsMax = shape.accountsMax
    this.head = wordsOf(memory, map.head)
    if (this.head[Head.ORDER_FRESH] === 0) this.head[Head.ID_SALT] = idSalt
    this.orders = new Orders(memory, map)
    this.levels = new Levels(memory, map, this.idSalt)
    this.records = this.levels.records
    this.lots = this.levels.lots
    this.clients = new ClientIndex(memory, map, this.orders, this.idSalt)
    this.orderId = this.orders.orderId
    this.account = this.orders.account
    this.openLots = this.orders.openLots
    this.filledLots = this.orders.filledLots
    this.filledAtoms = this.orders.filledAtoms
    this.terms = this.orders.terms
    this.clientOrderId = this.orders.clientOrderId
  }

  get idSalt(): number {
    return this.head[Head.ID_SALT]!
  }

  get orderCount(): number {
    return this.head[ORDER_COUNT]!
  }

  get restingCount(): number {
    return this.head[ORDER_COUNT]! - this.head[ASIDE_COUNT]!
  }

  get levelCount(): number {
    return this.head[LEVEL_COUNT]!
  }

  get bestBidTicks(): Ticks {
    return Ticks(0 - this.head[BEST_BID_KEY]!)
  }

  get bestAskTicks(): Ticks {
    return Ticks(this.head[BEST_ASK_KEY]!)
  }

  meets(side: number, priceTicks: Ticks): boolean {
    return this.meetsKey(side, keyOf(side, priceTicks))
  }

  rest(side: number, priceTicks: Ticks, lots: Lots, orderId: OrderId, account: AccountId): number {
    // Compared the other way round from `assert`: V8 then compares and jumps, and builds no booleans.
    if (lots <= 0) unreachable('an order rests with a quantity')
    if (priceTicks <= 0 || priceTicks > this.priceTicksMax) unreachable('a price is listed')
    if (account < 0 || account >= this.accountsMax) unreachable('an account is within the shape')
    const key = keyOf(side, priceTicks)
    if (this.meetsKey(side, key) && !this.mayCross) unreachable('a resting order meets no other')
    const level = this.levels.find(key)
    if (level === 0 && this.levels.count === this.levels.levelsMax) return 0
    if (this.orders.count >= this.ordersMax) return 0
    const slot = this.orders.add(side, lots, orderId, account)
    this.records[slot | KEY] = key
    if (level === 0) this.openLevel(side, key, slot, lots)
    else this.joinLevel(level, slot, lots)
    return slot
  }

  add(side: number, priceTicks: Ticks, lots: Lots, orderId: OrderId, account: AccountId): number {
    assert(lots >= 0, 'an order is open with a quantity, or waits for one')
    assert(priceTicks >= 0 && priceTicks <= this.priceTicksMax, 'a price is listed, or none')
    assert(account >= 0 && account < this.accountsMax, 'an account is within the shape')
    const slot = this.orders.add(side, lots, orderId, account)
    if (slot !== 0) this.orders.setAside(slot, keyOf(side, priceTicks))
    return slot
  }

  reprice(slot: number, priceTicks: Ticks): void {
    assert(!this.orders.isResting(slot), 'an order that has a level keeps its price')
    assert(priceTicks > 0 && priceTicks <= this.priceTicksMax, 'a price is listed')
    this.records[slot | KEY] = keyOf(this.sideOf(slot), priceTicks)
  }

  join(slot: number, lots: Lots): void {
    const key = this.records[slot | KEY]!
    const side = this.sideOf(slot)
    assert(!this.orders.isResting(slot), 'an order joins one level')
    assert(key !== 0 && lots > 0, 'an order rests at a price and with a quantity')
    assert(this.mayCross || !this.meetsKey(side, key), 'a resting order meets no other')
    const level = this.levels.find(key)
    this.orders.leaveAside()
    this.openLots[slot] = lots
    if (level !== 0) this.joinLevel(level, slot, lots)
    else {
      assert(this.levels.count < this.levels.levelsMax, 'there is room for a level')
      this.openLevel(side, key, slot, lots)
    }
  }

  isResting(slot: number): boolean {
    return this.orders.isResting(slot)
  }

  canRest(side: number, priceTicks: Ticks): boolean {
    return this.orders.count < this.ordersMax && this.hasLevel(side, priceTicks)
  }

  hasLevel(side: number, priceTicks: Ticks): boolean {
    if (this.levels.count < this.levels.levelsMax) return true
    return this.levels.find(keyOf(side, priceTicks)) !== 0
  }

  fill(slot: number, lots: Lots): void {
    const open = Lots(this.openLots[slot]! - lots)
    if (lots <= 0 || open < 0) unreachable('a fill takes at most what is open')
    this.filledLots[slot] = Lots(this.filledLots[slot]! + lots)
    this.openLots[slot] = open
    if (open === 0) this.leave(slot, lots)
    else this.addLots(this.levelOf(slot), Lots(-lots))
  }

  replenish(slot: number, lots: Lots): void {
    const open = this.openLots[slot]!
    if (lots <= 0) unreachable('an order rests with a quantity')
    this.filledLots[slot] = Lots(this.filledLots[slot]! + open)
    this.openLots[slot] = lots
    const level = this.levelOf(slot)
    this.addLots(level, Lots(lots - open))
    if (this.records[level | PREVIOUS] === slot) return
    this.part(slot)
    this.append(level, slot)
  }

  reduce(slot: number, lots: Lots): void {
    const open = Lots(this.openLots[slot]! - lots)
    if (lots < 0 || open <= 0) unreachable('an order that is reduced continues')
    this.openLots[slot] = open
    if (this.orders.isResting(slot)) this.addLots(this.levelOf(slot), Lots(-lots))
  }

  remove(slot: number): void {
    if (this.orders.isResting(slot)) this.leave(slot, this.openLots[slot]!)
    else {
      this.orders.leaveAside()
      this.forget(slot)
    }
  }

  bestOrder(side: number): number {
    return this.records[this.head[BEST_BID + side]! | NEXT]!
  }

  nextOrder(slot: number): number {
    const next = this.records[slot | NEXT]!
    if (next <= this.orders.slotMax) return next
    return this.records[this.worse(next) | NEXT]!
  }

  findOrder(orderId: OrderId): number {
    return this.orders.find(orderId)
  }

  clientOrderIdAt(slot: number): number {
    return this.orders.clientOrderIdAt(slot)
  }

  clientOrderHash(account: AccountId, words: Int32Array, at: number): number {
    return this.clients.hash.of(account, words, at)
  }

  setClientOrderId(
    slot: number,
    words: Int32Array,
    at: number,
    hash = this.clientOrderHash(this.account[slot]!, words, at),
  ): void {
    if (this.orders.hasClientOrderId(slot)) unreachable('an order gets its client order id once')
    this.copyClientOrderId(slot, words, at)
    this.clients.add(slot, hash)
  }

  renameClientOrder(slot: number, words: Int32Array, at: number): void {
    assert(this.orders.hasClientOrderId(slot), 'an order that is renamed has a client order id')
    this.clients.delete(slot)
    this.copyClientOrderId(slot, words, at)
    this.clients.add(slot, this.clientOrderHash(this.account[slot]!, words, at))
  }

  findClientOrder(
    account: AccountId,
    words: Int32Array,
    at: number,
    hash = this.clientOrderHash(account, words, at),
  ): number {
    return this.clients.find(account, words, at, hash)
  }

  firstOfAccount(account: AccountId): number {
    return this.orders.firstOfAccount(account)
  }

  nextOfAccount(slot: number): number {
    return this.orders.nextOfAccount(slot)
  }

  priceTicksOf(slot: number): Ticks {
    return priceOf(this.terms[slot]! & 1, this.records[slot | KEY]!)
  }

  sideOf(slot: number): number {
    return this.terms[slot]! & 1
  }

  createdMsOf(slot: number): Ms {
    return this.orders.createdMsOf(slot)
  }

  setTimes(slot: number, createdMs: Ms, updatedMs: Ms): void {
    this.orders.setTimes(slot, createdMs, updatedMs)
  }

  updatedMsOf(slot: number): Ms {
    return this.orders.updatedMsOf(slot)
  }

  setUpdatedMs(slot: number, timeMs: Ms): void {
    this.orders.setUpdatedMs(slot, timeMs)
  }

  levelLots(side: number, priceTicks: Ticks): Lots {
    return this.lots[(this.levels.find(keyOf(side, priceTicks)) >> 1) | LOTS]!
  }

  levelOrders(side: number, priceTicks: Ticks): number {
    return this.records[this.levels.find(keyOf(side, priceTicks)) | COUNT]!
  }

  forEachLevel(
    side: number,
    visit: (priceTicks: Ticks, lots: Lots, orderCount: number) => void,
    afterTicks = Ticks(0),
    limit = Number.POSITIVE_INFINITY,
  ): number {
    const { records, lots } = this
    const best = this.head[BEST_BID + side]!
    let count = 0
    let level = afterTicks === 0 ? best : this.levels.above(keyOf(side, afterTicks))
    for (; level !== 0 && count < limit; level = this.worse(level)) {
      visit(
        priceOf(side, records[level | KEY]!),
        lots[(level >> 1) | LOTS]!,
        records[level | COUNT]!,
      )
      count++
    }
    return count
  }

  /** As `meets`: the keys of one price on the two sides add up to 0. */
  private meetsKey(side: number, key: number): boolean {
    const other = this.head[BEST_BID_KEY + (side ^ 1)]!
    return key + other <= 0 && other !== 0
  }

  /** An order that is alone has its level for both neighbours, which needs no search. */
  private levelOf(slot: number): number {
    const next = this.records[slot | NEXT]!
    if (next === this.records[slot | PREVIOUS]) return next
    return this.levels.find(this.records[slot | KEY]!)
  }

  private worse(level: number): number {
    return this.levels.above(this.records[level | KEY]!)
  }

  private copyClientOrderId(slot: number, words: Int32Array, at: number): void {
    copyClientOrderId(words, at, this.clientOrderId, this.clientOrderIdAt(slot))
  }

  private addLots(level: number, lots: Lots): void {
    const at = (level >> 1) | LOTS
    this.lots[at] = Lots(this.lots[at]! + lots)
  }

  /** Puts an order at the end of a level. */
  private append(level: number, slot: number): void {
    const records = this.records
    const last = records[level | PREVIOUS]!
    records[slot | NEXT] = level
    records[slot | PREVIOUS] = last
    records[last | NEXT] = slot
    records[level | PREVIOUS] = slot
  }

  private joinLevel(level: number, slot: number, lots: Lots): void {
    this.append(level, slot)
    this.records[level | COUNT]! += 1
    this.addLots(level, lots)
  }

  /** Takes an order out of the ring of its level. */
  private part(slot: number): void {
    const records = this.records
    const next = records[slot | NEXT]!
    const previous = records[slot | PREVIOUS]!
    records[previous | NEXT] = next
    records[next | PREVIOUS] = previous
  }

  private openLevel(side: number, key: number, slot: number, lots: Lots): void {
    const records = this.records
    const level = this.levels.open(key, slot, lots)
    records[slot | NEXT] = level
    records[slot | PREVIOUS] = level
    const best = this.head[BEST_BID_KEY + side]!
    if (key < best || best === 0) this.setBest(side, level)
  }

  private setBest(side: number, level: number): void {
    this.head[BEST_BID + side] = level
    this.head[BEST_BID_KEY + side] = this.records[level | KEY]!
  }

  /** Takes an order off the book; its level counts `lots` for it. */
  private leave(slot: number, lots: Lots): void {
    const records = this.records
    const key = records[slot | KEY]!
    const next = records[slot | NEXT]!
    if (next === records[slot | PREVIOUS]) this.closeLevel(key, next)
    else {
      const level = this.levels.find(key)
      this.part(slot)
      records[level | COUNT]! -= 1
      this.addLots(level, Lots(-lots))
    }
    this.forget(slot)
  }

  private forget(slot: number): void {
    if (this.orders.hasClientOrderId(slot)) this.clients.delete(slot)
    this.orders.delete(slot)
  }

  private closeLevel(key: number, level: number): void {
    const side = (key >> 31) + 1
    this.levels.close(key, level)
    if (level === this.head[BEST_BID + side]) this.setBest(side, this.levels.above(key))
  }
}
