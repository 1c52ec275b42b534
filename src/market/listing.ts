/**
 * Listed assets, symbols and accounts: plain values, decided by the control journal and handed to
 * every thread. All prices, quantities and amounts are integers in the units named.
 */
import {
  CorridorEnd,
  OrderType,
  ReferenceCalculation,
  type SelfTradePrevention,
  type SymbolStatus,
} from '../base/codes.ts'
import { DecimalFault, formatDecimal, parseInt64, powerOfTen } from '../base/fixed.ts'
import { INT64_MAX, type Int64, least, most, product } from '../base/int64.ts'
import {
  ORDER_ATOMS_MAX,
  PRICE_TICKS_MAX,
  QTY_LOTS_MAX,
  TICK_LOT_DECIMALS,
  WIRE_DECIMALS,
} from '../base/limits.ts'
import { notionalUnits } from '../base/notional.ts'
import { AccountId, AssetId, Ms, QuoteAtoms, SymbolId } from '../base/units.ts'
import { type AssetLimit, type FilterBounds, filterBounds } from './filter-bounds.ts'
import type { FilterSpec } from './filter-spec.ts'

/** What records of the wallet (core/wallet) have in place of a symbol. */
export const WALLET = SymbolId(-1)
/** The exchange's own account, which collects commissions. */
export const EXCHANGE_ACCOUNT = AccountId(0)

export interface AssetSpec {
  readonly id: AssetId
  readonly name: string
}

/** The kinds of orders that the symbol accepts beyond plain ones; the flags of exchangeInfo. */
export interface SymbolFeatures {
  readonly orderTypes: readonly OrderType[]
  readonly iceberg: boolean
  readonly oco: boolean
  readonly oto: boolean
  readonly opo: boolean
  readonly quoteOrderQtyMarket: boolean
  readonly trailingStop: boolean
  readonly cancelReplace: boolean
  readonly amend: boolean
  readonly pegInstructions: boolean
}

export const allFeatures: SymbolFeatures = {
  orderTypes: Object.values(OrderType),
  iceberg: true,
  oco: true,
  oto: true,
  opo: true,
  quoteOrderQtyMarket: true,
  trailingStop: true,
  cancelReplace: true,
  amend: true,
  pegInstructions: true,
}

/** Facts before layout 9 know neither pegs nor OPO, which their symbols did without. */
const featuresOf = (listed: Partial<SymbolFeatures>): SymbolFeatures => ({
  ...allFeatures,
  opo: false,
  pegInstructions: false,
  ...listed,
})

/** Commission rates of one kind, integers of 1e-8 (faqs/commission_faq.md). */
export interface RateSet {
  readonly maker: number
  readonly taker: number
  readonly buyer: number
  readonly seller: number
}

export const noRates: RateSet = { maker: 0, taker: 0, buyer: 0, seller: 0 }

/** Rates that a symbol charges on top of its accounts' standard rates. */
export interface SymbolFees {
  readonly special: RateSet
  readonly tax: RateSet
  /** Whether accounts may pay in the discount asset here. */
  readonly discountEnabled: boolean
}

export const noFees: SymbolFees = { special: noRates, tax: noRates, discountEnabled: false }

/** Settings of a symbol's calls and interruptions (docs/phases.md). Plain values, so that they can be posted. */
export interface PhaseSettings {
  /** A call that is to end does so within this many ms, at random; 0: at once. */
  readonly randomEndMs: number
  /** What those times are drawn from: 32 bits that the control journal keeps and no client is shown. */
  readonly seed: number
  /** Commission rate of both sides of an auction's trades, 1e-8, in place of all others; -1: the usual ones. */
  readonly auctionRate: number
  /** A price this far from the anchor, in basis points, interrupts trading; 0: none does. */
  readonly interruptionBasisPoints: number
  /** How long a price stays the anchor, ms. */
  readonly interruptionWindowMs: number
  /** How long an interruption's call lasts, ms, without its random end. */
  readonly interruptionCallMs: number
  /** Interruptions within an hour after which the next lasts until an operator ends it; 0: none does. */
  readonly hourlyInterruptions: number
  /** How far an auction's price may be from the last price, in basis points; 0: any. */
  readonly corridorBasisPoints: number
  /** How far an auction's price may be from the price of the last auction, in basis points; 0: any. */
  readonly staticCorridorBasisPoints: number
  /** How long a call is extended whose price is further, ms, without its random end. */
  readonly extensionMs: number
  /** How often one call is. */
  readonly extensionsMax: number
  /** What follows the last extension. */
  readonly corridorEnd: CorridorEnd
  /** Rises whenever an operator resumes the symbol or sets its status: ends a call that waits for that. */
  readonly resumptions: number
}

