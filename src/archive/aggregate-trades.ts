/**
 * Aggregate trades (spec, Aggregate trade object): trades of one taker order at one price and time are
 * one, with their quantity summed. Their ids count from 1 within the symbol, without gaps.
 *
 * Key: symbol 2, aggregate id 6, big-endian.
 */
import type { AggregateTradeRow, AggregateTradesQuery } from '../history/market-history.ts'
import type { Table } from '../journal/environment.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { ID_MAX, idOf, TapeKey } from './tables.ts'

/** Offsets in 8-byte places. */
const AggregateValue = {
  priceTicks: 0,
  lots: 1,
  firstTradeId: 2,
  lastTradeId: 3,
  timeMs: 4,
  isBuyerMaker: 5,
  takerOrderId: 6,
  bytes: 56,
} as const

/** The newest aggregate trade of a symbol, which the next trade may still join. */
interface OpenAggregate {
  readonly row: RecordBuffer
  id: number
  isDirty: boolean
}

/** Writes aggregate trades within the archive's transactions. */
export class AggregateWriter {
  readonly #table: Table
  readonly #key = new TapeKey()
  readonly #open: OpenAggregate[] = []

  constructor(table: Table) {
    this.#table = table
  }

  /** Adds a trade of the symbol, newer than all before it. */
  add(
    symbolId: number,
    takerOrderId: number,
    tradeId: number,
    priceTicks: number,
    lots: number,
    timeMs: number,
    isBuyerMaker: boolean,
  ): void {
    this.#open[symbolId] ??= this.#newest(symbolId)
    const open = this.#open[symbolId]
    const { f64 } = open.row
    const joins =
      open.id > 0 &&
      f64[AggregateValue.takerOrderId] === takerOrderId &&
      f64[AggregateValue.priceTicks] === priceTicks &&
      f64[AggregateValue.timeMs] === timeMs
    if (joins) {
      f64[AggregateValue.lots] = f64[AggregateValue.lots]! + lots
    } else {
      this.#store(symbolId, open)
      open.id++
      f64[AggregateValue.priceTicks] = priceTicks
      f64[AggregateValue.lots] = lots
      f64[AggregateValue.firstTradeId] = tradeId
      f64[AggregateValue.timeMs] = timeMs
      f64[AggregateValue.isBuyerMaker] = isBuyerMaker ? 1 : 0
      f64[AggregateValue.takerOrderId] = takerOrderId
    }
    f64[AggregateValue.lastTradeId] = tradeId
    open.isDirty = true
  }

  /** Stores what has changed. */
  store(): void {
    this.#open.forEach((open, symbolId) => {
      this.#store(symbolId, open)
    })
  }

  /** Forgets what a transaction that failed, or a table that was emptied, had in memory. */
  forget(): void {
    this.#open.length = 0
  }

  #newest(symbolId: number): OpenAggregate {
    const open = { row: RecordBuffer.allocate(AggregateValue.bytes), id: 0, isDirty: false }
    const range = { start: keyOf(symbolId, ID_MAX), end: keyOf(symbolId, 0) }
    for (const { key, value } of this.#table.rows({ ...range, reverse: true, limit: 1 })) {
      open.row.bytes.set(value)
      open.id = idOf(key)
    }
    return open
  }

  #store(symbolId: number, open: OpenAggregate): void {
    if (!open.isDirty) return
    this.#table.put(this.#key.of(symbolId, open.id), open.row.bytes)
    open.isDirty = false
  }
}

/** When the trades of a row were made. */
export const aggregateTimeMs = (value: Uint8Array): number =>
  new DataView(value.buffer, value.byteOffset).getFloat64(8 * AggregateValue.timeMs, true)

/**
 * With a lower bound the oldest from there, not past endTime; without one the newest, up to endTime
 * (supplement 2a.1, Time windows). Ascending.
 */
export function readAggregateTrades(
  table: Table,
  query: AggregateTradesQuery,
): AggregateTradeRow[] {
  const { symbolId, fromId, startTime, endTime, limit } = query
  const row = RecordBuffer.allocate(AggregateValue.bytes)
  const all = { start: keyOf(symbolId, 0), end: keyOf(symbolId, ID_MAX), limit: 1 }
  let lastId = 0
  for (const key of table.keys({ start: all.end, end: all.start, reverse: true, limit: 1 })) {
    lastId = idOf(key)
  }
  // Those before it may not be kept any more; from there on there are no gaps.
  let firstId = 1
  for (const key of table.keys(all)) firstId = idOf(key)
  const firstAt = (timeMs: number): number => {
    let low = firstId
    let high = lastId + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      row.bytes.set(table.get(keyOf(symbolId, middle))!)
      if (row.f64[AggregateValue.timeMs]! < timeMs) low = middle + 1
      else high = middle
    }
    return low
  }
  let from = Math.max(firstId, fromId ?? 0, startTime === undefined ? 0 : firstAt(startTime))
  let to = endTime === undefined ? lastId : firstAt(endTime + 1) - 1
  if (fromId === undefined && startTime === undefined) from = Math.max(from, to - limit + 1)
  else to = Math.min(to, from + limit - 1)
  const rows: AggregateTradeRow[] = []
  if (from > to) return rows
  const wanted = { start: keyOf(symbolId, from), end: keyOf(symbolId, to + 1) }
  for (const { key, value } of table.rows(wanted)) {
    row.bytes.set(value)
    const { f64 } = row
    rows.push({
      aggregateId: idOf(key),
      priceTicks: f64[AggregateValue.priceTicks]!,
      lots: f64[AggregateValue.lots]!,
      firstTradeId: f64[AggregateValue.firstTradeId]!,
      lastTradeId: f64[AggregateValue.lastTradeId]!,
      timeMs: f64[AggregateValue.timeMs]!,
      isBuyerMaker: f64[AggregateValue.isBuyerMaker] === 1,
    })
  }
  return rows
}

const keyOf = (symbolId: number, id: number): Uint8Array => new TapeKey().of(symbolId, id)
