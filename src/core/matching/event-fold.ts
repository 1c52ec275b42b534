/**
 * Recovery of one symbol: folds its journaled events, in sequence, into the state that its engine
 * then goes on with. Asks nothing again and decides nothing; balances are the business of
 * ledger/effects.ts. The events of a turn are contiguous, so what its first one says of the order is
 * remembered until it rests or ends. What moves without events, trailing stops, follows the trades.
 */
import { assert } from '../../base/assert.ts'
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { isDetailed, isStopType, OrderPhase, typeOf } from '../../base/codes.ts'
import { type RecordBuffer, recordFlags, recordType } from '../../layout/record-buffer.ts'
import {
  EventHeader,
  FLAG_LAST,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderDetails,
  OrderListChanged,
  OrderReleased,
  OrderReplenished,
  OrderRested,
  OrderTriggered,
  Trade,
} from '../../layout/records.gen.ts'
import { Counter } from './counters.ts'
import { DetailFold } from './detail-fold.ts'
import type { OrderListIds } from './order-list-ids.ts'
import type { RestingOrder, SymbolState } from './symbol-state.ts'

/** The order whose turn it is. */
export class TurnOrder implements RestingOrder {
  /** 0 while it is plain. */
  row = 0
  account = 0
  terms = 0
  orderId = 0
  priceTicks = 0
  lots = 0
  filledLots = 0
  filledAtoms = 0
  preventedLots = 0
  createdMs = 0
  readonly idWords = new Int32Array(CLIENT_ORDER_ID_WORDS)
  readonly idAt = 0
}

export class EventFold {
  readonly #state: SymbolState
  readonly #order = new TurnOrder()
  readonly #details: DetailFold

  constructor(state: SymbolState, orderListIds: OrderListIds) {
    this.#state = state
    this.#details = new DetailFold(state, this.#order, orderListIds)
  }

  fold(events: RecordBuffer, at: number): void {
    const { counters } = this.#state
    const sequence = events.f64[(at >> 3) + EventHeader.sequence]!
    assert(
      sequence === counters[Counter.sequence]! + 1,
      "a symbol's events have no gaps and come in order",
    )
    counters[Counter.sequence] = sequence
    this.#state.timeMs = events.f64[(at >> 3) + EventHeader.timeMs]!
    switch (recordType(events, at)) {
      case OrderAccepted.type:
        this.#accepted(events, at)
        break
      case Trade.type:
        this.#traded(events, at)
        break
      case OrderRested.type:
        this.#rested(events, at)
        break
      case OrderClosed.type:
        this.#closed(events, at)
        break
      case MatchPrevented.type:
        this.#prevented(events, at)
        break
      case OrderTriggered.type:
      case OrderReleased.type:
        this.#turned(events, at)
        break
      case OrderReplenished.type:
        counters[Counter.updateId] = events.f64[(at >> 3) + OrderReplenished.updateId]!
        break
      case OrderDetails.type:
        this.#details.remember(at)
        break
      case OrderListChanged.type:
        this.#details.listChanged(events, at)
        break
      default:
        this.#details.lowered(events, at)
    }
    if (this.#state.lists.hasChanged) this.#state.lists.takeChanged()
    if ((recordFlags(events, at) & FLAG_LAST) !== 0) this.#state.queue.endTurn()
  }

  #accepted(events: RecordBuffer, at: number): void {
    const { i32, f64 } = events
    const double = at >> 3
    const terms = i32[(at >> 2) + OrderAccepted.terms]!
    this.#state.counters[Counter.orderId] = f64[double + OrderAccepted.orderId]!
    const row = isDetailed(terms) ? this.#details.accepted(events, at) : 0
    const { phase } = this.#state.details
    if (row !== 0 && phase[row] !== OrderPhase.WORKING) this.#details.startWaiting(row)
    else this.#begin(events, at, row, this.#state.timeMs, OrderAccepted.clientOrderId)
  }

