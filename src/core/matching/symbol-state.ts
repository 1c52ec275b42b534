/**
 * All that one symbol's engine goes on with: the book, what waits off it, order lists, counters. Its
 * methods are the ways in which open orders come, change and go, the same for the engine that lives
 * and for recovery (event-fold.ts), so that both come to one state. Decides nothing, writes no event,
 * moves no money. Writer: the matcher of the symbol.
 */
import { unreachable } from '../../base/assert.ts'
import {
  DETAILED,
  isDetailed,
  isStopType,
  OrderPhase,
  Side,
  sideOf,
  typeOf,
} from '../../base/codes.ts'
import { multiplyDivideUp } from '../../base/fixed.ts'
import { Notional } from '../../base/notional.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { OrderBook } from '../book/face.ts'
import { COUNTERS, Counter } from './counters.ts'
import { Details } from './details.ts'
import { NoRoomError } from './no-room.ts'
import { Open, type OpenCounts } from './open-counts.ts'
import { type OrderList, OrderLists } from './order-lists.ts'
import { Triggers, trailedTicks } from './triggers.ts'
import { TurnQueue } from './turn-queue.ts'
import { Waiting } from './waiting.ts'

/** An order that joins the book. */
export interface RestingOrder {
  readonly account: number
  readonly terms: number
  readonly orderId: number
  readonly priceTicks: number
  readonly filledLots: number
  readonly filledAtoms: number
  readonly createdMs: number
  readonly idWords: Int32Array
  readonly idAt: number
}

/** An order at work, with the money that it holds. */
export interface PayingOrder {
  readonly isMarketType: boolean
  readonly priceTicks: number
  readonly leftLots: number
  heldAtoms: number
}

/** A stop, as far as what it holds depends on it. */
export interface PricedStop {
  readonly terms: number
  readonly priceTicks: number
  readonly stopTicks: number
  readonly trailingDelta: number
  readonly lots: number
}

export class SymbolState {
  /** By `Counter`. */
  readonly counters = new Float64Array(COUNTERS)
  readonly book: OrderBook
  readonly details = new Details()
  readonly waiting: Waiting
  readonly triggers: Triggers
  readonly lists = new OrderLists()
  readonly queue: TurnQueue
  readonly counts: OpenCounts
  /**
   * What all resting icebergs show at a time, together. A level may come to show at most that much more
   * without a new order.
   */
  slicesLots = 0
  readonly notional: Notional
  /** Time of the batch or event at hand. */
  timeMs = 0
  /** The clock's own time. Expiry is judged by it; it is below `timeMs` after the clock was put back. */
  clockMs = 0
  /**
   * Whether the turn did anything that something may follow from: a leg of a list was touched, or a
   * watched price was met. Plain turns ask nothing else (bench `engine`).
   */
  mayHaveConsequences = false
  readonly #symbol: string
  readonly #atomsPerLot: number

  constructor(spec: SymbolSpec, book: OrderBook, counts: OpenCounts) {
    this.book = book
    this.#symbol = spec.name
    this.counts = counts
    this.waiting = new Waiting(this.details, book.idSalt)
    this.triggers = new Triggers(this.details)
    this.queue = new TurnQueue(this.details)
    this.notional = new Notional(spec)
    this.#atomsPerLot = spec.atomsPerLot
  }

  count(counter: number): number {
    const next = this.counters[counter]! + 1
    this.counters[counter] = next
    return next
  }

  /** Atoms that an order locks: quote for BUY, base for SELL. */
  heldFor(side: number, priceTicks: number, lots: number): number {
    return side === Side.BUY ? this.notional.up(priceTicks, lots) : lots * this.#atomsPerLot
  }

  /** Atoms that an order of `openLots` at a limit no longer needs once `lots` of them are gone. */
  freedBy(side: number, priceTicks: number, openLots: number, lots: number): number {
    if (side === Side.SELL || this.notional.isExact) return this.heldFor(side, priceTicks, lots)
    return this.notional.up(priceTicks, openLots) - this.notional.up(priceTicks, openLots - lots)
  }

  /**
   * What a stop holds while it waits: a BUY of a market type at its stop price, or, trailing without
   * one, at the price that would wake it now; nothing while no price is known.
   */
  costOfStop(order: PricedStop): number {
    const side = sideOf(order.terms)
    if (side === Side.SELL || order.priceTicks !== 0) {
      return this.heldFor(side, order.priceTicks, order.lots)
    }
    const lastTicks = this.counters[Counter.lastPriceTicks]!
    const ticks = order.stopTicks || trailedTicks(side, lastTicks, order.trailingDelta)
    return this.heldFor(side, ticks, order.lots)
  }

