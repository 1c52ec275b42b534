/**
 * What each event means to the owners of the orders that it concerns: which executionReport they get
 * (supplement 2e.2). One reporter per event ring, fed every record in order; texts are made only when
 * asked for, while the record can still be read.
 *
 * Whoever begins to read in the middle of a command gets no report of what its first events were
 * needed for.
 */
import { isDetailed, OrderPhase, OrderStatus } from '../../base/codes.ts'
import {
  EventHeader,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderEvent,
  OrderReleased,
  OrderTriggered,
  Rejected,
  ReplaceResult,
  Trade,
} from '../../layout/accessors.gen.ts'
import { executionIdOf } from '../../layout/execution-id.ts'
import { RecordBuffer, recordFlags, recordType } from '../../layout/record-buffer.ts'
import {
  FLAG_LAST,
  type OrderDetailsRecord,
  readOrderAccepted,
  readOrderAmended,
  readOrderClosed,
  readOrderDecremented,
  readOrderTriggered,
  readReplaceResult,
  readTrade,
  type TradeRecord,
} from '../../layout/records.gen.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import {
  type Commission,
  type Envelope,
  executionReport,
  isMarketType,
  type ReportedOrder,
  receivedAsset,
  rejectName,
} from './execution-report.ts'
import { expiryReasonNames, openStatus } from './terms.ts'
import { copyRecord, TurnMemory } from './turn-memory.ts'

const NO_ACCOUNT = -1

/** How the asking connection wants its times. */
export interface ReportTimes {
  readonly eventTimeMs: number
  readonly microseconds: boolean
}

export class ExecutionReporter {
  readonly #memory: TurnMemory
  /** A taker's trade whose report waits for what follows. */
  readonly #heldTrade = RecordBuffer.allocate(Trade.bytes)
  #heldCommission: Commission | undefined
  #heldStatus: OrderStatus = OrderStatus.FILLED
  #isHolding = false
  /** Whose report the record just read makes; -1 when it makes none. */
  owner: number = NO_ACCOUNT
  /** The maker's owner, when the record just read is a trade; else -1. */
  makerOwner: number = NO_ACCOUNT
  /** Whose report was held back and is to be sent now, before any other; -1 for nobody's. */
  heldOwner: number = NO_ACCOUNT

  /** `assets` by id. */
  constructor(assets: readonly AssetSpec[]) {
    this.#memory = new TurnMemory(assets)
  }

  /** Whether this event is of another command, or another turn, than those before it. */
  begins(buffer: RecordBuffer, at: number): boolean {
    return this.#memory.begins(buffer, at)
  }

  /** Takes in the next record, and sets whose reports it makes. */
  read(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    this.owner = NO_ACCOUNT
    this.makerOwner = NO_ACCOUNT
    this.heldOwner = NO_ACCOUNT
    if (type >= Rejected.type) this.#readReply(type, buffer, at)
    else this.#readEvent(type, buffer, at)
  }

  /** No more events of this command will come: sets `heldOwner`. */
  end(): void {
    this.#memory.end()
    this.heldOwner = this.#isHolding ? Trade.takerAccount(this.#heldTrade, 0) : NO_ACCOUNT
    this.#isHolding = false
  }

  /** The report of the record just read, for `owner`, or for `makerOwner` when `ofMaker`. */
  text(
    spec: SymbolSpec,
    buffer: RecordBuffer,
    at: number,
    ofMaker: boolean,
    times: ReportTimes,
  ): string {
    const type = recordType(buffer, at)
    if (type === ReplaceResult.type) return rejectedText(spec, buffer, at, times)
    const envelope = envelopeOf(spec, buffer, at, ofMaker, times)
    switch (type) {
      case Trade.type:
        return ofMaker
          ? this.#makerText(envelope, readTrade(buffer, at))
          : this.#takerText(envelope, readTrade(buffer, at))
      case OrderClosed.type:
        return this.#closedText(envelope, buffer, at)
      case OrderAmended.type:
        return this.#amendedText(envelope, buffer, at)
      case OrderDecremented.type:
        return this.#decrementedText(envelope, buffer, at)
      default:
        return this.#newText(envelope, buffer, at)
    }
  }

