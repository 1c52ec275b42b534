/**
 * Ends orders other than by filling them, and what the end of one leg does to the others of its list
 * (rest-api.md, order lists): writes the events, gives back what was held, changes the state.
 */
import { isDetailed } from '../../base/codes.ts'
import { type Atoms, Lots } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import { Ending } from './endings.ts'
import { type EventWriter, NO_MATCH } from './event-writer.ts'
import type { OrderFunds } from './order-funds.ts'
import type { OrderList } from './order-lists.ts'
import { OrderSummary } from './order-summary.ts'
import type { SymbolState } from './symbol-state.ts'

export class OrderCloser {
  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly funds: OrderFunds
  private readonly events: EventWriter
  /** The open order that ends. */
  private readonly leaving = new OrderSummary()

  constructor(state: SymbolState, funds: OrderFunds, events: EventWriter) {
    this.state = state
    this.book = state.book
    this.funds = funds
    this.events = events
  }

  /** Cancels an open order, and all of its list, under the id at idWords[idAt]. */
  cancel(slot: number, idWords: Int32Array, idAt: number): void {
    if (!isDetailed(this.book.terms[slot]!)) {
      this.cancelPlain(slot, idWords, idAt)
      return
    }
    const list = this.state.listOf(slot)
    if (list !== undefined) this.cancelList(list, idWords, idAt)
    else this.cancelOne(slot, idWords, idAt)
  }

  /** Cancels every open leg of a list. */
  cancelList(list: OrderList, idWords: Int32Array, idAt: number): void {
    for (let leg = 0; leg < list.legs; leg++) {
      if (list.isOpen(leg)) this.cancelOne(this.slotOf(list, leg), idWords, idAt)
    }
  }

  /** A resting order expires whole by the MatchPrevented at byte `matchAt`, and releases `atoms`. */
  expireMaker(slot: number, lots: Lots, atoms: Atoms, matchAt: number): void {
    const { details } = this.state
    const list = this.state.listOf(slot)
    const leg = details.leg.of(slot)
    const preventedLots = Lots(lots + details.preventedLots.of(slot))
    const idAt = this.book.clientOrderIdAt(slot)
    const { clientOrderId } = this.book
    this.close(slot, Ending.PREVENTED, preventedLots, atoms, clientOrderId, idAt, matchAt)
    if (list !== undefined) this.legExpired(list, leg)
  }

  /** A resting order expires, and what depends on it. */
  expireResting(slot: number, ending: Ending): void {
    const list = this.state.listOf(slot)
    const leg = this.state.details.leg.of(slot)
    this.expire(slot, ending, this.state.releasable(slot))
    if (list !== undefined) this.legExpired(list, leg)
  }

  /** An open order expires and releases `atoms`, because of another of its list. */
  expire(slot: number, ending: Ending, atoms: Atoms): void {
    const preventedLots = this.state.details.preventedLots.of(slot)
    const idAt = this.book.clientOrderIdAt(slot)
    this.close(slot, ending, preventedLots, atoms, this.book.clientOrderId, idAt)
  }

  /** The order of the present execution ends and releases `atoms`; `matchAt` as EventWriter.closed. */
  closeTaker(order: ArrivingOrder, ending: Ending, atoms: Atoms, matchAt = NO_MATCH): void {
    const { slot } = order
    this.funds.release(order.account, order.side, atoms)
    this.events.closed(order, ending, Lots(0), atoms, order.idWords, order.idAt, matchAt)
    if (slot === 0) return
    const list = this.state.listOf(slot)
    const leg = this.state.details.leg.of(slot)
    this.state.leave(slot)
    if (list !== undefined) this.legExpired(list, leg)
  }

  /** A leg has expired: what depends on it does too. */
  legExpired(list: OrderList, leg: number): void {
    const sibling = list.siblingOf(leg)
    if (sibling >= 0) {
      const slot = this.slotOf(list, sibling)
      this.expire(slot, Ending.SIBLING_CHOSEN, this.state.needOf(slot))
    }
    if (!list.isWorkingLeg(leg)) return
    for (let pending = 1; pending < list.legs; pending++) {
      if (!list.isOpen(pending)) continue
      const slot = this.slotOf(list, pending)
      this.expire(slot, Ending.NEVER_RELEASED, this.state.releasable(slot))
    }
  }

  private slotOf(list: OrderList, leg: number): number {
    return this.book.findOrder(list.orderIds[leg]!)
  }

  /** Most cancels are of plain orders, which need none of the sparse columns (bench `engine`). */
  private cancelPlain(slot: number, idWords: Int32Array, idAt: number): void {
    const book = this.book
    const side = book.sideOf(slot)
    const atoms = this.state.heldFor(side, book.priceTicksOf(slot), book.openLots[slot]!)
    this.funds.release(book.account[slot]!, side, atoms)
    this.state.count(Counter.updateId)
    this.events.canceledPlain(slot, atoms, idWords, idAt)
    this.state.leave(slot)
  }

  private cancelOne(slot: number, idWords: Int32Array, idAt: number): void {
    const preventedLots = this.state.details.preventedLots.of(slot)
    const atoms = this.state.releasable(slot)
    this.close(slot, Ending.CANCELED, preventedLots, atoms, idWords, idAt)
  }

  private close(
    slot: number,
    ending: Ending,
    preventedLots: Lots,
    atoms: Atoms,
    idWords: Int32Array,
    idAt: number,
    matchAt = NO_MATCH,
  ): void {
    const book = this.book
    this.funds.release(book.account[slot]!, book.sideOf(slot), atoms)
    const isResting = book.isResting(slot)
    if (isResting) this.state.count(Counter.updateId)
    const leaving = this.leaving
    this.state.copyOrder(slot, leaving)
    leaving.preventedLots = preventedLots
    const restedLots = isResting ? book.openLots[slot]! : Lots(0)
    this.events.closed(leaving, ending, restedLots, atoms, idWords, idAt, matchAt)
    this.state.leave(slot)
  }
}
