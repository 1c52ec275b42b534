/**
 * What each event means to the owners of the orders that it concerns: which executionReport they get
 * (supplement 2e.2). An event says all that its reports need, so a reporter remembers no event but the
 * one that it has just read. Texts are made only when asked for, while the record can still be read.
 */
import { isDetailed, OrderPhase, OrderStatus } from '../../base/codes.ts'
import { Lots, Ms, OrderId, OrderListId, QuoteAtoms } from '../../base/units.ts'
import {
  EventHeader,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderEvent,
  OrderReleased,
  OrderTriggered,
  ReplaceResult,
  Trade,
} from '../../layout/accessors.gen.ts'
import { executionIdOf } from '../../layout/execution-id.ts'
import { OrderFold, OrderSide } from '../../layout/order-fold.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { readPreventionSection, readReplaceResult } from '../../layout/records.gen.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import {
  type Envelope,
  executionReport,
  type Fill,
  isMarketType,
  type Occurrence,
  type Prevention,
  type ReportedOrder,
  receivedAsset,
  rejectName,
} from './execution-report.ts'
import { foldedOrder, renamedFrom } from './folded-order.ts'
import { expiryReasonNames } from './terms.ts'

const NO_ACCOUNT = -1

/** How the asking connection wants its times. */
export interface ReportTimes {
  readonly eventTimeMs: Ms
  readonly microseconds: boolean
}

export class ExecutionReporter {
  readonly #assets: readonly AssetSpec[]
  readonly #fold = new OrderFold()
  /** Whose report the record just read makes; -1 when it makes none. */
  owner: number = NO_ACCOUNT
  /** The maker's owner, when the record just read is a trade; else -1. */
  makerOwner: number = NO_ACCOUNT

  /** `assets` by id. */
  constructor(assets: readonly AssetSpec[]) {
    this.#assets = assets
  }

  /** Sets whose reports the record makes. */
  read(buffer: RecordBuffer, at: number): void {
    this.owner = NO_ACCOUNT
    this.makerOwner = NO_ACCOUNT
    switch (recordType(buffer, at)) {
      case OrderAccepted.type:
      case OrderTriggered.type:
      case OrderReleased.type:
      case OrderClosed.type:
      case OrderAmended.type:
      case OrderDecremented.type:
        this.owner = OrderEvent.account(buffer, at)
        break
      case Trade.type:
        this.owner = Trade.takerAccount(buffer, at)
        this.makerOwner = Trade.makerAccount(buffer, at)
        break
      case ReplaceResult.type:
        // All listeners of its owner are told of a refused replacement, since no event tells of it.
        if (ReplaceResult.orderReason(buffer, at) > 0) {
          this.owner = ReplaceResult.account(buffer, at)
        }
        break
    }
  }

  /** The report of the record just read, for `owner`, or for `makerOwner` when `ofMaker`. */
  text(
    spec: SymbolSpec,
    buffer: RecordBuffer,
    at: number,
    ofMaker: boolean,
    times: ReportTimes,
  ): string {
    if (recordType(buffer, at) === ReplaceResult.type) return rejectedText(spec, buffer, at, times)
    const fold = this.#fold
    fold.read(buffer, at, ofMaker ? OrderSide.MAKER : OrderSide.TAKER)
    const { workingMs } = fold
    const row = foldedOrder(fold, buffer)
    const order: ReportedOrder = {
      ...row,
      workingMs,
      renamedFrom: renamedFrom(fold, buffer),
      details: row.details,
    }
    const occurrence = this.#occurrence(spec, buffer, at, ofMaker)
    return executionReport(envelopeOf(spec, buffer, at, ofMaker, times), order, occurrence)
  }

  /** What happened to the order that the fold has just read. */
  #occurrence(spec: SymbolSpec, buffer: RecordBuffer, at: number, ofMaker: boolean): Occurrence {
    const { terms, phase, preventionAt } = this.#fold
    const status = this.#fold.status as OrderStatus
    switch (recordType(buffer, at)) {
      case Trade.type:
        return {
          execution: 'TRADE',
          status,
          working: status !== OrderStatus.FILLED && !isMarketType(terms),
          fill: this.#fill(spec, buffer, at, ofMaker),
        }
      case OrderClosed.type:
        return this.#closed(buffer, status)
      case OrderAmended.type:
        return { execution: 'REPLACED', status, working: phase === OrderPhase.WORKING }
      case OrderDecremented.type: {
        const prevention = this.#prevention(buffer, preventionAt)
        const working = !isMarketType(terms)
        return { execution: 'TRADE_PREVENTION', status, working, prevention }
      }
      default:
        return { execution: 'NEW', status, working: phase === OrderPhase.WORKING }
    }
  }

  #closed(buffer: RecordBuffer, status: OrderStatus): Occurrence {
    const { reason, preventionAt } = this.#fold
    const base = { status, working: false }
    if (status === OrderStatus.CANCELED) return { ...base, execution: 'CANCELED' }
    if (status === OrderStatus.EXPIRED_IN_MATCH) {
      const prevention = this.#prevention(buffer, preventionAt)
      return { ...base, execution: 'TRADE_PREVENTION', prevention }
    }
    return { ...base, execution: 'EXPIRED', expiryReason: expiryReasonNames[reason]! }
  }

  #fill(spec: SymbolSpec, buffer: RecordBuffer, at: number, isMaker: boolean): Fill {
    const { terms, commissionAtoms, commissionAssetId } = this.#fold
    const other = commissionAssetId < 0 ? undefined : this.#assets[commissionAssetId]
    return {
      priceTicks: Trade.priceTicks(buffer, at),
      lots: Trade.tradeLots(buffer, at),
      quoteAtoms: Trade.quoteAtoms(buffer, at),
      tradeId: Trade.tradeId(buffer, at),
      commission: { asset: other ?? receivedAsset(spec, terms), atoms: commissionAtoms },
      isMaker,
    }
  }

  #prevention(buffer: RecordBuffer, preventionAt: number): Prevention {
    const { preventedLots } = this.#fold
    return { ...readPreventionSection(buffer, preventionAt), preventedLots }
  }
}

/** The placement of a ReplaceOrder that was refused, whatever became of the cancel. */
function rejectedText(
  spec: SymbolSpec,
  buffer: RecordBuffer,
  at: number,
  times: ReportTimes,
): string {
  const result = readReplaceResult(buffer, at)
  const neverBegan = {
    orderListId: OrderListId(-1),
    trailingMs: Ms(-1),
    phase: OrderPhase.UNTRIGGERED,
  }
  const order: ReportedOrder = {
    ...result,
    orderId: OrderId(-1),
    filledLots: Lots(0),
    filledAtoms: QuoteAtoms(0),
    createdMs: result.timeMs,
    workingMs: Ms(-1),
    renamedFrom: '',
    details: isDetailed(result.terms) ? { ...result, ...neverBegan, workingMs: Ms(-1) } : undefined,
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
  buffer: RecordBuffer,
  at: number,
  ofMaker: boolean,
  times: ReportTimes,
): Envelope {
  const executionId = executionIdOf(EventHeader.sequence(buffer, at), ofMaker)
  return { spec, ...times, timeMs: EventHeader.timeMs(buffer, at), executionId }
}
