/** Filters of a symbol made of a few values: the templates that a venue file names. */
import { formatBigDecimal } from '../base/fixed.ts'
import { INT64_MAX } from '../base/int64.ts'
import { QTY_LOTS_MAX, WIRE_DECIMALS } from '../base/limits.ts'
import type { FilterSpec } from '../market/filter-spec.ts'
import { unitsOf } from './words.ts'

/** Decimal texts. */
export interface TemplateValues {
  readonly tick: string
  readonly maxPrice: string
  readonly step: string
  readonly maxQty: string
  /** maxQty of MARKET orders. */
  readonly marketMaxQty: string
  readonly minNotional: string
  readonly maxNotional: string
}

/** What the other values follow. Decimal texts; without a price of the day, `price` is undefined. */
export interface TemplateSymbol {
  readonly tick: string
  readonly step: string
  readonly quote: string
  readonly price: string | undefined
}

/** About 5 dollars of each quote asset; of others, 5 units. */
const MIN_NOTIONALS: Readonly<Record<string, string>> = {
  BTC: '0.0001',
  ETH: '0.001',
  BNB: '0.01',
  SOL: '0.05',
  XRP: '5',
  TRX: '20',
  DOGE: '50',
  TRY: '100',
  BRL: '20',
  JPY: '500',
  IDR: '50000',
  INR: '250',
  ARS: '5000',
  ZAR: '50',
  UAH: '100',
  NGN: '5000',
  VND: '100000',
  KRW: '5000',
  COP: '20000',
  CLP: '5000',
}
const USUAL_MIN_NOTIONAL = '5'
/** maxNotional by minNotional, as 9,000,000 by 5. */
const NOTIONAL_RANGE = 1_800_000n
/** maxPrice by tick: nearly what a book has room for (PRICE_TICKS_MAX). */
const USUAL_TICKS = 2_000_000_000n
/** maxQty by step, at least. */
const USUAL_LOTS = 900_000_000n

/** Returns the values that a venue file may leave out. */
export function usualValues({ tick, step, quote, price }: TemplateSymbol) {
  const minNotional = MIN_NOTIONALS[quote] ?? USUAL_MIN_NOTIONAL
  const maxNotional = unitsOf(minNotional) * NOTIONAL_RANGE
  const maxPrice = inSteps(unitsOf(tick), USUAL_TICKS)
  const maxQty = inSteps(unitsOf(step), lotsFor(maxNotional, unitsOf(step), price))
  const text = (units: bigint) => formatBigDecimal(units, WIRE_DECIMALS)
  return {
    maxPrice: text(maxPrice),
    maxQty: text(maxQty),
    minNotional,
    maxNotional: text(maxNotional),
  }
}

/** Returns so many steps, or the most that 64 bits carry. */
const inSteps = (step: bigint, count: bigint): bigint => {
  const room = step === 0n ? 0n : INT64_MAX / step
  return step * (count < room ? count : room)
}

/** Returns lots that are worth the maximum at the price, as a nine and zeros; USUAL_LOTS at least. */
function lotsFor(maxNotional: bigint, step: bigint, price: string | undefined): bigint {
  const perLot = unitsOf(price ?? '0') * step
  let lots = USUAL_LOTS
  while (perLot > 0n && lots * perLot < maxNotional * 10n ** 8n && lots * 10n < QTY_LOTS_MAX) {
    lots *= 10n
  }
  return lots
}

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
