/** How commands name an open order of their account: by order id, by client order id, or by both. */
import { CLIENT_ORDER_ID_WORDS, isNoClientOrderId } from '#base/client-order-id.ts'
import type { OrderBook } from '../book/face.ts'

/** The account's open order of that order id, or, when `orderId` is 0, of the id at idWords[idAt]. */
export function findOwnOrder(
  book: OrderBook,
  account: number,
  orderId: number,
  idWords: Int32Array,
  idAt: number,
): number {
  if (orderId === 0) {
    return isNoClientOrderId(idWords, idAt) ? 0 : book.findClientOrder(account, idWords, idAt)
  }
  const slot = book.findOrder(orderId)
  return slot !== 0 && book.account[slot] === account ? slot : 0
}

/** Whether the order has the client order id at idWords[idAt], or none was given. */
export function isAgreeing(
  book: OrderBook,
  slot: number,
  idWords: Int32Array,
  idAt: number,
): boolean {
  if (isNoClientOrderId(idWords, idAt)) return true
  const ownAt = slot * CLIENT_ORDER_ID_WORDS
  for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) {
    if (book.clientOrderId[ownAt + i] !== idWords[idAt + i]) return false
  }
  return true
}
