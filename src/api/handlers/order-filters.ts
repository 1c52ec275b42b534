/**
 * What a symbol's filters say of an order's numbers, in ticks, lots and atoms: the stateless ones, and those that
 * need the average price. The engine counts open orders and positions.
 */
import { isClosed, OrderType, Side, SymbolStatus } from '../../base/codes.ts'
import { type Int64, isMore } from '../../base/int64.ts'
import { ORDER_ATOMS_MAX, TRAILING_DELTA_MAX } from '../../base/limits.ts'
import { Notional } from '../../base/notional.ts'
import { Lots, type Ms, type QuoteAtoms, Ticks } from '../../base/units.ts'
import { NO_PRICE } from '../../core/views/reference-price.ts'
import type { Tape } from '../../core/views/tape.ts'
import type { AssetLimit } from '../../market/filter-bounds.ts'
import { MAX_ASSET } from '../../market/filter-spec.ts'
import type { ExchangeSpec, NotionalRule, SymbolSpec } from '../../market/listing.ts'
import { brokenMarketRule } from '../../market/market-notional.ts'
import {
  isWithinPercent,
  MULTIPLIER_UNIT,
  multipliersOf,
  referenceAverage,
} from '../../market/percent-price.ts'
import { Fault } from '../errors.ts'
import { type Param, paramNames } from '../parameters.ts'

const failure = (filterType: string) => new Fault('FILTER_FAILURE', filterType)

/** The value is finer than the exchange keeps, and no filter states its steps. */
const tooPrecise = (param: Param) => new Fault('BAD_PRECISION', paramNames[param]!)

const priceFilter = failure('PRICE_FILTER')
const lotSize = failure('LOT_SIZE')
const marketLotSize = failure('MARKET_LOT_SIZE')
const maxAsset = failure(MAX_ASSET)
const icebergParts = failure('ICEBERG_PARTS')
const trailingDelta = failure('TRAILING_DELTA')

/** The order would move more than one order may, and no listed filter bounds it. */
const amountTooLarge = new Fault('AMOUNT_TOO_LARGE')
const marketClosed = new Fault('MARKET_CLOSED')
const phaseRefusesType = new Fault('PHASE_REFUSES_TYPE')

/** A price further than this part from a bound is compared in doubles, others exactly. */
const MARGIN = 1e-9

/** Returns units over step; -1 when there is a remainder. Exact up to 2^53 - 1; larger results stay larger. */
export function stepsIn(units: Int64, stepUnits: number): number {
  if (typeof units !== 'number') {
    const step = BigInt(stepUnits)
    return units % step === 0n ? Number(units / step) : -1
  }
  const steps = Math.floor(units / stepUnits)
  return steps * stepUnits === units ? steps : -1
}

export function ticksOf(spec: SymbolSpec, priceUnits: Int64, param: Param): Ticks | Fault {
  const ticks = Ticks(stepsIn(priceUnits, spec.tickUnits))
  if (ticks < 0 && !spec.hasTickRule) return tooPrecise(param)
  return ticks < spec.priceTicksMin || ticks > spec.priceTicksMax ? priceFilter : ticks
}

/** Returns a quantity in lots, or the fault; MARKET orders pass a second filter. */
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

/** Returns the fault of a MARKET order that is worth too little or too much. A phase that takes none comes first. */
function worthFault(spec: SymbolSpec, { filterType }: Pick<NotionalRule, 'filterType'>): Fault {
  if (isClosed(spec.status)) return marketClosed
  return spec.status === SymbolStatus.TRADING ? failure(filterType) : phaseRefusesType
}

