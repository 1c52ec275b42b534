/**
 * What the archive is asked and what it answers: plain values, integers in the symbol's units. The
 * protocol's handlers name the same shapes for themselves; a test holds the two together.
 */

/** An order as it stood after the last archived event. */
export interface OrderRow {
  readonly orderId: number
  readonly account: number
  readonly terms: number
  readonly priceTicks: number
  readonly lots: number
  readonly quoteAtoms: number
  readonly filledLots: number
  readonly filledAtoms: number
  readonly preventedLots: number
  /** 0 when none was prevented, else id + 1. */
  readonly preventedMatchIdPlusOne: number
  /** OrderStatus and ExpiryReason. */
  readonly status: number
  readonly reason: number
  readonly createdMs: number
  readonly updatedMs: number
  /** The cancel's, once canceled (supplement 2a.2). */
  readonly clientOrderId: string
}

/** One side of a trade, as its owner sees it. */
export interface TradeRow {
  readonly tradeId: number
  readonly orderId: number
  readonly priceTicks: number
  readonly lots: number
  readonly commissionAtoms: number
  readonly timeMs: number
  readonly isBuyer: boolean
  readonly isMaker: boolean
}

/** A trade as everybody sees it. */
export interface PublicTradeRow {
  readonly tradeId: number
  readonly priceTicks: number
  readonly lots: number
  readonly timeMs: number
  readonly isBuyerMaker: boolean
}

export interface AllOrdersQuery {
  readonly account: number
  readonly symbolId: number
  /** The lowest wanted. */
  readonly orderId?: number
  /** Bounds of createdMs, both included. */
  readonly startTime?: number
  readonly endTime?: number
  readonly limit: number
}

/** By one of the two ids, or by both agreeing. */
export interface OrderQuery {
  readonly account: number
  readonly symbolId: number
  readonly orderId?: number
  readonly clientOrderId?: string
}

export interface MyTradesQuery {
  readonly account: number
  readonly symbolId: number
  /** Only this order's trades. */
  readonly orderId?: number
  /** Bounds of timeMs, both included. */
  readonly startTime?: number
  readonly endTime?: number
  /** The lowest trade id wanted. */
  readonly fromId?: number
  readonly limit: number
}
