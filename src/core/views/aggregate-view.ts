/**
 * Aggregate trades of one symbol as they happen: trades of one taker order at one price and time are
 * one, by the rule that the archive keeps (archive/aggregate-trades.ts), and with its ids. Written by
 * its gateway's stream alone.
 */
import { Lots } from '../../base/units.ts'
import type { AggregateTradeRow } from '../../history/market-history.ts'
import type { TakenTrade } from './trade-row.ts'

export class AggregateView {
  private lastAggregateId: number
  private open: AggregateTradeRow | undefined = undefined
  private takerOrderId = 0

  /** `lastAggregateId` is that of the last aggregate before the first trade; 0 when there is none. */
  constructor(lastAggregateId: number) {
    this.lastAggregateId = lastAggregateId
  }

  /** Adds a trade that is newer than all before; answers the aggregate that it ends, if it does. */
  add(trade: TakenTrade): AggregateTradeRow | undefined {
    const open = this.open
    const joins =
      open !== undefined &&
      this.takerOrderId === trade.takerOrderId &&
      open.priceTicks === trade.priceTicks &&
      open.timeMs === trade.timeMs
    if (joins) {
      this.open = { ...open, lots: Lots(open.lots + trade.lots), lastTradeId: trade.tradeId }
      return undefined
    }
    this.takerOrderId = trade.takerOrderId
    this.open = {
      aggregateId: ++this.lastAggregateId,
      priceTicks: trade.priceTicks,
      lots: trade.lots,
      firstTradeId: trade.tradeId,
      lastTradeId: trade.tradeId,
      timeMs: trade.timeMs,
      isBuyerMaker: trade.isBuyerMaker,
    }
    return open
  }

  /** The execution has ended, and no trade joins any more: the aggregate that was open, if one was. */
  end(): AggregateTradeRow | undefined {
    const open = this.open
    this.open = undefined
    return open
  }
}
