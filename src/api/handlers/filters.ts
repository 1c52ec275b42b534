/**
 * The filters that need nothing but the order, the symbol and the average price (supplement 2b).
 * Integers only. What an order's owner or the book decides is the engine's.
 */

import { OrderType, Side, SymbolStatus } from '../../base/codes.ts'
import { type Int64, isMore } from '../../base/int64.ts'
import { ORDER_ATOMS_MAX, TRAILING_DELTA_MAX, WIRE_DECIMALS } from '../../base/limits.ts'
import { Notional } from '../../base/notional.ts'
import { Lots, type Ms, type QuoteAtoms, Ticks } from '../../base/units.ts'
import type { AveragePrice, Tape } from '../../core/folds/tape.ts'
import type { NotionalRule, SymbolSpec } from '../../market/listing.ts'
import { Fault } from '../errors.ts'
import { type Param, paramNames } from '../parameters.ts'

const failure = (filterType: string) => new Fault('FILTER_FAILURE', filterType)

/** Finer than the exchange keeps, where no filter says in which steps. */
const tooPrecise = (param: Param) => new Fault('BAD_PRECISION', paramNames[param]!)

const priceFilter = failure('PRICE_FILTER')
const lotSize = failure('LOT_SIZE')
const marketLotSize = failure('MARKET_LOT_SIZE')
const icebergParts = failure('ICEBERG_PARTS')
const trailingDelta = failure('TRAILING_DELTA')

/** More than one order may move, where no listed filter bounds it. */
const amountTooLarge = new Fault('AMOUNT_TOO_LARGE')
const marketClosed = new Fault('MARKET_CLOSED')

/** Multipliers of the average price are integers of this part of one. */
const MULTIPLIER_UNIT = 10 ** WIRE_DECIMALS
/** A price that keeps from a bound by this part of it is judged in numbers, others exactly. */
const MARGIN = 1e-9

/** Units over step, or -1 when there is a remainder. Exact up to 2^53 - 1, and past it still larger. */
export function stepsIn(units: Int64, stepUnits: number): number {
  if (typeof units !== 'number') {
    const step = BigInt(stepUnits)
    return units % step === 0n ? Number(units / step) : -1
  }
  const steps = Math.floor(units / stepUnits)
  return steps * stepUnits === units ? steps : -1
}

/** A price in ticks, or the failure. */
export function ticksOf(spec: SymbolSpec, priceUnits: Int64, param: Param): Ticks | Fault {
  const ticks = Ticks(stepsIn(priceUnits, spec.tickUnits))
  if (ticks < 0 && !spec.hasTickRule) return tooPrecise(param)
  return ticks < spec.priceTicksMin || ticks > spec.priceTicksMax ? priceFilter : ticks
}

/** A quantity in lots, or the failure; MARKET orders pass a second filter. */
export function lotsOf(
  spec: SymbolSpec,
  quantityUnits: Int64,
  isMarket: boolean,
  param: Param,
): Lots | Fault {
  const lots = Lots(stepsIn(quantityUnits, spec.lotUnits))
  if (lots < 0 && !spec.hasStepRule) return tooPrecise(param)
  if (lots < spec.qtyLotsMin || lots > spec.qtyLotsMax) return lotSize
  return !isMarket || isMarketQuantity(spec, quantityUnits, lots) ? lots : marketLotSize
}

function isMarketQuantity(spec: SymbolSpec, quantityUnits: Int64, lots: Lots): boolean {
  if (lots < spec.marketQtyLotsMin || lots > spec.marketQtyLotsMax) return false
  return spec.marketStepUnits === 0 || stepsIn(quantityUnits, spec.marketStepUnits) >= 0
}

/** The engine refuses all orders of such a symbol. */
const isClosed = ({ status }: SymbolSpec): boolean =>
  status === SymbolStatus.HALT || status === SymbolStatus.BREAK

/** Why an order is refused for what it is worth: a closed market says so first. */
const worthFault = (spec: SymbolSpec, { filterType }: Pick<NotionalRule, 'filterType'>): Fault =>
  isClosed(spec) ? marketClosed : failure(filterType)

/**
 * For a LIMIT's notional: not below a minimum when rounded down, nor above a maximum when up. A rule
 * whose maximum is the symbol's own bound says none of its own.
 */
export function notionalFault(spec: SymbolSpec, priceTicks: Ticks, lots: Lots): Fault | undefined {
  const notional = new Notional(spec)
  const least = notional.down(priceTicks, lots)
  const most = notional.up(priceTicks, lots)
  const passes = !isMore(spec.notionalAtomsMin, least) && !isMore(most, spec.notionalAtomsMax)
  if (passes) return undefined
  const broken = spec.notionalRules.find(
    ({ atomsMin, atomsMax }) => least < atomsMin || (most > atomsMax && atomsMax < ORDER_ATOMS_MAX),
  )
  if (isClosed(spec)) return marketClosed
  return broken === undefined ? amountTooLarge : failure(broken.filterType)
}

