/** Symbols as `exchangeInfo` lists them. */
import { decimalsOf, scaleFor } from '../book/decimals.ts'

export interface Filter {
  readonly filterType: string
  readonly [name: string]: string | number | boolean
}

export interface SymbolRow {
  readonly symbol: string
  readonly status: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly orderTypes: readonly string[]
  readonly icebergAllowed: boolean
  readonly ocoAllowed: boolean
  readonly otoAllowed?: boolean
  readonly quoteOrderQtyMarketAllowed: boolean
  readonly allowTrailingStop: boolean
  readonly cancelReplaceAllowed: boolean
  readonly amendAllowed?: boolean
  readonly filters: readonly Filter[]
  readonly defaultSelfTradePreventionMode: string
  readonly allowedSelfTradePreventionModes: readonly string[]
}

export interface ExchangeInfo {
  readonly symbols: readonly SymbolRow[]
}

/** A symbol, and how its numbers are kept and shown. */
export interface MarketSymbol extends SymbolRow {
  /** Prices and quantities are integers of 10^-scale. */
  readonly priceScale: number
  readonly quantityScale: number
  readonly priceDecimals: number
  readonly quantityDecimals: number
  /** The price step, an integer of the price scale. */
  readonly tick: number
}

export const filterOf = (row: SymbolRow, type: string): Filter | undefined =>
  row.filters.find(({ filterType }) => filterType === type)

export function marketSymbol(row: SymbolRow): MarketSymbol {
  const price = filterOf(row, 'PRICE_FILTER')
  const lot = filterOf(row, 'LOT_SIZE')
  const tickSize = String(price?.tickSize ?? '0')
  const stepSize = String(lot?.stepSize ?? '0')
  const priceScale = scaleFor(String(price?.maxPrice ?? '0'))
  // Quantities are whole steps, so their sums stay exact at the step's own decimals.
  const finestScale = scaleFor(String(lot?.maxQty ?? '0'))
  const quantityScale =
    Number(stepSize) > 0 ? Math.min(decimalsOf(stepSize), finestScale) : finestScale
  // A step of zero is no rule: the finest that is shown stands for it.
  const hasTick = Number(tickSize) > 0
  return {
    ...row,
    priceScale,
    quantityScale,
    priceDecimals: hasTick ? Math.min(decimalsOf(tickSize), priceScale) : priceScale,
    quantityDecimals: quantityScale,
    tick: hasTick ? Math.max(1, Math.round(Number(tickSize) * 10 ** priceScale)) : 1,
  }
}
