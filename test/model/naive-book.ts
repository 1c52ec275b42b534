/**
 * The plain twin of the book: one sorted array of orders for each side, searched from end to end.
 * It shows what the fast book must do, and is slow on purpose.
 */
import { assert } from '../../src/base/assert.ts'
import { type BookShape, levelsMaxOf, type OrderBook } from '../../src/core/book/face.ts'

const WORDS = 8

interface Resting {
  readonly slot: number
  readonly side: number
  readonly priceTicks: number
  readonly account: number
  createdMs: number
  updatedMs: number
  clientOrderId: string
  isResting: boolean
}

interface Level {
  readonly priceTicks: number
  lots: number
  orderCount: number
}

export class NaiveBook implements OrderBook {
  readonly ordersMax: number
  readonly idSalt = 0
  readonly slotShift = 0
  readonly orderId: Float64Array
  readonly account: Int32Array
  readonly openLots: Float64Array
  readonly filledLots: Float64Array
  readonly filledAtoms: Float64Array
  readonly terms: Int32Array
  readonly clientOrderId: Int32Array
  readonly #levelsMax: number
  /** Best first: by price, then by arrival. Bids, asks. */
  readonly #sides: [Resting[], Resting[]] = [[], []]
  /** All orders in order of arrival. */
  #arrivals: Resting[] = []
  readonly #freeSlots: number[] = []

  constructor(shape: BookShape) {
    const rows = shape.ordersMax + 2
    this.ordersMax = shape.ordersMax
    this.#levelsMax = levelsMaxOf(shape.ordersMax)
    this.orderId = new Float64Array(rows)
    this.account = new Int32Array(rows)
    this.openLots = new Float64Array(rows)
    this.filledLots = new Float64Array(rows)
    this.filledAtoms = new Float64Array(rows)
    this.terms = new Int32Array(rows)
    this.clientOrderId = new Int32Array(rows * WORDS)
    for (let slot = 1; slot < rows; slot++) this.#freeSlots.push(slot)
  }

  get orderCount(): number {
    return this.#arrivals.length
  }

  get restingCount(): number {
    return this.#sides[0].length + this.#sides[1].length
  }

  get levelCount(): number {
    return this.#levels(0).length + this.#levels(1).length
  }

  get bestBidTicks(): number {
    return this.#sides[0][0]?.priceTicks ?? 0
  }

  get bestAskTicks(): number {
    return this.#sides[1][0]?.priceTicks ?? 0
  }

  meets(side: number, priceTicks: number): boolean {
    const best = side === 0 ? this.bestAskTicks : this.bestBidTicks
    return best !== 0 && (side === 0 ? best <= priceTicks : best >= priceTicks)
  }

  rest(side: number, priceTicks: number, lots: number, orderId: number, account: number): number {
    if (!this.canRest(side, priceTicks)) return 0
    const slot = this.add(side, priceTicks, lots, orderId, account)
    this.join(slot, lots)
    return slot
  }

  add(side: number, priceTicks: number, lots: number, orderId: number, account: number): number {
    const slot = this.#freeSlots.shift()
    if (slot === undefined) return 0
    this.orderId[slot] = orderId
    this.account[slot] = account
    this.openLots[slot] = lots
    this.filledLots[slot] = 0
    this.filledAtoms[slot] = 0
    this.terms[slot] = side
    this.clientOrderId.fill(0, slot * WORDS, slot * WORDS + WORDS)
    const order = {
      slot,
      side,
      priceTicks,
      account,
      createdMs: 0,
      updatedMs: 0,
      clientOrderId: '',
      isResting: false,
    }
    this.#arrivals.push(order)
    return slot
  }

  join(slot: number, lots: number): void {
    const order = this.#order(slot)
    const queue = this.#sideOf(order.side)
    const worst = order.side === 0 ? -1 : 1
    this.openLots[slot] = lots
    order.isResting = true
    queue.push(order)
    queue.sort((a, b) => worst * (a.priceTicks - b.priceTicks))
  }

  isResting(slot: number): boolean {
    return this.#order(slot).isResting
  }

  canRest(side: number, priceTicks: number): boolean {
    return this.orderCount < this.ordersMax && this.hasLevel(side, priceTicks)
  }

  hasLevel(side: number, priceTicks: number): boolean {
    return this.levelCount < this.#levelsMax || this.levelOrders(side, priceTicks) > 0
  }

  fill(slot: number, lots: number): void {
    assert(lots > 0 && lots <= this.openLots[slot]!, 'a fill takes at most what is open')
    this.openLots[slot]! -= lots
    this.filledLots[slot]! += lots
    if (this.openLots[slot] === 0) this.remove(slot)
  }

