/**
 * Which trades are one aggregate trade: trades that follow each other, of one taker
 * order, at one price, in one millisecond, without a change of phase between them. The archive counts aggregates by
 * this rule, and streams publish them by it. In an auction the later order of a pair is the taker, and each pair is
 * an execution, so an aggregate has trades of several executions.
 */
import { type Ms, OrderId, type Ticks } from '../base/units.ts'

/** What the trades of one aggregate share. */
export interface AggregateKey {
  readonly takerOrderId: OrderId
  readonly priceTicks: Ticks
  readonly timeMs: Ms
}

/** The taker of an aggregate that a change of phase has ended: orders count from 1. */
export const NO_TAKER = OrderId(0)

/** Whether the trade, the next one of its symbol, is part of the aggregate. */
export const joinsAggregate = (open: AggregateKey, trade: AggregateKey): boolean =>
  open.takerOrderId === trade.takerOrderId &&
  open.priceTicks === trade.priceTicks &&
  open.timeMs === trade.timeMs