export const noPhases: PhaseSettings = {
  randomEndMs: 0,
  seed: 0,
  auctionRate: -1,
  interruptionBasisPoints: 0,
  interruptionWindowMs: 0,
  interruptionCallMs: 0,
  hourlyInterruptions: 3,
  corridorBasisPoints: 0,
  staticCorridorBasisPoints: 0,
  extensionMs: 0,
  extensionsMax: 0,
  corridorEnd: CorridorEnd.BOUND,
  resumptions: 0,
}

/** How far from the anchor a trade may be, in basis points; 0: any distance. */
export const bandOf = ({ interruptionWindowMs, interruptionBasisPoints }: PhaseSettings): number =>
  interruptionWindowMs === 0 ? 0 : interruptionBasisPoints

/** What a symbol's reference price is calculated from (docs/reference-price.md). */
export interface ReferenceSettings {
  readonly calculation: ReferenceCalculation
  /** Of an ARITHMETIC_MEAN; else 0. */
  readonly bucketCount: number
  readonly bucketWidthMs: number
  /** Of an EXTERNAL price: the number of its method; else 0. */
  readonly externalId: number
}

export const noReference: ReferenceSettings = {
  calculation: ReferenceCalculation.NONE,
  bucketCount: 0,
  bucketWidthMs: 0,
  externalId: 0,
}

/**
 * The execution rule PRICE_RANGE: multipliers of the reference price, in 1e-4, between which a taker trades;
 * 0 bounds nothing.
 */
export interface PriceRange {
  readonly bidUp: number
  readonly bidDown: number
  readonly askUp: number
  readonly askDown: number
}

export const noRange: PriceRange = { bidUp: 0, bidDown: 0, askUp: 0, askDown: 0 }

export const isRanged = ({ bidUp, bidDown, askUp, askDown }: PriceRange): boolean =>
  bidUp + bidDown + askUp + askDown > 0

/** Settings of the exchange as a whole. */
export interface ExchangeSpec {
  /** As exchangeInfo shows them, EXCHANGE_MAX_NUM_*, and as myFilters alone does, MAX_ASSET (filters.md). */
  readonly filters: readonly FilterSpec[]
  /** What they say of single orders: MAX_ASSET. */
  readonly assetLimits: readonly AssetLimit[]
  /** Id of the asset in which discounted commissions are paid; -1 for none. */
  readonly discountAssetId: AssetId
  /** Factor of standard rates paid in it, in 1e-8. */
  readonly discountRate: number
}

export const plainExchange: ExchangeSpec = {
  filters: [],
  assetLimits: [],
  discountAssetId: AssetId(-1),
  discountRate: 0,
}

/** Symbols of one base whose books routed orders take from together (docs/routing.md). */
export interface SymbolGroup {
  readonly base: AssetSpec
  /** In the order in which books of equal prices come. */
  readonly symbols: readonly SymbolId[]
  /** Stands between the symbols: it pays in one quote asset what it receives in another. */
  readonly account: AccountId
}

/** One NOTIONAL or MIN_NOTIONAL: bounds of price × quantity, in quote atoms. */
export interface NotionalRule {
  readonly filterType: string
  readonly atomsMin: QuoteAtoms
  readonly atomsMax: QuoteAtoms
  readonly minAppliesToMarket: boolean
  readonly maxAppliesToMarket: boolean
  readonly avgPriceMins: number
}

/** In the order of judging; MIN_NOTIONAL is the older filter. */
const NOTIONAL_FILTERS = [
  { filterType: 'NOTIONAL', minApplies: 'applyMinToMarket' },
  { filterType: 'MIN_NOTIONAL', minApplies: 'applyToMarket' },
] as const

