/**
 * Writes an engine's replies into the matcher's output: refusals, and the answers to queries as the
 * book stands. Replies change nothing and are never journaled.
 */
import { CLIENT_ORDER_ID_WORDS, copyClientOrderId } from '../../base/client-order-id.ts'
import { OrderListKind, type RejectReason, Side } from '../../base/codes.ts'
import { headOf, type RecordBuffer } from '../../layout/record-buffer.ts'
import {
  BookBegin,
  BookEnd,
  BookLevel,
  FLAG_LAST,
  LIST_LEG_BYTES,
  OrderListRejected,
  OrderState,
  OrderStateDetails,
  PlaceOrderList,
  QueryBook,
  QueryEnd,
  RecordHeader,
  Rejected,
  ReplaceResult,
} from '../../layout/records.gen.ts'
import type { OrderBook } from '../book/face.ts'
import { Counter } from './counters.ts'
import type { EngineOutput } from './output.ts'
import type { SymbolState } from './symbol-state.ts'

/** The reason of a half of a ReplaceOrder that was not tried. */
export const NOT_ATTEMPTED = -1

export class ReplyWriter {
  readonly #state: SymbolState
  readonly #book: OrderBook
  readonly #counters: Float64Array
  readonly #symbolId: number
  #output: EngineOutput | undefined
  #gateway = -1
  #correlation = 0

