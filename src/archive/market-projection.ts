/**
 * Public data of trades: the tape, bars and aggregate trades. Part of the projection, and driven with
 * it; its memory between transactions is dropped when one fails.
 */
import { Side, sideOf } from '../base/codes.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { EventHeader, Trade } from '../layout/accessors.gen.ts'
import { TapeKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { TapeValue } from '../layout/rows.gen.ts'
import { AggregateWriter } from './aggregate-trades.ts'
import { BarWriter } from './bars.ts'
import { TableName } from './tables.ts'

export class MarketProjection {
  readonly #tape: Table
  readonly #bars: BarWriter
  readonly #aggregates: AggregateWriter
  readonly #tapeKey = new TapeKey()
  readonly #row = RecordBuffer.allocate(TapeValue.bytes)

  constructor(environment: Environment) {
    this.#tape = environment.table(TableName.TAPE)
    this.#bars = new BarWriter(environment.table(TableName.BARS))
    this.#aggregates = new AggregateWriter(environment.table(TableName.AGGREGATES))
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
    const row = this.#row
    TapeValue.setPriceTicks(row, 0, priceTicks)
    TapeValue.setLots(row, 0, lots)
    TapeValue.setQuoteAtoms(row, 0, quoteAtoms)
    TapeValue.setTimeMs(row, 0, timeMs)
    TapeValue.setIsBuyerMaker(row, 0, isBuyerMaker ? 1 : 0)
    this.#tape.put(this.#tapeKey.of(symbolId, tradeId), row.bytes)
    this.#bars.add(symbolId, timeMs, tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
    const takerOrderId = Trade.takerOrderId(records, at)
    this.#aggregates.add(symbolId, takerOrderId, tradeId, priceTicks, lots, timeMs, isBuyerMaker)
  }

  store(): void {
    this.#bars.store()
    this.#aggregates.store()
  }

  forget(): void {
    this.#bars.forget()
    this.#aggregates.forget()
  }
}