  /**
   * Quote atoms that a BUY taker no longer needs after a fill of `lots`, beyond the `quoteAtoms` that
   * it pays: its price improvement, and what it held only for rounding. Called before the fill.
   */
  freedByTaker(order: PayingOrder, lots: number, quoteAtoms: number): number {
    if (!order.isMarketType) {
      return this.freedBy(Side.BUY, order.priceTicks, order.leftLots, lots) - quoteAtoms
    }
    order.heldAtoms -= quoteAtoms
    if (lots < order.leftLots) return 0
    const freed = order.heldAtoms
    order.heldAtoms = 0
    return freed
  }

  /** The same of a BUY maker in `slot`, which held its own price. */
  freedByMaker(slot: number, lots: number, quoteAtoms: number): number {
    if (this.notional.isExact) return 0
    const { book } = this
    const openLots = book.openLots[slot]! + this.hiddenOf(slot)
    return this.freedBy(Side.BUY, book.priceTicksOf(slot), openLots, lots) - quoteAtoms
  }

  /** The row of the order in `slot`; 0 when it is plain. */
  rowOf(slot: number): number {
    return isDetailed(this.book.terms[slot]!) ? this.details.find(this.book.orderId[slot]!) : 0
  }

  /** Whether an open order of the account has the client order id at idWords[idAt]. */
  hasClientOrder(account: number, idWords: Int32Array, idAt: number): boolean {
    if (this.book.findClientOrder(account, idWords, idAt) !== 0) return true
    const { waiting } = this
    return waiting.count !== 0 && waiting.findClientOrder(account, idWords, idAt) !== 0
  }

  /** Of a resting order: open but not shown. */
  hiddenOf(slot: number): number {
    return isDetailed(this.book.terms[slot]!) ? this.details.hiddenLots[this.rowOf(slot)]! : 0
  }

  /** Of a resting iceberg: what it shows at a time. */
  sliceOf(slot: number): number {
    return this.details.icebergLots[this.rowOf(slot)]!
  }

  /** Of a detailed order that rests: what its original quantity has besides open and filled. */
  unshownLotsOf(slot: number): number {
    const row = this.rowOf(slot)
    return this.details.hiddenLots[row]! + this.details.preventedLots[row]!
  }

  /** What an open order needs to hold by itself. */
  needOf(row: number): number {
    const { details, book } = this
    if (details.phase[row] !== OrderPhase.WORKING) return details.costAtoms[row]!
    const slot = book.findOrder(details.orderId[row]!)
    const lots = book.openLots[slot]! + details.hiddenLots[row]!
    return this.heldFor(book.sideOf(slot), book.priceTicksOf(slot), lots)
  }

  listOf(row: number): OrderList | undefined {
    return this.lists.find(this.details.orderListId[row]!)
  }

  /** The open leg that shares its hold with this one; 0 for none. */
  siblingOf(row: number): number {
    const list = this.listOf(row)
    if (list === undefined) return 0
    const sibling = list.siblingOf(this.details.leg[row]!)
    return sibling < 0 ? 0 : this.details.find(list.orderIds[sibling]!)
  }

  /** Rests an order of a journal or a snapshot. Throws NoRoomError when the book was larger then. */
  recoverRest(order: RestingOrder, shownLots: number): void {
    const { book } = this
    if (!book.canRest(order.terms & 1, order.priceTicks)) {
      throw new NoRoomError(this.#symbol, book.ordersMax)
    }
    this.rest(order, shownLots)
  }

  /** What is left of an order joins the book, showing `shownLots`. */
  rest(order: RestingOrder, shownLots: number): void {
    const { book, counts } = this
    const { account, terms } = order
    const slot = book.rest(terms & 1, order.priceTicks, shownLots, order.orderId, account)
    if (slot === 0) unreachable('there is room for what rests')
    book.terms[slot] = terms
    book.filledLots[slot] = order.filledLots
    book.filledAtoms[slot] = order.filledAtoms
    book.setCreatedMs(slot, order.createdMs)
    book.setUpdatedMs(slot, this.timeMs)
    book.setClientOrderId(slot, order.idWords, order.idAt)
    counts.add(account, Open.ORDERS, 1)
    if (!isDetailed(terms)) return
    const icebergLots = this.sliceOf(slot)
    if (icebergLots === 0) return
    this.slicesLots += icebergLots
    counts.add(account, Open.ICEBERG_ORDERS, 1)
  }

  /**
   * Takes `lots` off a maker, which leaves the book once it is filled whole; an iceberg shows its
   * next slice instead. Answers that slice, or 0.
   */
  fill(slot: number, lots: number): number {
    const { book, details } = this
    const isSliceFilled = lots === book.openLots[slot]
    if (isSliceFilled && isDetailed(book.terms[slot]!)) {
      const row = this.rowOf(slot)
      const hidden = details.hiddenLots[row]!
      if (hidden !== 0) {
        const slice = Math.min(hidden, details.icebergLots[row]!)
        details.hiddenLots[row] = hidden - slice
        book.replenish(slot, slice)
        return slice
      }
      this.#uncountResting(slot, row)
      this.forget(row)
    } else if (isSliceFilled) this.counts.add(book.account[slot]!, Open.ORDERS, -1)
    book.fill(slot, lots)
    return 0
  }

  /** Takes lots off a detailed order that goes on: hidden ones first. Answers what its level lost. */
  reduce(slot: number, lots: number, row: number): number {
    const { book, details } = this
    const fromHidden = Math.min(lots, details.hiddenLots[row]!)
    details.hiddenLots[row] = details.hiddenLots[row]! - fromHidden
    book.reduce(slot, lots - fromHidden)
    return lots - fromHidden
  }

  /** The quantity of a waiting order becomes `lots`, and what it needs with it. */
  lowerWaiting(row: number, lots: number): void {
    const { details } = this
    if (details.costAtoms[row] !== 0) details.costAtoms[row] = this.#loweredCost(row, lots)
    details.lots[row] = lots
  }

  /** Of a stop that trails without a stop price it is the same share, since its price has moved. */
  #loweredCost(row: number, lots: number): number {
    const { details } = this
    const side = sideOf(details.terms[row]!)
    const ticks = details.priceTicks[row]! || details.stopTicks[row]!
    if (side === Side.SELL || ticks !== 0) return this.heldFor(side, ticks, lots)
    return multiplyDivideUp(details.costAtoms[row]!, lots, details.lots[row]!)
  }

