/**
 * The answer to a placed order, in its three forms, put together from the events of its command
 * (supplement 2a.3). One per order, filled by its collector. It is the busiest shape of all and
 * holds only numbers and texts that need no escaping, hence plain concatenation.
 */
import { OrderStatus, Side, sideOf } from '../../base/codes.ts'
import { Lots, Ms, Ticks } from '../../base/units.ts'
import type { OrderRowDetails } from '../../history/account-history.ts'
import { MatchPrevented, OrderAccepted, OrderClosed, Trade } from '../../layout/accessors.gen.ts'
import { OrderFold } from '../../layout/order-fold.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { readDetailsSection } from '../../layout/records.gen.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { NewOrderRespType } from '../parameters.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { detailMembers, isWorking, listIdOf } from './order-details.ts'
import { expiryReasonNames, preventionName, statusNames, termsMembers } from './terms.ts'

const fold = new OrderFold()

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
  /** As the order entered; of a detailed order. */
  #details: OrderRowDetails | undefined
  #orderId = 0
  #timeMs = Ms(0)
  #terms = 0
  #priceTicks = Ticks(0)
  #lots = Lots(0)
  #quoteAtoms = 0
  #filledLots = Lots(0)
  #filledAtoms = 0
  #preventedLots = Lots(0)
  #status = 0
  #reason = 0
  #fills = ''
  #preventedMatches = ''

  constructor(style: ReplyStyle, clientOrderId: string) {
    this.#style = style
    this.#clientOrderId = clientOrderId
  }

  /** Takes in the next event of the command: the first OrderAccepted is of this order. */
  add(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case OrderAccepted.type:
        if (this.#orderId === 0) this.#accepted(buffer, at)
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
    const ack =
      `{"symbol":"${spec.name}","orderId":${this.#orderId},"orderListId":${this.orderListId},` +
      `"clientOrderId":"${this.#clientOrderId}","transactTime":${time}`
    if (form === NewOrderRespType.ACK) return `${ack}}`
    const details = this.#details
    const more =
      details === undefined ? '' : detailMembers(spec, this.#terms, details, microseconds)
    const working = isWorking(details) ? time : -1
    const status = this.#status as OrderStatus
    const result =
      `${ack},"price":"${priceText(spec, this.#priceTicks)}",` +
      `"origQty":"${quantityText(spec, this.#lots)}",` +
      `"executedQty":"${quantityText(spec, this.#filledLots)}",` +
      `"origQuoteOrderQty":"${unitsText(this.#quoteAtoms)}",` +
      `"cummulativeQuoteQty":"${unitsText(this.#filledAtoms)}",` +
      `"status":"${statusNames[status]}",${termsMembers(this.#terms)}${more},` +
      `"workingTime":${working}`
    const fills = form === NewOrderRespType.FULL ? `,"fills":[${this.#fills}]` : ''
    return (
      `${result}${fills}${this.#conditional(status)},` +
      `"selfTradePreventionMode":"${preventionName(this.#terms)}"}`
    )
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

  #accepted(buffer: RecordBuffer, at: number): void {
    fold.read(buffer, at)
    this.#orderId = fold.orderId
    this.#timeMs = fold.createdMs
    this.#terms = fold.terms
    this.#priceTicks = fold.priceTicks
    this.#lots = fold.lots
    this.#quoteAtoms = fold.quoteAtoms
    this.#status = fold.status
    if (fold.detailsAt >= 0) this.#details = readDetailsSection(buffer, fold.detailsAt)
  }

  #traded(buffer: RecordBuffer, at: number): void {
    fold.read(buffer, at)
    if (fold.orderId !== this.#orderId) return
    this.#filledLots = fold.filledLots
    this.#filledAtoms = fold.filledAtoms
    this.#status = fold.status
    const { spec, form, assets } = this.#style
    if (form !== NewOrderRespType.FULL) return
    const received = sideOf(this.#terms) === Side.BUY ? spec.base : spec.quote
    const paid = fold.commissionAssetId < 0 ? received : assets[fold.commissionAssetId]!
    const separator = this.#fills === '' ? '' : ','
    this.#fills +=
      `${separator}{"price":"${priceText(spec, Trade.priceTicks(buffer, at))}",` +
      `"qty":"${quantityText(spec, Trade.tradeLots(buffer, at))}",` +
      `"commission":"${unitsText(fold.commissionAtoms)}","commissionAsset":"${paid.name}",` +
      `"tradeId":${Trade.tradeId(buffer, at)}}`
  }

  #prevented(records: RecordBuffer, at: number): void {
    if (MatchPrevented.takerOrderId(records, at) !== this.#orderId) return
    const { spec } = this.#style
    const takerLots = MatchPrevented.takerPreventedLots(records, at)
    const makerLots = MatchPrevented.makerPreventedLots(records, at)
    this.#preventedLots = Lots(this.#preventedLots + takerLots)
    const separator = this.#preventedMatches === '' ? '' : ','
    const taker =
      takerLots > 0 ? `,"takerPreventedQuantity":"${quantityText(spec, takerLots)}"` : ''
    const maker =
      makerLots > 0 ? `,"makerPreventedQuantity":"${quantityText(spec, makerLots)}"` : ''
    this.#preventedMatches +=
      `${separator}{"preventedMatchId":${MatchPrevented.preventedMatchId(records, at)},` +
      `"makerOrderId":${MatchPrevented.makerOrderId(records, at)},` +
      `"price":"${priceText(spec, MatchPrevented.priceTicks(records, at))}"${taker}${maker}}`
  }

  /** Makers that self-trade prevention expired close within the same command. */
  #closed(buffer: RecordBuffer, at: number): void {
    fold.read(buffer, at)
    if (fold.orderId !== this.#orderId) return
    this.#status = fold.status
    this.#reason = fold.reason
  }
}
