/**
 * Smart order routing from one symbol (faqs/sor_faq.md, docs/routing.md): a routed order takes the best
 * prices of all books of its group. The group's account stands between: in a book it trades with the maker by an
 * order of its own, an execution as any other there; in the order's symbol it gives what it got, as an Allocation.
 * Both events conserve their symbol's assets alone. What it pays in one quote asset it receives in another, one to
 * one; in the order's own symbol its two sides cancel out, so that it needs no money there.
 *
 * An order goes in four parts, all in one batch: what the account pays is locked (`reserve`), then come its trades (`trade`),
 * its own execution, with an Allocation for each (`allocate`), and the makers of other symbols that prevention ends (`settle`). Writer: the order's matcher,
 * which owns all symbols of the group.
 */
import {
  isDetailed,
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../base/codes.ts'
import { minus, most, plus } from '../../base/int64.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import {
  type AccountId,
  type AssetId,
  Atoms,
  Lots,
  OrderId,
  QuoteAtoms,
  TradeId,
} from '../../base/units.ts'
import { EXCHANGE_ACCOUNT } from '../../market/listing.ts'
import { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import { NO_MATCH } from './event-writer.ts'
import { ownClientOrderId } from './firing.ts'
import type { GroupBook, GroupParts } from './group-book.ts'
import { RoutePlan, type RouteStep } from './route-plan.ts'
import { decrementsBoth } from './sweep.ts'

/** The id of the orders by which a group's account takes. */
const SOURCE_ID = ownClientOrderId('sor')

/** A maker of another symbol that loses by the MatchPrevented at byte `matchAt`. */
interface Loss {
  readonly step: RouteStep
  readonly matchAt: number
}

export class Routing {
  readonly plan: RoutePlan
  readonly account: AccountId
  private readonly own: GroupBook
  private readonly source = new ArrivingOrder()
  /** By step that is a trade: its id. */
  private readonly tradeIds: TradeId[] = []
  private readonly losses: Loss[] = []
  /** Books of other symbols that the order at hand has changed. */
  private readonly touched = new Set<GroupBook>()

  constructor(
    own: GroupParts,
    others: readonly GroupParts[],
    account: AccountId,
    weightMax: number,
  ) {
    this.plan = new RoutePlan(own, others, account, weightMax)
    this.own = this.plan.own
    this.account = account
  }

  /**
   * Locks what the account pays in other symbols. False, with nothing locked, where another matcher has taken some of it
   * since the plan was made.
   */
  reserve({ side }: ArrivingOrder): boolean {
    const { holds } = this.own.parts
    const paid = this.paidBy(side)
    const missing = paid.findIndex(([asset, atoms]) => !holds.hold(this.account, asset, atoms))
    if (missing < 0) return true
    for (const [asset, atoms] of paid.slice(0, missing)) holds.release(this.account, asset, atoms)
    return false
  }

  /** The order does not enter: what was locked is free. */
  giveBack({ side }: ArrivingOrder): void {
    const { holds } = this.own.parts
    for (const [asset, atoms] of this.paidBy(side)) holds.release(this.account, asset, atoms)
  }

  private paidBy(side: number): readonly (readonly [AssetId, Atoms])[] {
    const { quote } = this.own.parts.spec
    return this.plan.steps
      .filter(({ book, isPrevented }) => !isPrevented && book !== this.own)
      .map(({ book: { parts }, ticks, lots, quoteAtoms }) =>
        side === Side.BUY
          ? [parts.spec.quote.id, parts.state.notional.up(ticks, lots)]
          : [quote.id, quoteAtoms],
      )
  }

  /** Makes the trades of the plan, before the order itself enters. */
  trade(order: ArrivingOrder): void {
    for (const step of this.plan.steps) {
      if (step.isPrevented) continue
      this.touch(step.book)
      const { events, executions } = step.book.parts
      events.aside(() => {
        this.tradeIds.push(this.take(order, step))
        executions.end()
      })
    }
  }

  /**
   * Gives the order what was traded for it, and lets prevention take what it takes. Returns the byte of the
   * MatchPrevented that ends the order; NO_MATCH when none does.
   */
  allocate(order: ArrivingOrder): number {
    let traded = 0
    let matchAt = NO_MATCH
    for (const step of this.plan.steps) {
      if (step.isPrevented) matchAt = this.prevent(order, step)
      else this.give(order, step, this.tradeIds[traded++]!)
    }
    this.tradeIds.length = 0
    return matchAt
  }

  /** Ends makers of other symbols, each in an execution there. Returns the engines' books that were changed. */
  settle(): readonly GroupBook[] {
    for (const loss of this.losses) {
      this.touch(loss.step.book)
      const { events, executions } = loss.step.book.parts
      events.aside(() => {
        this.lose(loss)
        executions.end()
      })
    }
    this.losses.length = 0
    this.plan.clear()
    const touched = [...this.touched]
    this.touched.clear()
    return touched
  }

  private touch(book: GroupBook): void {
    const { timeMs, clockMs } = this.own.parts.state
    if (book === this.own || this.touched.has(book)) return
    this.touched.add(book)
    const { state, events } = book.parts
    state.timeMs = timeMs
    state.clockMs = clockMs
    events.resume(timeMs)
  }

  /** The account's order takes from one maker, without commission: an execution of the maker's symbol. */
  private take(order: ArrivingOrder, step: RouteStep): TradeId {
    const { book, slot, ticks, lots, quoteAtoms } = step
    const { state, fees, events, spec, matching, proceeds } = book.parts
    const source = this.source
    const buys = order.side === Side.BUY
    const maker = state.book.account[slot]!
    const base = baseAtomsOf(lots, spec.atomsPerLot)
    const terms = packTerms(
      order.side as Side,
      OrderType.LIMIT,
      TimeInForce.IOC,
      SelfTradePrevention.NONE,
    )
    source.readSource(this.account, terms, ticks, lots, SOURCE_ID)
    source.orderId = OrderId(state.count(Counter.orderId))
    source.createdMs = state.timeMs
    events.accepted(source, state.heldFor(order.side, ticks, lots))
    const tradeId = TradeId(state.count(Counter.tradeId))
    const charge = fees.charge(maker, true, !buys, buys ? quoteAtoms : base)
    const commission = most(Atoms(0), charge)
    const freed = buys
      ? QuoteAtoms(minus<Atoms>(state.notional.up(ticks, lots), quoteAtoms))
      : state.freedByMaker(slot, lots, quoteAtoms)
    this.payMaker(order, step, freed, commission)
    source.leftLots = Lots(0)
    source.filledLots = lots
    source.filledAtoms = quoteAtoms
    state.count(Counter.updateId)
    state.tradedAt(ticks)
    if (state.recent !== undefined) state.noteTrade(ticks, lots)
    const makerFilled = plus(state.book.filledAtoms.of(slot), quoteAtoms)
    const { FILLED } = OrderStatus
    events.trade(source, FILLED, slot, lots, quoteAtoms, makerFilled, Atoms(0), charge, freed)
    state.book.filledAtoms.set(slot, makerFilled)
    state.book.setUpdatedMs(slot, state.timeMs)
    if (!isDetailed(state.book.terms[slot]!)) state.fill(slot, lots)
    else {
      if (!buys) proceeds.received(slot, base, commission)
      matching.fillDetailed(slot, lots)
    }
    return tradeId
  }

  /** The maker's side of a trade, and in another symbol the account's. The order's side is paid in `give`. */
  private payMaker(
    { side }: ArrivingOrder,
    { book, slot, lots, quoteAtoms }: RouteStep,
    freed: QuoteAtoms,
    commission: Atoms,
  ): void {
    const { holds, spec, state } = book.parts
    const maker = state.book.account[slot]!
    const base = baseAtomsOf(lots, spec.atomsPerLot)
    const isOther = book !== this.own
    if (side === Side.BUY) {
      holds.spend(maker, spec.base.id, base)
      this.credit(maker, spec.quote.id, quoteAtoms, commission)
      if (!isOther) return
      holds.spend(this.account, spec.quote.id, quoteAtoms)
      if (freed !== 0) holds.release(this.account, spec.quote.id, freed)
      return
    }
    if (freed !== 0) holds.release(maker, spec.quote.id, freed)
    holds.spend(maker, spec.quote.id, quoteAtoms)
    this.credit(maker, spec.base.id, base, commission)
    if (isOther) holds.credit(this.account, spec.quote.id, quoteAtoms)
  }

  private credit(account: AccountId, asset: AssetId, atoms: Atoms, commission: Atoms): void {
    const { holds } = this.own.parts
    holds.credit(account, asset, minus(atoms, commission))
    if (commission !== 0) holds.credit(EXCHANGE_ACCOUNT, asset, commission)
  }

  /** The order gets what was traded, and pays for it in its own symbol. */
  private give(order: ArrivingOrder, step: RouteStep, sourceTradeId: TradeId): void {
    const { book, orderLots, quoteAtoms } = step
    const { holds, spec, state, fees, events } = this.own.parts
    const buys = order.side === Side.BUY
    const base = baseAtomsOf(orderLots, spec.atomsPerLot)
    const charge = fees.charge(order.account, false, buys, buys ? base : quoteAtoms)
    const commission = most(Atoms(0), charge)
    const freed = buys ? state.freedByTaker(order, orderLots, quoteAtoms) : QuoteAtoms(0)
    const isOther = book !== this.own
    if (buys) {
      if (freed !== 0) holds.release(order.account, spec.quote.id, freed)
      holds.spend(order.account, spec.quote.id, quoteAtoms)
      this.credit(order.account, spec.base.id, base, commission)
      if (isOther) holds.credit(this.account, spec.quote.id, quoteAtoms)
    } else {
      holds.spend(order.account, spec.base.id, base)
      this.credit(order.account, spec.quote.id, quoteAtoms, commission)
      if (isOther) holds.spend(this.account, spec.quote.id, quoteAtoms)
    }
    order.leftLots = Lots(order.leftLots - orderLots)
    order.filledLots = Lots(order.filledLots + orderLots)
    order.filledAtoms = plus(order.filledAtoms, quoteAtoms)
    const isFilled = order.leftLots === 0
    events.allocation(order, isFilled ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED, {
      allocator: this.account,
      sourceSymbolId: book.parts.spec.id,
      sourceTradeId,
      priceUnits: book.unitsOf(step.ticks),
      lots: orderLots,
      quoteAtoms,
      buyerReleasedAtoms: freed,
      charge,
    })
  }

  private prevent(order: ArrivingOrder, step: RouteStep): number {
    const { book, slot } = step
    if (book !== this.own) return this.preventAcross(order, step)
    return this.own.parts.prevention.prevent(order, slot)
  }

  /** The maker is of another symbol: nothing is transferred, and it loses in an execution there. */
  private preventAcross(order: ArrivingOrder, step: RouteStep): number {
    const { book, slot, orderLots, lots, leftLots } = step
    const { prevention } = this.own.parts
    const matchAt = prevention.across(order, book.parts, slot, {
      takerLots: orderLots,
      makerLots: lots,
      matchLots: book.commonLots(leftLots, book.parts.state.book.openLots[slot]!),
    })
    if (lots > 0) this.losses.push({ step, matchAt })
    if (decrementsBoth(order.prevention)) {
      return prevention.decrementTaker(order, orderLots, false, matchAt) ? matchAt : NO_MATCH
    }
    order.preventedLots = Lots(order.preventedLots + orderLots)
    return orderLots !== 0 ? matchAt : NO_MATCH
  }

  private lose({ step, matchAt }: Loss): void {
    const { book, slot, lots } = step
    const { state, prevention, closer } = book.parts
    const whole = state.book.openLots[slot]! + state.hiddenOf(slot)
    if (lots < whole) prevention.decrementMaker(slot, lots, false, matchAt)
    else closer.expireMaker(slot, lots, state.releasable(slot), matchAt)
  }
}