export interface SymbolSpec {
  readonly id: SymbolId
  readonly name: string
  readonly base: AssetSpec
  readonly quote: AssetSpec
  readonly status: SymbolStatus
  /** The engine's price step and quantity step, in 10^-8 of quote and base. */
  readonly tickUnits: number
  readonly lotUnits: number
  /** Whether the steps are tickSize and stepSize; zero there means the finest representable step. */
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
  /** Bounds by all rules together, in quote atoms. */
  readonly notionalAtomsMin: QuoteAtoms
  readonly notionalAtomsMax: QuoteAtoms
  readonly notionalRules: readonly NotionalRule[]
  readonly bounds: FilterBounds
  readonly filters: readonly FilterSpec[]
  readonly preventionModes: readonly SelfTradePrevention[]
  readonly preventionDefault: SelfTradePrevention
  readonly features: SymbolFeatures
  readonly fees: SymbolFees
  readonly phases: PhaseSettings
  readonly reference: ReferenceSettings
  readonly priceRange: PriceRange
  /** When a schedule had the status due; 0 where an operator has set it, who means the present. */
  readonly statusMs: Ms
}

/** An account as matchers and gateways see it. Rates are integers of 1e-8. */
/** An account's own limits, in place of the exchange's. What is left out is as of the exchange. */
export interface AccountLimits {
  readonly ordersPerSecond?: number
  readonly ordersPerDay?: number
  /** Weight a minute of its signed requests, which then count nothing of their address's. */
  readonly weight?: number
  /** Connections that are logged on at once; any number when left out. */
  readonly sessions?: number
  /** Open orders on all symbols together. */
  readonly openOrders?: number
  /** Orders that are refused for their number ban no address. */
  readonly bansNone?: true
}

export interface AccountSpec {
  readonly id: AccountId
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
  /** It is over: it receives nothing. */
  readonly closed?: boolean
  /** Such as SPOT; a symbol asks for one of its own. */
  readonly permissions: readonly string[]
  /** Ids of symbols closed to this account. */
  readonly restrictedSymbols: readonly number[]
  /** Whether it pays commissions in the discount asset where it can. */
  readonly discountEnabled: boolean
  readonly limits?: AccountLimits
  /** As market/families.ts makes it when left out. */
  readonly email?: string
  /** The account that it is a sub-account of, and when it was opened; left out of all others. */
  readonly master?: AccountId
  readonly openedMs?: Ms
}

/** A credit that the operator gave in a category, such as a rebate. */
export interface DistributionSpec {
  readonly account: AccountId
  readonly assetId: AssetId
  /** Decimal text, since it may outgrow a number. */
  readonly atoms: string
  readonly category: string
  readonly timeMs: Ms
  /** Counts all credits of the exchange, from 1. */
  readonly transferId: number
}

/** The permission that every symbol requires. */
export const SYMBOL_PERMISSION = 'SPOT'

/** The defaults of an account. */
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
  readonly id: SymbolId
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
  /** noPhases when left out, also of its settings. */
  readonly phases?: Partial<PhaseSettings>
  /** None when left out. */
  readonly reference?: ReferenceSettings
  readonly priceRange?: PriceRange
}

/** What a tick without a tickSize has room for. Journals count in such ticks: it never changes. */
const FINEST_TICKS_MAX = 2 ** 30

/** The smallest power of ten, in units, that fits; the largest amounts are near 10^19. */
function finestUnit(fits: (unit: number) => boolean): number {
  let unit = 1
  while (!fits(unit)) unit *= 10
  return unit
}

/** An amount that nothing listed bounds. */
const UNBOUNDED = QuoteAtoms(ORDER_ATOMS_MAX)
const LARGEST_STEP = formatDecimal(Number.MAX_SAFE_INTEGER, WIRE_DECIMALS)

/** (value + add) / unit, rounded down: larger than every bound where a number does not carry it exactly. */
const stepsOf = (value: Int64, unit: number, add: number): number =>
  Number((BigInt(value) + BigInt(add)) / BigInt(unit))

/** Reads a symbol's published filters as numbers. Throws RangeError with one clear sentence. */
class FilterReader {
  private readonly filters: readonly FilterSpec[]
  private readonly sentence: string

