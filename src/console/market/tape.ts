/** The newest public trades of one symbol, a bounded ring. */

export interface TapeTrade {
  readonly id: number
  readonly price: string
  readonly quantity: string
  readonly timeMs: number
  /** Whether the taker sold. */
  readonly isSell: boolean
}

export const TAPE_MAX = 256

export class Tape {
  /** Changes with each trade, for painters. */
  version = 0
  private trades: TapeTrade[] = []

  /** Newest first. */
  latest(count: number): TapeTrade[] {
    return this.trades.slice(-count).reverse()
  }

  get last(): TapeTrade | undefined {
    return this.trades.at(-1)
  }

  /** Adds a trade; one that is not newer than the last is known already. */
  add(trade: TapeTrade): void {
    const { last } = this
    if (last !== undefined && trade.id <= last.id) return
    this.trades.push(trade)
    if (this.trades.length > 2 * TAPE_MAX) this.trades = this.trades.slice(-TAPE_MAX)
    this.version++
  }

  /** Takes the trades of a query, which may be older and newer than those of the stream. */
  merge(trades: readonly TapeTrade[]): void {
    const all = new Map([...trades, ...this.trades].map((trade) => [trade.id, trade]))
    this.trades = [...all.values()].sort((a, b) => a.id - b.id).slice(-TAPE_MAX)
    this.version++
  }

  clear(): void {
    this.trades = []
    this.version++
  }
}