  /** The report for `heldOwner`. */
  heldText(spec: SymbolSpec, times: ReportTimes): string {
    const envelope = envelopeOf(spec, this.#heldTrade, 0, false, times)
    const trade = readTrade(this.#heldTrade, 0)
    const { record, details } = this.#memory.openerOf(trade.takerOrderId)!
    const order = openedOrder(record, 0, details, trade.takerFilledLots, trade.takerFilledAtoms)
    return tradeText(envelope, order, trade, this.#heldStatus, this.#heldCommission)
  }

  /** A refused replacement is told to all of its owner's listeners, since no event tells of it. */
  #readReply(type: number, records: RecordBuffer, at: number): void {
    if (type !== ReplaceResult.type || ReplaceResult.orderReason(records, at) <= 0) return
    this.owner = ReplaceResult.account(records, at)
  }

  #readEvent(type: number, buffer: RecordBuffer, at: number): void {
    this.#memory.read(buffer, at)
    switch (type) {
      case OrderAccepted.type:
      case OrderTriggered.type:
      case OrderReleased.type:
        this.owner = this.#ownerOf(buffer, at)
        break
      case Trade.type:
        this.#traded(buffer, at)
        break
      case OrderClosed.type:
        this.#decideHeld(buffer, at)
        this.owner = this.#ownerOf(buffer, at)
        break
      case OrderAmended.type:
        this.owner = this.#ownerOf(buffer, at)
        break
      case OrderDecremented.type:
        this.owner = this.#ownerOf(buffer, at)
        break
    }
  }

  #ownerOf(buffer: RecordBuffer, at: number): number {
    const orderId = OrderEvent.orderId(buffer, at)
    const isKnown = this.#memory.knows(orderId, OrderEvent.terms(buffer, at))
    return isKnown ? OrderEvent.account(buffer, at) : NO_ACCOUNT
  }

  #traded(buffer: RecordBuffer, at: number): void {
    if (this.#memory.knows(Trade.makerOrderId(buffer, at), Trade.makerTerms(buffer, at))) {
      this.makerOwner = Trade.makerAccount(buffer, at)
    }
    const taker = this.#memory.openerOf(Trade.takerOrderId(buffer, at))
    if (taker === undefined) return
    const { record } = taker
    const leftLots = OrderAccepted.lots(record, 0) - taker.preventedLots
    const isAll = Trade.takerFilledLots(buffer, at) === leftLots
    const isLast = (recordFlags(buffer, at) & FLAG_LAST) !== 0
    if (isAll && !isLast && OrderAccepted.quoteAtoms(record, 0) > 0) this.#hold(buffer, at)
    else this.owner = Trade.takerAccount(buffer, at)
  }

  /**
   * A MARKET order by quote amount may have traded all that it came to and still expire, because the
   * book ran out: only what follows its last trade tells.
   */
  #hold(buffer: RecordBuffer, at: number): void {
    copyRecord(buffer, at, this.#heldTrade)
    this.#heldCommission = this.#memory.otherCommission(false)
    this.#heldStatus = OrderStatus.FILLED
    this.#isHolding = true
  }

  #decideHeld(records: RecordBuffer, at: number): void {
    if (!this.#isHolding) return
    if (OrderClosed.orderId(records, at) !== Trade.takerOrderId(this.#heldTrade, 0)) return
    this.#heldStatus = OrderStatus.PARTIALLY_FILLED
    this.#isHolding = false
    this.heldOwner = Trade.takerAccount(this.#heldTrade, 0)
  }

  #newText(envelope: Envelope, buffer: RecordBuffer, at: number): string {
    const orderId = OrderAccepted.orderId(buffer, at)
    const { details } = this.#memory.openerOf(orderId)!
    const phase = details?.phase ?? OrderPhase.WORKING
    return executionReport(envelope, openedOrder(buffer, at, details, 0, 0), {
      execution: 'NEW',
      status: phase === OrderPhase.PENDING ? OrderStatus.PENDING_NEW : OrderStatus.NEW,
      working: phase === OrderPhase.WORKING,
    })
  }

  #takerText(envelope: Envelope, trade: TradeRecord): string {
    const { takerFilledLots, takerFilledAtoms } = trade
    const { record, details, preventedLots } = this.#memory.openerOf(trade.takerOrderId)!
    const order = openedOrder(record, 0, details, takerFilledLots, takerFilledAtoms)
    const status = openStatus(takerFilledLots, order.lots, preventedLots)
    return tradeText(envelope, order, trade, status, this.#memory.otherCommission(false))
  }

  /** Makers rest at their own price, which is the trade's, and were never asked for by quote amount. */
  #makerText(envelope: Envelope, trade: TradeRecord): string {
    const details = this.#memory.detailsOf(trade.makerOrderId, trade.makerTerms)
    const order: ReportedOrder = {
      orderId: trade.makerOrderId,
      terms: trade.makerTerms,
      priceTicks: trade.priceTicks,
      lots: trade.makerLots,
      quoteAtoms: 0,
      filledLots: trade.makerFilledLots,
      filledAtoms: trade.makerFilledAtoms,
      createdMs: trade.makerCreatedMs,
      workingMs: details?.workingMs ?? trade.makerCreatedMs,
      clientOrderId: trade.makerClientOrderId,
      renamedFrom: '',
      details,
    }
    const status = openStatus(order.filledLots, order.lots, details?.preventedLots)
    return tradeText(envelope, order, trade, status, this.#memory.otherCommission(true))
  }

  #closedText(envelope: Envelope, buffer: RecordBuffer, at: number): string {
    const closed = readOrderClosed(buffer, at)
    const isCanceled = closed.status === OrderStatus.CANCELED
    const order: ReportedOrder = {
      ...this.#changedOrder(closed),
      clientOrderId: isCanceled ? closed.clientOrderId : closed.origClientOrderId,
      renamedFrom: isCanceled ? closed.origClientOrderId : '',
    }
    const status = closed.status as OrderStatus
    const base = { status, working: false }
    if (isCanceled) return executionReport(envelope, order, { ...base, execution: 'CANCELED' })
    if (status === OrderStatus.EXPIRED_IN_MATCH) {
      const prevention = this.#memory.preventionOf(closed.orderId, closed.preventedLots)
      const execution = 'TRADE_PREVENTION'
      return executionReport(envelope, order, { ...base, execution, prevention })
    }
    const expiryReason = expiryReasonNames[closed.reason]!
    return executionReport(envelope, order, { ...base, execution: 'EXPIRED', expiryReason })
  }

  #amendedText(envelope: Envelope, buffer: RecordBuffer, at: number): string {
    const amended = readOrderAmended(buffer, at)
    const order = this.#changedOrder(amended)
    const { filledLots, lots, preventedLots } = amended
    const phase = order.details?.phase ?? OrderPhase.WORKING
    const isPending = phase === OrderPhase.PENDING
    return executionReport(envelope, order, {
      execution: 'REPLACED',
      status: isPending ? OrderStatus.PENDING_NEW : openStatus(filledLots, lots, preventedLots),
      working: phase === OrderPhase.WORKING,
    })
  }

  #decrementedText(envelope: Envelope, buffer: RecordBuffer, at: number): string {
    const decremented = readOrderDecremented(buffer, at)
    const { orderId, terms, filledLots, lots, preventedLots } = decremented
    return executionReport(envelope, this.#changedOrder(decremented), {
      execution: 'TRADE_PREVENTION',
      status: openStatus(filledLots, lots, preventedLots),
      working: !isMarketType(terms),
      prevention: this.#memory.preventionOf(orderId, preventedLots),
    })
  }

  /** The order of an event that changes or ends it. */
  #changedOrder(
    event: Omit<ReportedOrder, 'workingMs' | 'renamedFrom' | 'details'>,
  ): ReportedOrder {
    const details = this.#memory.detailsOf(event.orderId, event.terms)
    const workingMs = details?.workingMs ?? event.createdMs
    return { ...event, workingMs, renamedFrom: '', details }
  }
}