  constructor({ name, filters }: SymbolListing, isNew: boolean) {
    this.filters = filters
    this.sentence = `symbol ${name} cannot be ${isNew ? 'listed' : 'changed'}`
  }

  find(type: string): FilterSpec | undefined {
    return this.filters.find((row) => row.filterType === type)
  }

  needed(type: string): FilterSpec {
    return this.find(type) ?? this.refuse(`it has no ${type}`)
  }

  /** The field in units of 10^-8; 0 where it is not given. */
  units(row: FilterSpec | undefined, field: string): Int64 {
    const text = row?.[field]
    if (typeof text !== 'string') return 0
    const value = parseInt64(text, WIRE_DECIMALS)
    if (value >= 0) return value
    const why =
      value === DecimalFault.OVERFLOW
        ? `over ${formatDecimal(INT64_MAX, WIRE_DECIMALS)}`
        : 'not a decimal of 8 places'
    return this.refuse(`${row?.filterType}.${field} is ${why}`)
  }

  /** A step in units of 10^-8. */
  step(row: FilterSpec | undefined, field: string): number {
    const value = this.units(row, field)
    return typeof value === 'number'
      ? value
      : this.refuse(`${row?.filterType}.${field} is over ${LARGEST_STEP}`)
  }

  /** The field in steps of so many units, rounded down; `absent` where it is zero or not given. */
  steps(row: FilterSpec | undefined, field: string, unit: number, absent: number): number {
    const value = this.units(row, field)
    return value === 0 ? absent : stepsOf(value, unit, 0)
  }

  /** A least value in steps of so many units: rounded up, and at least one step. */
  leastSteps(row: FilterSpec | undefined, field: string, unit: number): number {
    return Math.max(1, stepsOf(this.units(row, field), unit, unit - 1))
  }

  readonly refuse = (why: string): never => {
    throw new RangeError(`${this.sentence}: ${why}`)
  }
}

/**
 * Derives the engine's integers from the published filters. `before` is the symbol that they change:
 * without a tickSize or a stepSize its tick or lot stays. Throws one sentence when the listing cannot be represented exactly.
 */
export function specifySymbol(
  listing: SymbolListing,
  before?: Pick<SymbolSpec, 'tickUnits' | 'lotUnits' | 'status' | 'statusMs'>,
): SymbolSpec {
  const filters = new FilterReader(listing, before === undefined)
  const { tickUnits, lotUnits, ...rules } = unitsOf(filters, before)
  const notional =
    notionalUnits(tickUnits, lotUnits) ??
    filters.refuse(
      `tickSize × stepSize is finer than ${TICK_LOT_DECIMALS} decimals of ${listing.quote.name}`,
    )
  const bounds = boundsOf(filters, tickUnits, lotUnits)
  const notionalRules = notionalRulesOf(filters)
  const marketLot = filters.find('MARKET_LOT_SIZE')
  return {
    ...listing,
    features: listing.features === undefined ? allFeatures : featuresOf(listing.features),
    fees: listing.fees ?? noFees,
    phases: { ...noPhases, ...listing.phases },
    reference: listing.reference ?? noReference,
    priceRange: listing.priceRange ?? noRange,
    statusMs: before?.status === listing.status ? before.statusMs : Ms(0),
    bounds: filterBounds(listing.filters, lotUnits, filters.refuse),
    tickUnits,
    lotUnits,
    ...rules,
    ...notional,
    atomsPerLot: lotUnits,
    ...bounds,
    marketQtyLotsMin: filters.leastSteps(marketLot, 'minQty', lotUnits),
    marketQtyLotsMax: filters.steps(marketLot, 'maxQty', lotUnits, bounds.qtyLotsMax),
    marketStepUnits: filters.step(marketLot, 'stepSize'),
    notionalAtomsMin: notionalRules.reduce((it, { atomsMin }) => most(it, atomsMin), QuoteAtoms(0)),
    notionalAtomsMax: notionalRules.reduce((it, { atomsMax }) => least(it, atomsMax), UNBOUNDED),
    notionalRules,
  }
}

