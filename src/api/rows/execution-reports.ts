/**
 * What each event means to the owners of the orders that it concerns: which executionReport they get
 * (user-data-stream.md). An event contains all that its reports need, so a reporter remembers no event but the
 * one that it has just read. Reports are made on demand alone, while the record can still be read.
 */
import {
  isDetailed,
  isMarketType,
  MatchType,
  OrderPhase,
  OrderStatus,
  Side,
  sideOf,
  typeOf,
} from '../../base/codes.ts'
import { product } from '../../base/int64.ts'
import { baseAtomsOf, Notional } from '../../base/notional.ts'
import { Lots, Ms, OrderId, OrderListId, QuoteAtoms, Ticks, TradeId } from '../../base/units.ts'
import {
  AcrossSection,
  Allocation,
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
import { OrderSide, OrderView } from '../../layout/order-view.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { readPreventionSection, readReplaceResult } from '../../layout/records.gen.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import type { RowOf } from '../answers/element.ts'
import { Execution, type executionReport } from '../answers/user-events.ts'
import { renamedFrom, viewedOrder } from './viewed-order.ts'

const NO_ACCOUNT = -1

export type Report = RowOf<(typeof executionReport)['elements']>

type Growing = { -readonly [Property in keyof Report]?: Report[Property] }

/** What a report contains of the event. */
type Occurrence = Pick<Report, 'execution' | 'isOnBook' | 'fill' | 'prevention'>

export class ExecutionReporter {
  private readonly assets: readonly AssetSpec[]
  private readonly symbols: readonly SymbolSpec[]
  private readonly view = new OrderView()
  /** Whose report the record just read makes; -1 when it makes none. */
  owner: number = NO_ACCOUNT
  /** The maker's owner, when the record just read is a trade; else -1. */
  makerOwner: number = NO_ACCOUNT

  /** Both by id. */
  constructor(assets: readonly AssetSpec[], symbols: readonly SymbolSpec[]) {
    this.assets = assets
    this.symbols = symbols
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
      case Allocation.type:
        this.owner = Allocation.takerAccount(buffer, at)
        break
      case Trade.type:
        this.owner = Trade.takerAccount(buffer, at)
        this.makerOwner = Trade.makerAccount(buffer, at)
        break
      case ReplaceResult.type:
        // All listeners of its owner get a refused replacement, since no event reports it.
        if (ReplaceResult.orderReason(buffer, at) > 0) {
          this.owner = ReplaceResult.account(buffer, at)
        }
        break
    }
  }

  /** The report of the record just read, for `owner`, or for `makerOwner` when `ofMaker`. */
  report(
    spec: SymbolSpec,
    buffer: RecordBuffer,
    at: number,
    ofMaker: boolean,
    eventTimeMs: Ms,
  ): Report {
    if (recordType(buffer, at) === ReplaceResult.type) return rejection(buffer, at, eventTimeMs)
    const view = this.view
    view.read(buffer, at, ofMaker ? OrderSide.MAKER : OrderSide.TAKER)
    // Fields are set one by one: a spread of so many takes six times as long.
    const report: Growing = viewedOrder(spec, view, buffer)
    report.workingMs = view.workingMs
    report.renamedFrom = renamedFrom(view, buffer)
    report.eventTimeMs = eventTimeMs
    report.timeMs = EventHeader.timeMs(buffer, at)
    report.executionId = executionIdOf(EventHeader.sequence(buffer, at), ofMaker)
    report.rejectReason = 0
    const { execution, isOnBook, fill, prevention } = this.occurrence(spec, buffer, at, ofMaker)
    report.execution = execution
    report.isOnBook = isOnBook
    report.fill = fill
    report.prevention = prevention
    return report as Report
  }

  /** What happened to the order that the view has just read. */
  private occurrence(
    spec: SymbolSpec,
    buffer: RecordBuffer,
    at: number,
    ofMaker: boolean,
  ): Occurrence {
    const { terms, phase, status } = this.view
    // Orders without a limit price never rest: they are on the book only as they are new.
    const mayRest = !isMarketType(typeOf(terms))
    switch (recordType(buffer, at)) {
      case Trade.type:
      case Allocation.type:
        return {
          execution: Execution.TRADE,
          isOnBook: status !== OrderStatus.FILLED && mayRest,
          fill: this.fill(spec, buffer, at, ofMaker),
        }
      case OrderClosed.type:
        return this.closed(spec, buffer, status)
      case OrderAmended.type:
        return { execution: Execution.REPLACED, isOnBook: phase === OrderPhase.WORKING }
      case OrderDecremented.type:
        return {
          execution: Execution.TRADE_PREVENTION,
          isOnBook: mayRest,
          prevention: this.prevention(spec, buffer),
        }
      default:
        return { execution: Execution.NEW, isOnBook: phase === OrderPhase.WORKING }
    }
  }

  private closed(spec: SymbolSpec, buffer: RecordBuffer, status: number): Occurrence {
    if (status === OrderStatus.CANCELED) return { execution: Execution.CANCELED, isOnBook: false }
    if (status !== OrderStatus.EXPIRED_IN_MATCH) {
      return { execution: Execution.EXPIRED, isOnBook: false }
    }
    const prevention = this.prevention(spec, buffer)
    return { execution: Execution.TRADE_PREVENTION, isOnBook: false, prevention }
  }

  private fill(
    spec: SymbolSpec,
    buffer: RecordBuffer,
    at: number,
    isMaker: boolean,
  ): Report['fill'] {
    const { terms, commissionAtoms, commissionAssetId } = this.view
    const received = sideOf(terms) === Side.BUY ? spec.base : spec.quote
    const other = commissionAssetId < 0 ? undefined : this.assets[commissionAssetId]
    const commissionAsset = other ?? received
    if (recordType(buffer, at) === Allocation.type) {
      return {
        priceUnits: Allocation.priceUnits(buffer, at),
        lots: Allocation.allocatedLots(buffer, at),
        quoteAtoms: Allocation.quoteAtoms(buffer, at),
        tradeId: TradeId(-1),
        commissionAtoms,
        commissionAsset,
        isMaker,
        matchType: MatchType.ONE_PARTY_TRADE_REPORT,
        allocationId: Allocation.allocationId(buffer, at),
      }
    }
    return {
      priceUnits: product(Trade.priceTicks(buffer, at), spec.tickUnits),
      lots: Trade.tradeLots(buffer, at),
      quoteAtoms: Trade.quoteAtoms(buffer, at),
      tradeId: Trade.tradeId(buffer, at),
      commissionAtoms,
      commissionAsset,
      isMaker,
      matchType: Trade.auctionAt(buffer, at) < 0 ? undefined : MatchType.AUCTION,
      allocationId: undefined,
    }
  }

  private prevention(spec: SymbolSpec, buffer: RecordBuffer): Report['prevention'] {
    const { preventedLots, preventionAt, acrossAt } = this.view
    const section = readPreventionSection(buffer, preventionAt)
    const other = acrossAt < 0 ? spec : this.symbols[AcrossSection.otherSymbolId(buffer, acrossAt)]!
    // What would have traded is in units of the maker's symbol.
    const isTaker = acrossAt >= 0 && AcrossSection.isTaker(buffer, acrossAt) === 1
    const maker = isTaker ? other : spec
    return {
      ...section,
      preventedLots,
      counterSymbol: other.name,
      priceUnits: product(section.priceTicks, maker.tickUnits),
      matchBaseAtoms: baseAtomsOf(section.matchLots, maker.atomsPerLot),
      matchAtoms: new Notional(maker).down(section.priceTicks, section.matchLots),
    }
  }
}

/** The placement of a ReplaceOrder that was refused, whatever became of the cancel. */
function rejection(buffer: RecordBuffer, at: number, eventTimeMs: Ms): Report {
  const result = readReplaceResult(buffer, at)
  const neverBegan = {
    orderListId: OrderListId(-1),
    trailingMs: Ms(-1),
    pegLimitTicks: Ticks(-1),
    phase: OrderPhase.UNTRIGGERED,
    workingMs: Ms(-1),
  }
  return {
    ...result,
    orderId: OrderId(-1),
    filledLots: Lots(0),
    filledAtoms: QuoteAtoms(0),
    createdMs: result.timeMs,
    workingMs: Ms(-1),
    renamedFrom: '',
    details: isDetailed(result.terms) ? { ...result, ...neverBegan } : undefined,
    eventTimeMs,
    executionId: -1,
    execution: Execution.REJECTED,
    status: OrderStatus.REJECTED,
    reason: 0,
    isOnBook: false,
    rejectReason: result.orderReason,
  }
}
