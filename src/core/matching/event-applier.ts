/**
 * Recovery of one symbol: applies its journaled events, in sequence, into the state that its engine
 * then continues with. Checks nothing again and decides nothing; balances are the business of
 * ledger/effects.ts. The events of an execution are contiguous, so what its first one has of the order is
 * remembered until it rests or ends. What moves without events, trailing stops, follows the trades.
 */
import { assert } from '../../base/assert.ts'
import { CLIENT_ORDER_ID_WORDS, copyClientOrderId } from '../../base/client-order-id.ts'
import {
  isDetailed,
  isStopType,
  OrderPhase,
  type PhaseCause,
  type SymbolStatus,
  typeOf,
} from '../../base/codes.ts'
import { Lots, type Ms, OrderId, QuoteAtoms } from '../../base/units.ts'
import {
  AcrossSection,
  Allocation,
  AuctionUncrossed,
  BlockTrade,
  CountdownChanged,
  DealBlock,
  DetailsSection,
  EventHeader,
  ExecutionEvent,
  MatchPrevented,
  OrderAccepted,
  OrderAmended,
  OrderBlock,
  OrderClosed,
  OrderDecremented,
  OrderListChanged,
  OrderReleased,
  OrderReplenished,
  OrderRested,
  OrderTriggered,
  PhaseChanged,
  ProtectionChanged,
  ReferenceChanged,
  Trade,
  WholeOrderEvent,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordFlags, recordType } from '../../layout/record-buffer.ts'
import { FLAG_AUCTION, FLAG_LAST } from '../../layout/records.gen.ts'
import { newDeal } from './block-trades.ts'
import { Counter } from './counters.ts'
import { DetailApplier } from './detail-applier.ts'
import type { OrderListIds } from './order-list-ids.ts'
import { ExecutionOrder } from './order-summary.ts'
import type { SymbolState } from './symbol-state.ts'

export class EventApplier {
  private readonly state: SymbolState
  private readonly order = new ExecutionOrder()
  /** An order that was accepted and waits. */
  private readonly waiting = new ExecutionOrder()
  private readonly details: DetailApplier

  constructor(state: SymbolState, orderListIds: OrderListIds) {
    this.state = state
    this.details = new DetailApplier(state, this.order, orderListIds)
  }

  apply(events: RecordBuffer, at: number): void {
    const { counters } = this.state
    const sequence = EventHeader.sequence(events, at)
    assert(
      sequence === counters[Counter.sequence]! + 1,
      "a symbol's events have no gaps and come in order",
    )
    counters[Counter.sequence] = sequence
    this.state.timeMs = EventHeader.timeMs(events, at)
    switch (recordType(events, at)) {
      case OrderAccepted.type:
        this.accepted(events, at)
        break
      case Trade.type:
        this.traded(events, at)
        break
      case OrderRested.type:
        this.rested(events, at)
        break
      case OrderClosed.type:
        this.closed(events, at)
        break
      case MatchPrevented.type:
        this.prevented(events, at)
        break
      case OrderTriggered.type:
      case OrderReleased.type:
        this.turned(events, at)
        break
      case OrderReplenished.type:
        counters[Counter.updateId] = OrderReplenished.updateId(events, at)
        break
      case PhaseChanged.type:
        this.phaseChanged(events, at)
        break
      case AuctionUncrossed.type:
        this.auctionUncrossed(events, at)
        break
      case Allocation.type:
        this.allocated(events, at)
        break
      case ProtectionChanged.type:
        this.protectionChanged(events, at)
        break
      case BlockTrade.type:
        this.blockTraded(events, at)
        break
      case CountdownChanged.type:
        this.countdownChanged(events, at)
        break
      case OrderListChanged.type:
        this.details.listChanged(events, at)
        break
      case ReferenceChanged.type:
        this.state.reference.apply(events, at)
        break
      default:
        this.changed(events, at)
    }
    if (this.state.lists.hasChanged) this.state.lists.takeChanged()
    if ((recordFlags(events, at) & FLAG_LAST) !== 0) this.state.queue.endTurn()
  }

  /** An amendment has no order at work: the last one rests or is gone, and what this execution does to it, it does to a resting one. */
  private changed(events: RecordBuffer, at: number): void {
    if (recordType(events, at) === OrderAmended.type) this.order.orderId = OrderId(0)
    // So has what a routed order of another symbol does to an order of its owner.
    const across = OrderDecremented.acrossAt(events, at)
    if (across >= 0 && AcrossSection.isTaker(events, across) === 0) this.order.orderId = OrderId(0)
    this.details.changed(events, at)
  }

