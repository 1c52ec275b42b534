/**
 * A dry run of an arriving order over the other side of the book: what it would trade and for how
 * much, honoring self-trade prevention. Changes nothing. For market types it decides the hold, for
 * FOK whether to trade at all, and for a limit order whether something would be left to rest.
 *
 * Within one level the slices that show come first, in their order, and what icebergs hide after
 * them: their next slices join the end. An own order loses its hidden part with the rest of it.
 */

import { isDetailed, preventionOf, SelfTradePrevention, Side } from '../../base/codes.ts'
import { minus, plus } from '../../base/int64.ts'
import { EXECUTION_MATCHES_MAX, MATCH_WEIGHT_MAX } from '../../base/limits.ts'
import type { Notional } from '../../base/notional.ts'
import { Atoms, Lots, Ticks } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import type { SymbolState } from './symbol-state.ts'

/** What a sweep found. */
export class Foreseen {
  /** Lots that would trade. */
  lots = Lots(0)
  /**
   * What the lots that would trade or be transferred cost, in quote atoms, rounded up at each price:
   * at least what their fills come to.
   */
  atoms = Atoms(0)
  /** Lots that the order would lose to self-trade prevention, what is transferred included. */
  preventedLots = Lots(0)
  /** Lots that would change hands without a trade (TRANSFER). */
  transferredLots = Lots(0)
  /** By quote amount: whether the book ran out while the amount could still pay for a lot. */
  isExhausted = false
  /** By quote amount: whether it gave up, since the order would meet more than an execution has room for. */
  isCut = false
}

export class Sweep {
  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly accounts: AccountTable
  private readonly notional: Notional
  private readonly matchesMax: number
  private readonly found = new Foreseen()
  /** The price that the sweep is at, and what would change hands there. */
  private levelTicks = Ticks(0)
  private levelLots = Lots(0)

  constructor(state: SymbolState, accounts: AccountTable, matchesMax = EXECUTION_MATCHES_MAX) {
    this.state = state
    this.book = state.book
    this.accounts = accounts
    this.notional = state.notional
    this.matchesMax = matchesMax
  }

  /** Up to `lots` within the order's limit. The result is valid until the next sweep. */
  byQuantity(order: ArrivingOrder, lots: Lots): Readonly<Foreseen> {
    this.reset()
    this.takeQuantity(order, lots)
    this.enterLevel(Ticks(0))
    return this.found
  }

  /**
   * As many lots as `order.quoteAtoms` pays for at the prices the book offers (rest-api.md,
   * New order), rounded up at each. Own orders that would take from the order count among what is wanted;
   * one that would expire it, as the last of it. Own orders that would expire are passed, and weigh as
   * much as in a match, those behind the last fill too: so the walk has a bound. The result is valid
   * until the next sweep.
   */
  byQuoteAmount(order: ArrivingOrder): Readonly<Foreseen> {
    this.reset()
    this.takeAmount(order)
    this.enterLevel(Ticks(0))
    return this.found
  }

  /** Whether the other side offers nothing at all. */
  isSideEmpty(order: ArrivingOrder): boolean {
    return order.side === Side.BUY ? this.book.bestAskTicks === 0 : this.book.bestBidTicks === 0
  }

  /** Whether the order must not trade with the maker in `slot`. */
  isPrevented(order: ArrivingOrder, slot: number): boolean {
    return (
      order.prevention !== SelfTradePrevention.NONE &&
      this.accounts.sameOwner(order.account, this.book.account[slot]!)
    )
  }

  /** Whether what a prevented match takes changes hands (faqs/stp_faq.md, TRANSFER). */
  isTransferred(order: ArrivingOrder, slot: number): boolean {
    return (
      order.prevention === SelfTradePrevention.TRANSFER &&
      preventionOf(this.book.terms[slot]!) === SelfTradePrevention.TRANSFER &&
      order.account !== this.book.account[slot]
    )
  }

  private takeQuantity(order: ArrivingOrder, lots: Lots): void {
    const book = this.book
    let left = lots
    let hidden = Lots(0)
    let slot = book.bestOrder(order.side ^ 1)
    for (; slot !== 0 && left > 0; slot = book.nextOrder(slot)) {
      const priceTicks = book.priceTicksOf(slot)
      if (priceTicks !== this.levelTicks) {
        left = Lots(left - this.trade(Lots(Math.min(left, hidden))))
        this.enterLevel(priceTicks)
        hidden = Lots(0)
        if (left === 0 || !order.crosses(priceTicks)) return
      }
      if (!this.isPrevented(order, slot)) {
        left = Lots(left - this.trade(Lots(Math.min(left, book.openLots[slot]!))))
        if (isDetailed(book.terms[slot]!)) hidden = Lots(hidden + this.state.hiddenOf(slot))
      } else {
        const lost = takerLossOf(order.prevention, left, this.wholeOf(slot))
        left = Lots(left - this.prevent(order, slot, lost))
      }
    }
    this.trade(Lots(Math.min(left, hidden)))
  }

