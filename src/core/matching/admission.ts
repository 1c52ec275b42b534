/**
 * Decides whether arriving orders may enter, in the order of checks that the protocol shows, what they
 * lock and what they trade at once. Deciding changes nothing but the Decision that is returned; who
 * applies it takes the funds last (order-funds.ts).
 */

import { assert } from '../../base/assert.ts'
import {
  isCall,
  isClosed,
  isRouted,
  OrderType,
  RejectReason,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
  timeInForceOf,
} from '../../base/codes.ts'
import { type Int64, isBeyond64, isMore, plus } from '../../base/int64.ts'
import {
  BASIS_POINTS,
  EXECUTION_MATCHES_MAX,
  LEVEL_LOTS_MAX,
  MATCH_WEIGHT_MAX,
  ORDER_ATOMS_MAX,
  PRICE_TICKS_MAX,
} from '../../base/limits.ts'
import { baseAtomsOf, type Notional } from '../../base/notional.ts'
import {
  type AccountId,
  type AssetId,
  type Atoms,
  Lots,
  type Ms,
  QuoteAtoms,
  type Ticks,
} from '../../base/units.ts'
import { type ExchangeSpec, isRanged, type SymbolSpec } from '../../market/listing.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import { NO_PRICE } from '../views/reference-price.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import { CountingFilters, type CountingOptions } from './counting-filters.ts'
import { ADMITTED, type Decision, type Verdict } from './decision.ts'
import type { OwnOrders } from './own-orders.ts'
import { fixPrice } from './pegs.ts'
import { Reach } from './reach.ts'
import type { Foreseen, Sweep } from './sweep.ts'
import type { SymbolState } from './symbol-state.ts'
import { hasReached } from './triggers.ts'

/** What no order may exceed, whatever filters allow. Tests set them low. */
export interface EngineBounds {
  readonly executionMatchesMax: number
  readonly levelLotsMax: number
}

export const usualBounds: EngineBounds = {
  executionMatchesMax: EXECUTION_MATCHES_MAX,
  levelLotsMax: LEVEL_LOTS_MAX,
}

/** What a routed order would do in all books of its group (route-plan.ts). */
export interface RoutedPlan {
  /** The group's. */
  readonly account: AccountId
  readonly lots: Lots
  readonly preventedLots: Lots
  readonly transferredLots: Lots
  readonly atoms: Atoms
  readonly weight: number
  readonly isEmpty: boolean
  make(order: ArrivingOrder, lots: Lots): void
  clear(): void
}

/** More than any order comes to: of a pending one only its release is judged by 64 bits. */
const UNLIMITED = Number.POSITIVE_INFINITY

export interface AdmissionOptions extends CountingOptions {
  readonly bounds?: EngineBounds
}

export class Admission {
  readonly counting: CountingFilters

  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly accounts: AccountTable
  private readonly sweep: Sweep
  readonly reach: Reach
  readonly matchesMax: number
  private readonly own: OwnOrders
  private readonly levelLotsMax: number
  private readonly notional: Notional
  private readonly atomsPerLot: number
  private _spec: SymbolSpec
  /** A copy of a member of the spec: specs differ in their hidden class, so V8 would look it up (bench `engine`). */
  private notionalAtomsMax: QuoteAtoms
  /** `notionalAtomsMax`, as near as a number is: most orders keep below it. */
  private notionalNearMax: number
  private exchange: ExchangeSpec
  /** By MAX_ASSET, which few exchanges set. */
  private limitsAssets = false
  private quoteAtomsMax: Int64 = UNLIMITED
  private baseAtomsMax: Int64 = UNLIMITED
  /** Whether an execution rule bounds takers. */
  private isRanged: boolean
  /** Of routed orders; undefined while the symbol is in no group. */
  private plan: RoutedPlan | undefined = undefined

