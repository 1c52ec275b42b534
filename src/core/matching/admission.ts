/**
 * Decides whether arriving orders may enter, in the order of checks that the protocol shows, and
 * takes their funds last. Refusing changes nothing; admitting changes nothing but the holds.
 */
import {
  OrderType,
  RejectReason,
  Side,
  type SymbolStatus,
  TimeInForce,
  timeInForceOf,
} from '../../base/codes.ts'
import { LEVEL_LOTS_MAX, ORDER_ATOMS_MAX, TURN_MATCHES_MAX } from '../../base/limits.ts'
import { type Notional, quoteAtomsMaxOf } from '../../base/notional.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { OrderBook } from '../book/face.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import type { Holds } from '../ledger/holds.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { Counter } from './counters.ts'
import {
  ADMITTED,
  CountingFilters,
  type CountingOptions,
  type Verdict,
} from './counting-filters.ts'
import { phaseVerdict } from './phases.ts'
import { Reach } from './reach.ts'
import type { Sweep } from './sweep.ts'
import type { SymbolState } from './symbol-state.ts'
import { hasReached } from './triggers.ts'

/** What no order may exceed, whatever filters say. Tests set them low. */
export interface EngineBounds {
  readonly turnMatchesMax: number
  readonly levelLotsMax: number
}

export const usualBounds: EngineBounds = {
  turnMatchesMax: TURN_MATCHES_MAX,
  levelLotsMax: LEVEL_LOTS_MAX,
}

export interface AdmissionOptions extends CountingOptions {
  readonly bounds?: EngineBounds
}

export class Admission {
  /** What the order judged last has to lock, in the asset that it pays with. */
  heldAtoms = 0
  readonly counting: CountingFilters

  readonly #state: SymbolState
  readonly #book: OrderBook
  readonly #holds: Holds
  readonly #accounts: AccountTable
  readonly #sweep: Sweep
  readonly #reach: Reach
  readonly #levelLotsMax: number
  readonly #baseId: number
  readonly #quoteId: number
  readonly #notional: Notional
  readonly #quoteAtomsMax: number
  readonly #atomsPerLot: number
  #spec: SymbolSpec
  /** Of the spec, whose layout V8 does not know: a look into it costs a search (bench `engine`). */
  #status: SymbolStatus
  #notionalAtomsMax: number

  constructor(options: AdmissionOptions, accounts: AccountTable, sweep: Sweep, spec: SymbolSpec) {
    const { bounds = usualBounds } = options
    this.counting = new CountingFilters(options, spec)
    this.#state = options.state
    this.#book = options.state.book
    this.#holds = options.holds
    this.#accounts = accounts
    this.#sweep = sweep
    this.#reach = new Reach(options.state, sweep, bounds.turnMatchesMax)
    this.#levelLotsMax = bounds.levelLotsMax
    this.#baseId = spec.base.id
    this.#quoteId = spec.quote.id
    this.#notional = options.state.notional
    this.#quoteAtomsMax = quoteAtomsMaxOf(spec)
    this.#atomsPerLot = spec.atomsPerLot
    this.#spec = spec
    this.#status = spec.status
    this.#notionalAtomsMax = spec.notionalAtomsMax
  }

  get spec(): SymbolSpec {
    return this.#spec
  }

  /** Between batches, when the operator changes filters or status; never its units. */
  respecify(spec: SymbolSpec): void {
    this.#spec = spec
    this.#status = spec.status
    this.#notionalAtomsMax = spec.notionalAtomsMax
    this.counting.respecify(spec)
  }

  /**
   * One order that is in no list: `orders[0]`. For a MARKET order by quote amount this also decides
   * its lots; for MARKET and FOK orders the sweep holds what would trade.
   */
  admit(orders: readonly ArrivingOrder[], expiresMs: number): Verdict {
    const order = orders[0]!
    const verdict =
      this.judgeSender(order, expiresMs) ||
      this.judgeClientOrderId(order) ||
      this.counting.judge(orders, 1, false) ||
      (order.isStop ? this.judgeStop(order, 1) : this.judgeWorking(order))
    return verdict || this.hold(order, this.heldAtoms)
  }