  constructor(state: SymbolState, symbolId: number) {
    this.#state = state
    this.#book = state.book
    this.#counters = state.counters
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

  /** Of the PlaceOrderList at byte `at` of `commands`. */
  listRejected(commands: RecordBuffer, at: number, reason: RejectReason): void {
    const to = this.#open(OrderListRejected.type, OrderListRejected.bytes, FLAG_LAST)
    const { i32, f64 } = this.#output!.replies
    const word = to >> 2
    const from = at >> 2
    const kind = commands.i32[from + PlaceOrderList.kind]!
    const legs = kind === OrderListKind.OTOCO ? 3 : 2
    i32[word + OrderListRejected.account] = commands.i32[from + PlaceOrderList.account]!
    i32[word + OrderListRejected.kind] = kind
    i32[word + OrderListRejected.reason] = reason
    i32[word + OrderListRejected.legs] = legs
    f64[(to >> 3) + OrderListRejected.timeMs] = this.#state.timeMs
    const listIdAt = from + PlaceOrderList.listClientOrderId
    copyClientOrderId(commands.i32, listIdAt, i32, word + OrderListRejected.listClientOrderId)
    const idAt = word + OrderListRejected.clientOrderId1
    i32.fill(0, idAt, idAt + 3 * CLIENT_ORDER_ID_WORDS)
    for (let leg = 0; leg < legs; leg++) {
      const legIdAt = from + PlaceOrderList.clientOrderId1 + leg * (LIST_LEG_BYTES >> 2)
      copyClientOrderId(commands.i32, legIdAt, i32, idAt + leg * CLIENT_ORDER_ID_WORDS)
    }
  }

  /** An open order, resting in `slot` or waiting; the answer's last record, unless more come. */
  orderState(slot: number, row: number, isLast: boolean): void {
    if (row !== 0) this.#details(row)
    const at = this.#open(OrderState.type, OrderState.bytes, isLast ? FLAG_LAST : 0)
    if (slot === 0) this.#waitingState(at, row)
    else this.#restingState(at, slot, row)
  }

  #restingState(at: number, slot: number, row: number): void {
    const { i32, f64 } = this.#output!.replies
    const book = this.#book
    const { details } = this.#state
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderState.account] = book.account[slot]!
    i32[word + OrderState.terms] = book.terms[slot]!
    f64[double + OrderState.orderId] = book.orderId[slot]!
    f64[double + OrderState.priceTicks] = book.priceTicksOf(slot)
    f64[double + OrderState.lots] =
      row === 0 ? book.openLots[slot]! + book.filledLots[slot]! : details.lots[row]!
    f64[double + OrderState.quoteAtoms] = 0
    f64[double + OrderState.filledLots] = book.filledLots[slot]!
    f64[double + OrderState.filledAtoms] = book.filledAtoms[slot]!
    f64[double + OrderState.preventedLots] = row === 0 ? 0 : details.preventedLots[row]!
    f64[double + OrderState.createdMs] = book.createdMsOf(slot)
    f64[double + OrderState.updatedMs] = book.updatedMsOf(slot)
    const idAt = book.clientOrderIdAt(slot)
    copyClientOrderId(book.clientOrderId, idAt, i32, word + OrderState.clientOrderId)
  }

  #waitingState(at: number, row: number): void {
    const { i32, f64 } = this.#output!.replies
    const { details } = this.#state
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderState.account] = details.account[row]!
    i32[word + OrderState.terms] = details.terms[row]!
    f64[double + OrderState.orderId] = details.orderId[row]!
    f64[double + OrderState.priceTicks] = details.priceTicks[row]!
    f64[double + OrderState.lots] = details.lots[row]!
    f64[double + OrderState.quoteAtoms] = 0
    f64[double + OrderState.filledLots] = 0
    f64[double + OrderState.filledAtoms] = 0
    f64[double + OrderState.preventedLots] = 0
    f64[double + OrderState.createdMs] = details.createdMs[row]!
    f64[double + OrderState.updatedMs] = details.updatedMs[row]!
    const idAt = row * CLIENT_ORDER_ID_WORDS
    copyClientOrderId(details.clientOrderId, idAt, i32, word + OrderState.clientOrderId)
  }

  #details(row: number): void {
    const at = this.#open(OrderStateDetails.type, OrderStateDetails.bytes, 0)
    const { i32, f64 } = this.#output!.replies
    const { details } = this.#state
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderStateDetails.account] = details.account[row]!
    i32[word + OrderStateDetails.trailingDelta] = details.trailingDelta[row]!
    f64[double + OrderStateDetails.orderId] = details.orderId[row]!
    f64[double + OrderStateDetails.orderListId] = details.orderListId[row]!
    f64[double + OrderStateDetails.stopTicks] = details.stopTicks[row]!
    f64[double + OrderStateDetails.icebergLots] = details.icebergLots[row]!
    f64[double + OrderStateDetails.strategyId] = details.strategyId[row]!
    i32[word + OrderStateDetails.strategyType] = details.strategyType[row]!
    i32[word + OrderStateDetails.phase] = details.phase[row]!
    f64[double + OrderStateDetails.trailingMs] = details.trailingMs[row]!
    f64[double + OrderStateDetails.workingMs] = details.workingMs[row]!
    f64[double + OrderStateDetails.extremeTicks] = details.extremeTicks[row]!
    f64[double + OrderStateDetails.preventedLots] = details.preventedLots[row]!
    f64[double + OrderStateDetails.amendments] = details.amendments[row]!
  }

  /** How both halves of the ReplaceOrder at byte `at` ended: RejectReasons, or 0, or not attempted. */
  replaceResult(
    commands: RecordBuffer,
    commandAt: number,
    timeMs: number,
    cancelReason: number,
    orderReason: number,
  ): void {
    const at = this.#open(ReplaceResult.type, ReplaceResult.bytes, FLAG_LAST)
    const { i32, f64 } = this.#output!.replies
    const placement = commandAt >> 2
    for (let i = RecordHeader.correlation + 1; i < ReplaceResult.cancelReason; i++) {
      i32[(at >> 2) + i] = commands.i32[placement + i]!
    }
    f64[(at >> 3) + ReplaceResult.timeMs] = timeMs
    i32[(at >> 2) + ReplaceResult.cancelReason] = cancelReason
    i32[(at >> 2) + ReplaceResult.orderReason] = orderReason
  }

  /** A page of open orders ends; none has an order id above `untilOrderId`. */
  pageEnd(isWhole: boolean, untilOrderId: number): void {
    const at = this.#open(QueryEnd.type, QueryEnd.bytes, FLAG_LAST)
    const { i32, f64 } = this.#output!.replies
    i32[(at >> 2) + QueryEnd.isWhole] = isWhole ? 1 : 0
    i32[(at >> 2) + QueryEnd.spare] = 0
    f64[(at >> 3) + QueryEnd.untilOrderId] = untilOrderId
  }

  /** The piece of the book that the QueryBook at byte `commandAt` of `commands` names. */
  bookPiece(commands: RecordBuffer, commandAt: number): void {
    const word = commandAt >> 2
    const first = commands.i32[word + QueryBook.side] as Side
    const afterTicks = commands.f64[(commandAt >> 3) + QueryBook.afterTicks]!
    this.#bookBegin(first, afterTicks)
    let left = commands.i32[word + QueryBook.limit]!
    for (const side of [Side.BUY, Side.SELL]) {
      if (side < first) continue
      left -= this.#book.forEachLevel(
        side,
        (priceTicks, lots, orderCount) => this.#level(side, priceTicks, lots, orderCount),
        side === first ? afterTicks : 0,
        left,
      )
    }
    const at = this.#open(BookEnd.type, BookEnd.bytes, FLAG_LAST)
    const { i32 } = this.#output!.replies
    i32[(at >> 2) + BookEnd.isWhole] = left > 0 ? 1 : 0
    i32[(at >> 2) + BookEnd.spare] = 0
  }

  #bookBegin(side: Side, afterTicks: number): void {
    const at = this.#open(BookBegin.type, BookBegin.bytes, 0)
    const { i32, f64 } = this.#output!.replies
    const counters = this.#counters
    const double = at >> 3
    i32[(at >> 2) + BookBegin.side] = side
    i32[(at >> 2) + BookBegin.spare] = 0
    f64[double + BookBegin.afterTicks] = afterTicks
    f64[double + BookBegin.updateId] = counters[Counter.updateId]!
    f64[double + BookBegin.sequence] = counters[Counter.sequence]!
    f64[double + BookBegin.tradeId] = counters[Counter.tradeId]!
    f64[double + BookBegin.lastPriceTicks] = counters[Counter.lastPriceTicks]!
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
