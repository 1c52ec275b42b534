/**
 * Plausible events of every kind of order from a seed, and what they add up to: plain arrays kept
 * beside the records and never read from them. No matching happens: chance names who meets whom,
 * who triggers and who ends.
 */

import { noDetails, noMatch } from '../../../bench/workloads/no-extras.ts'
import {
  writeMatchPrevented,
  writeOrderAccepted,
  writeOrderAmended,
  writeOrderClosed,
  writeOrderDecremented,
  writeOrderListChanged,
  writeOrderReleased,
  writeOrderTriggered,
  writeTrade,
} from '../../../scripts/layout/codecs.gen.ts'
import {
  DETAILED,
  ExpiryReason,
  isStopType,
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderPhase,
  OrderStatus,
  OrderType,
  packTerms,
  Side,
  sideOf,
  typeOf,
} from '../../../src/base/codes.ts'
import { plus } from '../../../src/base/int64.ts'
import { Prng } from '../../../src/base/prng.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../../src/base/units.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import type { AnyAmendment, AnyList, AnyOrder, AnyPrevented, AnySide } from './detailed-rows.ts'

type Mutable<T> = { -readonly [name in keyof T]: T[name] }
const START_MS = Ms(1_700_000_000_000)

export class DetailedStream {
  readonly orders: AnyOrder[] = []
  readonly lists: AnyList[] = []
  readonly sides: AnySide[] = []
  readonly prevented: AnyPrevented[] = []
  readonly amendments: AnyAmendment[] = []
  readonly events = RecordBuffer.allocate(1 << 20)
  end = 0
  timeMs = START_MS
  private readonly random: Prng
  private readonly counts = new Map<string, number>()
  private sequence = 0

  constructor(seed: number) {
    this.random = new Prng(seed)
  }

  reset(): void {
    this.end = 0
  }

  step(symbolId: SymbolId): void {
    const random = this.random
    if (random.chance(0.7)) this.timeMs = Ms(this.timeMs + random.below(3))
    const order = this.pick((it) => it.symbolId === symbolId)
    const kind = random.below(10)
    if (order === undefined || kind < 2) this.accept(symbolId, this.newOrder(symbolId))
    else if (kind === 2) this.placeList(symbolId)
    else if (kind === 3) this.amend(order)
    else if (kind === 4) this.cancel(order)
    else if (kind <= 6) this.wake(order)
    else this.meet(symbolId)
  }

  private pick(wanted: (order: AnyOrder) => boolean): AnyOrder | undefined {
    const found = this.orders.filter((it) => it.isOpen && wanted(it))
    return found.length === 0 ? undefined : this.random.pick(found)
  }

  private next(counter: string): number {
    const value = (this.counts.get(counter) ?? 0) + 1
    this.counts.set(counter, value)
    return value
  }

  private header(symbolId: SymbolId) {
    this.sequence = this.next(`sequence ${symbolId}`)
    const sequence = this.sequence
    return { symbolId, gateway: 0, correlation: 0, timeMs: this.timeMs, sequence }
  }

  private clientId(): string {
    return this.random.chance(0.5) ? `id-${this.random.below(40)}` : `id-${this.next('id')}-x`
  }

  private newOrder(symbolId: SymbolId, isPending = false): AnyOrder {
    const random = this.random
    const type = random.pick(Object.values(OrderType))
    const isPlain = !isStopType(type) && !isPending && random.chance(0.5)
    const side = random.pick([Side.BUY, Side.SELL])
    const id = this.clientId()
    const trails = isStopType(type) && random.chance(0.5)
    const phase = isPending ? OrderPhase.PENDING : OrderPhase.UNTRIGGERED
    return {
      symbolId,
      orderId: OrderId(this.next(`order ${symbolId}`)),
      account: AccountId(random.between(1, 3)),
      terms: packTerms(side, type, 0, random.below(6) as 0) | (isPlain ? 0 : DETAILED),
      priceTicks: Ticks(random.between(1, 1000)),
      lots: Lots(random.between(2, 50)),
      filledLots: Lots(0),
      filledAtoms: QuoteAtoms(0),
      preventedLots: Lots(0),
      preventedMatchIdPlusOne: 0,
      status: isPending ? OrderStatus.PENDING_NEW : OrderStatus.NEW,
      reason: ExpiryReason.NONE,
      createdMs: this.timeMs,
      updatedMs: this.timeMs,
      clientOrderId: id,
      ownClientOrderId: id,
      isOpen: true,
      list: undefined,
      details: {
        orderListId: OrderListId(-1),
        stopTicks: Ticks(
          isStopType(type) && !(trails && random.chance(0.5)) ? random.between(1, 1000) : 0,
        ),
        icebergLots: Lots(isPlain ? 0 : random.below(3)),
        strategyId: isPlain ? -1 : random.between(-1, 3),
        strategyType: isPlain ? 0 : random.pick([0, 1_000_000]),
        trailingDelta: trails ? random.between(1, 100) : 0,
        trailingMs: trails && !isPending && random.chance(0.3) ? this.timeMs : Ms(-1),
        workingMs: isStopType(type) || isPending ? Ms(-1) : this.timeMs,
        phase: isStopType(type) || isPending ? phase : OrderPhase.WORKING,
      },
    }
  }

