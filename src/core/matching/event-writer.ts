/**
 * Writes an engine's events into the matcher's output, with the sequence of its symbol. Reads makers
 * from the book's columns, so an event is written before the book is changed. Never judges: what to
 * write was decided by the engine.
 */

import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { isDetailed, OrderStatus, type SymbolStatus } from '../../base/codes.ts'
import { type Int64, negative } from '../../base/int64.ts'
import {
  type AccountId,
  AssetId,
  type Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  type SymbolId,
  Ticks,
  TradeId,
} from '../../base/units.ts'
import {
  AcrossSection,
  Allocation,
  AuctionSection,
  AuctionUncrossed,
  BlockTrade,
  CountdownChanged,
  type DealBlockFields,
  DetailsSection,
  EventHeader,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderRested,
  PhaseChanged,
  PreventionSection,
  ProtectionChanged,
  RecordHeader,
  ReferenceChanged,
  Trade,
  TradeSide,
} from '../../layout/accessors.gen.ts'
import {
  addFlag,
  type RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
  writeHead,
} from '../../layout/record-buffer.ts'
import { FLAG_ACROSS, FLAG_AUCTION, FLAG_LAST } from '../../layout/records.gen.ts'
import type { ReferenceSettings, SymbolSpec } from '../../market/listing.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { TradeFees } from '../ledger/fees.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import type { AuctionPrice } from './auction-price.ts'
import type { Countdown } from './countdowns.ts'
import { Counter } from './counters.ts'
import type { Details } from './details.ts'
import { Ending } from './endings.ts'
import type { OrderSummary } from './order-summary.ts'
import type { EngineOutput } from './output.ts'
import type { ProtectionTerms } from './protections.ts'
import type { PhaseChange, SymbolState } from './symbol-state.ts'

/** What self-trade prevention let change hands, as in a trade. */
export interface Transfer {
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly buyerReleasedAtoms: QuoteAtoms
}

/** A trade of an auction, besides its orders. Charges are those of TradeFees.charge. */
export interface AuctionTrade {
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly makerFilledAtoms: QuoteAtoms
  readonly takerCharge: Atoms
  readonly makerCharge: Atoms
  readonly buyerReleasedAtoms: QuoteAtoms
}

/** A symbol of a group. */
export interface GroupSymbol {
  readonly spec: SymbolSpec
  readonly state: SymbolState
}

/** What prevention across two symbols takes of each order, and what would have traded, in the maker's lots. */
export interface AcrossLots {
  readonly takerLots: Lots
  readonly makerLots: Lots
  readonly matchLots: Lots
}

/** What a routed order gets (routing.ts). The charge is that of TradeFees.charge. */
export interface Allocated {
  readonly allocator: AccountId
  readonly sourceSymbolId: SymbolId
  readonly sourceTradeId: TradeId
  readonly priceUnits: Int64
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly buyerReleasedAtoms: QuoteAtoms
  readonly charge: Atoms
}

/** In place of a MatchPrevented's byte: self-trade prevention ended nothing. */
export const NO_MATCH = -1

const detailsBytes = (terms: number): number => (isDetailed(terms) ? DetailsSection.bytes : 0)

export class EventWriter {
  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly details: Details
  private readonly counters: Float64Array
  private readonly symbolId: SymbolId
  private readonly fees: Pick<TradeFees, 'discountAssetId'>
  private readonly output: EngineOutput
  private gateway = -1
  private correlation = 0
  private timeMs = Ms(0)
  private lastAt = -1
  /** Where events begin whose trades were not counted (forEachTrade). */
  private uncounted = 0

  constructor(
    state: SymbolState,
    symbolId: SymbolId,
    fees: Pick<TradeFees, 'discountAssetId'>,
    output: EngineOutput,
  ) {
    this.fees = fees
    this.state = state
    this.book = state.book
    this.details = state.details
    this.counters = state.counters
    this.symbolId = symbolId
    this.output = output
  }

