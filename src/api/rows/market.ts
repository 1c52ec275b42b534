/** Rows of market data, read from the views of a gateway. */
import { Side } from '../../base/codes.ts'
import { type Lots, type Ms, type Ticks, TradeId } from '../../base/units.ts'
import type { DepthView } from '../../core/views/depth.ts'
import type { DepthRow } from '../../core/views/depth-diff.ts'
import type {
  AggregateTradeRow,
  BarRow,
  BlockTradeRow,
  PublicTradeRow,
} from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'

/** The best levels of a book, at most `limit` of a side. They are read at once, or not at all. */
export class BookRow {
  readonly updateId: number
  readonly limit: number
  private readonly view: DepthView

  constructor(view: DepthView, limit: number) {
    this.updateId = view.updateId
    this.limit = limit
    this.view = view
  }

  get bids(): readonly DepthRow[] {
    return this.levels(Side.BUY)
  }

  get asks(): readonly DepthRow[] {
    return this.levels(Side.SELL)
  }

  private levels(side: Side): readonly DepthRow[] {
    const found: DepthRow[] = []
    this.view.levels(side, this.limit, (priceTicks, lots) => found.push([priceTicks, lots]))
    return found
  }
}

/** The trades of a window. */
export interface WindowRow extends Omit<BarRow, 'takerBuyLots' | 'takerBuyQuoteAtoms'> {
  readonly spec: SymbolSpec
  readonly openMs: Ms
  readonly closeMs: Ms
}

/** The trades of the day's window, and what the day's ticker shows beside them. */
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

const NONE = TradeId(-1)

/** Ids are -1 where nothing traded. */
export const windowRow = (spec: SymbolSpec, bar: BarRow, openMs: Ms, closeMs: Ms): WindowRow => ({
  spec,
  openMs,
  closeMs,
  count: bar.count,
  firstTradeId: bar.count === 0 ? NONE : bar.firstTradeId,
  lastTradeId: bar.count === 0 ? NONE : bar.lastTradeId,
  openTicks: bar.openTicks,
  highTicks: bar.highTicks,
  lowTicks: bar.lowTicks,
  closeTicks: bar.closeTicks,
  lots: bar.lots,
  quoteAtoms: bar.quoteAtoms,
})

export const dayRow = (
  window: WindowRow,
  beforeTicks: Ticks,
  lastLots: Lots,
  depth: DepthView,
): DayRow => ({
  spec: window.spec,
  openMs: window.openMs,
  closeMs: window.closeMs,
  count: window.count,
  firstTradeId: window.firstTradeId,
  lastTradeId: window.lastTradeId,
  openTicks: window.openTicks,
  highTicks: window.highTicks,
  lowTicks: window.lowTicks,
  closeTicks: window.closeTicks,
  lots: window.lots,
  quoteAtoms: window.quoteAtoms,
  beforeTicks,
  lastLots,
  bestBidTicks: depth.bestBidTicks,
  bestBidLots: depth.bestBidLots,
  bestAskTicks: depth.bestAskTicks,
  bestAskLots: depth.bestAskLots,
})

/** What a stream sends of a trade. Fields are named: a spread costs a microsecond more. */
export const tradeRow = (spec: SymbolSpec, trade: PublicTradeRow, eventMs: Ms) => ({
  spec,
  eventMs,
  tradeId: trade.tradeId,
  priceTicks: trade.priceTicks,
  lots: trade.lots,
  timeMs: trade.timeMs,
  isBuyerMaker: trade.isBuyerMaker,
})

export const blockTradeRow = (spec: SymbolSpec, trade: BlockTradeRow, eventMs: Ms) => ({
  spec,
  eventMs,
  blockTradeId: trade.blockTradeId,
  priceTicks: trade.priceTicks,
  lots: trade.lots,
  timeMs: trade.timeMs,
})

export const aggregateTradeRow = (spec: SymbolSpec, trade: AggregateTradeRow, eventMs: Ms) => ({
  spec,
  eventMs,
  aggregateId: trade.aggregateId,
  firstTradeId: trade.firstTradeId,
  lastTradeId: trade.lastTradeId,
  priceTicks: trade.priceTicks,
  lots: trade.lots,
  timeMs: trade.timeMs,
  isBuyerMaker: trade.isBuyerMaker,
})