  private accept(symbolId: SymbolId, order: AnyOrder): AnyOrder {
    this.orders.push(order)
    const record = {
      ...this.header(symbolId),
      ...shown(order),
      quoteAtoms: QuoteAtoms(0),
      heldAtoms: Atoms(1),
    }
    this.end = writeOrderAccepted(this.events, this.end, record)
    return order
  }

  private placeList(symbolId: SymbolId): void {
    const random = this.random
    const kind = random.pick(Object.values(OrderListKind))
    const working = this.newOrder(symbolId)
    const others = kind === OrderListKind.OTOCO ? 2 : 1
    const isPending = kind !== OrderListKind.OCO
    const rest = Array.from({ length: others }, () => this.newOrder(symbolId, isPending))
    const list: AnyList = {
      orderListId: OrderListId(this.next('list') - 1),
      symbolId: SymbolId(symbolId),
      account: AccountId(working.account),
      kind,
      statusType: ListStatusType.EXEC_STARTED,
      orderStatus: ListOrderStatus.EXECUTING,
      createdMs: this.timeMs,
      listClientOrderId: this.clientId(),
      legs: [working, ...rest],
    }
    this.lists.push(list)
    for (const leg of list.legs) {
      leg.account = list.account
      leg.list = list
      leg.terms |= DETAILED
      leg.details.orderListId = list.orderListId
      this.accept(symbolId, leg)
    }
    this.writeList(list)
  }

  private writeList(list: AnyList): void {
    const [first, second, third] = list.legs
    this.end = writeOrderListChanged(this.events, this.end, {
      ...this.header(SymbolId(list.symbolId)),
      ...list,
      legs: list.legs.length,
      orderId1: OrderId(first!.orderId),
      orderId2: OrderId(second!.orderId),
      orderId3: OrderId(third?.orderId ?? 0),
      clientOrderId1: first!.clientOrderId,
      clientOrderId2: second!.clientOrderId,
      clientOrderId3: third?.clientOrderId ?? '',
    })
  }

  /** A waiting order begins its turn. */
  private wake(order: AnyOrder): void {
    const { details } = order
    if (details.phase === OrderPhase.WORKING) return
    const isRelease = details.phase === OrderPhase.PENDING
    const tracks = isRelease && details.trailingDelta > 0 && this.random.chance(0.5)
    if (tracks) details.trailingMs = this.timeMs
    const waits = isRelease && isStopType(typeOf(order.terms))
    details.phase = waits ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING
    details.workingMs = waits ? Ms(-1) : this.timeMs
    order.status = OrderStatus.NEW
    order.updatedMs = this.timeMs
    const write = isRelease ? writeOrderReleased : writeOrderTriggered
    const turn = { ...shown(order), quoteAtoms: QuoteAtoms(0), heldAtoms: Atoms(0) }
    this.end = write(this.events, this.end, { ...turn, ...this.header(SymbolId(order.symbolId)) })
    if (order.list !== undefined) this.writeList(order.list)
  }

  private amend(order: AnyOrder): void {
    const taken = order.filledLots + order.preventedLots
    if (order.lots - taken < 2) return
    const oldLots = order.lots
    const origClientOrderId = order.clientOrderId
    order.terms |= DETAILED
    order.lots = Lots(this.random.between(taken + 1, oldLots - 1))
    order.clientOrderId = this.random.chance(0.3) ? origClientOrderId : this.clientId()
    order.ownClientOrderId = order.clientOrderId
    order.updatedMs = this.timeMs
    this.end = writeOrderAmended(this.events, this.end, {
      ...shown(order),
      ...this.header(SymbolId(order.symbolId)),
      quoteAtoms: QuoteAtoms(0),
      oldLots,
      removedLots: Lots(0),
      updateId: 1,
      releasedAtoms: Atoms(0),
      origClientOrderId: origClientOrderId,
    })
    const { clientOrderId: newClientOrderId, lots: newLots } = order
    this.amendments.push({
      order,
      executionId: this.sequence * 2,
      oldLots,
      newLots,
      origClientOrderId,
      newClientOrderId,
      timeMs: this.timeMs,
    })
    if (order.list !== undefined) this.writeList(order.list)
  }

