/**
 * Self-trade prevention (faqs/stp_faq.md): what happens when an order meets one of its owner's, by
 * the mode of the arriving order.
 */

import { DETAILED, OrderPhase, Side } from '../../base/codes.ts'
import { minus } from '../../base/int64.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import { type AccountId, Atoms, Lots, type Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import type { DetailWriter } from './detail-writer.ts'
import { Ending } from './endings.ts'
import {
  type AcrossLots,
  type EventWriter,
  type GroupSymbol,
  NO_MATCH,
  type Transfer,
} from './event-writer.ts'
import type { OrderCloser } from './order-closer.ts'
import type { OrderFunds } from './order-funds.ts'
import { OrderSummary } from './order-summary.ts'
import type { Proceeds } from './proceeds.ts'
import { decrementsBoth, makerLossOf, type Sweep, takerLossOf } from './sweep.ts'
import type { SymbolState } from './symbol-state.ts'

export interface PreventionParts {
  readonly spec: SymbolSpec
  readonly state: SymbolState
  readonly accounts: AccountTable
  readonly sweep: Sweep
  readonly events: EventWriter
  readonly writer: DetailWriter
  readonly funds: OrderFunds
  readonly closer: OrderCloser
  readonly proceeds: Proceeds
}

export class Prevention {
  private readonly parts: PreventionParts
  /** The resting order that continues with less. */
  private readonly maker = new OrderSummary()

  constructor(parts: PreventionParts) {
    this.parts = parts
  }

  /**
   * The order met the maker in `slot`, one of its owner's. Returns the byte of the MatchPrevented that ends
   * the order, or NO_MATCH when the order continues.
   */
  prevent(order: ArrivingOrder, slot: number): number {
    const { prevention } = order
    if (decrementsBoth(prevention)) return this.decrement(order, slot)
    const { state, closer } = this.parts
    const makerLots = Lots(state.book.openLots[slot]! + state.hiddenOf(slot))
    const takerLoss = takerLossOf(prevention, order.leftLots, makerLots)
    const makerLoss = makerLossOf(prevention, order.leftLots, makerLots)
    const priceTicks = state.book.priceTicksOf(slot)
    const matchAt = this.record(order, slot, priceTicks, takerLoss, makerLoss, undefined)
    order.preventedLots = Lots(order.preventedLots + takerLoss)
    if (makerLoss !== 0) closer.expireMaker(slot, makerLoss, state.releasable(slot), matchAt)
    return takerLoss !== 0 ? matchAt : NO_MATCH
  }

  /**
   * As `prevent`, for two resting orders in an auction: `order` is the later of the two, in a slot too. Both lose
   * where they stand.
   */
  preventResting(order: ArrivingOrder, slot: number, priceTicks: Ticks): void {
    const { state, sweep, closer } = this.parts
    const { prevention } = order
    const makerLots = Lots(state.book.openLots[slot]! + state.hiddenOf(slot))
    const takerLoss = takerLossOf(prevention, order.leftLots, makerLots)
    const makerLoss = makerLossOf(prevention, order.leftLots, makerLots)
    if (!decrementsBoth(prevention)) {
      const matchAt = this.record(order, slot, priceTicks, takerLoss, makerLoss, undefined)
      if (makerLoss !== 0) closer.expireMaker(slot, makerLoss, state.releasable(slot), matchAt)
      if (takerLoss === 0) return
      closer.expireMaker(order.slot, takerLoss, state.releasable(order.slot), matchAt)
      return
    }
    const isTransferred = sweep.isTransferred(order, slot)
    const transfer = isTransferred ? this.transfer(order, slot, makerLoss, priceTicks) : undefined
    const matchAt = this.record(order, slot, priceTicks, makerLoss, makerLoss, transfer)
    this.decrementResting(slot, makerLoss, isTransferred, matchAt)
    this.decrementResting(order.slot, makerLoss, isTransferred, matchAt)
  }

  /** DECREMENT and TRANSFER: both lose what the smaller of them has left. */
  private decrement(order: ArrivingOrder, slot: number): number {
    const { state, sweep } = this.parts
    const priceTicks = state.book.priceTicksOf(slot)
    const makerLots = Lots(state.book.openLots[slot]! + state.hiddenOf(slot))
    const lots = takerLossOf(order.prevention, order.leftLots, makerLots)
    const isTransferred = sweep.isTransferred(order, slot)
    const transfer = isTransferred ? this.transfer(order, slot, lots, priceTicks) : undefined
    const matchAt = this.record(order, slot, priceTicks, lots, lots, transfer)
    this.decrementResting(slot, lots, isTransferred, matchAt)
    return this.decrementTaker(order, lots, isTransferred, matchAt) ? matchAt : NO_MATCH
  }

