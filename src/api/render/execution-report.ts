/**
 * The user stream's executionReport, for the owner of the order and, where two meet, the owner of the
 * maker (supplement 2e.2). A Trade says little of its taker, and an OrderClosed nothing of the match
 * that was prevented, so a reporter remembers the command's OrderAccepted and its MatchPrevented:
 * events of one command are contiguous in a matcher's stream. One reporter per event ring, fed every
 * event in order; texts are made only when asked for, while the event can still be read.
 */
import { OrderStatus, OrderType, Side, sideOf, timeInForceOf, typeOf } from '#base/codes.ts'
import type { AssetSpec, SymbolSpec } from '#base/listing.ts'
import { RecordBuffer, recordFlags, recordLength, recordType } from '#layout/record-buffer.ts'
import {
  EventHeader,
  FLAG_LAST,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  type OrderClosedRecord,
  readMatchPrevented,
  readOrderAccepted,
  readOrderClosed,
  readTrade,
  Trade,
  type TradeRecord,
} from '#layout/records.gen.ts'
import { atomsText, notionalText, priceText, quantityText, timeOf, ZERO } from './decimals.ts'
import {
  expiryReasonNames,
  openStatus,
  preventionName,
  sideNames,
  statusNames,
  timeInForceNames,
  typeNames,
} from './terms.ts'

const NO_ACCOUNT = -1

/** What a report says of its order, in the engine's units. */
interface ReportedOrder {
  readonly orderId: number
  readonly terms: number
  readonly priceTicks: number
  readonly lots: number
  readonly quoteAtoms: number
  readonly filledLots: number
  readonly filledAtoms: number
  readonly createdMs: number
  /** `c`: the id that the event goes by. */
  readonly clientOrderId: string
  /** `C`: the order's own id, when a cancel gave it another; else ''. */
  readonly renamedFrom: string
}

/** What it says of the event. */
interface Occurrence {
  readonly execution: 'NEW' | 'TRADE' | 'CANCELED' | 'EXPIRED' | 'TRADE_PREVENTION'
  readonly status: OrderStatus
  /** `w`: whether the order is on the book afterwards; true for any NEW. */
  readonly working: boolean
  readonly fill?: Fill
  /** Members that only some reports have, each preceded by a comma. */
  readonly conditional?: string
}

interface Fill {
  readonly priceTicks: number
  readonly lots: number
  readonly tradeId: number
  readonly commissionAtoms: number
  readonly isMaker: boolean
}

/** How the asking connection wants its times. */
export interface ReportTimes {
  readonly eventTimeMs: number
  readonly microseconds: boolean
}

export class ExecutionReporter {
  /** Copies of the command's events: the ring's bytes are gone when they are needed. */
  readonly #accepted = RecordBuffer.allocate(OrderAccepted.bytes)
  readonly #prevented = RecordBuffer.allocate(MatchPrevented.bytes)
  /** Whose report the event just read makes; -1 when it makes none. */
  owner: number = NO_ACCOUNT
  /** The maker's owner, when the event just read is a trade; else -1. */
  makerOwner: number = NO_ACCOUNT

