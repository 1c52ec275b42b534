/** The last 24 hours of each symbol. */
import { type Signal, signal } from '@preact/signals'

/** Members of `ticker/24hr` that are shown. */
export interface DayFigures {
  readonly symbol: string
  readonly lastPrice: string
  readonly openPrice: string
  readonly highPrice: string
  readonly lowPrice: string
  readonly volume: string
  readonly quoteVolume: string
}

/** An element of `!miniTicker@arr`. */
export interface MiniTicker {
  readonly s: string
  readonly c: string
  readonly o: string
  readonly h: string
  readonly l: string
  readonly v: string
  readonly q: string
}

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
  readonly #bySymbol = new Map<string, Signal<Ticker | undefined>>()

  /** Of one symbol; undefined until it is known. */
  of(symbol: string): Signal<Ticker | undefined> {
    let found = this.#bySymbol.get(symbol)
    if (found === undefined) {
      found = signal<Ticker | undefined>(undefined)
      this.#bySymbol.set(symbol, found)
    }
    return found
  }

  load(rows: readonly DayFigures[]): void {
    for (const row of rows) {
      const { lastPrice: c, openPrice: o, highPrice: h, lowPrice: l } = row
      this.#set({ s: row.symbol, c, o, h, l, v: row.volume, q: row.quoteVolume })
    }
  }

  update(rows: readonly MiniTicker[]): void {
    for (const row of rows) this.#set(row)
  }

  #set({ s, c, o, h, l, v, q }: MiniTicker): void {
    const [last, open] = [Number(c), Number(o)]
    this.of(s).value = {
      ...{ last, price: c, open, high: Number(h), low: Number(l) },
      ...{ volume: Number(v), quoteVolume: Number(q) },
      change: open === 0 ? 0 : (last / open - 1) * 100,
    }
  }
}
