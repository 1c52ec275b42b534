/** Streams of trades: each trade, each block trade, and the aggregates of one taker order at one price. */
import { Rows } from '../../../api/answers/answer.ts'
import {
  aggregateTradeFrame,
  blockTradeFrame,
  tradeFrame,
  tradesFrame,
} from '../../../api/answers/market-streams.ts'
import { aggregateTradeRow, blockTradeRow, tradeRow } from '../../../api/rows/market.ts'
import { TradeId } from '../../../base/units.ts'
import { AggregateView } from '../../../core/views/aggregate-view.ts'
import type { TakenTrade } from '../../../core/views/trade-row.ts'
import type { AggregateTradeRow } from '../../../history/market-history.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'
import { SeededTrades } from './seeded-trades.ts'

export const tradeFeed = ({ clock }: FeedParts, spec: SymbolSpec, send: Send): Feed => ({
  traded: (trade) => {
    const row = tradeRow(spec, trade, clock.nowMs())
    send((microseconds) => new Rows(tradeFrame, row, { microseconds }))
  },
})

/** The trades of each execution together, in a message of SBE. */
export function executionTradesFeed({ clock }: FeedParts, spec: SymbolSpec, send: Send): Feed {
  let trades: TakenTrade[] = []
  return {
    traded: (trade) => {
      trades.push(trade)
    },
    turnEnded: () => {
      const [first] = trades
      if (first === undefined) return
      const row = { spec, eventMs: clock.nowMs(), timeMs: first.timeMs, trades }
      trades = []
      send((microseconds) => new Rows(tradesFrame, row, { microseconds }))
    },
  }
}

export const blockTradeFeed = ({ clock }: FeedParts, spec: SymbolSpec, send: Send): Feed => ({
  blockTraded: (trade) => {
    const row = blockTradeRow(spec, trade, clock.nowMs())
    send((microseconds) => new Rows(blockTradeFrame, row, { microseconds }))
  },
})

/** Trades that may happen during the query of the archive without a gap in the stream. */
const SEED_ROWS = 1_000

/** Where a stream of aggregates begins. */
interface Beginning {
  readonly lastTradeId: TradeId
  readonly view: () => AggregateView
}

/**
 * Returns where a stream begins whose first trade is `firstId`: behind the last aggregate that began before it, which
 * the trade may join. The archive may already hold later trades, which the stream must send too.
 */
function beginningOf(rows: readonly AggregateTradeRow[], firstId: number): Beginning {
  const before = rows.findLast(({ firstTradeId }) => firstTradeId < firstId)
  if (before !== undefined) {
    const { aggregateId, lastTradeId } = before
    return {
      lastTradeId,
      view: () => new AggregateView(aggregateId, before, lastTradeId >= firstId),
    }
  }
  const [oldest] = rows
  const lastTradeId = TradeId(oldest === undefined ? 0 : oldest.firstTradeId - 1)
  return { lastTradeId, view: () => new AggregateView((oldest?.aggregateId ?? 1) - 1) }
}

/**
 * The archive counts the aggregates, so the stream continues its count. An aggregate is sent when nothing more can
 * join it: with the taker's execution; in an auction with another taker, price or time, or with its phase.
 */
export class AggregateTradeFeed implements Feed {
  private readonly parts: FeedParts
  private readonly spec: SymbolSpec
  private readonly send: Send
  private readonly trades: SeededTrades<readonly AggregateTradeRow[]>
  private view: AggregateView | undefined
  /** Whether the last trade was of an auction that continues. */
  private isAuction = false
  /** Whether a trade may still join what the last one is part of. */
  private mayGrow = false
  /** Trades that are the first of a phase, until they are taken. */
  private readonly firstOfPhases = new Set<TradeId>()
  private isPhaseNew = false

  constructor(parts: FeedParts, spec: SymbolSpec, send: Send) {
    this.parts = parts
    this.spec = spec
    this.send = send
    this.trades = new SeededTrades({
      time: parts.clock,
      ask: () => parts.history.aggregateTrades({ symbolId: spec.id, limit: SEED_ROWS }),
      lastTradeIdOf: (rows, firstId) => beginningOf(rows, firstId).lastTradeId,
      begin: (rows, firstId) => this.begin(beginningOf(rows, firstId)),
      take: (trade) => this.take(trade),
      caughtUp: () => {
        if (!this.mayGrow) this.publish(this.view!.complete())
      },
      warn: parts.warn,
    })
  }

  traded(trade: TakenTrade): void {
    this.isAuction = trade.isAuction
    this.mayGrow = true
    if (this.isPhaseNew) this.firstOfPhases.add(trade.tradeId)
    this.isPhaseNew = false
    this.trades.add(trade)
  }

  phaseChanged(): void {
    this.isAuction = false
    this.isPhaseNew = true
    this.mayGrow = false
    this.publish(this.view?.complete())
  }

  turnEnded(): void {
    if (this.isAuction) return
    this.mayGrow = false
    this.publish(this.view?.complete())
  }

  private begin({ lastTradeId, view }: Beginning): void {
    this.view = view()
    for (const tradeId of this.firstOfPhases) {
      if (tradeId <= lastTradeId) this.firstOfPhases.delete(tradeId)
    }
  }

  private take(trade: TakenTrade): void {
    if (this.firstOfPhases.delete(trade.tradeId)) this.publish(this.view!.end())
    this.publish(this.view!.add(trade))
  }

  close(): void {
    this.trades.close()
  }

  private publish(trade: AggregateTradeRow | undefined): void {
    if (trade === undefined) return
    const row = aggregateTradeRow(this.spec, trade, this.parts.clock.nowMs())
    this.send((microseconds) => new Rows(aggregateTradeFrame, row, { microseconds }))
  }
}
