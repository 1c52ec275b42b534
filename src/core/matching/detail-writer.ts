/**
 * Writes the events of orders that have more to them than plain terms, and of order lists, into the
 * same stream as event-writer.ts, under the same rule: an event is written before what it tells of
 * is changed, unless its method says otherwise.
 */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import type { ListOrderStatus, ListStatusType } from '../../base/codes.ts'
import { type Atoms, Lots, QuoteAtoms } from '../../base/units.ts'
import {
  DetailsSection,
  LEGS_MAX,
  OrderAmended,
  OrderDecremented,
  OrderListChanged,
  OrderReleased,
  OrderReplenished,
  OrderTriggered,
  PreventionSection,
  TurnEvent,
  WholeOrderEvent,
} from '../../layout/accessors.gen.ts'
import type { OrderBook } from '../book/face.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import type { Details } from './details.ts'
import type { EventWriter } from './event-writer.ts'
import type { OrderList } from './order-lists.ts'
import type { SymbolState } from './symbol-state.ts'

const IDS = CLIENT_ORDER_ID_WORDS
/** An order that waits, is amended or goes on after a prevented match is detailed. */
const TURN_BYTES = OrderTriggered.bytes + DetailsSection.bytes
const AMENDED_BYTES = OrderAmended.bytes + DetailsSection.bytes
const DECREMENTED_BYTES = OrderDecremented.bytes + PreventionSection.bytes + DetailsSection.bytes

/** How the quantity of an order that goes on was lowered. */
export interface Reduction {
  /** The present original quantity. */
  readonly lots: Lots
  readonly oldLots: Lots
  readonly preventedLots: Lots
  readonly removedLots: Lots
  readonly releasedAtoms: Atoms
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

  triggered(order: ArrivingOrder, heldAtoms: Atoms): void {
    this.#turn(OrderTriggered.type, order, heldAtoms)
  }

  released(order: ArrivingOrder, heldAtoms: Atoms): void {
    this.#turn(OrderReleased.type, order, heldAtoms)
  }

