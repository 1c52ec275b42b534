/**
 * What one record contains of an order, as the order stands after it: the one place that puts an order
 * together. Replies, user streams, the archive and exports read orders through it. An event needs no
 * event before it, so a view remembers nothing from one call to the next.
 */
import { OrderPhase, OrderStatus, WorkingFloor } from '../base/codes.ts'
import { AssetId, Atoms, Lots, Ms, QuoteAtoms, SymbolId, type Ticks } from '../base/units.ts'
import {
  Allocation,
  AuctionSection,
  DetailsSection,
  EventHeader,
  ExecutionEvent,
  OrderAccepted,
  OrderAmended,
  OrderBlock,
  OrderClosed,
  OrderDecremented,
  OrderReleased,
  OrderState,
  OrderTriggered,
  ProgressBlock,
  Trade,
  TradeSide,
} from './accessors.gen.ts'
import { type StandingOrder, WholeOrder } from './order.gen.ts'
import { type RecordBuffer, recordType } from './record-buffer.ts'

/** No section, or none of this kind. */
const NONE = -1

/** Whose order: most records are about one; a Trade is about its taker's and its maker's. */
export const OrderSide = { TAKER: 0, MAKER: 1 } as const
export type OrderSide = (typeof OrderSide)[keyof typeof OrderSide]

export class OrderView extends WholeOrder implements StandingOrder {
  symbolId = SymbolId(0)
  updatedMs = Ms(0)
  /** OrderStatus and ExpiryReason. */
  status = 0
  reason = 0
  /** OrderPhase; of an order that has ended, the last one. */
  phase = 0
  /** When it began to work; -1 while it has not. */
  workingMs = Ms(0)
  /** The words of the record where two ids begin: the one the event goes by, and the order's own. */
  idAt = 0
  ownIdAt = 0
  /** The bytes where its sections begin; -1 for none. `acrossAt` is set with `preventionAt` alone. */
  detailsAt = NONE
  preventionAt = NONE
  acrossAt = NONE
  /** Commission that this side of a Trade pays, and its asset; -1 for the asset that the side receives. */
  commissionAtoms = Atoms(0)
  commissionAssetId = AssetId(NONE)
  /** Of a routed order: where it was at work last. */
  floor: WorkingFloor = WorkingFloor.EXCHANGE

  /** Reads the record at byte `at`. False when the record has no state of an order. */
  read(records: RecordBuffer, at: number, side: OrderSide = OrderSide.TAKER): boolean {
    this.floor = WorkingFloor.EXCHANGE
    switch (recordType(records, at)) {
      case OrderAccepted.type:
        this.accepted(records, at)
        return true
      case Trade.type:
        this.traded(records, at, side)
        return true
      case Allocation.type:
        this.allocated(records, at)
        return true
      case OrderClosed.type:
        this.closed(records, at)
        return true
      case OrderTriggered.type:
      case OrderReleased.type:
        this.turned(records, at)
        return true
      case OrderAmended.type:
        this.amended(records, at)
        return true
      case OrderDecremented.type:
        this.decremented(records, at)
        return true
      case OrderState.type:
        this.stands(records, at)
        return true
      default:
        return false
    }
  }

  private accepted(records: RecordBuffer, at: number): void {
    this.asked(records, at, OrderAccepted.orderBlockAt(at))
    this.createdMs = this.updatedMs
    this.named(OrderAccepted.clientOrderIdAt(at))
    this.detailed(records, OrderAccepted.detailsAt(records, at))
    this.unfilled()
    this.floor = WorkingFloor.SOR
  }

  private turned(records: RecordBuffer, at: number): void {
    this.asked(records, at, OrderTriggered.orderBlockAt(at))
    this.createdMs = ExecutionEvent.createdMs(records, at)
    this.named(ExecutionEvent.clientOrderIdAt(at))
    this.detailed(records, OrderTriggered.detailsAt(records, at))
    this.unfilled()
  }

  private allocated(records: RecordBuffer, at: number): void {
    const side = Allocation.takerAt(at)
    this.symbolId = EventHeader.symbolId(records, at)
    this.updatedMs = EventHeader.timeMs(records, at)
    TradeSide.read(records, side, this)
    this.priceTicks = Allocation.takerPriceTicks(records, at)
    this.quoteAtoms = QuoteAtoms(0)
    this.preventedLots = Lots(0)
    this.named(TradeSide.clientOrderIdAt(side))
    const detailsAt = Allocation.takerDetailsAt(records, at)
    this.detailed(records, detailsAt)
    if (detailsAt >= 0) this.preventedLots = DetailsSection.preventedLots(records, detailsAt)
    this.reason = 0
    this.floor = WorkingFloor.SOR
  }

