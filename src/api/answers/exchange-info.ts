/** The exchange information object (docs/api/decisions.md), and the filters of one symbol. */
import { OrderType } from '../../base/codes.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import {
  exchangeFilterFields,
  type FilterFields,
  type FilterSpec,
  symbolFilterFields,
} from '../../market/filter-spec.ts'
import { SYMBOL_PERMISSION, type SymbolSpec } from '../../market/listing.ts'
import { preventionNames, symbolStatusNames, typeNames } from '../names.ts'
import { Answer } from './answer.ts'
import {
  asset,
  constant,
  decimalText,
  derived,
  type Element,
  fixed,
  flag,
  integer,
  listOf,
  name,
  optional,
  rows,
  symbol,
  text,
  time,
  variant,
} from './element.ts'
import { rateLimit } from './limits.ts'
import { text as textSchema } from './schema.ts'

const fieldElements = {
  decimal: decimalText,
  multiplier: decimalText,
  whole: integer,
  flag,
  name: text,
}
const filterTable = (filterType: string, fields: FilterFields): Answer =>
  new Answer({
    filterType: constant(filterType),
    ...Object.fromEntries(
      Object.entries(fields).map(([name, kind]) => [name, fieldElements[kind](name)]),
    ),
  })
/** By filterType: the answer of a filter. */
const filterTables = Object.fromEntries(
  Object.entries({ ...symbolFilterFields, ...exchangeFilterFields }).map(([type, fields]) => [
    type,
    filterTable(type, fields),
  ]),
)
/** Numbers of limits vary by filter; clients read them by name. */
const filter = variant<FilterSpec>('filterType', filterTables, {
  type: 'object',
  properties: { filterType: textSchema },
  required: ['filterType'],
  additionalProperties: { type: ['string', 'integer', 'boolean'] },
})('')
const filters = <Property extends string>(property: Property) => listOf(property, filter)
const texts = <Property extends string>(property: Property) => listOf(property, text(''))
const prevention = name('', preventionNames)
const BASIS_POINT_DECIMALS = 4

export interface SymbolRow {
  readonly spec: SymbolSpec
  readonly showsSets: boolean
}

const of = <Wire>(made: Element<never, Wire>, read: (spec: SymbolSpec) => unknown) =>
  derived(made, ({ spec }: SymbolRow) => read(spec))

const decimals = of(integer(''), () => WIRE_DECIMALS)
const yes = of(flag(''), () => true)
const no = of(flag(''), () => false)

/** All order types, in the order that the wire lists them. */
const wireTypes: readonly OrderType[] = [
  OrderType.LIMIT,
  OrderType.LIMIT_MAKER,
  OrderType.MARKET,
  OrderType.STOP_LOSS,
  OrderType.STOP_LOSS_LIMIT,
  OrderType.TAKE_PROFIT,
  OrderType.TAKE_PROFIT_LIMIT,
]

export const symbolInfo = Answer.kept({
  symbol: symbol('spec'),
  status: of(name('', symbolStatusNames), ({ status }) => status),
  baseAsset: of(asset(''), ({ base }) => base),
  baseAssetPrecision: decimals,
  quoteAsset: of(asset(''), ({ quote }) => quote),
  quotePrecision: decimals,
  quoteAssetPrecision: decimals,
  baseCommissionPrecision: decimals,
  quoteCommissionPrecision: decimals,
  orderTypes: of(listOf('', name<'', string>('', typeNames)), ({ features }) =>
    wireTypes.filter((type) => features.orderTypes.includes(type)),
  ),
  icebergAllowed: of(flag(''), ({ features }) => features.iceberg),
  ocoAllowed: of(flag(''), ({ features }) => features.oco),
  otoAllowed: of(flag(''), ({ features }) => features.oto),
  opoAllowed: of(flag(''), ({ features }) => features.opo),
  quoteOrderQtyMarketAllowed: of(flag(''), ({ features }) => features.quoteOrderQtyMarket),
  allowTrailingStop: of(flag(''), ({ features }) => features.trailingStop),
  cancelReplaceAllowed: of(flag(''), ({ features }) => features.cancelReplace),
  amendAllowed: of(flag(''), ({ features }) => features.amend),
  pegInstructionsAllowed: of(flag(''), ({ features }) => features.pegInstructions),
  isSpotTradingAllowed: yes,
  isMarginTradingAllowed: no,
  filters: of(filters(''), filtersOf),
  permissions: of(texts(''), () => [SYMBOL_PERMISSION]),
  permissionSets: derived(listOf('', texts('')), ({ showsSets }: SymbolRow) =>
    showsSets ? [[SYMBOL_PERMISSION]] : [],
  ),
  defaultSelfTradePreventionMode: of(prevention, ({ preventionDefault }) => preventionDefault),
  allowedSelfTradePreventionModes: of(
    listOf('', prevention),
    ({ preventionModes }) => preventionModes,
  ),
})

export const exchangeInfo = new Answer({
  timezone: constant('UTC'),
  serverTime: time('nowMs'),
  rateLimits: rows('rateLimits', rateLimit),
  exchangeFilters: filters('filters'),
  symbols: rows('symbols', symbolInfo),
  permissions: texts('permissions'),
  sors: optional(rows('sors', new Answer({ baseAsset: asset('base'), symbols: texts('symbols') }))),
  defaultSelfTradePreventionMode: optional(name('preventionDefault', preventionNames)),
  allowedSelfTradePreventionModes: optional(listOf('preventionModes', prevention)),
})

/** Multipliers of the reference price, between which a taker trades (docs/reference-price.md). */
export const priceRange = new Answer({
  ruleType: constant('PRICE_RANGE'),
  bidLimitMultUp: optional(fixed('bidUp', BASIS_POINT_DECIMALS)),
  bidLimitMultDown: optional(fixed('bidDown', BASIS_POINT_DECIMALS)),
  askLimitMultUp: optional(fixed('askUp', BASIS_POINT_DECIMALS)),
  askLimitMultDown: optional(fixed('askDown', BASIS_POINT_DECIMALS)),
})

/** Symbols that have rules, with them. */
export const executionRules = new Answer({
  symbolRules: rows(
    'symbolRules',
    new Answer({ symbol: symbol('spec'), rules: rows('rules', priceRange) }),
  ),
})

/** All filters that an order of any account on the symbol passes (rest-api.md, myFilters). */
export const relevantFilters = new Answer({
  exchangeFilters: filters('exchangeFilters'),
  symbolFilters: filters('symbolFilters'),
  assetFilters: filters('assetFilters'),
})

/** PRICE_FILTER comes first: older feed handlers read `filters[0].tickSize` (docs/api/decisions.md). */
export function filtersOf(spec: SymbolSpec): SymbolSpec['filters'] {
  const isPrice = (filter: { filterType: string }) => filter.filterType === 'PRICE_FILTER'
  return [...spec.filters.filter(isPrice), ...spec.filters.filter((filter) => !isPrice(filter))]
}
