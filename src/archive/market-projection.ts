/**
 * Public data of trades: the tape, bars and aggregate trades. Part of the index, and driven with
 * it; its memory between transactions is dropped when one fails.
 */
import { Side, sideOf } from '../base/codes.ts'
import type { Environment } from '../journal/environment.ts'
import { EventHeader, Trade } from '../layout/accessors.gen.ts'
import type { RecordBuffer } from '../layout/record-buffer.ts'
import { TapeValue } from '../layout/rows.gen.ts'
import { AggregateWriter } from './aggregate-trades.ts'
import { BarWriter } from './bars.ts'
import { MARKET_CHUNKS_MAX, tapeRows } from './row-form.ts'
import { RowWriter } from './row-writer.ts'
import { TableName } from './tables.ts'

export class MarketProjection {
  private readonly tape: RowWriter
  private readonly bars: BarWriter
  private readonly aggregates: AggregateWriter

  constructor(environment: Environment) {
    this.tape = new RowWriter(environment.table(TableName.TAPE), tapeRows, MARKET_CHUNKS_MAX)
    this.bars = new BarWriter(environment.table(TableName.BARS))
    this.aggregates = new AggregateWriter(environment.table(TableName.AGGREGATES))
  }

  /** The Trade at byte `at`. */
  traded(records: RecordBuffer, at: number): void {
    const symbolId = EventHeader.symbolId(records, at)
    const tradeId = Trade.tradeId(records, at)
    const priceTicks = Trade.priceTicks(records, at)
    const lots = Trade.tradeLots(records, at)
    const quoteAtoms = Trade.quoteAtoms(records, at)
    const timeMs = EventHeader.timeMs(records, at)
    const isBuyerMaker = sideOf(Trade.makerTerms(records, at)) === Side.BUY
    const { values } = this.tape
    const row = this.tape.append(symbolId, tradeId)
    TapeValue.setPriceTicks(values, row, priceTicks)
    TapeValue.setLots(values, row, lots)
    TapeValue.setQuoteAtoms(values, row, quoteAtoms)
    TapeValue.setTimeMs(values, row, timeMs)
    TapeValue.setIsBuyerMaker(values, row, isBuyerMaker ? 1 : 0)
    this.bars.add(symbolId, timeMs, tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
    const takerOrderId = Trade.takerOrderId(records, at)
    this.aggregates.add(symbolId, takerOrderId, tradeId, priceTicks, lots, timeMs, isBuyerMaker)
  }

  /** The PhaseChanged at byte `at`. */
  phaseChanged(records: RecordBuffer, at: number): void {
    this.aggregates.end(EventHeader.symbolId(records, at))
  }

  store(): void {
    this.tape.store()
    this.bars.store()
    this.aggregates.store()
  }

  forget(): void {
    this.tape.forget()
    this.bars.forget()
    this.aggregates.forget()
  }
}
