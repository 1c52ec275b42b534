/** The last 24 hours of each symbol. */
import { type Signal, signal } from '@preact/signals'
import type { Wire } from '../../api/answers/element.ts'
import type { dayTicker } from '../../api/answers/market.ts'
import type { miniTickerFrame } from '../../api/answers/market-streams.ts'

/** Members of `ticker/24hr` that are shown. */
export type DayFigures = Pick<
  Wire<typeof dayTicker>,
  'symbol' | 'lastPrice' | 'openPrice' | 'highPrice' | 'lowPrice' | 'volume' | 'quoteVolume'
>

/** An element of `!miniTicker@arr`. */
export type MiniTicker = Pick<Wire<typeof miniTickerFrame>, 's' | 'c' | 'o' | 'h' | 'l' | 'v' | 'q'>

export interface Ticker {
  readonly last: number
  /** The last price as the wire has it. */
  readonly price: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly volume: number
  readonly quoteVolume: number
  /** In percent of the first price. */
  readonly change: number
}

/** Whether a symbol has traded in its last 24 hours: without trades the wire has zeros. */
export const isTraded = (ticker: Ticker | undefined): ticker is Ticker =>
  ticker !== undefined && ticker.high !== 0

export class Tickers {
  /** Counts up with each message, for what goes by the figures of many symbols. */
  readonly version = signal(0)
  private readonly bySymbol = new Map<string, Signal<Ticker | undefined>>()

  /** The ticker of one symbol; undefined until it is known. */
  of(symbol: string): Signal<Ticker | undefined> {
    let found = this.bySymbol.get(symbol)
    if (found === undefined) {
      found = signal<Ticker | undefined>(undefined)
      this.bySymbol.set(symbol, found)
    }
    return found
  }

  load(rows: readonly DayFigures[]): void {
    for (const row of rows) {
      const { lastPrice: c, openPrice: o, highPrice: h, lowPrice: l } = row
      this.set({ s: row.symbol, c, o, h, l, v: row.volume, q: row.quoteVolume })
    }
    this.version.value++
  }

  update(rows: readonly MiniTicker[]): void {
    for (const row of rows) this.set(row)
    this.version.value++
  }

  private set({ s, c, o, h, l, v, q }: MiniTicker): void {
    const [last, open] = [Number(c), Number(o)]
    this.of(s).value = {
      last,
      price: c,
      open,
      high: Number(h),
      low: Number(l),
      volume: Number(v),
      quoteVolume: Number(q),
      change: open === 0 ? 0 : (last / open - 1) * 100,
    }
  }
}
