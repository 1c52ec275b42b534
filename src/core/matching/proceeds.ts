/**
 * One pays the other (faqs/opo.md): what the working order of a list buys is locked for its pending orders, fill by
 * fill, and gives them their quantity once the working order is filled. The first pending order holds it, in
 * `costAtoms`; the other of a pair sells the same.
 */
import { assert } from '../../base/assert.ts'
import { isMarketType, paysPending, RejectReason, Side } from '../../base/codes.ts'
import { greatestCommonDivisor } from '../../base/fixed.ts'
import { isMore, minus } from '../../base/int64.ts'
import { type Atoms, Lots } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { brokenMarketRule } from '../../market/market-notional.ts'
import { referenceAverage } from '../../market/percent-price.ts'
import type { TradeFees } from '../ledger/fees.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { DetailWriter } from './detail-writer.ts'
import type { OrderFunds } from './order-funds.ts'
import type { SymbolState } from './symbol-state.ts'

export interface ProceedsParts {
  readonly spec: SymbolSpec
  readonly state: SymbolState
  readonly fees: Pick<TradeFees, 'discountAssetId'>
  readonly funds: OrderFunds
  readonly writer: DetailWriter
}

export class Proceeds {
  private readonly parts: ProceedsParts

  constructor(parts: ProceedsParts) {
    this.parts = parts
  }

  /**
   * The order in `slot` has received `baseAtoms`, less `commission` of them, as the event just written has it. The
   * commission comes out of free funds instead where they cover it, unless it is of the discount asset.
   */
  received(slot: number, baseAtoms: Atoms, commission: Atoms): void {
    const { spec, state, fees, funds, writer } = this.parts
    const list = state.listOf(slot)
    if (list === undefined || !paysPending(list.kind)) return
    if (!list.isWorkingLeg(state.details.leg.of(slot))) return
    const pending = state.book.findOrder(list.orderIds[1]!)
    const isWhole =
      fees.discountAssetId !== spec.base.id &&
      funds.hold(list.account, Side.SELL, baseAtoms) === ADMITTED
    const atoms = isWhole ? baseAtoms : minus(baseAtoms, commission)
    if (atoms === 0) return
    const isHeld = isWhole || funds.hold(list.account, Side.SELL, atoms) === ADMITTED
    assert(isHeld, 'what was just received is free')
    writer.funded(pending, atoms)
    state.fund(pending, atoms)
  }

  /** Gives pending orders the quantity that `atoms` allow each of them, and judges it. */
  size(orders: readonly ArrivingOrder[], atoms: Atoms, spec: SymbolSpec): Verdict {
    const { openLots } = this.parts.state.book
    const lots = Lots(Math.min(...orders.map((order) => lotsWithin(spec, order, atoms))))
    for (const order of orders) {
      order.lots = lots
      order.leftLots = lots
      openLots[order.slot] = lots
    }
    const passes = orders.every((order) => this.passesFilters(order, spec))
    return passes ? ADMITTED : RejectReason.NOTIONAL_TOO_SMALL
  }

  /** The filters that gateways judge of a quantity. */
  private passesFilters(order: ArrivingOrder, spec: SymbolSpec): boolean {
    const { lots, icebergLots, isMarketType, priceTicks } = order
    const { state } = this.parts
    if (lots < spec.qtyLotsMin || (isMarketType && lots < spec.marketQtyLotsMin)) return false
    if (icebergLots >= lots) return false
    if (icebergLots !== 0 && Math.ceil(lots / icebergLots) > spec.bounds.icebergPartsMax)
      return false
    // The price of a pegged order is judged once it is fixed.
    if (order.pegPriceType !== 0) return true
    if (isMarketType) {
      const reference = referenceAverage(spec.tickUnits, state.reference.unitsAt(state.timeMs))
      const averageOf = (minutes: number) => reference ?? state.averagePrice(minutes)
      return brokenMarketRule(spec, lots, averageOf) === undefined
    }
    const least = state.notional.down(priceTicks, lots)
    return least > 0 && !isMore(spec.notionalAtomsMin, least)
  }
}

/** The most lots within `atoms` that LOT_SIZE and MARKET_LOT_SIZE let the order have. */
function lotsWithin(spec: SymbolSpec, { type }: ArrivingOrder, atoms: Atoms): Lots {
  const lots = Math.min(Number(BigInt(atoms) / BigInt(spec.atomsPerLot)), spec.qtyLotsMax)
  if (!isMarketType(type)) return Lots(lots)
  const most = Math.min(lots, spec.marketQtyLotsMax)
  return Lots(most - (most % marketStepLots(spec)))
}

/** The least lots that are whole steps of MARKET_LOT_SIZE. */
function marketStepLots({ marketStepUnits, lotUnits }: SymbolSpec): number {
  if (marketStepUnits === 0) return 1
  return marketStepUnits / greatestCommonDivisor(marketStepUnits, lotUnits)
}
