/**
 * Aggregate trades of one symbol as they happen, by the rule that the archive keeps (history/aggregate.ts), and with
 * its ids. Written by its gateway's stream alone.
 */
import { Lots } from '../../base/units.ts'
import { joinsAggregate } from '../../history/aggregate.ts'
import type { AggregateTradeRow } from '../../history/market-history.ts'
import type { TakenTrade } from './trade-row.ts'

export class AggregateView {
  private lastAggregateId: number
  /** The last aggregate, which the next trade may join. */
  private open: AggregateTradeRow | undefined
  /** Whether it has trades that were not returned. */
  private isDue: boolean

  /**
   * `lastAggregateId` is that of the last aggregate before the first trade, 0 without one. It is `open` where the
   * first trade may join it, and due where trades of the stream are in it already.
   */
  constructor(lastAggregateId: number, open?: AggregateTradeRow, isDue = false) {
    this.lastAggregateId = lastAggregateId
    this.open = open
    this.isDue = isDue
  }

  /** Adds a trade that is newer than all before. Returns the aggregate that it ends, if one was due. */
  add(trade: TakenTrade): AggregateTradeRow | undefined {
    const { open } = this
    if (open !== undefined && joinsAggregate(open, trade)) {
      this.open = { ...open, lots: Lots(open.lots + trade.lots), lastTradeId: trade.tradeId }
      this.isDue = true
      return undefined
    }
    const ended = this.complete()
    this.open = {
      aggregateId: ++this.lastAggregateId,
      priceTicks: trade.priceTicks,
      lots: trade.lots,
      firstTradeId: trade.tradeId,
      lastTradeId: trade.tradeId,
      timeMs: trade.timeMs,
      isBuyerMaker: trade.isBuyerMaker,
      takerOrderId: trade.takerOrderId,
    }
    this.isDue = true
    return ended
  }

  /** No trade that is to come joins the open aggregate. Returns it, once. */
  complete(): AggregateTradeRow | undefined {
    const ended = this.isDue ? this.open : undefined
    this.isDue = false
    return ended
  }

  /** The phase changes. Returns what `complete` does. */
  end(): AggregateTradeRow | undefined {
    const ended = this.complete()
    this.open = undefined
    return ended
  }
}
