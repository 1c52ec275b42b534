/** The exchange information object (docs/api/decisions.md), and the filters of one symbol. */
import { OrderType } from '../../base/codes.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { FilterSpec } from '../../market/filter-spec.ts'
import { SYMBOL_PERMISSION, type SymbolSpec } from '../../market/listing.ts'
import { preventionNames, symbolStatusNames, typeNames } from '../names.ts'
import { Answer } from './answer.ts'
import {
  asset,
  constant,
  derived,
  type Element,
  fixed,
  flag,
  integer,
  name,
  optional,
  rows,
  symbol,
  time,
  wireValue,
} from './element.ts'
import { rateLimit } from './limits.ts'
import { list, oneOfNames, type Schema, text } from './schema.ts'

/** Numbers of limits vary by filter; clients read them by name. */
const filter: Schema = {
  type: 'object',
  properties: { filterType: text },
  required: ['filterType'],
  additionalProperties: { type: ['string', 'integer', 'boolean'] },
}
const filters = wireValue<readonly FilterSpec[]>(list(filter))
const texts = wireValue<readonly string[]>(list(text))
const textLists = wireValue<readonly (readonly string[])[]>(list(list(text)))
const BASIS_POINT_DECIMALS = 4
const orderTypes = wireValue<readonly string[]>(list(oneOfNames(typeNames)))
const preventions = wireValue<readonly string[]>(list(oneOfNames(preventionNames)))

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
  orderTypes: of(orderTypes(''), ({ features }) =>
    wireTypes.filter((type) => features.orderTypes.includes(type)).map((type) => typeNames[type]),
  ),
  icebergAllowed: of(flag(''), ({ features }) => features.iceberg),
  ocoAllowed: of(flag(''), ({ features }) => features.oco),
  otoAllowed: of(flag(''), ({ features }) => features.oto),
  opoAllowed: no,
  quoteOrderQtyMarketAllowed: of(flag(''), ({ features }) => features.quoteOrderQtyMarket),
  allowTrailingStop: of(flag(''), ({ features }) => features.trailingStop),
  cancelReplaceAllowed: of(flag(''), ({ features }) => features.cancelReplace),
  amendAllowed: of(flag(''), ({ features }) => features.amend),
  pegInstructionsAllowed: no,
  isSpotTradingAllowed: yes,
  isMarginTradingAllowed: no,
  filters: of(filters(''), filtersOf),
  permissions: of(texts(''), () => [SYMBOL_PERMISSION]),
  permissionSets: derived(textLists(''), ({ showsSets }: SymbolRow) =>
    showsSets ? [[SYMBOL_PERMISSION]] : [],
  ),
  defaultSelfTradePreventionMode: of(
    name('', preventionNames),
    ({ preventionDefault }) => preventionDefault,
  ),
  allowedSelfTradePreventionModes: of(preventions(''), ({ preventionModes }) =>
    preventionModes.map((mode) => preventionNames[mode]),
  ),
})

export const exchangeInfo = new Answer({
  timezone: constant('UTC'),
  serverTime: time('nowMs'),
  rateLimits: rows('rateLimits', rateLimit),
  exchangeFilters: filters('filters'),
  symbols: rows('symbols', symbolInfo),
  permissions: texts('permissions'),
  defaultSelfTradePreventionMode: optional(name('preventionDefault', preventionNames)),
  allowedSelfTradePreventionModes: optional(preventions('preventionModes')),
})

/**
 * Multipliers of the reference price, between which a taker trades (docs/phases.md, An interruption). One number
 * bounds both sides and both directions.
 */
const priceRange = new Answer({
  ruleType: constant('PRICE_RANGE'),
  bidLimitMultUp: fixed('up', BASIS_POINT_DECIMALS),
  bidLimitMultDown: fixed('down', BASIS_POINT_DECIMALS),
  askLimitMultUp: fixed('up', BASIS_POINT_DECIMALS),
  askLimitMultDown: fixed('down', BASIS_POINT_DECIMALS),
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
