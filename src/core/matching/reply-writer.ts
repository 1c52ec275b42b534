/**
 * Writes an engine's replies into the matcher's output: refusals, and the answers to queries as the
 * book stands. Replies change nothing and are never journaled.
 */
import {
  CountdownScope,
  isDetailed,
  legsOf,
  ReferenceCalculation,
  type RejectReason,
  Side,
} from '../../base/codes.ts'
import {
  type AccountId,
  type Lots,
  Ms,
  type OrderId,
  QuoteAtoms,
  type SymbolId,
  Ticks,
  TradeId,
} from '../../base/units.ts'
import {
  AuctionIndicative,
  BlockTradeState,
  BookBegin,
  BookEnd,
  BookLevel,
  CountdownState,
  DetailsSection,
  LEGS_MAX,
  OrderListRejected,
  OrderState,
  Placement,
  PlaceOrderList,
  ProtectionState,
  QueryBook,
  QueryEnd,
  QuoteOutcome,
  QuoteResult,
  RecordHeader,
  ReferenceBucket,
  ReferenceState,
  Rejected,
  ReplaceResult,
} from '../../layout/accessors.gen.ts'
import type { BucketImageFields } from '../../layout/images.gen.ts'
import { type RecordBuffer, writeHead } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { AuctionPrice } from './auction-price.ts'
import type { BlockTrade } from './block-trades.ts'
import { Counter } from './counters.ts'
import { OrderSummary } from './order-summary.ts'
import type { EngineOutput } from './output.ts'
import type { SymbolState } from './symbol-state.ts'

/** The reason of a half of a ReplaceOrder that was not tried. */
export const NOT_ATTEMPTED = -1

export class ReplyWriter {
  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly counters: Float64Array
  private readonly symbolId: SymbolId
  private readonly output: EngineOutput
  /** The open order that a reply is about. */
  private readonly order = new OrderSummary()
  private gateway = -1
  private correlation = 0

  constructor(state: SymbolState, symbolId: SymbolId, output: EngineOutput) {
    this.state = state
    this.book = state.book
    this.counters = state.counters
    this.symbolId = symbolId
    this.output = output
  }

  /** The replies that follow answer the command at byte `at` of `commands`. */
  begin(commands: RecordBuffer, at: number): void {
    this.gateway = RecordHeader.gateway(commands, at)
    this.correlation = RecordHeader.correlation(commands, at)
  }

  rejected(reason: RejectReason): void {
    const at = this.open(Rejected.type, Rejected.bytes, FLAG_LAST)
    const { replies } = this.output
    Rejected.setReason(replies, at, reason)
    Rejected.setSpare(replies, at, 0)
  }

  protection(account: AccountId): void {
    const at = this.open(ProtectionState.type, ProtectionState.bytes, FLAG_LAST)
    const { replies } = this.output
    const terms = this.state.protections.of(account)
    ProtectionState.setStatus(replies, at, terms?.status ?? 0)
    ProtectionState.setSpare(replies, at, 0)
    ProtectionState.setWindowMs(replies, at, terms?.windowMs ?? Ms(0))
    ProtectionState.setMaxFills(replies, at, terms?.maxFills ?? 0)
    ProtectionState.setMaxNotional(replies, at, terms?.maxNotional ?? QuoteAtoms(0))
  }

  countdowns(account: AccountId): void {
    const at = this.open(CountdownState.type, CountdownState.bytes, FLAG_LAST)
    const { replies } = this.output
    const { countdowns } = this.state
    const own = countdowns.of(account, CountdownScope.SYMBOL)
    const ofAll = countdowns.of(account, CountdownScope.ALL)
    CountdownState.setDeadlineMs(replies, at, own?.deadlineMs ?? Ms(0))
    CountdownState.setCountdownMs(replies, at, own?.countdownMs ?? Ms(0))
    CountdownState.setAllDeadlineMs(replies, at, ofAll?.deadlineMs ?? Ms(0))
    CountdownState.setAllCountdownMs(replies, at, ofAll?.countdownMs ?? Ms(0))
  }

  blockTrade(trade: BlockTrade): void {
    const at = this.open(BlockTradeState.type, BlockTradeState.bytes, FLAG_LAST)
    const { replies } = this.output
    BlockTradeState.writeDeal(replies, at, trade)
    BlockTradeState.setTradedMs(replies, at, trade.tradedMs)
  }

