/** A record's values for what its order does not have. */
import { Lots, Ms, OrderId, OrderListId, QuoteAtoms, Ticks } from '../../src/base/units.ts'

/** The fields of a PlaceOrder that only detailed orders use. */
export const noExtras = {
  stopTicks: Ticks(0),
  icebergLots: Lots(0),
  strategyId: -1,
  trailingDelta: 0,
  strategyType: 0,
  pegPriceType: 0,
  pegLevels: 0,
} as const

/** The fields of a MatchPrevented that only transfers use. */
export const noTransfer = {
  transferredLots: Lots(0),
  transferredAtoms: QuoteAtoms(0),
  buyerReleasedAtoms: QuoteAtoms(0),
} as const

/** The details of an order that became detailed by what happened to it. */
export const noDetails = {
  orderListId: OrderListId(-1),
  stopTicks: Ticks(0),
  icebergLots: Lots(0),
  strategyId: -1,
  trailingMs: Ms(-1),
  workingMs: Ms(1),
  strategyType: 0,
  trailingDelta: 0,
  phase: 0,
  amendments: 0,
  preventedLots: Lots(0),
  pegPriceType: 0,
  pegLevels: 0,
  pegLimitTicks: Ticks(-1),
} as const

/** The match of an order that self-trade prevention ended or made smaller. */
export const noMatch = {
  preventedMatchId: 0,
  tradeGroupId: -1,
  counterOrderId: OrderId(1),
  lastPreventedLots: Lots(1),
  matchLots: Lots(1),
  priceTicks: Ticks(1),
} as const
