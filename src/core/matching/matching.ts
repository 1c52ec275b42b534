/**
 * Matches one order, accepted and paid for, against the book, and brings it to rest or to its end.
 *
 * Rules: price, then time; a trade at the maker's price; self-trade prevention by
 * the taker's mode; commissions in the asset received; icebergs.
 */

import { assert } from '../../base/assert.ts'
import {
  isDetailed,
  isRouted,
  OrderStatus,
  SelfTradePrevention,
  Side,
  TimeInForce,
  timeInForceOf,
} from '../../base/codes.ts'
import { most, plus } from '../../base/int64.ts'
import { EXECUTION_MATCHES_MAX } from '../../base/limits.ts'
import { baseAtomsOf, type Notional } from '../../base/notional.ts'
import { Atoms, Lots, type Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { TradeFees } from '../ledger/fees.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import type { Decision } from './decision.ts'
import type { DetailWriter } from './detail-writer.ts'
import { Ending } from './endings.ts'
import { type EventWriter, NO_MATCH } from './event-writer.ts'
import type { OrderCloser } from './order-closer.ts'
import type { OrderFunds } from './order-funds.ts'
import type { OwnOrders } from './own-orders.ts'
import type { Phases } from './phases.ts'
import type { Prevention } from './prevention.ts'
import type { Proceeds } from './proceeds.ts'
import type { Sweep } from './sweep.ts'
import type { SymbolState } from './symbol-state.ts'

export interface MatchingParts {
  readonly spec: SymbolSpec
  readonly state: SymbolState
  readonly funds: OrderFunds
  readonly fees: TradeFees
  readonly sweep: Sweep
  readonly events: EventWriter
  readonly writer: DetailWriter
  readonly closer: OrderCloser
  readonly phases: Phases
  readonly own: OwnOrders
  readonly proceeds: Proceeds
}

/** Gives a routed order what was traded for it (routing.ts). */
export interface Allocations {
  /** Returns the byte of the MatchPrevented that ends the order; NO_MATCH when none does. */
  allocate(order: ArrivingOrder): number
}

export class Matching {
  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly funds: OrderFunds
  private readonly fees: TradeFees
  private readonly sweep: Sweep
  private readonly events: EventWriter
  private readonly writer: DetailWriter
  private readonly closer: OrderCloser
  private readonly prevention: Prevention
  private readonly phases: Pick<Phases, 'interrupt' | 'mayInterrupt'>
  private readonly own: OwnOrders
  private readonly proceeds: Proceeds
  private readonly notional: Notional
  private readonly atomsPerLot: number
  /** Undefined while the symbol is in no group. */
  private routing: Allocations | undefined = undefined

  constructor(parts: MatchingParts, prevention: Prevention) {
    const { spec } = parts
    this.state = parts.state
    this.book = parts.state.book
    this.funds = parts.funds
    this.fees = parts.fees
    this.sweep = parts.sweep
    this.events = parts.events
    this.writer = parts.writer
    this.closer = parts.closer
    this.phases = parts.phases
    this.own = parts.own
    this.proceeds = parts.proceeds
    this.prevention = prevention
    this.notional = parts.state.notional
    this.atomsPerLot = spec.atomsPerLot
  }

  /** From now on routed orders take from a group. */
  route(routing: Allocations): void {
    this.routing = routing
  }

  /** Applies what was decided of the order, which has entered and paid. */
  run(order: ArrivingOrder, { heldAtoms, tradedLots, isExhausted }: Readonly<Decision>): void {
    order.heldAtoms = order.isMarketType && order.side === Side.BUY ? heldAtoms : Atoms(0)
    if (timeInForceOf(order.terms) === TimeInForce.FOK && tradedLots < order.lots) {
      this.expire(order, Ending.NOT_FILLABLE)
      return
    }
    if (!this.state.isTrading) {
      this.gather(order)
      return
    }
    const matchAt = isRouted(order.terms) ? this.routing!.allocate(order) : this.match(order)
    if (matchAt !== NO_MATCH) this.expire(order, Ending.PREVENTED, matchAt)
    else if (order.isBanded && this.runBeyondBand(order)) return
    else if (order.isRanged && this.isBeyondRange(order)) this.expire(order, Ending.BEYOND_RANGE)
    else if (order.isMarketType) this.finishMarket(order, tradedLots, isExhausted)
    else if (order.leftLots === 0) this.finishFilled(order)
    else if (timeInForceOf(order.terms) === TimeInForce.GTC) this.rest(order)
    else {
      this.expire(order, Ending.REST_EXPIRED)
    }
  }

  /** The order fails admission as it begins to work; it releases `atoms`. */
  refuse(order: ArrivingOrder, atoms: Atoms): void {
    this.closer.closeTaker(order, Ending.REFUSED, atoms)
  }

  /** Returns the byte of the MatchPrevented that ended the order; NO_MATCH when none did. */
  private match(order: ArrivingOrder): number {
    const book = this.book
    const makerSide = order.side ^ 1
    while (order.leftLots > 0) {
      const slot = book.bestOrder(makerSide)
      if (slot === 0) return NO_MATCH
      const priceTicks = book.priceTicksOf(slot)
      if (!order.crosses(priceTicks)) return NO_MATCH
      if (this.sweep.isPrevented(order, slot)) {
        const matchAt = this.prevention.prevent(order, slot)
        if (matchAt !== NO_MATCH) return matchAt
      } else {
        this.trade(order, slot, priceTicks)
      }
    }
    return NO_MATCH
  }

  /**
   * Has the order, which met all that the band allows, meet what lies beyond. A limit order that may rest
   * interrupts trading if another owner's order would trade with it there, and rests in the call. Others expire at
   * the band, and interrupt only if they have traded within it. Returns whether the order has come to its end.
   */
  private runBeyondBand(order: ArrivingOrder): boolean {
    if (order.leftLots === 0 && !order.decision.isExhausted) return false
    const isResting = !order.isMarketType && timeInForceOf(order.terms) === TimeInForce.GTC
    if (isResting) {
      const matchAt = this.preventBeyondBand(order)
      if (matchAt !== NO_MATCH) this.expire(order, Ending.PREVENTED, matchAt)
      else if (this.isBeyondBand(order)) {
        this.phases.interrupt(order.orderId)
        this.gather(order)
      } else return false
    } else if (this.isBeyondBand(order)) {
      if (this.phases.mayInterrupt(order.filledAtoms)) this.phases.interrupt(order.orderId)
      this.expire(order, Ending.BEYOND_BAND)
    } else return false
    return true
  }

  /** Whether the price range alone keeps the order from the best order of the other side, the owner's own too. */
  private isBeyondRange(order: ArrivingOrder): boolean {
    if (order.leftLots === 0 && !order.decision.isExhausted) return false
    const slot = this.book.bestOrder(order.side ^ 1)
    return slot !== 0 && order.isOutOfRange(this.book.priceTicksOf(slot))
  }

  /** Prevention up to the first order of another owner, as in `match`. */
  private preventBeyondBand(order: ArrivingOrder): number {
    while (order.leftLots > 0) {
      const slot = this.book.bestOrder(order.side ^ 1)
      const isOwn =
        slot !== 0 &&
        order.reaches(this.book.priceTicksOf(slot)) &&
        this.sweep.isPrevented(order, slot)
      if (!isOwn) return NO_MATCH
      const matchAt = this.prevention.prevent(order, slot)
      if (matchAt !== NO_MATCH) return matchAt
    }
    return NO_MATCH
  }

  /** Whether another owner's order lies beyond the band at a price that the order reaches. */
  private isBeyondBand(order: ArrivingOrder): boolean {
    const { book, sweep } = this
    let met = 0
    for (let slot = book.bestOrder(order.side ^ 1); slot !== 0; slot = book.nextOrder(slot)) {
      if (!order.reaches(book.priceTicksOf(slot)) || ++met > EXECUTION_MATCHES_MAX) return false
      if (!sweep.isPrevented(order, slot)) return true
    }
    return false
  }

  /** A limit order of a call: its owner's orders across are prevented, best first, then it rests. */
  private gather(order: ArrivingOrder): void {
    const { book, own } = this
    if (order.prevention !== SelfTradePrevention.NONE) own.find(order)
    else own.ids.length = 0
    own.arrange(order.side, order.prevention)
    for (let i = 0; i < own.ids.length && order.leftLots > 0; i++) {
      // One that ended with another of its list is gone.
      const slot = book.findOrder(own.ids[i]!)
      const matchAt = slot === 0 ? NO_MATCH : this.prevention.prevent(order, slot)
      if (matchAt === NO_MATCH) continue
      this.expire(order, Ending.PREVENTED, matchAt)
      return
    }
    this.rest(order)
  }

  private trade(order: ArrivingOrder, slot: number, priceTicks: Ticks): void {
    const book = this.book
    const taker = order.account
    const maker = book.account[slot]!
    const takerBuys = order.side === Side.BUY
    const lots = Lots(Math.min(order.leftLots, book.openLots[slot]!))
    const quote = this.notional.down(priceTicks, lots)
    const base = baseAtomsOf(lots, this.atomsPerLot)
    const buyer = takerBuys ? taker : maker
    const seller = takerBuys ? maker : taker
    this.state.count(Counter.tradeId)
    const takerCharge = this.fees.charge(taker, false, takerBuys, takerBuys ? base : quote)
    const makerCharge = this.fees.charge(maker, true, !takerBuys, takerBuys ? quote : base)
    const takerCommission = most(Atoms(0), takerCharge)
    const makerCommission = most(Atoms(0), makerCharge)
    const buyerCommission = takerBuys ? takerCommission : makerCommission
    const sellerCommission = takerBuys ? makerCommission : takerCommission
    const freed = takerBuys
      ? this.state.freedByTaker(order, lots, quote)
      : this.state.freedByMaker(slot, lots, quote)
    this.funds.exchange(buyer, seller, base, quote, freed, buyerCommission, sellerCommission)

    order.leftLots = Lots(order.leftLots - lots)
    order.filledLots = Lots(order.filledLots + lots)
    order.filledAtoms = plus(order.filledAtoms, quote)
    this.state.count(Counter.updateId)
    this.state.tradedAt(priceTicks)
    if (this.state.recent !== undefined) this.state.noteTrade(priceTicks, lots)
    const isPlain = !isDetailed(book.terms[slot]!)
    const status = this.statusOf(order)
    const makerFilled = plus(book.filledAtoms.of(slot), quote)
    this.events.trade(
      order,
      status,
      slot,
      lots,
      quote,
      makerFilled,
      takerCharge,
      makerCharge,
      freed,
    )
    if (order.isPaying) this.proceeds.received(order.slot, base, takerCommission)
    book.filledAtoms.set(slot, makerFilled)
    book.setUpdatedMs(slot, this.state.timeMs)
    if (isPlain) this.state.fill(slot, lots)
    else {
      if (!takerBuys) this.proceeds.received(slot, base, makerCommission)
      this.fillDetailed(slot, lots)
    }
  }

  /** A MARKET order by quote amount expires when the book ran out, whatever it has traded. */
  private statusOf(order: ArrivingOrder): OrderStatus {
    const isFilled = order.leftLots === 0 && !order.decision.isExhausted
    return isFilled ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED
  }

  /** Takes lots off a detailed order that rests. The first fill of a leg ends the other of its pair. */
  fillDetailed(slot: number, lots: Lots): void {
    const state = this.state
    const list = state.listOf(slot)
    const leg = state.details.leg.of(slot)
    const sibling = state.siblingOf(slot)
    const excess = sibling === 0 ? Atoms(0) : state.releasable(sibling)
    if (state.fill(slot, lots) !== 0) {
      state.count(Counter.updateId)
      this.writer.replenished(slot)
    }
    if (sibling !== 0) this.closer.expire(sibling, Ending.SIBLING_CHOSEN, excess)
    if (list !== undefined && !list.isOpen(leg)) state.queue.filled(list, leg)
  }

  private finishMarket(order: ArrivingOrder, tradedLots: Lots, isExhausted: boolean): void {
    assert(order.filledLots === tradedLots, 'a MARKET order trades what was decided')
    if (order.leftLots > 0 || isExhausted) {
      this.expire(order, Ending.NO_LIQUIDITY)
    } else this.finishFilled(order)
  }

  private finishFilled({ slot }: ArrivingOrder): void {
    if (slot === 0) return
    const list = this.state.listOf(slot)
    const leg = this.state.details.leg.of(slot)
    this.state.leave(slot)
    if (list !== undefined) this.state.queue.filled(list, leg)
  }

  /** Ends the order: a limit still holds its price for `leftLots`, a market BUY what is unspent. */
  private expire(order: ArrivingOrder, ending: Ending, matchAt = NO_MATCH): void {
    const held = order.isMarketType
      ? order.heldAtoms
      : this.state.heldFor(order.side, order.priceTicks, order.leftLots)
    this.closer.closeTaker(order, ending, held, matchAt)
  }

  private rest(order: ArrivingOrder): void {
    const shown = order.slot === 0 ? order.leftLots : this.hide(order)
    this.state.rest(order, shown)
    if (!this.state.isUnbounded) this.own.rested(order)
    this.state.count(Counter.updateId)
    this.events.rested(order, shown)
  }

  /** Hides what an iceberg does not show at once. Returns what is shown. */
  private hide({ slot, leftLots }: ArrivingOrder): Lots {
    const { icebergLots, hiddenLots } = this.state.details
    if (icebergLots.of(slot) === 0) return leftLots
    const shown = Lots(Math.min(leftLots, icebergLots.of(slot)))
    hiddenLots.set(slot, Lots(leftLots - shown))
    return shown
  }
}