  /** Rejects the PlaceOrderList at byte `at` of `commands`. */
  listRejected(commands: RecordBuffer, at: number, reason: RejectReason): void {
    const to = this.open(OrderListRejected.type, OrderListRejected.bytes, FLAG_LAST)
    const { replies } = this.output
    const kind = PlaceOrderList.kind(commands, at)
    const legs = legsOf(kind)
    OrderListRejected.setAccount(replies, to, PlaceOrderList.account(commands, at))
    OrderListRejected.setKind(replies, to, kind)
    OrderListRejected.setReason(replies, to, reason)
    OrderListRejected.setLegs(replies, to, legs)
    OrderListRejected.setTimeMs(replies, to, this.state.timeMs)
    const listIdAt = PlaceOrderList.listClientOrderIdAt(at)
    OrderListRejected.setListClientOrderId(replies, to, commands.i32, listIdAt)
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      if (leg >= legs) OrderListRejected.clearLegClientOrderId(replies, to, leg)
      else {
        const legIdAt = PlaceOrderList.legClientOrderIdAt(at, leg)
        OrderListRejected.setLegClientOrderId(replies, to, leg, commands.i32, legIdAt)
      }
    }
  }

  /** Begins the result of a quote of so many levels, whose outcomes the caller adds. */
  quoteResult(levels: number, canceled: number): number {
    const bytes = QuoteResult.bytes + levels * QuoteOutcome.bytes
    const at = this.open(QuoteResult.type, bytes, FLAG_LAST)
    const { replies } = this.output
    QuoteResult.setCanceled(replies, at, canceled)
    QuoteResult.setLevels(replies, at, levels)
    return at + QuoteResult.bytes
  }

  /** Writes one outcome of the result. Returns where the next begins. */
  quoteOutcome(at: number, outcome: number, reason: number, orderId: OrderId): number {
    const { replies } = this.output
    QuoteOutcome.setOutcome(replies, at, outcome)
    QuoteOutcome.setReason(replies, at, reason)
    QuoteOutcome.setOrderId(replies, at, orderId)
    return at + QuoteOutcome.bytes
  }

  /** The open order in `slot`; the answer's last record, unless more come. */
  orderState(slot: number, isLast: boolean): void {
    const book = this.book
    const details = isDetailed(book.terms[slot]!) ? DetailsSection.bytes : 0
    const at = this.open(OrderState.type, OrderState.bytes + details, isLast ? FLAG_LAST : 0)
    const { replies } = this.output
    const order = this.order
    this.state.copyOrder(slot, order)
    OrderState.writeOrder(replies, at, order)
    OrderState.writeProgress(replies, at, order)
    OrderState.setUpdatedMs(replies, at, book.updatedMsOf(slot))
    OrderState.setClientOrderId(replies, at, order.idWords, order.idAt)
    this.state.details.write(slot, replies, OrderState.detailsAt(replies, at))
  }

  /** How both halves of the ReplaceOrder at byte `at` ended: RejectReasons, or 0, or not attempted. */
  replaceResult(
    commands: RecordBuffer,
    commandAt: number,
    timeMs: Ms,
    cancelReason: number,
    orderReason: number,
  ): void {
    const at = this.open(ReplaceResult.type, ReplaceResult.bytes, FLAG_LAST)
    const { replies } = this.output
    Placement.copy(commands, commandAt, replies, at)
    ReplaceResult.setTimeMs(replies, at, timeMs)
    ReplaceResult.setCancelReason(replies, at, cancelReason)
    ReplaceResult.setOrderReason(replies, at, orderReason)
  }

  /** A page of open orders ends; none has an order id above `untilOrderId`. */
  pageEnd(isWhole: boolean, untilOrderId: OrderId): void {
    const at = this.open(QueryEnd.type, QueryEnd.bytes, FLAG_LAST)
    const { replies } = this.output
    QueryEnd.setIsWhole(replies, at, isWhole ? 1 : 0)
    QueryEnd.setSpare(replies, at, 0)
    QueryEnd.setUntilOrderId(replies, at, untilOrderId)
  }

  /** The piece of the book that the QueryBook at byte `commandAt` of `commands` names. */
  bookPiece(commands: RecordBuffer, commandAt: number): void {
    const first = QueryBook.side(commands, commandAt) as Side
    const afterTicks = QueryBook.afterTicks(commands, commandAt)
    this.bookBegin(first, afterTicks)
    const isFirst = first === Side.BUY && afterTicks === 0
    // Buckets weigh as levels do; a piece has a level at least.
    let left = Math.max(1, QueryBook.limit(commands, commandAt) - (isFirst ? this.reference() : 0))
    for (const side of [Side.BUY, Side.SELL]) {
      if (side < first) continue
      left -= this.book.forEachLevel(
        side,
        (priceTicks, lots, orderCount) => this.level(side, priceTicks, lots, orderCount),
        Ticks(side === first ? afterTicks : 0),
        left,
      )
    }
    const at = this.open(BookEnd.type, BookEnd.bytes, FLAG_LAST)
    const { replies } = this.output
    BookEnd.setIsWhole(replies, at, left > 0 ? 1 : 0)
    BookEnd.setSpare(replies, at, 0)
  }

  private bookBegin(side: Side, afterTicks: Ticks): void {
    const at = this.open(BookBegin.type, BookBegin.bytes, 0)
    const { replies } = this.output
    const counters = this.counters
    BookBegin.setSide(replies, at, side)
    BookBegin.setPhase(replies, at, this.state.phase)
    BookBegin.setAfterTicks(replies, at, afterTicks)
    BookBegin.setUpdateId(replies, at, counters[Counter.updateId]!)
    BookBegin.setSequence(replies, at, counters[Counter.sequence]!)
    BookBegin.setTradeId(replies, at, TradeId(counters[Counter.tradeId]!))
    BookBegin.setLastPriceTicks(replies, at, Ticks(counters[Counter.lastPriceTicks]!))
    BookBegin.setCloseTicks(replies, at, Ticks(counters[Counter.closeTicks]!))
    BookBegin.setCloseMs(replies, at, Ms(counters[Counter.closeMs]!))
    const { priceTicks, timeMs, lots, surplus } = this.state.auctioned
    BookBegin.setAuctionTicks(replies, at, priceTicks)
    BookBegin.setAuctionMs(replies, at, timeMs)
    BookBegin.setAuctionVolume(replies, at, lots)
    BookBegin.setAuctionSurplus(replies, at, surplus)
  }

  /** The reference price, where the symbol has one or had. Returns the number of its buckets. */
  private reference(): number {
    const { image } = this.state.reference
    if (image.hasPriced === 0 && image.calculation === ReferenceCalculation.NONE) return 0
    const at = this.open(ReferenceState.type, ReferenceState.bytes, 0)
    const { replies } = this.output
    ReferenceState.setCalculation(replies, at, image.calculation)
    ReferenceState.setBucketCount(replies, at, image.bucketCount)
    ReferenceState.setBucketWidthMs(replies, at, Ms(image.bucketWidthMs))
    ReferenceState.setExternalId(replies, at, image.externalId)
    ReferenceState.setPriceUnits(replies, at, image.priceUnits)
    ReferenceState.setHasPriced(replies, at, image.hasPriced)
    ReferenceState.setSpare(replies, at, 0)
    for (const bucket of image.buckets) this.bucket(bucket)
    return image.buckets.length
  }

  private bucket({ openMs, trades, tickSum }: BucketImageFields): void {
    const at = this.open(ReferenceBucket.type, ReferenceBucket.bytes, 0)
    const { replies } = this.output
    ReferenceBucket.setOpenMs(replies, at, openMs)
    ReferenceBucket.setTrades(replies, at, trades)
    ReferenceBucket.setTickSum(replies, at, tickSum)
  }

  /** What the auction would come to now, for all gateways; undefined where the book is not crossed. */
  indicative(price: AuctionPrice | undefined, timeMs: Ms): void {
    const { output, counters } = this
    const at = output.notice(AuctionIndicative.bytes)
    const { notices } = output
    writeHead(notices, at, AuctionIndicative.type, AuctionIndicative.bytes, FLAG_LAST)
    RecordHeader.setSymbolId(notices, at, this.symbolId)
    RecordHeader.setGateway(notices, at, -1)
    RecordHeader.setCorrelation(notices, at, 0)
    AuctionIndicative.setPriceTicks(notices, at, price?.priceTicks ?? Ticks(0))
    AuctionIndicative.setLastPriceTicks(notices, at, Ticks(counters[Counter.lastPriceTicks]!))
    AuctionIndicative.setVolume(notices, at, price?.volume ?? 0)
    AuctionIndicative.setSurplus(notices, at, price?.surplus ?? 0)
    AuctionIndicative.setTimeMs(notices, at, timeMs)
  }

  private level(side: Side, priceTicks: Ticks, lots: Lots, orderCount: number): void {
    const at = this.open(BookLevel.type, BookLevel.bytes, 0)
    const { replies } = this.output
    BookLevel.setSide(replies, at, side)
    BookLevel.setOrderCount(replies, at, orderCount)
    BookLevel.setPriceTicks(replies, at, priceTicks)
    BookLevel.setLevelLots(replies, at, lots)
  }

  private open(type: number, bytes: number, flags: number): number {
    const output = this.output
    const at = output.reply(bytes)
    const { replies } = output
    writeHead(replies, at, type, bytes, flags)
    RecordHeader.setSymbolId(replies, at, this.symbolId)
    RecordHeader.setGateway(replies, at, this.gateway)
    RecordHeader.setCorrelation(replies, at, this.correlation)
    return at
  }
}
