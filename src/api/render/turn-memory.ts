/**
 * What the events of one command say once, and its later events leave out: the orders that entered or
 * began their turn, details, commissions paid in other assets, the match that was prevented. Events
 * of a command are contiguous in a matcher's stream. Fed every event in order by its reporter.
 */
import { isDetailed, isStopType, OrderPhase, type OrderTerms, typeOf } from '../../base/codes.ts'
import {
  EventHeader,
  MatchPrevented,
  OrderAccepted,
  OrderDetails,
  OrderReleased,
  OrderTriggered,
  RecordHeader,
  Trade,
  TradeCommission,
} from '../../layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../../layout/record-buffer.ts'
import {
  type OrderDetailsRecord,
  readMatchPrevented,
  readOrderDetails,
} from '../../layout/records.gen.ts'
import type { AssetSpec } from '../../market/listing.ts'
import type { Commission, Prevention } from './execution-report.ts'

/** A list enters three orders at once; no command more. */
const OPENERS = 3

/** An order that entered, or began its turn. */
export class Opener {
  /** Its OrderAccepted, OrderTriggered or OrderReleased: the ring's bytes are gone when needed. */
  readonly record = RecordBuffer.allocate(Math.max(OrderAccepted.bytes, OrderTriggered.bytes))
  orderId = 0
  /** As of that event; of an order that was detailed by then. */
  details: OrderDetailsRecord | undefined
  /** False when it was detailed and its details were missed. */
  isWhole = true
  /** Lost to self-trade prevention so far. */
  preventedLots = 0
}

export class TurnMemory {
  readonly #assets: readonly AssetSpec[]
  readonly #openers = Array.from({ length: OPENERS }, () => new Opener())
  #openerCount = 0
  /** Of the last OrderDetails that did not open a turn. */
  #details: OrderDetailsRecord | undefined
  readonly #prevented = RecordBuffer.allocate(MatchPrevented.bytes)
  /** Of the trade just read, or of the one that follows, by taker and maker. */
  readonly #commissions: (Commission | undefined)[] = [undefined, undefined]
  #commissionsAreOld = false
  #gateway = -1
  #correlation = 0
  #isOver = true

  /** `assets` by id. */
  constructor(assets: readonly AssetSpec[]) {
    this.#assets = assets
  }

  /** Whether this event is of another command, or another turn, than those before it. */
  begins(records: RecordBuffer, at: number): boolean {
    return (
      this.#isOver ||
      RecordHeader.gateway(records, at) !== this.#gateway ||
      RecordHeader.correlation(records, at) !== this.#correlation
    )
  }

  /** No more events of this command will come. What is remembered stays until others do. */
  end(): void {
    this.#isOver = true
  }

  /** Takes in the next event. */
  read(buffer: RecordBuffer, at: number): void {
    if (this.begins(buffer, at)) this.#begin(buffer, at)
    if (this.#commissionsAreOld) {
      this.#forgetCommissions()
      this.#commissionsAreOld = false
    }
    switch (recordType(buffer, at)) {
      case OrderAccepted.type:
      case OrderTriggered.type:
      case OrderReleased.type:
        this.#opened(buffer, at)
        break
      case Trade.type:
        this.#commissionsAreOld = this.#commissions.some((it) => it !== undefined)
        break
      case OrderDetails.type:
        this.#details = readOrderDetails(buffer, at)
        break
      case MatchPrevented.type:
        this.#matchPrevented(buffer, at)
        break
      case TradeCommission.type:
        this.#paidOtherwise(buffer, at)
        break
    }
  }