  private accepted(events: RecordBuffer, at: number): void {
    const terms = OrderAccepted.terms(events, at)
    this.state.counters[Counter.orderId] = OrderAccepted.orderId(events, at)
    // The leg of a list that works is accepted before those that wait for it: they are not executed yet.
    const isWaiting = isDetailed(terms) && this.details.isWaiting(events, at)
    const order = isWaiting ? this.waiting : this.order
    this.begin(order, events, at, this.state.timeMs, OrderAccepted.clientOrderIdAt(at))
    if (isDetailed(terms)) this.details.accepted(order, events, at)
  }

  /** OrderTriggered or OrderReleased: a waiting order begins to work, or to watch the price. */
  private turned(events: RecordBuffer, at: number): void {
    const { book, details } = this.state
    const orderId = ExecutionEvent.orderId(events, at)
    this.state.queue.taken(orderId)
    const slot = book.findOrder(orderId)
    const isStop = isStopType(typeOf(book.terms[slot]!))
    // A pending order may get its quantity only now.
    book.openLots[slot] = ExecutionEvent.lots(events, at)
    if (isStop && details.phase.of(slot) === OrderPhase.PENDING) {
      this.details.release(slot)
      return
    }
    this.state.startWorking(slot)
    const createdMs = ExecutionEvent.createdMs(events, at)
    this.begin(this.order, events, at, createdMs, ExecutionEvent.clientOrderIdAt(at))
    this.order.slot = slot
    const section = OrderTriggered.detailsAt(events, at)
    const pegLimitTicks = DetailsSection.pegLimitTicks(events, section)
    if (pegLimitTicks >= 0) this.state.fixPrice(slot, this.order.priceTicks, pegLimitTicks)
  }

  /** An event that begins an execution, OrderAccepted among them; the order's id stands at `idAt`. */
  private begin(
    order: ExecutionOrder,
    events: RecordBuffer,
    at: number,
    createdMs: Ms,
    idAt: number,
  ): void {
    order.slot = 0
    OrderBlock.read(events, WholeOrderEvent.orderBlockAt(at), order)
    order.filledLots = Lots(0)
    order.filledAtoms = QuoteAtoms(0)
    order.preventedLots = Lots(0)
    order.createdMs = createdMs
    copyClientOrderId(events.i32, idAt, order.idWords, 0)
  }

  private traded(events: RecordBuffer, at: number): void {
    const { counters } = this.state
    const lots = Trade.tradeLots(events, at)
    if (this.state.protections.areAny) this.state.protections.traded(events, at)
    this.fill(Trade.makerOrderId(events, at), lots, Trade.makerFilledAtoms(events, at))
    counters[Counter.tradeId] = Trade.tradeId(events, at)
    counters[Counter.updateId] = Trade.updateId(events, at)
    this.state.priced(Trade.priceTicks(events, at))
    if (this.state.recent !== undefined) this.state.noteTrade(Trade.priceTicks(events, at), lots)
    this.state.wakeAt(Trade.priceTicks(events, at))
    if ((recordFlags(events, at) & FLAG_AUCTION) !== 0) {
      this.state.auctionTraded(lots)
      this.fill(Trade.takerOrderId(events, at), lots, Trade.takerFilledAtoms(events, at))
      return
    }
    this.filled(Trade.takerFilledLots(events, at), Trade.takerFilledAtoms(events, at))
  }

  private allocated(events: RecordBuffer, at: number): void {
    this.state.allocations = Allocation.allocationId(events, at) + 1
    this.filled(Allocation.takerFilledLots(events, at), Allocation.takerFilledAtoms(events, at))
  }

  /** What the order at work has come to; one that is filled whole is gone. */
  private filled(filledLots: Lots, filledAtoms: QuoteAtoms): void {
    const { details, queue } = this.state
    const order = this.order
    order.filledLots = filledLots
    order.filledAtoms = filledAtoms
    if (order.slot !== 0 && order.filledLots + order.preventedLots === order.lots) {
      const list = this.state.listOf(order.slot)
      if (list !== undefined) queue.filled(list, details.leg.of(order.slot))
      this.state.leave(order.slot)
      order.slot = 0
    }
  }