  /** Time, account, and the phase of the symbol. */
  judgeSender(order: ArrivingOrder, expiresMs: number): Verdict {
    if (expiresMs > 0 && this.#state.clockMs > expiresMs) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    return this.judgeAccount(order.account) || phaseVerdict(this.#status, order)
  }

  /** Whether the account may add orders now, be they placed, triggered or released. */
  judgeAccount(account: number): Verdict {
    return this.#accounts.canTrade[account] === 0 ? RejectReason.ACCOUNT_DISABLED : ADMITTED
  }

  judgeClientOrderId({ account, idWords, idAt }: ArrivingOrder): Verdict {
    return this.#state.hasClientOrder(account, idWords, idAt)
      ? RejectReason.DUPLICATE_ORDER
      : ADMITTED
  }

  /** Takes atoms, of the asset that the order pays with, from free. */
  hold(order: ArrivingOrder, atoms: number): Verdict {
    const paid = order.side === Side.BUY ? this.#quoteId : this.#baseId
    const isHeld = this.#holds.hold(order.account, paid, atoms)
    return isHeld ? ADMITTED : RejectReason.INSUFFICIENT_BALANCE
  }

  /** A stop that is to wait; `openCount` is 1 for a new order, 0 for one that is open already. */
  judgeStop(order: ArrivingOrder, openCount: number): Verdict {
    const lastTicks = this.#state.counters[Counter.lastPriceTicks]!
    const { stopTicks } = order
    if (lastTicks !== 0 && stopTicks !== 0 && hasReached(order.terms, stopTicks, lastTicks)) {
      return RejectReason.WOULD_TRIGGER_IMMEDIATELY
    }
    return this.#judgeSize(order) || this.judgeRoom(openCount)
  }

  /** Whether so many more orders can be open, resting or waiting. */
  judgeRoom(openCount: number): Verdict {
    const hasRoom = this.#book.orderCount + openCount <= this.#book.ordersMax
    return hasRoom ? ADMITTED : RejectReason.BOOK_FULL
  }

  /** An order that meets the book at once, now that it is placed, triggered or released. */
  judgeWorking(order: ArrivingOrder): Verdict {
    return order.isMarketType ? this.#judgeMarket(order) : this.#judgeLimit(order)
  }

  /** A stop of a limit type is bounded as a limit order; of others, by what is an exact number. */
  #judgeSize(order: ArrivingOrder): Verdict {
    const quoteAtoms = this.#notional.up(order.priceTicks, order.lots)
    this.heldAtoms = this.#state.costOfStop(order)
    const baseAtoms = order.lots * this.#atomsPerLot
    const isDear = order.side === Side.BUY && this.heldAtoms > this.#quoteAtomsMax
    if (isDear) return RejectReason.AMOUNT_TOO_LARGE
    return this.#judgeAmounts(quoteAtoms, baseAtoms)
  }

  /** The notional filter bounds what its limit asks; an exact number bounds both sides. */
  #judgeAmounts(quoteAtoms: number, baseAtoms: number): Verdict {
    const most = this.#notionalAtomsMax
    if (quoteAtoms > most && most < this.#quoteAtomsMax) return RejectReason.NOTIONAL_TOO_LARGE
    const isExact = quoteAtoms <= this.#quoteAtomsMax && baseAtoms <= ORDER_ATOMS_MAX
    return isExact ? ADMITTED : RejectReason.AMOUNT_TOO_LARGE
  }

