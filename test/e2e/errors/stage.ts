/**
 * Where refusals are provoked: a symbol for each phase and each filter, one that takes little, and
 * accounts that may do less than others.
 */
import { OrderType, SelfTradePrevention, SymbolStatus } from '../../../src/base/codes.ts'
import { AccountId } from '../../../src/base/units.ts'
import type { FilterSpec } from '../../../src/market/filter-spec.ts'
import { lotSize, priceFilter, type Stage, type StagedSymbol } from '../staged-exchange.ts'

export const SYMBOL = 'BTCUSDT'
/** Id of the order with the client id `open`, after two that traded and two of the other account. */
export const OPEN_ID = 5

/** Symbol by phase. */
export const phases = {
  HALT: 'HALT',
  END_OF_DAY: 'END-OF-DAY',
  POST_TRADING: 'POST-TRADING',
  PRE_TRADING: 'PRE-TRADING',
  AUCTION_MATCH: 'AUCTION-MATCH',
} as const satisfies Partial<Record<keyof typeof SymbolStatus, string>>

/** One filter each; its symbol is `symbolOf` it. */
const alone: readonly FilterSpec[] = [
  { filterType: 'PERCENT_PRICE', multiplierUp: '1.1', multiplierDown: '0.9', avgPriceMins: 5 },
  {
    filterType: 'PERCENT_PRICE_BY_SIDE',
    bidMultiplierUp: '1.1',
    bidMultiplierDown: '0.5',
    askMultiplierUp: '2',
    askMultiplierDown: '0.9',
    avgPriceMins: 0,
  },
  { filterType: 'MIN_NOTIONAL', minNotional: '5.00000000', applyToMarket: true, avgPriceMins: 5 },
  { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 2 },
  { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 1 },
  { filterType: 'MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 1 },
  { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 1 },
  { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 1 },
  { filterType: 'MAX_POSITION', maxPosition: '10.00000000' },
]

/** A symbol's name has at most 20 characters. */
export const symbolOf = (filterType: string) => filterType.replaceAll('_', '-').slice(0, 20)

const fine: readonly FilterSpec[] = [
  { ...priceFilter, minPrice: '0.00001000', maxPrice: '1000.00000000', tickSize: '0.00001000' },
  { ...lotSize, minQty: '0.00001000', stepSize: '0.00001000' },
]
const thin: readonly FilterSpec[] = [
  { ...lotSize, minQty: '0.10000000', stepSize: '0.01000000' },
  { filterType: 'MARKET_LOT_SIZE', minQty: '1.00000000', maxQty: '100', stepSize: '0' },
]

const symbols: readonly StagedSymbol[] = [
  {
    name: SYMBOL,
    preventionModes: [SelfTradePrevention.EXPIRE_MAKER, SelfTradePrevention.EXPIRE_TAKER],
  },
  {
    name: 'LIMIT-ONLY',
    features: {
      orderTypes: [OrderType.LIMIT],
      iceberg: false,
      oco: false,
      oto: false,
      opo: false,
      quoteOrderQtyMarket: false,
      trailingStop: false,
      cancelReplace: false,
      amend: false,
      pegInstructions: false,
    },
  },
  {
    name: 'NO-EXTRAS',
    features: {
      orderTypes: Object.values(OrderType),
      iceberg: false,
      oco: true,
      oto: true,
      opo: false,
      quoteOrderQtyMarket: false,
      trailingStop: false,
      cancelReplace: true,
      amend: true,
      pegInstructions: false,
    },
  },
  ...Object.entries(phases).map(([phase, name]) => ({
    name,
    status: SymbolStatus[phase as keyof typeof phases],
  })),
  ...alone.map((filter) => ({ name: symbolOf(filter.filterType), filters: [filter] })),
  { name: 'FINE', filters: fine },
  { name: 'THIN', filters: thin },
  { name: 'HUGE', filters: [{ ...lotSize, maxQty: '80000000.00000000' }] },
  { name: 'EMPTY' },
  { name: 'OLD' },
]

const funds = { BTC: 1000, USDT: 100_000 }

export const errorStage: Stage = {
  assets: ['BTC', 'USDT'],
  symbols,
  exchange: {
    filters: [
      { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 20 },
      { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 4 },
      { filterType: 'EXCHANGE_MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 3 },
      { filterType: 'EXCHANGE_MAX_NUM_ORDER_LISTS', maxNumOrderLists: 2 },
    ],
  },
  accounts: {
    own: { funds },
    other: { funds },
    counted: { funds },
    holder: { funds: { USDT: 10_000 } },
    disabled: { funds, canTrade: false },
    frozen: { funds, frozen: true },
    reader: { funds, key: { canRead: true, canTrade: false } },
    sub: { funds, master: AccountId(1) },
    cold: { master: AccountId(1), frozen: true },
    sender: { funds, key: { canRead: false, canTrade: true } },
  },
}
