/**
 * How commands name an open order of their account, resting or waiting: by order id, by client order
 * id, or by both. Orders are returned by their slots, 0 for none.
 */
import { CLIENT_ORDER_ID_WORDS, isNoClientOrderId } from '../../base/client-order-id.ts'
import { CancelRestrictions, RejectReason } from '../../base/codes.ts'
import { type AccountId, OrderId } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import { ADMITTED, type Verdict } from './decision.ts'

export class OpenOrders {
  private readonly book: OrderBook
  /** Ids that `collect` found, and the one that `next` takes next. */
  private ids = new Float64Array(64)
  private count = 0
  private nextIndex = 0

  constructor(book: OrderBook) {
    this.book = book
  }

  /**
   * The account's open order of that id, or, when it is 0, of the client id at idWords[idAt]. Where both
   * are given, `isAgreeing` compares them.
   */
  find(account: AccountId, orderId: OrderId, idWords: Int32Array, idAt: number): number {
    if (orderId !== 0) return this.take(account, orderId)
    if (isNoClientOrderId(idWords, idAt)) return 0
    return this.book.findClientOrder(account, idWords, idAt)
  }

  /** Whether an open order has the client order id at idWords[idAt], or none was given. */
  isAgreeing(slot: number, idWords: Int32Array, idAt: number): boolean {
    if (isNoClientOrderId(idWords, idAt)) return true
    const { clientOrderId } = this.book
    const ownAt = this.book.clientOrderIdAt(slot)
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) {
      if (clientOrderId[ownAt + i] !== idWords[idAt + i]) return false
    }
    return true
  }

  /** Judges a cancel of the order in `slot`, 0 for none, as `isAgreeing` names it. */
  judgeCancel(slot: number, restrictions: number, idWords: Int32Array, idAt: number): Verdict {
    if (slot === 0 || !this.isAgreeing(slot, idWords, idAt)) return RejectReason.UNKNOWN_ORDER
    const isNew = this.book.filledLots[slot] === 0
    const isRefused =
      (restrictions === CancelRestrictions.ONLY_NEW && !isNew) ||
      (restrictions === CancelRestrictions.ONLY_PARTIALLY_FILLED && isNew)
    return isRefused ? RejectReason.CANCEL_RESTRICTED : ADMITTED
  }

  /** Collects the account's open orders, for `next`. */
  collect(account: AccountId): void {
    this.count = this.collectSlots(account)
    this.nextIndex = 0
  }

  /** The next collected order that is still open, by order id. */
  next(account: AccountId): number {
    while (this.nextIndex < this.count) {
      const slot = this.take(account, OrderId(this.ids[this.nextIndex++]!))
      if (slot !== 0) return slot
    }
    return 0
  }

  /** Ids of the account's open orders, ascending; valid until the next call. */
  idsOf(account: AccountId): Float64Array {
    const count = this.collectSlots(account)
    return this.ids.subarray(0, count)
  }

  /** The account's open order of that id. */
  take(account: AccountId, orderId: OrderId): number {
    const slot = this.book.findOrder(orderId)
    return slot !== 0 && this.book.account[slot] === account ? slot : 0
  }

  /** Ids of the account's open orders, ascending; returns how many. */
  private collectSlots(account: AccountId): number {
    const book = this.book
    let count = 0
    for (let slot = book.firstOfAccount(account); slot !== 0; slot = book.nextOfAccount(slot)) {
      count = this.put(count, book.orderId[slot]!)
    }
    this.ids.subarray(0, count).sort()
    return count
  }

  private put(count: number, orderId: OrderId): number {
    if (count === this.ids.length) {
      const larger = new Float64Array(count * 2)
      larger.set(this.ids)
      this.ids = larger
    }
    this.ids[count] = orderId
    return count + 1
  }
}