  /** OrderTriggered or OrderReleased: a waiting order begins to work, or to watch the price. */
  #turned(events: RecordBuffer, at: number): void {
    const { details } = this.#state
    const orderId = events.f64[(at >> 3) + OrderTriggered.orderId]!
    this.#state.queue.taken(orderId)
    const row = details.find(orderId)
    const isStop = isStopType(typeOf(details.terms[row]!))
    if (isStop && details.phase[row] === OrderPhase.PENDING) {
      this.#details.release(row)
      return
    }
    this.#state.stopWaiting(row)
    details.phase[row] = OrderPhase.WORKING
    details.workingMs[row] = this.#state.timeMs
    details.updatedMs[row] = this.#state.timeMs
    const createdMs = events.f64[(at >> 3) + OrderTriggered.createdMs]!
    this.#begin(events, at, row, createdMs, OrderTriggered.clientOrderId)
  }

  /** All events that begin a turn have the order's fields at the same offsets. */
  #begin(events: RecordBuffer, at: number, row: number, createdMs: number, idWord: number): void {
    const { i32, f64 } = events
    const double = at >> 3
    const order = this.#order
    order.row = row
    order.account = i32[(at >> 2) + OrderAccepted.account]!
    order.terms = i32[(at >> 2) + OrderAccepted.terms]!
    order.orderId = f64[double + OrderAccepted.orderId]!
    order.priceTicks = f64[double + OrderAccepted.priceTicks]!
    order.lots = f64[double + OrderAccepted.lots]!
    order.filledLots = 0
    order.filledAtoms = 0
    order.preventedLots = 0
    order.createdMs = createdMs
    const idAt = (at >> 2) + idWord
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) order.idWords[i] = i32[idAt + i]!
  }

  #traded(events: RecordBuffer, at: number): void {
    const { f64 } = events
    const double = at >> 3
    const { book, counters, triggers, details, queue, timeMs } = this.#state
    const priceTicks = f64[double + Trade.priceTicks]!
    const slot = book.findOrder(f64[double + Trade.makerOrderId]!)
    assert(slot !== 0, 'the maker of a journaled trade rests in the book')
    book.filledAtoms[slot] = f64[double + Trade.makerFilledAtoms]!
    book.setUpdatedMs(slot, timeMs)
    this.#fill(slot, f64[double + Trade.tradeLots]!)
    counters[Counter.tradeId] = f64[double + Trade.tradeId]!
    counters[Counter.updateId] = f64[double + Trade.updateId]!
    counters[Counter.lastPriceTicks] = priceTicks
    if (triggers.isWatching) {
      // An order that ends before the turn does is no longer found when the turn of the stop comes.
      triggers.show(priceTicks, timeMs)
      for (const row of triggers.woken) queue.woke(details.orderId[row]!)
      triggers.woken.length = 0
    }
    const order = this.#order
    order.filledLots = f64[double + Trade.takerFilledLots]!
    order.filledAtoms = f64[double + Trade.takerFilledAtoms]!
    if (order.row !== 0 && order.filledLots + order.preventedLots === order.lots) {
      const list = this.#state.listOf(order.row)
      if (list !== undefined) queue.filled(list, details.leg[order.row]!)
      this.#state.forget(order.row)
      order.row = 0
    }
  }

  /** Takes lots off a maker; one that is filled whole releases what its list has pending. */
  #fill(slot: number, lots: number): void {
    const row = this.#state.rowOf(slot)
    const list = row === 0 ? undefined : this.#state.listOf(row)
    const leg = this.#state.details.leg[row]!
    this.#state.fill(slot, lots)
    if (list !== undefined && !list.isOpen(leg)) this.#state.queue.filled(list, leg)
  }

  #prevented(events: RecordBuffer, at: number): void {
    const { f64 } = events
    const double = at >> 3
    this.#state.counters[Counter.preventedMatchId] =
      f64[double + MatchPrevented.preventedMatchId]! + 1
    this.#order.preventedLots += f64[double + MatchPrevented.takerPreventedLots]!
  }

  #rested(events: RecordBuffer, at: number): void {
    const { i32, f64 } = events
    const double = at >> 3
    const order = this.#order
    const restedLots = f64[double + OrderRested.restedLots]!
    order.terms = i32[(at >> 2) + OrderRested.terms]!
    if (order.row !== 0) {
      this.#state.details.hiddenLots[order.row] =
        order.lots - order.filledLots - order.preventedLots - restedLots
    }
    this.#state.recoverRest(order, restedLots)
    this.#state.counters[Counter.updateId] = f64[double + OrderRested.updateId]!
  }

  #closed(events: RecordBuffer, at: number): void {
    const { i32, f64 } = events
    const double = at >> 3
    const { book, details, counters } = this.#state
    const orderId = f64[double + OrderClosed.orderId]!
    counters[Counter.updateId] = f64[double + OrderClosed.updateId]!
    if (f64[double + OrderClosed.restedLots]! !== 0) {
      const slot = book.findOrder(orderId)
      assert(slot !== 0, 'an order that left the book stood in it')
      this.#state.leave(slot, this.#state.rowOf(slot))
      return
    }
    const row = isDetailed(i32[(at >> 2) + OrderClosed.terms]!) ? details.find(orderId) : 0
    if (row === 0) return
    if (details.phase[row] !== OrderPhase.WORKING) this.#state.stopWaiting(row)
    this.#state.forget(row)
  }
}