  /** Takes lots off a resting order; one that is filled whole releases what its list has pending. */
  private fill(orderId: OrderId, lots: Lots, filledAtoms: QuoteAtoms): void {
    const { book, timeMs } = this.state
    const slot = book.findOrder(orderId)
    assert(slot !== 0, 'the maker of a journaled trade rests in the book')
    book.filledAtoms.set(slot, filledAtoms)
    book.setUpdatedMs(slot, timeMs)
    const list = this.state.listOf(slot)
    const leg = this.state.details.leg.of(slot)
    this.state.fill(slot, lots)
    if (list !== undefined && !list.isOpen(leg)) this.state.queue.filled(list, leg)
  }

  private phaseChanged(events: RecordBuffer, at: number): void {
    this.state.changePhase({
      phase: PhaseChanged.phase(events, at) as SymbolStatus,
      nextPhase: PhaseChanged.nextPhase(events, at) as SymbolStatus,
      endsMs: PhaseChanged.endsMs(events, at),
      bandBasisPoints: PhaseChanged.bandBasisPoints(events, at),
      windowMs: PhaseChanged.windowMs(events, at),
      cause: PhaseChanged.cause(events, at) as PhaseCause,
      resumptions: PhaseChanged.resumptions(events, at),
      extensions: PhaseChanged.extensions(events, at),
    })
  }

  private protectionChanged(events: RecordBuffer, at: number): void {
    this.state.protections.set({
      account: ProtectionChanged.account(events, at),
      status: ProtectionChanged.status(events, at),
      windowMs: ProtectionChanged.windowMs(events, at),
      maxFills: ProtectionChanged.maxFills(events, at),
      maxNotional: ProtectionChanged.maxNotional(events, at),
    })
  }

  private countdownChanged(events: RecordBuffer, at: number): void {
    this.state.countdowns.set({
      account: CountdownChanged.account(events, at),
      scope: CountdownChanged.scope(events, at),
      deadlineMs: CountdownChanged.deadlineMs(events, at),
      countdownMs: CountdownChanged.countdownMs(events, at),
    })
  }

  private blockTraded(events: RecordBuffer, at: number): void {
    const deal = newDeal()
    DealBlock.read(events, BlockTrade.dealBlockAt(at), deal)
    const tradedMs = EventHeader.timeMs(events, at)
    const requestId = new Int32Array(CLIENT_ORDER_ID_WORDS)
    copyClientOrderId(events.i32, BlockTrade.requestIdAt(at), requestId, 0)
    this.state.blockTrades.add({ ...deal, tradedMs, requestId })
  }

  /** No order is at work in what follows: both of a pair rest. */
  private auctionUncrossed(events: RecordBuffer, at: number): void {
    this.order.orderId = OrderId(0)
    const nextPhase = AuctionUncrossed.nextPhase(events, at) as SymbolStatus
    this.state.beginAuction(
      AuctionUncrossed.priceTicks(events, at),
      AuctionUncrossed.surplus(events, at),
      nextPhase,
      AuctionUncrossed.isBound(events, at) !== 0,
    )
  }

  private prevented(events: RecordBuffer, at: number): void {
    this.state.counters[Counter.preventedMatchId] = MatchPrevented.preventedMatchId(events, at) + 1
    this.order.preventedLots = Lots(
      this.order.preventedLots + MatchPrevented.takerPreventedLots(events, at),
    )
  }

  private rested(events: RecordBuffer, at: number): void {
    const order = this.order
    const restedLots = OrderRested.restedLots(events, at)
    order.terms = OrderRested.terms(events, at)
    if (order.slot !== 0) {
      const openLots = Lots(order.lots - order.filledLots - order.preventedLots)
      this.state.details.hiddenLots.set(order.slot, Lots(openLots - restedLots))
    }
    this.state.recoverRest(order, restedLots)
    this.state.counters[Counter.updateId] = OrderRested.updateId(events, at)
  }

  /** A plain order that never rested is in no book. */
  private closed(events: RecordBuffer, at: number): void {
    const { book, counters } = this.state
    const slot = book.findOrder(OrderClosed.orderId(events, at))
    counters[Counter.updateId] = OrderClosed.updateId(events, at)
    if (slot !== 0) this.state.leave(slot)
    else assert(OrderClosed.restedLots(events, at) === 0, 'an order that left the book stood in it')
  }
}
