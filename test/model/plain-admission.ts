/**
 * Whether an order may enter, in the order of checks that the protocol shows. Judging changes nothing
 * but what the order itself is made to say: the quantity of one by quote amount, what it holds for.
 */
import {
  OrderPhase,
  OrderType,
  PegPriceType,
  RejectReason,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '../../src/base/codes.ts'
import { isPositionOver } from './plain-counts.ts'
import type { PlainMarket } from './plain-market.ts'
import { isMarketType, type PlainOrder } from './plain-order.ts'
import {
  type Arrival,
  decrements,
  passedWeight,
  reaches,
  sizeByAmount,
  type Tried,
  trySweep,
} from './plain-sizing.ts'
import { holdPriceOf, wouldTrigger } from './plain-stops.ts'

const MAX = 2n ** 63n - 1n

/** What was found of an order that may enter: reason 0. */
export interface Verdict {
  readonly reason: number
  /** What it must lock. */
  readonly cost: bigint
  /** What it will trade at once. */
  readonly tried: Tried
  /** By quote amount: the makers run out before the amount does. */
  readonly isShort: boolean
}

const nothing: Tried = {
  lots: 0n,
  movedLots: 0n,
  movedAtoms: 0n,
  metLots: 0n,
  metAtoms: 0n,
  weight: 0,
  stop: undefined,
}
const refused = (reason: number): Verdict => ({ reason, cost: 0n, tried: nothing, isShort: false })

/** What the symbol's phase has against an order of this type (enums.md, Symbol status). */
export function refusePhase(market: PlainMarket, order: PlainOrder, isInList: boolean): number {
  switch (market.phase) {
    case SymbolStatus.TRADING:
      return 0
    case SymbolStatus.HALT:
    case SymbolStatus.BREAK:
    case SymbolStatus.CANCEL_ONLY:
      return RejectReason.MARKET_CLOSED
    case SymbolStatus.PRE_TRADING:
    case SymbolStatus.AUCTION_MATCH:
      if (order.type !== OrderType.LIMIT || order.pegPriceType !== 0)
        return RejectReason.PHASE_REFUSES_TYPE
      if (order.timeInForce !== TimeInForce.GTC) return RejectReason.PHASE_REQUIRES_GTC
      return isInList ? RejectReason.PHASE_REFUSES_TYPE : 0
    default:
      return RejectReason.PHASE_REFUSES_TYPE
  }
}

/** Whether one of the ids is in use by an open order of the account. */
export function isTaken(market: PlainMarket, account: number, clientOrderId: string): boolean {
  return market.ofAccount(account).some((it) => it.clientOrderId === clientOrderId)
}

/** Decides the quantity of an order by quote amount. */
function size(market: PlainMarket, order: PlainOrder): { reason: number; isShort: boolean } {
  if (order.quoteAtoms === 0) return { reason: 0, isShort: false }
  const arrival = market.arrival(order)
  const makers = reached(market, arrival)
  const sized = sizeByAmount(makers, arrival, BigInt(order.quoteAtoms), market.spec)
  order.lots = sized.lots
  order.open = sized.lots
  return sized
}

/** Judges an order as it would begin now: at work, or waiting for its trigger. */
export function judge(market: PlainMarket, order: PlainOrder): Verdict {
  if (!market.mayAdd(order.account)) return refused(RejectReason.ACCOUNT_DISABLED)
  if (market.isTripped(order.account)) return refused(RejectReason.PROTECTED)
  const isWaiting = order.phase === OrderPhase.UNTRIGGERED
  return isWaiting ? judgeWaiting(market, order) : judgeWorking(market, order)
}

function judgeWaiting(market: PlainMarket, order: PlainOrder): Verdict {
  const { spec, last } = market
  if (wouldTrigger(order, last)) return refused(RejectReason.WOULD_TRIGGER_IMMEDIATELY)
  order.holdPrice = holdPriceOf(order, last)
  order.cost = market.rounded(order.holdPrice, order.open, true)
  const cost = market.need(order)
  const isMarket = order.price === 0n
  const isDear = order.side === Side.BUY && order.cost > MAX
  if (isMarket && isDear) return refused(RejectReason.AMOUNT_TOO_LARGE)
  const asked = isMarket ? 0n : market.rounded(order.price, order.lots, true)
  const tooLarge = judgeAmounts(market, asked, order.lots * BigInt(spec.atomsPerLot))
  if (tooLarge !== 0) return refused(tooLarge)
  if (isRoomFull(market, [order])) return refused(RejectReason.BOOK_FULL)
  return { reason: 0, cost, tried: nothing, isShort: false }
}

/** Orders that rest and orders that wait share one room. */
export function isRoomFull(market: PlainMarket, wished: readonly PlainOrder[]): boolean {
  const ids = wished.map(({ orderId }) => orderId)
  const others = market.state.orders.filter(({ orderId }) => !ids.includes(orderId))
  return others.length + wished.length > market.world.ordersMax
}

/** The orders of the other side that the arrival may meet, in the order of meeting; none in a call. */
function reached(market: PlainMarket, { side, limit }: Arrival): PlainOrder[] {
  if (!market.isTrading) return []
  return market.queue(1 - side).filter((maker) => reaches(side, limit, maker.price))
}

/** A pegged order gets the price of its level, once (faqs/pegged_orders.md). The reason that refuses it, or 0. */
export function fixPeg(market: PlainMarket, order: PlainOrder): number {
  const { pegPriceType, pegLevels, side, price } = order
  if (pegPriceType === 0 || order.pegLimit >= 0n) return 0
  const others = market.queue(pegPriceType === PegPriceType.PRIMARY_PEG ? side : 1 - side)
  const peg = [...new Set(others.map((it) => it.price))][pegLevels]
  if (peg === undefined) return RejectReason.PEG_LIQUIDITY
  const isBound = price > 0n && (side === Side.BUY ? price < peg : price > peg)
  const fixed = isBound ? price : peg
  const { priceTicksMin, priceTicksMax, notionalAtomsMin } = market.spec
  if (fixed < BigInt(priceTicksMin) || fixed > BigInt(priceTicksMax))
    return RejectReason.PRICE_FILTER
  const worth = market.paid(fixed, order.open)
  if (worth < BigInt(notionalAtomsMin)) return RejectReason.NOTIONAL_TOO_SMALL
  if (worth < 1n) return RejectReason.NOTIONAL_IS_ZERO
  order.pegLimit = price
  order.price = fixed
  order.holdPrice = fixed
  return 0
}

function judgeWorking(market: PlainMarket, order: PlainOrder): Verdict {
  const unpriced = fixPeg(market, order)
  if (unpriced !== 0) return refused(unpriced)
  const { quoteAtoms } = order
  const arrival = market.arrival(order)
  const makers = reached(market, arrival)
  const isMarket = isMarketType(order.type)
  const isEmpty = market.queue(1 - order.side).length === 0
  if (quoteAtoms === 0 && isMarket && isEmpty) return refused(RejectReason.NO_DEPTH)
  const { reason, isShort } = size(market, order)
  const swept = trySweep(makers, arrival, order.open)
  const tried = { ...swept, weight: swept.weight + ownWeight(market, order, swept) }
  const executionMatchesMax = market.matchesMax
  if (quoteAtoms > 0) {
    const passed = passedWeight(makers, arrival, BigInt(quoteAtoms))
    const most = Math.max(tried.weight, passed)
    if (most > executionMatchesMax) return refused(RejectReason.TOO_MANY_MATCHES)
  }
  if (reason !== 0) return refused(reason)
  if (quoteAtoms > 0 && isPositionOver(market, [order])) return refused(RejectReason.MAX_POSITION)
  const meets = makers.some((maker) => reaches(order.side, arrival.limit, maker.price))
  if (order.type === OrderType.LIMIT_MAKER && meets) {
    return refused(RejectReason.WOULD_MATCH_IMMEDIATELY)
  }
  const tooLarge = judgeSize(market, order, tried)
  if (tooLarge !== 0) return refused(tooLarge)
  const isResting = !isMarket && order.timeInForce === TimeInForce.GTC
  const leaves = tried.metLots < order.open && tried.stop === undefined
  if (isResting && leaves && isRoomFull(market, [order])) {
    return refused(RejectReason.BOOK_FULL)
  }
  if (isResting && overfillsLevel(market, order)) return refused(RejectReason.LEVEL_FULL)
  return { reason: 0, cost: costOf(market, order, tried), tried, isShort }
}

/**
 * What prevention weighs where an order that rests meets its owner's alone: in a call, and beyond the band with
 * what is left of it there.
 */
function ownWeight(market: PlainMarket, order: PlainOrder, swept: Tried): number {
  const isResting = !isMarketType(order.type) && order.timeInForce === TimeInForce.GTC
  if (!isResting || order.mode === SelfTradePrevention.NONE) return 0
  const limit = market.limitOf(order)
  if (market.isTrading && limit === market.reachOf(order)) return 0
  if (market.isTrading && (swept.stop !== undefined || swept.metLots === order.open)) return 0
  const met = market
    .ownAcross(order)
    .filter((it) => !market.isTrading || !reaches(order.side, limit, it.price))
  const endsFirst = !decrements(order.mode) && order.mode !== SelfTradePrevention.EXPIRE_MAKER
  return 4 * (endsFirst ? Math.min(1, met.length) : met.length)
}

/** Whether its level could show too much, once all icebergs show whole slices. */
function overfillsLevel(market: PlainMarket, { side, price, open }: PlainOrder): boolean {
  const level = market.queue(side).filter((it) => it.price === price)
  const shown = level.reduce((sum, it) => sum + it.shown, 0n)
  const slices = market.resting().reduce((sum, { icebergLots }) => sum + icebergLots, 0n)
  return shown + slices + open > market.world.levelLotsMax
}

/** All that its limit may cost, or what a market order will move, rounded up at each price. */
function costOf(market: PlainMarket, order: PlainOrder, tried: Tried): bigint {
  if (!isMarketType(order.type)) return market.need(order)
  return order.side === Side.BUY
    ? tried.movedAtoms
    : tried.movedLots * BigInt(market.spec.atomsPerLot)
}

function judgeSize(market: PlainMarket, order: PlainOrder, tried: Tried): number {
  const { spec } = market
  const isMarket = isMarketType(order.type)
  const asked = isMarket ? 0n : market.rounded(order.price, order.open, true)
  const base = order.open * BigInt(spec.atomsPerLot)
  const tooLarge = judgeAmounts(market, asked, base)
  if (tooLarge !== 0) return tooLarge
  if (tried.weight > market.matchesMax) return RejectReason.TOO_MANY_MATCHES
  const laterLots = isMarket || tried.stop !== undefined ? 0n : order.open - tried.metLots
  const earned = tried.movedAtoms + market.rounded(order.price, laterLots, true)
  if (earned > MAX) return RejectReason.AMOUNT_TOO_LARGE
  return isMarket ? judgeAssets(market, tried.movedAtoms, base) : 0
}

/** The filter bounds the order's notional, 64 bits bound both sides. */
function judgeAmounts(market: PlainMarket, notional: bigint, base: bigint): number {
  const most = BigInt(market.spec.notionalAtomsMax)
  if (notional > most && most < MAX) return RejectReason.NOTIONAL_TOO_LARGE
  if (notional > MAX || base > MAX) return RejectReason.AMOUNT_TOO_LARGE
  return judgeAssets(market, notional, base)
}

/** What one order may move of an asset (filters.md, MAX_ASSET). */
export function judgeAssets({ spec, world }: PlainMarket, notional: bigint, base: bigint): number {
  const exceeds = world.exchange.assetLimits.some(
    ({ assetId, atoms }) =>
      (assetId === spec.quote.id && notional > BigInt(atoms)) ||
      (assetId === spec.base.id && base > BigInt(atoms)),
  )
  return exceeds ? RejectReason.MAX_ASSET : 0
}
