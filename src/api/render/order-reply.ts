/**
 * The answer to a placed order, in its three forms, put together from the events of its command
 * (supplement 2a.3). One per order, filled by its collector. It is the busiest shape of all and
 * holds only numbers and texts that need no escaping, hence plain concatenation.
 */
import { OrderPhase, OrderStatus, Side, sideOf } from '../../base/codes.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import {
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderDetails,
  type OrderDetailsRecord,
  readOrderDetails,
  Trade,
  TradeCommission,
} from '../../layout/records.gen.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { NewOrderRespType } from '../parameters.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { detailMembers, isWorking, listIdOf } from './order-details.ts'
import {
  expiryReasonNames,
  openStatus,
  preventionName,
  statusNames,
  termsMembers,
} from './terms.ts'

/** How the orders of one request are to be answered. */
export interface ReplyStyle {
  readonly spec: SymbolSpec
  /** By id. */
  readonly assets: readonly AssetSpec[]
  /** NewOrderRespType. */
  readonly form: number
  /** The account's, -1 for none. */
  readonly tradeGroupId: number
  readonly microseconds: boolean
}

export class OrderReply {
  readonly #style: ReplyStyle
  readonly #clientOrderId: string
  /** Of a detailed order; until one is accepted, of the last order that events concerned. */
  #details: OrderDetailsRecord | undefined
  #orderId = 0
  #timeMs = 0
  #terms = 0
  #priceTicks = 0
  #lots = 0
  #quoteAtoms = 0
  #filledLots = 0
  #filledAtoms = 0
  #preventedLots = 0
  #closedStatus = -1
  #reason = 0
  #fills = ''
  #preventedMatches = ''
  /** The taker's commission of the next trade when it is paid in another asset than it receives. */
  #otherAtoms = 0
  #otherAssetId = -1

  constructor(style: ReplyStyle, clientOrderId: string) {
    this.#style = style
    this.#clientOrderId = clientOrderId
  }

