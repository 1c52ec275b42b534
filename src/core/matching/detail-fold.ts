/**
 * The part of recovery that concerns orders with more to them than plain terms, and order lists: see
 * event-fold.ts.
 */
import { assert } from '../../base/assert.ts'
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { DETAILED, ListStatusType, OrderPhase } from '../../base/codes.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import {
  OrderAccepted,
  OrderAmended,
  OrderDecremented,
  OrderDetails,
  OrderListChanged,
} from '../../layout/records.gen.ts'
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
    const { i32, f64 } = events
    const { details, timeMs } = this.#state
    const word = this.#at >> 2
    const double = this.#at >> 3
    const row = details.add(f64[(at >> 3) + OrderAccepted.orderId]!)
    details.account[row] = i32[(at >> 2) + OrderAccepted.account]!
    details.terms[row] = i32[(at >> 2) + OrderAccepted.terms]!
    details.lots[row] = f64[(at >> 3) + OrderAccepted.lots]!
    details.priceTicks[row] = f64[(at >> 3) + OrderAccepted.priceTicks]!
    details.createdMs[row] = timeMs
    details.updatedMs[row] = timeMs
    details.setClientOrderId(row, i32, (at >> 2) + OrderAccepted.clientOrderId)
    details.stopTicks[row] = f64[double + OrderDetails.stopTicks]!
    details.icebergLots[row] = f64[double + OrderDetails.icebergLots]!
    details.strategyId[row] = f64[double + OrderDetails.strategyId]!
    details.strategyType[row] = i32[word + OrderDetails.strategyType]!
    details.trailingDelta[row] = i32[word + OrderDetails.trailingDelta]!
    details.workingMs[row] = f64[double + OrderDetails.workingMs]!
    details.orderListId[row] = f64[double + OrderDetails.orderListId]!
    details.phase[row] = i32[word + OrderDetails.phase]!
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
    const { i32, f64 } = events
    const word = at >> 2
    const orderListId = f64[(at >> 3) + OrderListChanged.orderListId]!
    const list = this.#state.lists.find(orderListId) ?? this.#listed(events, at, orderListId)
    for (let leg = 0; leg < list.legs; leg++) {
      const idAt = word + OrderListChanged.clientOrderId1 + leg * CLIENT_ORDER_ID_WORDS
      list.setClientOrderId(leg, i32, idAt)
    }
    if (i32[word + OrderListChanged.statusType] === ListStatusType.ALL_DONE) {
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
  #listed({ i32, f64 }: RecordBuffer, at: number, orderListId: number): OrderList {
    const { details } = this.#state
    const double = at >> 3
    const { account, kind, listClientOrderId } = OrderListChanged
    const legs = f64[double + OrderListChanged.legs]!
    const ids = [OrderListChanged.orderId1, OrderListChanged.orderId2, OrderListChanged.orderId3]
    const orderIds = ids.slice(0, legs).map((field) => f64[double + field]!)
    const owner = i32[(at >> 2) + account]!
    const list = new OrderList(orderListId, owner, i32[(at >> 2) + kind]!, orderIds)
    list.setListClientOrderId(i32, (at >> 2) + listClientOrderId)
    for (const [leg, orderId] of orderIds.entries()) details.leg[details.find(orderId)] = leg
    this.#state.addList(list)
    this.#orderListIds.recovered(orderListId)
    return list
  }

  #decremented({ i32, f64 }: RecordBuffer, at: number): void {
    const { book, details, counters, timeMs } = this.#state
    const double = at >> 3
    const orderId = f64[double + OrderDecremented.orderId]!
    const preventedLots = f64[double + OrderDecremented.preventedLots]!
    const slot = book.findOrder(orderId)
    counters[Counter.updateId] = f64[double + OrderDecremented.updateId]!
    if (slot === 0) {
      const order = this.#order
      order.terms = i32[(at >> 2) + OrderDecremented.terms]!
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

  #amended({ i32, f64 }: RecordBuffer, at: number): void {
    const { book, details, waiting, counters, timeMs } = this.#state
    const double = at >> 3
    const lots = f64[double + OrderAmended.lots]!
    const oldLots = f64[double + OrderAmended.oldLots]!
    const orderId = f64[double + OrderAmended.orderId]!
    const idAt = (at >> 2) + OrderAmended.clientOrderId
    const slot = book.findOrder(orderId)
    const row = slot === 0 ? details.find(orderId) : this.#state.detail(slot)
    counters[Counter.updateId] = f64[double + OrderAmended.updateId]!
    details.amendments[row] = details.amendments[row]! + 1
    if (slot === 0) {
      this.#state.lowerWaiting(row, lots)
      details.updatedMs[row] = timeMs
      waiting.rename(row, i32, idAt)
      return
    }
    this.#state.reduce(slot, oldLots - lots, row)
    details.lots[row] = lots
    book.terms[slot] = book.terms[slot]! | DETAILED
    book.setUpdatedMs(slot, timeMs)
    book.renameClientOrder(slot, i32, idAt)
  }
}
