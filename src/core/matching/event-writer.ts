/**
 * Writes an engine's events into the matcher's output, with the sequence of its symbol. Reads makers
 * from the book's columns, so an event is written before the book is changed. Never judges: what to
 * write was decided by the engine.
 */
import * as clientOrderIds from '../../base/client-order-id.ts'
import type { ExpiryReason, OrderStatus } from '../../base/codes.ts'
import * as codes from '../../base/codes.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import * as recordBuffer from '../../layout/record-buffer.ts'
import * as records from '../../layout/records.gen.ts'
import type { OrderBook } from '../book/face.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import * as counting from './counters.ts'
import type { EngineOutput } from './output.ts'
import type { SymbolState } from './symbol-state.ts'

// V8 folds a module's own constants into its code, but reads imported ones again at each use.
const { copyClientOrderId } = clientOrderIds
const { isDetailed } = codes
const { headOf } = recordBuffer
const {
  EventHeader,
  FLAG_LAST,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderRested,
  RecordHeader,
  Trade,
  TradeCommission,
} = records
const { Counter } = counting

/** What self-trade prevention let change hands, as in a trade. */
export interface Transfer {
  readonly lots: number
  readonly quoteAtoms: number
  readonly buyerReleasedAtoms: number
}

export class EventWriter {
  readonly #state: SymbolState
  readonly #book: OrderBook
  readonly #counters: Float64Array
  readonly #symbolId: number
  #output: EngineOutput | undefined
  #gateway = -1
  #correlation = 0
  #timeMs = 0
  #lastAt = -1

  constructor(state: SymbolState, symbolId: number) {
    this.#state = state
    this.#book = state.book
    this.#counters = state.counters
    this.#symbolId = symbolId
  }

  /** The events that follow answer the command at byte `at` of `commands`. */
  begin(commands: RecordBuffer, at: number, timeMs: number, output: EngineOutput): void {
    this.#output = output
    this.#gateway = commands.i32[(at >> 2) + RecordHeader.gateway]!
    this.#correlation = commands.i32[(at >> 2) + RecordHeader.correlation]!
    this.#timeMs = timeMs
    this.#lastAt = -1
  }

  /** The events that follow go on with what the batch before had no room for. */
  resume(timeMs: number, output: EngineOutput): void {
    this.#output = output
    this.#timeMs = timeMs
    this.#lastAt = -1
  }

  /** Whether further turns go into the next batch. */
  get isBatchFull(): boolean {
    return this.#output!.isFull
  }

  /** The events that follow are a turn that nobody asked for. */
  beginConsequence(): void {
    this.#gateway = -1
    this.#correlation = 0
    this.#lastAt = -1
  }