  /** The events that follow answer the command at byte `at` of `commands`. */
  begin(commands: RecordBuffer, at: number, timeMs: Ms): void {
    this.gateway = RecordHeader.gateway(commands, at)
    this.correlation = RecordHeader.correlation(commands, at)
    this.timeMs = timeMs
    this.lastAt = -1
    this.uncounted = this.output.eventsEnd
  }

  /** The events that follow continue with what the batch before had no room for. */
  resume(timeMs: Ms): void {
    this.timeMs = timeMs
    this.lastAt = -1
    this.uncounted = this.output.eventsEnd
  }

  /** Whether further executions go into the next batch. */
  get isBatchFull(): boolean {
    return this.output.isFull
  }

  /** The following events are an execution without a client's request. */
  beginConsequence(): void {
    this.gateway = -1
    this.correlation = 0
    this.lastAt = -1
  }

  /** Within a command, before or behind the execution that answers it: one without a client's request. */
  aside(write: () => void): void {
    const { gateway, correlation, lastAt } = this
    this.beginConsequence()
    write()
    this.end()
    this.gateway = gateway
    this.correlation = correlation
    this.lastAt = lastAt
  }

  /** Marks the last event of the execution, if it had any. */
  end(): void {
    if (this.lastAt < 0) return
    addFlag(this.output.events, this.lastAt, FLAG_LAST)
  }

  accepted(order: ArrivingOrder, heldAtoms: Atoms): void {
    const at = this.open(OrderAccepted.type, OrderAccepted.bytes + detailsBytes(order.terms))
    const { events } = this.output
    OrderAccepted.writeOrder(events, at, order)
    OrderAccepted.setHeldAtoms(events, at, heldAtoms)
    OrderAccepted.setClientOrderId(events, at, order.idWords, order.idAt)
    this.details.write(order.slot, events, OrderAccepted.detailsAt(events, at))
  }

  /**
   * The order met the maker in `slot`; `order` already counts the trade, the maker does not. What
   * `tradeId` and `updateId` count must have been raised. Charges are those of TradeFees.charge.
   */
  trade(
    order: ArrivingOrder,
    takerStatus: OrderStatus,
    slot: number,
    lots: Lots,
    atoms: QuoteAtoms,
    makerFilledAtoms: QuoteAtoms,
    takerCharge: Atoms,
    makerCharge: Atoms,
    buyerReleasedAtoms: QuoteAtoms,
  ): void {
    const book = this.book
    const counters = this.counters
    const bytes = Trade.bytes + detailsBytes(order.terms) + detailsBytes(book.terms[slot]!)
    const at = this.open(Trade.type, bytes)
    const { events } = this.output
    Trade.setTradeId(events, at, TradeId(counters[Counter.tradeId]!))
    Trade.setPriceTicks(events, at, book.priceTicksOf(slot))
    Trade.setTradeLots(events, at, lots)
    Trade.setQuoteAtoms(events, at, atoms)
    Trade.setUpdateId(events, at, counters[Counter.updateId]!)
    Trade.setBuyerReleasedAtoms(events, at, buyerReleasedAtoms)
    Trade.setTakerPriceTicks(events, at, order.priceTicks)
    Trade.setTakerQuoteAtoms(events, at, order.quoteAtoms)
    this.taker(Trade.takerAt(at), order, takerStatus, takerCharge)
    this.maker(Trade.makerAt(at), slot, lots, makerFilledAtoms, makerCharge)
    if (bytes === Trade.bytes) return
    this.details.write(order.slot, events, Trade.takerDetailsAt(events, at))
    this.details.write(slot, events, Trade.makerDetailsAt(events, at))
  }