/** For what a MARKET order by quote amount asks to spend or receive, in quote atoms. */
export function quoteAmountFault(spec: SymbolSpec, quoteAtoms: QuoteAtoms): Fault | undefined {
  for (const rule of spec.notionalRules) {
    const tooSmall = rule.minAppliesToMarket && quoteAtoms < rule.atomsMin
    const tooLarge = rule.maxAppliesToMarket && quoteAtoms > rule.atomsMax
    if (tooSmall || tooLarge) return worthFault(spec, rule)
  }
  return undefined
}

/**
 * For a MARKET order by quantity: its lots at the average price, compared exactly. Without any trade
 * there is no average, and a filter that needs one fails.
 */
export function marketNotionalFault(
  spec: SymbolSpec,
  lots: Lots,
  tape: Tape,
  nowMs: Ms,
): Fault | undefined {
  for (const rule of spec.notionalRules) {
    if (!rule.minAppliesToMarket && !rule.maxAppliesToMarket) continue
    const average = tape.averagePrice(rule.avgPriceMins, nowMs)
    if (average === undefined) return worthFault(spec, rule)
    const atoms = average.tickLots * BigInt(lots) * BigInt(spec.atomsPerTickLot)
    const bound = (boundAtoms: QuoteAtoms) =>
      BigInt(boundAtoms) * average.lots * BigInt(spec.tickLotParts)
    const tooSmall = rule.minAppliesToMarket && atoms < bound(rule.atomsMin)
    const tooLarge = rule.maxAppliesToMarket && atoms > bound(rule.atomsMax)
    if (tooSmall || tooLarge) return worthFault(spec, rule)
  }
  return undefined
}

/**
 * PERCENT_PRICE and PERCENT_PRICE_BY_SIDE, for a limit price. Without any trade there is no average,
 * and they are skipped.
 */
export function percentPriceFault(
  spec: SymbolSpec,
  side: Side,
  priceTicks: Ticks,
  tape: Tape,
  nowMs: Ms,
): Fault | undefined {
  for (const filter of spec.bounds.percentPrices) {
    const { filterType, avgPriceMins } = filter
    const near = tape.nearAverageTicks(avgPriceMins, nowMs)
    if (near === undefined) return undefined
    const up = side === Side.BUY ? filter.bidUp : filter.askUp
    const down = side === Side.BUY ? filter.bidDown : filter.askDown
    if (isWellWithin(near, up, down, priceTicks)) continue
    const average = tape.averagePrice(avgPriceMins, nowMs)!
    if (!isWithin(average, up, down, priceTicks)) return failure(filterType)
  }
  return undefined
}

/** Whether average × down < price < average × up, by more than the average may be off. */
function isWellWithin(nearTicks: Ticks, up: number, down: number, priceTicks: Ticks): boolean {
  const price = priceTicks * MULTIPLIER_UNIT
  if (price <= nearTicks * down * (1 + MARGIN)) return false
  return up === 0 || price < nearTicks * up * (1 - MARGIN)
}

/** Whether average × down ≤ price ≤ average × up; a multiplier of zero does not bound. */
function isWithin(average: AveragePrice, up: number, down: number, priceTicks: Ticks): boolean {
  const price = BigInt(priceTicks) * average.lots * BigInt(MULTIPLIER_UNIT)
  if (price < average.tickLots * BigInt(down)) return false
  return up === 0 || price <= average.tickLots * BigInt(up)
}

/** ICEBERG_PARTS: how many slices a quantity is shown in. */
export function icebergPartsFault(
  { bounds }: SymbolSpec,
  lots: Lots,
  icebergLots: Lots,
): Fault | undefined {
  return Math.ceil(lots / icebergLots) > bounds.icebergPartsMax ? icebergParts : undefined
}

/** TRAILING_DELTA, whose bounds depend on which way the price triggers the order. */
export function trailingDeltaFault(
  { bounds }: SymbolSpec,
  type: OrderType,
  side: Side,
  delta: number,
): Fault | undefined {
  const isStopLoss = type === OrderType.STOP_LOSS || type === OrderType.STOP_LOSS_LIMIT
  const isAbove = isStopLoss === (side === Side.BUY)
  const least = isAbove ? bounds.trailingAboveMin : bounds.trailingBelowMin
  const most = isAbove ? bounds.trailingAboveMax : bounds.trailingBelowMax
  const passes = delta >= Math.max(least, 1) && delta <= Math.min(most, TRAILING_DELTA_MAX)
  return passes ? undefined : trailingDelta
}

/** The filter that a notional over the symbol's maximum fails; the symbol lists one with a maximum. */
export const largestNotionalFilter = ({ notionalRules, notionalAtomsMax }: SymbolSpec): string =>
  notionalRules.find(({ atomsMax }) => atomsMax === notionalAtomsMax)!.filterType

/** The filter that a notional under the symbol's minimum fails; the symbol lists one with a minimum. */
export const smallestNotionalFilter = ({ notionalRules, notionalAtomsMin }: SymbolSpec): string =>
  notionalRules.find(({ atomsMin }) => atomsMin === notionalAtomsMin)!.filterType
