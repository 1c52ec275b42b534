/**
 * Places order lists, whole or not at all (rest-api.md, order lists): judges all legs, takes the funds,
 * and enters leg after leg; then the leg that works meets the book.
 */

import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import {
  ListOrderStatus,
  ListStatusType,
  legsOf,
  OrderListKind,
  OrderPhase,
  paysPending,
  RejectReason,
  Side,
} from '../../base/codes.ts'
import { minus, most } from '../../base/int64.ts'
import { Atoms, OrderId, OrderListId, type Ticks } from '../../base/units.ts'
import { PlaceOrderList } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { Admission } from './admission.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { DetailWriter } from './detail-writer.ts'
import type { EventWriter } from './event-writer.ts'
import type { Matching } from './matching.ts'
import type { OrderFunds } from './order-funds.ts'
import type { OrderListIds } from './order-list-ids.ts'
import { OrderList } from './order-lists.ts'
import type { SymbolState } from './symbol-state.ts'

export interface ListPlacementParts {
  readonly state: SymbolState
  readonly admission: Admission
  readonly events: EventWriter
  readonly writer: DetailWriter
  readonly funds: OrderFunds
}

export class ListPlacement {
  private readonly parts: ListPlacementParts
  private readonly matching: Matching
  private readonly orderListIds: OrderListIds
  private readonly orders: readonly ArrivingOrder[]

  /** `orders` has one for each leg of the largest list. */
  constructor(
    parts: ListPlacementParts,
    matching: Matching,
    orderListIds: OrderListIds,
    orders: readonly ArrivingOrder[],
  ) {
    this.parts = parts
    this.matching = matching
    this.orderListIds = orderListIds
    this.orders = orders
  }

  /** Executes a PlaceOrderList. Refusing changes nothing. */
  place(commands: RecordBuffer, at: number): Verdict {
    const kind = PlaceOrderList.kind(commands, at)
    const listIdAt = PlaceOrderList.listClientOrderIdAt(at)
    const legs = legsOf(kind)
    for (let leg = 0; leg < legs; leg++) this.orders[leg]!.readLeg(commands, at, leg)
    this.orders[0]!.isPaying = paysPending(kind)
    const verdict = this.judge(kind, legs, commands, at)
    if (verdict !== ADMITTED) return verdict
    const list = this.enter(kind, legs)
    list.setListClientOrderId(commands.i32, listIdAt)
    this.parts.state.addList(list)
    this.parts.writer.listChanged(list, ListStatusType.EXEC_STARTED, ListOrderStatus.EXECUTING)
    const working = this.orders[kind === OrderListKind.OCO ? 1 : 0]!
    if (!working.isStop) this.matching.run(working, working.decision)
    return ADMITTED
  }

  private judge(kind: number, legs: number, commands: RecordBuffer, at: number): Verdict {
    const { admission } = this.parts
    const expiresMs = PlaceOrderList.expiresMs(commands, at)
    const listIdAt = PlaceOrderList.listClientOrderIdAt(at)
    return (
      admission.judgeSender(this.orders[0]!, expiresMs) ||
      admission.judgeListPhase() ||
      this.judgeIds(legs, commands.i32, listIdAt) ||
      admission.counting.judge(this.orders, legs, true) ||
      (kind === OrderListKind.OCO ? this.judgePair() : this.judgeWorking(legs))
    )
  }

  private judgeIds(legs: number, idWords: Int32Array, listIdAt: number): Verdict {
    const { state, admission } = this.parts
    const { account } = this.orders[0]!
    if (state.lists.findClientId(account, idWords, listIdAt) !== undefined) {
      return RejectReason.DUPLICATE_ORDER
    }
    for (let leg = 0; leg < legs; leg++) {
      const order = this.orders[leg]!
      const verdict = admission.judgeClientOrderId(order)
      if (verdict !== ADMITTED) return verdict
      for (let other = 0; other < leg; other++) {
        if (isSameId(order, this.orders[other]!)) return RejectReason.DUPLICATE_ORDER
      }
    }
    return ADMITTED
  }