  /** Takes in the next event and sets `owner` and `makerOwner`. */
  read(buffer: RecordBuffer, at: number): void {
    const word = at >> 2
    this.owner = NO_ACCOUNT
    this.makerOwner = NO_ACCOUNT
    switch (recordType(buffer, at)) {
      case OrderAccepted.type:
        copyRecord(buffer, at, this.#accepted)
        this.owner = buffer.i32[word + OrderAccepted.account]!
        break
      case Trade.type:
        this.owner = buffer.i32[word + Trade.takerAccount]!
        this.makerOwner = buffer.i32[word + Trade.makerAccount]!
        break
      case MatchPrevented.type:
        copyRecord(buffer, at, this.#prevented)
        break
      case OrderClosed.type:
        this.owner = buffer.i32[word + OrderClosed.account]!
        break
    }
  }

  /** The report of the event just read, for `owner`, or for `makerOwner` when `ofMaker`. */
  text(
    spec: SymbolSpec,
    buffer: RecordBuffer,
    at: number,
    ofMaker: boolean,
    times: ReportTimes,
  ): string {
    const envelope = envelopeOf(spec, buffer, at, ofMaker, times)
    switch (recordType(buffer, at)) {
      case OrderAccepted.type:
        return report(envelope, acceptedOrder(buffer, at, 0, 0), {
          execution: 'NEW',
          status: OrderStatus.NEW,
          working: true,
        })
      case Trade.type:
        return this.#tradeText(envelope, readTrade(buffer, at), ofMaker, isEnd(buffer, at))
      default:
        return this.#closedText(envelope, readOrderClosed(buffer, at))
    }
  }

  /**
   * A MARKET order by quote amount may have traded all that it came to and still expire, because the
   * book ran out: then its last Trade does not end the command.
   */
  #tradeText(envelope: Envelope, trade: TradeRecord, ofMaker: boolean, isLast: boolean): string {
    const order = ofMaker
      ? makerOrder(trade)
      : acceptedOrder(this.#accepted, 0, trade.takerFilledLots, trade.takerFilledAtoms)
    const soFar = openStatus(order.filledLots, order.lots)
    const goesOn = !ofMaker && !isLast
    const status = goesOn ? OrderStatus.PARTIALLY_FILLED : soFar
    return report(envelope, order, {
      execution: 'TRADE',
      status,
      working: status !== OrderStatus.FILLED && typeOf(order.terms) !== OrderType.MARKET,
      fill: {
        priceTicks: trade.priceTicks,
        lots: trade.tradeLots,
        tradeId: trade.tradeId,
        commissionAtoms: ofMaker ? trade.makerCommissionAtoms : trade.takerCommissionAtoms,
        isMaker: ofMaker,
      },
    })
  }

  #closedText(envelope: Envelope, closed: OrderClosedRecord): string {
    const canceled = closed.status === OrderStatus.CANCELED
    const order = {
      ...closed,
      clientOrderId: canceled ? closed.clientOrderId : closed.origClientOrderId,
      renamedFrom: canceled ? closed.origClientOrderId : '',
    }
    const status = closed.status as OrderStatus
    const base = { status, working: false }
    if (canceled) return report(envelope, order, { ...base, execution: 'CANCELED' })
    if (status === OrderStatus.EXPIRED_IN_MATCH) {
      const conditional = this.#preventionMembers(envelope.spec, closed)
      return report(envelope, order, { ...base, execution: 'TRADE_PREVENTION', conditional })
    }
    const conditional = `,"eR":"${expiryReasonNames[closed.reason]}"`
    return report(envelope, order, { ...base, execution: 'EXPIRED', conditional })
  }

  /** Spec, Events 4: v, A, B, u, U, and the counterpart's symbol beside its id. */
  #preventionMembers(spec: SymbolSpec, closed: OrderClosedRecord): string {
    const match = readMatchPrevented(this.#prevented, 0)
    const ofTaker = closed.orderId === match.takerOrderId
    const lastLots = ofTaker ? match.takerPreventedLots : match.makerPreventedLots
    const counterOrderId = ofTaker ? match.makerOrderId : match.takerOrderId
    const group = match.tradeGroupId >= 0 ? `,"u":${match.tradeGroupId}` : ''
    return `,"v":${match.preventedMatchId},"A":"${quantityText(spec, closed.preventedLots)}","B":"${quantityText(spec, lastLots)}"${group},"U":${counterOrderId},"Cs":"${spec.name}"`
  }
}

const isEnd = (buffer: RecordBuffer, at: number): boolean =>
  (recordFlags(buffer, at) & FLAG_LAST) !== 0

/** What the report says of the event whatever its kind. */
interface Envelope {
  readonly spec: SymbolSpec
  readonly eventTimeMs: number
  readonly timeMs: number
  readonly executionId: number
  readonly microseconds: boolean
}

/** Executions count per symbol: an event makes at most two reports, so its sequence gives two ids. */
function envelopeOf(
  spec: SymbolSpec,
  { f64 }: RecordBuffer,
  at: number,
  ofMaker: boolean,
  times: ReportTimes,
): Envelope {
  const double = at >> 3
  return {
    spec,
    ...times,
    timeMs: f64[double + EventHeader.timeMs]!,
    executionId: f64[double + EventHeader.sequence]! * 2 + (ofMaker ? 1 : 0),
  }
}

function acceptedOrder(
  buffer: RecordBuffer,
  at: number,
  filledLots: number,
  filledAtoms: number,
): ReportedOrder {
  const accepted = readOrderAccepted(buffer, at)
  return { ...accepted, filledLots, filledAtoms, createdMs: accepted.timeMs, renamedFrom: '' }
}

/** Makers rest at their own price, which is the trade's, and were never asked for by quote amount. */
const makerOrder = (trade: TradeRecord): ReportedOrder => ({
  orderId: trade.makerOrderId,
  terms: trade.makerTerms,
  priceTicks: trade.priceTicks,
  lots: trade.makerLots,
  quoteAtoms: 0,
  filledLots: trade.makerFilledLots,
  filledAtoms: trade.makerFilledAtoms,
  createdMs: trade.makerCreatedMs,
  clientOrderId: trade.makerClientOrderId,
  renamedFrom: '',
})

/** Every order that has no trigger works from its acceptance on, so `W` is always there. */
function report(envelope: Envelope, order: ReportedOrder, occurrence: Occurrence): string {
  const { spec, microseconds } = envelope
  const { quote } = spec
  const { terms } = order
  const created = timeOf(order.createdMs, microseconds)
  const head = `{"e":"executionReport","E":${timeOf(envelope.eventTimeMs, microseconds)},"s":"${spec.name}","c":"${order.clientOrderId}","S":"${sideNames[sideOf(terms)]}","o":"${typeNames[typeOf(terms)]}","f":"${timeInForceNames[timeInForceOf(terms)]}","q":"${quantityText(spec, order.lots)}","p":"${priceText(spec, order.priceTicks)}","P":"${ZERO}","F":"${ZERO}","g":-1,"C":"${order.renamedFrom}"`
  const event = `"x":"${occurrence.execution}","X":"${statusNames[occurrence.status]}","r":"NONE","i":${order.orderId},"z":"${quantityText(spec, order.filledLots)}","T":${timeOf(envelope.timeMs, microseconds)},"I":${envelope.executionId},"w":${occurrence.working},"O":${created},"Z":"${atomsText(quote, order.filledAtoms)}","Q":"${atomsText(quote, order.quoteAtoms)}","W":${created}`
  return `${head},${event},${fillMembers(spec, terms, occurrence.fill)}${occurrence.conditional ?? ''},"V":"${preventionName(terms)}"}`
}

function fillMembers(spec: SymbolSpec, terms: number, fill: Fill | undefined): string {
  if (fill === undefined) {
    return `"l":"${ZERO}","L":"${ZERO}","n":"0","N":null,"t":-1,"m":false,"M":false,"Y":"${ZERO}"`
  }
  const received: AssetSpec = sideOf(terms) === Side.BUY ? spec.base : spec.quote
  return `"l":"${quantityText(spec, fill.lots)}","L":"${priceText(spec, fill.priceTicks)}","n":"${atomsText(received, fill.commissionAtoms)}","N":"${received.name}","t":${fill.tradeId},"m":${fill.isMaker},"M":true,"Y":"${notionalText(spec, fill.priceTicks, fill.lots)}"`
}

function copyRecord(from: RecordBuffer, at: number, to: RecordBuffer): void {
  const words = recordLength(from, at) >> 2
  const word = at >> 2
  for (let i = 0; i < words; i++) to.i32[i] = from.i32[word + i]!
}