  private takeAmount(order: ArrivingOrder): void {
    const book = this.book
    const notional = this.notional
    let left = order.quoteAtoms
    /** Lots of the level that `left` pays for, and how many of them are spoken for. */
    let room = Lots(0)
    let wanted = Lots(0)
    let hidden = Lots(0)
    let met = 0
    for (let slot = book.bestOrder(order.side ^ 1); slot !== 0; slot = book.nextOrder(slot)) {
      const priceTicks = book.priceTicksOf(slot)
      // Only where something bounds the prices of a market order: the price range, the band around the anchor.
      if (!order.crosses(priceTicks)) break
      const prevented = this.isPrevented(order, slot)
      if (prevented && order.prevention === SelfTradePrevention.EXPIRE_MAKER) {
        met += MATCH_WEIGHT_MAX
        this.found.isCut = met > this.matchesMax
        if (this.found.isCut) return
        continue
      }
      if (priceTicks !== this.levelTicks) {
        const lots = this.trade(Lots(Math.min(hidden, room - wanted)))
        if (lots < hidden) return
        if (this.levelTicks !== 0)
          left = minus(left, notional.up(this.levelTicks, Lots(wanted + lots)))
        this.enterLevel(priceTicks)
        room = notional.lotsFor(left, priceTicks)
        wanted = Lots(0)
        hidden = Lots(0)
      }
      const offered = prevented ? this.wholeOf(slot) : book.openLots[slot]!
      const lots = Lots(Math.min(offered, room - wanted))
      wanted = Lots(wanted + lots)
      if (prevented && expiresTaker(order.prevention)) {
        this.found.preventedLots = Lots(this.found.preventedLots + lots)
        return
      }
      if (prevented) this.prevent(order, slot, lots)
      else {
        this.trade(lots)
        if (isDetailed(book.terms[slot]!)) hidden = Lots(hidden + this.state.hiddenOf(slot))
      }
      if (lots < offered) return
      this.found.isCut = ++met > this.matchesMax
      if (this.found.isCut) return
    }
    const last = this.trade(Lots(Math.min(hidden, room - wanted)))
    const lastTicks = this.levelTicks
    left = minus(left, notional.up(lastTicks, Lots(wanted + last)))
    this.found.isExhausted = last === hidden && left > 0 && left >= notional.up(lastTicks, Lots(1))
  }

  private wholeOf(slot: number): Lots {
    return Lots(this.book.openLots[slot]! + this.state.hiddenOf(slot))
  }

  /** The level before is complete: what changes hands there is paid together. */
  private enterLevel(priceTicks: Ticks): void {
    if (this.levelLots !== 0)
      this.found.atoms = plus<Atoms>(
        this.found.atoms,
        this.notional.up(this.levelTicks, this.levelLots),
      )
    this.levelTicks = priceTicks
    this.levelLots = Lots(0)
  }

  private trade(lots: Lots): Lots {
    this.found.lots = Lots(this.found.lots + lots)
    this.levelLots = Lots(this.levelLots + lots)
    return lots
  }

  private prevent(order: ArrivingOrder, slot: number, lots: Lots): Lots {
    this.found.preventedLots = Lots(this.found.preventedLots + lots)
    if (this.isTransferred(order, slot)) {
      this.found.transferredLots = Lots(this.found.transferredLots + lots)
      this.levelLots = Lots(this.levelLots + lots)
    }
    return lots
  }

  private reset(): void {
    const found = this.found
    found.lots = Lots(0)
    found.atoms = Atoms(0)
    found.preventedLots = Lots(0)
    found.transferredLots = Lots(0)
    found.isExhausted = false
    found.isCut = false
    this.levelTicks = Ticks(0)
    this.levelLots = Lots(0)
  }
}

/* Self-trade prevention as arithmetic (faqs/stp_faq.md), by the mode of the arriving order: prevention.ts applies it. */

/** Whether an arriving order of this mode ends at the first own order that it meets. */
export const expiresTaker = (mode: number): boolean =>
  mode === SelfTradePrevention.EXPIRE_TAKER || mode === SelfTradePrevention.EXPIRE_BOTH

/** DECREMENT and TRANSFER: both lose what the smaller of them has left. */
export const decrementsBoth = (mode: number): boolean => mode > SelfTradePrevention.EXPIRE_BOTH

/** Lots that the arriving order loses, of the `leftLots` that it may still trade. */
export function takerLossOf(mode: number, leftLots: Lots, makerLots: Lots): Lots {
  if (decrementsBoth(mode)) return Lots(Math.min(leftLots, makerLots))
  return expiresTaker(mode) ? leftLots : Lots(0)
}

/** Lots that the own order loses, of the `makerLots` that it has open. */
export function makerLossOf(mode: number, leftLots: Lots, makerLots: Lots): Lots {
  if (decrementsBoth(mode)) return Lots(Math.min(leftLots, makerLots))
  return mode === SelfTradePrevention.EXPIRE_TAKER ? Lots(0) : makerLots
}
