/**
 * Aggregate trades, by the rule of history/aggregate.ts, with their quantity summed. Their ids count from 1
 * within the symbol, without gaps.
 */
import { Lots, type Ms, type OrderId, SymbolId, type Ticks, type TradeId } from '../base/units.ts'
import { type AggregateKey, joinsAggregate, NO_TAKER } from '../history/aggregate.ts'
import type { AggregateTradeRow, AggregateTradesQuery } from '../history/market-history.ts'
import type { Table } from '../journal/environment.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { AggregateValue } from '../layout/rows.gen.ts'
import { aggregateRows, MARKET_CHUNKS_MAX } from './row-form.ts'
import { RowReader, readRows, windowOf } from './row-reader.ts'
import { RowWriter } from './row-writer.ts'

/** The newest aggregate trade of a symbol, which the next trade may still join. */
interface OpenAggregate {
  readonly row: RecordBuffer
  id: number
  isDirty: boolean
  /** Whether the table has a row of it. */
  isStored: boolean
}

/** Writes aggregate trades within the archive's transactions. */
export class AggregateWriter {
  private readonly rows: RowWriter
  private readonly stored: RowReader
  private readonly open: OpenAggregate[] = []

  constructor(table: Table) {
    this.rows = new RowWriter(table, aggregateRows, MARKET_CHUNKS_MAX)
    this.stored = new RowReader(table, aggregateRows)
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
    this.open[symbolId] ??= this.newest(symbolId)
    const open = this.open[symbolId]
    const { row } = open
    const isJoined =
      open.id > 0 && joinsAggregate(keyOf(row, 0), { takerOrderId, priceTicks, timeMs })
    if (isJoined) AggregateValue.setLots(row, 0, Lots(AggregateValue.lots(row, 0) + lots))
    else {
      this.keep(symbolId, open)
      open.id++
      open.isStored = false
      AggregateValue.setAggregateId(row, 0, open.id)
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

  /** The symbol's phase changes: no further trade joins the newest aggregate, after a restart either. */
  end(symbolId: SymbolId): void {
    this.open[symbolId] ??= this.newest(symbolId)
    const open = this.open[symbolId]
    if (open.id === 0 || AggregateValue.takerOrderId(open.row, 0) === NO_TAKER) return
    AggregateValue.setTakerOrderId(open.row, 0, NO_TAKER)
    open.isDirty = true
  }

  /** Stores what has changed. */
  store(): void {
    this.open.forEach((open, symbolId) => {
      this.keep(SymbolId(symbolId), open)
    })
    this.rows.store()
  }

  /** Forgets what a transaction that failed, or a table that was emptied, had in memory. */
  forget(): void {
    this.open.length = 0
    this.rows.forget()
  }

  private newest(symbolId: SymbolId): OpenAggregate {
    const open = {
      row: RecordBuffer.allocate(AggregateValue.bytes),
      id: 0,
      isDirty: false,
      isStored: false,
    }
    const { rows } = this.stored
    this.stored.forget()
    const at = this.stored.findLast(symbolId)
    if (at < 0) return open
    open.row.bytes.set(rows.bytes.subarray(at, at + AggregateValue.bytes))
    open.id = AggregateValue.aggregateId(rows, at)
    open.isStored = true
    return open
  }

  private keep(symbolId: SymbolId, open: OpenAggregate): void {
    if (!open.isDirty) return
    const rows = this.rows
    const at = open.isStored ? rows.find(symbolId, open.id) : rows.append(symbolId, open.id)
    rows.values.bytes.set(open.row.bytes, at)
    open.isStored = true
    open.isDirty = false
  }
}

/** Returns the aggregate trades of a query's window (history.ts), ascending. */
export function readAggregateTrades(
  reader: RowReader,
  query: AggregateTradesQuery,
): AggregateTradeRow[] {
  const { symbolId, fromId, limit } = query
  const window = windowOf(reader, symbolId, AggregateValue.timeMs, query, fromId)
  return readRows(reader, symbolId, window, limit, aggregateTradeRow)
}

const keyOf = (row: RecordBuffer, at: number): AggregateKey => ({
  takerOrderId: AggregateValue.takerOrderId(row, at),
  priceTicks: AggregateValue.priceTicks(row, at),
  timeMs: AggregateValue.timeMs(row, at),
})

const aggregateTradeRow = (row: RecordBuffer, at: number): AggregateTradeRow => ({
  ...keyOf(row, at),
  aggregateId: AggregateValue.aggregateId(row, at),
  lots: AggregateValue.lots(row, at),
  firstTradeId: AggregateValue.firstTradeId(row, at),
  lastTradeId: AggregateValue.lastTradeId(row, at),
  isBuyerMaker: AggregateValue.isBuyerMaker(row, at) === 1,
})
