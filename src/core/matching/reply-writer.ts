/**
 * Writes an engine's replies into the matcher's output: refusals, and the answers to queries as the
 * book stands. Replies change nothing and are never journaled.
 */
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import { type RejectReason, Side } from '#base/codes.ts'
import { headOf, type RecordBuffer } from '#layout/record-buffer.ts'
import {
  BookBegin,
  BookEnd,
  BookLevel,
  FLAG_LAST,
  OrderState,
  QueryEnd,
  RecordHeader,
  Rejected,
} from '#layout/records.gen.ts'
import type { OrderBook } from '../book/face.ts'
import { Counter } from './counters.ts'
import type { EngineOutput } from './output.ts'

export class ReplyWriter {
  readonly #book: OrderBook
  readonly #counters: Float64Array
  readonly #symbolId: number
  #output: EngineOutput | undefined
  #gateway = -1
  #correlation = 0

  constructor(book: OrderBook, counters: Float64Array, symbolId: number) {
    this.#book = book
    this.#counters = counters
    this.#symbolId = symbolId
  }

  /** The replies that follow answer the command at byte `at` of `commands`. */
  begin(commands: RecordBuffer, at: number, output: EngineOutput): void {
    this.#output = output
    this.#gateway = commands.i32[(at >> 2) + RecordHeader.gateway]!
    this.#correlation = commands.i32[(at >> 2) + RecordHeader.correlation]!
  }

  rejected(reason: RejectReason): void {
    const at = this.#open(Rejected.type, Rejected.bytes, FLAG_LAST)
    const { i32 } = this.#output!.replies
    i32[(at >> 2) + Rejected.reason] = reason
    i32[(at >> 2) + Rejected.spare] = 0
  }

  /** The order in `slot`; the answer's last record, unless more are to come. */
  orderState(slot: number, isLast: boolean): void {
    const at = this.#open(OrderState.type, OrderState.bytes, isLast ? FLAG_LAST : 0)
    const { i32, f64 } = this.#output!.replies
    const book = this.#book
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderState.account] = book.account[slot]!
    i32[word + OrderState.terms] = book.terms[slot]!
    f64[double + OrderState.orderId] = book.orderId[slot]!
    f64[double + OrderState.priceTicks] = book.priceTicksOf(slot)
    f64[double + OrderState.lots] = book.openLots[slot]! + book.filledLots[slot]!
    f64[double + OrderState.quoteAtoms] = 0
    f64[double + OrderState.filledLots] = book.filledLots[slot]!
    f64[double + OrderState.filledAtoms] = book.filledAtoms[slot]!
    f64[double + OrderState.preventedLots] = 0
    f64[double + OrderState.createdMs] = book.createdMsOf(slot)
    f64[double + OrderState.updatedMs] = book.updatedMsOf(slot)
    const idAt = slot * CLIENT_ORDER_ID_WORDS
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) {
      i32[word + OrderState.clientOrderId + i] = book.clientOrderId[idAt + i]!
    }
  }

  queryEnd(): void {
    this.#open(QueryEnd.type, QueryEnd.bytes, FLAG_LAST)
  }

  wholeBook(): void {
    const at = this.#open(BookBegin.type, BookBegin.bytes, 0)
    const { f64 } = this.#output!.replies
    const counters = this.#counters
    f64[(at >> 3) + BookBegin.updateId] = counters[Counter.updateId]!
    f64[(at >> 3) + BookBegin.sequence] = counters[Counter.sequence]!
    f64[(at >> 3) + BookBegin.tradeId] = counters[Counter.tradeId]!
    f64[(at >> 3) + BookBegin.lastPriceTicks] = counters[Counter.lastPriceTicks]!
    for (const side of [Side.BUY, Side.SELL]) {
      this.#book.forEachLevel(side, (priceTicks, lots, orderCount) =>
        this.#level(side, priceTicks, lots, orderCount),
      )
    }
    this.#open(BookEnd.type, BookEnd.bytes, FLAG_LAST)
  }

  #level(side: Side, priceTicks: number, lots: number, orderCount: number): void {
    const at = this.#open(BookLevel.type, BookLevel.bytes, 0)
    const { i32, f64 } = this.#output!.replies
    i32[(at >> 2) + BookLevel.side] = side
    i32[(at >> 2) + BookLevel.orderCount] = orderCount
    f64[(at >> 3) + BookLevel.priceTicks] = priceTicks
    f64[(at >> 3) + BookLevel.levelLots] = lots
  }

  #open(type: number, bytes: number, flags: number): number {
    const output = this.#output!
    const at = output.reply(bytes)
    const { i32 } = output.replies
    i32[(at >> 2) + RecordHeader.head] = headOf(type, bytes, flags)
    i32[(at >> 2) + RecordHeader.symbolId] = this.#symbolId
    i32[(at >> 2) + RecordHeader.gateway] = this.#gateway
    i32[(at >> 2) + RecordHeader.correlation] = this.#correlation
    return at
  }
}
