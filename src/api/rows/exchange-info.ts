/** Rows of exchange information. A symbol's never changes while its spec stands, so it is made once. */
import { type FilterSpec, MAX_ASSET } from '../../market/filter-spec.ts'
import { isRanged, SYMBOL_PERMISSION, type SymbolSpec } from '../../market/listing.ts'
import type { RowOf } from '../answers/element.ts'
import {
  type exchangeInfo,
  type executionRules,
  filtersOf,
  type relevantFilters,
  type SymbolRow,
} from '../answers/exchange-info.ts'
import type { Context, Request } from '../context.ts'

export const exchangeInfoRow = (
  context: Context,
  symbols: readonly SymbolSpec[],
  showsSets: boolean,
  { nowMs, limiter }: Request,
): RowOf<typeof exchangeInfo.elements> => ({
  nowMs,
  rateLimits: context.rateLimits(limiter),
  filters: context.exchange.filters.filter(isOfExchange),
  symbols: symbols.map((spec) => symbolRow(spec, showsSets)),
  permissions: [SYMBOL_PERMISSION],
  sors: sorsOf(context),
  ...preventionsOf(context.symbols),
})

/** Groups of symbols that routed orders take from; undefined without any. */
const sorsOf = ({ groups, symbols }: Context) =>
  groups.length === 0
    ? undefined
    : groups.map((group) => ({
        base: group.base,
        symbols: group.symbols.map((id) => symbols[id]!.name),
      }))

const rowsWithSets = new WeakMap<SymbolSpec, SymbolRow>()
const rowsWithoutSets = new WeakMap<SymbolSpec, SymbolRow>()

function symbolRow(spec: SymbolSpec, showsSets: boolean): SymbolRow {
  const known = showsSets ? rowsWithSets : rowsWithoutSets
  const row = known.get(spec) ?? { spec, showsSets }
  known.set(spec, row)
  return row
}

/** The modes stand on each symbol, and at the top for clients of the spec's first revision. */
function preventionsOf([first, ...others]: readonly SymbolSpec[]) {
  if (first === undefined) return {}
  const allowed = new Set([first, ...others].flatMap(({ preventionModes }) => preventionModes))
  return {
    preventionDefault: first.preventionDefault,
    preventionModes: [...allowed],
  }
}

export const executionRulesRow = (
  symbols: readonly SymbolSpec[],
): RowOf<typeof executionRules.elements> => ({
  symbolRules: symbols
    .filter(({ priceRange }) => isRanged(priceRange))
    .map((spec) => {
      const { bidUp, bidDown, askUp, askDown } = spec.priceRange
      const bid = { bidUp: bidUp || undefined, bidDown: bidDown || undefined }
      const ask = { askUp: askUp || undefined, askDown: askDown || undefined }
      return { spec, rules: [{ ...bid, ...ask }] }
    }),
})

export const relevantFiltersRow = (
  { exchange: { filters } }: Context,
  spec: SymbolSpec,
): RowOf<typeof relevantFilters.elements> => ({
  exchangeFilters: filters.filter(isOfExchange),
  symbolFilters: filtersOf(spec),
  assetFilters: filters.filter(
    ({ asset }) => asset === spec.base.name || asset === spec.quote.name,
  ),
})

/** Filters of assets are shown by myFilters alone. */
const isOfExchange = ({ filterType }: FilterSpec): boolean => filterType !== MAX_ASSET
