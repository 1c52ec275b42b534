/**
 * One symbol's matching engine: a command in, events and replies out. Deterministic: it is handed the
 * time, and asks nothing of the world but the shared ledger's holds. It is the only writer of its book
 * and counters; its matcher drives it, journals what it wrote, and only then settles the holds.
 *
 * Rules: price, then time; a trade at the maker's price (supplement 2c.2); self-trade prevention as
 * the taker's mode says (2c.7); commissions in the asset received (2c.8).
 */
import { assert, unreachable } from '#base/assert.ts'
import {
  CancelRestrictions,
  ExpiryReason,
  OrderStatus,
  OrderType,
  RejectReason,
  SelfTradePrevention,
  Side,
  TimeInForce,
  timeInForceOf,
} from '#base/codes.ts'
import { notionalAtoms } from '#base/fixed.ts'
import { EXCHANGE_ACCOUNT, type ExchangeSpec, type SymbolSpec } from '#base/listing.ts'
import { type RecordBuffer, recordType } from '#layout/record-buffer.ts'
import {
  CancelOpenOrders,
  CancelOrder,
  PlaceOrder,
  QueryBook,
  QueryOpenOrders,
  QueryOrder,
} from '#layout/records.gen.ts'
import type { OrderBook } from '../book/face.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import { TradeFees } from '../ledger/fees.ts'
import type { Holds } from '../ledger/holds.ts'
import { ADMITTED, Admission } from './admission.ts'
import { ArrivingOrder } from './arriving-order.ts'
import { COUNTERS, Counter } from './counters.ts'
import { EventFold } from './event-fold.ts'
import { EventWriter } from './event-writer.ts'
import type { OpenCounts } from './open-counts.ts'
import type { OrderListIds } from './order-list-ids.ts'
import type { EngineOutput } from './output.ts'
import { findOwnOrder, isAgreeing } from './own-orders.ts'
import { ReplyWriter } from './reply-writer.ts'
import { Sweep } from './sweep.ts'

export interface EngineOptions {
  readonly spec: SymbolSpec
  readonly book: OrderBook
  readonly holds: Holds
  readonly accounts: AccountTable
  /** Without discounts when left out. */
  readonly fees?: TradeFees
  /** No filters of the exchange as a whole when left out. */
  readonly exchange?: ExchangeSpec
  /** Ids of its own when left out. */
  readonly orderListIds?: OrderListIds
  /** By symbol id, of all symbols; of its own alone when left out. */
  readonly openCounts?: readonly OpenCounts[]
}

export class Engine {
  /** By `Counter`. */
  readonly counters = new Float64Array(COUNTERS)
  readonly book: OrderBook

  readonly #holds: Holds
  readonly #accounts: AccountTable
  readonly #baseId: number
  readonly #quoteId: number
  readonly #atomsPerTickLot: number
  readonly #atomsPerLot: number
  readonly #fees: TradeFees
  readonly #order = new ArrivingOrder()
  readonly #sweep: Sweep
  readonly #admission: Admission
  readonly #events: EventWriter
  readonly #replies: ReplyWriter
  readonly #fold: EventFold
  #timeMs = 0

  constructor({ spec, book, holds, accounts, fees }: EngineOptions) {
    this.book = book
    this.#holds = holds
    this.#accounts = accounts
    this.#baseId = spec.base.id
    this.#quoteId = spec.quote.id
    this.#atomsPerTickLot = spec.atomsPerTickLot
    this.#atomsPerLot = spec.atomsPerLot
    this.#fees = fees ?? new TradeFees({ spec, accounts, holds })
    this.#sweep = new Sweep(book, accounts, spec.atomsPerTickLot)
    this.#admission = new Admission(spec, book, holds, accounts, this.#sweep)
    this.#events = new EventWriter(book, this.counters, spec.id)
    this.#replies = new ReplyWriter(book, this.counters, spec.id)
    this.#fold = new EventFold(book, this.counters)
  }

  get spec(): SymbolSpec {
    return this.#admission.spec
  }

  /** The same symbol with another status or other filters, from the next command on. */
  respecify(spec: SymbolSpec): void {
    assert(
      spec.id === this.spec.id &&
        spec.atomsPerTickLot === this.#atomsPerTickLot &&
        spec.atomsPerLot === this.#atomsPerLot,
      'a listed symbol keeps its units',
    )
    this.#admission.spec = spec
    this.#fees.respecify(spec)
  }

