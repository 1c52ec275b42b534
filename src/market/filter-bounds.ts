/**
 * The filters that concern few orders, as integers (filters.md): trailing deltas, iceberg parts,
 * prices against the average, open orders of an account, and amounts of an asset. A bound that is absent, or zero, never
 * refuses: it is the loosest value of its kind.
 */

import { parseInt64 } from '../base/fixed.ts'
import type { Int64 } from '../base/int64.ts'
import { AVERAGE_MINUTES_MAX, WIRE_DECIMALS } from '../base/limits.ts'
import type { AssetId } from '../base/units.ts'
import { type FilterSpec, MAX_ASSET } from './filter-spec.ts'

/** A PERCENT_PRICE or PERCENT_PRICE_BY_SIDE: multipliers of the average price, in 1e-8. */
export interface PercentPrice {
  readonly filterType: string
  readonly bidUp: number
  readonly bidDown: number
  readonly askUp: number
  readonly askDown: number
  readonly avgPriceMins: number
}

export interface FilterBounds {
  /** ICEBERG_PARTS. */
  readonly icebergPartsMax: number
  /** TRAILING_DELTA, basis points. */
  readonly trailingAboveMin: number
  readonly trailingAboveMax: number
  readonly trailingBelowMin: number
  readonly trailingBelowMax: number
  readonly percentPrices: readonly PercentPrice[]
  /** Open orders of one account on the symbol, of all kinds, of stops, of icebergs; open lists. */
  readonly ordersMax: number
  readonly algoOrdersMax: number
  readonly icebergOrdersMax: number
  readonly orderListsMax: number
  /** Amendments of one order. */
  readonly amendmentsMax: number
  /** MAX_POSITION: base that an account may own and have bid for, in lots rounded down. */
  readonly positionLotsMax: number
}

/** Bounds of the same kinds, over all symbols. */
export interface ExchangeBounds {
  readonly ordersMax: number
  readonly algoOrdersMax: number
  readonly icebergOrdersMax: number
  readonly orderListsMax: number
}

/** A MAX_ASSET: what one order may move of an asset, as its base or as its quote. */
export interface AssetLimit {
  readonly assetId: AssetId
  readonly atoms: Int64
}

const NONE = Number.POSITIVE_INFINITY

/** Calls `refuse`, which throws, with a sentence when a field does not fit its filter. */
export function filterBounds(
  filters: readonly FilterSpec[],
  lotUnits: number,
  refuse: (why: string) => never,
): FilterBounds {
  const whole = (type: string, field: string): number => wholeOf(filters, type, field, refuse)
  for (const filter of filters) {
    if (wholeIn(filter, 'avgPriceMins', refuse) <= AVERAGE_MINUTES_MAX) continue
    refuse(`${filter.filterType}.avgPriceMins is over ${AVERAGE_MINUTES_MAX}`)
  }
  const positionUnits = decimalOf(filters, 'MAX_POSITION', 'maxPosition', refuse)
  const positionLots = Number(BigInt(positionUnits) / BigInt(lotUnits))
  return {
    icebergPartsMax: whole('ICEBERG_PARTS', 'limit') || NONE,
    trailingAboveMin: whole('TRAILING_DELTA', 'minTrailingAboveDelta'),
    trailingAboveMax: whole('TRAILING_DELTA', 'maxTrailingAboveDelta') || NONE,
    trailingBelowMin: whole('TRAILING_DELTA', 'minTrailingBelowDelta'),
    trailingBelowMax: whole('TRAILING_DELTA', 'maxTrailingBelowDelta') || NONE,
    percentPrices: percentPrices(filters, refuse),
    ordersMax: whole('MAX_NUM_ORDERS', 'maxNumOrders') || NONE,
    algoOrdersMax: whole('MAX_NUM_ALGO_ORDERS', 'maxNumAlgoOrders') || NONE,
    icebergOrdersMax: whole('MAX_NUM_ICEBERG_ORDERS', 'maxNumIcebergOrders') || NONE,
    orderListsMax: whole('MAX_NUM_ORDER_LISTS', 'maxNumOrderLists') || NONE,
    amendmentsMax: whole('MAX_NUM_ORDER_AMENDS', 'maxNumOrderAmends') || NONE,
    positionLotsMax: positionLots || NONE,
  }
}

export function exchangeBounds(
  filters: readonly FilterSpec[],
  refuse: (why: string) => never,
): ExchangeBounds {
  const whole = (type: string, field: string): number =>
    wholeOf(filters, type, field, refuse) || NONE
  return {
    ordersMax: whole('EXCHANGE_MAX_NUM_ORDERS', 'maxNumOrders'),
    algoOrdersMax: whole('EXCHANGE_MAX_NUM_ALGO_ORDERS', 'maxNumAlgoOrders'),
    icebergOrdersMax: whole('EXCHANGE_MAX_NUM_ICEBERG_ORDERS', 'maxNumIcebergOrders'),
    orderListsMax: whole('EXCHANGE_MAX_NUM_ORDER_LISTS', 'maxNumOrderLists'),
  }
}

/** `idOf` throws for an asset that is not listed. A limit of zero is none. */
export function assetLimits(
  filters: readonly FilterSpec[],
  idOf: (asset: string) => AssetId,
  refuse: (why: string) => never,
): AssetLimit[] {
  return filters
    .filter(({ filterType }) => filterType === MAX_ASSET)
    .map((row) => ({ assetId: idOf(String(row.asset)), atoms: decimalIn(row, 'limit', refuse) }))
    .filter(({ atoms }) => atoms !== 0)
}

function percentPrices(
  filters: readonly FilterSpec[],
  refuse: (why: string) => never,
): PercentPrice[] {
  const found: PercentPrice[] = []
  for (const filter of filters) {
    const { filterType } = filter
    const bySide = filterType === 'PERCENT_PRICE_BY_SIDE'
    if (!bySide && filterType !== 'PERCENT_PRICE') continue
    const multiplier = (side: 'bid' | 'ask', end: 'Up' | 'Down') =>
      // A multiplier past 2^53 bounds nothing.
      Number(decimalIn(filter, bySide ? `${side}Multiplier${end}` : `multiplier${end}`, refuse))
    found.push({
      filterType,
      bidUp: multiplier('bid', 'Up'),
      bidDown: multiplier('bid', 'Down'),
      askUp: multiplier('ask', 'Up'),
      askDown: multiplier('ask', 'Down'),
      avgPriceMins: wholeIn(filter, 'avgPriceMins', refuse),
    })
  }
  return found
}

function wholeOf(
  filters: readonly FilterSpec[],
  type: string,
  field: string,
  refuse: (why: string) => never,
): number {
  const filter = filters.find((row) => row.filterType === type)
  return filter === undefined ? 0 : wholeIn(filter, field, refuse)
}

function wholeIn(filter: FilterSpec, field: string, refuse: (why: string) => never): number {
  const value = filter[field] ?? 0
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  return refuse(`${filter.filterType}.${field} is not a whole number`)
}

function decimalOf(
  filters: readonly FilterSpec[],
  type: string,
  field: string,
  refuse: (why: string) => never,
): Int64 {
  const filter = filters.find((row) => row.filterType === type)
  return filter === undefined ? 0 : decimalIn(filter, field, refuse)
}

function decimalIn(filter: FilterSpec, field: string, refuse: (why: string) => never): Int64 {
  const text = filter[field]
  if (text === undefined) return 0
  const value = typeof text === 'string' ? parseInt64(text, WIRE_DECIMALS) : -1
  return value < 0 ? refuse(`${filter.filterType}.${field} is not a decimal of 8 places`) : value
}