  constructor(
    options: AdmissionOptions,
    accounts: AccountTable,
    sweep: Sweep,
    own: OwnOrders,
    spec: SymbolSpec,
  ) {
    const { bounds = usualBounds } = options
    this.own = own
    this.matchesMax = bounds.executionMatchesMax
    this.counting = new CountingFilters(options, spec)
    this.state = options.state
    this.book = options.state.book
    this.accounts = accounts
    this.sweep = sweep
    this.reach = new Reach(options.state, sweep, bounds.executionMatchesMax)
    this.levelLotsMax = bounds.levelLotsMax
    this.notional = options.state.notional
    this.atomsPerLot = spec.atomsPerLot
    this._spec = spec
    this.notionalAtomsMax = spec.notionalAtomsMax
    this.notionalNearMax = Number(spec.notionalAtomsMax)
    this.isRanged = isRanged(spec.priceRange)
    options.state.keepAverage(spec)
    this.exchange = options.exchange
    this.limitAssets()
  }

  get spec(): SymbolSpec {
    return this._spec
  }

  /** Called between batches, when the operator changes filters; never its units. */
  respecify(spec: SymbolSpec): void {
    this._spec = spec
    this.notionalAtomsMax = spec.notionalAtomsMax
    this.notionalNearMax = Number(spec.notionalAtomsMax)
    this.isRanged = isRanged(spec.priceRange)
    this.counting.respecify(spec)
    this.state.keepAverage(spec)
  }

  /** The exchange has other filters. */
  setExchange(exchange: ExchangeSpec): void {
    this.counting.setExchange(exchange)
    this.exchange = exchange
    this.limitAssets()
  }

  private limitAssets(): void {
    const { base, quote } = this._spec
    const limitOf = (id: AssetId) =>
      this.exchange.assetLimits.find(({ assetId }) => assetId === id)?.atoms ?? UNLIMITED
    this.baseAtomsMax = limitOf(base.id)
    this.quoteAtomsMax = limitOf(quote.id)
    this.limitsAssets = this.exchange.assetLimits.some(
      ({ assetId }) => assetId === base.id || assetId === quote.id,
    )
  }

  /** Decides one order that is placed in no list: `orders[0]`. */
  decidePlaced(orders: readonly ArrivingOrder[], expiresMs: Ms): Readonly<Decision> {
    const order = orders[0]!
    const verdict =
      this.judgeSender(order, expiresMs) ||
      this.judgeClientOrderId(order) ||
      this.counting.judge(orders, 1, false)
    if (verdict !== ADMITTED) return order.decision.refused(verdict)
    return order.isStop ? this.decideStop(order, 1) : this.decideWorking(order)
  }

  /** Time, account, and the phase of the symbol. */
  judgeSender(order: ArrivingOrder, expiresMs: Ms): Verdict {
    if (expiresMs > 0 && this.state.clockMs > expiresMs) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    return this.judgeAccount(order.account) || phaseVerdict(this.state.phase, order)
  }

  /** Whether the account may add orders now, be they placed, triggered or released. */
  judgeAccount(account: AccountId): Verdict {
    if (this.accounts.canTrade[account] === 0) return RejectReason.ACCOUNT_DISABLED
    return this.state.protections.isTripped(account) ? RejectReason.PROTECTED : ADMITTED
  }

  /** Leaves the id's hash in the order, which rests under it. */
  judgeClientOrderId(order: ArrivingOrder): Verdict {
    const { account, idWords, idAt } = order
    const hash = this.book.clientOrderHash(account, idWords, idAt)
    order.idHash = hash
    const found = this.book.findClientOrder(account, idWords, idAt, hash)
    return found === 0 ? ADMITTED : RejectReason.DUPLICATE_ORDER
  }

  /** Decides a stop that is to wait; `openCount` is 1 for a new order, 0 for one that is open already. */
  decideStop(order: ArrivingOrder, openCount: number): Readonly<Decision> {
    const { decision, stopTicks } = order
    const lastTicks = this.state.lastPriceTicks
    if (lastTicks !== 0 && stopTicks !== 0 && hasReached(order.terms, stopTicks, lastTicks)) {
      return decision.refused(RejectReason.WOULD_TRIGGER_IMMEDIATELY)
    }
    const heldAtoms = this.state.costOfStop(order)
    const verdict = this.judgeSize(order, heldAtoms) || this.judgeRoom(openCount)
    if (verdict !== ADMITTED) return decision.refused(verdict)
    return decision.admitted(order.lots, heldAtoms)
  }

  /** Whether so many more orders can be open, resting or waiting. */
  judgeRoom(openCount: number): Verdict {
    const hasRoom = this.book.orderCount + openCount <= this.book.ordersMax
    return hasRoom ? ADMITTED : RejectReason.BOOK_FULL
  }

