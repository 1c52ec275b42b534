/**
 * What a listed asset, symbol and account are: plain values, decided by the control journal and
 * handed to every thread. All prices, quantities and amounts are integers in the units named.
 */
import { OrderType, type SelfTradePrevention, type SymbolStatus } from '../base/codes.ts'
import { formatDecimal, parseDecimal, powerOfTen } from '../base/fixed.ts'
import {
  ORDER_ATOMS_MAX,
  PRICE_TICKS_MAX,
  QTY_LOTS_MAX,
  TICK_LOT_DECIMALS,
  WIRE_DECIMALS,
} from '../base/limits.ts'
import { notionalUnits, quoteAtomsMaxOf } from '../base/notional.ts'
import { type FilterBounds, filterBounds } from './filter-bounds.ts'

/** The exchange's own account, which collects commissions. */
export const EXCHANGE_ACCOUNT = 0

export interface AssetSpec {
  readonly id: number
  readonly name: string
}

/** A filter as exchangeInfo shows it (supplement 2b): `filterType` first, decimals as text. */
export type FilterSpec = { readonly filterType: string } & Readonly<
  Record<string, string | number | boolean>
>

/** What the symbol takes beyond plain orders; the flags of exchangeInfo. */
export interface SymbolFeatures {
  readonly orderTypes: readonly OrderType[]
  readonly iceberg: boolean
  readonly oco: boolean
  readonly oto: boolean
  readonly quoteOrderQtyMarket: boolean
  readonly trailingStop: boolean
  readonly cancelReplace: boolean
  readonly amend: boolean
}

export const allFeatures: SymbolFeatures = {
  orderTypes: Object.values(OrderType),
  iceberg: true,
  oco: true,
  oto: true,
  quoteOrderQtyMarket: true,
  trailingStop: true,
  cancelReplace: true,
  amend: true,
}

/** Commission rates of one kind, integers of 1e-8 (supplement 2c.8). */
export interface RateSet {
  readonly maker: number
  readonly taker: number
  readonly buyer: number
  readonly seller: number
}

export const noRates: RateSet = { maker: 0, taker: 0, buyer: 0, seller: 0 }

/** What a symbol charges on top of its accounts' standard rates. */
export interface SymbolFees {
  readonly special: RateSet
  readonly tax: RateSet
  /** Whether accounts may pay in the discount asset here. */
  readonly discountEnabled: boolean
}

export const noFees: SymbolFees = { special: noRates, tax: noRates, discountEnabled: false }

/** What concerns the exchange as a whole. */
export interface ExchangeSpec {
  /** As exchangeInfo shows them: EXCHANGE_MAX_NUM_* (supplement 2b). */
  readonly filters: readonly FilterSpec[]
  /** Id of the asset in which discounted commissions are paid; -1 for none. */
  readonly discountAssetId: number
  /** What standard rates are multiplied with when paid in it, in 1e-8. */
  readonly discountRate: number
}

export const plainExchange: ExchangeSpec = { filters: [], discountAssetId: -1, discountRate: 0 }

/** One NOTIONAL or MIN_NOTIONAL: what price × quantity may come to, in quote atoms. */
export interface NotionalRule {
  readonly filterType: string
  readonly atomsMin: number
  readonly atomsMax: number
  readonly minAppliesToMarket: boolean
  readonly maxAppliesToMarket: boolean
  readonly avgPriceMins: number
}

/** In the order in which they are judged; MIN_NOTIONAL is the older. */
const NOTIONAL_FILTERS = [
  { filterType: 'NOTIONAL', minApplies: 'applyMinToMarket' },
  { filterType: 'MIN_NOTIONAL', minApplies: 'applyToMarket' },
] as const

