/**
 * A dry run of an arriving order over the other side of the book: what it would trade and for how
 * much, honouring self-trade prevention. Changes nothing. For market types it decides the hold, for
 * FOK whether to trade at all, and for a limit order whether something would be left to rest.
 *
 * Within one level the slices that show come first, in their order, and what icebergs hide after
 * them: their next slices join the end. An own order loses its hidden part with the rest of it.
 */
import * as codes from '#base/codes.ts'
import { TURN_MATCHES_MAX } from '#base/limits.ts'
import type { OrderBook } from '../book/face.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import type { SymbolState } from './symbol-state.ts'

// V8 folds a module's own constants into its code, but reads imported ones again at each use.
const { isDetailed, preventionOf, SelfTradePrevention, Side } = codes

export class Sweep {
  /** Lots that would trade. */
  lots = 0
  /** Their price, in quote atoms. A sum past 2^53 - 1 is not exact, but stays past it. */
  atoms = 0
  /** Lots that the order would lose to self-trade prevention, what is transferred included. */
  preventedLots = 0
  /** Lots that would change hands without a trade (TRANSFER), and their price. */
  transferredLots = 0
  transferredAtoms = 0
  /** By quote amount: whether the book ran out while the amount could still pay for a lot. */
  exhausted = false
  /** By quote amount: whether it gave up, since the order would meet more than a turn has room for. */
  isCut = false

  readonly #state: SymbolState
  readonly #book: OrderBook
  readonly #accounts: AccountTable
  readonly #atomsPerTickLot: number
  readonly #matchesMax: number

  constructor(
    state: SymbolState,
    accounts: AccountTable,
    atomsPerTickLot: number,
    matchesMax = TURN_MATCHES_MAX,
  ) {
    this.#state = state
    this.#book = state.book
    this.#accounts = accounts
    this.#atomsPerTickLot = atomsPerTickLot
    this.#matchesMax = matchesMax
  }

  /** Trades up to `order.lots` within the order's limit. */
  byQuantity(order: ArrivingOrder): void {
    const book = this.#book
    this.#reset()
    let left = order.lots
    let ticks = 0
    let hidden = 0
    let slot = book.bestOrder(order.side ^ 1)
    for (; slot !== 0 && left > 0; slot = book.nextOrder(slot)) {
      const priceTicks = book.priceTicksOf(slot)
      if (priceTicks !== ticks) {
        left -= this.#trade(Math.min(left, hidden), ticks)
        ticks = priceTicks
        hidden = 0
        if (left === 0 || !order.crosses(priceTicks)) return
      }
      if (!this.isPrevented(order, slot)) {
        left -= this.#trade(Math.min(left, book.openLots[slot]!), ticks)
        if (isDetailed(book.terms[slot]!)) hidden += this.#state.hiddenOf(slot)
      } else if (expiresTaker(order.prevention)) {
        this.preventedLots += left
        return
      } else if (order.prevention !== SelfTradePrevention.EXPIRE_MAKER) {
        left -= this.#decrement(order, slot, Math.min(left, this.#wholeOf(slot)))
      }
    }
    this.#trade(Math.min(left, hidden), ticks)
  }

  /**
   * Trades as many lots as `order.quoteAtoms` pays for at the prices the book offers (supplement
   * 2c.3). Own orders that would take from the order count among what is wanted; one that would
   * expire it, as the last of it.
   */
  byQuoteAmount(order: ArrivingOrder): void {
    const book = this.#book
    this.#reset()
    let left = order.quoteAtoms
    let ticks = 0
    let atomsPerLot = 0
    let hidden = 0
    let met = 0
    for (let slot = book.bestOrder(order.side ^ 1); slot !== 0; slot = book.nextOrder(slot)) {
      const prevented = this.isPrevented(order, slot)
      if (prevented && order.prevention === SelfTradePrevention.EXPIRE_MAKER) continue
      const priceTicks = book.priceTicksOf(slot)
      if (priceTicks !== ticks) {
        const lots = this.#trade(Math.min(hidden, affordable(left, atomsPerLot)), ticks)
        if (lots < hidden) return
        left -= lots * atomsPerLot
        ticks = priceTicks
        atomsPerLot = priceTicks * this.#atomsPerTickLot
        hidden = 0
      }
      const offered = prevented ? this.#wholeOf(slot) : book.openLots[slot]!
      const lots = Math.min(offered, affordable(left, atomsPerLot))
      if (prevented && expiresTaker(order.prevention)) {
        this.preventedLots += lots
        return
      }
      if (prevented) this.#decrement(order, slot, lots)
      else {
        this.#trade(lots, ticks)
        if (isDetailed(book.terms[slot]!)) hidden += this.#state.hiddenOf(slot)
      }
      left -= lots * atomsPerLot
      if (lots < offered) return
      this.isCut = ++met > this.#matchesMax
      if (this.isCut) return
    }
    const lots = this.#trade(Math.min(hidden, affordable(left, atomsPerLot)), ticks)
    if (lots < hidden) return
    left -= lots * atomsPerLot
    this.exhausted = left >= atomsPerLot && left > 0
  }

  /** Whether the other side offers nothing at all. */
  isSideEmpty(order: ArrivingOrder): boolean {
    return order.side === Side.BUY ? this.#book.bestAskTicks === 0 : this.#book.bestBidTicks === 0
  }

  /** Whether the order must not trade with the maker in `slot`. */
  isPrevented(order: ArrivingOrder, slot: number): boolean {
    return (
      order.prevention !== SelfTradePrevention.NONE &&
      this.#accounts.sameOwner(order.account, this.#book.account[slot]!)
    )
  }

  /** Whether what a prevented match takes changes hands (supplement 2c.7, TRANSFER). */
  isTransferred(order: ArrivingOrder, slot: number): boolean {
    return (
      order.prevention === SelfTradePrevention.TRANSFER &&
      preventionOf(this.#book.terms[slot]!) === SelfTradePrevention.TRANSFER &&
      order.account !== this.#book.account[slot]
    )
  }

  #wholeOf(slot: number): number {
    return this.#book.openLots[slot]! + this.#state.hiddenOf(slot)
  }

  #trade(lots: number, priceTicks: number): number {
    this.lots += lots
    this.atoms += priceTicks * lots * this.#atomsPerTickLot
    return lots
  }

  #decrement(order: ArrivingOrder, slot: number, lots: number): number {
    this.preventedLots += lots
    if (this.isTransferred(order, slot)) {
      this.transferredLots += lots
      this.transferredAtoms += this.#book.priceTicksOf(slot) * lots * this.#atomsPerTickLot
    }
    return lots
  }

  #reset(): void {
    this.lots = 0
    this.atoms = 0
    this.preventedLots = 0
    this.transferredLots = 0
    this.transferredAtoms = 0
    this.exhausted = false
    this.isCut = false
  }
}

/** Whether a taker of this mode ends at the first own order that it meets. */
export const expiresTaker = (mode: number): boolean =>
  mode === SelfTradePrevention.EXPIRE_TAKER || mode === SelfTradePrevention.EXPIRE_BOTH

const affordable = (atoms: number, atomsPerLot: number): number =>
  atomsPerLot === 0 ? 0 : Math.floor(atoms / atomsPerLot)