  /** Whether one execution has room for so many prevented matches. */
  hasRoomFor(prevented: number): boolean {
    return prevented * MATCH_WEIGHT_MAX <= this.matchesMax
  }

  /** The phase, of a list: a call takes none. */
  judgeListPhase(): Verdict {
    return isCall(this.state.phase) ? RejectReason.PHASE_REFUSES_TYPE : ADMITTED
  }

  /** Decides an order that meets the book at once, now that it is placed, triggered or released. */
  decideWorking(order: ArrivingOrder): Readonly<Decision> {
    if (order.awaitsPeg) {
      const verdict = this.fixPrice(order)
      if (verdict !== ADMITTED) return order.decision.refused(verdict)
    }
    if (!this.state.isUnbounded) {
      if (!this.state.isTrading) return this.decideGathered(order)
      this.keepWithinBand(order)
    }
    if (this.isRanged) this.keepWithinRange(order)
    if (isRouted(order.terms)) return this.decideRouted(order)
    if (!order.isMarketType) return this.decideLimit(order)
    return order.quoteAtoms > 0 ? this.decideQuoteAmount(order) : this.decideMarket(order)
  }

  /** The symbol's own rules narrow an order that is asked for in another symbol of its group (group-book.ts). */
  bound(limit: ArrivingOrder): void {
    if (this.state.isBanded) this.keepWithinBand(limit)
    if (this.isRanged) this.keepWithinRange(limit)
  }

  /** From now on routed orders take from a group. */
  route(plan: RoutedPlan): void {
    this.plan = plan
  }

  /** Decides an order that takes from all books of its group: what is planned is what happens. */
  private decideRouted(order: ArrivingOrder): Readonly<Decision> {
    const plan = this.plan
    const { decision, lots, side, isMarketType } = order
    assert(plan !== undefined, 'gateways route only within a group')
    if (plan.account === order.account) return decision.refused(RejectReason.ACCOUNT_DISABLED)
    plan.make(order, lots)
    if (isMarketType && plan.isEmpty) return decision.refused(RejectReason.NO_DEPTH)
    const baseAtoms = baseAtomsOf(lots, this.atomsPerLot)
    const quoteAtoms = isMarketType ? QuoteAtoms(0) : this.notional.up(order.priceTicks, lots)
    const timeInForce = timeInForceOf(order.terms)
    const isResting = !isMarketType && timeInForce === TimeInForce.GTC
    const laterLots = Lots(lots - plan.lots - plan.preventedLots)
    const verdict =
      this.judgeAmounts(quoteAtoms, baseAtoms) ||
      this.judgePlan(order, plan, laterLots) ||
      (isResting ? this.judgeRoutedRest(order, laterLots) : ADMITTED)
    if (verdict !== ADMITTED) return decision.refused(verdict)
    if (isMarketType) {
      const soldLots = Lots(plan.lots + plan.transferredLots)
      const heldAtoms = side === Side.BUY ? plan.atoms : baseAtomsOf(soldLots, this.atomsPerLot)
      return decision.admitted(lots, heldAtoms, plan.lots)
    }
    const isWhole = timeInForce === TimeInForce.FOK
    const tradedLots = isWhole ? plan.lots : Lots(0)
    // One that is not filled whole does nothing.
    if (isWhole && tradedLots < lots) plan.clear()
    return decision.admitted(lots, side === Side.BUY ? quoteAtoms : baseAtoms, tradedLots)
  }

  /** What the plan meets and moves; a SELL may earn more than at its own price. */
  private judgePlan(order: ArrivingOrder, plan: RoutedPlan, laterLots: Lots): Verdict {
    const beyond = order.isBanded && laterLots > 0 ? this.beyondWeight(order) : 0
    if (plan.weight + beyond > this.matchesMax) return RejectReason.TOO_MANY_MATCHES
    const later = this.notional.up(order.priceTicks, laterLots)
    if (isBeyond64(plus<Atoms>(plan.atoms, later))) return RejectReason.AMOUNT_TOO_LARGE
    return order.isMarketType && this.limitsAssets
      ? this.judgeAssets(plan.atoms, baseAtomsOf(order.lots, this.atomsPerLot))
      : ADMITTED
  }

