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
