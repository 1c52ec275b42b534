/**
 * A placed order by the events of its command: the row of its answer in all three forms. One per
 * order, filled by its collector. It is the busiest row of all.
 */
import { Side, sideOf } from '../../base/codes.ts'
import { type Atoms, Lots, Ms, OrderId, QuoteAtoms, Ticks, type TradeId } from '../../base/units.ts'
import type { OrderRowDetails } from '../../history/account-history.ts'
import { MatchPrevented, OrderAccepted, OrderClosed, Trade } from '../../layout/accessors.gen.ts'
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
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly commissionAtoms: Atoms
  readonly commissionAsset: AssetSpec
  readonly tradeId: TradeId
}

interface PreventedMatch {
  readonly preventedMatchId: number
  readonly makerOrderId: OrderId
  readonly priceTicks: Ticks
  /** 0 where that side lost nothing. */
  readonly takerPreventedLots: Lots
  readonly makerPreventedLots: Lots
}

/** Most orders that rest have none. */
const noFills: Fill[] = []

/** How the orders of one request are to be answered. */
export interface ReplyStyle extends Form {
  readonly spec: SymbolSpec
  readonly assets: readonly AssetSpec[]
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
      case MatchPrevented.type:
        this.prevented(buffer, at)
        break
      case OrderClosed.type:
        this.closed(buffer, at)
        break
    }
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
    view.read(buffer, at)
    if (view.orderId !== this.orderId) return
    this.filledLots = view.filledLots
    this.filledAtoms = view.filledAtoms
    this.status = view.status
    const { form, spec, assets } = this.style
    if (form !== NewOrderRespType.FULL) return
    const { commissionAtoms, commissionAssetId } = view
    const received = sideOf(this.terms) === Side.BUY ? spec.base : spec.quote
    if (this.fills === noFills) this.fills = []
    this.fills.push({
      priceTicks: Trade.priceTicks(buffer, at),
      lots: Trade.tradeLots(buffer, at),
      commissionAtoms,
      commissionAsset: commissionAssetId < 0 ? received : assets[commissionAssetId]!,
      tradeId: Trade.tradeId(buffer, at),
    })
  }

  private prevented(buffer: RecordBuffer, at: number): void {
    if (MatchPrevented.takerOrderId(buffer, at) !== this.orderId) return
    const takerPreventedLots = MatchPrevented.takerPreventedLots(buffer, at)
    this.preventedLots = Lots(this.preventedLots + takerPreventedLots)
    this.tradeGroupId = this.style.tradeGroupId
    this.preventedMatches ??= []
    this.preventedMatches.push({
      preventedMatchId: MatchPrevented.preventedMatchId(buffer, at),
      makerOrderId: MatchPrevented.makerOrderId(buffer, at),
      priceTicks: MatchPrevented.priceTicks(buffer, at),
      takerPreventedLots,
      makerPreventedLots: MatchPrevented.makerPreventedLots(buffer, at),
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