  #judgeLimit(order: ArrivingOrder): Verdict {
    const book = this.#book
    const best = order.side === Side.BUY ? book.bestAskTicks : book.bestBidTicks
    const isCrossing = best !== 0 && order.crosses(best)
    if (order.type === OrderType.LIMIT_MAKER && isCrossing) {
      return RejectReason.WOULD_MATCH_IMMEDIATELY
    }
    const quoteAtoms = this.#notional.up(order.priceTicks, order.lots)
    const baseAtoms = order.lots * this.#atomsPerLot
    const verdict = this.#judgeAmounts(quoteAtoms, baseAtoms)
    if (verdict !== ADMITTED) return verdict
    if (isCrossing && this.#reach.isExceededBy(order)) return RejectReason.TOO_MANY_MATCHES
    if (isCrossing && this.#earnsTooMuch(order, best)) return RejectReason.AMOUNT_TOO_LARGE
    const timeInForce = timeInForceOf(order.terms)
    if (timeInForce === TimeInForce.FOK) this.#sweep.byQuantity(order)
    else if (timeInForce === TimeInForce.GTC) {
      const canRest =
        order.slot === 0
          ? book.canRest(order.side, order.priceTicks)
          : book.hasLevel(order.side, order.priceTicks)
      if (!canRest && (!isCrossing || this.#leavesRest(order))) return RejectReason.BOOK_FULL
      if (this.#overfillsLevel(order)) return RejectReason.LEVEL_FULL
    }
    this.heldAtoms = order.side === Side.BUY ? quoteAtoms : baseAtoms
    return ADMITTED
  }

  /** Whether the order's level could come to show more than is an exact number. */
  #overfillsLevel({ side, priceTicks, lots }: ArrivingOrder): boolean {
    const shown = this.#book.levelLots(side, priceTicks) + this.#state.slicesLots
    return shown + lots > this.#levelLotsMax
  }

  /** A SELL may earn more than its own price asks; what it earns must stay an exact number. */
  #earnsTooMuch(order: ArrivingOrder, bestTicks: number): boolean {
    if (order.side === Side.BUY) return false
    if (this.#notional.up(bestTicks, order.lots) <= this.#quoteAtomsMax) return false
    this.#sweep.byQuantity(order)
    return this.#sweep.atoms > this.#quoteAtomsMax
  }

  #leavesRest(order: ArrivingOrder): boolean {
    this.#sweep.byQuantity(order)
    return this.#sweep.lots + this.#sweep.preventedLots < order.lots
  }

  #judgeMarket(order: ArrivingOrder): Verdict {
    const verdict =
      order.quoteAtoms > 0 ? this.#sizeByQuoteAmount(order) : this.#sizeByQuantity(order)
    if (verdict !== ADMITTED) return verdict
    const sweep = this.#sweep
    // Its notional filter was judged by the average price, not by what the sweep comes to.
    if (sweep.atoms > this.#quoteAtomsMax) return RejectReason.AMOUNT_TOO_LARGE
    const soldLots = sweep.lots + sweep.transferredLots
    this.heldAtoms = order.side === Side.BUY ? sweep.atoms : soldLots * this.#atomsPerLot
    return ADMITTED
  }

  #sizeByQuantity(order: ArrivingOrder): Verdict {
    if (this.#sweep.isSideEmpty(order)) return RejectReason.NO_DEPTH
    if (order.lots * this.#atomsPerLot > ORDER_ATOMS_MAX) {
      return RejectReason.AMOUNT_TOO_LARGE
    }
    if (this.#reach.isExceededBy(order)) return RejectReason.TOO_MANY_MATCHES
    this.#sweep.byQuantity(order)
    return ADMITTED
  }

  #sizeByQuoteAmount(order: ArrivingOrder): Verdict {
    const spec = this.#spec
    const sweep = this.#sweep
    sweep.byQuoteAmount(order)
    const lots = sweep.lots + sweep.preventedLots
    order.lots = lots
    if (sweep.isCut || this.#reach.isExceededBy(order)) return RejectReason.TOO_MANY_MATCHES
    if (lots === 0 && sweep.exhausted) return RejectReason.LIQUIDITY_BELOW_MINIMUM
    if (lots < spec.qtyLotsMin) return RejectReason.LIQUIDITY_BELOW_LOT_SIZE
    if (lots < spec.marketQtyLotsMin) return RejectReason.LIQUIDITY_BELOW_MARKET_LOT_SIZE
    if (lots > Math.min(spec.qtyLotsMax, spec.marketQtyLotsMax)) {
      return RejectReason.MARKET_QUANTITY_TOO_LARGE
    }
    const buyLots = order.side === Side.BUY ? lots : 0
    return this.counting.judgePosition(order.account, buyLots)
  }
}