/**
 * Checks a LIMIT's notional: at least the minimum when rounded down, at most the maximum when rounded up. A
 * rule whose maximum is the symbol's own bound states none.
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
  if (isClosed(spec.status)) return marketClosed
  return broken === undefined ? amountTooLarge : failure(broken.filterType)
}

/** Checks the amount, in quote atoms, that a MARKET order is to spend or receive. */
export function quoteAmountFault(spec: SymbolSpec, quoteAtoms: QuoteAtoms): Fault | undefined {
  for (const rule of spec.notionalRules) {
    const tooSmall = rule.minAppliesToMarket && quoteAtoms < rule.atomsMin
    const tooLarge = rule.maxAppliesToMarket && quoteAtoms > rule.atomsMax
    if (tooSmall || tooLarge) return worthFault(spec, rule)
  }
  return undefined
}

/**
 * Checks a MARKET order by quantity: its lots at the reference price, or else at the average price. Before the first
 * trade there is no average, and `untradedUnits` stand for it; 0, where nothing tells a price, passes: the engine
 * refuses a MARKET order that meets no book.
 */
export function marketNotionalFault(
  spec: SymbolSpec,
  lots: Lots,
  tape: Tape,
  nowMs: Ms,
  untradedUnits: Int64,
  referenceUnits: Int64 = NO_PRICE,
): Fault | undefined {
  const reference = referenceAverage(spec.tickUnits, referenceUnits)
  const broken = brokenMarketRule(
    spec,
    lots,
    (minutes) =>
      reference ??
      tape.averagePrice(minutes, nowMs) ??
      referenceAverage(spec.tickUnits, untradedUnits || NO_PRICE),
  )
  return broken && worthFault(spec, broken)
}

/**
 * Checks PERCENT_PRICE and PERCENT_PRICE_BY_SIDE of a limit price, by the reference price, or else by the average.
 * Without any trade there is no average, and they are skipped.
 */
export function percentPriceFault(
  spec: SymbolSpec,
  side: Side,
  priceTicks: Ticks,
  tape: Tape,
  nowMs: Ms,
  referenceUnits: Int64 = NO_PRICE,
): Fault | undefined {
  const reference = referenceAverage(spec.tickUnits, referenceUnits)
  for (const filter of spec.bounds.percentPrices) {
    const { filterType, avgPriceMins } = filter
    const near =
      reference === undefined
        ? tape.nearAverageTicks(avgPriceMins, nowMs)
        : Ticks(Number(referenceUnits) / spec.tickUnits)
    if (near === undefined) return undefined
    const [up, down] = multipliersOf(filter, side)
    if (isWellWithin(near, up, down, priceTicks)) continue
    const average = reference ?? tape.averagePrice(avgPriceMins, nowMs)!
    if (!isWithinPercent(filter, average, side, priceTicks)) return failure(filterType)
  }
  return undefined
}

/** Whether average × down < price < average × up, by more than the average may be off. */
function isWellWithin(nearTicks: Ticks, up: number, down: number, priceTicks: Ticks): boolean {
  const price = priceTicks * MULTIPLIER_UNIT
  if (price <= nearTicks * down * (1 + MARGIN)) return false
  return up === 0 || price < nearTicks * up * (1 - MARGIN)
}

/** Checks MAX_ASSET of a quantity and of what it is worth; zero where the engine alone knows it. */
export function assetFault(
  spec: SymbolSpec,
  { assetLimits }: ExchangeSpec,
  baseAtoms: Int64,
  quoteAtoms: Int64,
): Fault | undefined {
  const exceeds = ({ assetId, atoms }: AssetLimit) =>
    (assetId === spec.base.id && isMore(baseAtoms, atoms)) ||
    (assetId === spec.quote.id && isMore(quoteAtoms, atoms))
  return assetLimits.some(exceeds) ? maxAsset : undefined
}

/** Checks ICEBERG_PARTS: the number of slices that a quantity is shown in. */
export function icebergPartsFault(
  { bounds }: SymbolSpec,
  lots: Lots,
  icebergLots: Lots,
): Fault | undefined {
  return Math.ceil(lots / icebergLots) > bounds.icebergPartsMax ? icebergParts : undefined
}

/** Checks TRAILING_DELTA, whose bounds depend on the direction in which the price triggers the order. */
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