  openerOf(orderId: number): Opener | undefined {
    const count = Math.min(this.#openerCount, OPENERS)
    for (let i = 0; i < count; i++) {
      if (this.#openers[i]!.orderId === orderId) return this.#openers[i]
    }
    return undefined
  }

  /** The latest of an order; undefined when it is plain. */
  detailsOf(orderId: number, terms: OrderTerms): OrderDetailsRecord | undefined {
    if (!isDetailed(terms)) return undefined
    return this.#details?.orderId === orderId ? this.#details : this.openerOf(orderId)?.details
  }

  /** Whether its details are known, if it has any: they are not to who came in the middle. */
  knows(orderId: number, terms: OrderTerms): boolean {
    if (!isDetailed(terms) || this.detailsOf(orderId, terms) !== undefined) return true
    return this.openerOf(orderId)?.isWhole === true
  }

  /** Of a side of the trade just read, when it is paid in another asset than it receives. */
  otherCommission(isMaker: boolean): Commission | undefined {
    return this.#commissions[isMaker ? 1 : 0]
  }

  /** The last match that was prevented, as one of its orders sees it. */
  preventionOf(orderId: number, preventedLots: number): Prevention {
    const match = readMatchPrevented(this.#prevented, 0)
    const ofTaker = orderId === match.takerOrderId
    return {
      ...match,
      preventedLots,
      lastPreventedLots: ofTaker ? match.takerPreventedLots : match.makerPreventedLots,
      counterOrderId: ofTaker ? match.makerOrderId : match.takerOrderId,
    }
  }

  #begin(records: RecordBuffer, at: number): void {
    this.#openerCount = 0
    this.#details = undefined
    this.#forgetCommissions()
    this.#isOver = false
    this.#gateway = RecordHeader.gateway(records, at)
    this.#correlation = RecordHeader.correlation(records, at)
  }

  #forgetCommissions(): void {
    this.#commissions[0] = undefined
    this.#commissions[1] = undefined
  }

  /** The three records have an order's fields at the same places. */
  #opened(buffer: RecordBuffer, at: number): void {
    const opener = this.#openers[this.#openerCount % OPENERS]!
    const terms = OrderAccepted.terms(buffer, at)
    this.#openerCount++
    copyRecord(buffer, at, opener.record)
    opener.orderId = OrderAccepted.orderId(buffer, at)
    opener.details = undefined
    opener.preventedLots = 0
    opener.isWhole = !isDetailed(terms)
    if (opener.isWhole || this.#details?.orderId !== opener.orderId) return
    opener.isWhole = true
    const details = this.#details
    const phase = phaseAfter(recordType(buffer, at), terms, details)
    const timeMs = EventHeader.timeMs(buffer, at)
    opener.details = { ...details, phase, workingMs: phase === OrderPhase.WORKING ? timeMs : -1 }
    opener.preventedLots = details.preventedLots
    this.#details = undefined
  }

  #matchPrevented(buffer: RecordBuffer, at: number): void {
    copyRecord(buffer, at, this.#prevented)
    const taker = this.openerOf(MatchPrevented.takerOrderId(buffer, at))
    if (taker === undefined) return
    taker.preventedLots += MatchPrevented.takerPreventedLots(buffer, at)
  }

  #paidOtherwise(records: RecordBuffer, at: number): void {
    const asset = this.#assets[TradeCommission.assetId(records, at)]
    if (asset === undefined) return
    const atoms = TradeCommission.atoms(records, at)
    this.#commissions[TradeCommission.isMaker(records, at)] = { asset, atoms }
  }
}

/** The phase that an order is in once the event after its details has happened. */
function phaseAfter(type: number, terms: OrderTerms, details: OrderDetailsRecord): OrderPhase {
  if (type === OrderAccepted.type) return details.phase as OrderPhase
  const waits = type === OrderReleased.type && isStopType(typeOf(terms))
  return waits ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING
}

/** For those who need a record when the ring's bytes are gone. */
export function copyRecord(from: RecordBuffer, at: number, to: RecordBuffer): void {
  const length = recordLength(from, at)
  for (let i = 0; i < length; i += 4) to.i32[i >> 2] = from.i32[(at + i) >> 2]!
}
