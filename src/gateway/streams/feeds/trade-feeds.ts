/** Streams of trades: each trade, and the aggregates of one taker order at one price. */
import { Rows } from '../../../api/answers/answer.ts'
import { aggregateTradeFrame, tradeFrame } from '../../../api/answers/market-streams.ts'
import { aggregateTradeRow, tradeRow } from '../../../api/rows/market.ts'
import { TradeId } from '../../../base/units.ts'
import { AggregateView } from '../../../core/views/aggregate-view.ts'
import type { TakenTrade } from '../../../core/views/trade-row.ts'
import type { AggregateTradeRow } from '../../../history/market-history.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'
import { SeededTrades } from './seeded-trades.ts'

export class TradeFeed implements Feed {
  private readonly parts: FeedParts
  private readonly spec: SymbolSpec
  private readonly send: Send

  constructor(parts: FeedParts, spec: SymbolSpec, send: Send) {
    this.parts = parts
    this.spec = spec
    this.send = send
  }

  traded(trade: TakenTrade): void {
    const row = tradeRow(this.spec, trade, this.parts.clock.nowMs())
    this.send((microseconds) => new Rows(tradeFrame, row, { microseconds }))
  }
}

/** Trades that may happen during the query of the archive without a gap in the stream. */
const SEED_ROWS = 1_000

/**
 * Returns the aggregate behind which a stream begins whose first trade is `firstId`: the archive may
 * already hold later trades, which the stream must send too.
 */
function beginningOf(
  rows: readonly AggregateTradeRow[],
  firstId: number,
): Pick<AggregateTradeRow, 'aggregateId' | 'lastTradeId'> {
  const before = rows.findLast(({ firstTradeId }) => firstTradeId < firstId)
  if (before !== undefined) return before
  const [oldest] = rows
  if (oldest === undefined) return { aggregateId: 0, lastTradeId: TradeId(0) }
  return { aggregateId: oldest.aggregateId - 1, lastTradeId: TradeId(oldest.firstTradeId - 1) }
}

/** The archive counts the aggregates, so the stream continues its count. */
export class AggregateTradeFeed implements Feed {
  private readonly parts: FeedParts
  private readonly spec: SymbolSpec
  private readonly send: Send
  private readonly trades: SeededTrades<readonly AggregateTradeRow[]>
  private view: AggregateView | undefined
  /** Whether the last trade's turn continues. */
  private inTurn = false

  constructor(parts: FeedParts, spec: SymbolSpec, send: Send) {
    this.parts = parts
    this.spec = spec
    this.send = send
    this.trades = new SeededTrades({
      time: parts.clock,
      ask: () => parts.history.aggregateTrades({ symbolId: spec.id, limit: SEED_ROWS }),
      lastTradeIdOf: (rows, firstId) => beginningOf(rows, firstId).lastTradeId,
      begin: (rows, firstId) => {
        this.view = new AggregateView(beginningOf(rows, firstId).aggregateId)
      },
      take: (trade) => this.publish(this.view!.add(trade)),
      caughtUp: () => {
        if (!this.inTurn) this.turnEnded()
      },
      warn: parts.warn,
    })
  }

  traded(trade: TakenTrade): void {
    this.inTurn = true
    this.trades.add(trade)
  }

  turnEnded(): void {
    this.inTurn = false
    this.publish(this.view?.end())
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