  /** The iceberg in `slot` shows its next slice. After the book was changed. */
  replenished(slot: number): void {
    const at = this.#events.open(OrderReplenished.type, OrderReplenished.bytes)
    const { records } = this.#events
    OrderReplenished.setAccount(records, at, this.#book.account[slot]!)
    OrderReplenished.setTerms(records, at, this.#book.terms[slot]!)
    OrderReplenished.setOrderId(records, at, this.#book.orderId[slot]!)
    OrderReplenished.setPriceTicks(records, at, this.#book.priceTicksOf(slot))
    OrderReplenished.setRestedLots(records, at, this.#book.openLots[slot]!)
    OrderReplenished.setUpdateId(records, at, this.#counters[Counter.updateId]!)
  }

  /** The resting order in `slot` lost lots to self-trade prevention and goes on. */
  decrementedMaker(slot: number, reduction: Reduction): void {
    const at = this.#events.open(OrderDecremented.type, DECREMENTED_BYTES)
    const { records } = this.#events
    this.#orderInSlot(at, slot, reduction.lots)
    const book = this.#book
    this.#decremented(at, book.filledLots[slot]!, book.filledAtoms[slot]!, reduction)
    OrderDecremented.setCreatedMs(records, at, book.createdMsOf(slot))
    OrderDecremented.setClientOrderId(records, at, book.clientOrderId, book.clientOrderIdAt(slot))
    this.#prevented(at, slot)
  }

  /** The order whose turn it is lost lots to self-trade prevention and goes on. */
  decrementedTaker(order: ArrivingOrder, releasedAtoms: Atoms): void {
    const at = this.#events.open(OrderDecremented.type, DECREMENTED_BYTES)
    const { records } = this.#events
    this.#orderOfTurn(at, order)
    const { lots, preventedLots } = order
    this.#decremented(at, order.filledLots, order.filledAtoms, {
      lots,
      oldLots: lots,
      preventedLots,
      removedLots: Lots(0),
      releasedAtoms,
    })
    OrderDecremented.setCreatedMs(records, at, order.createdMs)
    OrderDecremented.setClientOrderId(records, at, order.idWords, order.idAt)
    this.#prevented(at, order.slot)
  }

  /** The open order in `slot` is amended; its id from here on is at idWords[idAt]. */
  amended(slot: number, reduction: Reduction, idWords: Int32Array, idAt: number): void {
    const at = this.#events.open(OrderAmended.type, AMENDED_BYTES)
    const { records } = this.#events
    const book = this.#book
    this.#orderInSlot(at, slot, reduction.lots)
    this.#amended(at, book.filledLots[slot]!, book.filledAtoms[slot]!, reduction)
    OrderAmended.setCreatedMs(records, at, book.createdMsOf(slot))
    OrderAmended.setClientOrderId(records, at, idWords, idAt)
    OrderAmended.setOrigClientOrderId(records, at, book.clientOrderId, book.clientOrderIdAt(slot))
    this.#details.write(slot, records, OrderAmended.detailsAt(records, at))
  }

  listChanged(list: OrderList, type: ListStatusType, status: ListOrderStatus): void {
    const at = this.#events.open(OrderListChanged.type, OrderListChanged.bytes)
    const { records } = this.#events
    const { orderIds, clientOrderIds } = list
    OrderListChanged.setAccount(records, at, list.account)
    OrderListChanged.setKind(records, at, list.kind)
    OrderListChanged.setStatusType(records, at, type)
    OrderListChanged.setOrderStatus(records, at, status)
    OrderListChanged.setOrderListId(records, at, list.orderListId)
    OrderListChanged.setLegs(records, at, list.legs)
    OrderListChanged.setListClientOrderId(records, at, list.listClientOrderId, 0)
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      OrderListChanged.setLegOrderId(records, at, leg, orderIds[leg] ?? 0)
      OrderListChanged.setLegClientOrderId(records, at, leg, clientOrderIds, leg * IDS)
    }
  }

  #turn(type: number, order: ArrivingOrder, heldAtoms: Atoms): void {
    const at = this.#events.open(type, TURN_BYTES)
    const { records } = this.#events
    this.#orderOfTurn(at, order)
    TurnEvent.setHeldAtoms(records, at, heldAtoms)
    TurnEvent.setCreatedMs(records, at, order.createdMs)
    TurnEvent.setClientOrderId(records, at, order.idWords, order.idAt)
    this.#details.write(order.slot, records, OrderTriggered.detailsAt(records, at))
  }

  /** The fields with which all events of orders begin, of an open order. */
  #orderInSlot(at: number, slot: number, lots: Lots): void {
    const { records } = this.#events
    const book = this.#book
    WholeOrderEvent.setAccount(records, at, book.account[slot]!)
    WholeOrderEvent.setTerms(records, at, book.terms[slot]!)
    WholeOrderEvent.setOrderId(records, at, book.orderId[slot]!)
    WholeOrderEvent.setPriceTicks(records, at, book.priceTicksOf(slot))
    WholeOrderEvent.setLots(records, at, lots)
    WholeOrderEvent.setQuoteAtoms(records, at, QuoteAtoms(0))
  }

  /** The same of the order whose turn it is. */
  #orderOfTurn(at: number, order: ArrivingOrder): void {
    const { records } = this.#events
    WholeOrderEvent.setAccount(records, at, order.account)
    WholeOrderEvent.setTerms(records, at, order.terms)
    WholeOrderEvent.setOrderId(records, at, order.orderId)
    WholeOrderEvent.setPriceTicks(records, at, order.priceTicks)
    WholeOrderEvent.setLots(records, at, order.lots)
    WholeOrderEvent.setQuoteAtoms(records, at, order.quoteAtoms)
  }

  /** The sections of an OrderDecremented. */
  #prevented(at: number, slot: number): void {
    const { records } = this.#events
    const orderId = OrderDecremented.orderId(records, at)
    this.#events.prevention(OrderDecremented.preventionAt(records, at), orderId)
    this.#details.write(slot, records, OrderDecremented.detailsAt(records, at))
  }

  #decremented(at: number, filledLots: Lots, filledAtoms: QuoteAtoms, reduction: Reduction): void {
    const { records } = this.#events
    OrderDecremented.setFilledLots(records, at, filledLots)
    OrderDecremented.setFilledAtoms(records, at, filledAtoms)
    OrderDecremented.setPreventedLots(records, at, reduction.preventedLots)
    OrderDecremented.setRemovedLots(records, at, reduction.removedLots)
    OrderDecremented.setUpdateId(records, at, this.#counters[Counter.updateId]!)
    OrderDecremented.setReleasedAtoms(records, at, reduction.releasedAtoms)
  }

  #amended(at: number, filledLots: Lots, filledAtoms: QuoteAtoms, reduction: Reduction): void {
    const { records } = this.#events
    OrderAmended.setOldLots(records, at, reduction.oldLots)
    OrderAmended.setFilledLots(records, at, filledLots)
    OrderAmended.setFilledAtoms(records, at, filledAtoms)
    OrderAmended.setPreventedLots(records, at, reduction.preventedLots)
    OrderAmended.setRemovedLots(records, at, reduction.removedLots)
    OrderAmended.setUpdateId(records, at, this.#counters[Counter.updateId]!)
    OrderAmended.setReleasedAtoms(records, at, reduction.releasedAtoms)
  }
}