export interface SymbolSpec {
  readonly id: number
  readonly name: string
  readonly base: AssetSpec
  readonly quote: AssetSpec
  readonly status: SymbolStatus
  /** The engine's price step and quantity step, in 10^-8 of quote and base. */
  readonly tickUnits: number
  readonly lotUnits: number
  /** Whether the steps are tickSize and stepSize; zero there asks for the finest that can be kept. */
  readonly hasTickRule: boolean
  readonly hasStepRule: boolean
  /** As base/notional.ts has them. */
  readonly atomsPerTickLot: number
  readonly tickLotParts: number
  /** Base atoms of one lot. */
  readonly atomsPerLot: number
  readonly priceTicksMin: number
  readonly priceTicksMax: number
  readonly qtyLotsMin: number
  readonly qtyLotsMax: number
  readonly marketQtyLotsMin: number
  readonly marketQtyLotsMax: number
  /** MARKET_LOT_SIZE's own step, in 10^-8 of base; 0 for none. */
  readonly marketStepUnits: number
  /** What all rules together allow, in quote atoms. */
  readonly notionalAtomsMin: number
  readonly notionalAtomsMax: number
  readonly notionalRules: readonly NotionalRule[]
  readonly bounds: FilterBounds
  readonly filters: readonly FilterSpec[]
  readonly preventionModes: readonly SelfTradePrevention[]
  readonly preventionDefault: SelfTradePrevention
  readonly features: SymbolFeatures
  readonly fees: SymbolFees
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
  /** False: may not place orders ("This action is disabled on this account."). */
  readonly canTrade: boolean
  /** May neither place nor cancel ("This account may not place or cancel orders."). */
  readonly frozen: boolean
  /** Such as SPOT; a symbol asks for one of its own. */
  readonly permissions: readonly string[]
  /** Ids of symbols closed to this account. */
  readonly restrictedSymbols: readonly number[]
  /** Whether it pays commissions in the discount asset where it can. */
  readonly discountEnabled: boolean
}

/** A credit that the operator gave in a category, such as a rebate. */
export interface DistributionSpec {
  readonly account: number
  readonly assetId: number
  /** Decimal text, since it may outgrow a number. */
  readonly atoms: string
  readonly category: string
  readonly timeMs: number
  /** Counts all credits of the exchange, from 1. */
  readonly transferId: number
}

/** What every symbol asks of the accounts that place orders on it. */
export const SYMBOL_PERMISSION = 'SPOT'

/** What an account is unless the operator says otherwise. */
export const usualAccount = {
  tradeGroupId: -1,
  makerRate: 0,
  takerRate: 0,
  buyerRate: 0,
  sellerRate: 0,
  canTrade: true,
  frozen: false,
  permissions: [SYMBOL_PERMISSION],
  restrictedSymbols: [],
  discountEnabled: false,
} as const satisfies Partial<AccountSpec>

export interface SymbolListing {
  readonly id: number
  readonly name: string
  readonly base: AssetSpec
  readonly quote: AssetSpec
  readonly status: SymbolStatus
  readonly filters: readonly FilterSpec[]
  readonly preventionModes: readonly SelfTradePrevention[]
  readonly preventionDefault: SelfTradePrevention
  /** Everything when left out. */
  readonly features?: SymbolFeatures
  /** Nothing when left out. */
  readonly fees?: SymbolFees
}

/** The smallest power of ten, in units, that fits; the largest amounts are near 10^16. */
function finestUnit(fits: (unit: number) => boolean): number {
  let unit = 1
  while (!fits(unit)) unit *= 10
  return unit
}

/**
 * Derives the engine's integers from the published filters. `before` is the symbol that they change: where
 * no stepSize says what a lot is, it stays what it was. Throws with one clear sentence when the listing
 * cannot be represented exactly.
 */