  /** OCO: both legs are judged, and paid for once. */
  private judgePair(): Verdict {
    const { admission, funds, state } = this.parts
    const stopLoss = this.orders[0]!
    const other = this.orders[1]!
    const verdict =
      (other.isStop ? ADMITTED : admission.fixPrice(other)) ||
      judgeRelation(stopLoss, other, state) ||
      admission.decideStop(stopLoss, 1).verdict ||
      this.decideOther(other) ||
      admission.judgeRoom(2)
    if (verdict !== ADMITTED) return verdict
    const needed = most(stopLoss.decision.heldAtoms, other.decision.heldAtoms)
    return funds.hold(stopLoss.account, stopLoss.side, needed)
  }

  private decideOther(other: ArrivingOrder): Verdict {
    const { admission } = this.parts
    const decided = other.isStop ? admission.decideStop(other, 1) : admission.decideWorking(other)
    return decided.verdict
  }

  /** All others: the working leg is judged; the pending ones when they are released. */
  private judgeWorking(legs: number): Verdict {
    const { admission, funds } = this.parts
    const working = this.orders[0]!
    const { verdict, heldAtoms } = admission.decideWorking(working)
    if (verdict !== ADMITTED) return verdict
    return admission.judgeRoom(legs) || funds.hold(working.account, working.side, heldAtoms)
  }

  private enter(kind: number, legs: number): OrderList {
    const { state, events } = this.parts
    const { details } = state
    const orders = this.orders.slice(0, legs)
    for (const order of orders) order.orderId = OrderId(state.count(Counter.orderId))
    const orderIds = orders.map(({ orderId }) => orderId)
    const list = new OrderList(
      OrderListId(this.orderListIds.next()),
      orders[0]!.account,
      kind,
      orderIds,
    )
    let heldAtoms = Atoms(0)
    for (const [leg, order] of orders.entries()) {
      const phase = phaseOfLeg(kind, leg, order)
      const cost = kind === OrderListKind.OCO || leg === 0 ? order.decision.heldAtoms : Atoms(0)
      list.setClientOrderId(leg, order.idWords, order.idAt)
      order.leftLots = order.lots
      order.createdMs = state.timeMs
      const slot = state.open(order, phase)
      order.writeDetails(details)
      details.orderListId.set(slot, list.orderListId)
      details.leg.set(slot, leg)
      if (phase !== OrderPhase.WORKING) {
        details.costAtoms.set(slot, cost)
        state.startWaiting(slot)
      }
      events.accepted(order, most(Atoms(0), minus(cost, heldAtoms)))
      heldAtoms = most(heldAtoms, cost)
    }
    return list
  }
}

function phaseOfLeg(kind: number, leg: number, order: ArrivingOrder): OrderPhase {
  if (kind !== OrderListKind.OCO && leg > 0) return OrderPhase.PENDING
  return order.isStop ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING
}

function isSameId(a: ArrivingOrder, b: ArrivingOrder): boolean {
  for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) {
    if (a.idWords[a.idAt + i] !== b.idWords[b.idAt + i]) return false
  }
  return true
}

/**
 * How the prices of a pair of legs must stand around the last price (rest-api.md, order lists): a SELL's limit or take-profit price is above the last price and its stop-loss price below; a BUY's
 * the other way round. Without a last price they are judged against each other; a leg that trails
 * without a stop price is not judged.
 */
export function judgeRelation(
  stopLoss: ArrivingOrder,
  other: ArrivingOrder,
  state: SymbolState,
): Verdict {
  const lastTicks = state.lastPriceTicks
  const stopTicks = stopLoss.stopTicks
  const otherTicks = other.isStop ? other.stopTicks : other.priceTicks
  const isSell = stopLoss.side === Side.SELL
  const isRelated = (low: Ticks, high: Ticks): boolean => low === 0 || high === 0 || low < high
  const isOrdered = (outer: Ticks, inner: Ticks): boolean =>
    isSell ? isRelated(inner, outer) : isRelated(outer, inner)
  const stands =
    lastTicks === 0
      ? isOrdered(otherTicks, stopTicks)
      : isOrdered(otherTicks, lastTicks) && isOrdered(lastTicks, stopTicks)
  return stands ? ADMITTED : RejectReason.PRICES_NOT_RELATED
}
