// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import type { AccountId, Lots, Ms, OrderId, QuoteAtoms, Ticks } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { HashSink } from './hash-sink.ts'
import { ExecutionOrder, type OrderSummary } from './order-summary.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'

/** What snapshots and hashes have of an open order. */
export class OrderImage extends ExecutionOrder {
  openLots = 0 as Lots
  updatedMs = 0 as Ms

  /** Takes an order that `write` wrote. */
  read(image: ImageReader): void {
    this.orderId = image.double() as OrderId
    this.priceTicks = image.double() as Ticks
    this.openLots = image.double() as Lots
    this.filledLots = image.double() as Lots
    this.filledAtoms = image.int64() as QuoteAtoms
    this.createdMs = image.double() as Ms
    this.updatedMs = image.double() as Ms
    this.account = image.word() as AccountId
    this.terms = image.word()
    image.words(this.idWords, 0, CLIENT_ORDER_ID_WORDS)
  }

  /** Copies what the book says of an open order. */
  static copy(book: OrderBook, slot: number, into: OrderSummary): void {
    into.orderId = book.orderId[slot]!
    into.priceTicks = book.priceTicksOf(slot)
    into.filledLots = book.filledLots[slot]!
    into.filledAtoms = book.filledAtoms.of(slot)
    into.createdMs = book.createdMsOf(slot)
    into.account = book.account[slot]!
    into.terms = book.terms[slot]!
    into.idWords = book.clientOrderId
    into.idAt = book.clientOrderIdAt(slot)
  }

  static write(book: OrderBook, slot: number, image: ImageWriter): void {
    image.double(book.orderId[slot]!)
    image.double(book.priceTicksOf(slot))
    image.double(book.openLots[slot]!)
    image.double(book.filledLots[slot]!)
    image.int64(book.filledAtoms.of(slot))
    image.double(book.createdMsOf(slot))
    image.double(book.updatedMsOf(slot))
    image.word(book.account[slot]!)
    image.word(book.terms[slot]!)
    image.words(book.clientOrderId, book.clientOrderIdAt(slot), CLIENT_ORDER_ID_WORDS)
  }

  static hash(book: OrderBook, slot: number, hash: HashSink): void {
    hash.int(book.orderId[slot]!)
    hash.int(book.priceTicksOf(slot))
    hash.int(book.openLots[slot]!)
    hash.int(book.filledLots[slot]!)
    hash.int(book.filledAtoms.of(slot))
    hash.int(book.createdMsOf(slot))
    hash.int(book.updatedMsOf(slot))
    hash.word(book.account[slot]!)
    hash.word(book.terms[slot]!)
    const clientOrderId = book.clientOrderIdAt(slot)
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) hash.word(book.clientOrderId[clientOrderId + i]!)
  }
}