  private cancel(order: AnyOrder): void {
    this.close(order, OrderStatus.CANCELED, ExpiryReason.NONE)
  }

  private close(order: AnyOrder, status: number, reason: number): void {
    Object.assign(order, { status, reason, isOpen: false, updatedMs: this.timeMs })
    if (status === OrderStatus.CANCELED) order.clientOrderId = this.clientId()
    this.end = writeOrderClosed(this.events, this.end, {
      ...shown(order),
      prevention: { ...noMatch, preventedMatchId: order.preventedMatchIdPlusOne - 1 },
      ...this.header(SymbolId(order.symbolId)),
      quoteAtoms: QuoteAtoms(0),
      restedLots: Lots(0),
      updateId: 1,
      releasedAtoms: Atoms(1),
      origClientOrderId: order.ownClientOrderId,
    })
    this.listAfter(order)
  }

  private listAfter({ list }: AnyOrder): void {
    if (list === undefined) return
    if (!list.legs.some((leg) => leg.isOpen)) {
      list.statusType = ListStatusType.ALL_DONE
      list.orderStatus = ListOrderStatus.ALL_DONE
    }
    this.writeList(list)
  }

  /** A new order trades with others, or is prevented from it. */
  private meet(symbolId: SymbolId): void {
    const taker = this.newOrder(symbolId)
    taker.terms &= ~(7 << 1)
    Object.assign(taker.details, { stopTicks: Ticks(0), trailingDelta: 0, trailingMs: Ms(-1) })
    Object.assign(taker.details, { phase: OrderPhase.WORKING, workingMs: this.timeMs })
    this.accept(symbolId, taker)
    for (let met = 0; met < 3 && taker.isOpen; met++) {
      const maker = this.pick((it) => {
        const works = it.details.phase === OrderPhase.WORKING
        return it.symbolId === symbolId && it !== taker && works
      })
      if (maker === undefined) return
      if (this.random.chance(0.3)) this.prevent(taker, maker)
      else this.trade(taker, maker)
    }
  }

  private trade(taker: AnyOrder, maker: AnyOrder): void {
    const { symbolId } = taker
    const { priceTicks } = maker
    const lots = Lots(this.random.between(1, Math.min(left(taker), left(maker))))
    const tradeId = TradeId(this.next(`trade ${symbolId}`))
    const [ofTaker, ofMaker] = [taker, maker].map((order): Mutable<AnySide> => {
      const isMaker = order === maker
      const commissionAtoms = this.random.below(10)
      const commissionAssetId = this.random.chance(0.3) ? this.random.below(5) : -1
      order.filledLots = Lots(order.filledLots + lots)
      order.filledAtoms = plus(order.filledAtoms, QuoteAtoms(lots * priceTicks))
      order.updatedMs = this.timeMs
      order.status = left(order) === 0 ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED
      const quoteAtoms = QuoteAtoms(lots * priceTicks)
      const sums = { priceTicks, lots, quoteAtoms }
      const common = { symbolId, tradeId, order, ...sums, timeMs: this.timeMs, isMaker }
      return {
        ...common,
        commissionAtoms: Atoms(commissionAtoms),
        commissionAssetId: AssetId(commissionAssetId),
      }
    }) as [AnySide, AnySide]
    this.sides.push(ofTaker, ofMaker)
    this.end = writeTrade(this.events, this.end, {
      ...this.header(SymbolId(symbolId)),
      takerAccount: AccountId(taker.account),
      makerAccount: AccountId(maker.account),
      takerTerms: taker.terms,
      makerTerms: maker.terms,
      tradeId: TradeId(tradeId),
      priceTicks,
      tradeLots: Lots(lots),
      quoteAtoms: QuoteAtoms(lots * priceTicks),
      updateId: 1,
      takerOrderId: OrderId(taker.orderId),
      takerFilledLots: taker.filledLots,
      takerFilledAtoms: taker.filledAtoms,
      takerCommissionAtoms: ofTaker.commissionAtoms,
      makerOrderId: OrderId(maker.orderId),
      makerFilledLots: maker.filledLots,
      makerFilledAtoms: maker.filledAtoms,
      makerCommissionAtoms: ofMaker.commissionAtoms,
      makerLots: maker.lots,
      makerCreatedMs: maker.createdMs,
      buyerReleasedAtoms: QuoteAtoms(0),
      makerClientOrderId: maker.clientOrderId,
      takerPriceTicks: taker.priceTicks,
      takerQuoteAtoms: QuoteAtoms(0),
      takerStatus: taker.status,
      makerStatus: maker.status,
      takerCommissionAssetId: AssetId(ofTaker.commissionAssetId),
      makerCommissionAssetId: AssetId(ofMaker.commissionAssetId),
      takerLots: taker.lots,
      takerCreatedMs: taker.createdMs,
      takerClientOrderId: taker.clientOrderId,
      takerDetails: shown(taker).details,
      makerDetails: shown(maker).details,
    })
    for (const order of [taker, maker]) {
      if (left(order) > 0) continue
      order.isOpen = false
      this.listAfter(order)
    }
    this.track(SymbolId(symbolId), priceTicks)
  }

