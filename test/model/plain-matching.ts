/** An order at work: it meets the resting orders one by one, and rests or ends. */

import {
  ExpiryReason,
  OrderStatus,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import { Lots, QuoteAtoms, Ticks } from '../../src/base/units.ts'
import type { Verdict } from './plain-admission.ts'
import type { Fields } from './plain-answer.ts'
import { auctionFeeFor, feeFor, type PlainFee } from './plain-fees.ts'
import type { PlainLists } from './plain-lists.ts'
import type { PlainMarket } from './plain-market.ts'
import { detailsOf, faceOf, isMarketType, type PlainOrder } from './plain-order.ts'
import type { PlainPhases } from './plain-phases.ts'
import { decrements, lesser, reaches, transfers } from './plain-sizing.ts'

const rests = ({ type, timeInForce }: PlainOrder): boolean =>
  !isMarketType(type) && timeInForce === TimeInForce.GTC

/** What both orders lose in a prevented match, and what changes hands of it. */
interface Lost {
  readonly takerPreventedLots: Lots
  readonly makerPreventedLots: Lots
  readonly transferredLots: Lots
  readonly transferredAtoms: QuoteAtoms
  readonly buyerReleasedAtoms: QuoteAtoms
}

export class PlainMatching {
  private readonly market: PlainMarket
  private readonly lists: PlainLists
  /** Prices of the execution's trades, in order. */
  private prices: bigint[] = []
  private readonly phases: Pick<PlainPhases, 'interrupt'>
  /** Whether the book cannot pay out the whole quote amount of the order at work. */
  private isShort = false

  constructor(market: PlainMarket, lists: PlainLists, phases: Pick<PlainPhases, 'interrupt'>) {
    this.market = market
    this.lists = lists
    this.phases = phases
  }

  takePrices(): bigint[] {
    const prices = this.prices
    this.prices = []
    return prices
  }

  /** From the beginning of its work to rest or end. */
  work(order: PlainOrder, { tried, isShort }: Verdict): void {
    this.isShort = isShort
    if (!this.market.isTrading) {
      this.gather(order)
      return
    }
    const limit = this.market.limitOf(order)
    const reach = this.market.reachOf(order)
    const { timeInForce } = order
    const expire = (reason: number) => this.lists.close(order, OrderStatus.EXPIRED, { reason })
    if (timeInForce === TimeInForce.FOK && tried.lots < order.open) {
      expire(ExpiryReason.UNFILLED_FOK_ORDER_EXPIRED)
    } else if (this.match(order, limit, reach)) this.endPrevented(order)
    else if (this.isHeldBack(order, limit, reach)) {
      if (this.mayInterrupt(order)) this.phases.interrupt(order)
      if (rests(order)) this.gather(order)
      else expire(ExpiryReason.EXECUTION_RULE_PRICE_RANGE_EXCEEDED)
    } else if (this.isBeyondRange(order, reach)) {
      expire(ExpiryReason.EXECUTION_RULE_PRICE_RANGE_EXCEEDED)
    } else if (isMarketType(order.type) && (order.open > 0n || isShort)) {
      expire(ExpiryReason.INSUFFICIENT_LIQUIDITY)
    } else if (order.open > 0n && timeInForce !== TimeInForce.GTC) {
      expire(ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED)
    } else if (order.open > 0n) {
      this.market.say('OrderRested', this.market.show(order))
    } else {
      this.market.remove(order)
      this.lists.traded(order)
    }
  }

  /** Prevention alone, with the owner's orders across; what is left rests in the call. */
  private gather(order: PlainOrder): void {
    for (const maker of this.market.ownAcross(order)) {
      if (order.mode === SelfTradePrevention.NONE) break
      if (!this.market.state.orders.includes(maker)) continue
      if (!this.prevent(order, maker)) continue
      this.endPrevented(order)
      return
    }
    this.market.say('OrderRested', this.market.show(order))
  }

  /** True when self-trade prevention ended the order. One that may rest continues so beyond the band. */
  private match(order: PlainOrder, limit: bigint | undefined, reach: bigint | undefined): boolean {
    while (order.open > 0n) {
      const [maker] = this.market.queue(1 - order.side)
      if (maker === undefined) return false
      const isOwn = this.isPrevented(order, maker)
      const isMet = reaches(order.side, limit, maker.price)
      const isMetBeyond = isOwn && rests(order) && reaches(order.side, reach, maker.price)
      if (!isMet && !isMetBeyond) return false
      if (!isOwn) this.trade(order, maker)
      else if (this.prevent(order, maker)) return true
    }
    return false
  }

  private isPrevented(order: PlainOrder, maker: PlainOrder): boolean {
    const isOwn = this.market.isOwn(order.account, maker.account)
    return isOwn && order.mode !== SelfTradePrevention.NONE
  }

  /** Two orders of one owner meet. True when that ends the arriving one. */
  private prevent(order: PlainOrder, maker: PlainOrder): boolean {
    if (decrements(order.mode)) {
      this.decrementBoth(order, maker)
      return order.open === 0n
    }
    this.expireEither(order, maker)
    return order.mode !== SelfTradePrevention.EXPIRE_MAKER
  }

  private endPrevented(order: PlainOrder): void {
    const prevented = order.open
    order.open = 0n
    this.lists.close(order, OrderStatus.EXPIRED_IN_MATCH, { prevented })
  }

  /** Whether the band around the anchor alone keeps it from trading on with another owner. */
  private isHeldBack(
    order: PlainOrder,
    limit: bigint | undefined,
    reach: bigint | undefined,
  ): boolean {
    if (limit === reach || (order.open === 0n && !this.isShort)) return false
    return this.market
      .queue(1 - order.side)
      .some((it) => reaches(order.side, reach, it.price) && !this.isPrevented(order, it))
  }

  /** Whether the next that it meets is at a price that it accepts and the price range does not. */
  private isBeyondRange(order: PlainOrder, reach: bigint | undefined): boolean {
    const accepted = order.price > 0n ? order.price : undefined
    const [next] = this.market.queue(1 - order.side)
    if (next === undefined || (order.open === 0n && !this.isShort)) return false
    return reaches(order.side, accepted, next.price) && !reaches(order.side, reach, next.price)
  }

  /** What rests interrupts trading by its price; what does not must have traded, for a whole least order. */
  private mayInterrupt(order: PlainOrder): boolean {
    const leastAtoms = BigInt(this.market.spec.notionalAtomsMin)
    return rests(order) || (order.filledAtoms > 0n && order.filledAtoms >= leastAtoms)
  }

  /** An order that rests in a call was amended: it and the owner's orders across, by the later one's mode. */
  amended(order: PlainOrder): void {
    const isOpen = (it: PlainOrder) => this.market.state.orders.includes(it)
    for (const other of this.market.ownAcross(order)) {
      const [older, later] = order.orderId < other.orderId ? [order, other] : [other, order]
      const isMet = isOpen(order) && isOpen(other) && this.isPrevented(later, older)
      if (isMet) this.meet(later, older, older.price)
    }
  }

  /** Two orders that rest meet in an auction, the later one as the taker. */
  meet(order: PlainOrder, maker: PlainOrder, price: bigint): void {
    const isOwn = this.market.isOwn(order.account, maker.account)
    if (!isOwn || order.mode === SelfTradePrevention.NONE) {
      const lots = lesser(order.shown, maker.shown)
      this.trade(order, maker, price, lots, { auctionPrice: Number(maker.price) })
      order.shown -= lots
      if (order.open === 0n) this.market.remove(order)
      else if (order.shown === 0n) {
        this.market.say('OrderReplenished', this.market.show(order))
      }
      this.lists.traded(order)
    } else if (decrements(order.mode)) this.decrementBoth(order, maker, price, true)
    else {
      this.expireEither(order, maker, price)
      if (order.mode === SelfTradePrevention.EXPIRE_MAKER) return
      const prevented = order.open
      order.open = 0n
      this.lists.close(order, OrderStatus.EXPIRED_IN_MATCH, { prevented })
    }
  }

  /** The later of two that meet beyond the bound of an auction. */
  expireBeyondBound(order: PlainOrder): void {
    const reason = ExpiryReason.EXECUTION_RULE_PRICE_RANGE_EXCEEDED
    this.lists.close(order, OrderStatus.EXPIRED, { reason })
  }

  private trade(
    order: PlainOrder,
    maker: PlainOrder,
    price = maker.price,
    lots = lesser(order.open, maker.shown),
    auction?: { readonly auctionPrice: number },
  ): void {
    const market = this.market
    const { state } = market
    const quote = market.paid(price, lots)
    const base = lots * BigInt(market.spec.atomsPerLot)
    const isBuyer = order.side === Side.BUY
    const tradeId = ++state.tradeId
    const feeOf = auction === undefined ? feeFor : auctionFeeFor
    const takerFee = feeOf(market, order.account, false, isBuyer, isBuyer ? base : quote)
    const makerFee = feeOf(market, maker.account, true, !isBuyer, isBuyer ? quote : base)
    const better = this.change(order, maker, price, lots, takerFee.received, makerFee.received)
    for (const it of [order, maker]) {
      it.open -= lots
      it.filled += lots
      it.filledAtoms += quote
      it.updatedMs = market.timeMs
    }
    maker.shown -= lots
    market.tradedAt(price)
    this.prices.push(price)
    // Both levels of an auction's trade change.
    if (auction !== undefined) {
      state.updateId++
      state.under = { ...state.under, lots: state.under.lots + lots }
    }
    const isTakerFilled = order.open === 0n && !(isMarketType(order.type) && this.isShort)
    market.say('Trade', {
      tradeId,
      priceTicks: Number(price),
      tradeLots: Number(lots),
      quoteAtoms: int64(quote),
      updateId: ++state.updateId,
      buyerReleasedAtoms: int64(better),
      takerPriceTicks: Number(order.price),
      takerQuoteAtoms: order.quoteAtoms,
      ...this.sideOf('taker', order, takerFee, isTakerFilled),
      ...this.sideOf('maker', maker, makerFee, maker.open === 0n),
      ...detailsOf(order, 'takerDetails'),
      ...detailsOf(maker, 'makerDetails'),
      ...(auction && { 'auction.makerPriceTicks': auction.auctionPrice }),
    })
    const buyer = isBuyer ? order : maker
    this.lists.received(buyer, base, (isBuyer ? takerFee : makerFee).received)
    market.filled(maker.account, quote)
    if (auction !== undefined) market.filled(order.account, quote)
    if (maker.open === 0n) market.remove(maker)
    else if (maker.shown === 0n) market.say('OrderReplenished', market.show(maker))
    this.lists.traded(maker)
  }

  private sideOf(side: string, order: PlainOrder, fee: PlainFee, isFilled: boolean): Fields {
    const { exchange } = this.market.world
    const isOther = fee.discounted > 0n
    return {
      [`${side}Account`]: order.account,
      [`${side}Terms`]: order.terms,
      [`${side}Status`]: isFilled ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED,
      [`${side}CommissionAssetId`]: isOther ? exchange.discountAssetId : -1,
      [`${side}OrderId`]: order.orderId,
      [`${side}Lots`]: Number(order.lots),
      [`${side}FilledLots`]: Number(order.filled),
      [`${side}FilledAtoms`]: int64(order.filledAtoms),
      [`${side}CommissionAtoms`]: int64(isOther ? fee.discounted : fee.received),
      [`${side}CreatedMs`]: order.createdMs,
      [`${side}ClientOrderId`]: order.clientOrderId,
    }
  }

  /** Money and goods change hands at the price; returns what the buyer gets back. */
  private change(
    taker: PlainOrder,
    maker: PlainOrder,
    price: bigint,
    lots: bigint,
    takerFee: bigint,
    makerFee: bigint,
  ): bigint {
    const market = this.market
    const { ledger } = market.world
    const { matcher, spec } = market
    const [buyer, seller] = taker.side === Side.BUY ? [taker, maker] : [maker, taker]
    const [buyerFee, sellerFee] = taker === buyer ? [takerFee, makerFee] : [makerFee, takerFee]
    const quote = market.paid(price, lots)
    const base = lots * BigInt(spec.atomsPerLot)
    const needed = this.neededAfter(buyer, lots, quote)
    const better = market.need(buyer) - quote - needed
    ledger.pay(matcher, buyer.account, spec.quote.id, quote)
    ledger.unlock(matcher, buyer.account, spec.quote.id, better)
    ledger.earn(matcher, buyer.account, spec.base.id, base - buyerFee)
    ledger.pay(matcher, seller.account, spec.base.id, base)
    ledger.earn(matcher, seller.account, spec.quote.id, quote - sellerFee)
    ledger.earn(matcher, 0, spec.base.id, buyerFee)
    ledger.earn(matcher, 0, spec.quote.id, sellerFee)
    buyer.purse.atoms -= quote + better
    buyer.cost -= quote + better
    seller.purse.atoms -= base
    seller.cost -= base
    return better
  }

  /** What a buyer continues to hold: for the lots left at its limit, or, without one, all unspent. */
  private neededAfter(buyer: PlainOrder, lots: bigint, quote: bigint): bigint {
    const left = buyer.open - lots
    if (!isMarketType(buyer.type)) return this.market.rounded(buyer.holdPrice, left, true)
    return left > 0n ? buyer.cost - quote : 0n
  }

  /** EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH. */
  private expireEither(order: PlainOrder, maker: PlainOrder, price = maker.price): void {
    const makerExpires = order.mode !== SelfTradePrevention.EXPIRE_TAKER
    const takerExpires = order.mode !== SelfTradePrevention.EXPIRE_MAKER
    this.sayPrevented(order, maker, price, {
      takerPreventedLots: Lots(takerExpires ? Number(order.open) : 0),
      makerPreventedLots: Lots(makerExpires ? Number(maker.open) : 0),
      transferredLots: Lots(0),
      transferredAtoms: QuoteAtoms(0),
      buyerReleasedAtoms: QuoteAtoms(0),
    })
    if (!makerExpires) return
    const prevented = maker.open
    maker.open = 0n
    this.lists.close(maker, OrderStatus.EXPIRED_IN_MATCH, { prevented })
  }

  /** DECREMENT and TRANSFER: both lose what the smaller one has. */
  private decrementBoth(
    order: PlainOrder,
    maker: PlainOrder,
    price = maker.price,
    isResting = false,
  ): void {
    const lots = lesser(order.open, maker.open)
    const isTransfer = transfers(order, maker)
    const better = isTransfer ? this.change(order, maker, price, lots, 0n, 0n) : 0n
    this.sayPrevented(order, maker, price, {
      takerPreventedLots: Lots(Number(lots)),
      makerPreventedLots: Lots(Number(lots)),
      transferredLots: Lots(isTransfer ? Number(lots) : 0),
      transferredAtoms: QuoteAtoms(isTransfer ? int64(this.market.paid(price, lots)) : 0),
      buyerReleasedAtoms: QuoteAtoms(int64(better)),
    })
    const buyer = order.side === Side.BUY ? order : maker
    if (isTransfer) this.lists.received(buyer, lots * BigInt(this.market.spec.atomsPerLot), 0n)
    maker.open -= lots
    if (maker.open > 0n) {
      this.decrement(maker, lots)
      if (isTransfer) this.lists.began(maker)
    } else {
      this.lists.close(maker, OrderStatus.EXPIRED_IN_MATCH, { prevented: lots })
    }
    order.open -= lots
    if (order.open > 0n) {
      this.decrement(order, lots)
      if (isResting && isTransfer) this.lists.began(order)
    } else if (isResting) {
      this.lists.close(order, OrderStatus.EXPIRED_IN_MATCH, { prevented: lots })
    } else order.prevented += lots
  }

  /** The order continues with less. Hidden lots are lost first. */
  private decrement(order: PlainOrder, lots: bigint): void {
    const market = this.market
    market.makeDetailed(order)
    const removed = order.shown - lesser(order.shown, order.open)
    order.shown -= removed
    order.prevented += lots
    order.updatedMs = market.timeMs
    const released = market.release(order)
    market.say('OrderDecremented', {
      ...faceOf(order),
      filledLots: Number(order.filled),
      filledAtoms: int64(order.filledAtoms),
      preventedLots: Number(order.prevented),
      createdMs: order.createdMs,
      removedLots: Number(removed),
      updateId: removed > 0n ? ++market.state.updateId : market.state.updateId,
      releasedAtoms: int64(released),
      clientOrderId: order.clientOrderId,
      ...market.prevention(order),
      ...detailsOf(order),
    })
  }

  private sayPrevented(order: PlainOrder, maker: PlainOrder, price: bigint, lost: Lost): void {
    const market = this.market
    const isOne = order.account === maker.account
    const preventedMatchId = market.state.preventedMatchId++
    const tradeGroupId = isOne ? -1 : market.world.accounts[order.account]!.tradeGroupId
    const priceTicks = Ticks(Number(price))
    const matchLots = Lots(Number(lesser(order.open, maker.shown)))
    market.prevented = {
      taker: order.orderId,
      maker: maker.orderId,
      takerLots: lost.takerPreventedLots,
      makerLots: lost.makerPreventedLots,
      preventedMatchId,
      tradeGroupId,
      matchLots,
      priceTicks,
    }
    market.say('MatchPrevented', {
      takerAccount: order.account,
      makerAccount: maker.account,
      takerTerms: order.terms,
      makerTerms: maker.terms,
      tradeGroupId,
      preventedMatchId,
      priceTicks,
      takerOrderId: order.orderId,
      makerOrderId: maker.orderId,
      matchLots,
      ...lost,
    })
  }
}