  private judgeRoutedRest(order: ArrivingOrder, laterLots: Lots): Verdict {
    if (laterLots === 0) return ADMITTED
    const canRest =
      order.slot === 0
        ? this.book.canRest(order.side, order.priceTicks)
        : this.book.hasLevel(order.side, order.priceTicks)
    if (!canRest) return RejectReason.BOOK_FULL
    return this.overfillsLevel(order) ? RejectReason.LEVEL_FULL : ADMITTED
  }

  /** A pegged order that begins to work gets its price, if there is one that it may have. */
  fixPrice(order: ArrivingOrder): Verdict {
    return order.awaitsPeg ? fixPrice(order, this.state, this._spec) : ADMITTED
  }

  /** What would match too far from the anchor does not (phases.ts); a LIMIT_MAKER matches nothing. */
  private keepWithinBand(order: ArrivingOrder): void {
    const { anchorTicks, counters } = this.state
    if (anchorTicks === 0 || order.type === OrderType.LIMIT_MAKER) return
    const distance = (anchorTicks * counters[Counter.bandBasisPoints]!) / BASIS_POINTS
    order.keepWithin(Math.ceil(anchorTicks - distance), Math.floor(anchorTicks + distance))
  }

  /**
   * The execution rule PRICE_RANGE, both bounds inclusive: fixed by the reference price as the order begins to take,
   * for all that it meets (faqs/price_range_execution_rules.md).
   */
  private keepWithinRange(order: ArrivingOrder): void {
    const { reference, timeMs, book } = this.state
    const priceUnits = reference.unitsAt(timeMs)
    if (priceUnits === NO_PRICE || order.type === OrderType.LIMIT_MAKER) return
    const { priceRange, tickUnits } = this._spec
    const isBuy = order.side === Side.BUY
    const up = isBuy ? priceRange.bidUp : priceRange.askUp
    const down = isBuy ? priceRange.bidDown : priceRange.askDown
    const parts = BigInt(BASIS_POINTS) * BigInt(tickUnits)
    const high = up === 0 ? PRICE_TICKS_MAX : Number((BigInt(priceUnits) * BigInt(up)) / parts)
    const low = Number((BigInt(priceUnits) * BigInt(down) + parts - 1n) / parts)
    order.keepWithinRange(low, high, isBuy ? book.bestAskTicks : book.bestBidTicks)
  }

  /** A limit order of a call rests, whatever it crosses. */
  private decideGathered(order: ArrivingOrder): Readonly<Decision> {
    const { decision, lots } = order
    const quoteAtoms = this.notional.up(order.priceTicks, lots)
    const baseAtoms = baseAtomsOf(lots, this.atomsPerLot)
    const verdict =
      this.judgeAmounts(quoteAtoms, baseAtoms) ||
      (this.ownWeight(order) > this.matchesMax ? RejectReason.TOO_MANY_MATCHES : ADMITTED) ||
      this.judgeRest(order, false)
    if (verdict !== ADMITTED) return decision.refused(verdict)
    return decision.admitted(lots, order.side === Side.BUY ? quoteAtoms : baseAtoms)
  }

  /** What prevention of the owner's orders across weighs; those `within` a price are not counted. */
  private ownWeight(order: ArrivingOrder, within?: Ticks): number {
    if (order.prevention === SelfTradePrevention.NONE) return 0
    const isFound = this.own.find(order, within)
    return isFound ? this.own.weightFor(order.prevention) : Number.POSITIVE_INFINITY
  }

  /** Beyond the band only an order that rests there meets its owner's. */
  private beyondWeight(order: ArrivingOrder): number {
    const isResting = timeInForceOf(order.terms) === TimeInForce.GTC
    return isResting ? this.ownWeight(order, order.limitTicks) : 0
  }

  /** A stop of a limit type is bounded as a limit order; of others, by what 64 bits carry. */
  private judgeSize(order: ArrivingOrder, heldAtoms: Atoms): Verdict {
    const isDear = order.side === Side.BUY && isBeyond64(heldAtoms)
    if (isDear) return RejectReason.AMOUNT_TOO_LARGE
    const quoteAtoms = this.notional.up(order.priceTicks, order.lots)
    return this.judgeAmounts(quoteAtoms, baseAtomsOf(order.lots, this.atomsPerLot))
  }

