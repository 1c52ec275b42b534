/**
 * Writes the events of orders that have more to them than plain terms, and of order lists, into the
 * same stream as event-writer.ts, under the same rule: an event is written before what it tells of
 * is changed, unless its method says otherwise.
 */
import { CLIENT_ORDER_ID_WORDS, copyClientOrderId } from '../../base/client-order-id.ts'
import {
  DETAILED,
  type ExpiryReason,
  type ListOrderStatus,
  type ListStatusType,
  type OrderStatus,
} from '../../base/codes.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import {
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderDetails,
  OrderListChanged,
  OrderReleased,
  OrderReplenished,
  OrderTriggered,
} from '../../layout/records.gen.ts'
import type { OrderBook } from '../book/face.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import type { Details } from './details.ts'
import type { EventWriter } from './event-writer.ts'
import type { OrderList } from './order-lists.ts'
import type { SymbolState } from './symbol-state.ts'

const IDS = CLIENT_ORDER_ID_WORDS

/** How the quantity of an order that goes on was lowered. */
export interface Reduction {
  /** Original quantity, as of now. */
  readonly lots: number
  readonly oldLots: number
  readonly preventedLots: number
  readonly removedLots: number
  readonly releasedAtoms: number
}

export class DetailWriter {
  readonly #events: EventWriter
  readonly #book: OrderBook
  readonly #details: Details
  readonly #counters: Float64Array

  constructor(events: EventWriter, state: SymbolState) {
    this.#events = events
    this.#book = state.book
    this.#details = state.details
    this.#counters = state.counters
  }

