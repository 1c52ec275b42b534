/**
 * The auction of one symbol (docs/phases.md): one event fixes price and cut, then the orders that meet trade
 * pair by pair, each pair an execution, until the batch is full or none meet. The state knows that trades are
 * left, so another batch or a start after a kill continues.
 */
import { isDetailed, Side, type SymbolStatus } from '../../base/codes.ts'
import { most, plus } from '../../base/int64.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import { Atoms, Lots, type Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { TradeFees } from '../ledger/fees.ts'
import { ArrivingOrder } from './arriving-order.ts'
import { type AuctionPrice, auctionAt, auctionPriceOf, CrossingSide } from './auction-price.ts'
import { Counter } from './counters.ts'
import { Ending } from './endings.ts'
import type { EventWriter } from './event-writer.ts'
import type { OrderCloser } from './order-closer.ts'
import type { OrderFunds } from './order-funds.ts'
import type { Prevention } from './prevention.ts'
import type { Proceeds } from './proceeds.ts'
import type { Sweep } from './sweep.ts'
import type { SymbolState } from './symbol-state.ts'

export interface UncrossingParts {
  readonly spec: SymbolSpec
  readonly state: SymbolState
  readonly funds: OrderFunds
  readonly fees: TradeFees
  readonly sweep: Sweep
  readonly events: EventWriter
  readonly proceeds: Proceeds
}

/** Takes lots off a detailed order that rests, with what follows from it: Matching. */
export interface DetailedFills {
  fillDetailed(slot: number, lots: Lots): void
}

export class Uncrossing {
  private readonly parts: UncrossingParts
  private readonly state: SymbolState
  private readonly bids = new CrossingSide()
  private readonly asks = new CrossingSide()
  /** Orders that the last call of `price` has met: what it cost. */
  ordersMet = 0
  /** The later order of the pair at hand. */
  private readonly taker = new ArrivingOrder()

  constructor(parts: UncrossingParts) {
    this.parts = parts
    this.state = parts.state
  }

  /** Price and volume of the auction if it were now; undefined where the book is not crossed. */
  price(): AuctionPrice | undefined {
    const { state } = this
    if (!state.isCrossed) return undefined
    const { bestBidTicks, bestAskTicks } = state.book
    this.ordersMet = 0
    this.gather(this.bids, Side.BUY, (ticks) => ticks >= bestAskTicks)
    this.gather(this.asks, Side.SELL, (ticks) => ticks <= bestBidTicks)
    return auctionPriceOf(this.bids, this.asks, state.lastPriceTicks)
  }

  /** As `price`, at a given price, which may be out of those at which the sides meet: all who accept it count. */
  priceAt(priceTicks: Ticks): AuctionPrice {
    this.gather(this.bids, Side.BUY, (ticks) => ticks >= priceTicks)
    this.gather(this.asks, Side.SELL, (ticks) => ticks <= priceTicks)
    return auctionAt(this.bids, this.asks, priceTicks)
  }

  /** Fixes price and cut of an auction of the crossed book; `nextPhase` follows its trades. */
  begin(auction: AuctionPrice, nextPhase: SymbolStatus, isBound: boolean): void {
    this.parts.events.auctionUncrossed(auction, nextPhase, isBound)
    this.state.beginAuction(auction.priceTicks, auction.surplus, nextPhase, isBound)
  }

  /** Whether the orders that still meet do so beyond the bound of the corridor that is the auction's price. */
  get isBeyondBound(): boolean {
    const { book, counters, auctionTicks } = this.state
    const { bestBidTicks, bestAskTicks } = book
    const isAccepted = bestBidTicks >= auctionTicks && bestAskTicks <= auctionTicks
    return counters[Counter.isAuctionBound] !== 0 && !isAccepted
  }

  /** The later of the two best orders, which met beyond the bound, expires: TRADING has no crossed book. */
  expireBeyondBound(closer: OrderCloser): void {
    const { book } = this.state
    const bid = book.bestOrder(Side.BUY)
    const ask = book.bestOrder(Side.SELL)
    closer.expireResting(book.orderId[bid]! > book.orderId[ask]! ? bid : ask, Ending.BEYOND_BAND)
  }

