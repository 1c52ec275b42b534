/** What the plain twin remembers: orders as objects with bigint amounts, lists, a symbol's counters. */
import { DETAILED, OrderPhase, OrderType, Side } from '../../src/base/codes.ts'
import { type Int64, int64 } from '../../src/base/int64.ts'
import { type Lots, QuoteAtoms, Ticks } from '../../src/base/units.ts'
import type { Fields } from './plain-answer.ts'
import { emptyReference, type PlainReference } from './plain-reference.ts'

/** What is locked for an order; both legs of a pair share one, since only one can be filled. */
export interface Purse {
  atoms: bigint
}

export interface PlainOrder {
  orderId: number
  readonly account: number
  readonly side: number
  readonly type: number
  readonly timeInForce: number
  readonly mode: number
  /** 0 for none. */
  readonly session: number
  /** 0 for market types, and for a peg without a limit before its price is fixed. */
  price: bigint
  readonly stop: bigint
  readonly trailingDelta: bigint
  readonly icebergLots: bigint
  readonly strategyId: Int64
  readonly strategyType: number
  readonly pegPriceType: number
  readonly pegLevels: number
  /** The client's own limit once the price is the peg's; -1 before. */
  pegLimit: bigint
  readonly createdMs: number
  orderListId: number
  terms: number
  /** Original quantity, or what it was amended to. */
  lots: bigint
  clientOrderId: string
  updatedMs: number
  /** Amount of a MARKET order; else 0. */
  readonly quoteAtoms: QuoteAtoms
  /** Whether pending orders sell what it buys. */
  isPaying: boolean
  /** What it may still trade, hidden or not. */
  open: bigint
  /** What its price level shows of it; 0 when it does not rest. */
  shown: bigint
  /** Its place in time among the resting orders. */
  place: number
  filled: bigint
  filledAtoms: bigint
  prevented: bigint
  amendments: number
  phase: number
  workingMs: number
  trailingMs: number
  extreme: bigint
  /** BUY: for how many ticks a lot of it holds money. */
  holdPrice: bigint
  /** A market order at work: what it holds still. A stop that trails freely: what it holds. */
  cost: bigint
  /** Whether it was refused as it was triggered, so that it keeps what it held before. */
  isRefused: boolean
  purse: Purse
}

export interface PlainList {
  readonly orderListId: number
  readonly account: number
  readonly kind: number
  readonly clientOrderId: string
  /** In the order in which they were accepted. */
  readonly legs: { readonly orderId: number; clientOrderId: string }[]
}

/** All that one symbol's engine remembers between commands; plain data, so that it can be cloned. */
export interface PlainState {
  /** Open orders by orderId, waiting or resting. */
  orders: PlainOrder[]
  lists: PlainList[]
  sequence: number
  orderId: number
  tradeId: number
  updateId: number
  preventedMatchId: number
  lastPriceTicks: Ticks
  /** The last place in time that was given. */
  place: number
  /** The highest id of a list accepted here. */
  orderListId: number
  /** Ids of orders whose execution comes, in this order; some may have ended since. */
  queue: number[]
  /** From the last PhaseChanged; the phase is undefined before the first. */
  phase: number | undefined
  nextPhase: number
  endsMs: number
  bandBasisPoints: number
  windowMs: number
  /** Price of the auction whose trades follow; 0 when none do. */
  auctionTicks: number
  /** The first price since the phase began or the last window ended, and when it was; 0 for none. */
  windowTicks: number
  windowBeganMs: number
  /** The last price when the day's trading ended, and when that was; 0 before the first. */
  closeTicks: Ticks
  closeMs: number
  /** The last trade before. */
  closeTradeId: number
  resumptions: number
  extensions: number
  /** The auction whose trades are made, and the last one in which something traded. */
  under: { readonly lots: bigint; readonly surplus: bigint; readonly isBound: boolean }
  auctioned: PlainAuctioned
  /** When interruptions began. */
  interruptions: number[]
  countdowns: PlainCountdown[]
  /** By account. */
  protections: PlainProtection[]
  reference: PlainReference
  /** Oldest first. */
  blockTrades: readonly PlainBlockTrade[]
}

export interface PlainCountdown {
  readonly account: number
  readonly scope: number
  readonly deadlineMs: number
  readonly countdownMs: number
}

export interface PlainProtection {
  readonly account: number
  readonly status: number
  readonly windowMs: number
  readonly maxFills: number
  readonly maxNotional: Int64
  /** All since it was set. */
  readonly fills: readonly { readonly timeMs: number; readonly atoms: bigint }[]
}

/** What an event has of it. */
export interface PlainBlockTrade {
  readonly buyer: number
  readonly seller: number
  readonly blockTradeId: number
  readonly priceTicks: number
  readonly lots: number
  readonly quoteAtoms: Int64
  readonly buyerCommissionAtoms: Int64
  readonly sellerCommissionAtoms: Int64
  readonly tradedMs: number
  readonly requestId: string
}

export interface PlainAuctioned {
  readonly ticks: number
  readonly lots: bigint
  readonly surplus: bigint
  readonly timeMs: number
}