function tradeText(
  envelope: Envelope,
  order: ReportedOrder,
  trade: TradeRecord,
  status: OrderStatus,
  otherCommission: Commission | undefined,
): string {
  const isMaker = order.orderId === trade.makerOrderId
  const atoms = isMaker ? trade.makerCommissionAtoms : trade.takerCommissionAtoms
  const commission = otherCommission ?? { asset: receivedAsset(envelope.spec, order.terms), atoms }
  const { priceTicks, tradeLots: lots, quoteAtoms, tradeId } = trade
  return executionReport(envelope, order, {
    execution: 'TRADE',
    status,
    working: status !== OrderStatus.FILLED && !isMarketType(order.terms),
    fill: { priceTicks, lots, quoteAtoms, tradeId, commission, isMaker },
  })
}

/** From the record that entered the order or began its turn. */
function openedOrder(
  buffer: RecordBuffer,
  at: number,
  details: OrderDetailsRecord | undefined,
  filledLots: number,
  filledAtoms: number,
): ReportedOrder {
  const isAccepted = recordType(buffer, at) === OrderAccepted.type
  // OrderReleased has the fields of OrderTriggered.
  const opened = isAccepted
    ? { ...readOrderAccepted(buffer, at), createdMs: EventHeader.timeMs(buffer, at) }
    : readOrderTriggered(buffer, at)
  const workingMs = details?.workingMs ?? opened.createdMs
  return { ...opened, filledLots, filledAtoms, workingMs, renamedFrom: '', details }
}

/** The placement of a ReplaceOrder that was refused, whatever became of the cancel. */
function rejectedText(
  spec: SymbolSpec,
  buffer: RecordBuffer,
  at: number,
  times: ReportTimes,
): string {
  const result = readReplaceResult(buffer, at)
  const neverBegan = { orderListId: -1, trailingMs: -1, phase: OrderPhase.UNTRIGGERED }
  const order: ReportedOrder = {
    ...result,
    orderId: -1,
    filledLots: 0,
    filledAtoms: 0,
    createdMs: result.timeMs,
    workingMs: -1,
    renamedFrom: '',
    details: isDetailed(result.terms) ? { ...result, ...neverBegan, workingMs: -1 } : undefined,
  }
  const envelope = { spec, ...times, timeMs: result.timeMs, executionId: -1 }
  return executionReport(envelope, order, {
    execution: 'REJECTED',
    status: OrderStatus.REJECTED,
    working: false,
    rejectReason: rejectName(result.orderReason),
  })
}

function envelopeOf(
  spec: SymbolSpec,
  records: RecordBuffer,
  at: number,
  ofMaker: boolean,
  times: ReportTimes,
): Envelope {
  const executionId = executionIdOf(EventHeader.sequence(records, at), ofMaker)
  return { spec, ...times, timeMs: EventHeader.timeMs(records, at), executionId }
}
