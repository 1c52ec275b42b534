/**
 * The part of recovery that concerns orders with more to them than plain terms, and order lists: see
 * event-fold.ts.
 */
import { assert } from '../../base/assert.ts'
import { DETAILED, ListStatusType, OrderPhase } from '../../base/codes.ts'
import {
  OrderAccepted,
  OrderAmended,
  OrderDecremented,
  OrderDetails,
  OrderListChanged,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { Counter } from './counters.ts'
import type { TurnOrder } from './event-fold.ts'
import type { OrderListIds } from './order-list-ids.ts'
import { OrderList } from './order-lists.ts'
import type { SymbolState } from './symbol-state.ts'

export class DetailFold {
  readonly #state: SymbolState
  readonly #order: TurnOrder
  readonly #orderListIds: OrderListIds
  /** Where the OrderDetails of the event at hand stands. */
  #at = 0

  constructor(state: SymbolState, order: TurnOrder, orderListIds: OrderListIds) {
    this.#state = state
    this.#order = order
    this.#orderListIds = orderListIds
  }

  /** An OrderDetails: the event that it is about comes next, in the same buffer. */
  remember(at: number): void {
    this.#at = at
  }

  /** A detailed order is accepted; answers its new row. */
  accepted(events: RecordBuffer, at: number): number {
    const { details, timeMs } = this.#state
    const row = details.add(OrderAccepted.orderId(events, at))
    details.account[row] = OrderAccepted.account(events, at)
    details.terms[row] = OrderAccepted.terms(events, at)
    details.lots[row] = OrderAccepted.lots(events, at)
    details.priceTicks[row] = OrderAccepted.priceTicks(events, at)
    details.createdMs[row] = timeMs
    details.updatedMs[row] = timeMs
    details.setClientOrderId(row, events.i32, OrderAccepted.clientOrderIdAt(at))
    details.stopTicks[row] = OrderDetails.stopTicks(events, this.#at)
    details.icebergLots[row] = OrderDetails.icebergLots(events, this.#at)
    details.strategyId[row] = OrderDetails.strategyId(events, this.#at)
    details.strategyType[row] = OrderDetails.strategyType(events, this.#at)
    details.trailingDelta[row] = OrderDetails.trailingDelta(events, this.#at)
    details.workingMs[row] = OrderDetails.workingMs(events, this.#at)
    details.orderListId[row] = OrderDetails.orderListId(events, this.#at)
    details.phase[row] = OrderDetails.phase(events, this.#at)
    return row
  }

  /** A stop or a pending leg was accepted. */
  startWaiting(row: number): void {
    if (this.#state.details.phase[row] === OrderPhase.UNTRIGGERED) this.#price(row)
    this.#state.startWaiting(row)
  }

  /** A pending stop went live. */
  release(row: number): void {
    this.#price(row)
    this.#state.release(row)
  }

  /** OrderDecremented and OrderAmended; other events change nothing here. */
  lowered(events: RecordBuffer, at: number): void {
    const type = recordType(events, at)
    if (type === OrderDecremented.type) this.#decremented(events, at)
    else if (type === OrderAmended.type) this.#amended(events, at)
  }

  listChanged(events: RecordBuffer, at: number): void {
    const orderListId = OrderListChanged.orderListId(events, at)
    const list = this.#state.lists.find(orderListId) ?? this.#listed(events, at, orderListId)
    for (let leg = 0; leg < list.legs; leg++) {
      const idAt = OrderListChanged.legClientOrderIdAt(at, leg)
      list.setClientOrderId(leg, events.i32, idAt)
    }
    if (OrderListChanged.statusType(events, at) === ListStatusType.ALL_DONE) {
      assert(list.openLegs === 0, 'a list is done when no leg is open')
      this.#state.removeList(list)
    }
  }

  /** What a stop needs, at the last price, as when it was judged. */
  #price(row: number): void {
    const { details } = this.#state
    details.costAtoms[row] = this.#state.costOfStop({
      terms: details.terms[row]!,
      priceTicks: details.priceTicks[row]!,
      stopTicks: details.stopTicks[row]!,
      trailingDelta: details.trailingDelta[row]!,
      lots: details.lots[row]!,
    })
  }

  /** The first that is heard of a list; its legs were accepted just before. */
  #listed(records: RecordBuffer, at: number, orderListId: number): OrderList {
    const { details } = this.#state
    const orderIds = Array.from({ length: OrderListChanged.legs(records, at) }, (_, leg) =>
      OrderListChanged.legOrderId(records, at, leg),
    )
    const owner = OrderListChanged.account(records, at)
    const kind = OrderListChanged.kind(records, at)
    const list = new OrderList(orderListId, owner, kind, orderIds)
    list.setListClientOrderId(records.i32, OrderListChanged.listClientOrderIdAt(at))
    for (const [leg, orderId] of orderIds.entries()) details.leg[details.find(orderId)] = leg
    this.#state.addList(list)
    this.#orderListIds.recovered(orderListId)
    return list
  }

  #decremented(records: RecordBuffer, at: number): void {
    const { book, details, counters, timeMs } = this.#state
    const orderId = OrderDecremented.orderId(records, at)
    const preventedLots = OrderDecremented.preventedLots(records, at)
    const slot = book.findOrder(orderId)
    counters[Counter.updateId] = OrderDecremented.updateId(records, at)
    if (slot === 0) {
      const order = this.#order
      order.terms = OrderDecremented.terms(records, at)
      if (order.row === 0) order.row = this.#rowOfTurn()
      details.preventedLots[order.row] = preventedLots
      return
    }
    const row = this.#state.detail(slot)
    this.#state.reduce(slot, preventedLots - details.preventedLots[row]!, row)
    details.preventedLots[row] = preventedLots
    book.terms[slot] = book.terms[slot]! | DETAILED
    book.setUpdatedMs(slot, timeMs)
  }

  /** The plain order whose turn it is becomes detailed. */
  #rowOfTurn(): number {
    const { details } = this.#state
    const order = this.#order
    const row = details.add(order.orderId)
    details.account[row] = order.account
    details.terms[row] = order.terms
    details.lots[row] = order.lots
    details.workingMs[row] = order.createdMs
    return row
  }

  #amended(records: RecordBuffer, at: number): void {
    const { book, details, waiting, counters, timeMs } = this.#state
    const lots = OrderAmended.lots(records, at)
    const oldLots = OrderAmended.oldLots(records, at)
    const orderId = OrderAmended.orderId(records, at)
    const idAt = OrderAmended.clientOrderIdAt(at)
    const slot = book.findOrder(orderId)
    const row = slot === 0 ? details.find(orderId) : this.#state.detail(slot)
    counters[Counter.updateId] = OrderAmended.updateId(records, at)
    details.amendments[row] = details.amendments[row]! + 1
    if (slot === 0) {
      this.#state.lowerWaiting(row, lots)
      details.updatedMs[row] = timeMs
      waiting.rename(row, records.i32, idAt)
      return
    }
    this.#state.reduce(slot, oldLots - lots, row)
    details.lots[row] = lots
    book.terms[slot] = book.terms[slot]! | DETAILED
    book.setUpdatedMs(slot, timeMs)
    book.renameClientOrder(slot, records.i32, idAt)
  }
}