  /** A resting order loses `lots`, all that it has open or less. */
  private decrementResting(
    slot: number,
    lots: Lots,
    isTransferred: boolean,
    matchAt: number,
  ): void {
    const { state, closer } = this.parts
    const openLots = Lots(state.book.openLots[slot]! + state.hiddenOf(slot))
    const sibling = state.siblingOf(slot)
    const excess = sibling === 0 ? Atoms(0) : state.releasable(sibling)
    // What was transferred came out of what the pair held: the other leg cannot be paid for.
    const endsSibling = sibling !== 0 && isTransferred
    if (endsSibling) state.details.costAtoms.set(sibling, excess)
    if (lots < openLots) {
      this.decrementMaker(slot, lots, isTransferred, matchAt)
      if (endsSibling) closer.expire(sibling, Ending.SIBLING_CHOSEN, excess)
    } else {
      const atoms = isTransferred ? Atoms(0) : state.releasable(slot)
      closer.expireMaker(slot, lots, atoms, matchAt)
    }
  }

  /** Returns whether the order ends, by the MatchPrevented at byte `matchAt`. */
  decrementTaker(
    order: ArrivingOrder,
    lots: Lots,
    isTransferred: boolean,
    matchAt: number,
  ): boolean {
    const { state, writer, funds } = this.parts
    order.preventedLots = Lots(order.preventedLots + lots)
    const ends = lots === order.leftLots
    if (ends && !isTransferred) return true
    const released =
      order.isMarketType || isTransferred
        ? Atoms(0)
        : state.freedBy(order.side, order.priceTicks, order.leftLots, lots)
    order.leftLots = Lots(order.leftLots - lots)
    if (ends) return true
    if (order.slot === 0) {
      order.terms |= DETAILED
      state.open(order, OrderPhase.WORKING)
    }
    state.details.preventedLots.set(order.slot, order.preventedLots)
    funds.release(order.account, order.side, released)
    writer.decremented(order, Lots(0), released, matchAt)
    return false
  }

  decrementMaker(slot: number, lots: Lots, isTransferred: boolean, matchAt: number): void {
    const { state, writer, funds } = this.parts
    const { book, details } = state
    state.detail(slot)
    const before = state.pairNeed(slot)
    const removedLots = state.reduce(slot, lots)
    const releasedAtoms = isTransferred ? Atoms(0) : minus(before, state.pairNeed(slot))
    details.preventedLots.set(slot, Lots(details.preventedLots.of(slot) + lots))
    if (removedLots !== 0) state.count(Counter.updateId)
    book.setUpdatedMs(slot, state.timeMs)
    funds.release(book.account[slot]!, book.sideOf(slot), releasedAtoms)
    state.copyOrder(slot, this.maker)
    writer.decremented(this.maker, removedLots, releasedAtoms, matchAt)
  }

  /** Both sides exchange what a trade would have moved, without commission. */
  private transfer(order: ArrivingOrder, slot: number, lots: Lots, priceTicks: Ticks): Transfer {
    const { state, funds, spec } = this.parts
    const { book } = state
    const quote = state.notional.down(priceTicks, lots)
    const base = baseAtomsOf(lots, spec.atomsPerLot)
    const takerBuys = order.side === Side.BUY
    const maker = book.account[slot]!
    const buyer = takerBuys ? order.account : maker
    const seller = takerBuys ? maker : order.account
    const freed = takerBuys
      ? state.freedByTaker(order, lots, quote)
      : state.freedByResting(slot, lots, quote)
    funds.exchange(buyer, seller, base, quote, freed, Atoms(0), Atoms(0))
    return { lots, quoteAtoms: quote, buyerReleasedAtoms: freed }
  }

  /** Records that the order met an own one in the book of another symbol. Returns the event's byte. */
  across(order: ArrivingOrder, other: GroupSymbol, slot: number, lost: AcrossLots): number {
    const { state, events } = this.parts
    const group = this.groupOf(order, other.state.book.account[slot]!)
    const matchAt = events.preventedAcross(order, other, slot, group, lost)
    state.count(Counter.preventedMatchId)
    return matchAt
  }

  /** The trade group by which both are of one owner; -1 where they are of one account. */
  private groupOf({ account }: ArrivingOrder, maker: AccountId): number {
    return account === maker ? -1 : this.parts.accounts.tradeGroupId[maker]!
  }

  private record(
    order: ArrivingOrder,
    slot: number,
    priceTicks: Ticks,
    takerLots: Lots,
    makerLots: Lots,
    transfer: Transfer | undefined,
  ): number {
    const { state, events, proceeds, spec } = this.parts
    const group = this.groupOf(order, state.book.account[slot]!)
    const matchAt = events.prevented(order, slot, priceTicks, group, takerLots, makerLots, transfer)
    state.count(Counter.preventedMatchId)
    if (transfer !== undefined) {
      const buyer = order.side === Side.BUY ? order.slot : slot
      proceeds.received(buyer, baseAtomsOf(transfer.lots, spec.atomsPerLot), Atoms(0))
    }
    return matchAt
  }
}
