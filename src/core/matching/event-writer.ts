/**
 * Writes an engine's events into the matcher's output, with the sequence of its symbol. Reads makers
 * from the book's columns, so an event is written before the book is changed. Never judges: what to
 * write was decided by the engine.
 */
import {
  EventHeader,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderRested,
  RecordHeader,
  Trade,
  TradeCommission,
} from '../../layout/accessors.gen.ts'
import { addFlag, type RecordBuffer, writeHead } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'
import type { OrderBook } from '../book/face.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import type { Ending } from './endings.ts'
import type { EngineOutput } from './output.ts'
import type { SymbolState } from './symbol-state.ts'

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
    this.#gateway = RecordHeader.gateway(commands, at)
    this.#correlation = RecordHeader.correlation(commands, at)
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
    addFlag(this.#output!.events, this.#lastAt, FLAG_LAST)
  }

  accepted(order: ArrivingOrder, heldAtoms: number): void {
    const at = this.open(OrderAccepted.type, OrderAccepted.bytes)
    const { events } = this.#output!
    OrderAccepted.setAccount(events, at, order.account)
    OrderAccepted.setTerms(events, at, order.terms)
    OrderAccepted.setOrderId(events, at, order.orderId)
    OrderAccepted.setPriceTicks(events, at, order.priceTicks)
    OrderAccepted.setLots(events, at, order.lots)
    OrderAccepted.setQuoteAtoms(events, at, order.quoteAtoms)
    OrderAccepted.setHeldAtoms(events, at, heldAtoms)
    OrderAccepted.setClientOrderId(events, at, order.idWords, order.idAt)
  }

  /** One side of the trade that follows pays in another asset. `tradeId` must have been raised. */
  tradeCommission(account: number, isMaker: boolean, assetId: number, atoms: number): void {
    const at = this.open(TradeCommission.type, TradeCommission.bytes)
    const { events } = this.#output!
    TradeCommission.setAccount(events, at, account)
    TradeCommission.setAssetId(events, at, assetId)
    TradeCommission.setIsMaker(events, at, isMaker ? 1 : 0)
    TradeCommission.setSpare(events, at, 0)
    TradeCommission.setAtoms(events, at, atoms)
    TradeCommission.setTradeId(events, at, this.#counters[Counter.tradeId]!)
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
    const { events } = this.#output!
    const book = this.#book
    const counters = this.#counters
    const makerFilledLots = book.filledLots[slot]! + lots
    Trade.setTakerAccount(events, at, order.account)
    Trade.setMakerAccount(events, at, book.account[slot]!)
    Trade.setTakerTerms(events, at, order.terms)
    Trade.setMakerTerms(events, at, book.terms[slot]!)
    Trade.setTradeId(events, at, counters[Counter.tradeId]!)
    Trade.setPriceTicks(events, at, book.priceTicksOf(slot))
    Trade.setTradeLots(events, at, lots)
    Trade.setQuoteAtoms(events, at, atoms)
    Trade.setUpdateId(events, at, counters[Counter.updateId]!)
    Trade.setTakerOrderId(events, at, order.orderId)
    Trade.setTakerFilledLots(events, at, order.filledLots)
    Trade.setTakerFilledAtoms(events, at, order.filledAtoms)
    Trade.setTakerCommissionAtoms(events, at, takerCommissionAtoms)
    Trade.setMakerOrderId(events, at, book.orderId[slot]!)
    Trade.setMakerFilledLots(events, at, makerFilledLots)
    Trade.setMakerFilledAtoms(events, at, book.filledAtoms[slot]! + atoms)
    Trade.setMakerCommissionAtoms(events, at, makerCommissionAtoms)
    Trade.setMakerLots(events, at, this.#state.lotsOf(slot))
    Trade.setMakerCreatedMs(events, at, book.createdMsOf(slot))
    Trade.setBuyerReleasedAtoms(events, at, buyerReleasedAtoms)
    Trade.setMakerClientOrderId(events, at, book.clientOrderId, book.clientOrderIdAt(slot))
  }

  /** What is left of the order joins its level, or of an iceberg its first slice. */
  rested(order: ArrivingOrder, shownLots: number): void {
    const at = this.open(OrderRested.type, OrderRested.bytes)
    const { events } = this.#output!
    OrderRested.setAccount(events, at, order.account)
    OrderRested.setTerms(events, at, order.terms)
    OrderRested.setOrderId(events, at, order.orderId)
    OrderRested.setPriceTicks(events, at, order.priceTicks)
    OrderRested.setRestedLots(events, at, shownLots)
    OrderRested.setUpdateId(events, at, this.#counters[Counter.updateId]!)
  }

  /** The order whose turn it is ends before it rested. */
  closedTaker(order: ArrivingOrder, ending: Ending, releasedAtoms: number): void {
    const at = this.open(OrderClosed.type, OrderClosed.bytes)
    const { events } = this.#output!
    OrderClosed.setAccount(events, at, order.account)
    OrderClosed.setTerms(events, at, order.terms)
    OrderClosed.setOrderId(events, at, order.orderId)
    OrderClosed.setPriceTicks(events, at, order.priceTicks)
    OrderClosed.setLots(events, at, order.lots)
    OrderClosed.setQuoteAtoms(events, at, order.quoteAtoms)
    OrderClosed.setStatus(events, at, ending.status)
    OrderClosed.setReason(events, at, ending.reason)
    OrderClosed.setFilledLots(events, at, order.filledLots)
    OrderClosed.setFilledAtoms(events, at, order.filledAtoms)
    OrderClosed.setPreventedLots(events, at, order.preventedLots)
    OrderClosed.setCreatedMs(events, at, order.createdMs)
    OrderClosed.setRestedLots(events, at, 0)
    OrderClosed.setUpdateId(events, at, this.#counters[Counter.updateId]!)
    OrderClosed.setReleasedAtoms(events, at, releasedAtoms)
    OrderClosed.setClientOrderId(events, at, order.idWords, order.idAt)
    OrderClosed.setOrigClientOrderId(events, at, order.idWords, order.idAt)
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
    const { events } = this.#output!
    const book = this.#book
    MatchPrevented.setTakerAccount(events, at, order.account)
    MatchPrevented.setMakerAccount(events, at, book.account[slot]!)
    MatchPrevented.setTakerTerms(events, at, order.terms)
    MatchPrevented.setMakerTerms(events, at, book.terms[slot]!)
    MatchPrevented.setTradeGroupId(events, at, tradeGroupId)
    MatchPrevented.setPreventedMatchId(events, at, this.#counters[Counter.preventedMatchId]!)
    MatchPrevented.setPriceTicks(events, at, book.priceTicksOf(slot))
    MatchPrevented.setTakerOrderId(events, at, order.orderId)
    MatchPrevented.setMakerOrderId(events, at, book.orderId[slot]!)
    MatchPrevented.setTakerPreventedLots(events, at, takerPreventedLots)
    MatchPrevented.setMakerPreventedLots(events, at, makerPreventedLots)
    MatchPrevented.setTransferredLots(events, at, transfer?.lots ?? 0)
    MatchPrevented.setTransferredAtoms(events, at, transfer?.quoteAtoms ?? 0)
    MatchPrevented.setBuyerReleasedAtoms(events, at, transfer?.buyerReleasedAtoms ?? 0)
    MatchPrevented.setMatchLots(events, at, Math.min(order.leftLots, book.openLots[slot]!))
  }

  /**
   * The open order in `slot` ends, under the id at idWords[idAt]; `preventedLots` are all that it lost
   * to self-trade prevention.
   */
  closed(
    slot: number,
    ending: Ending,
    preventedLots: number,
    releasedAtoms: number,
    idWords: Int32Array,
    idAt: number,
  ): void {
    const at = this.open(OrderClosed.type, OrderClosed.bytes)
    const { events } = this.#output!
    const book = this.#book
    const restedLots = book.isResting(slot) ? book.openLots[slot]! : 0
    OrderClosed.setAccount(events, at, book.account[slot]!)
    OrderClosed.setTerms(events, at, book.terms[slot]!)
    OrderClosed.setOrderId(events, at, book.orderId[slot]!)
    OrderClosed.setPriceTicks(events, at, book.priceTicksOf(slot))
    OrderClosed.setLots(events, at, this.#state.lotsOf(slot))
    OrderClosed.setQuoteAtoms(events, at, 0)
    OrderClosed.setStatus(events, at, ending.status)
    OrderClosed.setReason(events, at, ending.reason)
    OrderClosed.setFilledLots(events, at, book.filledLots[slot]!)
    OrderClosed.setFilledAtoms(events, at, book.filledAtoms[slot]!)
    OrderClosed.setPreventedLots(events, at, preventedLots)
    OrderClosed.setCreatedMs(events, at, book.createdMsOf(slot))
    OrderClosed.setRestedLots(events, at, restedLots)
    OrderClosed.setUpdateId(events, at, this.#counters[Counter.updateId]!)
    OrderClosed.setReleasedAtoms(events, at, releasedAtoms)
    OrderClosed.setClientOrderId(events, at, idWords, idAt)
    OrderClosed.setOrigClientOrderId(events, at, book.clientOrderId, book.clientOrderIdAt(slot))
  }

  /** Where events are written; another one whenever `open` made it grow. */
  get records(): RecordBuffer {
    return this.#output!.events
  }

  /** Room for one event, with its headers written. */
  open(type: number, bytes: number): number {
    const output = this.#output!
    const at = output.event(bytes)
    const { events } = output
    const counters = this.#counters
    const sequence = counters[Counter.sequence]! + 1
    counters[Counter.sequence] = sequence
    writeHead(events, at, type, bytes)
    EventHeader.setSymbolId(events, at, this.#symbolId)
    EventHeader.setGateway(events, at, this.#gateway)
    EventHeader.setCorrelation(events, at, this.#correlation)
    EventHeader.setTimeMs(events, at, this.#timeMs)
    EventHeader.setSequence(events, at, sequence)
    this.#lastAt = at
    return at
  }
}