  /** Marks the last event of the turn, if it had any. */
  end(): void {
    if (this.#lastAt < 0) return
    const { i32 } = this.#output!.events
    i32[this.#lastAt >> 2] = i32[this.#lastAt >> 2]! | (FLAG_LAST << 8)
  }

  accepted(order: ArrivingOrder, heldAtoms: number): void {
    const at = this.open(OrderAccepted.type, OrderAccepted.bytes)
    const { i32, f64 } = this.#output!.events
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderAccepted.account] = order.account
    i32[word + OrderAccepted.terms] = order.terms
    f64[double + OrderAccepted.orderId] = order.orderId
    f64[double + OrderAccepted.priceTicks] = order.priceTicks
    f64[double + OrderAccepted.lots] = order.lots
    f64[double + OrderAccepted.quoteAtoms] = order.quoteAtoms
    f64[double + OrderAccepted.heldAtoms] = heldAtoms
    copyClientOrderId(order.idWords, order.idAt, i32, word + OrderAccepted.clientOrderId)
  }

  /** One side of the trade that follows pays in another asset. `tradeId` must have been raised. */
  tradeCommission(account: number, isMaker: boolean, assetId: number, atoms: number): void {
    const at = this.open(TradeCommission.type, TradeCommission.bytes)
    const { i32, f64 } = this.#output!.events
    const word = at >> 2
    const double = at >> 3
    i32[word + TradeCommission.account] = account
    i32[word + TradeCommission.assetId] = assetId
    i32[word + TradeCommission.isMaker] = isMaker ? 1 : 0
    i32[word + TradeCommission.spare] = 0
    f64[double + TradeCommission.atoms] = atoms
    f64[double + TradeCommission.tradeId] = this.#counters[Counter.tradeId]!
  }

  /**
   * The order met the maker in `slot`; `order` already counts the trade, the maker does not. What
   * `tradeId` and `updateId` count must have been raised.
   */
  trade(
    order: ArrivingOrder,
    slot: number,
    lots: number,
    atoms: number,
    takerCommissionAtoms: number,
    makerCommissionAtoms: number,
    buyerReleasedAtoms: number,
  ): void {
    const at = this.open(Trade.type, Trade.bytes)
    const { i32, f64 } = this.#output!.events
    const book = this.#book
    const counters = this.#counters
    const word = at >> 2
    const double = at >> 3
    const makerFilledLots = book.filledLots[slot]! + lots
    i32[word + Trade.takerAccount] = order.account
    i32[word + Trade.makerAccount] = book.account[slot]!
    i32[word + Trade.takerTerms] = order.terms
    i32[word + Trade.makerTerms] = book.terms[slot]!
    f64[double + Trade.tradeId] = counters[Counter.tradeId]!
    f64[double + Trade.priceTicks] = book.priceTicksOf(slot)
    f64[double + Trade.tradeLots] = lots
    f64[double + Trade.quoteAtoms] = atoms
    f64[double + Trade.updateId] = counters[Counter.updateId]!
    f64[double + Trade.takerOrderId] = order.orderId
    f64[double + Trade.takerFilledLots] = order.filledLots
    f64[double + Trade.takerFilledAtoms] = order.filledAtoms
    f64[double + Trade.takerCommissionAtoms] = takerCommissionAtoms
    f64[double + Trade.makerOrderId] = book.orderId[slot]!
    f64[double + Trade.makerFilledLots] = makerFilledLots
    f64[double + Trade.makerFilledAtoms] = book.filledAtoms[slot]! + atoms
    f64[double + Trade.makerCommissionAtoms] = makerCommissionAtoms
    f64[double + Trade.makerLots] = this.#lotsOf(slot)
    f64[double + Trade.makerCreatedMs] = book.createdMsOf(slot)
    f64[double + Trade.buyerReleasedAtoms] = buyerReleasedAtoms
    copyClientOrderId(
      book.clientOrderId,
      book.clientOrderIdAt(slot),
      i32,
      word + Trade.makerClientOrderId,
    )
  }

  /** What is left of the order joins its level, or of an iceberg its first slice. */
  rested(order: ArrivingOrder, shownLots: number): void {
    const at = this.open(OrderRested.type, OrderRested.bytes)
    const { i32, f64 } = this.#output!.events
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderRested.account] = order.account
    i32[word + OrderRested.terms] = order.terms
    f64[double + OrderRested.orderId] = order.orderId
    f64[double + OrderRested.priceTicks] = order.priceTicks
    f64[double + OrderRested.restedLots] = shownLots
    f64[double + OrderRested.updateId] = this.#counters[Counter.updateId]!
  }

  /** The order whose turn it is ends before it rested. */
  closedTaker(
    order: ArrivingOrder,
    status: OrderStatus,
    reason: ExpiryReason,
    releasedAtoms: number,
  ): void {
    const at = this.open(OrderClosed.type, OrderClosed.bytes)
    const { i32, f64 } = this.#output!.events
    const word = at >> 2
    const double = at >> 3
    i32[word + OrderClosed.account] = order.account
    i32[word + OrderClosed.terms] = order.terms
    f64[double + OrderClosed.orderId] = order.orderId
    f64[double + OrderClosed.priceTicks] = order.priceTicks
    f64[double + OrderClosed.lots] = order.lots
    f64[double + OrderClosed.quoteAtoms] = order.quoteAtoms
    i32[word + OrderClosed.status] = status
    i32[word + OrderClosed.reason] = reason
    f64[double + OrderClosed.filledLots] = order.filledLots
    f64[double + OrderClosed.filledAtoms] = order.filledAtoms
    f64[double + OrderClosed.preventedLots] = order.preventedLots
    f64[double + OrderClosed.createdMs] = order.createdMs
    f64[double + OrderClosed.restedLots] = 0
    f64[double + OrderClosed.updateId] = this.#counters[Counter.updateId]!
    f64[double + OrderClosed.releasedAtoms] = releasedAtoms
    copyClientOrderId(order.idWords, order.idAt, i32, word + OrderClosed.clientOrderId)
    copyClientOrderId(order.idWords, order.idAt, i32, word + OrderClosed.origClientOrderId)
  }