  /**
   * The resting `order`, which already counts the trade, met the older one in `slot` at the auction's price.
   * `tradeId` was raised by one, and `updateId` by two: the maker's level changes first.
   */
  auctionTrade(order: ArrivingOrder, slot: number, trade: AuctionTrade): void {
    const { book, counters } = this
    const { priceTicks, lots, quoteAtoms, makerFilledAtoms, buyerReleasedAtoms } = trade
    const bytes = Trade.bytes + detailsBytes(order.terms) + detailsBytes(book.terms[slot]!)
    const at = this.open(Trade.type, bytes + AuctionSection.bytes)
    const { events } = this.output
    addFlag(events, at, FLAG_AUCTION)
    Trade.setTradeId(events, at, TradeId(counters[Counter.tradeId]!))
    Trade.setPriceTicks(events, at, priceTicks)
    Trade.setTradeLots(events, at, lots)
    Trade.setQuoteAtoms(events, at, quoteAtoms)
    Trade.setUpdateId(events, at, counters[Counter.updateId]!)
    Trade.setBuyerReleasedAtoms(events, at, buyerReleasedAtoms)
    Trade.setTakerPriceTicks(events, at, order.priceTicks)
    Trade.setTakerQuoteAtoms(events, at, QuoteAtoms(0))
    const status = order.leftLots === 0 ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED
    this.taker(Trade.takerAt(at), order, status, trade.takerCharge)
    this.maker(Trade.makerAt(at), slot, lots, makerFilledAtoms, trade.makerCharge)
    this.details.write(order.slot, events, Trade.takerDetailsAt(events, at))
    this.details.write(slot, events, Trade.makerDetailsAt(events, at))
    const section = Trade.auctionAt(events, at)
    AuctionSection.setMakerPriceTicks(events, section, book.priceTicksOf(slot))
  }

  /** The order, which already counts what it gets, gets it from its group's account. */
  allocation(order: ArrivingOrder, status: OrderStatus, given: Allocated): void {
    const at = this.open(Allocation.type, Allocation.bytes + detailsBytes(order.terms))
    const { events } = this.output
    Allocation.setAllocator(events, at, given.allocator)
    Allocation.setSourceSymbolId(events, at, given.sourceSymbolId)
    Allocation.setAllocationId(events, at, this.state.allocations++)
    Allocation.setSourceTradeId(events, at, given.sourceTradeId)
    Allocation.setPriceUnits(events, at, given.priceUnits)
    Allocation.setAllocatedLots(events, at, given.lots)
    Allocation.setQuoteAtoms(events, at, given.quoteAtoms)
    Allocation.setBuyerReleasedAtoms(events, at, given.buyerReleasedAtoms)
    Allocation.setTakerPriceTicks(events, at, order.priceTicks)
    this.taker(Allocation.takerAt(at), order, status, given.charge)
    this.details.write(order.slot, events, Allocation.takerDetailsAt(events, at))
  }

  /** What it contains of the day and the auction that end is the state of them before it changes. */
  phaseChanged(change: PhaseChange, orderId: OrderId): void {
    const { state } = this
    const at = this.open(PhaseChanged.type, PhaseChanged.bytes)
    const { events } = this.output
    PhaseChanged.setPhase(events, at, change.phase)
    PhaseChanged.setNextPhase(events, at, change.nextPhase)
    PhaseChanged.setCause(events, at, change.cause)
    PhaseChanged.setBandBasisPoints(events, at, change.bandBasisPoints)
    PhaseChanged.setEndsMs(events, at, change.endsMs)
    PhaseChanged.setWindowMs(events, at, Ms(change.windowMs))
    PhaseChanged.setOrderId(events, at, orderId)
    PhaseChanged.setResumptions(events, at, change.resumptions)
    PhaseChanged.setExtensions(events, at, change.extensions)
    PhaseChanged.setCloseTicks(events, at, state.closeTicksAt(change.phase))
    const auction = state.endedAuction
    PhaseChanged.setAuctionTicks(events, at, auction?.priceTicks ?? Ticks(0))
    PhaseChanged.setAuctionVolume(events, at, auction?.lots ?? 0)
    PhaseChanged.setAuctionSurplus(events, at, auction?.surplus ?? 0)
    this.output.hasPhaseChanged = true
  }

  referenceChanged(settings: ReferenceSettings, priceUnits: Int64): void {
    const at = this.open(ReferenceChanged.type, ReferenceChanged.bytes)
    const { events } = this.output
    ReferenceChanged.setCalculation(events, at, settings.calculation)
    ReferenceChanged.setBucketCount(events, at, settings.bucketCount)
    ReferenceChanged.setBucketWidthMs(events, at, Ms(settings.bucketWidthMs))
    ReferenceChanged.setExternalId(events, at, settings.externalId)
    ReferenceChanged.setPriceUnits(events, at, priceUnits)
    this.state.reference.change(settings, priceUnits)
  }