  /** The notional filter bounds its price times lots; 64 bits bound both sides. */
  private judgeAmounts(quoteAtoms: QuoteAtoms, baseAtoms: Atoms): Verdict {
    const isNear = typeof quoteAtoms !== 'number' || quoteAtoms > this.notionalNearMax
    if (isNear && isMore(quoteAtoms, this.notionalAtomsMax)) {
      const isListed = this.notionalAtomsMax < ORDER_ATOMS_MAX
      return isListed ? RejectReason.NOTIONAL_TOO_LARGE : RejectReason.AMOUNT_TOO_LARGE
    }
    if (isBeyond64(baseAtoms)) return RejectReason.AMOUNT_TOO_LARGE
    return this.limitsAssets ? this.judgeAssets(quoteAtoms, baseAtoms) : ADMITTED
  }

  /** MAX_ASSET, of a quantity and what it is worth. */
  judgeAssets(quoteAtoms: Int64, baseAtoms: Int64): Verdict {
    const passes = !isMore(quoteAtoms, this.quoteAtomsMax) && !isMore(baseAtoms, this.baseAtomsMax)
    return passes ? ADMITTED : RejectReason.MAX_ASSET
  }

  private decideLimit(order: ArrivingOrder): Readonly<Decision> {
    const { decision, lots } = order
    const book = this.book
    const best = order.side === Side.BUY ? book.bestAskTicks : book.bestBidTicks
    const isCrossing = best !== 0 && order.crosses(best)
    if (order.type === OrderType.LIMIT_MAKER && isCrossing) {
      return decision.refused(RejectReason.WOULD_MATCH_IMMEDIATELY)
    }
    const quoteAtoms = this.notional.up(order.priceTicks, lots)
    const baseAtoms = baseAtomsOf(lots, this.atomsPerLot)
    const timeInForce = timeInForceOf(order.terms)
    const verdict =
      this.judgeAmounts(quoteAtoms, baseAtoms) ||
      (isCrossing || order.isBanded ? this.judgeMatches(order, best) : ADMITTED) ||
      (timeInForce === TimeInForce.GTC ? this.judgeRest(order, isCrossing) : ADMITTED)
    if (verdict !== ADMITTED) return decision.refused(verdict)
    const isWhole = timeInForce === TimeInForce.FOK
    const tradedLots = isWhole ? this.sweep.byQuantity(order, lots).lots : Lots(0)
    return decision.admitted(lots, order.side === Side.BUY ? quoteAtoms : baseAtoms, tradedLots)
  }

  private judgeMatches(order: ArrivingOrder, bestTicks: Ticks): Verdict {
    const isExceeded = order.isBanded
      ? this.reach.isExceededBeyond(order, this.beyondWeight(order))
      : this.reach.isExceededBy(order, order.lots)
    if (isExceeded) return RejectReason.TOO_MANY_MATCHES
    return this.earnsTooMuch(order, bestTicks) ? RejectReason.AMOUNT_TOO_LARGE : ADMITTED
  }

  private judgeRest(order: ArrivingOrder, isCrossing: boolean): Verdict {
    const book = this.book
    const canRest =
      order.slot === 0
        ? book.canRest(order.side, order.priceTicks)
        : book.hasLevel(order.side, order.priceTicks)
    if (!canRest && (!isCrossing || this.leavesRest(order))) return RejectReason.BOOK_FULL
    return this.overfillsLevel(order) ? RejectReason.LEVEL_FULL : ADMITTED
  }

  /** Whether the order's level could come to show more than is an exact number. */
  private overfillsLevel({ side, priceTicks, lots }: ArrivingOrder): boolean {
    const { shown } = this.state
    if (!shown.mayExceed(this.levelLotsMax, this.book.orderCount, lots)) return false
    const shownLots = this.book.levelLots(side, priceTicks) + shown.slices
    return shownLots + lots > this.levelLotsMax
  }

