/**
 * How open orders end other than by being filled, and what the end of one leg does to the others of
 * its list (supplement 2c.6): writes the events, gives back what was held, changes the state.
 */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { ExpiryReason, OrderPhase, OrderStatus, Side } from '../../base/codes.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { OrderBook } from '../book/face.ts'
import type { Holds } from '../ledger/holds.ts'
import { Counter } from './counters.ts'
import type { DetailWriter } from './detail-writer.ts'
import type { EventWriter } from './event-writer.ts'
import type { OrderList } from './order-lists.ts'
import type { SymbolState } from './symbol-state.ts'

export class Endings {
  readonly #state: SymbolState
  readonly #book: OrderBook
  readonly #holds: Holds
  readonly #events: EventWriter
  readonly #writer: DetailWriter
  readonly #baseId: number
  readonly #quoteId: number

  constructor(
    state: SymbolState,
    holds: Holds,
    events: EventWriter,
    writer: DetailWriter,
    spec: SymbolSpec,
  ) {
    this.#state = state
    this.#book = state.book
    this.#holds = holds
    this.#events = events
    this.#writer = writer
    this.#baseId = spec.base.id
    this.#quoteId = spec.quote.id
  }

  /** Locked becomes free, of the asset that the side pays with. */
  release(account: number, side: number, atoms: number): void {
    if (atoms === 0) return
    this.#holds.release(account, side === Side.BUY ? this.#quoteId : this.#baseId, atoms)
  }

  /** Cancels an open order, and all of its list, under the id at idWords[idAt]. */
  cancel(slot: number, row: number, idWords: Int32Array, idAt: number): void {
    if (row === 0) {
      this.#cancelPlain(slot, idWords, idAt)
      return
    }
    const list = this.#state.listOf(row)
    if (list !== undefined) this.cancelList(list, idWords, idAt)
    else if (slot === 0) this.#cancelWaiting(row, idWords, idAt)
    else this.#cancelResting(slot, row, idWords, idAt)
  }

  /** Cancels every open leg of a list. */
  cancelList(list: OrderList, idWords: Int32Array, idAt: number): void {
    const { details, book } = this.#state
    for (let leg = 0; leg < list.legs; leg++) {
      if (!list.isOpen(leg)) continue
      const orderId = list.orderIds[leg]!
      const row = details.find(orderId)
      if (details.phase[row] !== OrderPhase.WORKING) this.#cancelWaiting(row, idWords, idAt)
      else this.#cancelResting(book.findOrder(orderId), row, idWords, idAt)
    }
  }

  /** A resting order expires whole because of self-trade prevention, and releases `atoms`. */
  expireMaker(slot: number, row: number, lots: number, atoms: number): void {
    const { book, details } = this.#state
    const list = row === 0 ? undefined : this.#state.listOf(row)
    const prevented = row === 0 ? lots : lots + details.preventedLots[row]!
    const status = OrderStatus.EXPIRED_IN_MATCH
    const ids = book.clientOrderId
    const idAt = book.clientOrderIdAt(slot)
    this.release(book.account[slot]!, book.sideOf(slot), atoms)
    this.#closeResting(slot, row, status, ExpiryReason.NONE, prevented, atoms, ids, idAt)
    if (list !== undefined) this.expired(list, details.leg[row]!)
  }

  /** An open order, of a row, expires and releases `atoms`, because of another of its list. */
  expire(row: number, reason: ExpiryReason, atoms: number): void {
    const { details, book } = this.#state
    const status = OrderStatus.EXPIRED
    this.release(details.account[row]!, details.terms[row]! & 1, atoms)
    if (details.phase[row] !== OrderPhase.WORKING) {
      const idAt = row * CLIENT_ORDER_ID_WORDS
      this.#closeWaiting(row, status, reason, atoms, details.clientOrderId, idAt)
      return
    }
    const slot = book.findOrder(details.orderId[row]!)
    const prevented = details.preventedLots[row]!
    const idAt = book.clientOrderIdAt(slot)
    this.#closeResting(slot, row, status, reason, prevented, atoms, book.clientOrderId, idAt)
  }

  /** A leg has expired: what depends on it does too. */
  expired(list: OrderList, leg: number): void {
    const { details } = this.#state
    const sibling = list.siblingOf(leg)
    if (sibling >= 0) {
      const row = details.find(list.orderIds[sibling]!)
      this.expire(row, ExpiryReason.OCO_TRIGGER, this.#state.needOf(row))
    }
    if (!list.isWorkingLeg(leg)) return
    for (let pending = 1; pending < list.legs; pending++) {
      if (!list.isOpen(pending)) continue
      const row = details.find(list.orderIds[pending]!)
      this.expire(row, ExpiryReason.OTO_PHASE_ONE_EXPIRED, 0)
    }
  }

  /** What a leg may give back when it ends: what the other of its pair does not need. */
  releasable(row: number): number {
    const sibling = this.#state.siblingOf(row)
    const need = this.#state.needOf(row)
    return sibling === 0 ? need : Math.max(0, need - this.#state.needOf(sibling))
  }

  #cancelPlain(slot: number, idWords: Int32Array, idAt: number): void {
    const book = this.#book
    const side = book.sideOf(slot)
    const atoms = this.#state.heldFor(side, book.priceTicksOf(slot), book.openLots[slot]!)
    const status = OrderStatus.CANCELED
    this.release(book.account[slot]!, side, atoms)
    this.#state.count(Counter.updateId)
    this.#events.closedResting(slot, status, ExpiryReason.NONE, 0, atoms, idWords, idAt)
    this.#state.leavePlain(slot)
  }

  #cancelResting(slot: number, row: number, idWords: Int32Array, idAt: number): void {
    const { book, details } = this.#state
    const atoms = this.releasable(row)
    const prevented = details.preventedLots[row]!
    const status = OrderStatus.CANCELED
    this.release(book.account[slot]!, book.sideOf(slot), atoms)
    this.#closeResting(slot, row, status, ExpiryReason.NONE, prevented, atoms, idWords, idAt)
  }

  #cancelWaiting(row: number, idWords: Int32Array, idAt: number): void {
    const { details } = this.#state
    const atoms = this.releasable(row)
    this.release(details.account[row]!, details.terms[row]! & 1, atoms)
    this.#closeWaiting(row, OrderStatus.CANCELED, ExpiryReason.NONE, atoms, idWords, idAt)
  }

  #closeResting(
    slot: number,
    row: number,
    status: OrderStatus,
    reason: ExpiryReason,
    preventedLots: number,
    atoms: number,
    idWords: Int32Array,
    idAt: number,
  ): void {
    if (row !== 0) this.#writer.details(row)
    this.#state.count(Counter.updateId)
    this.#events.closedResting(slot, status, reason, preventedLots, atoms, idWords, idAt)
    this.#state.leave(slot, row)
  }

  #closeWaiting(
    row: number,
    status: OrderStatus,
    reason: ExpiryReason,
    atoms: number,
    idWords: Int32Array,
    idAt: number,
  ): void {
    this.#writer.details(row)
    this.#writer.closedWaiting(row, status, reason, atoms, idWords, idAt)
    this.#state.stopWaiting(row)
    this.#state.forget(row)
  }
}
