/**
 * The filters that need nothing but the order, the symbol and the average price (supplement 2b).
 * Integers only. What an order's owner or the book decides is the engine's.
 */
import { OrderType, Side } from '#base/codes.ts'
import type { PercentPrice } from '#base/filter-bounds.ts'
import { TRAILING_DELTA_MAX, WIRE_DECIMALS } from '#base/limits.ts'
import type { FilterSpec, SymbolSpec } from '#base/listing.ts'
import type { AveragePrice, Tape } from '#core/folds/tape.ts'
import { Fault } from '../errors.ts'

const failure = (filterType: string) => new Fault('FILTER_FAILURE', filterType)

const priceFilter = failure('PRICE_FILTER')
const lotSize = failure('LOT_SIZE')
const marketLotSize = failure('MARKET_LOT_SIZE')
const icebergParts = failure('ICEBERG_PARTS')
const trailingDelta = failure('TRAILING_DELTA')

/** Multipliers of the average price are integers of this part of one. */
const MULTIPLIER_UNIT = 10 ** WIRE_DECIMALS
/** A price that keeps from a bound by this part of it is judged in numbers, others exactly. */
const MARGIN = 1e-9

/** Units over step, or -1 when there is a remainder. Exact: both are integers within 2^53. */
export function stepsIn(units: number, stepUnits: number): number {
  const steps = Math.floor(units / stepUnits)
  return steps * stepUnits === units ? steps : -1
}

/** A price in ticks, or the failure. */
export function ticksOf(spec: SymbolSpec, priceUnits: number): number | Fault {
  const ticks = stepsIn(priceUnits, spec.tickUnits)
  return ticks < spec.priceTicksMin || ticks > spec.priceTicksMax ? priceFilter : ticks
}

/** A quantity in lots, or the failure; MARKET orders pass a second filter. */
export function lotsOf(spec: SymbolSpec, quantityUnits: number, isMarket: boolean): number | Fault {
  const lots = stepsIn(quantityUnits, spec.lotUnits)
  if (lots < spec.qtyLotsMin || lots > spec.qtyLotsMax) return lotSize
  return !isMarket || isMarketQuantity(spec, quantityUnits, lots) ? lots : marketLotSize
}

function isMarketQuantity(spec: SymbolSpec, quantityUnits: number, lots: number): boolean {
  if (lots < spec.marketQtyLotsMin || lots > spec.marketQtyLotsMax) return false
  return spec.marketStepUnits === 0 || stepsIn(quantityUnits, spec.marketStepUnits) >= 0
}

/** For a LIMIT's notional, in quote atoms. A product past 2^53 is past every maximum too. */
export function notionalFault(spec: SymbolSpec, notionalAtoms: number): Fault | undefined {
  return notionalAtoms < spec.notionalAtomsMin || notionalAtoms > spec.notionalAtomsMax
    ? failure(notionalFilterName(spec))
    : undefined
}

/** For what a MARKET order by quote amount asks to spend or receive, in quote atoms. */
export function quoteAmountFault(spec: SymbolSpec, quoteAtoms: number): Fault | undefined {
  const tooSmall = spec.notionalMinAppliesToMarket && quoteAtoms < spec.notionalAtomsMin
  const tooLarge = spec.notionalMaxAppliesToMarket && quoteAtoms > spec.notionalAtomsMax
  return tooSmall || tooLarge ? failure(notionalFilterName(spec)) : undefined
}

/**
 * For a MARKET order by quantity: its lots at the average price, compared exactly. Without any trade
 * there is no average, and a filter that needs one fails.
 */
export function marketNotionalFault(
  spec: SymbolSpec,
  lots: number,
  tape: Tape,
  nowMs: number,
): Fault | undefined {
  if (!spec.notionalMinAppliesToMarket && !spec.notionalMaxAppliesToMarket) return undefined
  const name = notionalFilterName(spec)
  const average = tape.averagePrice(averageMinutes(spec, name), nowMs)
  if (average === undefined) return failure(name)
  const atoms = average.tickLots * BigInt(lots) * BigInt(spec.atomsPerTickLot)
  const bound = (boundAtoms: number) => BigInt(boundAtoms) * average.lots
  const tooSmall = spec.notionalMinAppliesToMarket && atoms < bound(spec.notionalAtomsMin)
  const tooLarge = spec.notionalMaxAppliesToMarket && atoms > bound(spec.notionalAtomsMax)
  return tooSmall || tooLarge ? failure(name) : undefined
}

/**
 * PERCENT_PRICE and PERCENT_PRICE_BY_SIDE, for a limit price. Without any trade there is no average,
 * and they are skipped.
 */
export function percentPriceFault(
  spec: SymbolSpec,
  side: Side,
  priceTicks: number,
  tape: Tape,
  nowMs: number,
): Fault | undefined {
  for (const filter of spec.bounds.percentPrices) {
    const average = tape.averagePrice(filter.avgPriceMins, nowMs)
    if (average === undefined) return undefined
    if (!isNear(filter, side, priceTicks, average)) return failure(filter.filterType)
  }
  return undefined
}

/** Whether average × down ≤ price ≤ average × up; a multiplier of zero does not bound. */
function isNear(
  filter: PercentPrice,
  side: Side,
  priceTicks: number,
  { tickLots, lots, nearTicks }: AveragePrice,
): boolean {
  const up = side === Side.BUY ? filter.bidUp : filter.askUp
  const down = side === Side.BUY ? filter.bidDown : filter.askDown
  const nearPrice = priceTicks * MULTIPLIER_UNIT
  const isWellAbove = nearPrice > nearTicks * down * (1 + MARGIN)
  if (isWellAbove && (up === 0 || nearPrice < nearTicks * up * (1 - MARGIN))) return true
  const price = BigInt(priceTicks) * lots * BigInt(MULTIPLIER_UNIT)
  if (price < tickLots * BigInt(down)) return false
  return up === 0 || price <= tickLots * BigInt(up)
}

/** ICEBERG_PARTS: how many slices a quantity is shown in. */
export function icebergPartsFault(
  { bounds }: SymbolSpec,
  lots: number,
  icebergLots: number,
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

const filterNamed = (spec: SymbolSpec, name: string): FilterSpec | undefined =>
  spec.filters.find((filter) => filter.filterType === name)

/** The filter that bounds the symbol's notional; NOTIONAL, the newer one, where both are listed. */
export function notionalFilterName(spec: SymbolSpec): 'NOTIONAL' | 'MIN_NOTIONAL' {
  const onlyOlder =
    filterNamed(spec, 'MIN_NOTIONAL') !== undefined && filterNamed(spec, 'NOTIONAL') === undefined
  return onlyOlder ? 'MIN_NOTIONAL' : 'NOTIONAL'
}

function averageMinutes(spec: SymbolSpec, filterName: string): number {
  const minutes = filterNamed(spec, filterName)?.avgPriceMins
  return typeof minutes === 'number' ? minutes : 0
}