  /**
   * Executes the command at byte `at` of `commands`, as of the batch's `timeMs`. Appends to `output`
   * either events or replies, at least one record, the last one flagged LAST.
   */
  execute(commands: RecordBuffer, at: number, timeMs: number, output: EngineOutput): void {
    this.#timeMs = timeMs
    this.#events.begin(commands, at, timeMs, output)
    this.#replies.begin(commands, at, output)
    switch (recordType(commands, at)) {
      case PlaceOrder.type:
        this.#place(commands, at)
        break
      case CancelOrder.type:
        this.#cancel(commands, at)
        break
      case CancelOpenOrders.type:
        this.#cancelAll(commands, at)
        break
      case QueryOrder.type:
        this.#queryOrder(commands, at)
        break
      case QueryOpenOrders.type:
        this.#queryOpenOrders(commands, at)
        break
      case QueryBook.type:
        this.#replies.wholeBook()
        break
      default:
        unreachable('a command ring carries commands')
    }
    this.#events.end()
  }

  /** Folds the journaled event at byte `at` of `events` into book and counters. */
  recover(events: RecordBuffer, at: number): void {
    this.#fold.fold(events, at)
  }

  #place(commands: RecordBuffer, at: number): void {
    const order = this.#order
    order.read(commands, at)
    const expiresMs = commands.f64[(at >> 3) + PlaceOrder.expiresMs]!
    const verdict = this.#admission.admit(order, expiresMs, this.#timeMs)
    if (verdict !== ADMITTED) {
      this.#replies.rejected(verdict)
      return
    }
    order.leftLots = order.lots
    order.orderId = this.#count(Counter.orderId)
    this.#events.accepted(order, this.#admission.heldAtoms)
    if (timeInForceOf(order.terms) === TimeInForce.FOK && this.#sweep.lots < order.lots) {
      this.#expire(OrderStatus.EXPIRED, ExpiryReason.UNFILLED_FOK_ORDER_EXPIRED, 0)
      return
    }
    const isPrevented = this.#match()
    if (isPrevented) this.#expire(OrderStatus.EXPIRED_IN_MATCH, ExpiryReason.NONE, order.leftLots)
    else if (order.type === OrderType.MARKET) this.#finishMarket()
    else if (order.leftLots > 0) this.#finishLimit()
  }

  /** True when self-trade prevention ended the order. */
  #match(): boolean {
    const book = this.book
    const order = this.#order
    const makerSide = order.side ^ 1
    while (order.leftLots > 0) {
      const slot = book.bestOrder(makerSide)
      if (slot === 0) return false
      const priceTicks = book.priceTicksOf(slot)
      if (!order.crosses(priceTicks)) return false
      if (
        order.prevention !== SelfTradePrevention.NONE &&
        this.#accounts.sameOwner(order.account, book.account[slot]!)
      ) {
        this.#prevent(slot)
        if (order.prevention !== SelfTradePrevention.EXPIRE_MAKER) return true
      } else {
        this.#trade(slot, priceTicks)
      }
    }
    return false
  }

  #trade(slot: number, priceTicks: number): void {
    const book = this.book
    const order = this.#order
    const holds = this.#holds
    const taker = order.account
    const maker = book.account[slot]!
    const takerBuys = order.side === Side.BUY
    const lots = Math.min(order.leftLots, book.openLots[slot]!)
    const quote = notionalAtoms(priceTicks, lots, this.#atomsPerTickLot)
    const base = lots * this.#atomsPerLot
    const buyer = takerBuys ? taker : maker
    const seller = takerBuys ? maker : taker
    this.#count(Counter.tradeId)
    const takerCommission = this.#charge(taker, false, takerBuys, takerBuys ? base : quote)
    const makerCommission = this.#charge(maker, true, !takerBuys, takerBuys ? quote : base)
    const buyerCommission = takerBuys ? takerCommission : makerCommission
    const sellerCommission = takerBuys ? makerCommission : takerCommission
    let improvement = 0
    if (takerBuys && order.priceTicks > priceTicks) {
      improvement = notionalAtoms(order.priceTicks - priceTicks, lots, this.#atomsPerTickLot)
      holds.release(buyer, this.#quoteId, improvement)
    }
    holds.spend(buyer, this.#quoteId, quote)
    holds.credit(buyer, this.#baseId, base - buyerCommission)
    holds.spend(seller, this.#baseId, base)
    holds.credit(seller, this.#quoteId, quote - sellerCommission)
    if (buyerCommission !== 0) holds.credit(EXCHANGE_ACCOUNT, this.#baseId, buyerCommission)
    if (sellerCommission !== 0) holds.credit(EXCHANGE_ACCOUNT, this.#quoteId, sellerCommission)

    order.leftLots -= lots
    order.filledLots += lots
    order.filledAtoms += quote
    this.#count(Counter.updateId)
    this.counters[Counter.lastPriceTicks] = priceTicks
    this.#events.trade(order, slot, lots, quote, takerCommission, makerCommission, improvement)
    book.filledAtoms[slot] = book.filledAtoms[slot]! + quote
    book.setUpdatedMs(slot, this.#timeMs)
    book.fill(slot, lots)
  }

  /** What one side of the coming trade keeps back of the asset it receives. */
  #charge(account: number, isMaker: boolean, isBuyer: boolean, receivedAtoms: number): number {
    const fees = this.#fees
    fees.charge(account, isMaker, isBuyer, receivedAtoms)
    if (fees.discountAtoms !== 0) {
      this.#events.tradeCommission(account, isMaker, fees.discountAssetId, fees.discountAtoms)
    }
    return fees.receivedCommissionAtoms
  }

  /** The order met one of its owner's: records it, and expires the maker if the mode says so. */
  #prevent(slot: number): void {
    const order = this.#order
    const maker = this.book.account[slot]!
    const mode = order.prevention
    const takerExpires = mode !== SelfTradePrevention.EXPIRE_MAKER
    const makerExpires = mode !== SelfTradePrevention.EXPIRE_TAKER
    const group = order.account === maker ? -1 : this.#accounts.tradeGroupId[maker]!
    const makerLots = this.book.openLots[slot]!
    this.#events.prevented(
      order,
      slot,
      group,
      takerExpires ? order.leftLots : 0,
      makerExpires ? makerLots : 0,
    )
    this.#count(Counter.preventedMatchId)
    if (!makerExpires) return
    const released = this.#release(slot)
    this.#count(Counter.updateId)
    this.#events.expiredMaker(slot, released)
    this.book.remove(slot)
  }

  /** A MARKET order held exactly what it paid, so nothing is released when it ends. */
  #finishMarket(): void {
    const order = this.#order
    assert(order.filledLots === this.#sweep.lots, 'a MARKET order trades what its sweep foresaw')
    if (order.leftLots > 0 || this.#sweep.exhausted) {
      this.#expire(OrderStatus.EXPIRED, ExpiryReason.INSUFFICIENT_LIQUIDITY, 0)
    }
  }

  #finishLimit(): void {
    if (timeInForceOf(this.#order.terms) === TimeInForce.GTC) this.#rest()
    else this.#expire(OrderStatus.EXPIRED, ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED, 0)
  }

  /** Ends the arriving order and releases what it still holds. */
  #expire(status: OrderStatus, reason: ExpiryReason, preventedLots: number): void {
    const order = this.#order
    let released = 0
    if (order.type !== OrderType.MARKET) {
      released = this.#heldFor(order.side, order.priceTicks, order.leftLots)
      this.#holds.release(order.account, this.#paidBy(order.side), released)
    }
    this.#events.closedTaker(order, status, reason, preventedLots, released)
  }

  #rest(): void {
    const book = this.book
    const order = this.#order
    const { side, priceTicks, leftLots, orderId, account } = order
    const slot = book.rest(side, priceTicks, leftLots, orderId, account)
    assert(slot !== 0, 'admission found room for the remainder')
    book.terms[slot] = order.terms
    book.filledLots[slot] = order.filledLots
    book.filledAtoms[slot] = order.filledAtoms
    book.setCreatedMs(slot, this.#timeMs)
    book.setUpdatedMs(slot, this.#timeMs)
    book.setClientOrderId(slot, order.idWords, order.idAt)
    this.#count(Counter.updateId)
    this.#events.rested(order)
  }

  #cancel(commands: RecordBuffer, at: number): void {
    const { i32, f64 } = commands
    const word = at >> 2
    const account = i32[word + CancelOrder.account]!
    const orderId = f64[(at >> 3) + CancelOrder.orderId]!
    const origIdAt = word + CancelOrder.origClientOrderId
    if (this.#isLate(f64[(at >> 3) + CancelOrder.expiresMs]!)) return
    const slot = findOwnOrder(this.book, account, orderId, i32, origIdAt)
    if (slot === 0 || !isAgreeing(this.book, slot, i32, origIdAt)) {
      this.#replies.rejected(RejectReason.UNKNOWN_ORDER)
      return
    }
    const restrictions = i32[word + CancelOrder.restrictions]!
    const isNew = this.book.filledLots[slot] === 0
    if (
      (restrictions === CancelRestrictions.ONLY_NEW && !isNew) ||
      (restrictions === CancelRestrictions.ONLY_PARTIALLY_FILLED && isNew)
    ) {
      this.#replies.rejected(RejectReason.CANCEL_RESTRICTED)
      return
    }
    this.#close(slot, i32, word + CancelOrder.clientOrderId)
  }

  #cancelAll(commands: RecordBuffer, at: number): void {
    const word = at >> 2
    const account = commands.i32[word + CancelOpenOrders.account]!
    if (this.#isLate(commands.f64[(at >> 3) + CancelOpenOrders.expiresMs]!)) return
    let slot = this.book.firstOfAccount(account)
    if (slot === 0) this.#replies.rejected(RejectReason.UNKNOWN_ORDER)
    while (slot !== 0) {
      this.#close(slot, commands.i32, word + CancelOpenOrders.clientOrderId)
      slot = this.book.firstOfAccount(account)
    }
  }

  /** Takes a resting order off the book for its owner, under the id at idWords[idAt]. */
  #close(slot: number, idWords: Int32Array, idAt: number): void {
    const released = this.#release(slot)
    this.#count(Counter.updateId)
    this.#events.canceled(slot, released, idWords, idAt)
    this.book.remove(slot)
  }

  #queryOrder(commands: RecordBuffer, at: number): void {
    const { i32, f64 } = commands
    const account = i32[(at >> 2) + QueryOrder.account]!
    const orderId = f64[(at >> 3) + QueryOrder.orderId]!
    const idAt = (at >> 2) + QueryOrder.clientOrderId
    const slot = findOwnOrder(this.book, account, orderId, i32, idAt)
    if (slot === 0) this.#replies.rejected(RejectReason.NO_SUCH_ORDER)
    else if (!isAgreeing(this.book, slot, i32, idAt)) {
      this.#replies.rejected(RejectReason.CLIENT_ORDER_ID_INVALID)
    } else this.#replies.orderState(slot, true)
  }

  #queryOpenOrders(commands: RecordBuffer, at: number): void {
    const account = commands.i32[(at >> 2) + QueryOpenOrders.account]!
    let slot = this.book.firstOfAccount(account)
    for (; slot !== 0; slot = this.book.nextOfAccount(slot)) this.#replies.orderState(slot, false)
    this.#replies.queryEnd()
  }

  /** Refuses a command that came too late. */
  #isLate(expiresMs: number): boolean {
    const isLate = expiresMs > 0 && this.#timeMs > expiresMs
    if (isLate) this.#replies.rejected(RejectReason.TIMESTAMP_OUTSIDE_WINDOW)
    return isLate
  }

  /** Unlocks what a resting order holds; answers how much. */
  #release(slot: number): number {
    const book = this.book
    const side = book.sideOf(slot)
    const held = this.#heldFor(side, book.priceTicksOf(slot), book.openLots[slot]!)
    this.#holds.release(book.account[slot]!, this.#paidBy(side), held)
    return held
  }

  #heldFor(side: number, priceTicks: number, lots: number): number {
    return side === Side.BUY
      ? notionalAtoms(priceTicks, lots, this.#atomsPerTickLot)
      : lots * this.#atomsPerLot
  }

  #paidBy(side: number): number {
    return side === Side.BUY ? this.#quoteId : this.#baseId
  }

  #count(counter: number): number {
    const next = this.counters[counter]! + 1
    this.counters[counter] = next
    return next
  }
}
