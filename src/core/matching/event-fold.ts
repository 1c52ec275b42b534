/**
 * Recovery of one symbol: folds its journaled events, in sequence, into the book and the counters that
 * its engine then goes on with. Asks nothing again and decides nothing; balances are the business of
 * ledger/effects.ts. An order's events are contiguous, so what OrderAccepted says is remembered until
 * OrderRested needs it.
 */
import { assert } from '#base/assert.ts'
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import { type RecordBuffer, recordType } from '#layout/record-buffer.ts'
import {
  EventHeader,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderRested,
  Trade,
} from '#layout/records.gen.ts'
import type { OrderBook } from '../book/face.ts'
import { Counter } from './counters.ts'

export class EventFold {
  readonly #book: OrderBook
  readonly #counters: Float64Array
  #acceptedMs = 0
  #filledLots = 0
  #filledAtoms = 0
  readonly #clientOrderId = new Int32Array(CLIENT_ORDER_ID_WORDS)

  constructor(book: OrderBook, counters: Float64Array) {
    this.#book = book
    this.#counters = counters
  }

  fold(events: RecordBuffer, at: number): void {
    const sequence = events.f64[(at >> 3) + EventHeader.sequence]!
    assert(
      sequence === this.#counters[Counter.sequence]! + 1,
      "a symbol's events have no gaps and come in order",
    )
    this.#counters[Counter.sequence] = sequence
    switch (recordType(events, at)) {
      case OrderAccepted.type:
        this.#accepted(events, at)
        break
      case Trade.type:
        this.#traded(events, at)
        break
      case OrderRested.type:
        this.#rested(events, at)
        break
      case OrderClosed.type:
        this.#closed(events, at)
        break
      case MatchPrevented.type:
        this.#counters[Counter.preventedMatchId] =
          events.f64[(at >> 3) + MatchPrevented.preventedMatchId]! + 1
        break
    }
  }

  #accepted(events: RecordBuffer, at: number): void {
    const { i32, f64 } = events
    const idAt = (at >> 2) + OrderAccepted.clientOrderId
    this.#counters[Counter.orderId] = f64[(at >> 3) + OrderAccepted.orderId]!
    this.#acceptedMs = f64[(at >> 3) + EventHeader.timeMs]!
    this.#filledLots = 0
    this.#filledAtoms = 0
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) this.#clientOrderId[i] = i32[idAt + i]!
  }

  #traded(events: RecordBuffer, at: number): void {
    const { f64 } = events
    const double = at >> 3
    const book = this.#book
    const slot = book.findOrder(f64[double + Trade.makerOrderId]!)
    assert(slot !== 0, 'the maker of a journaled trade rests in the book')
    book.filledAtoms[slot] = f64[double + Trade.makerFilledAtoms]!
    book.setUpdatedMs(slot, f64[double + EventHeader.timeMs]!)
    book.fill(slot, f64[double + Trade.tradeLots]!)
    this.#counters[Counter.tradeId] = f64[double + Trade.tradeId]!
    this.#counters[Counter.updateId] = f64[double + Trade.updateId]!
    this.#counters[Counter.lastPriceTicks] = f64[double + Trade.priceTicks]!
    this.#filledLots = f64[double + Trade.takerFilledLots]!
    this.#filledAtoms = f64[double + Trade.takerFilledAtoms]!
  }

  #rested(events: RecordBuffer, at: number): void {
    const { i32, f64 } = events
    const double = at >> 3
    const book = this.#book
    const terms = i32[(at >> 2) + OrderRested.terms]!
    const slot = book.rest(
      terms & 1,
      f64[double + OrderRested.priceTicks]!,
      f64[double + OrderRested.restedLots]!,
      f64[double + OrderRested.orderId]!,
      i32[(at >> 2) + OrderRested.account]!,
    )
    assert(slot !== 0, 'the book has room for what it once held')
    book.terms[slot] = terms
    book.filledLots[slot] = this.#filledLots
    book.filledAtoms[slot] = this.#filledAtoms
    book.setCreatedMs(slot, this.#acceptedMs)
    book.setUpdatedMs(slot, this.#acceptedMs)
    book.setClientOrderId(slot, this.#clientOrderId, 0)
    this.#counters[Counter.updateId] = f64[double + OrderRested.updateId]!
  }

  #closed(events: RecordBuffer, at: number): void {
    const { f64 } = events
    const double = at >> 3
    this.#counters[Counter.updateId] = f64[double + OrderClosed.updateId]!
    if (f64[double + OrderClosed.restedLots]! === 0) return
    const slot = this.#book.findOrder(f64[double + OrderClosed.orderId]!)
    assert(slot !== 0, 'an order that left the book stood in it')
    this.#book.remove(slot)
  }
}