  private traded(records: RecordBuffer, at: number, side: OrderSide): void {
    const isTaker = side === OrderSide.TAKER
    const of = isTaker ? Trade.takerAt(at) : Trade.makerAt(at)
    this.symbolId = EventHeader.symbolId(records, at)
    this.updatedMs = EventHeader.timeMs(records, at)
    TradeSide.read(records, of, this)
    this.priceTicks = isTaker ? Trade.takerPriceTicks(records, at) : makerTicksOf(records, at)
    this.quoteAtoms = QuoteAtoms(isTaker ? Trade.takerQuoteAtoms(records, at) : 0)
    this.preventedLots = Lots(0)
    this.named(TradeSide.clientOrderIdAt(of))
    const detailsAt = isTaker
      ? Trade.takerDetailsAt(records, at)
      : Trade.makerDetailsAt(records, at)
    this.detailed(records, detailsAt)
    if (detailsAt >= 0) this.preventedLots = DetailsSection.preventedLots(records, detailsAt)
    this.reason = 0
  }

  /** A canceled order goes by the cancel's id. */
  private closed(records: RecordBuffer, at: number): void {
    this.asked(records, at, OrderClosed.orderBlockAt(at))
    ProgressBlock.read(records, OrderClosed.progressBlockAt(at), this)
    this.named(OrderClosed.origClientOrderIdAt(at))
    this.detailed(records, OrderClosed.detailsAt(records, at))
    this.status = OrderClosed.status(records, at)
    this.reason = OrderClosed.reason(records, at)
    if (this.status === OrderStatus.CANCELED) this.idAt = OrderClosed.clientOrderIdAt(at)
    this.preventionAt = OrderClosed.preventionAt(records, at)
    if (this.preventionAt >= 0) this.acrossAt = OrderClosed.acrossAt(records, at)
    if (OrderClosed.restedLots(records, at) === 0) this.floor = WorkingFloor.SOR
  }

  private amended(records: RecordBuffer, at: number): void {
    this.asked(records, at, OrderAmended.orderBlockAt(at))
    ProgressBlock.read(records, OrderAmended.progressBlockAt(at), this)
    this.named(OrderAmended.clientOrderIdAt(at))
    this.detailed(records, OrderAmended.detailsAt(records, at))
    this.open()
  }

  private decremented(records: RecordBuffer, at: number): void {
    this.asked(records, at, OrderDecremented.orderBlockAt(at))
    ProgressBlock.read(records, OrderDecremented.progressBlockAt(at), this)
    this.named(OrderDecremented.clientOrderIdAt(at))
    this.detailed(records, OrderDecremented.detailsAt(records, at))
    this.open()
    this.preventionAt = OrderDecremented.preventionAt(records, at)
    this.acrossAt = OrderDecremented.acrossAt(records, at)
    if (OrderDecremented.removedLots(records, at) === 0) this.floor = WorkingFloor.SOR
  }

  /** A reply, which has the time of the order's last change. */
  private stands(records: RecordBuffer, at: number): void {
    this.asked(records, at, OrderState.orderBlockAt(at))
    this.updatedMs = OrderState.updatedMs(records, at)
    ProgressBlock.read(records, OrderState.progressBlockAt(at), this)
    this.named(OrderState.clientOrderIdAt(at))
    this.detailed(records, OrderState.detailsAt(records, at))
    this.open()
  }

  /** `block`: where its terms begin. */
  private asked(records: RecordBuffer, at: number, block: number): void {
    this.symbolId = EventHeader.symbolId(records, at)
    this.updatedMs = EventHeader.timeMs(records, at)
    OrderBlock.read(records, block, this)
  }

  private named(idAt: number): void {
    this.idAt = idAt
    this.ownIdAt = idAt
    this.preventionAt = NONE
  }

  /** A plain order works from its acceptance on. */
  private detailed(records: RecordBuffer, detailsAt: number): void {
    const isPlain = detailsAt < 0
    this.detailsAt = detailsAt
    this.phase = isPlain ? OrderPhase.WORKING : DetailsSection.phase(records, detailsAt)
    this.workingMs = isPlain ? this.createdMs : DetailsSection.workingMs(records, detailsAt)
  }

  private unfilled(): void {
    this.filledLots = Lots(0)
    this.filledAtoms = QuoteAtoms(0)
    this.preventedLots = Lots(0)
    this.open()
  }

  /** The status of an order that is open. */
  private open(): void {
    this.reason = 0
    if (this.phase === OrderPhase.PENDING) this.status = OrderStatus.PENDING_NEW
    else this.status = this.filledLots === 0 ? OrderStatus.NEW : OrderStatus.PARTIALLY_FILLED
  }
}

/** The limit of a Trade's maker. */
function makerTicksOf(records: RecordBuffer, at: number): Ticks {
  const auctionAt = Trade.auctionAt(records, at)
  return auctionAt < 0
    ? Trade.priceTicks(records, at)
    : AuctionSection.makerPriceTicks(records, auctionAt)
}