  /** OrderDetails of a row; before an order's turn, with when it works from then on. */
  details(
    row: number,
    workingMs = this.#details.workingMs[row]!,
    phase = this.#details.phase[row]!,
  ): void {
    const at = this.#events.open(OrderDetails.type, OrderDetails.bytes)
    const { i32, f64 } = this.#events.records
    const details = this.#details
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderDetails.account] = details.account[row]!
    i32[word + OrderDetails.trailingDelta] = details.trailingDelta[row]!
    f64[double + OrderDetails.orderId] = details.orderId[row]!
    f64[double + OrderDetails.orderListId] = details.orderListId[row]!
    f64[double + OrderDetails.stopTicks] = details.stopTicks[row]!
    f64[double + OrderDetails.icebergLots] = details.icebergLots[row]!
    f64[double + OrderDetails.strategyId] = details.strategyId[row]!
    i32[word + OrderDetails.strategyType] = details.strategyType[row]!
    i32[word + OrderDetails.phase] = phase
    f64[double + OrderDetails.trailingMs] = details.trailingMs[row]!
    f64[double + OrderDetails.workingMs] = workingMs
    f64[double + OrderDetails.extremeTicks] = details.extremeTicks[row]!
    f64[double + OrderDetails.preventedLots] = details.preventedLots[row]!
    f64[double + OrderDetails.amendments] = details.amendments[row]!
  }

  triggered(order: ArrivingOrder, heldAtoms: number): void {
    this.#turn(OrderTriggered.type, order, heldAtoms)
  }

  released(order: ArrivingOrder, heldAtoms: number): void {
    this.#turn(OrderReleased.type, order, heldAtoms)
  }

  /** The iceberg in `slot` shows its next slice. After the book was changed. */
  replenished(slot: number): void {
    const at = this.#events.open(OrderReplenished.type, OrderReplenished.bytes)
    const { i32, f64 } = this.#events.records
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderReplenished.account] = this.#book.account[slot]!
    i32[word + OrderReplenished.terms] = this.#book.terms[slot]!
    f64[double + OrderReplenished.orderId] = this.#book.orderId[slot]!
    f64[double + OrderReplenished.priceTicks] = this.#book.priceTicksOf(slot)
    f64[double + OrderReplenished.restedLots] = this.#book.openLots[slot]!
    f64[double + OrderReplenished.updateId] = this.#counters[Counter.updateId]!
  }

  /** A waiting order ends, under the id at idWords[idAt]. */
  closedWaiting(
    row: number,
    status: OrderStatus,
    reason: ExpiryReason,
    releasedAtoms: number,
    idWords: Int32Array,
    idAt: number,
  ): void {
    const at = this.#events.open(OrderClosed.type, OrderClosed.bytes)
    const { i32, f64 } = this.#events.records
    const word = at >> 2
    const double = at >> 3
    this.#orderOfRow(i32, f64, word, double, row)
    i32[word + OrderClosed.status] = status
    i32[word + OrderClosed.reason] = reason
    f64[double + OrderClosed.filledLots] = 0
    f64[double + OrderClosed.filledAtoms] = 0
    f64[double + OrderClosed.preventedLots] = 0
    f64[double + OrderClosed.createdMs] = this.#details.createdMs[row]!
    f64[double + OrderClosed.restedLots] = 0
    f64[double + OrderClosed.updateId] = this.#counters[Counter.updateId]!
    f64[double + OrderClosed.releasedAtoms] = releasedAtoms
    copyClientOrderId(idWords, idAt, i32, word + OrderClosed.clientOrderId)
    copyClientOrderId(
      this.#details.clientOrderId,
      row * IDS,
      i32,
      word + OrderClosed.origClientOrderId,
    )
  }

  /** The resting order in `slot` lost lots to self-trade prevention and goes on. */
  decrementedMaker(slot: number, reduction: Reduction): void {
    const at = this.#events.open(OrderDecremented.type, OrderDecremented.bytes)
    const { i32, f64 } = this.#events.records
    this.#orderInSlot(i32, f64, at >> 2, at >> 3, slot, reduction.lots)
    const book = this.#book
    this.#decremented(f64, at >> 3, book.filledLots[slot]!, book.filledAtoms[slot]!, reduction)
    f64[(at >> 3) + OrderDecremented.createdMs] = book.createdMsOf(slot)
    copyClientOrderId(
      book.clientOrderId,
      book.clientOrderIdAt(slot),
      i32,
      (at >> 2) + OrderDecremented.clientOrderId,
    )
  }

  /** The order whose turn it is lost lots to self-trade prevention and goes on. */
  decrementedTaker(order: ArrivingOrder, releasedAtoms: number): void {
    const at = this.#events.open(OrderDecremented.type, OrderDecremented.bytes)
    const { i32, f64 } = this.#events.records
    const double = at >> 3
    this.#orderOfTurn(i32, f64, at >> 2, double, order)
    const { lots, preventedLots } = order
    this.#decremented(f64, double, order.filledLots, order.filledAtoms, {
      lots,
      oldLots: lots,
      preventedLots,
      removedLots: 0,
      releasedAtoms,
    })
    f64[double + OrderDecremented.createdMs] = order.createdMs
    copyClientOrderId(order.idWords, order.idAt, i32, (at >> 2) + OrderDecremented.clientOrderId)
  }

  /** The resting order in `slot` is amended; its id from here on is at idWords[idAt]. */
  amendedResting(slot: number, reduction: Reduction, idWords: Int32Array, idAt: number): void {
    const at = this.#events.open(OrderAmended.type, OrderAmended.bytes)
    const { i32, f64 } = this.#events.records
    const book = this.#book
    this.#orderInSlot(i32, f64, at >> 2, at >> 3, slot, reduction.lots)
    this.#amended(f64, at >> 3, book.filledLots[slot]!, book.filledAtoms[slot]!, reduction)
    f64[(at >> 3) + OrderAmended.createdMs] = book.createdMsOf(slot)
    copyClientOrderId(idWords, idAt, i32, (at >> 2) + OrderAmended.clientOrderId)
    copyClientOrderId(
      book.clientOrderId,
      book.clientOrderIdAt(slot),
      i32,
      (at >> 2) + OrderAmended.origClientOrderId,
    )
  }

  /** The waiting order of a row is amended; its id from here on is at idWords[idAt]. */
  amendedWaiting(row: number, reduction: Reduction, idWords: Int32Array, idAt: number): void {
    const at = this.#events.open(OrderAmended.type, OrderAmended.bytes)
    const { i32, f64 } = this.#events.records
    this.#orderOfRow(i32, f64, at >> 2, at >> 3, row)
    f64[(at >> 3) + OrderAmended.lots] = reduction.lots
    this.#amended(f64, at >> 3, 0, 0, reduction)
    f64[(at >> 3) + OrderAmended.createdMs] = this.#details.createdMs[row]!
    copyClientOrderId(idWords, idAt, i32, (at >> 2) + OrderAmended.clientOrderId)
    const { clientOrderId } = this.#details
    copyClientOrderId(clientOrderId, row * IDS, i32, (at >> 2) + OrderAmended.origClientOrderId)
  }

  listChanged(list: OrderList, type: ListStatusType, status: ListOrderStatus): void {
    const at = this.#events.open(OrderListChanged.type, OrderListChanged.bytes)
    const { i32, f64 } = this.#events.records
    const word = at >> 2
    const double = at >> 3
    const { orderIds, clientOrderIds } = list
    i32[word + OrderListChanged.account] = list.account
    i32[word + OrderListChanged.kind] = list.kind
    i32[word + OrderListChanged.statusType] = type
    i32[word + OrderListChanged.orderStatus] = status
    f64[double + OrderListChanged.orderListId] = list.orderListId
    f64[double + OrderListChanged.legs] = list.legs
    f64[double + OrderListChanged.orderId1] = orderIds[0]!
    f64[double + OrderListChanged.orderId2] = orderIds[1]!
    f64[double + OrderListChanged.orderId3] = orderIds[2] ?? 0
    copyClientOrderId(list.listClientOrderId, 0, i32, word + OrderListChanged.listClientOrderId)
    copyClientOrderId(clientOrderIds, 0, i32, word + OrderListChanged.clientOrderId1)
    copyClientOrderId(clientOrderIds, IDS, i32, word + OrderListChanged.clientOrderId2)
    copyClientOrderId(clientOrderIds, 2 * IDS, i32, word + OrderListChanged.clientOrderId3)
  }

  #turn(type: number, order: ArrivingOrder, heldAtoms: number): void {
    const at = this.#events.open(type, OrderTriggered.bytes)
    const { i32, f64 } = this.#events.records
    this.#orderOfTurn(i32, f64, at >> 2, at >> 3, order)
    f64[(at >> 3) + OrderTriggered.heldAtoms] = heldAtoms
    f64[(at >> 3) + OrderTriggered.createdMs] = order.createdMs
    copyClientOrderId(order.idWords, order.idAt, i32, (at >> 2) + OrderTriggered.clientOrderId)
  }

  /** The fields with which all events of orders begin, of a waiting order. */
  #orderOfRow(
    i32: RecordBuffer['i32'],
    f64: RecordBuffer['f64'],
    word: number,
    double: number,
    row: number,
  ): void {
    const details = this.#details
    i32[word + OrderClosed.account] = details.account[row]!
    i32[word + OrderClosed.terms] = details.terms[row]!
    f64[double + OrderClosed.orderId] = details.orderId[row]!
    f64[double + OrderClosed.priceTicks] = details.priceTicks[row]!
    f64[double + OrderClosed.lots] = details.lots[row]!
    f64[double + OrderClosed.quoteAtoms] = 0
  }

  /** The same of a resting order, which is detailed from here on if it was not. */
  #orderInSlot(
    i32: RecordBuffer['i32'],
    f64: RecordBuffer['f64'],
    word: number,
    double: number,
    slot: number,
    lots: number,
  ): void {
    const book = this.#book
    i32[word + OrderClosed.account] = book.account[slot]!
    i32[word + OrderClosed.terms] = book.terms[slot]! | DETAILED
    f64[double + OrderClosed.orderId] = book.orderId[slot]!
    f64[double + OrderClosed.priceTicks] = book.priceTicksOf(slot)
    f64[double + OrderClosed.lots] = lots
    f64[double + OrderClosed.quoteAtoms] = 0
  }

  /** The same of the order whose turn it is. */
  #orderOfTurn(
    i32: RecordBuffer['i32'],
    f64: RecordBuffer['f64'],
    word: number,
    double: number,
    order: ArrivingOrder,
  ): void {
    i32[word + OrderClosed.account] = order.account
    i32[word + OrderClosed.terms] = order.terms
    f64[double + OrderClosed.orderId] = order.orderId
    f64[double + OrderClosed.priceTicks] = order.priceTicks
    f64[double + OrderClosed.lots] = order.lots
    f64[double + OrderClosed.quoteAtoms] = order.quoteAtoms
  }

  #decremented(
    f64: RecordBuffer['f64'],
    double: number,
    filledLots: number,
    filledAtoms: number,
    reduction: Reduction,
  ): void {
    f64[double + OrderDecremented.filledLots] = filledLots
    f64[double + OrderDecremented.filledAtoms] = filledAtoms
    f64[double + OrderDecremented.preventedLots] = reduction.preventedLots
    f64[double + OrderDecremented.removedLots] = reduction.removedLots
    f64[double + OrderDecremented.updateId] = this.#counters[Counter.updateId]!
    f64[double + OrderDecremented.releasedAtoms] = reduction.releasedAtoms
  }

  #amended(
    f64: RecordBuffer['f64'],
    double: number,
    filledLots: number,
    filledAtoms: number,
    reduction: Reduction,
  ): void {
    f64[double + OrderAmended.oldLots] = reduction.oldLots
    f64[double + OrderAmended.filledLots] = filledLots
    f64[double + OrderAmended.filledAtoms] = filledAtoms
    f64[double + OrderAmended.preventedLots] = reduction.preventedLots
    f64[double + OrderAmended.removedLots] = reduction.removedLots
    f64[double + OrderAmended.updateId] = this.#counters[Counter.updateId]!
    f64[double + OrderAmended.releasedAtoms] = reduction.releasedAtoms
  }
}