export const emptyState = (): PlainState => ({
  orders: [],
  lists: [],
  sequence: 0,
  orderId: 0,
  tradeId: 0,
  updateId: 0,
  preventedMatchId: 0,
  lastPriceTicks: Ticks(0),
  place: 0,
  orderListId: 0,
  queue: [],
  phase: undefined,
  nextPhase: 0,
  endsMs: 0,
  bandBasisPoints: 0,
  windowMs: 0,
  auctionTicks: 0,
  windowTicks: 0,
  windowBeganMs: 0,
  closeTicks: Ticks(0),
  closeMs: 0,
  closeTradeId: 0,
  resumptions: 0,
  extensions: 0,
  under: { lots: 0n, surplus: 0n, isBound: false },
  auctioned: { ticks: 0, lots: 0n, surplus: 0n, timeMs: 0 },
  interruptions: [],
  countdowns: [],
  protections: [],
  reference: emptyReference,
  blockTrades: [],
})

/** The terms, as PlaceOrder and the legs of PlaceOrderList have them. */
export interface PlainWish {
  readonly terms: number
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly clientOrderId: string
  readonly stopTicks: Ticks
  readonly icebergLots: Lots
  readonly strategyId: Int64
  readonly strategyType: number
  readonly trailingDelta: number
  readonly pegPriceType: number
  readonly pegLevels: number
  readonly quoteAtoms?: QuoteAtoms
}

/** An order that is not accepted yet. */
export function orderFrom(wish: PlainWish, account: number, timeMs: number): PlainOrder {
  const { terms } = wish
  const detailed = (terms & DETAILED) !== 0
  const type = (terms >> 1) & 7
  return {
    orderId: 0,
    account,
    side: terms & 1,
    type,
    timeInForce: (terms >> 4) & 3,
    mode: (terms >> 6) & 7,
    session: Math.floor(terms / 1024),
    price: BigInt(wish.priceTicks),
    stop: BigInt(detailed ? wish.stopTicks : 0),
    trailingDelta: BigInt(detailed ? wish.trailingDelta : 0),
    icebergLots: BigInt(detailed ? wish.icebergLots : 0),
    strategyId: detailed ? wish.strategyId : -1,
    strategyType: detailed ? wish.strategyType : 0,
    pegPriceType: detailed ? wish.pegPriceType : 0,
    pegLevels: detailed ? wish.pegLevels : 0,
    pegLimit: -1n,
    createdMs: timeMs,
    orderListId: -1,
    terms,
    lots: BigInt(wish.lots),
    clientOrderId: wish.clientOrderId,
    updatedMs: timeMs,
    quoteAtoms: QuoteAtoms(wish.quoteAtoms ?? 0),
    isPaying: false,
    open: BigInt(wish.lots),
    shown: 0n,
    place: 0,
    filled: 0n,
    filledAtoms: 0n,
    prevented: 0n,
    amendments: 0,
    phase: isStop(type) ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING,
    workingMs: isStop(type) ? -1 : timeMs,
    trailingMs: -1,
    extreme: 0n,
    holdPrice: BigInt(wish.priceTicks),
    cost: 0n,
    isRefused: false,
    purse: { atoms: 0n },
  }
}

export const isStop = (type: number): boolean => type >= OrderType.STOP_LOSS

/** MARKET, and the stops that become one. */
export const isMarketType = (type: number): boolean =>
  type === OrderType.MARKET || type === OrderType.STOP_LOSS || type === OrderType.TAKE_PROFIT

/** A BUY that waits without any price: what it holds is decided when it begins to wait. */
export const trailsFreely = ({ side, price, stop }: PlainOrder): boolean =>
  side === Side.BUY && price === 0n && stop === 0n

export const isPlain = (order: PlainOrder): boolean => (order.terms & DETAILED) === 0

/** The fields that every record about an order begins with. */
export function faceOf(order: PlainOrder): Fields {
  return {
    account: order.account,
    terms: order.terms,
    orderId: order.orderId,
    priceTicks: Number(order.price),
    lots: Number(order.lots),
    quoteAtoms: order.quoteAtoms,
  }
}

/** The section of a record that an order has which is not plain: fields behind the section's name. */
export function detailsOf(order: PlainOrder, section = 'details'): Fields {
  if (isPlain(order)) return {}
  const { phase, workingMs, trailingMs, orderListId, strategyId, strategyType, amendments } = order
  const { pegPriceType, pegLevels } = order
  return inSection(section, {
    phase,
    workingMs,
    trailingMs,
    orderListId,
    strategyId,
    strategyType,
    amendments,
    pegPriceType,
    pegLevels,
    pegLimitTicks: Number(order.pegLimit),
    stopTicks: Number(order.stop),
    icebergLots: Number(order.icebergLots),
    trailingDelta: Number(order.trailingDelta),
    preventedLots: Number(order.prevented),
  })
}

/** Fields as records of sections have them (test/sim/records.ts). */
export const inSection = (section: string, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`${section}.${name}`, value] as const),
  )

/** Returns the order as OrderState shows it. */
export function stateOf(order: PlainOrder): Fields {
  return {
    ...faceOf(order),
    filledLots: Number(order.filled),
    filledAtoms: int64(order.filledAtoms),
    preventedLots: Number(order.prevented),
    createdMs: order.createdMs,
    updatedMs: order.updatedMs,
    clientOrderId: order.clientOrderId,
    ...detailsOf(order),
  }
}