/** What a tick and a lot are: as the filters say, else the finest that holds their bounds. */
function unitsOf(
  filters: FilterReader,
  before: Pick<SymbolSpec, 'tickUnits' | 'lotUnits'> | undefined,
): Pick<SymbolSpec, 'tickUnits' | 'lotUnits' | 'hasTickRule' | 'hasStepRule'> {
  const price = filters.needed('PRICE_FILTER')
  const lot = filters.needed('LOT_SIZE')
  const tickSize = filters.step(price, 'tickSize')
  const stepSize = filters.step(lot, 'stepSize')
  const isExact = (tick: number, step: number) =>
    (BigInt(tick) * BigInt(step)) % BigInt(powerOfTen(WIRE_DECIMALS)) === 0n
  const maxPrice = filters.units(price, 'maxPrice')
  if (tickSize === 0 && maxPrice === 0) filters.refuse('a tickSize of 0 needs a maxPrice')
  const tickUnits =
    tickSize ||
    before?.tickUnits ||
    finestUnit(
      (unit) =>
        maxPrice <= product(unit, FINEST_TICKS_MAX) && (stepSize === 0 || isExact(unit, stepSize)),
    )
  const maxQty = filters.units(lot, 'maxQty')
  const lotUnits =
    stepSize ||
    before?.lotUnits ||
    finestUnit((unit) => maxQty <= product(unit, QTY_LOTS_MAX) && isExact(tickUnits, unit))
  return { tickUnits, lotUnits, hasTickRule: tickSize > 0, hasStepRule: stepSize > 0 }
}

function boundsOf(
  filters: FilterReader,
  tickUnits: number,
  lotUnits: number,
): Pick<SymbolSpec, 'priceTicksMin' | 'priceTicksMax' | 'qtyLotsMin' | 'qtyLotsMax'> {
  const price = filters.needed('PRICE_FILTER')
  const lot = filters.needed('LOT_SIZE')
  // An atom is what one unit of a lot is of the base asset.
  const largestLots = Math.min(QTY_LOTS_MAX, stepsOf(ORDER_ATOMS_MAX, lotUnits, 0))
  const priceTicksMin = filters.leastSteps(price, 'minPrice', tickUnits)
  const priceTicksMax = filters.steps(price, 'maxPrice', tickUnits, PRICE_TICKS_MAX)
  const qtyLotsMin = filters.leastSteps(lot, 'minQty', lotUnits)
  const qtyLotsMax = filters.steps(lot, 'maxQty', lotUnits, largestLots)
  if (priceTicksMax > PRICE_TICKS_MAX) filters.refuse(`maxPrice is over ${PRICE_TICKS_MAX} ticks`)
  if (qtyLotsMax > QTY_LOTS_MAX) {
    const lotText = formatDecimal(lotUnits, WIRE_DECIMALS)
    filters.refuse(`maxQty is over ${QTY_LOTS_MAX} lots of ${lotText}`)
  }
  if (priceTicksMin > priceTicksMax) filters.refuse('minPrice is above maxPrice')
  if (qtyLotsMin > qtyLotsMax) filters.refuse('minQty is above maxQty')
  return { priceTicksMin, priceTicksMax, qtyLotsMin, qtyLotsMax }
}

function notionalRulesOf(filters: FilterReader): readonly NotionalRule[] {
  // A bound of zero bounds nothing, and so needs no average price.
  const binds = (row: FilterSpec, field: string, applies: string) =>
    row[applies] === true && filters.units(row, field) > 0
  return NOTIONAL_FILTERS.flatMap(({ filterType, minApplies }) => {
    const row = filters.find(filterType)
    if (row === undefined) return []
    const rule: NotionalRule = {
      filterType,
      atomsMin: QuoteAtoms(filters.units(row, 'minNotional')),
      atomsMax: QuoteAtoms(filters.units(row, 'maxNotional') || UNBOUNDED),
      minAppliesToMarket: binds(row, 'minNotional', minApplies),
      maxAppliesToMarket: binds(row, 'maxNotional', 'applyMaxToMarket'),
      avgPriceMins: typeof row.avgPriceMins === 'number' ? row.avgPriceMins : 0,
    }
    return [rule]
  })
}
