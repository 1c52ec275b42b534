/**
 * The part of recovery that concerns orders with more to them than plain terms, and order lists: see
 * event-applier.ts.
 */
import { assert } from '../../base/assert.ts'
import { ListStatusType, OrderPhase } from '../../base/codes.ts'
import { Lots, type OrderListId } from '../../base/units.ts'
import {
  DetailsSection,
  OrderAccepted,
  OrderAmended,
  OrderDecremented,
  OrderFunded,
  OrderListChanged,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { Counter } from './counters.ts'
import type { OrderListIds } from './order-list-ids.ts'
import { OrderList } from './order-lists.ts'
import type { ExecutionOrder } from './order-summary.ts'
import type { SymbolState } from './symbol-state.ts'

export class DetailApplier {
  private readonly state: SymbolState
  private readonly order: ExecutionOrder
  private readonly orderListIds: OrderListIds

  constructor(state: SymbolState, order: ExecutionOrder, orderListIds: OrderListIds) {
    this.state = state
    this.order = order
    this.orderListIds = orderListIds
  }

  /** Whether the detailed order that is accepted waits, for its price or for another order. */
  isWaiting(events: RecordBuffer, at: number): boolean {
    return DetailsSection.phase(events, OrderAccepted.detailsAt(events, at)) !== OrderPhase.WORKING
  }

  /** A detailed order was accepted. */
  accepted(order: ExecutionOrder, events: RecordBuffer, at: number): void {
    const { details } = this.state
    const section = OrderAccepted.detailsAt(events, at)
    const phase = DetailsSection.phase(events, section) as OrderPhase
    const slot = this.state.open(order, phase)
    details.takeSection(slot, events, section)
    if (phase === OrderPhase.WORKING) return
    if (phase === OrderPhase.UNTRIGGERED) this.price(slot)
    this.state.startWaiting(slot)
  }

  /** A pending stop went live. */
  release(slot: number): void {
    this.price(slot)
    this.state.release(slot)
  }

  /** OrderFunded, OrderDecremented and OrderAmended; other events change nothing here. */
  changed(events: RecordBuffer, at: number): void {
    const type = recordType(events, at)
    if (type === OrderFunded.type) {
      const slot = this.state.book.findOrder(OrderFunded.orderId(events, at))
      this.state.fund(slot, OrderFunded.heldAtoms(events, at))
    } else if (type === OrderDecremented.type) this.decremented(events, at)
    else if (type === OrderAmended.type) this.amended(events, at)
  }

  listChanged(events: RecordBuffer, at: number): void {
    const orderListId = OrderListChanged.orderListId(events, at)
    const list = this.state.lists.find(orderListId) ?? this.listed(events, at, orderListId)
    for (let leg = 0; leg < list.legs; leg++) {
      const idAt = OrderListChanged.legClientOrderIdAt(at, leg)
      list.setClientOrderId(leg, events.i32, idAt)
    }
    if (OrderListChanged.statusType(events, at) === ListStatusType.ALL_DONE) {
      assert(list.openLegs === 0, 'a list is done when no leg is open')
      this.state.removeList(list)
    }
  }

  /** What a stop needs, at the last price, as when it was judged. */
  private price(slot: number): void {
    const { book, details } = this.state
    const costAtoms = this.state.costOfStop({
      terms: book.terms[slot]!,
      priceTicks: book.priceTicksOf(slot),
      stopTicks: details.stopTicks.of(slot),
      trailingDelta: details.trailingDelta.of(slot),
      lots: book.openLots[slot]!,
    })
    details.costAtoms.set(slot, costAtoms)
  }

  /** The first event of a list; its legs were accepted just before. */
  private listed(records: RecordBuffer, at: number, orderListId: OrderListId): OrderList {
    const { book, details } = this.state
    const orderIds = Array.from({ length: OrderListChanged.legs(records, at) }, (_, leg) =>
      OrderListChanged.legOrderId(records, at, leg),
    )
    const owner = OrderListChanged.account(records, at)
    const kind = OrderListChanged.kind(records, at)
    const list = new OrderList(orderListId, owner, kind, orderIds)
    list.setListClientOrderId(records.i32, OrderListChanged.listClientOrderIdAt(at))
    for (const [leg, orderId] of orderIds.entries()) details.leg.set(book.findOrder(orderId), leg)
    this.state.addList(list)
    this.orderListIds.recovered(orderListId)
    return list
  }

  private decremented(records: RecordBuffer, at: number): void {
    const { book, details, counters, timeMs } = this.state
    const order = this.order
    const orderId = OrderDecremented.orderId(records, at)
    const preventedLots = OrderDecremented.preventedLots(records, at)
    counters[Counter.updateId] = OrderDecremented.updateId(records, at)
    if (orderId === order.orderId) {
      order.terms = OrderDecremented.terms(records, at)
      if (order.slot === 0) this.state.open(order, OrderPhase.WORKING)
      details.preventedLots.set(order.slot, preventedLots)
      return
    }
    const slot = book.findOrder(orderId)
    this.state.detail(slot)
    this.state.reduce(slot, Lots(preventedLots - details.preventedLots.of(slot)))
    details.preventedLots.set(slot, preventedLots)
    book.setUpdatedMs(slot, timeMs)
  }

  private amended(records: RecordBuffer, at: number): void {
    const { book, details, counters, timeMs } = this.state
    const removedLots = Lots(OrderAmended.oldLots(records, at) - OrderAmended.lots(records, at))
    const slot = book.findOrder(OrderAmended.orderId(records, at))
    this.state.detail(slot)
    counters[Counter.updateId] = OrderAmended.updateId(records, at)
    details.amendments.set(slot, details.amendments.of(slot) + 1)
    this.state.reduce(slot, removedLots)
    book.setUpdatedMs(slot, timeMs)
    book.renameClientOrder(slot, records.i32, OrderAmended.clientOrderIdAt(at))
  }
}
