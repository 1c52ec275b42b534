/**
 * The plain twin of the book: one sorted array of orders for each side, searched from end to end.
 * It shows what the fast book must do, and is slow on purpose.
 */
import { assert } from '../../src/base/assert.ts'
import {
  type AccountId,
  Doubles,
  Int64s,
  Lots,
  Ms,
  type OrderId,
  QuoteAtoms,
  Ticks,
  Words,
} from '../../src/base/units.ts'
import { type BookShape, levelsMaxOf, type OrderBook } from '../../src/core/book/order-book.ts'

const WORDS = 8

interface Resting {
  readonly slot: number
  readonly side: number
  priceTicks: Ticks
  readonly account: AccountId
  createdMs: Ms
  updatedMs: Ms
  clientOrderId: string
  isResting: boolean
}

interface Level {
  readonly priceTicks: Ticks
  lots: Lots
  orderCount: number
}

export class NaiveBook implements OrderBook {
  readonly ordersMax: number
  readonly idSalt = 0
  readonly slotShift = 0
  readonly orderId: Doubles<OrderId>
  readonly account: Words<AccountId>
  readonly openLots: Doubles<Lots>
  readonly filledLots: Doubles<Lots>
  readonly filledAtoms: Int64s<QuoteAtoms>
  readonly terms: Int32Array
  readonly clientOrderId: Int32Array
  private readonly levelsMax: number
  /** Best first: by price, then by arrival. Bids, asks. */
  private readonly sides: [Resting[], Resting[]] = [[], []]
  /** All orders in order of arrival. */
  private arrivals: Resting[] = []
  private readonly freeSlots: number[] = []

  constructor(shape: BookShape) {
    const rows = shape.ordersMax + 2
    this.ordersMax = shape.ordersMax
    this.levelsMax = levelsMaxOf(shape.ordersMax)
    this.orderId = Doubles(new Float64Array(rows))
    this.account = Words(new Int32Array(rows))
    this.openLots = Doubles(new Float64Array(rows))
    this.filledLots = Doubles(new Float64Array(rows))
    this.filledAtoms = new Int64s(new Int32Array(rows * 2))
    this.terms = new Int32Array(rows)
    this.clientOrderId = new Int32Array(rows * WORDS)
    for (let slot = 1; slot < rows; slot++) this.freeSlots.push(slot)
  }

  mayCross = false

  get orderCount(): number {
    return this.arrivals.length
  }

  get restingCount(): number {
    return this.sides[0].length + this.sides[1].length
  }

  get levelCount(): number {
    return this.levels(0).length + this.levels(1).length
  }

  get bestBidTicks(): Ticks {
    return this.sides[0][0]?.priceTicks ?? Ticks(0)
  }

  get bestAskTicks(): Ticks {
    return this.sides[1][0]?.priceTicks ?? Ticks(0)
  }

  meets(side: number, priceTicks: Ticks): boolean {
    const best = side === 0 ? this.bestAskTicks : this.bestBidTicks
    return best !== 0 && (side === 0 ? best <= priceTicks : best >= priceTicks)
  }

  rest(side: number, priceTicks: Ticks, lots: Lots, orderId: OrderId, account: AccountId): number {
    if (!this.canRest(side, priceTicks)) return 0
    const slot = this.add(side, priceTicks, lots, orderId, account)
    this.join(slot, lots)
    return slot
  }

  add(side: number, priceTicks: Ticks, lots: Lots, orderId: OrderId, account: AccountId): number {
    const slot = this.freeSlots.shift()
    if (slot === undefined) return 0
    this.orderId[slot] = orderId
    this.account[slot] = account
    this.openLots[slot] = lots
    this.filledLots[slot] = Lots(0)
    this.filledAtoms.set(slot, QuoteAtoms(0))
    this.terms[slot] = side
    this.clientOrderId.fill(0, slot * WORDS, slot * WORDS + WORDS)
    const order = {
      slot,
      side,
      priceTicks,
      account,
      createdMs: Ms(0),
      updatedMs: Ms(0),
      clientOrderId: '',
      isResting: false,
    }
    this.arrivals.push(order)
    return slot
  }

  reprice(slot: number, priceTicks: Ticks): void {
    this.order(slot).priceTicks = priceTicks
  }

  join(slot: number, lots: Lots): void {
    const order = this.order(slot)
    const queue = this.ordersOf(order.side)
    const worst = order.side === 0 ? -1 : 1
    this.openLots[slot] = lots
    order.isResting = true
    queue.push(order)
    queue.sort((a, b) => worst * (a.priceTicks - b.priceTicks))
  }

  isResting(slot: number): boolean {
    return this.order(slot).isResting
  }

  canRest(side: number, priceTicks: Ticks): boolean {
    return this.orderCount < this.ordersMax && this.hasLevel(side, priceTicks)
  }

  hasLevel(side: number, priceTicks: Ticks): boolean {
    return this.levelCount < this.levelsMax || this.levelOrders(side, priceTicks) > 0
  }

