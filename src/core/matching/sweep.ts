/**
 * A dry run of an arriving order over the other side of the book: what it would trade and for how
 * much, honouring self-trade prevention. Changes nothing. For MARKET orders it decides the hold, for
 * FOK whether to trade at all, and for a limit order whether something would be left to rest.
 */
import { SelfTradePrevention, Side } from '#base/codes.ts'
import type { OrderBook } from '../book/face.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import type { ArrivingOrder } from './arriving-order.ts'

export class Sweep {
  /** Lots that would trade. */
  lots = 0
  /** Their price, in quote atoms. A sum past 2^53 - 1 is not exact, but stays past it. */
  atoms = 0
  /** Lots that the order would lose to self-trade prevention. */
  preventedLots = 0
  /** By quote amount: whether the book ran out while the amount could still pay for a lot. */
  exhausted = false

  readonly #book: OrderBook
  readonly #accounts: AccountTable
  readonly #atomsPerTickLot: number

  constructor(book: OrderBook, accounts: AccountTable, atomsPerTickLot: number) {
    this.#book = book
    this.#accounts = accounts
    this.#atomsPerTickLot = atomsPerTickLot
  }

  /** Trades up to `order.lots` within the order's limit. */
  byQuantity(order: ArrivingOrder): void {
    const book = this.#book
    this.#reset()
    let left = order.lots
    let slot = book.bestOrder(order.side ^ 1)
    while (slot !== 0 && left > 0 && order.crosses(book.priceTicksOf(slot))) {
      if (!this.#isPrevented(order, slot)) {
        const lots = Math.min(left, book.openLots[slot]!)
        left -= lots
        this.lots += lots
        this.atoms += book.priceTicksOf(slot) * lots * this.#atomsPerTickLot
      } else if (order.prevention !== SelfTradePrevention.EXPIRE_MAKER) {
        this.preventedLots = left
        return
      }
      slot = book.nextOrder(slot)
    }
  }

  /**
   * Trades as many lots as `order.quoteAtoms` pays for at the prices the book offers (supplement
   * 2c.3). An own order that would expire the taker counts, as the last one, among what is wanted.
   */
  byQuoteAmount(order: ArrivingOrder): void {
    const book = this.#book
    this.#reset()
    let left = order.quoteAtoms
    let atomsPerLot = 0
    let slot = book.bestOrder(order.side ^ 1)
    for (; slot !== 0; slot = book.nextOrder(slot)) {
      const prevented = this.#isPrevented(order, slot)
      if (prevented && order.prevention === SelfTradePrevention.EXPIRE_MAKER) continue
      const openLots = book.openLots[slot]!
      atomsPerLot = book.priceTicksOf(slot) * this.#atomsPerTickLot
      const lots = Math.min(openLots, Math.floor(left / atomsPerLot))
      if (prevented) {
        this.preventedLots = lots
        return
      }
      left -= lots * atomsPerLot
      this.lots += lots
      this.atoms += lots * atomsPerLot
      if (lots < openLots) return
    }
    this.exhausted = left >= atomsPerLot && left > 0
  }

  /** Whether the other side offers nothing at all. */
  isSideEmpty(order: ArrivingOrder): boolean {
    return order.side === Side.BUY ? this.#book.bestAskTicks === 0 : this.#book.bestBidTicks === 0
  }

  #isPrevented(order: ArrivingOrder, slot: number): boolean {
    return (
      order.prevention !== SelfTradePrevention.NONE &&
      this.#accounts.sameOwner(order.account, this.#book.account[slot]!)
    )
  }

  #reset(): void {
    this.lots = 0
    this.atoms = 0
    this.preventedLots = 0
    this.exhausted = false
  }
}
