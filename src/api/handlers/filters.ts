/**
 * The filters that need nothing but the order, the symbol and the average price (supplement 2b):
 * PRICE_FILTER, LOT_SIZE, MARKET_LOT_SIZE, MIN_NOTIONAL and NOTIONAL. Integers only. What an order's
 * owner or the book decides is the engine's.
 */
import type { FilterSpec, SymbolSpec } from '#base/listing.ts'
import type { Tape } from '#core/folds/tape.ts'
import { Fault } from '../errors.ts'

const failure = (filterType: string) => new Fault('FILTER_FAILURE', filterType)

const priceFilter = failure('PRICE_FILTER')
const lotSize = failure('LOT_SIZE')
const marketLotSize = failure('MARKET_LOT_SIZE')

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
  const passes = !isMarket || (lots >= spec.marketQtyLotsMin && lots <= spec.marketQtyLotsMax)
  return passes ? lots : marketLotSize
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
