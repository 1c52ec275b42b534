/**
 * Aggregate trades (spec, Aggregate trade object): trades of one taker order at one price and time are
 * one, with their quantity summed. Their ids count from 1 within the symbol, without gaps.
 */
import { Lots, Ms, type OrderId, SymbolId, type Ticks, type TradeId } from '../base/units.ts'
import type { AggregateTradeRow, AggregateTradesQuery } from '../history/market-history.ts'
import type { Table } from '../journal/environment.ts'
import { AggregateKey, KEY_ID_MAX } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { AggregateValue } from '../layout/rows.gen.ts'

/** The newest aggregate trade of a symbol, which the next trade may still join. */
interface OpenAggregate {
  readonly row: RecordBuffer
  id: number
  isDirty: boolean
}

/** Writes aggregate trades within the archive's transactions. */
export class AggregateWriter {
  readonly #table: Table
  readonly #key = new AggregateKey()
  readonly #open: OpenAggregate[] = []

  constructor(table: Table) {
    this.#table = table
  }

  /** Adds a trade of the symbol, newer than all before it. */
  add(
    symbolId: SymbolId,
    takerOrderId: OrderId,
    tradeId: TradeId,
    priceTicks: Ticks,
    lots: Lots,
    timeMs: Ms,
    isBuyerMaker: boolean,
  ): void {
    this.#open[symbolId] ??= this.#newest(symbolId)
    const open = this.#open[symbolId]
    const { row } = open
    const joins =
      open.id > 0 &&
      AggregateValue.takerOrderId(row, 0) === takerOrderId &&
      AggregateValue.priceTicks(row, 0) === priceTicks &&
      AggregateValue.timeMs(row, 0) === timeMs
    if (joins) AggregateValue.setLots(row, 0, Lots(AggregateValue.lots(row, 0) + lots))
    else {
      this.#store(symbolId, open)
      open.id++
      AggregateValue.setPriceTicks(row, 0, priceTicks)
      AggregateValue.setLots(row, 0, lots)
      AggregateValue.setFirstTradeId(row, 0, tradeId)
      AggregateValue.setTimeMs(row, 0, timeMs)
      AggregateValue.setIsBuyerMaker(row, 0, isBuyerMaker ? 1 : 0)
      AggregateValue.setTakerOrderId(row, 0, takerOrderId)
    }
    AggregateValue.setLastTradeId(row, 0, tradeId)
    open.isDirty = true
  }

  /** Stores what has changed. */
  store(): void {
    this.#open.forEach((open, symbolId) => {
      this.#store(SymbolId(symbolId), open)
    })
  }

  /** Forgets what a transaction that failed, or a table that was emptied, had in memory. */
  forget(): void {
    this.#open.length = 0
  }

  #newest(symbolId: SymbolId): OpenAggregate {
    const open = { row: RecordBuffer.allocate(AggregateValue.bytes), id: 0, isDirty: false }
    const range = { start: keyOf(symbolId, KEY_ID_MAX), end: keyOf(symbolId, 0) }
    for (const { key, value } of this.#table.rows({ ...range, reverse: true, limit: 1 })) {
      open.row.bytes.set(value)
      open.id = AggregateKey.aggregateId(key)
    }
    return open
  }

  #store(symbolId: SymbolId, open: OpenAggregate): void {
    if (!open.isDirty) return
    this.#table.put(this.#key.of(symbolId, open.id), open.row.bytes)
    open.isDirty = false
  }
}

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
  const all = { start: keyOf(symbolId, 0), end: keyOf(symbolId, KEY_ID_MAX), limit: 1 }
  let lastId = 0
  for (const key of table.keys({ start: all.end, end: all.start, reverse: true, limit: 1 })) {
    lastId = AggregateKey.aggregateId(key)
  }
  // Those before it may not be kept any more; from there on there are no gaps.
  let firstId = 1
  for (const key of table.keys(all)) firstId = AggregateKey.aggregateId(key)
  const firstAt = (timeMs: Ms): number => {
    let low = firstId
    let high = lastId + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      row.bytes.set(table.get(keyOf(symbolId, middle))!)
      if (AggregateValue.timeMs(row, 0) < timeMs) low = middle + 1
      else high = middle
    }
    return low
  }
  let from = Math.max(firstId, fromId ?? 0, startTime === undefined ? 0 : firstAt(startTime))
  let to = endTime === undefined ? lastId : firstAt(Ms(endTime + 1)) - 1
  if (fromId === undefined && startTime === undefined) from = Math.max(from, to - limit + 1)
  else to = Math.min(to, from + limit - 1)
  const rows: AggregateTradeRow[] = []
  if (from > to) return rows
  const wanted = { start: keyOf(symbolId, from), end: keyOf(symbolId, to + 1) }
  for (const { key, value } of table.rows(wanted)) {
    row.bytes.set(value)
    rows.push({
      aggregateId: AggregateKey.aggregateId(key),
      priceTicks: AggregateValue.priceTicks(row, 0),
      lots: AggregateValue.lots(row, 0),
      firstTradeId: AggregateValue.firstTradeId(row, 0),
      lastTradeId: AggregateValue.lastTradeId(row, 0),
      timeMs: AggregateValue.timeMs(row, 0),
      isBuyerMaker: AggregateValue.isBuyerMaker(row, 0) === 1,
    })
  }
  return rows
}

const keyOf = (symbolId: SymbolId, id: number): Uint8Array => new AggregateKey().of(symbolId, id)