  /** Lets the first pair trade, or prevents it: the events of one execution. */
  meet(matching: DetailedFills, prevention: Prevention): void {
    const { state } = this
    const { book } = state
    const bid = book.bestOrder(Side.BUY)
    const ask = book.bestOrder(Side.SELL)
    const isBidLater = book.orderId[bid]! > book.orderId[ask]!
    const maker = isBidLater ? ask : bid
    const order = this.taker
    order.readResting(state, isBidLater ? bid : ask)
    const priceTicks = this.priceOf(bid, ask, maker)
    if (this.parts.sweep.isPrevented(order, maker)) {
      prevention.preventResting(order, maker, priceTicks)
    } else this.trade(order, maker, priceTicks, matching)
  }

  /** The auction's; the maker's of a pair that meets only since prevention removed others. */
  private priceOf(bid: number, ask: number, maker: number): Ticks {
    const { book, auctionTicks } = this.state
    const isAccepted =
      book.priceTicksOf(bid) >= auctionTicks && book.priceTicksOf(ask) <= auctionTicks
    return isAccepted ? auctionTicks : book.priceTicksOf(maker)
  }

  private gather(side: CrossingSide, of: Side, isMet: (priceTicks: Ticks) => boolean): void {
    const { state } = this
    const { book } = state
    side.clear()
    for (let slot = book.bestOrder(of); slot !== 0; slot = book.nextOrder(slot)) {
      const priceTicks = book.priceTicksOf(slot)
      if (!isMet(priceTicks)) return
      this.ordersMet++
      side.add(priceTicks, book.openLots[slot]! + state.hiddenOf(slot))
    }
  }

  private trade(
    order: ArrivingOrder,
    slot: number,
    priceTicks: Ticks,
    matching: DetailedFills,
  ): void {
    const { state } = this
    const { funds, fees, spec, events, proceeds } = this.parts
    const { book, notional } = state
    const maker = book.account[slot]!
    const takerBuys = order.side === Side.BUY
    const lots = Lots(Math.min(book.openLots[order.slot]!, book.openLots[slot]!))
    const quoteAtoms = notional.down(priceTicks, lots)
    const base = baseAtomsOf(lots, spec.atomsPerLot)
    const [takerGets, makerGets] = takerBuys ? [base, quoteAtoms] : [quoteAtoms, base]
    state.count(Counter.tradeId)
    state.counters[Counter.updateId]! += 2
    const takerCharge = fees.chargeAuction(order.account, false, takerBuys, takerGets)
    const makerCharge = fees.chargeAuction(maker, true, !takerBuys, makerGets)
    const buyerReleasedAtoms = state.freedByResting(takerBuys ? order.slot : slot, lots, quoteAtoms)
    const takerCommission = most(Atoms(0), takerCharge)
    const makerCommission = most(Atoms(0), makerCharge)
    const buyerCommission = takerBuys ? takerCommission : makerCommission
    funds.exchange(
      takerBuys ? order.account : maker,
      takerBuys ? maker : order.account,
      base,
      quoteAtoms,
      buyerReleasedAtoms,
      buyerCommission,
      takerBuys ? makerCommission : takerCommission,
    )
    order.leftLots = Lots(order.leftLots - lots)
    order.filledLots = Lots(order.filledLots + lots)
    order.filledAtoms = plus(order.filledAtoms, quoteAtoms)
    state.tradedAt(priceTicks)
    if (state.recent !== undefined) state.noteTrade(priceTicks, lots)
    state.auctionTraded(lots)
    const makerFilledAtoms = plus(book.filledAtoms.of(slot), quoteAtoms)
    const charges = { takerCharge, makerCharge, buyerReleasedAtoms, makerFilledAtoms }
    events.auctionTrade(order, slot, { priceTicks, lots, quoteAtoms, ...charges })
    proceeds.received(takerBuys ? order.slot : slot, base, buyerCommission)
    book.filledAtoms.set(slot, makerFilledAtoms)
    book.filledAtoms.set(order.slot, order.filledAtoms)
    this.fill(slot, lots, matching)
    this.fill(order.slot, lots, matching)
  }

  private fill(slot: number, lots: Lots, matching: DetailedFills): void {
    const { state } = this
    state.book.setUpdatedMs(slot, state.timeMs)
    if (isDetailed(state.book.terms[slot]!)) matching.fillDetailed(slot, lots)
    else state.fill(slot, lots)
  }
}
