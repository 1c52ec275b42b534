/**
 * Lowers the quantity of open orders, which keep their priority (faqs/order_amend_keep_priority.md). An OCO pair keeps one
 * quantity: both legs are amended.
 */

import { isNoClientOrderId } from '../../base/client-order-id.ts'
import {
  isCall,
  ListOrderStatus,
  ListStatusType,
  OrderPhase,
  paysPending,
  RejectReason,
  SelfTradePrevention,
} from '../../base/codes.ts'
import { minus } from '../../base/int64.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import { Lots, OrderId } from '../../base/units.ts'
import { AmendOrder } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { Admission } from './admission.ts'
import { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { DetailWriter } from './detail-writer.ts'
import type { OpenOrders } from './open-orders.ts'
import type { OrderFunds } from './order-funds.ts'
import { OrderSummary } from './order-summary.ts'
import type { OwnOrders } from './own-orders.ts'
import type { Prevention } from './prevention.ts'
import type { SymbolState } from './symbol-state.ts'

export interface AmendmentParts {
  readonly state: SymbolState
  readonly admission: Admission
  readonly writer: DetailWriter
  readonly funds: OrderFunds
  readonly own: OwnOrders
  readonly prevention: Prevention
}

export class Amendment {
  private readonly parts: AmendmentParts
  private readonly state: SymbolState
  private readonly open: OpenOrders
  private readonly amended = new OrderSummary()
  /** The later of two orders of one owner that meet. */
  private readonly later = new ArrivingOrder()

  constructor(parts: AmendmentParts, open: OpenOrders) {
    this.parts = parts
    this.state = parts.state
    this.open = open
  }

  /** Executes an AmendOrder that is not late. Refusing changes nothing. */
  amend(commands: RecordBuffer, at: number): Verdict {
    const open = this.open
    const account = AmendOrder.account(commands, at)
    const origIdAt = AmendOrder.origClientOrderIdAt(at)
    const lots = AmendOrder.lots(commands, at)
    const slot = open.find(account, AmendOrder.orderId(commands, at), commands.i32, origIdAt)
    if (slot === 0 || !open.isAgreeing(slot, commands.i32, origIdAt)) {
      return RejectReason.UNKNOWN_ORDER
    }
    const idAt = AmendOrder.clientOrderIdAt(at)
    const isRenamed =
      !isNoClientOrderId(commands.i32, idAt) && !open.isAgreeing(slot, commands.i32, idAt)
    const verdict = this.judge(slot, lots)
    if (verdict !== ADMITTED) return verdict
    if (isRenamed && this.state.hasClientOrder(account, commands.i32, idAt))
      return RejectReason.DUPLICATE_ORDER
    const restingId = isCall(this.state.phase) ? this.restingIdOf(slot) : OrderId(0)
    if (restingId !== 0 && !this.hasRoomAcross(restingId)) return RejectReason.TOO_MANY_MATCHES
    this.amendAll(slot, lots, isRenamed ? commands.i32 : undefined, idAt)
    if (restingId !== 0) this.preventAcross(restingId)
    return ADMITTED
  }

  /** Whether `lower` may. */
  canLower(slot: number, lots: Lots): boolean {
    return this.judge(slot, lots) === ADMITTED
  }

  /** Lowers an order that is in no list, in trading. */
  lower(slot: number, lots: Lots): void {
    this.amendOne(slot, lots, undefined, 0)
  }

  /** The order, or the other of its pair, that rests; 0 where both wait. */
  private restingIdOf(slot: number): OrderId {
    const { book } = this.state
    const resting = [slot, this.state.siblingOf(slot)].find((it) => it !== 0 && book.isResting(it))
    return resting === undefined ? OrderId(0) : book.orderId[resting]!
  }

  /** Finds the owner's orders across, and whether an execution has room to prevent all matches with them. */
  private hasRoomAcross(orderId: OrderId): boolean {
    const { own, admission } = this.parts
    this.later.readResting(this.state, this.state.book.findOrder(orderId))
    return own.find(this.later) && admission.hasRoomFor(own.ids.length)
  }

  /** Prevents what was found, best first, by the mode of the later order of each two. */
  private preventAcross(orderId: OrderId): void {
    const { own, prevention } = this.parts
    const { book } = this.state
    own.arrange(book.sideOf(book.findOrder(orderId)), SelfTradePrevention.NONE)
    for (const otherId of own.ids) {
      const slot = book.findOrder(orderId)
      const other = book.findOrder(otherId)
      if (slot === 0) return
      if (other === 0) continue
      const isLater = orderId > otherId
      const olderSlot = isLater ? other : slot
      this.later.readResting(this.state, isLater ? slot : other)
      if (this.later.prevention === SelfTradePrevention.NONE) continue
      prevention.preventResting(this.later, olderSlot, book.priceTicksOf(olderSlot))
    }
  }

  private judge(slot: number, lots: Lots): Verdict {
    const { details, book } = this.state
    const list = this.state.listOf(slot)
    const isPending = details.phase.of(slot) === OrderPhase.PENDING
    if (isPending && list !== undefined && paysPending(list.kind)) return RejectReason.AMEND_PENDING
    const oldLots = this.state.lotsOf(slot)
    const lostLots = book.filledLots[slot]! + details.preventedLots.of(slot)
    if (lots > oldLots) return RejectReason.AMEND_INCREASES
    if (lots === oldLots || lots <= lostLots) return RejectReason.AMEND_CHANGES_NOTHING
    if (this.isAmendedOften(slot)) return RejectReason.MAX_NUM_ORDER_AMENDS
    const sibling = this.state.siblingOf(slot)
    const verdict = sibling === 0 ? ADMITTED : this.judgeSibling(sibling, lots)
    if (verdict !== ADMITTED) return verdict
    const isWorthTooLittle =
      this.isWorthTooLittle(slot, lots) || (sibling !== 0 && this.isWorthTooLittle(sibling, lots))
    if (isWorthTooLittle) return RejectReason.NOTIONAL_TOO_SMALL
    return (
      this.judgeAssets(slot, lots) || (sibling === 0 ? ADMITTED : this.judgeAssets(sibling, lots))
    )
  }

  /** The other leg of a pair, which has lost nothing to fills, follows unless that ends it. */
  private judgeSibling(slot: number, lots: Lots): Verdict {
    const { preventedLots } = this.state.details
    if (lots <= preventedLots.of(slot)) return RejectReason.AMEND_CHANGES_NOTHING
    return this.isAmendedOften(slot) ? RejectReason.MAX_NUM_ORDER_AMENDS : ADMITTED
  }

  private isAmendedOften(slot: number): boolean {
    const { amendmentsMax } = this.parts.admission.spec.bounds
    return this.state.details.amendments.of(slot) >= amendmentsMax
  }

  /** NOTIONAL and MIN_NOTIONAL hold for the new quantity too; an order without a limit has no price. */
  private isWorthTooLittle(slot: number, lots: Lots): boolean {
    const { notionalAtomsMin } = this.parts.admission.spec
    const priceTicks = this.state.book.priceTicksOf(slot)
    return priceTicks > 0 && this.state.notional.down(priceTicks, lots) < notionalAtomsMin
  }

  private judgeAssets(slot: number, lots: Lots): Verdict {
    const { book, notional } = this.state
    const { admission } = this.parts
    const baseAtoms = baseAtomsOf(lots, admission.spec.atomsPerLot)
    return admission.judgeAssets(notional.up(book.priceTicksOf(slot), lots), baseAtoms)
  }

  /** The order, renamed or not, and the other of its pair, by order id. */
  private amendAll(slot: number, lots: Lots, idWords: Int32Array | undefined, idAt: number): void {
    const { book, details } = this.state
    const sibling = this.state.siblingOf(slot)
    const isSiblingFirst = sibling !== 0 && book.orderId[sibling]! < book.orderId[slot]!
    if (isSiblingFirst) this.amendOne(sibling, lots, undefined, 0)
    this.amendOne(slot, lots, idWords, idAt)
    if (sibling !== 0 && !isSiblingFirst) this.amendOne(sibling, lots, undefined, 0)
    const list = this.state.listOf(slot)
    if (list === undefined || idWords === undefined) return
    list.setClientOrderId(details.leg.of(slot), idWords, idAt)
    this.parts.writer.listChanged(list, ListStatusType.UPDATED, ListOrderStatus.EXECUTING)
  }

  private amendOne(slot: number, lots: Lots, idWords: Int32Array | undefined, idAt: number): void {
    const { writer, funds } = this.parts
    const { book, details, timeMs } = this.state
    this.state.detail(slot)
    const oldLots = this.state.lotsOf(slot)
    const before = this.state.pairNeed(slot)
    const removedLots = this.state.reduce(slot, Lots(oldLots - lots))
    const releasedAtoms = minus(before, this.state.pairNeed(slot))
    if (removedLots !== 0) this.state.count(Counter.updateId)
    funds.release(book.account[slot]!, book.sideOf(slot), releasedAtoms)
    details.amendments.set(slot, details.amendments.of(slot) + 1)
    const order = this.amended
    this.state.copyOrder(slot, order)
    const id = idWords === undefined ? order : { idWords, idAt }
    writer.amended(order, { oldLots, removedLots, releasedAtoms }, id.idWords, id.idAt)
    book.setUpdatedMs(slot, timeMs)
    if (idWords !== undefined) book.renameClientOrder(slot, idWords, idAt)
  }
}