  /** `transfer` is what changes hands of what both lose. */
  prevented(
    order: ArrivingOrder,
    slot: number,
    tradeGroupId: number,
    takerPreventedLots: number,
    makerPreventedLots: number,
    transfer: Transfer | undefined,
  ): void {
    const at = this.open(MatchPrevented.type, MatchPrevented.bytes)
    const { i32, f64 } = this.#output!.events
    const book = this.#book
    const word = at >> 2
    const double = at >> 3
    i32[word + MatchPrevented.takerAccount] = order.account
    i32[word + MatchPrevented.makerAccount] = book.account[slot]!
    i32[word + MatchPrevented.takerTerms] = order.terms
    i32[word + MatchPrevented.makerTerms] = book.terms[slot]!
    f64[double + MatchPrevented.tradeGroupId] = tradeGroupId
    f64[double + MatchPrevented.preventedMatchId] = this.#counters[Counter.preventedMatchId]!
    f64[double + MatchPrevented.priceTicks] = book.priceTicksOf(slot)
    f64[double + MatchPrevented.takerOrderId] = order.orderId
    f64[double + MatchPrevented.makerOrderId] = book.orderId[slot]!
    f64[double + MatchPrevented.takerPreventedLots] = takerPreventedLots
    f64[double + MatchPrevented.makerPreventedLots] = makerPreventedLots
    f64[double + MatchPrevented.transferredLots] = transfer?.lots ?? 0
    f64[double + MatchPrevented.transferredAtoms] = transfer?.quoteAtoms ?? 0
    f64[double + MatchPrevented.buyerReleasedAtoms] = transfer?.buyerReleasedAtoms ?? 0
    f64[double + MatchPrevented.matchLots] = Math.min(order.leftLots, book.openLots[slot]!)
  }

  /**
   * The resting order in `slot` ends, under the id at idWords[idAt]; `preventedLots` are all that it
   * lost to self-trade prevention.
   */
  closedResting(
    slot: number,
    status: OrderStatus,
    reason: ExpiryReason,
    preventedLots: number,
    releasedAtoms: number,
    idWords: Int32Array,
    idAt: number,
  ): void {
    const at = this.open(OrderClosed.type, OrderClosed.bytes)
    const { i32, f64 } = this.#output!.events
    const book = this.#book
    const word = at >> 2
    const double = at >> 3
    const openLots = book.openLots[slot]!
    i32[word + OrderClosed.account] = book.account[slot]!
    i32[word + OrderClosed.terms] = book.terms[slot]!
    f64[double + OrderClosed.orderId] = book.orderId[slot]!
    f64[double + OrderClosed.priceTicks] = book.priceTicksOf(slot)
    f64[double + OrderClosed.lots] = this.#lotsOf(slot)
    f64[double + OrderClosed.quoteAtoms] = 0
    i32[word + OrderClosed.status] = status
    i32[word + OrderClosed.reason] = reason
    f64[double + OrderClosed.filledLots] = book.filledLots[slot]!
    f64[double + OrderClosed.filledAtoms] = book.filledAtoms[slot]!
    f64[double + OrderClosed.preventedLots] = preventedLots
    f64[double + OrderClosed.createdMs] = book.createdMsOf(slot)
    f64[double + OrderClosed.restedLots] = openLots
    f64[double + OrderClosed.updateId] = this.#counters[Counter.updateId]!
    f64[double + OrderClosed.releasedAtoms] = releasedAtoms
    copyClientOrderId(idWords, idAt, i32, word + OrderClosed.clientOrderId)
    copyClientOrderId(
      book.clientOrderId,
      book.clientOrderIdAt(slot),
      i32,
      word + OrderClosed.origClientOrderId,
    )
  }

  /** Where events are written; another one whenever `open` made it grow. */
  get records(): RecordBuffer {
    return this.#output!.events
  }

  /** Original quantity of a resting order. */
  #lotsOf(slot: number): number {
    const lots = this.#book.openLots[slot]! + this.#book.filledLots[slot]!
    return isDetailed(this.#book.terms[slot]!) ? lots + this.#state.unshownLotsOf(slot) : lots
  }

  /** Room for one event, with its headers written. */
  open(type: number, bytes: number): number {
    const output = this.#output!
    const at = output.event(bytes)
    const { i32, f64 } = output.events
    const counters = this.#counters
    const sequence = counters[Counter.sequence]! + 1
    counters[Counter.sequence] = sequence
    const word = at >> 2
    i32[word + EventHeader.head] = headOf(type, bytes)
    i32[word + EventHeader.symbolId] = this.#symbolId
    i32[word + EventHeader.gateway] = this.#gateway
    i32[word + EventHeader.correlation] = this.#correlation
    f64[(at >> 3) + EventHeader.timeMs] = this.#timeMs
    f64[(at >> 3) + EventHeader.sequence] = sequence
    this.#lastAt = at
    return at
  }
}