export function specifySymbol(
  listing: SymbolListing,
  before?: Pick<SymbolSpec, 'lotUnits'>,
): SymbolSpec {
  const { name, quote, filters } = listing
  const refuse = (why: string): never => {
    const what = before === undefined ? 'listed' : 'changed'
    throw new RangeError(`symbol ${name} cannot be ${what}: ${why}`)
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
  const tickSize = units(price, 'tickSize', 0)
  const stepSize = units(lot, 'stepSize', 0)
  const isExact = (tick: number, step: number) =>
    (BigInt(tick) * BigInt(step)) % BigInt(powerOfTen(WIRE_DECIMALS)) === 0n
  const maxPrice = units(price, 'maxPrice', 0)
  if (tickSize === 0 && maxPrice === 0) refuse('a tickSize of 0 needs a maxPrice')
  const tickUnits =
    tickSize ||
    finestUnit(
      (unit) => maxPrice <= unit * PRICE_TICKS_MAX && (stepSize === 0 || isExact(unit, stepSize)),
    )
  const maxQty = units(lot, 'maxQty', 0)
  const lotUnits =
    stepSize ||
    before?.lotUnits ||
    finestUnit((unit) => maxQty <= unit * QTY_LOTS_MAX && isExact(tickUnits, unit))

  const atomsPerLot = lotUnits
  const notional =
    notionalUnits(tickUnits, lotUnits) ??
    refuse(`tickSize × stepSize is finer than ${TICK_LOT_DECIMALS} decimals of ${quote.name}`)

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
  const largestLots = Math.min(QTY_LOTS_MAX, Math.floor(ORDER_ATOMS_MAX / atomsPerLot))
  const qtyLotsMax = lots(lot, 'maxQty', largestLots)
  if (priceTicksMax > PRICE_TICKS_MAX) refuse(`maxPrice is over ${PRICE_TICKS_MAX} ticks`)
  if (qtyLotsMax > QTY_LOTS_MAX) {
    refuse(`maxQty is over ${QTY_LOTS_MAX} lots of ${formatDecimal(lotUnits, WIRE_DECIMALS)}`)
  }
  if (priceTicksMin > priceTicksMax) refuse('minPrice is above maxPrice')
  if (qtyLotsMin > qtyLotsMax) refuse('minQty is above maxQty')

  const quoteAtomsMax = quoteAtomsMaxOf(notional)
  const atoms = (row: FilterSpec | undefined, field: string, absent: number) =>
    units(row, field, 0) || absent
  // A bound of zero bounds nothing, and so asks for no average price either.
  const binds = (row: FilterSpec, field: string, applies: string) =>
    row[applies] === true && units(row, field, 0) > 0
  const notionalRules = NOTIONAL_FILTERS.flatMap(({ filterType, minApplies }) => {
    const row = filter(filterType)
    if (row === undefined) return []
    const rule: NotionalRule = {
      filterType,
      atomsMin: atoms(row, 'minNotional', 0),
      atomsMax: Math.min(atoms(row, 'maxNotional', quoteAtomsMax), quoteAtomsMax),
      minAppliesToMarket: binds(row, 'minNotional', minApplies),
      maxAppliesToMarket: binds(row, 'maxNotional', 'applyMaxToMarket'),
      avgPriceMins: typeof row.avgPriceMins === 'number' ? row.avgPriceMins : 0,
    }
    return [rule]
  })
  return {
    ...listing,
    features: listing.features ?? allFeatures,
    fees: listing.fees ?? noFees,
    bounds: filterBounds(filters, lotUnits, refuse),
    tickUnits,
    lotUnits,
    hasTickRule: tickSize > 0,
    hasStepRule: stepSize > 0,
    ...notional,
    atomsPerLot,
    priceTicksMin,
    priceTicksMax,
    qtyLotsMin,
    qtyLotsMax,
    marketQtyLotsMin: Math.max(1, Math.ceil(units(marketLot, 'minQty', 0) / lotUnits)),
    marketQtyLotsMax: lots(marketLot, 'maxQty', qtyLotsMax),
    marketStepUnits: units(marketLot, 'stepSize', 0),
    notionalAtomsMin: Math.max(0, ...notionalRules.map(({ atomsMin }) => atomsMin)),
    notionalAtomsMax: Math.min(quoteAtomsMax, ...notionalRules.map(({ atomsMax }) => atomsMax)),
    notionalRules,
  }
}