  /** Takes in the next event of the command: the first OrderAccepted is of this order. */
  add(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case OrderDetails.type:
        if (this.#orderId === 0) this.#details = readOrderDetails(buffer, at)
        break
      case OrderAccepted.type:
        if (this.#orderId === 0) this.#accepted(buffer, at)
        break
      case TradeCommission.type:
        this.#paysOtherwise(buffer, at)
        break
      case Trade.type:
        this.#traded(buffer, at)
        break
      case MatchPrevented.type:
        this.#prevented(buffer, at)
        break
      case OrderClosed.type:
        this.#closed(buffer, at)
        break
    }
  }

  /** -1 when it is in no list. */
  get orderListId(): number {
    return listIdOf(this.#details)
  }

  /** The JSON text, once the last event was added. */
  text(): string {
    const { spec, form, microseconds } = this.#style
    const time = timeOf(this.#timeMs, microseconds)
    const ack = `{"symbol":"${spec.name}","orderId":${this.#orderId},"orderListId":${this.orderListId},"clientOrderId":"${this.#clientOrderId}","transactTime":${time}`
    if (form === NewOrderRespType.ACK) return `${ack}}`
    const details = this.#details
    const more =
      details === undefined ? '' : detailMembers(spec, this.#terms, details, microseconds)
    const working = isWorking(details) ? time : -1
    const status = this.#status()
    const result = `${ack},"price":"${priceText(spec, this.#priceTicks)}","origQty":"${quantityText(spec, this.#lots)}","executedQty":"${quantityText(spec, this.#filledLots)}","origQuoteOrderQty":"${unitsText(this.#quoteAtoms)}","cummulativeQuoteQty":"${unitsText(this.#filledAtoms)}","status":"${statusNames[status]}",${termsMembers(this.#terms)}${more},"workingTime":${working}`
    const fills = form === NewOrderRespType.FULL ? `,"fills":[${this.#fills}]` : ''
    return `${result}${fills}${this.#conditional(status)},"selfTradePreventionMode":"${preventionName(this.#terms)}"}`
  }

  #status(): OrderStatus {
    if (this.#closedStatus >= 0) return this.#closedStatus as OrderStatus
    return this.#details?.phase === OrderPhase.PENDING
      ? OrderStatus.PENDING_NEW
      : openStatus(this.#filledLots, this.#lots, this.#preventedLots)
  }

  /** Members that only some orders have; '' for most. */
  #conditional(status: number): string {
    let text = ''
    if (this.#preventedMatches !== '') {
      const { spec, tradeGroupId } = this.#style
      text = `,"preventedMatches":[${this.#preventedMatches}]`
      if (this.#preventedLots > 0) {
        text += `,"preventedQuantity":"${quantityText(spec, this.#preventedLots)}"`
      }
      if (tradeGroupId >= 0) text += `,"tradeGroupId":${tradeGroupId}`
    }
    if (status === OrderStatus.EXPIRED) {
      text += `,"expiryReason":"${expiryReasonNames[this.#reason]}"`
    }
    return text
  }

  #accepted({ i32, f64 }: RecordBuffer, at: number): void {
    const double = at >> 3
    this.#orderId = f64[double + OrderAccepted.orderId]!
    this.#timeMs = f64[double + OrderAccepted.timeMs]!
    this.#terms = i32[(at >> 2) + OrderAccepted.terms]!
    this.#priceTicks = f64[double + OrderAccepted.priceTicks]!
    this.#lots = f64[double + OrderAccepted.lots]!
    this.#quoteAtoms = f64[double + OrderAccepted.quoteAtoms]!
    if (this.#details?.orderId !== this.#orderId) this.#details = undefined
  }

  #paysOtherwise({ i32, f64 }: RecordBuffer, at: number): void {
    const word = at >> 2
    if (i32[word + TradeCommission.isMaker] !== 0) return
    this.#otherAtoms = f64[(at >> 3) + TradeCommission.atoms]!
    this.#otherAssetId = i32[word + TradeCommission.assetId]!
  }

  #traded({ f64 }: RecordBuffer, at: number): void {
    const double = at >> 3
    if (f64[double + Trade.takerOrderId] !== this.#orderId) return
    this.#filledLots = f64[double + Trade.takerFilledLots]!
    this.#filledAtoms = f64[double + Trade.takerFilledAtoms]!
    const { spec, form, assets } = this.#style
    if (form !== NewOrderRespType.FULL) return
    const received = sideOf(this.#terms) === Side.BUY ? spec.base : spec.quote
    const other = this.#otherAssetId < 0 ? undefined : assets[this.#otherAssetId]
    const paid = other ?? received
    const atoms = other === undefined ? f64[double + Trade.takerCommissionAtoms]! : this.#otherAtoms
    this.#otherAssetId = -1
    const separator = this.#fills === '' ? '' : ','
    this.#fills += `${separator}{"price":"${priceText(spec, f64[double + Trade.priceTicks]!)}","qty":"${quantityText(spec, f64[double + Trade.tradeLots]!)}","commission":"${unitsText(atoms)}","commissionAsset":"${paid.name}","tradeId":${f64[double + Trade.tradeId]}}`
  }

  #prevented({ f64 }: RecordBuffer, at: number): void {
    const double = at >> 3
    if (f64[double + MatchPrevented.takerOrderId] !== this.#orderId) return
    const { spec } = this.#style
    const takerLots = f64[double + MatchPrevented.takerPreventedLots]!
    const makerLots = f64[double + MatchPrevented.makerPreventedLots]!
    this.#preventedLots += takerLots
    const separator = this.#preventedMatches === '' ? '' : ','
    const taker =
      takerLots > 0 ? `,"takerPreventedQuantity":"${quantityText(spec, takerLots)}"` : ''
    const maker =
      makerLots > 0 ? `,"makerPreventedQuantity":"${quantityText(spec, makerLots)}"` : ''
    this.#preventedMatches += `${separator}{"preventedMatchId":${f64[double + MatchPrevented.preventedMatchId]},"makerOrderId":${f64[double + MatchPrevented.makerOrderId]},"price":"${priceText(spec, f64[double + MatchPrevented.priceTicks]!)}"${taker}${maker}}`
  }

  /** Makers that self-trade prevention expired close within the same command. */
  #closed({ i32, f64 }: RecordBuffer, at: number): void {
    if (f64[(at >> 3) + OrderClosed.orderId] !== this.#orderId) return
    this.#closedStatus = i32[(at >> 2) + OrderClosed.status]!
    this.#reason = i32[(at >> 2) + OrderClosed.reason]!
  }
}
