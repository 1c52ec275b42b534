/** Which markets the list shows, and in which order. Pure. */
import type { MarketSymbol } from './symbols.ts'
import { isTraded, type Ticker } from './tickers.ts'

export const FAVOURITES = '★'
export const ALL = 'All'
/** Tabs of quote assets; markets of others are under All. */
const QUOTES_MAX = 12

export const ORDERS = ['name', 'last', 'change'] as const
export interface SymbolOrder {
  readonly by: (typeof ORDERS)[number]
  readonly isDown: boolean
}

/** Returns the tabs: favourites, all, then quote assets, the one with most markets first. */
export function tabsOf(symbols: readonly MarketSymbol[]): string[] {
  const counts = new Map<string, number>()
  for (const { quoteAsset } of symbols) counts.set(quoteAsset, (counts.get(quoteAsset) ?? 0) + 1)
  const quotes = [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))
  return [FAVOURITES, ALL, ...quotes.slice(0, QUOTES_MAX).map(([quote]) => quote)]
}

export interface ListChoice {
  readonly search: string
  readonly tab: string
  readonly favourites: readonly string[]
  readonly order: SymbolOrder
}

/** Returns the markets that are found. A search looks in all of them. */
export function listed(
  symbols: readonly MarketSymbol[],
  { search, tab, favourites, order }: ListChoice,
  tickerOf: (symbol: string) => Ticker | undefined,
): readonly MarketSymbol[] {
  const wanted = search.toUpperCase().replaceAll(/[^\p{Lu}\p{Lo}\p{Nd}]/gu, '')
  const isListed = ({ symbol, quoteAsset }: MarketSymbol) => {
    if (wanted !== '') return symbol.includes(wanted)
    if (tab === FAVOURITES) return favourites.includes(symbol)
    return tab === ALL || quoteAsset === tab
  }
  const found = symbols.filter(isListed)
  // The exchange's own order, until another one is chosen.
  if (order.by === 'name') {
    return order.isDown ? found.sort((a, b) => (a.symbol < b.symbol ? 1 : -1)) : found
  }
  const figure = ({ symbol }: MarketSymbol) => {
    const ticker = tickerOf(symbol)
    if (!isTraded(ticker)) return Number.NEGATIVE_INFINITY
    return order.by === 'last' ? ticker.last : ticker.change
  }
  const figures = new Map(found.map((it) => [it.symbol, figure(it)]))
  const sign = order.isDown ? -1 : 1
  return found.sort((a, b) => {
    const [one, other] = [figures.get(a.symbol)!, figures.get(b.symbol)!]
    // Those without trades stand last, whatever the direction is.
    if (!Number.isFinite(one) || !Number.isFinite(other))
      return one === other ? 0 : other > one ? 1 : -1
    return sign * (one - other)
  })
}
