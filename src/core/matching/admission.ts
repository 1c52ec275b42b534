/**
 * Decides whether an arriving order may enter, in the order of checks that the protocol shows, and
 * takes its funds last. Refusing changes nothing; admitting changes nothing but the holds.
 */
import {
  OrderType,
  RejectReason,
  Side,
  SymbolStatus,
  TimeInForce,
  timeInForceOf,
} from '#base/codes.ts'
import { notionalAtoms } from '#base/fixed.ts'
import { ORDER_ATOMS_MAX } from '#base/limits.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { OrderBook } from '../book/face.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import type { Holds } from '../ledger/holds.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import type { Sweep } from './sweep.ts'

/** The answer that is no RejectReason. */
export const ADMITTED = 0
type Verdict = typeof ADMITTED | RejectReason

export class Admission {
  /** What the order admitted last was made to lock, in the asset that it pays with. */
  heldAtoms = 0
  /** Replaced between batches when the operator changes filters or status; never its units. */
  spec: SymbolSpec

  readonly #book: OrderBook
  readonly #holds: Holds
  readonly #accounts: AccountTable
  readonly #sweep: Sweep
  readonly #baseId: number
  readonly #quoteId: number
  readonly #atomsPerTickLot: number
  readonly #atomsPerLot: number

  constructor(
    spec: SymbolSpec,
    book: OrderBook,
    holds: Holds,
    accounts: AccountTable,
    sweep: Sweep,
  ) {
    this.spec = spec
    this.#book = book
    this.#holds = holds
    this.#accounts = accounts
    this.#sweep = sweep
    this.#baseId = spec.base.id
    this.#quoteId = spec.quote.id
    this.#atomsPerTickLot = spec.atomsPerTickLot
    this.#atomsPerLot = spec.atomsPerLot
  }

  /**
   * For a MARKET order by quote amount this also decides `order.lots`; for MARKET and FOK orders the
   * sweep holds what would trade.
   */
  admit(order: ArrivingOrder, expiresMs: number, timeMs: number): Verdict {
    if (expiresMs > 0 && timeMs > expiresMs) return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    if (this.#accounts.canTrade[order.account] === 0) return RejectReason.ACCOUNT_DISABLED
    if (this.spec.status !== SymbolStatus.TRADING) return RejectReason.MARKET_CLOSED
    if (this.#book.findClientOrder(order.account, order.idWords, order.idAt) !== 0) {
      return RejectReason.DUPLICATE_ORDER
    }
    const verdict =
      order.type === OrderType.MARKET ? this.#admitMarket(order) : this.#admitLimit(order)
    if (verdict !== ADMITTED) return verdict
    const paid = order.side === Side.BUY ? this.#quoteId : this.#baseId
    const isHeld = this.#holds.hold(order.account, paid, this.heldAtoms)
    return isHeld ? ADMITTED : RejectReason.INSUFFICIENT_BALANCE
  }

  #admitLimit(order: ArrivingOrder): Verdict {
    const book = this.#book
    const best = order.side === Side.BUY ? book.bestAskTicks : book.bestBidTicks
    const isCrossing = best !== 0 && order.crosses(best)
    if (order.type === OrderType.LIMIT_MAKER && isCrossing) {
      return RejectReason.WOULD_MATCH_IMMEDIATELY
    }
    const quoteAtoms = notionalAtoms(order.priceTicks, order.lots, this.#atomsPerTickLot)
    const baseAtoms = order.lots * this.#atomsPerLot
    if (quoteAtoms > this.spec.notionalAtomsMax || baseAtoms > ORDER_ATOMS_MAX) {
      return RejectReason.NOTIONAL_TOO_LARGE
    }
    if (isCrossing && this.#earnsTooMuch(order, best)) return RejectReason.NOTIONAL_TOO_LARGE
    const timeInForce = timeInForceOf(order.terms)
    if (timeInForce === TimeInForce.FOK) this.#sweep.byQuantity(order)
    else if (timeInForce === TimeInForce.GTC && !book.canRest(order.side, order.priceTicks)) {
      if (!isCrossing || this.#leavesRest(order)) return RejectReason.BOOK_FULL
    }
    this.heldAtoms = order.side === Side.BUY ? quoteAtoms : baseAtoms
    return ADMITTED
  }

  /** A SELL may earn more than its own price asks; what it earns must stay an exact number. */
  #earnsTooMuch(order: ArrivingOrder, bestTicks: number): boolean {
    if (order.side === Side.BUY) return false
    if (notionalAtoms(bestTicks, order.lots, this.#atomsPerTickLot) <= ORDER_ATOMS_MAX) return false
    this.#sweep.byQuantity(order)
    return this.#sweep.atoms > ORDER_ATOMS_MAX
  }

  #leavesRest(order: ArrivingOrder): boolean {
    this.#sweep.byQuantity(order)
    return this.#sweep.preventedLots === 0 && this.#sweep.lots < order.lots
  }

  #admitMarket(order: ArrivingOrder): Verdict {
    const verdict =
      order.quoteAtoms > 0 ? this.#sizeByQuoteAmount(order) : this.#sizeByQuantity(order)
    if (verdict !== ADMITTED) return verdict
    const { spec } = this
    const sweep = this.#sweep
    const atomsMax = spec.notionalMaxAppliesToMarket ? spec.notionalAtomsMax : ORDER_ATOMS_MAX
    if (sweep.atoms > atomsMax) return RejectReason.NOTIONAL_TOO_LARGE
    if (spec.notionalMinAppliesToMarket && this.#isTooSmall(order)) {
      return RejectReason.MARKET_NOTIONAL_TOO_SMALL
    }
    this.heldAtoms = order.side === Side.BUY ? sweep.atoms : sweep.lots * this.#atomsPerLot
    return ADMITTED
  }

  #sizeByQuantity(order: ArrivingOrder): Verdict {
    if (this.#sweep.isSideEmpty(order)) return RejectReason.NO_DEPTH
    if (order.lots * this.#atomsPerLot > ORDER_ATOMS_MAX) return RejectReason.NOTIONAL_TOO_LARGE
    this.#sweep.byQuantity(order)
    return ADMITTED
  }

  #sizeByQuoteAmount(order: ArrivingOrder): Verdict {
    const { spec } = this
    const sweep = this.#sweep
    sweep.byQuoteAmount(order)
    const lots = sweep.lots + sweep.preventedLots
    if (lots === 0 && sweep.exhausted) return RejectReason.LIQUIDITY_BELOW_MINIMUM
    if (lots < spec.qtyLotsMin) return RejectReason.LIQUIDITY_BELOW_LOT_SIZE
    if (lots < spec.marketQtyLotsMin) return RejectReason.LIQUIDITY_BELOW_MARKET_LOT_SIZE
    if (lots > Math.min(spec.qtyLotsMax, spec.marketQtyLotsMax)) {
      return RejectReason.MARKET_QUANTITY_TOO_LARGE
    }
    order.lots = lots
    return ADMITTED
  }

  /**
   * The amount asked for is judged where there is one, else what the sweep comes to; a sweep that
   * ends early says nothing about the size of the order.
   */
  #isTooSmall(order: ArrivingOrder): boolean {
    const atomsMin = this.spec.notionalAtomsMin
    if (order.quoteAtoms > 0) return order.quoteAtoms < atomsMin
    return this.#sweep.lots === order.lots && this.#sweep.atoms < atomsMin
  }
}
