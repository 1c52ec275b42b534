/**
 * What a routed order would do in the books of its group (faqs/sor_faq.md), found without doing it: each step in its
 * order. routing.ts makes the steps, so what was decided by them is what happens. The best price of all books comes
 * first; at equal prices the order's own symbol, then the group's order.
 *
 * What a book offers ends, for this order, where the group's account cannot pay for it, where no quantity is of both
 * symbols' steps, and, in another symbol, at an order of that account.
 */
import { SelfTradePrevention, Side } from '../../base/codes.ts'
import { minus, plus } from '../../base/int64.ts'
import { ROUTED_WEIGHT } from '../../base/limits.ts'
import { type AccountId, Atoms, Lots, QuoteAtoms, type Ticks } from '../../base/units.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { GroupBook, type GroupParts } from './group-book.ts'
import { decrementsBoth, expiresTaker } from './sweep.ts'

/** One maker met. */
export interface RouteStep {
  readonly book: GroupBook
  readonly slot: number
  readonly ticks: Ticks
  readonly isPrevented: boolean
  /** What the order trades or loses, and what it had left before, in its own lots. */
  readonly orderLots: Lots
  readonly leftLots: Lots
  /** What the maker trades or loses, in lots of its symbol. */
  readonly lots: Lots
  /** What a trade pays; 0 of a prevented match. */
  readonly quoteAtoms: QuoteAtoms
}

export class RoutePlan {
  /** Of the group in its order, the order's own first. */
  readonly books: readonly GroupBook[]
  readonly own: GroupBook
  steps: RouteStep[] = []
  /** Lots that would trade, and lose to prevention, transferred ones among them. */
  lots = Lots(0)
  preventedLots = Lots(0)
  transferredLots = Lots(0)
  /** What all that costs: transfers rounded up, trades as they pay. */
  atoms = Atoms(0)
  weight = 0
  /** Whether no book offers anything, whatever its price. */
  isEmpty = true
  readonly account: AccountId
  private readonly weightMax: number
  /** By book: what the account may pay there; of a SELL all pay from the first. */
  private readonly budgets: Atoms[] = []

  constructor(
    own: GroupParts,
    others: readonly GroupParts[],
    account: AccountId,
    weightMax: number,
  ) {
    const { atomsPerLot } = own.spec
    this.own = new GroupBook(own, atomsPerLot)
    this.books = [this.own, ...others.map((parts) => new GroupBook(parts, atomsPerLot))]
    this.account = account
    this.weightMax = weightMax
  }

  /** Whether one execution has no room for it. */
  get isExceeded(): boolean {
    return this.weight > this.weightMax
  }

  clear(): void {
    this.steps = []
    this.lots = Lots(0)
    this.preventedLots = Lots(0)
    this.transferredLots = Lots(0)
    this.atoms = Atoms(0)
    this.weight = 0
  }

  /** Plans `lots` of the order. Valid until the next plan. */
  make(order: ArrivingOrder, lots: Lots): void {
    this.clear()
    this.begin(order)
    let left = lots
    while (left > 0 && !this.isExceeded) {
      const book = this.best()
      if (book === undefined) return
      if (!book.isPrevented) left = Lots(left - this.trade(order, book, left))
      else {
        left = Lots(left - this.prevent(order, book, left))
        if (this.steps.at(-1)?.isPrevented === true && expiresTaker(order.prevention)) return
      }
    }
  }

  private begin(order: ArrivingOrder): void {
    const { own, books } = this
    const { tickUnits, quote } = own.parts.spec
    const { timeMs } = own.parts.state
    this.isEmpty = true
    for (const [i, book] of books.entries()) {
      const { holds, spec, sweep } = book.parts
      const asset = order.side === Side.BUY ? spec.quote.id : quote.id
      book.begin(order, tickUnits, book === own, timeMs)
      this.budgets[i] = holds.available(this.account, asset)
      this.isEmpty &&= !book.parts.state.isTrading || sweep.isSideEmpty(order)
    }
  }

  private best(): GroupBook | undefined {
    let best: GroupBook | undefined
    for (const book of this.books) {
      if (!book.isOffering) continue
      if (best === undefined || book.isBetterThan(best)) best = book
    }
    return best
  }

  /** Returns what the order trades; 0 where the book offers nothing more to it. */
  private trade(order: ArrivingOrder, book: GroupBook, left: Lots): Lots {
    const { state } = book.parts
    const units = this.unitsOf(order, book, left)
    if (units === 0) {
      book.close()
      return Lots(0)
    }
    const lots = Lots(units * book.step)
    const orderLots = Lots(units * book.orderStep)
    const quoteAtoms = state.notional.down(book.ticks, lots)
    if (book !== this.own) this.pay(order, book, lots)
    this.add(book, lots, orderLots, left, quoteAtoms)
    this.lots = Lots(this.lots + orderLots)
    this.atoms = plus(this.atoms, quoteAtoms)
    book.take(order, lots)
    return orderLots
  }

  /** The most that both symbols have and, in another one, the account can pay. */
  private unitsOf(order: ArrivingOrder, book: GroupBook, left: Lots): number {
    const { book: orders, notional } = book.parts.state
    const most = book.unitsWithin(left, book.lots)
    if (book === this.own) return most
    if (orders.account[book.slot] === this.account) return 0
    const paid = notional.lotsFor(this.budgets[this.budgetOf(order, book)]!, book.ticks)
    return Math.min(most, Math.floor(paid / book.step))
  }

  private budgetOf(order: ArrivingOrder, book: GroupBook): number {
    return order.side === Side.BUY ? this.books.indexOf(book) : 0
  }

  private pay(order: ArrivingOrder, book: GroupBook, lots: Lots): void {
    const i = this.budgetOf(order, book)
    this.budgets[i] = minus<Atoms>(this.budgets[i]!, book.parts.state.notional.up(book.ticks, lots))
  }

  /** Returns what the order loses. */
  private prevent(order: ArrivingOrder, book: GroupBook, left: Lots): Lots {
    const mode = order.prevention
    const whole = book.lots
    let lots = Lots(0)
    let lost = expiresTaker(mode) ? left : Lots(0)
    if (decrementsBoth(mode)) {
      const units = book.unitsWithin(left, whole)
      if (units === 0) {
        book.close()
        return Lots(0)
      }
      lots = Lots(units * book.step)
      lost = Lots(units * book.orderStep)
    } else if (mode !== SelfTradePrevention.EXPIRE_TAKER) lots = whole
    this.add(book, lots, lost, left, undefined)
    this.preventedLots = Lots(this.preventedLots + lost)
    const { sweep, state } = book.parts
    if (book === this.own && sweep.isTransferred(order, book.slot)) {
      this.transferredLots = Lots(this.transferredLots + lost)
      this.atoms = plus<Atoms>(this.atoms, state.notional.up(book.ticks, lots))
    }
    if (lots < whole) book.close()
    else book.drop(order)
    return lost
  }

  private add(
    book: GroupBook,
    lots: Lots,
    orderLots: Lots,
    leftLots: Lots,
    paid: QuoteAtoms | undefined,
  ): void {
    const { slot, ticks } = book
    const isPrevented = paid === undefined
    const quoteAtoms = paid ?? QuoteAtoms(0)
    this.steps.push({ book, slot, ticks, isPrevented, orderLots, leftLots, lots, quoteAtoms })
    this.weight += ROUTED_WEIGHT
  }
}
