/** What a record says of what its order does not have. */

/** The fields of a PlaceOrder that only detailed orders use. */
export const noExtras = {
  stopTicks: 0,
  icebergLots: 0,
  strategyId: -1,
  trailingDelta: 0,
  strategyType: 0,
} as const

/** The fields of a MatchPrevented that only transfers use. */
export const noTransfer = {
  transferredLots: 0,
  transferredAtoms: 0,
  buyerReleasedAtoms: 0,
} as const

/** The fields of a Trade that say only how its orders stand. */
export const noParties = {
  takerPriceTicks: 0,
  takerQuoteAtoms: 0,
  takerStatus: 1,
  makerStatus: 1,
  takerCommissionAssetId: -1,
  makerCommissionAssetId: -1,
  takerLots: 1,
  takerCreatedMs: 1,
  takerClientOrderId: 'taker',
} as const

/** The details of an order that became detailed by what happened to it. */
export const noDetails = {
  orderListId: -1,
  stopTicks: 0,
  icebergLots: 0,
  strategyId: -1,
  trailingMs: -1,
  workingMs: 1,
  strategyType: 0,
  trailingDelta: 0,
  phase: 0,
  amendments: 0,
  preventedLots: 0,
} as const

/** The match of an order that self-trade prevention ended or made smaller. */
export const noMatch = {
  preventedMatchId: 0,
  tradeGroupId: -1,
  counterOrderId: 1,
  lastPreventedLots: 1,
  matchLots: 1,
  priceTicks: 1,
} as const
