/**
 * What is known of the open orders that have more to them than plain terms: one row for each, found
 * by order id. A plain order has no row and never asks for one; the DETAILED bit of its terms says
 * so. Rows stand in columns of the matcher's own memory that double when they are full, so callers
 * read a column anew after `add`. Row 0 is none. Writer: the engine of the symbol.
 *
 * The last columns are those of orders that do not rest on the book; for one that rests the book
 * knows better, and they keep what they said when it last waited.
 */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { OrderPhase } from '../../base/codes.ts'
import { DetailsBlock } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'

const START_ROWS = 64

/** In no list. */
export const NO_LIST = -1

export class Details {
  orderId = new Float64Array(START_ROWS)
  account = new Int32Array(START_ROWS)
  terms = new Int32Array(START_ROWS)
  /** Original quantity, as amended. */
  lots = new Float64Array(START_ROWS)
  /** 0 for none. */
  stopTicks = new Float64Array(START_ROWS)
  /** 0 when it shows all. */
  icebergLots = new Float64Array(START_ROWS)
  /** Of a resting iceberg: open, but not shown. */
  hiddenLots = new Float64Array(START_ROWS)
  /** Lost to self-trade prevention. */
  preventedLots = new Float64Array(START_ROWS)
  /** -1 for none. */
  strategyId = new Float64Array(START_ROWS)
  strategyType = new Int32Array(START_ROWS)
  /** Basis points; 0 when it does not trail. */
  trailingDelta = new Int32Array(START_ROWS)
  /** When its tracking started; -1 while it has not. */
  trailingMs = new Float64Array(START_ROWS)
  /** Best price since tracking started; 0 while it has not. */
  extremeTicks = new Float64Array(START_ROWS)
  /** When it began to work; -1 while it has not. */
  workingMs = new Float64Array(START_ROWS)
  amendments = new Int32Array(START_ROWS)
  orderListId = new Float64Array(START_ROWS)
  /** Place in its list, from 0. */
  leg = new Int32Array(START_ROWS)
  /** OrderPhase; WORKING also while its turn runs. */
  phase = new Int32Array(START_ROWS)

  /** 0 for a market type. */
  priceTicks = new Float64Array(START_ROWS)
  createdMs = new Float64Array(START_ROWS)
  updatedMs = new Float64Array(START_ROWS)
  /** What it needs by itself while it waits: what it holds, but for what a pair holds once. */
  costAtoms = new Float64Array(START_ROWS)
  clientOrderId = new Int32Array(START_ROWS * CLIENT_ORDER_ID_WORDS)

  readonly #rows = new Map<number, number>()
  readonly #free: number[] = []
  #fresh = 1

  /** A new row, whose columns are those of a plain order of that id that works. */
  add(orderId: number): number {
    const row = this.#free.pop() ?? this.#fresh++
    if (row === this.orderId.length) this.#grow()
    this.#rows.set(orderId, row)
    this.orderId[row] = orderId
    this.stopTicks[row] = 0
    this.icebergLots[row] = 0
    this.hiddenLots[row] = 0
    this.preventedLots[row] = 0
    this.strategyId[row] = -1
    this.strategyType[row] = 0
    this.trailingDelta[row] = 0
    this.trailingMs[row] = -1
    this.extremeTicks[row] = 0
    this.workingMs[row] = -1
    this.amendments[row] = 0
    this.orderListId[row] = NO_LIST
    this.leg[row] = 0
    this.phase[row] = OrderPhase.WORKING
    this.costAtoms[row] = 0
    return row
  }

  /** The row of an open order; 0 when it has none. */
  find(orderId: number): number {
    return this.#rows.get(orderId) ?? 0
  }

  remove(row: number): void {
    this.#rows.delete(this.orderId[row]!)
    this.#free.push(row)
  }

  setClientOrderId(row: number, words: Int32Array, at: number): void {
    const own = row * CLIENT_ORDER_ID_WORDS
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) this.clientOrderId[own + i] = words[at + i]!
  }

  /** Writes a row as the block of OrderDetails and OrderStateDetails at byte `at` of `records`. */
  write(row: number, records: RecordBuffer, at: number): void {
    DetailsBlock.setAccount(records, at, this.account[row]!)
    DetailsBlock.setTrailingDelta(records, at, this.trailingDelta[row]!)
    DetailsBlock.setOrderId(records, at, this.orderId[row]!)
    DetailsBlock.setOrderListId(records, at, this.orderListId[row]!)
    DetailsBlock.setStopTicks(records, at, this.stopTicks[row]!)
    DetailsBlock.setIcebergLots(records, at, this.icebergLots[row]!)
    DetailsBlock.setStrategyId(records, at, this.strategyId[row]!)
    DetailsBlock.setStrategyType(records, at, this.strategyType[row]!)
    DetailsBlock.setPhase(records, at, this.phase[row]!)
    DetailsBlock.setTrailingMs(records, at, this.trailingMs[row]!)
    DetailsBlock.setWorkingMs(records, at, this.workingMs[row]!)
    DetailsBlock.setExtremeTicks(records, at, this.extremeTicks[row]!)
    DetailsBlock.setPreventedLots(records, at, this.preventedLots[row]!)
    DetailsBlock.setAmendments(records, at, this.amendments[row]!)
  }

  /** All rows, by order id. */
  sorted(): readonly number[] {
    return [...this.#rows].sort(([a], [b]) => a - b).map(([, row]) => row)
  }

  #grow(): void {
    this.orderId = doubledFloats(this.orderId)
    this.account = doubledInts(this.account)
    this.terms = doubledInts(this.terms)
    this.lots = doubledFloats(this.lots)
    this.stopTicks = doubledFloats(this.stopTicks)
    this.icebergLots = doubledFloats(this.icebergLots)
    this.hiddenLots = doubledFloats(this.hiddenLots)
    this.preventedLots = doubledFloats(this.preventedLots)
    this.strategyId = doubledFloats(this.strategyId)
    this.strategyType = doubledInts(this.strategyType)
    this.trailingDelta = doubledInts(this.trailingDelta)
    this.trailingMs = doubledFloats(this.trailingMs)
    this.extremeTicks = doubledFloats(this.extremeTicks)
    this.workingMs = doubledFloats(this.workingMs)
    this.amendments = doubledInts(this.amendments)
    this.orderListId = doubledFloats(this.orderListId)
    this.leg = doubledInts(this.leg)
    this.phase = doubledInts(this.phase)
    this.priceTicks = doubledFloats(this.priceTicks)
    this.createdMs = doubledFloats(this.createdMs)
    this.updatedMs = doubledFloats(this.updatedMs)
    this.costAtoms = doubledFloats(this.costAtoms)
    this.clientOrderId = doubledInts(this.clientOrderId)
  }
}

export function doubledFloats(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2)
  larger.set(column)
  return larger
}

export function doubledInts(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2)
  larger.set(column)
  return larger
}