  /** Trailing stops whose start this price is. */
  private track(symbolId: SymbolId, priceTicks: Ticks): void {
    for (const order of this.orders) {
      const { details, terms } = order
      const waits = order.isOpen && details.phase === OrderPhase.UNTRIGGERED
      if (order.symbolId !== symbolId || !waits || details.trailingDelta === 0) continue
      if (details.trailingMs >= 0) continue
      const isStopLoss = [OrderType.STOP_LOSS, OrderType.STOP_LOSS_LIMIT].some(
        (type) => type === typeOf(terms),
      )
      const isSell = sideOf(terms) === Side.SELL
      const isReached =
        isStopLoss === isSell ? priceTicks <= details.stopTicks : priceTicks >= details.stopTicks
      if (details.stopTicks === 0 || isReached) details.trailingMs = this.timeMs
    }
  }

  private prevent(taker: AnyOrder, maker: AnyOrder): void {
    const { symbolId } = taker
    const lots = Lots(this.random.between(1, Math.min(left(taker), left(maker))))
    const preventedMatchId = this.next(`prevented ${symbolId}`) - 1
    const losing = this.random.pick([[taker, maker], [maker], [taker]])
    const match: AnyPrevented = {
      symbolId,
      preventedMatchId,
      taker,
      maker,
      takerTerms: taker.terms,
      makerTerms: maker.terms,
      tradeGroupId: this.random.between(-1, 2),
      priceTicks: maker.priceTicks,
      takerPreventedLots: Lots(losing.includes(taker) ? lots : 0),
      makerPreventedLots: Lots(losing.includes(maker) ? lots : 0),
      timeMs: this.timeMs,
    }
    this.prevented.push(match)
    this.end = writeMatchPrevented(this.events, this.end, {
      ...match,
      ...this.header(SymbolId(symbolId)),
      takerAccount: AccountId(taker.account),
      makerAccount: AccountId(maker.account),
      takerOrderId: OrderId(taker.orderId),
      makerOrderId: OrderId(maker.orderId),
      transferredLots: Lots(0),
      transferredAtoms: QuoteAtoms(0),
      buyerReleasedAtoms: QuoteAtoms(0),
      matchLots: Lots(lots),
    })
    for (const order of losing) this.decrement(order, Lots(lots), preventedMatchId)
  }

  private decrement(order: AnyOrder, lots: Lots, id: number): void {
    order.preventedMatchIdPlusOne = id + 1
    if (left(order) > lots) {
      order.terms |= DETAILED
    }
    order.preventedLots = Lots(order.preventedLots + lots)
    if (left(order) === 0) {
      this.close(order, OrderStatus.EXPIRED_IN_MATCH, ExpiryReason.NONE)
      return
    }
    order.updatedMs = this.timeMs
    this.end = writeOrderDecremented(this.events, this.end, {
      ...shown(order),
      prevention: { ...noMatch, preventedMatchId: id },
      ...this.header(SymbolId(order.symbolId)),
      quoteAtoms: QuoteAtoms(0),
      removedLots: Lots(0),
      updateId: 1,
      releasedAtoms: Atoms(1),
    })
  }
}

/** An order as records have it, details as sections have them. */
const shown = ({ details, ...order }: AnyOrder) => ({
  ...order,
  details: { ...noDetails, ...details, preventedLots: order.preventedLots },
})

const left = (order: AnyOrder): number => order.lots - order.filledLots - order.preventedLots