  auctionUncrossed(auction: AuctionPrice, nextPhase: SymbolStatus, isBound: boolean): void {
    const at = this.open(AuctionUncrossed.type, AuctionUncrossed.bytes)
    const { events } = this.output
    AuctionUncrossed.setPriceTicks(events, at, auction.priceTicks)
    AuctionUncrossed.setLastPriceTicks(events, at, this.state.lastPriceTicks)
    AuctionUncrossed.setVolume(events, at, auction.volume)
    AuctionUncrossed.setSurplus(events, at, auction.surplus)
    AuctionUncrossed.setCutOrderId(events, at, OrderId(this.counters[Counter.orderId]!))
    AuctionUncrossed.setNextPhase(events, at, nextPhase)
    AuctionUncrossed.setIsBound(events, at, isBound ? 1 : 0)
  }

  private taker(side: number, order: ArrivingOrder, status: OrderStatus, charge: Atoms): void {
    const { events } = this.output
    TradeSide.setAccount(events, side, order.account)
    TradeSide.setTerms(events, side, order.terms)
    TradeSide.setStatus(events, side, status)
    TradeSide.setOrderId(events, side, order.orderId)
    TradeSide.setLots(events, side, order.lots)
    TradeSide.setFilledLots(events, side, order.filledLots)
    TradeSide.setFilledAtoms(events, side, order.filledAtoms)
    this.commission(side, charge)
    TradeSide.setCreatedMs(events, side, order.createdMs)
    TradeSide.setClientOrderId(events, side, order.idWords, order.idAt)
  }

  private maker(
    side: number,
    slot: number,
    lots: Lots,
    filledAtoms: QuoteAtoms,
    charge: Atoms,
  ): void {
    const { events } = this.output
    const book = this.book
    const leftLots = book.openLots[slot]! - lots + this.state.hiddenOf(slot)
    const status = leftLots === 0 ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED
    TradeSide.setAccount(events, side, book.account[slot]!)
    TradeSide.setTerms(events, side, book.terms[slot]!)
    TradeSide.setStatus(events, side, status)
    TradeSide.setOrderId(events, side, book.orderId[slot]!)
    TradeSide.setLots(events, side, this.state.lotsOf(slot))
    TradeSide.setFilledLots(events, side, Lots(book.filledLots[slot]! + lots))
    TradeSide.setFilledAtoms(events, side, filledAtoms)
    this.commission(side, charge)
    TradeSide.setCreatedMs(events, side, book.createdMsOf(slot))
    TradeSide.setClientOrderId(events, side, book.clientOrderId, book.clientOrderIdAt(slot))
  }

  /** What the side pays (TradeFees.charge). */
  private commission(side: number, charge: Atoms): void {
    const { events } = this.output
    TradeSide.setCommissionAssetId(
      events,
      side,
      charge < 0 ? this.fees.discountAssetId : AssetId(-1),
    )
    TradeSide.setCommissionAtoms(events, side, charge < 0 ? negative(charge) : charge)
  }

  /** What is left of the order joins its level, or of an iceberg its first slice. */
  rested(order: ArrivingOrder, shownLots: Lots): void {
    const at = this.open(OrderRested.type, OrderRested.bytes)
    const { events } = this.output
    OrderRested.setAccount(events, at, order.account)
    OrderRested.setTerms(events, at, order.terms)
    OrderRested.setOrderId(events, at, order.orderId)
    OrderRested.setPriceTicks(events, at, order.priceTicks)
    OrderRested.setRestedLots(events, at, shownLots)
    OrderRested.setUpdateId(events, at, this.counters[Counter.updateId]!)
  }

