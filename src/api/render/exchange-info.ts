/**
 * The exchange information object (spec, Resources; supplement 3.1). A symbol's part never changes
 * while its spec stands, so each is made once.
 */
import { OrderType } from '../../base/codes.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { SYMBOL_PERMISSION, type SymbolSpec } from '../../market/listing.ts'
import type { Context, Request } from '../context.ts'
import { timeOf } from './decimals.ts'
import { preventionNames, symbolStatusNames, typeNames } from './terms.ts'

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

const partsWithSets = new WeakMap<SymbolSpec, string>()
const partsWithoutSets = new WeakMap<SymbolSpec, string>()

export function exchangeInfoText(
  context: Context,
  symbols: readonly SymbolSpec[],
  showPermissionSets: boolean,
  { nowMs, microseconds, overWebSocket }: Request,
): string {
  const parts = symbolParts(symbols, showPermissionSets)
  const modes = preventionMembers(context.symbols)
  return (
    `{"timezone":"UTC","serverTime":${timeOf(nowMs, microseconds)},` +
    `"rateLimits":${JSON.stringify(context.rateLimits(overWebSocket))},` +
    `"exchangeFilters":${JSON.stringify(context.exchange.filters)},"symbols":[${parts}],` +
    `"permissions":["${SYMBOL_PERMISSION}"]${modes}}`
  )
}

/** All filters that an order of any account on the symbol passes (supplement 2a.1, myFilters). */
export const relevantFiltersText = ({ exchange }: Context, spec: SymbolSpec): string =>
  JSON.stringify({
    exchangeFilters: exchange.filters,
    symbolFilters: filtersOf(spec),
    assetFilters: [],
  })

/** The modes stand on each symbol, and at the top for clients of the spec's first revision. */
function preventionMembers(symbols: readonly SymbolSpec[]): string {
  const spec = symbols[0]
  if (spec === undefined) return ''
  const allowed = new Set(symbols.flatMap((symbol) => symbol.preventionModes))
  const names = [...allowed].map((mode) => preventionNames[mode])
  return (
    `,"defaultSelfTradePreventionMode":"${preventionNames[spec.preventionDefault]}",` +
    `"allowedSelfTradePreventionModes":${JSON.stringify(names)}`
  )
}

/** The last list rendered: that of all symbols is half a megabyte, and asked for most. */
let lastList: {
  readonly symbols: readonly SymbolSpec[]
  readonly showPermissionSets: boolean
  readonly text: string
} = { symbols: [], showPermissionSets: false, text: '' }

function symbolParts(symbols: readonly SymbolSpec[], showPermissionSets: boolean): string {
  const isSame =
    lastList.showPermissionSets === showPermissionSets &&
    lastList.symbols.length === symbols.length &&
    lastList.symbols.every((spec, index) => spec === symbols[index])
  if (!isSame) {
    const text = symbols.map((spec) => symbolPart(spec, showPermissionSets)).join()
    lastList = { symbols: [...symbols], showPermissionSets, text }
  }
  return lastList.text
}

function symbolPart(spec: SymbolSpec, showPermissionSets: boolean): string {
  const parts = showPermissionSets ? partsWithSets : partsWithoutSets
  let part = parts.get(spec)
  if (part === undefined) {
    part = JSON.stringify(symbolObject(spec, showPermissionSets))
    parts.set(spec, part)
  }
  return part
}

/** PRICE_FILTER comes first: older feed handlers read `filters[0].tickSize` (supplement 3.2). */
function filtersOf(spec: SymbolSpec): SymbolSpec['filters'] {
  const isPrice = (filter: { filterType: string }) => filter.filterType === 'PRICE_FILTER'
  return [...spec.filters.filter(isPrice), ...spec.filters.filter((filter) => !isPrice(filter))]
}

const symbolObject = (spec: SymbolSpec, showPermissionSets: boolean) => ({
  symbol: spec.name,
  status: symbolStatusNames[spec.status],
  baseAsset: spec.base.name,
  baseAssetPrecision: WIRE_DECIMALS,
  quoteAsset: spec.quote.name,
  quotePrecision: WIRE_DECIMALS,
  quoteAssetPrecision: WIRE_DECIMALS,
  baseCommissionPrecision: WIRE_DECIMALS,
  quoteCommissionPrecision: WIRE_DECIMALS,
  orderTypes: wireTypes
    .filter((type) => spec.features.orderTypes.includes(type))
    .map((type) => typeNames[type]),
  icebergAllowed: spec.features.iceberg,
  ocoAllowed: spec.features.oco,
  otoAllowed: spec.features.oto,
  opoAllowed: false,
  quoteOrderQtyMarketAllowed: spec.features.quoteOrderQtyMarket,
  allowTrailingStop: spec.features.trailingStop,
  cancelReplaceAllowed: spec.features.cancelReplace,
  amendAllowed: spec.features.amend,
  pegInstructionsAllowed: false,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  filters: filtersOf(spec),
  permissions: [SYMBOL_PERMISSION],
  permissionSets: showPermissionSets ? [[SYMBOL_PERMISSION]] : [],
  defaultSelfTradePreventionMode: preventionNames[spec.preventionDefault],
  allowedSelfTradePreventionModes: spec.preventionModes.map((mode) => preventionNames[mode]),
})
