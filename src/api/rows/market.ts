/** Rows of market data, read from the folds of a gateway. */
import { Side } from '../../base/codes.ts'
import { type Lots, type Ms, type Ticks, TradeId } from '../../base/units.ts'
import type { DepthFold } from '../../core/folds/depth.ts'
import type { DepthRow } from '../../core/folds/depth-diff.ts'
import type { BarRow } from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'

/** The best levels of a book, at most `limit` of a side. They are read at once, or not at all. */
export class BookRow {
  readonly updateId: number
  readonly limit: number
  readonly #fold: DepthFold

  constructor(fold: DepthFold, limit: number) {
    this.updateId = fold.updateId
    this.limit = limit
    this.#fold = fold
  }

  get bids(): readonly DepthRow[] {
    return this.#levels(Side.BUY)
  }

  get asks(): readonly DepthRow[] {
    return this.#levels(Side.SELL)
  }

  #levels(side: Side): readonly DepthRow[] {
    const found: DepthRow[] = []
    this.#fold.levels(side, this.limit, (priceTicks, lots) => found.push([priceTicks, lots]))
    return found
  }
}

/** The trades of a window. */
export interface WindowRow extends BarRow {
  readonly spec: SymbolSpec
  readonly openMs: Ms
  readonly closeMs: Ms
}

/** The same with what the day's ticker shows beside the day's trades. */
export interface DayRow extends WindowRow {
  /** Price of the last trade before the window; 0 for none. */
  readonly beforeTicks: Ticks
  /** Quantity of the last trade. */
  readonly lastLots: Lots
  readonly bestBidTicks: Ticks
  readonly bestBidLots: Lots
  readonly bestAskTicks: Ticks
  readonly bestAskLots: Lots
}

const noTrades = { firstTradeId: TradeId(-1), lastTradeId: TradeId(-1) }

/** Ids are -1 where nothing traded. */
export const windowRow = (spec: SymbolSpec, bar: BarRow, openMs: Ms, closeMs: Ms): WindowRow =>
  bar.count === 0
    ? { ...bar, ...noTrades, spec, openMs, closeMs }
    : { ...bar, spec, openMs, closeMs }

export const dayRow = (
  window: WindowRow,
  beforeTicks: Ticks,
  lastLots: Lots,
  { bestBidTicks, bestBidLots, bestAskTicks, bestAskLots }: DepthFold,
): DayRow => ({
  ...window,
  beforeTicks,
  lastLots,
  bestBidTicks,
  bestBidLots,
  bestAskTicks,
  bestAskLots,
})