  /** `transfer` is what changes hands of what both lose. Returns the event's byte. */
  prevented(
    order: ArrivingOrder,
    slot: number,
    priceTicks: Ticks,
    tradeGroupId: number,
    takerPreventedLots: Lots,
    makerPreventedLots: Lots,
    transfer: Transfer | undefined,
  ): number {
    const at = this.open(MatchPrevented.type, MatchPrevented.bytes)
    const { events } = this.output
    this.match(at, order, this.book, slot, tradeGroupId, takerPreventedLots, makerPreventedLots)
    MatchPrevented.setPriceTicks(events, at, priceTicks)
    MatchPrevented.setTransferredLots(events, at, transfer?.lots ?? Lots(0))
    MatchPrevented.setTransferredAtoms(events, at, transfer?.quoteAtoms ?? QuoteAtoms(0))
    MatchPrevented.setBuyerReleasedAtoms(events, at, transfer?.buyerReleasedAtoms ?? QuoteAtoms(0))
    MatchPrevented.setMatchLots(
      events,
      at,
      Lots(Math.min(order.leftLots, this.book.openLots[slot]!)),
    )
    return at
  }

  /** As `prevented`, with an order in the book of another symbol, whose units the maker's loss is in. */
  preventedAcross(
    order: ArrivingOrder,
    other: GroupSymbol,
    slot: number,
    tradeGroupId: number,
    { takerLots, makerLots, matchLots }: AcrossLots,
  ): number {
    const at = this.open(MatchPrevented.type, MatchPrevented.bytes + AcrossSection.bytes)
    const { events } = this.output
    const { book } = other.state
    addFlag(events, at, FLAG_ACROSS)
    this.match(at, order, book, slot, tradeGroupId, takerLots, makerLots)
    MatchPrevented.setPriceTicks(events, at, book.priceTicksOf(slot))
    MatchPrevented.setTransferredLots(events, at, Lots(0))
    MatchPrevented.setTransferredAtoms(events, at, QuoteAtoms(0))
    MatchPrevented.setBuyerReleasedAtoms(events, at, QuoteAtoms(0))
    MatchPrevented.setMatchLots(events, at, matchLots)
    const section = MatchPrevented.acrossAt(events, at)
    AcrossSection.setOtherSymbolId(events, section, other.spec.id)
    AcrossSection.setIsTaker(events, section, 1)
    return at
  }

  /** Owners, orders, and what each loses. */
  private match(
    at: number,
    order: ArrivingOrder,
    book: OrderBook,
    slot: number,
    tradeGroupId: number,
    takerPreventedLots: Lots,
    makerPreventedLots: Lots,
  ): void {
    const { events } = this.output
    MatchPrevented.setTakerAccount(events, at, order.account)
    MatchPrevented.setMakerAccount(events, at, book.account[slot]!)
    MatchPrevented.setTakerTerms(events, at, order.terms)
    MatchPrevented.setMakerTerms(events, at, book.terms[slot]!)
    MatchPrevented.setTradeGroupId(events, at, tradeGroupId)
    MatchPrevented.setPreventedMatchId(events, at, this.counters[Counter.preventedMatchId]!)
    MatchPrevented.setTakerOrderId(events, at, order.orderId)
    MatchPrevented.setMakerOrderId(events, at, book.orderId[slot]!)
    MatchPrevented.setTakerPreventedLots(events, at, takerPreventedLots)
    MatchPrevented.setMakerPreventedLots(events, at, makerPreventedLots)
  }

  /**
   * The order ends under the id at idWords[idAt]; its level, if it has one, loses `restedLots`. An order
   * that self-trade prevention ends carries what the MatchPrevented at byte `matchAt` has of it.
   */
  closed(
    order: OrderSummary,
    { status, reason }: Ending,
    restedLots: Lots,
    releasedAtoms: Atoms,
    idWords: Int32Array,
    idAt: number,
    matchAt: number,
  ): void {
    const { terms } = order
    const section = status === OrderStatus.EXPIRED_IN_MATCH ? this.preventionBytes(matchAt) : 0
    const at = this.open(OrderClosed.type, OrderClosed.bytes + section + detailsBytes(terms))
    const { events } = this.output
    OrderClosed.writeOrder(events, at, order)
    OrderClosed.setStatus(events, at, status)
    OrderClosed.setReason(events, at, reason)
    OrderClosed.writeProgress(events, at, order)
    OrderClosed.setRestedLots(events, at, restedLots)
    OrderClosed.setUpdateId(events, at, this.counters[Counter.updateId]!)
    OrderClosed.setReleasedAtoms(events, at, releasedAtoms)
    OrderClosed.setClientOrderId(events, at, idWords, idAt)
    OrderClosed.setOrigClientOrderId(events, at, order.idWords, order.idAt)
    if (section !== 0) this.prevention(OrderClosed.preventionAt(events, at), order.orderId, matchAt)
    if (section > PreventionSection.bytes) this.across(at, matchAt, OrderClosed)
    if (!isDetailed(terms)) return
    const detailsAt = OrderClosed.detailsAt(events, at)
    this.details.write(order.slot, events, detailsAt)
    DetailsSection.setPreventedLots(events, detailsAt, order.preventedLots)
  }