  replenish(slot: number, lots: number): void {
    const order = this.#order(slot)
    const queue = this.#sideOf(order.side)
    this.filledLots[slot]! += this.openLots[slot]!
    this.openLots[slot] = lots
    queue.splice(queue.indexOf(order), 1)
    queue.push(order)
    const worst = order.side === 0 ? -1 : 1
    queue.sort((a, b) => worst * (a.priceTicks - b.priceTicks))
  }

  reduce(slot: number, lots: number): void {
    assert(lots >= 0 && lots < this.openLots[slot]!, 'an order that is reduced goes on')
    this.openLots[slot]! -= lots
  }

  remove(slot: number): void {
    const order = this.#order(slot)
    const queue = this.#sideOf(order.side)
    if (order.isResting) queue.splice(queue.indexOf(order), 1)
    this.#arrivals = this.#arrivals.filter((other) => other !== order)
    this.#freeSlots.push(slot)
  }

  bestOrder(side: number): number {
    return this.#sideOf(side)[0]?.slot ?? 0
  }

  nextOrder(slot: number): number {
    const order = this.#order(slot)
    const queue = this.#sideOf(order.side)
    return queue[queue.indexOf(order) + 1]?.slot ?? 0
  }

  findOrder(orderId: number): number {
    return this.#arrivals.find(({ slot }) => this.orderId[slot] === orderId)?.slot ?? 0
  }

  clientOrderIdAt(slot: number): number {
    return slot * WORDS
  }

  setClientOrderId(slot: number, words: Int32Array, at: number): void {
    const id = words.subarray(at, at + WORDS)
    this.clientOrderId.set(id, slot * WORDS)
    this.#order(slot).clientOrderId = id.join()
  }

  renameClientOrder(slot: number, words: Int32Array, at: number): void {
    this.setClientOrderId(slot, words, at)
  }

  findClientOrder(account: number, words: Int32Array, at: number): number {
    const id = words.subarray(at, at + WORDS).join()
    const found = this.#arrivals.find(
      (order) => order.account === account && order.clientOrderId === id,
    )
    return found?.slot ?? 0
  }

  firstOfAccount(account: number): number {
    return this.#arrivals.find((order) => order.account === account)?.slot ?? 0
  }

  nextOfAccount(slot: number): number {
    const own = this.#arrivals.filter((order) => order.account === this.account[slot])
    return own[own.findIndex((order) => order.slot === slot) + 1]?.slot ?? 0
  }

  priceTicksOf(slot: number): number {
    return this.#order(slot).priceTicks
  }

  sideOf(slot: number): number {
    return this.#order(slot).side
  }

  createdMsOf(slot: number): number {
    return this.#order(slot).createdMs
  }

  setCreatedMs(slot: number, timeMs: number): void {
    this.#order(slot).createdMs = timeMs
  }

  updatedMsOf(slot: number): number {
    return this.#order(slot).updatedMs
  }

  setUpdatedMs(slot: number, timeMs: number): void {
    this.#order(slot).updatedMs = timeMs
  }

  levelLots(side: number, priceTicks: number): number {
    return this.#levels(side).find((level) => level.priceTicks === priceTicks)?.lots ?? 0
  }

  levelOrders(side: number, priceTicks: number): number {
    return this.#levels(side).find((level) => level.priceTicks === priceTicks)?.orderCount ?? 0
  }

  forEachLevel(
    side: number,
    visit: (priceTicks: number, lots: number, orderCount: number) => void,
    afterTicks = 0,
    limit = Number.POSITIVE_INFINITY,
  ): number {
    const levels = this.#levels(side).filter(
      ({ priceTicks }) =>
        afterTicks === 0 || (side === 0 ? priceTicks < afterTicks : priceTicks > afterTicks),
    )
    const visited = levels.slice(0, limit)
    for (const { priceTicks, lots, orderCount } of visited) visit(priceTicks, lots, orderCount)
    return visited.length
  }

  #levels(side: number): Level[] {
    const levels: Level[] = []
    for (const { slot, priceTicks } of this.#sideOf(side)) {
      let level = levels.at(-1)
      if (level?.priceTicks !== priceTicks) {
        level = { priceTicks, lots: 0, orderCount: 0 }
        levels.push(level)
      }
      level.lots += this.openLots[slot]!
      level.orderCount++
    }
    return levels
  }

  #sideOf(side: number): Resting[] {
    return this.#sides[side as 0 | 1]
  }

  #order(slot: number): Resting {
    const order = this.#arrivals.find((other) => other.slot === slot)
    assert(order !== undefined, 'the slot has an open order')
    return order
  }
}
