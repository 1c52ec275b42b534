/**
 * Plausible events of a few symbols and accounts from a seed, and what they add up to: plain arrays
 * of orders and trades, kept beside the records and never read from them. No matching happens: a
 * taker meets whichever open order chance names.
 */

import {
  writeMatchPrevented,
  writeOrderAccepted,
  writeOrderClosed,
  writeOrderRested,
  writeTrade,
} from '../../scripts/layout/codecs.gen.ts'
import { ExpiryReason, OrderStatus, packTerms, Side } from '../../src/base/codes.ts'
import { plus } from '../../src/base/int64.ts'
import { Prng } from '../../src/base/prng.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  type SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { noMatch, noTransfer } from './no-extras.ts'

export interface PlainOrder {
  symbolId: SymbolId
  orderId: OrderId
  account: AccountId
  terms: number
  priceTicks: Ticks
  lots: Lots
  quoteAtoms: QuoteAtoms
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  preventedMatchIdPlusOne: number
  status: number
  reason: number
  createdMs: Ms
  updatedMs: Ms
  clientOrderId: string
  ownClientOrderId: string
  /** Among the symbol's open orders. */
  place: number
}

export interface PlainTrade {
  symbolId: SymbolId
  tradeId: TradeId
  priceTicks: Ticks
  lots: Lots
  timeMs: Ms
  taker: PlainOrder
  maker: PlainOrder
  takerCommissionAtoms: Atoms
  makerCommissionAtoms: Atoms
}

const LETTERS = 'abcXYZ019-_'

export class EventStream {
  readonly orders: PlainOrder[] = []
  readonly trades: PlainTrade[] = []
  readonly events = RecordBuffer.allocate(1 << 20)
  end = 0
  timeMs = Ms(1_700_000_000_000)
  private readonly random: Prng
  private readonly accounts: number
  private readonly sequences = new Map<number, number>()
  private readonly open = new Map<number, PlainOrder[]>()
  private readonly orderIds = new Map<number, number>()
  private readonly tradeIds = new Map<number, number>()
  private readonly preventions = new Map<number, number>()

  constructor(seed: number, accounts = 3) {
    this.random = new Prng(seed)
    this.accounts = accounts
  }

  /** Forgets the bytes, so that a new batch begins. */
  reset(): void {
    this.end = 0
  }

  /** One command's events on the symbol. */
  step(symbolId: SymbolId): void {
    const random = this.random
    if (random.chance(0.7)) this.timeMs = Ms(this.timeMs + random.below(3))
    const open = this.openOf(symbolId)
    if (open.length > 0 && random.chance(0.3)) {
      this.close(random.pick(open), OrderStatus.CANCELED)
      return
    }
    const order = this.accept(symbolId)
    for (let met = 0; met < 3 && random.chance(0.4); met++) {
      const maker = random.pick(open)
      if (maker === order || order.filledLots + order.preventedLots === order.lots) break
      if (random.chance(0.1)) this.prevent(order, maker)
      else this.trade(order, maker)
    }
    if (order.filledLots + order.preventedLots === order.lots) {
      if (order.preventedLots > 0) this.close(order, OrderStatus.EXPIRED_IN_MATCH)
      else this.leave(order)
    } else if (random.chance(0.2)) this.close(order, OrderStatus.EXPIRED)
    else this.rest(order)
  }

  private header(symbolId: SymbolId) {
    const sequence = (this.sequences.get(symbolId) ?? 0) + 1
    this.sequences.set(symbolId, sequence)
    return { symbolId, gateway: 0, correlation: 0, timeMs: this.timeMs, sequence }
  }

  private accept(symbolId: SymbolId): PlainOrder {
    const random = this.random
    const side = random.chance(0.5) ? Side.BUY : Side.SELL
    const id = this.clientId()
    const order: PlainOrder = {
      symbolId,
      orderId: OrderId(next(this.orderIds, symbolId)),
      account: AccountId(random.between(1, this.accounts)),
      terms: packTerms(side, 0, 0, random.below(4) as 0),
      priceTicks: Ticks(random.between(1, 1000)),
      lots: Lots(random.between(1, 50)),
      quoteAtoms: QuoteAtoms(0),
      filledLots: Lots(0),
      filledAtoms: QuoteAtoms(0),
      preventedLots: Lots(0),
      preventedMatchIdPlusOne: 0,
      status: OrderStatus.NEW,
      reason: ExpiryReason.NONE,
      createdMs: this.timeMs,
      updatedMs: this.timeMs,
      clientOrderId: id,
      ownClientOrderId: id,
      place: this.openOf(symbolId).length,
    }
    this.orders.push(order)
    this.openOf(symbolId).push(order)
    const record = { ...this.header(symbolId), ...order, heldAtoms: Atoms(1) }
    this.end = writeOrderAccepted(this.events, this.end, record)
    return order
  }

