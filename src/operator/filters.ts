/**
 * Filters as an operator gives them: JSON as exchangeInfo shows it (supplement 2b). Each kind has its
 * fields, no more; decimals are written with the wire's 8 places. What their values may be is judged
 * where a listing is specified (base/listing.ts, base/filter-bounds.ts).
 */
import { formatDecimal, parseDecimal } from '#base/fixed.ts'
import { WIRE_DECIMALS } from '#base/limits.ts'
import type { FilterSpec } from '#base/listing.ts'
import { ActError } from './act.ts'

/** `decimal` is shown with 8 places, `multiplier` as it was given. */
type FieldKind = 'decimal' | 'multiplier' | 'whole' | 'flag'
type FilterFields = Readonly<Record<string, FieldKind>>

const lotSize: FilterFields = { minQty: 'decimal', maxQty: 'decimal', stepSize: 'decimal' }

const filterFields: Readonly<Record<string, FilterFields>> = {
  PRICE_FILTER: { minPrice: 'decimal', maxPrice: 'decimal', tickSize: 'decimal' },
  LOT_SIZE: lotSize,
  MARKET_LOT_SIZE: lotSize,
  ICEBERG_PARTS: { limit: 'whole' },
  TRAILING_DELTA: {
    minTrailingAboveDelta: 'whole',
    maxTrailingAboveDelta: 'whole',
    minTrailingBelowDelta: 'whole',
    maxTrailingBelowDelta: 'whole',
  },
  PERCENT_PRICE: {
    multiplierUp: 'multiplier',
    multiplierDown: 'multiplier',
    avgPriceMins: 'whole',
  },
  PERCENT_PRICE_BY_SIDE: {
    bidMultiplierUp: 'multiplier',
    bidMultiplierDown: 'multiplier',
    askMultiplierUp: 'multiplier',
    askMultiplierDown: 'multiplier',
    avgPriceMins: 'whole',
  },
  MIN_NOTIONAL: { minNotional: 'decimal', applyToMarket: 'flag', avgPriceMins: 'whole' },
  NOTIONAL: {
    minNotional: 'decimal',
    applyMinToMarket: 'flag',
    maxNotional: 'decimal',
    applyMaxToMarket: 'flag',
    avgPriceMins: 'whole',
  },
  MAX_NUM_ORDERS: { maxNumOrders: 'whole' },
  MAX_NUM_ALGO_ORDERS: { maxNumAlgoOrders: 'whole' },
  MAX_NUM_ICEBERG_ORDERS: { maxNumIcebergOrders: 'whole' },
  MAX_NUM_ORDER_LISTS: { maxNumOrderLists: 'whole' },
  MAX_NUM_ORDER_AMENDS: { maxNumOrderAmends: 'whole' },
  MAX_POSITION: { maxPosition: 'decimal' },
}

/** Reads the filters of a symbol. Throws ActError. */
export function readFilters(given: unknown): readonly FilterSpec[] {
  if (!Array.isArray(given)) throw new ActError('filters must be a JSON array of filters.')
  const seen = new Set<string>()
  return given.map((filter: unknown) => {
    if (typeof filter !== 'object' || filter === null) {
      throw new ActError('filters must be a JSON array of filters.')
    }
    const { filterType, ...values } = filter as Record<string, unknown>
    const fields = filterFields[String(filterType)]
    if (typeof filterType !== 'string' || fields === undefined) {
      throw new ActError(`${String(filterType)} is not the filterType of a symbol's filter.`)
    }
    if (seen.has(filterType)) throw new ActError(`The filter ${filterType} is given twice.`)
    seen.add(filterType)
    for (const name of Object.keys(values)) {
      if (fields[name] === undefined) throw new ActError(`${filterType} has no field ${name}.`)
    }
    const read = Object.entries(fields).map(([name, kind]) => {
      return [name, fieldOf(`${filterType}.${name}`, kind, values[name])] as const
    })
    return { filterType, ...Object.fromEntries(read) }
  })
}

function fieldOf(where: string, kind: FieldKind, value: unknown): string | number | boolean {
  if (kind === 'flag') {
    if (typeof value === 'boolean') return value
    throw new ActError(`${where} must be true or false.`)
  }
  if (kind === 'whole') {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw new ActError(`${where} must be a whole number.`)
  }
  const units = typeof value === 'string' ? parseDecimal(value, WIRE_DECIMALS) : -1
  if (typeof value !== 'string' || units < 0) {
    throw new ActError(`${where} must be text of a decimal of at most 8 places.`)
  }
  return kind === 'multiplier' ? value : formatDecimal(units, WIRE_DECIMALS)
}
