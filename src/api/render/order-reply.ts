/**
 * The answer to a placed order, in its three forms, put together from the events of its command
 * (supplement 2a.3). One per order, filled by its collector. It is the busiest shape of all and
 * holds only numbers and texts that need no escaping, so it is written as bytes.
 */

import { OrderStatus, preventionOf, Side, sideOf } from '../../base/codes.ts'
import { product } from '../../base/int64.ts'
import {
  type AssetId,
  type Atoms,
  Lots,
  Ms,
  QuoteAtoms,
  Ticks,
  type TradeId,
} from '../../base/units.ts'
import type { OrderRowDetails } from '../../history/account-history.ts'
import { MatchPrevented, OrderAccepted, OrderClosed, Trade } from '../../layout/accessors.gen.ts'
import { OrderFold } from '../../layout/order-fold.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { readDetailsSection } from '../../layout/records.gen.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { NewOrderRespType } from '../parameters.ts'
import { priceText, quantityText, timeOf } from './decimals.ts'
import { type JsonBytes, type JsonWriter, Piece, textOf } from './json-bytes.ts'
import { detailMembers, isWorking, listIdOf } from './order-details.ts'
import { expiryReasonNames, preventionNames, statusNames, termsMembers } from './terms.ts'

const fold = new OrderFold()

/** Side, type and time in force take the low bits of the terms. */
const TERMS = 64
const termsPieces = Array.from({ length: TERMS }, (_, terms) => new Piece(termsMembers(terms)))
const statusPieces = statusNames.map((name) => new Piece(name))
const preventionPieces = preventionNames.map((name) => new Piece(name))
const pieces = {
  symbol: new Piece('{"symbol":"'),
  orderId: new Piece('","orderId":'),
  listId: new Piece(',"orderListId":'),
  clientOrderId: new Piece(',"clientOrderId":"'),
  time: new Piece('","transactTime":'),
  price: new Piece(',"price":"'),
  lots: new Piece('","origQty":"'),
  filledLots: new Piece('","executedQty":"'),
  quoteAtoms: new Piece('","origQuoteOrderQty":"'),
  filledAtoms: new Piece('","cummulativeQuoteQty":"'),
  status: new Piece('","status":"'),
  terms: new Piece('",'),
  workingTime: new Piece(',"workingTime":'),
  fills: new Piece(',"fills":['),
  firstFill: new Piece('{"price":"'),
  nextFill: new Piece(',{"price":"'),
  fillLots: new Piece('","qty":"'),
  commission: new Piece('","commission":"'),
  commissionAsset: new Piece('","commissionAsset":"'),
  tradeId: new Piece('","tradeId":'),
  fillsEnd: new Piece(']'),
  prevention: new Piece(',"selfTradePreventionMode":"'),
  quote: new Piece('"'),
  end: new Piece('}'),
} as const

interface Fill {
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly commissionAtoms: Atoms
  /** -1 for what was received. */
  readonly commissionAssetId: AssetId
  readonly tradeId: TradeId
}

/** Most orders that rest have none. */
const noFills: Fill[] = []

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

export class OrderReply implements JsonWriter {
  readonly #style: ReplyStyle
  readonly #clientOrderId: string
  /** As the order entered; of a detailed order. */
  #details: OrderRowDetails | undefined
  #orderId = 0
  #timeMs = Ms(0)
  #terms = 0
  #priceTicks = Ticks(0)
  #lots = Lots(0)
  #quoteAtoms = QuoteAtoms(0)
  #filledLots = Lots(0)
  #filledAtoms = QuoteAtoms(0)
  #preventedLots = Lots(0)
  #status = 0
  #reason = 0
  #fills = noFills
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
    return textOf(this)
  }

  /** Writes what text() returns. */
  write(to: JsonBytes): void {
    const { spec, form, microseconds } = this.#style
    const time = timeOf(this.#timeMs, microseconds)
    to.piece(pieces.symbol)
    to.text(spec.name)
    to.piece(pieces.orderId)
    to.integer(this.#orderId)
    to.piece(pieces.listId)
    to.integer(this.orderListId)
    to.piece(pieces.clientOrderId)
    to.text(this.#clientOrderId)
    to.piece(pieces.time)
    to.integer(time)
    if (form !== NewOrderRespType.ACK) this.#writeResult(to, time)
    to.piece(pieces.end)
  }

  #writeResult(to: JsonBytes, time: number): void {
    const { spec, form, microseconds } = this.#style
    const { tickUnits, lotUnits } = spec
    const details = this.#details
    to.piece(pieces.price)
    to.units(product(this.#priceTicks, tickUnits))
    to.piece(pieces.lots)
    to.units(product(this.#lots, lotUnits))
    to.piece(pieces.filledLots)
    to.units(product(this.#filledLots, lotUnits))
    to.piece(pieces.quoteAtoms)
    to.units(this.#quoteAtoms)
    to.piece(pieces.filledAtoms)
    to.units(this.#filledAtoms)
    to.piece(pieces.status)
    to.piece(statusPieces[this.#status as OrderStatus]!)
    to.piece(pieces.terms)
    to.piece(termsPieces[this.#terms & (TERMS - 1)]!)
    if (details !== undefined) to.text(detailMembers(spec, details, microseconds))
    to.piece(pieces.workingTime)
    to.integer(isWorking(details) ? time : -1)
    if (form === NewOrderRespType.FULL) this.#writeFills(to)
    to.text(this.#conditional(this.#status))
    to.piece(pieces.prevention)
    to.piece(preventionPieces[preventionOf(this.#terms)]!)
    to.piece(pieces.quote)
  }

  #writeFills(to: JsonBytes): void {
    const { spec, assets } = this.#style
    const received = sideOf(this.#terms) === Side.BUY ? spec.base : spec.quote
    const fills = this.#fills
    to.piece(pieces.fills)
    for (let i = 0; i < fills.length; i++) {
      const { priceTicks, lots, commissionAtoms, commissionAssetId, tradeId } = fills[i]!
      to.piece(i === 0 ? pieces.firstFill : pieces.nextFill)
      to.units(product(priceTicks, spec.tickUnits))
      to.piece(pieces.fillLots)
      to.units(product(lots, spec.lotUnits))
      to.piece(pieces.commission)
      to.units(commissionAtoms)
      to.piece(pieces.commissionAsset)
      to.text((commissionAssetId < 0 ? received : assets[commissionAssetId]!).name)
      to.piece(pieces.tradeId)
      to.integer(tradeId)
      to.piece(pieces.end)
    }
    to.piece(pieces.fillsEnd)
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
    if (this.#style.form !== NewOrderRespType.FULL) return
    if (this.#fills === noFills) this.#fills = []
    this.#fills.push({
      priceTicks: Trade.priceTicks(buffer, at),
      lots: Trade.tradeLots(buffer, at),
      commissionAtoms: fold.commissionAtoms,
      commissionAssetId: fold.commissionAssetId,
      tradeId: Trade.tradeId(buffer, at),
    })
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
