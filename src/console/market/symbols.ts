/** Symbols as `exchangeInfo` lists them. */
import type { Wire } from '../../api/answers/element.ts'
import type { exchangeInfo, symbolInfo } from '../../api/answers/exchange-info.ts'
import { decimalsOf, scaleFor } from '../book/decimals.ts'

export type SymbolRow = Pick<
  Wire<typeof symbolInfo>,
  | 'symbol'
  | 'status'
  | 'baseAsset'
  | 'quoteAsset'
  | 'orderTypes'
  | 'icebergAllowed'
  | 'ocoAllowed'
  | 'otoAllowed'
  | 'opoAllowed'
  | 'quoteOrderQtyMarketAllowed'
  | 'allowTrailingStop'
  | 'cancelReplaceAllowed'
  | 'amendAllowed'
  | 'pegInstructionsAllowed'
  | 'filters'
  | 'defaultSelfTradePreventionMode'
  | 'allowedSelfTradePreventionModes'
>
export type Filter = SymbolRow['filters'][number]
export type ExchangeInfo = Wire<typeof exchangeInfo>

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

/** Whether orders only gather in the symbol's phase, and none trades. */
export const isInCall = ({ status }: Pick<SymbolRow, 'status'>): boolean =>
  status === 'PRE_TRADING' || status === 'AUCTION_MATCH'

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

/** Indicative price and quantity of an auction that is called. */
export interface IndicativePrice {
  readonly price: string
  readonly quantity: string
}
