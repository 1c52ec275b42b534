/**
 * Queries of a symbol's past trades and their results: plain values, integers in the symbol's units.
 * The protocol's handlers send them, the archive executes them.
 */
import {
  type Lots,
  type Ms,
  type QuoteAtoms,
  type SymbolId,
  type Ticks,
  TradeId,
} from '../base/units.ts'
import type { DealBlockFields } from '../layout/accessors.gen.ts'
import type { Interval } from '../market/intervals.ts'
import type { AggregateKey } from './aggregate.ts'

export interface KlineQuery {
  readonly symbolId: SymbolId
  readonly interval: Interval
  /** How far the time zone is ahead of UTC. */
  readonly offsetMs: number
  /** Bounds of the opening time, both included. */
  readonly startTime?: Ms
  readonly endTime?: Ms
  readonly limit: number
  /** The time of the query: klines reach up to the current one. */
  readonly nowMs: Ms
}

/** Trades of [fromMs, toMs), both whole seconds. */
export interface WindowQuery {
  readonly symbolId: SymbolId
  readonly fromMs: Ms
  readonly toMs: Ms
}

export interface AggregateTradesQuery {
  readonly symbolId: SymbolId
  /** The lowest aggregate id wanted. */
  readonly fromId?: number
  /** Bounds of timeMs, both included. */
  readonly startTime?: Ms
  readonly endTime?: Ms
  readonly limit: number
}

export interface PublicTradesQuery {
  readonly symbolId: SymbolId
  /** The lowest trade id wanted; the newest trades when left out. */
  readonly fromId?: number
  readonly limit: number
}

/** The sums of a span's trades, exact. A span without a trade has a count of 0. */
export interface BarRow {
  readonly count: number
  readonly firstTradeId: TradeId
  readonly lastTradeId: TradeId
  readonly openTicks: Ticks
  readonly highTicks: Ticks
  readonly lowTicks: Ticks
  readonly closeTicks: Ticks
  /** Base volume in lots, quote volume in atoms. */
  readonly lots: bigint
  readonly quoteAtoms: bigint
  /** Base volume in lots, quote volume in atoms, of trades whose taker bought. */
  readonly takerBuyLots: bigint
  readonly takerBuyQuoteAtoms: bigint
}

/** Returns the bar of a kline without a trade: the previous close, and no volume. */
export const quietBar = (closeTicks: Ticks): BarRow => ({
  count: 0,
  firstTradeId: TradeId(-1),
  lastTradeId: TradeId(-1),
  openTicks: closeTicks,
  highTicks: closeTicks,
  lowTicks: closeTicks,
  closeTicks,
  lots: 0n,
  quoteAtoms: 0n,
  takerBuyLots: 0n,
  takerBuyQuoteAtoms: 0n,
})

export interface KlineRow extends BarRow {
  readonly openMs: Ms
  /** The last millisecond of it. */
  readonly closeMs: Ms
}

export interface AggregateTradeRow extends AggregateKey {
  readonly aggregateId: number
  readonly lots: Lots
  readonly firstTradeId: TradeId
  readonly lastTradeId: TradeId
  readonly isBuyerMaker: boolean
}

/** A public trade. */
export interface PublicTradeRow {
  readonly tradeId: TradeId
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly timeMs: Ms
  readonly isBuyerMaker: boolean
}

export interface BlockTradesQuery {
  readonly symbolId: SymbolId
  /** The lowest id wanted. */
  readonly fromId: number
  readonly limit: number
}

/** Asks for the block trade that was made under an operator's id. */
export interface BlockTradeRequestQuery {
  readonly symbolId: SymbolId
  readonly requestId: string
}

export interface PastBlockTrade extends Readonly<DealBlockFields> {
  readonly timeMs: Ms
}

export interface BlockTradeOfRequest {
  readonly made: PastBlockTrade | undefined
  /** The symbol's newest block trade of the archive: none of it and of older ones has the id, unless `made`. */
  readonly lastId: number
}

export interface BlockTradeRow {
  readonly blockTradeId: number
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly timeMs: Ms
}

/** Minutes that had trades, oldest first, and the price of the last trade before them (0 for none). */
export interface DayRows {
  readonly beforeTicks: Ticks
  readonly minutes: readonly MinuteRow[]
}

export interface MinuteRow extends BarRow {
  readonly openMs: Ms
}

export interface DayQuery {
  readonly symbolId: SymbolId
  /** A whole minute. */
  readonly fromMs: Ms
}
