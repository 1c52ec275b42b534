/**
 * A placed order by the events of its command: the row of its answer in all three forms. One per
 * order, filled by its collector. It is the busiest row of all.
 */
import { isRouted, MatchType, OrderStatus, Side, sideOf, WorkingFloor } from '../../base/codes.ts'
import { type Int64, product } from '../../base/int64.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import { type Atoms, Lots, Ms, OrderId, QuoteAtoms, Ticks, TradeId } from '../../base/units.ts'
import type { OrderRowDetails } from '../../history/account-history.ts'
import {
  AcrossSection,
  Allocation,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  Trade,
} from '../../layout/accessors.gen.ts'
import { OrderView } from '../../layout/order-view.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { readDetailsSection } from '../../layout/records.gen.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { type AnyRows, Rows } from '../answers/answer.ts'
import type { Form } from '../answers/element.ts'
import { isWorking, orderAck, orderFull, orderResult } from '../answers/orders.ts'
import { NewOrderRespType } from '../parameters.ts'

const view = new OrderView()

interface Fill {
  /** 10^-8 of the quote asset. */
  readonly priceUnits: Int64
  readonly lots: Lots
  readonly commissionAtoms: Atoms
  readonly commissionAsset: AssetSpec
  /** -1 of an allocation. */
  readonly tradeId: TradeId
  readonly matchType?: number
  readonly allocationId?: number
}

interface PreventedMatch {
  readonly preventedMatchId: number
  readonly makerOrderId: OrderId
  readonly priceUnits: Int64
  /** 0 where that side lost nothing. */
  readonly takerPreventedLots: Lots
  readonly makerPreventedAtoms: Atoms
}

/** Most orders that rest have none. */
const noFills: Fill[] = []

/** How the orders of one request are to be answered. */
export interface ReplyStyle extends Form {
  readonly spec: SymbolSpec
  readonly assets: readonly AssetSpec[]
  /** By id: a routed order may meet one of another symbol. */
  readonly symbols: readonly SymbolSpec[]
  /** NewOrderRespType. */
  readonly form: number
  /** The account's, -1 for none. */
  readonly tradeGroupId: number
}

export class PlacedOrder {
  readonly clientOrderId: string
  /** A detailed order's details as it entered. */
  details: OrderRowDetails | undefined
  orderId = OrderId(0)
  timeMs = Ms(0)
  /** -1 when it does not work yet. */
  workingMs = Ms(-1)
  terms = 0
  priceTicks = Ticks(0)
  /** As OrderRow has it. */
  peggedTicks: Ticks | undefined
  lots = Lots(0)
  quoteAtoms = QuoteAtoms(0)
  filledLots = Lots(0)
  filledAtoms = QuoteAtoms(0)
  preventedLots = Lots(0)
  status = 0
  reason = 0
  fills = noFills
  preventedMatches: PreventedMatch[] | undefined
  /** -1 without a prevented match. */
  tradeGroupId = -1
  private readonly style: ReplyStyle

  constructor(style: ReplyStyle, clientOrderId: string) {
    this.style = style
    this.clientOrderId = clientOrderId
  }

