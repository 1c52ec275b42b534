/**
 * The answer to a placed order, in its three forms, put together from the events of its command
 * (supplement 2a.3). One per request, filled by its collector. It is the busiest shape of all and
 * holds only numbers and texts that need no escaping, hence plain concatenation.
 */
import { OrderStatus, Side, sideOf } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import { type RecordBuffer, recordType } from '#layout/record-buffer.ts'
import { MatchPrevented, OrderAccepted, OrderClosed, Trade } from '#layout/records.gen.ts'
import { NewOrderRespType } from '../parameters.ts'
import { atomsText, priceText, quantityText, timeOf } from './decimals.ts'
import {
  expiryReasonNames,
  openStatus,
  preventionName,
  statusNames,
  termsMembers,
} from './terms.ts'

export class OrderReply {
  readonly #spec: SymbolSpec
  readonly #clientOrderId: string
  readonly #form: number
  readonly #tradeGroupId: number
  readonly #microseconds: boolean
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

  /** `form`: NewOrderRespType; `tradeGroupId`: the account's, -1 for none. */
  constructor(
    spec: SymbolSpec,
    clientOrderId: string,
    form: number,
    tradeGroupId: number,
    microseconds: boolean,
  ) {
    this.#spec = spec
    this.#clientOrderId = clientOrderId
    this.#form = form
    this.#tradeGroupId = tradeGroupId
    this.#microseconds = microseconds
  }

  /** Takes in the next event of the command. */
  add(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case OrderAccepted.type:
        this.#accepted(buffer, at)
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

  /** The JSON text, once the last event was added. */
  text(): string {
    const spec = this.#spec
    const time = timeOf(this.#timeMs, this.#microseconds)
    const ack = `{"symbol":"${spec.name}","orderId":${this.#orderId},"orderListId":-1,"clientOrderId":"${this.#clientOrderId}","transactTime":${time}`
    if (this.#form === NewOrderRespType.ACK) return `${ack}}`
    const status =
      this.#closedStatus < 0 ? openStatus(this.#filledLots, this.#lots) : this.#closedStatus
    const result = `${ack},"price":"${priceText(spec, this.#priceTicks)}","origQty":"${quantityText(spec, this.#lots)}","executedQty":"${quantityText(spec, this.#filledLots)}","origQuoteOrderQty":"${atomsText(spec.quote, this.#quoteAtoms)}","cummulativeQuoteQty":"${atomsText(spec.quote, this.#filledAtoms)}","status":"${statusNames[status]}",${termsMembers(this.#terms)},"workingTime":${time}`
    const fills = this.#form === NewOrderRespType.FULL ? `,"fills":[${this.#fills}]` : ''
    return `${result}${fills}${this.#conditional(status)},"selfTradePreventionMode":"${preventionName(this.#terms)}"}`
  }

  /** Members that only some orders have; '' for most. */
  #conditional(status: number): string {
    let text = ''
    if (this.#preventedMatches !== '') {
      text = `,"preventedMatches":[${this.#preventedMatches}]`
      if (this.#preventedLots > 0) {
        text += `,"preventedQuantity":"${quantityText(this.#spec, this.#preventedLots)}"`
      }
      if (this.#tradeGroupId >= 0) text += `,"tradeGroupId":${this.#tradeGroupId}`
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
  }

  #traded({ f64 }: RecordBuffer, at: number): void {
    const double = at >> 3
    this.#filledLots = f64[double + Trade.takerFilledLots]!
    this.#filledAtoms = f64[double + Trade.takerFilledAtoms]!
    if (this.#form !== NewOrderRespType.FULL) return
    const spec = this.#spec
    const received = sideOf(this.#terms) === Side.BUY ? spec.base : spec.quote
    const separator = this.#fills === '' ? '' : ','
    this.#fills += `${separator}{"price":"${priceText(spec, f64[double + Trade.priceTicks]!)}","qty":"${quantityText(spec, f64[double + Trade.tradeLots]!)}","commission":"${atomsText(received, f64[double + Trade.takerCommissionAtoms]!)}","commissionAsset":"${received.name}","tradeId":${f64[double + Trade.tradeId]}}`
  }

  #prevented({ f64 }: RecordBuffer, at: number): void {
    const double = at >> 3
    const spec = this.#spec
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