  /**
   * The plain order in `slot`, which rests, is canceled under the id at idWords[idAt]: what `closed` writes
   * of it, without a summary between book and event (bench `engine`).
   */
  canceledPlain(slot: number, releasedAtoms: Atoms, idWords: Int32Array, idAt: number): void {
    const book = this.book
    const openLots = book.openLots[slot]!
    const filledLots = book.filledLots[slot]!
    const at = this.open(OrderClosed.type, OrderClosed.bytes)
    const { events } = this.output
    OrderClosed.setAccount(events, at, book.account[slot]!)
    OrderClosed.setTerms(events, at, book.terms[slot]!)
    OrderClosed.setOrderId(events, at, book.orderId[slot]!)
    OrderClosed.setPriceTicks(events, at, book.priceTicksOf(slot))
    OrderClosed.setLots(events, at, Lots(openLots + filledLots))
    OrderClosed.setQuoteAtoms(events, at, QuoteAtoms(0))
    OrderClosed.setStatus(events, at, Ending.CANCELED.status)
    OrderClosed.setReason(events, at, Ending.CANCELED.reason)
    OrderClosed.setFilledLots(events, at, filledLots)
    OrderClosed.setFilledAtoms(events, at, book.filledAtoms.of(slot))
    OrderClosed.setPreventedLots(events, at, Lots(0))
    OrderClosed.setCreatedMs(events, at, book.createdMsOf(slot))
    OrderClosed.setRestedLots(events, at, openLots)
    OrderClosed.setUpdateId(events, at, this.counters[Counter.updateId]!)
    OrderClosed.setReleasedAtoms(events, at, releasedAtoms)
    OrderClosed.setClientOrderId(events, at, idWords, idAt)
    const ownIdAt = book.clientOrderIdAt(slot)
    OrderClosed.setOrigClientOrderId(events, at, book.clientOrderId, ownIdAt)
  }

  /** Bytes of the sections about the MatchPrevented at byte `match`. */
  preventionBytes(match: number): number {
    const isAcross = (recordFlags(this.output.events, match) & FLAG_ACROSS) !== 0
    return PreventionSection.bytes + (isAcross ? AcrossSection.bytes : 0)
  }

  /** Ends the event at byte `at`, which is about a match of two symbols, with a section that names the other one. */
  across(
    at: number,
    match: number,
    { acrossAt }: { acrossAt(events: RecordBuffer, at: number): number },
  ): void {
    const { events } = this.output
    addFlag(events, at, FLAG_ACROSS)
    const symbolId = EventHeader.symbolId(events, match)
    const isTaker = symbolId === this.symbolId
    const maker = MatchPrevented.acrossAt(events, match)
    const other = isTaker ? AcrossSection.otherSymbolId(events, maker) : symbolId
    const section = acrossAt(events, at)
    AcrossSection.setOtherSymbolId(events, section, other)
    AcrossSection.setIsTaker(events, section, isTaker ? 1 : 0)
  }

