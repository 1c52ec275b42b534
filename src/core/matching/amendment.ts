/**
 * Lowers the quantity of open orders, which keep their priority (supplement 2a.6). A pair of which
 * only one can be executed keeps one quantity: both legs are amended.
 */
import { CLIENT_ORDER_ID_WORDS, isNoClientOrderId } from '../../base/client-order-id.ts'
import { DETAILED, ListOrderStatus, ListStatusType, RejectReason } from '../../base/codes.ts'
import { AmendOrder } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { Admission } from './admission.ts'
import { Counter } from './counters.ts'
import { ADMITTED, type Verdict } from './counting-filters.ts'
import type { DetailWriter, Reduction } from './detail-writer.ts'
import type { Endings } from './endings.ts'
import type { OpenOrders } from './open-orders.ts'
import type { SymbolState } from './symbol-state.ts'

export interface AmendmentParts {
  readonly state: SymbolState
  readonly admission: Admission
  readonly open: OpenOrders
  readonly writer: DetailWriter
  readonly endings: Endings
}

export class Amendment {
  readonly #parts: AmendmentParts
  readonly #state: SymbolState

  constructor(parts: AmendmentParts) {
    this.#parts = parts
    this.#state = parts.state
  }

  /** Executes an AmendOrder that is not late. Refusing changes nothing. */
  amend(commands: RecordBuffer, at: number): Verdict {
    const { open } = this.#parts
    const account = AmendOrder.account(commands, at)
    const origIdAt = AmendOrder.origClientOrderIdAt(at)
    const lots = AmendOrder.lots(commands, at)
    const isFound = open.find(account, AmendOrder.orderId(commands, at), commands.i32, origIdAt)
    if (!isFound || !open.isAgreeing(commands.i32, origIdAt)) return RejectReason.UNKNOWN_ORDER
    const { slot, row } = open
    const idAt = AmendOrder.clientOrderIdAt(at)
    const isRenamed = !isNoClientOrderId(commands.i32, idAt) && !open.isAgreeing(commands.i32, idAt)
    const verdict = this.#judge(slot, row, lots)
    if (verdict !== ADMITTED) return verdict
    if (isRenamed && this.#state.hasClientOrder(account, commands.i32, idAt))
      return RejectReason.DUPLICATE_ORDER
    this.#amendAll(slot, row, lots, isRenamed ? commands.i32 : undefined, idAt)
    return ADMITTED
  }

  #judge(slot: number, row: number, lots: number): Verdict {
    const { details, book } = this.#state
    const oldLots = row !== 0 ? details.lots[row]! : book.openLots[slot]! + book.filledLots[slot]!
    const filled = slot === 0 ? 0 : book.filledLots[slot]!
    const prevented = row === 0 ? 0 : details.preventedLots[row]!
    const amendments = row === 0 ? 0 : details.amendments[row]!
    if (lots > oldLots) return RejectReason.AMEND_INCREASES
    if (lots === oldLots || lots <= filled + prevented) return RejectReason.AMEND_CHANGES_NOTHING
    if (amendments >= this.#parts.admission.spec.bounds.amendmentsMax) {
      return RejectReason.MAX_NUM_ORDER_AMENDS
    }
    const sibling = row === 0 ? 0 : this.#state.siblingOf(row)
    const verdict = sibling === 0 ? ADMITTED : this.#judgeSibling(sibling, lots)
    if (verdict !== ADMITTED) return verdict
    const isWorthTooLittle =
      this.#isWorthTooLittle(slot, row, lots) ||
      (sibling !== 0 && this.#isWorthTooLittle(this.#slotOf(sibling), sibling, lots))
    return isWorthTooLittle ? RejectReason.NOTIONAL_TOO_SMALL : ADMITTED
  }

  /** The other leg of a pair, which has lost nothing to fills, follows unless that ends it. */
  #judgeSibling(row: number, lots: number): Verdict {
    const { details } = this.#state
    if (lots <= details.preventedLots[row]!) return RejectReason.AMEND_CHANGES_NOTHING
    return details.amendments[row]! >= this.#parts.admission.spec.bounds.amendmentsMax
      ? RejectReason.MAX_NUM_ORDER_AMENDS
      : ADMITTED
  }