  private trade(taker: PlainOrder, maker: PlainOrder): void {
    const lots = this.random.between(1, Math.min(left(taker), left(maker)))
    const trade: PlainTrade = {
      symbolId: taker.symbolId,
      tradeId: TradeId(next(this.tradeIds, taker.symbolId)),
      priceTicks: maker.priceTicks,
      lots: Lots(lots),
      timeMs: this.timeMs,
      taker,
      maker,
      takerCommissionAtoms: Atoms(this.random.below(10)),
      makerCommissionAtoms: Atoms(this.random.below(10)),
    }
    for (const order of [taker, maker]) {
      order.filledLots = Lots(order.filledLots + lots)
      order.filledAtoms = plus(order.filledAtoms, QuoteAtoms(lots * maker.priceTicks))
      order.updatedMs = this.timeMs
      order.status =
        order.filledLots === order.lots ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED
    }
    this.trades.push(trade)
    this.end = writeTrade(this.events, this.end, {
      ...this.header(taker.symbolId),
      takerAccount: AccountId(taker.account),
      makerAccount: AccountId(maker.account),
      takerTerms: taker.terms,
      makerTerms: maker.terms,
      tradeId: TradeId(trade.tradeId),
      priceTicks: maker.priceTicks,
      tradeLots: Lots(lots),
      quoteAtoms: QuoteAtoms(lots * maker.priceTicks),
      updateId: 1,
      takerOrderId: OrderId(taker.orderId),
      takerFilledLots: taker.filledLots,
      takerFilledAtoms: taker.filledAtoms,
      takerCommissionAtoms: trade.takerCommissionAtoms,
      makerOrderId: OrderId(maker.orderId),
      makerFilledLots: maker.filledLots,
      makerFilledAtoms: maker.filledAtoms,
      makerCommissionAtoms: trade.makerCommissionAtoms,
      makerLots: maker.lots,
      makerCreatedMs: maker.createdMs,
      buyerReleasedAtoms: QuoteAtoms(0),
      makerClientOrderId: maker.clientOrderId,
      takerPriceTicks: taker.priceTicks,
      takerQuoteAtoms: QuoteAtoms(0),
      takerStatus: taker.status,
      makerStatus: maker.status,
      takerCommissionAssetId: AssetId(-1),
      makerCommissionAssetId: AssetId(-1),
      takerLots: taker.lots,
      takerCreatedMs: taker.createdMs,
      takerClientOrderId: taker.clientOrderId,
    })
    if (left(maker) === 0) this.leave(maker)
  }

  /** The maker ends, or both. */
  private prevent(taker: PlainOrder, maker: PlainOrder): void {
    const { symbolId } = taker
    const preventedMatchId = next(this.preventions, symbolId) - 1
    const losing = this.random.chance(0.5) ? [taker, maker] : [maker]
    for (const order of losing) {
      order.preventedLots = Lots(left(order))
      order.preventedMatchIdPlusOne = preventedMatchId + 1
    }
    this.end = writeMatchPrevented(this.events, this.end, {
      ...this.header(symbolId),
      ...noTransfer,
      takerAccount: AccountId(taker.account),
      makerAccount: AccountId(maker.account),
      takerTerms: taker.terms,
      makerTerms: maker.terms,
      tradeGroupId: -1,
      preventedMatchId,
      priceTicks: maker.priceTicks,
      takerOrderId: OrderId(taker.orderId),
      makerOrderId: OrderId(maker.orderId),
      takerPreventedLots: taker.preventedLots,
      makerPreventedLots: maker.preventedLots,
      matchLots: Lots(1),
    })
    this.close(maker, OrderStatus.EXPIRED_IN_MATCH)
  }

  private rest(order: PlainOrder): void {
    this.end = writeOrderRested(this.events, this.end, {
      ...this.header(order.symbolId),
      account: AccountId(order.account),
      terms: order.terms,
      orderId: OrderId(order.orderId),
      priceTicks: order.priceTicks,
      restedLots: Lots(order.lots - order.filledLots - order.preventedLots),
      updateId: 1,
    })
  }

  private close(order: PlainOrder, status: number): void {
    this.leave(order)
    order.status = status
    order.reason =
      status === OrderStatus.EXPIRED
        ? ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED
        : ExpiryReason.NONE
    order.updatedMs = this.timeMs
    if (status === OrderStatus.CANCELED) order.clientOrderId = this.clientId()
    this.end = writeOrderClosed(this.events, this.end, {
      ...this.header(order.symbolId),
      ...order,
      timeMs: this.timeMs,
      restedLots: Lots(0),
      updateId: 1,
      releasedAtoms: Atoms(1),
      origClientOrderId: order.ownClientOrderId,
      prevention: { ...noMatch, preventedMatchId: order.preventedMatchIdPlusOne - 1 },
    })
  }

  private leave(order: PlainOrder): void {
    const open = this.openOf(order.symbolId)
    const last = open.pop()!
    if (last === order) return
    last.place = order.place
    open[order.place] = last
  }

  private openOf(symbolId: SymbolId): PlainOrder[] {
    const open = this.open.get(symbolId) ?? []
    this.open.set(symbolId, open)
    return open
  }

  /** Often one that was used before. */
  private clientId(): string {
    const random = this.random
    const length = random.chance(0.5) ? 2 : 36
    return Array.from({ length }, () => random.pick([...LETTERS])).join('')
  }
}

const left = (order: PlainOrder) => order.lots - order.filledLots - order.preventedLots

function next(counters: Map<number, number>, key: number): number {
  const value = (counters.get(key) ?? 0) + 1
  counters.set(key, value)
  return value
}