  /** Takes a resting order, of a row or plain, off the book. */
  leave(slot: number, row: number): void {
    if (row === 0) {
      this.leavePlain(slot)
      return
    }
    this.#uncountResting(slot, row)
    this.book.remove(slot)
    this.forget(row)
  }

  /** Takes a resting order that has no row off the book. */
  leavePlain(slot: number): void {
    const { book } = this
    this.counts.add(book.account[slot]!, Open.ORDERS, -1)
    book.remove(slot)
  }

  /** An order whose phase is not WORKING begins to wait; a stop to watch the price. */
  startWaiting(row: number): void {
    this.waiting.add(row)
    this.#countWaiting(row, 1)
    this.#watch(row)
  }

  /** It begins to work, or ends. */
  stopWaiting(row: number): void {
    this.waiting.remove(row)
    this.triggers.remove(row)
    this.#countWaiting(row, -1)
  }

  /** A pending stop goes live: it waits for its price. */
  release(row: number): void {
    const { details } = this
    details.phase[row] = OrderPhase.UNTRIGGERED
    details.updatedMs[row] = this.timeMs
    this.#watch(row)
  }

  /** Forgets a detailed order that neither waits nor rests any more. */
  forget(row: number): void {
    const list = this.listOf(row)
    if (list !== undefined) {
      list.openLegs &= ~(1 << this.details.leg[row]!)
      this.listChanged(list)
    }
    this.details.remove(row)
  }

  /** Something happened to a leg of the list. */
  listChanged(list: OrderList): void {
    this.mayHaveConsequences = true
    this.lists.changed(list)
  }

  addList(list: OrderList): void {
    this.lists.add(list)
    this.counts.add(list.account, Open.LISTS, 1)
  }

  /** None of its legs is open any more. */
  removeList(list: OrderList): void {
    this.lists.remove(list)
    this.counts.add(list.account, Open.LISTS, -1)
  }

  /** A plain order that rests gets a row: something happens that its terms cannot say. */
  detail(slot: number): number {
    const { book, details } = this
    const found = this.rowOf(slot)
    if (found !== 0) return found
    const row = details.add(book.orderId[slot]!)
    details.account[row] = book.account[slot]!
    details.terms[row] = book.terms[slot]! | DETAILED
    details.lots[row] = book.openLots[slot]! + book.filledLots[slot]!
    details.workingMs[row] = book.createdMsOf(slot)
    return row
  }

  #watch(row: number): void {
    if (this.details.phase[row] !== OrderPhase.UNTRIGGERED) return
    this.triggers.add(row, this.counters[Counter.lastPriceTicks]!, this.timeMs)
  }

  #uncountResting(slot: number, row: number): void {
    const account = this.book.account[slot]!
    this.counts.add(account, Open.ORDERS, -1)
    const icebergLots = this.details.icebergLots[row]!
    if (icebergLots === 0) return
    this.slicesLots -= icebergLots
    this.counts.add(account, Open.ICEBERG_ORDERS, -1)
  }

  #countWaiting(row: number, change: number): void {
    const { details, counts } = this
    const account = details.account[row]!
    counts.add(account, Open.ORDERS, change)
    if (isStopType(typeOf(details.terms[row]!))) counts.add(account, Open.ALGO_ORDERS, change)
    if (details.icebergLots[row] !== 0) counts.add(account, Open.ICEBERG_ORDERS, change)
  }
}
