/**
 * What everybody sees of trades: the tape, bars and aggregate trades. Part of the projection, and
 * driven with it; what it keeps in memory between transactions is forgotten when one fails.
 */
import { Side, sideOf } from '../base/codes.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { EventHeader, Trade } from '../layout/records.gen.ts'
import { AggregateWriter } from './aggregate-trades.ts'
import { BarWriter } from './bars.ts'
import { TableName, TapeKey, TapeValue } from './tables.ts'

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
  traded({ i32, f64 }: RecordBuffer, at: number): void {
    const word = at >> 2
    const double = at >> 3
    const symbolId = i32[word + EventHeader.symbolId]!
    const tradeId = f64[double + Trade.tradeId]!
    const priceTicks = f64[double + Trade.priceTicks]!
    const lots = f64[double + Trade.tradeLots]!
    const quoteAtoms = f64[double + Trade.quoteAtoms]!
    const timeMs = f64[double + EventHeader.timeMs]!
    const isBuyerMaker = sideOf(i32[word + Trade.makerTerms]!) === Side.BUY
    const row = this.#row.f64
    row[TapeValue.priceTicks] = priceTicks
    row[TapeValue.lots] = lots
    row[TapeValue.quoteAtoms] = quoteAtoms
    row[TapeValue.timeMs] = timeMs
    row[TapeValue.isBuyerMaker] = isBuyerMaker ? 1 : 0
    this.#tape.put(this.#tapeKey.of(symbolId, tradeId), this.#row.bytes)
    this.#bars.add(symbolId, timeMs, tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
    const takerOrderId = f64[double + Trade.takerOrderId]!
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