  fill(slot: number, lots: Lots): void {
    assert(lots > 0 && lots <= this.openLots[slot]!, 'a fill takes at most what is open')
    this.openLots[slot]! = Lots(this.openLots[slot]! - lots)
    this.filledLots[slot]! = Lots(this.filledLots[slot]! + lots)
    if (this.openLots[slot] === 0) this.remove(slot)
  }

  replenish(slot: number, lots: Lots): void {
    const order = this.order(slot)
    const queue = this.ordersOf(order.side)
    this.filledLots[slot]! = Lots(this.filledLots[slot]! + this.openLots[slot]!)
    this.openLots[slot] = lots
    queue.splice(queue.indexOf(order), 1)
    queue.push(order)
    const worst = order.side === 0 ? -1 : 1
    queue.sort((a, b) => worst * (a.priceTicks - b.priceTicks))
  }

  reduce(slot: number, lots: Lots): void {
    assert(lots >= 0 && lots < this.openLots[slot]!, 'an order that is reduced continues')
    this.openLots[slot]! = Lots(this.openLots[slot]! - lots)
  }

  remove(slot: number): void {
    const order = this.order(slot)
    const queue = this.ordersOf(order.side)
    if (order.isResting) queue.splice(queue.indexOf(order), 1)
    this.arrivals = this.arrivals.filter((other) => other !== order)
    this.freeSlots.push(slot)
  }

  bestOrder(side: number): number {
    return this.ordersOf(side)[0]?.slot ?? 0
  }

  nextOrder(slot: number): number {
    const order = this.order(slot)
    const queue = this.ordersOf(order.side)
    return queue[queue.indexOf(order) + 1]?.slot ?? 0
  }

  findOrder(orderId: OrderId): number {
    return this.arrivals.find(({ slot }) => this.orderId[slot] === orderId)?.slot ?? 0
  }

  clientOrderIdAt(slot: number): number {
    return slot * WORDS
  }

  clientOrderHash(): number {
    return 0
  }

  setClientOrderId(slot: number, words: Int32Array, at: number): void {
    const id = words.subarray(at, at + WORDS)
    this.clientOrderId.set(id, slot * WORDS)
    this.order(slot).clientOrderId = id.join()
  }

  renameClientOrder(slot: number, words: Int32Array, at: number): void {
    this.setClientOrderId(slot, words, at)
  }

  findClientOrder(account: AccountId, words: Int32Array, at: number): number {
    const id = words.subarray(at, at + WORDS).join()
    const found = this.arrivals.find(
      (order) => order.account === account && order.clientOrderId === id,
    )
    return found?.slot ?? 0
  }

  firstOfAccount(account: AccountId): number {
    return this.arrivals.find((order) => order.account === account)?.slot ?? 0
  }

  nextOfAccount(slot: number): number {
    const own = this.arrivals.filter((order) => order.account === this.account[slot])
    return own[own.findIndex((order) => order.slot === slot) + 1]?.slot ?? 0
  }

  priceTicksOf(slot: number): Ticks {
    return this.order(slot).priceTicks
  }

  sideOf(slot: number): number {
    return this.order(slot).side
  }

  createdMsOf(slot: number): Ms {
    return this.order(slot).createdMs
  }

  updatedMsOf(slot: number): Ms {
    return this.order(slot).updatedMs
  }

  setUpdatedMs(slot: number, timeMs: Ms): void {
    this.order(slot).updatedMs = timeMs
  }

  setTimes(slot: number, createdMs: Ms, updatedMs: Ms): void {
    this.order(slot).createdMs = createdMs
    this.setUpdatedMs(slot, updatedMs)
  }

  levelLots(side: number, priceTicks: Ticks): Lots {
    return this.levels(side).find((level) => level.priceTicks === priceTicks)?.lots ?? Lots(0)
  }

  levelOrders(side: number, priceTicks: Ticks): number {
    return this.levels(side).find((level) => level.priceTicks === priceTicks)?.orderCount ?? 0
  }

  forEachLevel(
    side: number,
    visit: (priceTicks: Ticks, lots: Lots, orderCount: number) => void,
    afterTicks = Ticks(0),
    limit = Number.POSITIVE_INFINITY,
  ): number {
    const levels = this.levels(side).filter(
      ({ priceTicks }) =>
        afterTicks === 0 || (side === 0 ? priceTicks < afterTicks : priceTicks > afterTicks),
    )
    const visited = levels.slice(0, limit)
    for (const { priceTicks, lots, orderCount } of visited) visit(priceTicks, lots, orderCount)
    return visited.length
  }

  private levels(side: number): Level[] {
    const levels: Level[] = []
    for (const { slot, priceTicks } of this.ordersOf(side)) {
      let level = levels.at(-1)
      if (level?.priceTicks !== priceTicks) {
        level = { priceTicks, lots: Lots(0), orderCount: 0 }
        levels.push(level)
      }
      level.lots = Lots(level.lots + this.openLots[slot]!)
      level.orderCount++
    }
    return levels
  }

  private ordersOf(side: number): Resting[] {
    return this.sides[side as 0 | 1]
  }

  private order(slot: number): Resting {
    const order = this.arrivals.find((other) => other.slot === slot)
    assert(order !== undefined, 'the slot has an open order')
    return order
  }
}