  /** Takes in the next event of the command: the first OrderAccepted is of this order. */
  add(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case OrderAccepted.type:
        if (this.orderId === 0) this.accepted(buffer, at)
        break
      case Trade.type:
        this.traded(buffer, at)
        break
      case Allocation.type:
        this.allocated(buffer, at)
        break
      case MatchPrevented.type:
        this.prevented(buffer, at)
        break
      case OrderClosed.type:
        this.closed(buffer, at)
        break
    }
  }

  /** WorkingFloor of a routed order: one that is left rests in its own book. */
  get floor(): number | undefined {
    if (!isRouted(this.terms)) return undefined
    const { NEW, PARTIALLY_FILLED } = OrderStatus
    const isLeft = this.status === NEW || this.status === PARTIALLY_FILLED
    return isLeft ? WorkingFloor.EXCHANGE : WorkingFloor.SOR
  }

  /** The answer, once the last event was added. */
  answer(): AnyRows {
    return placedRows(this.style, this)
  }

  private accepted(buffer: RecordBuffer, at: number): void {
    view.read(buffer, at)
    this.orderId = view.orderId
    this.timeMs = view.createdMs
    this.terms = view.terms
    this.priceTicks = view.priceTicks
    this.lots = view.lots
    this.quoteAtoms = view.quoteAtoms
    this.status = view.status
    if (view.detailsAt >= 0) this.detailed(readDetailsSection(buffer, view.detailsAt))
    if (isWorking(this.details)) this.workingMs = this.timeMs
  }

  private detailed(details: OrderRowDetails): void {
    this.details = details
    if (details.pegLimitTicks < 0) return
    this.peggedTicks = this.priceTicks
    this.priceTicks = details.pegLimitTicks
  }

  private traded(buffer: RecordBuffer, at: number): void {
    if (!this.filled(buffer, at)) return
    const { tickUnits } = this.style.spec
    this.addFill({
      priceUnits: product(Trade.priceTicks(buffer, at), tickUnits),
      lots: Trade.tradeLots(buffer, at),
      tradeId: Trade.tradeId(buffer, at),
    })
  }

  private allocated(buffer: RecordBuffer, at: number): void {
    if (!this.filled(buffer, at)) return
    this.addFill({
      priceUnits: Allocation.priceUnits(buffer, at),
      lots: Allocation.allocatedLots(buffer, at),
      tradeId: TradeId(-1),
      matchType: MatchType.ONE_PARTY_TRADE_REPORT,
      allocationId: Allocation.allocationId(buffer, at),
    })
  }

  /** Takes in what the order has come to. Returns whether its fills are shown. */
  private filled(buffer: RecordBuffer, at: number): boolean {
    view.read(buffer, at)
    if (view.orderId !== this.orderId) return false
    this.filledLots = view.filledLots
    this.filledAtoms = view.filledAtoms
    this.status = view.status
    return this.style.form === NewOrderRespType.FULL
  }

  private addFill(fill: Omit<Fill, 'commissionAtoms' | 'commissionAsset'>): void {
    const { spec, assets } = this.style
    const { commissionAtoms, commissionAssetId } = view
    const received = sideOf(this.terms) === Side.BUY ? spec.base : spec.quote
    if (this.fills === noFills) this.fills = []
    const commissionAsset = commissionAssetId < 0 ? received : assets[commissionAssetId]!
    this.fills.push({ ...fill, commissionAtoms, commissionAsset })
  }

  private prevented(buffer: RecordBuffer, at: number): void {
    if (MatchPrevented.takerOrderId(buffer, at) !== this.orderId) return
    const takerPreventedLots = MatchPrevented.takerPreventedLots(buffer, at)
    this.preventedLots = Lots(this.preventedLots + takerPreventedLots)
    this.tradeGroupId = this.style.tradeGroupId
    this.preventedMatches ??= []
    const across = MatchPrevented.acrossAt(buffer, at)
    const { spec, symbols } = this.style
    const maker = across < 0 ? spec : symbols[AcrossSection.otherSymbolId(buffer, across)]!
    this.preventedMatches.push({
      preventedMatchId: MatchPrevented.preventedMatchId(buffer, at),
      makerOrderId: MatchPrevented.makerOrderId(buffer, at),
      priceUnits: product(MatchPrevented.priceTicks(buffer, at), maker.tickUnits),
      takerPreventedLots,
      makerPreventedAtoms: baseAtomsOf(
        MatchPrevented.makerPreventedLots(buffer, at),
        maker.atomsPerLot,
      ),
    })
  }

  /** Makers that self-trade prevention expired close within the same command. */
  private closed(buffer: RecordBuffer, at: number): void {
    view.read(buffer, at)
    if (view.orderId !== this.orderId) return
    this.status = view.status
    this.reason = view.reason
  }
}

/** The answer about one order, or about the orders of a list. */
export function placedRows(style: ReplyStyle, rows: PlacedOrder | readonly PlacedOrder[]): AnyRows {
  switch (style.form) {
    case NewOrderRespType.ACK:
      return new Rows(orderAck, rows, style)
    case NewOrderRespType.RESULT:
      return new Rows(orderResult, rows, style)
    default:
      return new Rows(orderFull, rows, style)
  }
}
