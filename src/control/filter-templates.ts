/** Filters of a symbol made of a few values: the templates that a venue file names. */
import type { FilterSpec } from '../market/filter-spec.ts'

/** Decimal texts. */
export interface TemplateValues {
  readonly tick: string
  readonly maxPrice: string
  readonly step: string
  readonly maxQty: string
  /** Of MARKET orders. */
  readonly marketMaxQty: string
  readonly minNotional: string
  readonly maxNotional: string
}

/** Values that a venue file may leave out. */
export const usualValues = {
  maxQty: '9000',
  minNotional: '5',
  maxNotional: '9000000',
} as const

const MAX_PRICES = ['1000000', '10000', '100', '1']
/** Fewer than a book may have (PRICE_TICKS_MAX). */
const USUAL_TICKS_MAX = 1e9

/** Returns the highest price that a book with this tick has room for. */
export const usualMaxPrice = (tick: string): string =>
  MAX_PRICES.find((price) => Number(price) / Number(tick) <= USUAL_TICKS_MAX) ?? tick

export const templateNames = ['spot', 'plain'] as const
export type TemplateName = (typeof templateNames)[number]

/** Returns the filters of the template, or the few that every symbol needs. */
export const filtersOf = (template: TemplateName, values: TemplateValues): FilterSpec[] =>
  template === 'spot' ? spotFilters(values, 200) : plainFilters(values)

function plainFilters({ tick, maxPrice, step, maxQty, minNotional }: TemplateValues): FilterSpec[] {
  return [
    { filterType: 'PRICE_FILTER', minPrice: tick, maxPrice, tickSize: tick },
    { filterType: 'LOT_SIZE', minQty: step, maxQty, stepSize: step },
    { filterType: 'MIN_NOTIONAL', minNotional, applyToMarket: true, avgPriceMins: 5 },
  ]
}

/** Returns the filters of a large venue, in its order and with its numbers. */
export function spotFilters(values: TemplateValues, ordersMax: number): FilterSpec[] {
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: values.tick,
      maxPrice: values.maxPrice,
      tickSize: values.tick,
    },
    { filterType: 'LOT_SIZE', minQty: values.step, maxQty: values.maxQty, stepSize: values.step },
    { filterType: 'ICEBERG_PARTS', limit: 100 },
    {
      filterType: 'MARKET_LOT_SIZE',
      minQty: '0.00000000',
      maxQty: values.marketMaxQty,
      stepSize: '0.00000000',
    },
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 2000,
      minTrailingBelowDelta: 10,
      maxTrailingBelowDelta: 2000,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: '5',
      bidMultiplierDown: '0.2',
      askMultiplierUp: '5',
      askMultiplierDown: '0.2',
      avgPriceMins: 5,
    },
    {
      filterType: 'NOTIONAL',
      minNotional: values.minNotional,
      applyMinToMarket: true,
      maxNotional: values.maxNotional,
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: ordersMax },
    { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 20 },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 5 },
    { filterType: 'MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 5 },
    { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 10 },
  ]
}
