/**
 * How commands name an open order of their account, resting or waiting: by order id, by client order
 * id, or by both. What was found last stands in `slot` and `row`.
 */
import { CLIENT_ORDER_ID_WORDS, isNoClientOrderId } from '../../base/client-order-id.ts'
import { isDetailed, OrderPhase } from '../../base/codes.ts'
import type { OrderBook } from '../book/face.ts'
import type { Details } from './details.ts'
import type { SymbolState } from './symbol-state.ts'

export class OpenOrders {
  /** Its slot in the book; 0 while it waits. */
  slot = 0
  /** Its row of `Details`; 0 for a plain order. */
  row = 0
  readonly #state: SymbolState
  readonly #book: OrderBook
  readonly #details: Details
  /** Ids that `collect` found, and the one that `next` takes next. */
  #ids = new Float64Array(64)
  #count = 0
  #next = 0

  constructor(state: SymbolState) {
    this.#state = state
    this.#book = state.book
    this.#details = state.details
  }

  /** Finds the account's open order of that id, or, when it is 0, of the client id at idWords[idAt]. */
  find(account: number, orderId: number, idWords: Int32Array, idAt: number): boolean {
    if (orderId !== 0) return this.take(account, orderId)
    this.slot = 0
    this.row = 0
    if (isNoClientOrderId(idWords, idAt)) return false
    const { book, waiting } = this.#state
    this.slot = book.findClientOrder(account, idWords, idAt)
    if (this.slot !== 0) this.row = this.#state.rowOf(this.slot)
    else this.row = waiting.findClientOrder(account, idWords, idAt)
    return this.slot !== 0 || this.row !== 0
  }

  /** Whether what was found has the client order id at idWords[idAt], or none was given. */
  isAgreeing(idWords: Int32Array, idAt: number): boolean {
    if (isNoClientOrderId(idWords, idAt)) return true
    const isResting = this.slot !== 0
    const own = isResting ? this.#book.clientOrderId : this.#details.clientOrderId
    const ownAt = isResting
      ? this.#book.clientOrderIdAt(this.slot)
      : this.row * CLIENT_ORDER_ID_WORDS
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) {
      if (own[ownAt + i] !== idWords[idAt + i]) return false
    }
    return true
  }

  /** Terms of what was found. */
  get terms(): number {
    return this.slot === 0 ? this.#details.terms[this.row]! : this.#book.terms[this.slot]!
  }

  /** Filled quantity of what was found. */
  get filledLots(): number {
    return this.slot === 0 ? 0 : this.#book.filledLots[this.slot]!
  }

  /** Collects the account's open orders, for `next`. */
  collect(account: number): void {
    this.#count = this.#collect(account)
    this.#next = 0
  }

  /** Finds the next collected order that is still open, by order id; false when there is none. */
  next(account: number): boolean {
    while (this.#next < this.#count) {
      if (this.take(account, this.#ids[this.#next++]!)) return true
    }
    return false
  }

  /** Ids of the account's open orders, ascending; valid until the next call. */
  idsOf(account: number): Float64Array {
    const count = this.#collect(account)
    return this.#ids.subarray(0, count)
  }

  /** Finds the account's open order of that id. */
  take(account: number, orderId: number): boolean {
    const book = this.#book
    const slot = book.findOrder(orderId)
    this.slot = slot
    if (slot !== 0) {
      this.row = isDetailed(book.terms[slot]!) ? this.#details.find(orderId) : 0
      return book.account[slot] === account
    }
    const details = this.#details
    const row = details.find(orderId)
    this.row = row
    return (
      row !== 0 && details.account[row] === account && details.phase[row] !== OrderPhase.WORKING
    )
  }

  /** Ids of the account's open orders, ascending; answers how many. */
  #collect(account: number): number {
    const { book, waiting, details } = this.#state
    let count = 0
    for (let slot = book.firstOfAccount(account); slot !== 0; slot = book.nextOfAccount(slot)) {
      count = this.#put(count, book.orderId[slot]!)
    }
    let row = waiting.newestOfAccount(account)
    for (; row !== 0; row = waiting.olderOfAccount(row)) {
      count = this.#put(count, details.orderId[row]!)
    }
    this.#ids.subarray(0, count).sort()
    return count
  }

  #put(count: number, orderId: number): number {
    if (count === this.#ids.length) {
      const larger = new Float64Array(count * 2)
      larger.set(this.#ids)
      this.#ids = larger
    }
    this.#ids[count] = orderId
    return count + 1
  }
}
