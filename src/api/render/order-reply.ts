/**
 * The answer to a placed order, in its three forms, put together from the events of its command
 * (supplement 2a.3). One per order, filled by its collector. It is the busiest shape of all and
 * holds only numbers and texts that need no escaping, hence plain concatenation.
 */
import { OrderPhase, OrderStatus, Side, sideOf } from '../../base/codes.ts'
import {
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderDetails,
  Trade,
  TradeCommission,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { type OrderDetailsRecord, readOrderDetails } from '../../layout/records.gen.ts'
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

  #accepted(records: RecordBuffer, at: number): void {
    this.#orderId = OrderAccepted.orderId(records, at)
    this.#timeMs = OrderAccepted.timeMs(records, at)
    this.#terms = OrderAccepted.terms(records, at)
    this.#priceTicks = OrderAccepted.priceTicks(records, at)
    this.#lots = OrderAccepted.lots(records, at)
    this.#quoteAtoms = OrderAccepted.quoteAtoms(records, at)
    if (this.#details?.orderId !== this.#orderId) this.#details = undefined
  }

  #paysOtherwise(records: RecordBuffer, at: number): void {
    if (TradeCommission.isMaker(records, at) !== 0) return
    this.#otherAtoms = TradeCommission.atoms(records, at)
    this.#otherAssetId = TradeCommission.assetId(records, at)
  }

  #traded(records: RecordBuffer, at: number): void {
    if (Trade.takerOrderId(records, at) !== this.#orderId) return
    this.#filledLots = Trade.takerFilledLots(records, at)
    this.#filledAtoms = Trade.takerFilledAtoms(records, at)
    const { spec, form, assets } = this.#style
    if (form !== NewOrderRespType.FULL) return
    const received = sideOf(this.#terms) === Side.BUY ? spec.base : spec.quote
    const other = this.#otherAssetId < 0 ? undefined : assets[this.#otherAssetId]
    const paid = other ?? received
    const atoms = other === undefined ? Trade.takerCommissionAtoms(records, at) : this.#otherAtoms
    this.#otherAssetId = -1
    const separator = this.#fills === '' ? '' : ','
    this.#fills += `${separator}{"price":"${priceText(spec, Trade.priceTicks(records, at))}","qty":"${quantityText(spec, Trade.tradeLots(records, at))}","commission":"${unitsText(atoms)}","commissionAsset":"${paid.name}","tradeId":${Trade.tradeId(records, at)}}`
  }

  #prevented(records: RecordBuffer, at: number): void {
    if (MatchPrevented.takerOrderId(records, at) !== this.#orderId) return
    const { spec } = this.#style
    const takerLots = MatchPrevented.takerPreventedLots(records, at)
    const makerLots = MatchPrevented.makerPreventedLots(records, at)
    this.#preventedLots += takerLots
    const separator = this.#preventedMatches === '' ? '' : ','
    const taker =
      takerLots > 0 ? `,"takerPreventedQuantity":"${quantityText(spec, takerLots)}"` : ''
    const maker =
      makerLots > 0 ? `,"makerPreventedQuantity":"${quantityText(spec, makerLots)}"` : ''
    this.#preventedMatches += `${separator}{"preventedMatchId":${MatchPrevented.preventedMatchId(records, at)},"makerOrderId":${MatchPrevented.makerOrderId(records, at)},"price":"${priceText(spec, MatchPrevented.priceTicks(records, at))}"${taker}${maker}}`
  }

  /** Makers that self-trade prevention expired close within the same command. */
  #closed(records: RecordBuffer, at: number): void {
    if (OrderClosed.orderId(records, at) !== this.#orderId) return
    this.#closedStatus = OrderClosed.status(records, at)
    this.#reason = OrderClosed.reason(records, at)
  }
}
