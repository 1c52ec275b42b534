/**
 * What a listed asset, symbol and account are: plain values, decided by the control journal and
 * handed to every thread. All prices, quantities and amounts are integers in the units named.
 */
import { assert } from './assert.ts'
import type { SelfTradePrevention, SymbolStatus } from './codes.ts'
import { parseDecimal, powerOfTen } from './fixed.ts'
import { ORDER_ATOMS_MAX, PRICE_TICKS_MAX, QTY_LOTS_MAX, WIRE_DECIMALS } from './limits.ts'

/** The exchange's own account, which collects commissions. */
export const EXCHANGE_ACCOUNT = 0

export interface AssetSpec {
  readonly id: number
  readonly name: string
  /** Atoms are 10^-decimals of the asset; at least the wire's 8. */
  readonly decimals: number
}

/** A filter as exchangeInfo shows it (supplement 2b): `filterType` first, decimals as text. */
export type FilterSpec = { readonly filterType: string } & Readonly<
  Record<string, string | number | boolean>
>

export interface SymbolSpec {
  readonly id: number
  readonly name: string
  readonly base: AssetSpec
  readonly quote: AssetSpec
  readonly status: SymbolStatus
  /** The engine's price step and quantity step, in 10^-8 of quote and base. */
  readonly tickUnits: number
  readonly lotUnits: number
  /** Quote atoms of one tick × one lot, and base atoms of one lot: whole numbers. */
  readonly atomsPerTickLot: number
  readonly atomsPerLot: number
  readonly priceTicksMin: number
  readonly priceTicksMax: number
  readonly qtyLotsMin: number
  readonly qtyLotsMax: number
  readonly marketQtyLotsMin: number
  readonly marketQtyLotsMax: number
  readonly notionalAtomsMin: number
  readonly notionalAtomsMax: number
  readonly notionalMinAppliesToMarket: boolean
  readonly notionalMaxAppliesToMarket: boolean
  readonly filters: readonly FilterSpec[]
  readonly preventionModes: readonly SelfTradePrevention[]
  readonly preventionDefault: SelfTradePrevention
}

/** Per account: what the matcher and the gateway need to know. Rates are integers of 1e-8. */
export interface AccountSpec {
  readonly id: number
  readonly name: string
  /** -1 when the account has none. */
  readonly tradeGroupId: number
  readonly makerRate: number
  readonly takerRate: number
  readonly buyerRate: number
  readonly sellerRate: number
  readonly canTrade: boolean
}

export interface SymbolListing {
  readonly id: number
  readonly name: string
  readonly base: AssetSpec
  readonly quote: AssetSpec
  readonly status: SymbolStatus
  readonly filters: readonly FilterSpec[]
  readonly preventionModes: readonly SelfTradePrevention[]
  readonly preventionDefault: SelfTradePrevention
}

/**
 * Derives the engine's integers from the published filters. Throws with one clear sentence when the
 * listing cannot be represented exactly.
 */
export function specifySymbol(listing: SymbolListing): SymbolSpec {
  const { name, base, quote, filters } = listing
  const refuse = (why: string): never => {
    throw new RangeError(`symbol ${name} cannot be listed: ${why}`)
  }
  const filter = (type: string) => filters.find((row) => row.filterType === type)
  const units = (row: FilterSpec | undefined, field: string, absent: number): number => {
    const text = row?.[field]
    if (typeof text !== 'string') return absent
    const value = parseDecimal(text, WIRE_DECIMALS)
    return value < 0 ? refuse(`${row?.filterType}.${field} is not a decimal of 8 places`) : value
  }
  const price = filter('PRICE_FILTER') ?? refuse('it has no PRICE_FILTER')
  const lot = filter('LOT_SIZE') ?? refuse('it has no LOT_SIZE')
  const marketLot = filter('MARKET_LOT_SIZE')
  const notional = filter('NOTIONAL')
  const minNotional = filter('MIN_NOTIONAL')
  const tickUnits = units(price, 'tickSize', 0)
  const lotUnits = units(lot, 'stepSize', 0)
  if (tickUnits === 0 || lotUnits === 0) refuse('tickSize and stepSize must be above zero')

  const atomsPerLot = lotUnits * powerOfTen(base.decimals - WIRE_DECIMALS)
  const perTickLot =
    (BigInt(tickUnits) * BigInt(lotUnits) * 10n ** BigInt(quote.decimals)) /
    10n ** BigInt(2 * WIRE_DECIMALS)
  const exact =
    perTickLot * 10n ** BigInt(2 * WIRE_DECIMALS) ===
    BigInt(tickUnits) * BigInt(lotUnits) * 10n ** BigInt(quote.decimals)
  if (!exact)
    refuse(`tickSize × stepSize is finer than ${quote.decimals} decimals of ${quote.name}`)

  const ticks = (field: string, absent: number) => {
    const value = units(price, field, 0)
    return value === 0 ? absent : Math.floor(value / tickUnits)
  }
  const lots = (row: FilterSpec | undefined, field: string, absent: number) => {
    const value = units(row, field, 0)
    return value === 0 ? absent : Math.floor(value / lotUnits)
  }
  const priceTicksMin = Math.max(1, Math.ceil(units(price, 'minPrice', 0) / tickUnits))
  const priceTicksMax = ticks('maxPrice', PRICE_TICKS_MAX)
  const qtyLotsMin = Math.max(1, Math.ceil(units(lot, 'minQty', 0) / lotUnits))
  const qtyLotsMax = lots(lot, 'maxQty', QTY_LOTS_MAX)
  if (priceTicksMax > PRICE_TICKS_MAX) refuse(`maxPrice is over ${PRICE_TICKS_MAX} ticks`)
  if (qtyLotsMax > QTY_LOTS_MAX) refuse(`maxQty is over ${QTY_LOTS_MAX} lots`)
  if (priceTicksMin > priceTicksMax) refuse('minPrice is above maxPrice')
  if (qtyLotsMin > qtyLotsMax) refuse('minQty is above maxQty')
  if (qtyLotsMax * atomsPerLot > ORDER_ATOMS_MAX) refuse('maxQty is over 2^53 atoms')

  const atoms = (row: FilterSpec | undefined, field: string, absent: number) => {
    const value = units(row, field, 0)
    return value === 0 ? absent : value * powerOfTen(quote.decimals - WIRE_DECIMALS)
  }
  const notionalAtomsMax = Math.min(
    atoms(notional, 'maxNotional', ORDER_ATOMS_MAX),
    ORDER_ATOMS_MAX,
  )
  const notionalAtomsMin = Math.max(
    atoms(notional, 'minNotional', 0),
    atoms(minNotional, 'minNotional', 0),
  )
  assert(Number.isSafeInteger(Number(perTickLot)), 'atoms per tick and lot are an exact number')
  return {
    ...listing,
    tickUnits,
    lotUnits,
    atomsPerTickLot: Number(perTickLot),
    atomsPerLot,
    priceTicksMin,
    priceTicksMax,
    qtyLotsMin,
    qtyLotsMax,
    marketQtyLotsMin: lots(marketLot, 'minQty', 1),
    marketQtyLotsMax: lots(marketLot, 'maxQty', qtyLotsMax),
    notionalAtomsMin,
    notionalAtomsMax,
    notionalMinAppliesToMarket:
      notional?.applyMinToMarket === true || minNotional?.applyToMarket === true,
    notionalMaxAppliesToMarket: notional?.applyMaxToMarket === true,
  }
}
