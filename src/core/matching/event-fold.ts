/**
 * Recovery of one symbol: folds its journaled events, in sequence, into the state that its engine
 * then goes on with. Asks nothing again and decides nothing; balances are the business of
 * ledger/effects.ts. The events of a turn are contiguous, so what its first one says of the order is
 * remembered until it rests or ends. What moves without events, trailing stops, follows the trades.
 */
import { assert } from '../../base/assert.ts'
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { isDetailed, isStopType, OrderPhase, typeOf } from '../../base/codes.ts'
import {
  EventHeader,
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
  TurnEvent,
  WholeOrderEvent,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordFlags, recordType } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'
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
    const sequence = EventHeader.sequence(events, at)
    assert(
      sequence === counters[Counter.sequence]! + 1,
      "a symbol's events have no gaps and come in order",
    )
    counters[Counter.sequence] = sequence
    this.#state.timeMs = EventHeader.timeMs(events, at)
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
        counters[Counter.updateId] = OrderReplenished.updateId(events, at)
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
    const terms = OrderAccepted.terms(events, at)
    this.#state.counters[Counter.orderId] = OrderAccepted.orderId(events, at)
    const row = isDetailed(terms) ? this.#details.accepted(events, at) : 0
    const { phase } = this.#state.details
    if (row !== 0 && phase[row] !== OrderPhase.WORKING) this.#details.startWaiting(row)
    else this.#begin(events, at, row, this.#state.timeMs, OrderAccepted.clientOrderIdAt(at))
  }

  /** OrderTriggered or OrderReleased: a waiting order begins to work, or to watch the price. */
  #turned(events: RecordBuffer, at: number): void {
    const { details } = this.#state
    const orderId = TurnEvent.orderId(events, at)
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
    const createdMs = TurnEvent.createdMs(events, at)
    this.#begin(events, at, row, createdMs, TurnEvent.clientOrderIdAt(at))
  }

  /** An event that begins a turn, OrderAccepted among them; the order's id stands at `idAt`. */
  #begin(events: RecordBuffer, at: number, row: number, createdMs: number, idAt: number): void {
    const order = this.#order
    order.row = row
    order.account = WholeOrderEvent.account(events, at)
    order.terms = WholeOrderEvent.terms(events, at)
    order.orderId = WholeOrderEvent.orderId(events, at)
    order.priceTicks = WholeOrderEvent.priceTicks(events, at)
    order.lots = WholeOrderEvent.lots(events, at)
    order.filledLots = 0
    order.filledAtoms = 0
    order.preventedLots = 0
    order.createdMs = createdMs
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) order.idWords[i] = events.i32[idAt + i]!
  }

  #traded(events: RecordBuffer, at: number): void {
    const { book, counters, triggers, details, queue, timeMs } = this.#state
    const priceTicks = Trade.priceTicks(events, at)
    const slot = book.findOrder(Trade.makerOrderId(events, at))
    assert(slot !== 0, 'the maker of a journaled trade rests in the book')
    book.filledAtoms[slot] = Trade.makerFilledAtoms(events, at)
    book.setUpdatedMs(slot, timeMs)
    this.#fill(slot, Trade.tradeLots(events, at))
    counters[Counter.tradeId] = Trade.tradeId(events, at)
    counters[Counter.updateId] = Trade.updateId(events, at)
    counters[Counter.lastPriceTicks] = priceTicks
    if (triggers.isWatching) {
      // An order that ends before the turn does is no longer found when the turn of the stop comes.
      triggers.show(priceTicks, timeMs)
      for (const row of triggers.woken) queue.woke(details.orderId[row]!)
      triggers.woken.length = 0
    }
    const order = this.#order
    order.filledLots = Trade.takerFilledLots(events, at)
    order.filledAtoms = Trade.takerFilledAtoms(events, at)
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
    this.#state.counters[Counter.preventedMatchId] = MatchPrevented.preventedMatchId(events, at) + 1
    this.#order.preventedLots += MatchPrevented.takerPreventedLots(events, at)
  }

  #rested(events: RecordBuffer, at: number): void {
    const order = this.#order
    const restedLots = OrderRested.restedLots(events, at)
    order.terms = OrderRested.terms(events, at)
    if (order.row !== 0) {
      this.#state.details.hiddenLots[order.row] =
        order.lots - order.filledLots - order.preventedLots - restedLots
    }
    this.#state.recoverRest(order, restedLots)
    this.#state.counters[Counter.updateId] = OrderRested.updateId(events, at)
  }

  #closed(events: RecordBuffer, at: number): void {
    const { book, details, counters } = this.#state
    const orderId = OrderClosed.orderId(events, at)
    counters[Counter.updateId] = OrderClosed.updateId(events, at)
    if (OrderClosed.restedLots(events, at) !== 0) {
      const slot = book.findOrder(orderId)
      assert(slot !== 0, 'an order that left the book stood in it')
      this.#state.leave(slot, this.#state.rowOf(slot))
      return
    }
    const row = isDetailed(OrderClosed.terms(events, at)) ? details.find(orderId) : 0
    if (row === 0) return
    if (details.phase[row] !== OrderPhase.WORKING) this.#state.stopWaiting(row)
    this.#state.forget(row)
  }
}