  /** 0 while the order does not rest. */
  #slotOf(row: number): number {
    return this.#state.book.findOrder(this.#state.details.orderId[row]!)
  }

  /** NOTIONAL and MIN_NOTIONAL hold for the new quantity too; an order without a limit has no price. */
  #isWorthTooLittle(slot: number, row: number, lots: number): boolean {
    const { details, book } = this.#state
    const { notionalAtomsMin } = this.#parts.admission.spec
    const priceTicks = slot === 0 ? details.priceTicks[row]! : book.priceTicksOf(slot)
    return priceTicks > 0 && this.#state.notional.down(priceTicks, lots) < notionalAtomsMin
  }

  /** The order, renamed or not, and the other of its pair, by order id. */
  #amendAll(
    slot: number,
    row: number,
    lots: number,
    idWords: Int32Array | undefined,
    idAt: number,
  ): void {
    const { details } = this.#state
    const sibling = row === 0 ? 0 : this.#state.siblingOf(row)
    const isSiblingFirst = sibling !== 0 && details.orderId[sibling]! < details.orderId[row]!
    if (isSiblingFirst) this.#amendSibling(sibling, lots)
    this.#amendOne(slot, row, lots, idWords, idAt)
    if (sibling !== 0 && !isSiblingFirst) this.#amendSibling(sibling, lots)
    const list = row === 0 ? undefined : this.#state.listOf(row)
    if (list === undefined || idWords === undefined) return
    list.setClientOrderId(details.leg[row]!, idWords, idAt)
    this.#parts.writer.listChanged(list, ListStatusType.UPDATED, ListOrderStatus.EXECUTING)
  }

  #amendSibling(row: number, lots: number): void {
    this.#amendOne(this.#slotOf(row), row, lots, undefined, 0)
  }

  #amendOne(
    slot: number,
    found: number,
    lots: number,
    idWords: Int32Array | undefined,
    idAt: number,
  ): void {
    const { details } = this.#state
    const row = found !== 0 ? found : this.#state.detail(slot)
    this.#parts.writer.details(row)
    const oldLots = details.lots[row]!
    const sibling = this.#state.siblingOf(row)
    const others = sibling === 0 ? 0 : this.#state.needOf(sibling)
    const before = Math.max(others, this.#state.needOf(row))
    const removedLots = slot === 0 ? 0 : this.#state.reduce(slot, oldLots - lots, row)
    if (slot === 0) this.#state.lowerWaiting(row, lots)
    details.lots[row] = lots
    const releasedAtoms = before - Math.max(others, this.#state.needOf(row))
    if (removedLots !== 0) this.#state.count(Counter.updateId)
    this.#parts.endings.release(details.account[row]!, details.terms[row]! & 1, releasedAtoms)
    const preventedLots = details.preventedLots[row]!
    const reduction = { lots, oldLots, preventedLots, removedLots, releasedAtoms }
    this.#write(slot, row, reduction, idWords, idAt)
    details.amendments[row] = details.amendments[row]! + 1
  }

  #write(
    slot: number,
    row: number,
    reduction: Reduction,
    idWords: Int32Array | undefined,
    idAt: number,
  ): void {
    const { writer } = this.#parts
    const { book, details, waiting, timeMs } = this.#state
    if (slot === 0) {
      const ownAt = row * CLIENT_ORDER_ID_WORDS
      writer.amendedWaiting(
        row,
        reduction,
        idWords ?? details.clientOrderId,
        idWords ? idAt : ownAt,
      )
      details.updatedMs[row] = timeMs
      if (idWords !== undefined) waiting.rename(row, idWords, idAt)
      return
    }
    const ownAt = book.clientOrderIdAt(slot)
    writer.amendedResting(slot, reduction, idWords ?? book.clientOrderId, idWords ? idAt : ownAt)
    book.terms[slot] = book.terms[slot]! | DETAILED
    book.setUpdatedMs(slot, timeMs)
    if (idWords !== undefined) book.renameClientOrder(slot, idWords, idAt)
  }
}
