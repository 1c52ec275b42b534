/**
 * Writes the events of orders that have more to them than plain terms, and of order lists, into the
 * same stream as event-writer.ts, under the same rule: an event is written before what it reports
 * is changed, unless its method states otherwise.
 */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import type { ListOrderStatus, ListStatusType } from '../../base/codes.ts'
import type { Atoms, Lots } from '../../base/units.ts'
import {
  DetailsSection,
  ExecutionEvent,
  LEGS_MAX,
  OrderAmended,
  OrderDecremented,
  OrderFunded,
  OrderListChanged,
  OrderReleased,
  OrderReplenished,
  OrderTriggered,
  PreventionSection,
  WholeOrderEvent,
} from '../../layout/accessors.gen.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import type { Details } from './details.ts'
import type { EventWriter } from './event-writer.ts'
import type { OrderList } from './order-lists.ts'
import type { OrderSummary } from './order-summary.ts'
import type { SymbolState } from './symbol-state.ts'

const IDS = CLIENT_ORDER_ID_WORDS
/** An order that waits, is amended or continues after a prevented match is detailed. */
const EXECUTION_BYTES = OrderTriggered.bytes + DetailsSection.bytes
const AMENDED_BYTES = OrderAmended.bytes + DetailsSection.bytes
/** Without its sections about the match. */
const DECREMENTED_BYTES = OrderDecremented.bytes + DetailsSection.bytes

/** How the quantity of an order that continues was lowered. */
export interface Reduction {
  readonly oldLots: Lots
  readonly removedLots: Lots
  readonly releasedAtoms: Atoms
}

export class DetailWriter {
  private readonly events: EventWriter
  private readonly book: OrderBook
  private readonly details: Details
  private readonly counters: Float64Array

  constructor(events: EventWriter, state: SymbolState) {
    this.events = events
    this.book = state.book
    this.details = state.details
    this.counters = state.counters
  }

  triggered(order: ArrivingOrder, heldAtoms: Atoms): void {
    this.execution(OrderTriggered.type, order, heldAtoms)
  }

  released(order: ArrivingOrder, heldAtoms: Atoms): void {
    this.execution(OrderReleased.type, order, heldAtoms)
  }

  /** The pending order in `slot` holds more. */
  funded(slot: number, heldAtoms: Atoms): void {
    const at = this.events.open(OrderFunded.type, OrderFunded.bytes)
    const { records } = this.events
    OrderFunded.setAccount(records, at, this.book.account[slot]!)
    OrderFunded.setTerms(records, at, this.book.terms[slot]!)
    OrderFunded.setOrderId(records, at, this.book.orderId[slot]!)
    OrderFunded.setHeldAtoms(records, at, heldAtoms)
  }

  /** The iceberg in `slot` shows its next slice. After the book was changed. */
  replenished(slot: number): void {
    const at = this.events.open(OrderReplenished.type, OrderReplenished.bytes)
    const { records } = this.events
    OrderReplenished.setAccount(records, at, this.book.account[slot]!)
    OrderReplenished.setTerms(records, at, this.book.terms[slot]!)
    OrderReplenished.setOrderId(records, at, this.book.orderId[slot]!)
    OrderReplenished.setPriceTicks(records, at, this.book.priceTicksOf(slot))
    OrderReplenished.setRestedLots(records, at, this.book.openLots[slot]!)
    OrderReplenished.setUpdateId(records, at, this.counters[Counter.updateId]!)
  }

  /**
   * The order lost lots to self-trade prevention and continues; its level lost `removedLots`. The
   * MatchPrevented is at byte `matchAt`.
   */
  decremented(order: OrderSummary, removedLots: Lots, releasedAtoms: Atoms, matchAt: number): void {
    const section = this.events.preventionBytes(matchAt)
    const at = this.events.open(OrderDecremented.type, DECREMENTED_BYTES + section)
    const { records } = this.events
    WholeOrderEvent.writeOrder(records, at, order)
    OrderDecremented.writeProgress(records, at, order)
    OrderDecremented.setRemovedLots(records, at, removedLots)
    OrderDecremented.setUpdateId(records, at, this.counters[Counter.updateId]!)
    OrderDecremented.setReleasedAtoms(records, at, releasedAtoms)
    OrderDecremented.setClientOrderId(records, at, order.idWords, order.idAt)
    this.events.prevention(OrderDecremented.preventionAt(records, at), order.orderId, matchAt)
    this.details.write(order.slot, records, OrderDecremented.detailsAt(records, at))
    if (section > PreventionSection.bytes) this.events.across(at, matchAt, OrderDecremented)
  }

  /** The open order is amended; its id from here on is at idWords[idAt]. */
  amended(order: OrderSummary, reduction: Reduction, idWords: Int32Array, idAt: number): void {
    const at = this.events.open(OrderAmended.type, AMENDED_BYTES)
    const { records } = this.events
    WholeOrderEvent.writeOrder(records, at, order)
    OrderAmended.setOldLots(records, at, reduction.oldLots)
    OrderAmended.writeProgress(records, at, order)
    OrderAmended.setRemovedLots(records, at, reduction.removedLots)
    OrderAmended.setUpdateId(records, at, this.counters[Counter.updateId]!)
    OrderAmended.setReleasedAtoms(records, at, reduction.releasedAtoms)
    OrderAmended.setClientOrderId(records, at, idWords, idAt)
    OrderAmended.setOrigClientOrderId(records, at, order.idWords, order.idAt)
    this.details.write(order.slot, records, OrderAmended.detailsAt(records, at))
  }

  listChanged(list: OrderList, type: ListStatusType, status: ListOrderStatus): void {
    const at = this.events.open(OrderListChanged.type, OrderListChanged.bytes)
    const { records } = this.events
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

  private execution(type: number, order: ArrivingOrder, heldAtoms: Atoms): void {
    const at = this.events.open(type, EXECUTION_BYTES)
    const { records } = this.events
    WholeOrderEvent.writeOrder(records, at, order)
    ExecutionEvent.setHeldAtoms(records, at, heldAtoms)
    ExecutionEvent.setCreatedMs(records, at, order.createdMs)
    ExecutionEvent.setClientOrderId(records, at, order.idWords, order.idAt)
    this.details.write(order.slot, records, OrderTriggered.detailsAt(records, at))
  }
}
