/** A filter as exchangeInfo shows it (filters.md): `filterType` first, decimals as text. */
export type FilterSpec = { readonly filterType: string } & Readonly<
  Record<string, string | number | boolean>
>

/** `decimal` is shown with 8 places, `multiplier` as it was given. */
export type FilterFieldKind = 'decimal' | 'multiplier' | 'whole' | 'flag' | 'name'
export type FilterFields = Readonly<Record<string, FilterFieldKind>>

const lotSize: FilterFields = { minQty: 'decimal', maxQty: 'decimal', stepSize: 'decimal' }

/** Fields of a symbol's filters, by filter type, in the order of the wire. */
export const symbolFilterFields: Readonly<Record<string, FilterFields>> = {
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

/** One for each asset, shown by myFilters alone. */
export const MAX_ASSET = 'MAX_ASSET'

/** Fields of the filters of the exchange as a whole, by filter type. */
export const exchangeFilterFields: Readonly<Record<string, FilterFields>> = {
  EXCHANGE_MAX_NUM_ORDERS: { maxNumOrders: 'whole' },
  EXCHANGE_MAX_NUM_ALGO_ORDERS: { maxNumAlgoOrders: 'whole' },
  EXCHANGE_MAX_NUM_ICEBERG_ORDERS: { maxNumIcebergOrders: 'whole' },
  EXCHANGE_MAX_NUM_ORDER_LISTS: { maxNumOrderLists: 'whole' },
  [MAX_ASSET]: { asset: 'name', limit: 'decimal' },
}