  /** A SELL may earn more than at its own price; what it earns at once and later fits 64 bits. */
  private earnsTooMuch(order: ArrivingOrder, bestTicks: Ticks): boolean {
    const { side, lots, priceTicks } = order
    if (side === Side.BUY) return false
    if (!isBeyond64(this.notional.up(bestTicks, lots))) return false
    const found = this.sweep.byQuantity(order, lots)
    const laterLots = Lots(lots - found.lots - found.preventedLots)
    const later = this.notional.up(priceTicks, laterLots)
    return isBeyond64(plus<Atoms>(found.atoms, later))
  }

  private leavesRest(order: ArrivingOrder): boolean {
    const { lots, preventedLots } = this.sweep.byQuantity(order, order.lots)
    return lots + preventedLots < order.lots
  }

  private decideMarket(order: ArrivingOrder): Readonly<Decision> {
    const { decision, lots } = order
    if (this.sweep.isSideEmpty(order)) return decision.refused(RejectReason.NO_DEPTH)
    const verdict = this.judgeAmounts(QuoteAtoms(0), baseAtomsOf(lots, this.atomsPerLot))
    if (verdict !== ADMITTED) return decision.refused(verdict)
    if (this.reach.isExceededBy(order, lots)) {
      return decision.refused(RejectReason.TOO_MANY_MATCHES)
    }
    return this.decideForeseen(order, lots, this.sweep.byQuantity(order, lots))
  }

  private decideQuoteAmount(order: ArrivingOrder): Readonly<Decision> {
    const found = this.sweep.byQuoteAmount(order)
    const lots = Lots(found.lots + found.preventedLots)
    const verdict = this.judgeQuoteAmount(order, lots, found)
    if (verdict !== ADMITTED) return order.decision.refused(verdict)
    return this.decideForeseen(order, lots, found)
  }

  private judgeQuoteAmount(order: ArrivingOrder, lots: Lots, found: Readonly<Foreseen>): Verdict {
    const spec = this._spec
    if (found.isCut || this.reach.isExceededBy(order, lots)) return RejectReason.TOO_MANY_MATCHES
    if (lots === 0 && found.isExhausted) return RejectReason.LIQUIDITY_BELOW_MINIMUM
    if (lots < spec.qtyLotsMin) return RejectReason.LIQUIDITY_BELOW_LOT_SIZE
    if (lots < spec.marketQtyLotsMin) return RejectReason.LIQUIDITY_BELOW_MARKET_LOT_SIZE
    if (lots > Math.min(spec.qtyLotsMax, spec.marketQtyLotsMax)) {
      return RejectReason.MARKET_QUANTITY_TOO_LARGE
    }
    return this.counting.judgePosition(order.account, order.side === Side.BUY ? lots : Lots(0))
  }

  /** A market order locks what its sweep moves. */
  private decideForeseen(
    order: ArrivingOrder,
    lots: Lots,
    found: Readonly<Foreseen>,
  ): Readonly<Decision> {
    const { decision } = order
    // Its notional filter was judged by the average price, not by what the sweep comes to.
    if (isBeyond64(found.atoms)) return decision.refused(RejectReason.AMOUNT_TOO_LARGE)
    if (this.limitsAssets) {
      const verdict = this.judgeAssets(found.atoms, baseAtomsOf(lots, this.atomsPerLot))
      if (verdict !== ADMITTED) return decision.refused(verdict)
    }
    const soldLots = Lots(found.lots + found.transferredLots)
    const heldAtoms =
      order.side === Side.BUY ? found.atoms : baseAtomsOf(soldLots, this.atomsPerLot)
    return decision.admitted(lots, heldAtoms, found.lots, found.isExhausted)
  }
}

/** How the phase of a symbol treats new orders (enums.md, Symbol status). Cancels always work. */
function phaseVerdict(status: SymbolStatus, order: ArrivingOrder): Verdict {
  if (status === SymbolStatus.TRADING) return ADMITTED
  if (isClosed(status)) return RejectReason.MARKET_CLOSED
  // A book that may be crossed has no best price.
  const isTaken = isCall(status) && order.type === OrderType.LIMIT && !order.awaitsPeg
  if (!isTaken) return RejectReason.PHASE_REFUSES_TYPE
  const isGoodTillCanceled = timeInForceOf(order.terms) === TimeInForce.GTC
  return isGoodTillCanceled ? ADMITTED : RejectReason.PHASE_REQUIRES_GTC
}