  /** Writes the section at byte `at`: the MatchPrevented at byte `match`, as the order sees it. */
  prevention(at: number, orderId: OrderId, match: number): void {
    const { events } = this.output
    const matchId = MatchPrevented.preventedMatchId(events, match)
    // Orders of two symbols may have one id; the taker's symbol is the match's.
    const isAcross = (recordFlags(events, match) & FLAG_ACROSS) !== 0
    const isTaker = isAcross
      ? EventHeader.symbolId(events, match) === this.symbolId
      : MatchPrevented.takerOrderId(events, match) === orderId
    const counterOrderId = isTaker
      ? MatchPrevented.makerOrderId(events, match)
      : MatchPrevented.takerOrderId(events, match)
    const lastPreventedLots = isTaker
      ? MatchPrevented.takerPreventedLots(events, match)
      : MatchPrevented.makerPreventedLots(events, match)
    PreventionSection.setPreventedMatchId(events, at, matchId)
    PreventionSection.setTradeGroupId(events, at, MatchPrevented.tradeGroupId(events, match))
    PreventionSection.setCounterOrderId(events, at, counterOrderId)
    PreventionSection.setLastPreventedLots(events, at, lastPreventedLots)
    PreventionSection.setMatchLots(events, at, MatchPrevented.matchLots(events, match))
    PreventionSection.setPriceTicks(events, at, MatchPrevented.priceTicks(events, match))
  }

  /** A countdown begins again or ends: writes it, and changes the state. */
  countdown(countdown: Countdown): void {
    const at = this.open(CountdownChanged.type, CountdownChanged.bytes)
    const { events } = this.output
    CountdownChanged.setAccount(events, at, countdown.account)
    CountdownChanged.setScope(events, at, countdown.scope)
    CountdownChanged.setDeadlineMs(events, at, countdown.deadlineMs)
    CountdownChanged.setCountdownMs(events, at, countdown.countdownMs)
    this.output.hasCountdownChanged = true
    this.state.countdowns.set(countdown)
  }

  /** A protection is set, reset or ended, or has tripped: writes it, and changes the state. */
  protection(terms: ProtectionTerms): void {
    const at = this.open(ProtectionChanged.type, ProtectionChanged.bytes)
    const { events } = this.output
    ProtectionChanged.setAccount(events, at, terms.account)
    ProtectionChanged.setStatus(events, at, terms.status)
    ProtectionChanged.setWindowMs(events, at, terms.windowMs)
    ProtectionChanged.setMaxFills(events, at, terms.maxFills)
    ProtectionChanged.setMaxNotional(events, at, terms.maxNotional)
    this.state.protections.set(terms)
  }

  /** A block trade was made, under the id at idWords[idAt]: writes it, and changes the state. */
  blockTrade(deal: Readonly<DealBlockFields>, idWords: Int32Array, idAt: number): void {
    const at = this.open(BlockTrade.type, BlockTrade.bytes)
    const { events } = this.output
    BlockTrade.writeDeal(events, at, deal)
    BlockTrade.setRequestId(events, at, idWords, idAt)
    const requestId = idWords.slice(idAt, idAt + CLIENT_ORDER_ID_WORDS)
    this.state.blockTrades.add({ ...deal, tradedMs: this.timeMs, requestId })
  }

  /** Visits the trades that were written since the last call, or since the command or the batch began. */
  forEachTrade(visit: (events: RecordBuffer, at: number) => void): void {
    const { events, eventsEnd } = this.output
    for (let at = this.uncounted; at < eventsEnd; at += recordLength(events, at)) {
      const isTrade = recordType(events, at) === Trade.type
      // A routed order trades in other symbols, too.
      if (isTrade && EventHeader.symbolId(events, at) === this.symbolId) visit(events, at)
    }
    this.uncounted = eventsEnd
  }

  /** Where events are written; another one whenever `open` made it grow. */
  get records(): RecordBuffer {
    return this.output.events
  }

  /** Room for one event, with its headers written. */
  open(type: number, bytes: number): number {
    const output = this.output
    const at = output.event(bytes)
    const { events } = output
    const counters = this.counters
    const sequence = counters[Counter.sequence]! + 1
    counters[Counter.sequence] = sequence
    writeHead(events, at, type, bytes)
    EventHeader.setSymbolId(events, at, this.symbolId)
    EventHeader.setGateway(events, at, this.gateway)
    EventHeader.setCorrelation(events, at, this.correlation)
    EventHeader.setTimeMs(events, at, this.timeMs)
    EventHeader.setSequence(events, at, sequence)
    this.lastAt = at
    return at
  }
}
