/**
 * One symbol's recent trades, up to a cursor in its matcher's event ring: the last thousand, and the
 * sums behind the volume-weighted average price. Written by its gateway's egress alone; handlers
 * and filters read it.
 */

import { assert } from '../../base/assert.ts'
import { Side, sideOf } from '../../base/codes.ts'
import { type Int64, int64, product } from '../../base/int64.ts'
import {
  Doubles,
  Int64s,
  Lots,
  Ms,
  type QuoteAtoms,
  TickLots,
  Ticks,
  type TradeId,
  Words,
} from '../../base/units.ts'
import { EventHeader, Trade } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { AveragePrice } from '../../market/percent-price.ts'
import { TradeSums } from './trade-sums.ts'

/** What `trades` can answer from memory (rest-api.md, Recent trades list, limit). */
export const TAPE_TRADES = 1_000

/** Rows of a tape that has a trade; most symbols of a large venue never trade. */
const ROWS_FIRST = 16

/** Window of the average price where no filter needs a longer one (filters.md). */
const AVERAGE_MINUTES = 5

export interface TapeTrade {
  readonly tradeId: TradeId
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly timeMs: Ms
  readonly isBuyerMaker: boolean
}

/** What is kept of so many trades, a column for each value. */
class Rows {
  readonly size: number
  readonly tradeIds: Doubles<TradeId>
  readonly priceTicks: Words<Ticks>
  readonly lots: Doubles<Lots>
  readonly quoteAtoms: Int64s<QuoteAtoms>
  readonly timesMs: Doubles<Ms>
  readonly isBuyerMaker: Uint8Array

  constructor(size: number) {
    this.size = size
    this.tradeIds = Doubles<TradeId>(new Float64Array(size))
    this.priceTicks = Words<Ticks>(new Int32Array(size))
    this.lots = Doubles<Lots>(new Float64Array(size))
    this.quoteAtoms = new Int64s<QuoteAtoms>(new Int32Array(size * 2))
    this.timesMs = Doubles<Ms>(new Float64Array(size))
    this.isBuyerMaker = new Uint8Array(size)
  }

  of(row: number): TapeTrade {
    return {
      tradeId: this.tradeIds[row]!,
      priceTicks: this.priceTicks[row]!,
      lots: this.lots[row]!,
      quoteAtoms: this.quoteAtoms.of(row),
      timeMs: this.timesMs[row]!,
      isBuyerMaker: this.isBuyerMaker[row] === 1,
    }
  }

  /** Has no object made of the trade. */
  set(
    row: number,
    tradeId: TradeId,
    priceTicks: Ticks,
    lots: Lots,
    quoteAtoms: QuoteAtoms,
    timeMs: Ms,
    isBuyerMaker: boolean,
  ): void {
    this.tradeIds[row] = tradeId
    this.priceTicks[row] = priceTicks
    this.lots[row] = lots
    this.quoteAtoms.set(row, quoteAtoms)
    this.timesMs[row] = timeMs
    this.isBuyerMaker[row] = isBuyerMaker ? 1 : 0
  }

  /** Returns more rows, the first of them these. */
  grown(): Rows {
    const more = new Rows(Math.min(Math.max(ROWS_FIRST, 2 * this.size), TAPE_TRADES))
    for (let row = 0; row < this.size; row++) {
      const { tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker } = this.of(row)
      more.set(row, tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker)
    }
    return more
  }
}

const noRows = new Rows(0)

export class Tape {
  readonly spec: SymbolSpec
  /** Grows to TAPE_TRADES. Place of trade n is n modulo its size. */
  private rows = noRows
  private readonly sums: TradeSums
  private minutesMax: number
  /** Trades ever added, and so the place of the next one. */
  private count = 0
  /** The last price before any trade that is known here; 0 for none. */
  private priceBefore = Ticks(0)
  private _seeded = false
  /** The last answer; undefined once another trade was added. */
  private nearAverage: Ticks | undefined = undefined
  private averageMinutes = 0
  private averageMs = Ms(0)

  constructor(spec: SymbolSpec) {
    this.spec = spec
    this.minutesMax = minutesAsked(spec)
    this.sums = new TradeSums(this.minutesMax * 60_000)
  }

  /**
   * The symbol has other filters. Where they need a longer average, trades that are forgotten by now
   * are not in it.
   */
  respecify(spec: SymbolSpec): void {
    this.minutesMax = Math.max(this.minutesMax, minutesAsked(spec))
    this.sums.widen(this.minutesMax * 60_000)
  }

  /** Id, price, quantity and time of the newest trade; 0 when there was none. */
  get lastTradeId(): number {
    return this.newest(this.rows.tradeIds)
  }
  get lastPriceTicks(): Ticks {
    return this.count === 0 ? this.priceBefore : Ticks(this.newest(this.rows.priceTicks))
  }
  get lastLots(): Lots {
    return Lots(this.newest(this.rows.lots))
  }
  get lastTimeMs(): Ms {
    return Ms(this.newest(this.rows.timesMs))
  }

  /** Whether history has come: before that, and after records were missed, trades are not all known. */
  get seeded(): boolean {
    return this._seeded
  }

  /**
   * Sets the price of the last trade, whose other values are unknown until history arrives. It is the
   * average of minutes without trades.
   */
  begin(priceTicks: Ticks): void {
    this.priceBefore = priceTicks
    this.nearAverage = undefined
  }

  /** Records were missed: history has to come again. */
  missed(): void {
    this._seeded = false
  }

  /** Takes in one record of this symbol; all but trades change nothing, nor do trades known already. */
  apply(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) !== Trade.type) return
    this.add(
      Trade.tradeId(buffer, at),
      Trade.priceTicks(buffer, at),
      Trade.tradeLots(buffer, at),
      Trade.quoteAtoms(buffer, at),
      EventHeader.timeMs(buffer, at),
      sideOf(Trade.makerTerms(buffer, at)) === Side.BUY,
    )
  }

  /**
   * Takes in trades from history, oldest first: at start, and after records were missed. What both
   * know is taken once. For an exact average they reach back as far as its window does.
   */
  seed(trades: readonly TapeTrade[]): void {
    this._seeded = true
    const oldestSeed = trades[0]?.tradeId
    if (oldestSeed === undefined) return
    const known = this.recent(TAPE_TRADES)
    const before = known.filter((trade) => trade.tradeId < oldestSeed)
    this.count = 0
    this.sums.clear()
    for (const list of [before, trades, known]) for (const trade of list) this.addTrade(trade)
  }

  /** The newest `limit` trades that are in memory, oldest first. */
  recent(limit: number): TapeTrade[] {
    const count = Math.min(limit, this.count, TAPE_TRADES)
    return Array.from({ length: count }, (_, i) => {
      return this.rows.of((this.count - count + i) % this.rows.size)
    })
  }

  /**
   * The volume-weighted average over the trailing minutes before `nowMs`: 5, or as many as a
   * filter of the symbol needs; the last price when nothing traded in them or `minutes` is 0;
   * undefined when nothing ever traded. Source: filters.md, "Average price".
   */
  averagePrice(minutes: number, nowMs: Ms): AveragePrice | undefined {
    const window = this.sums.since(this.windowStart(minutes, nowMs))
    if (this.lastPriceTicks === 0) return undefined
    const isLast = minutes === 0 || window.lots === 0n
    return isLast ? { tickLots: BigInt(this.lastPriceTicks), lots: 1n } : window
  }

  /**
   * `averagePrice` in ticks, off by less than a part in 10^15. Orders come many in a millisecond and each may
   * need it, so it is kept (bench `wire`).
   */
  nearAverageTicks(minutes: number, nowMs: Ms): Ticks | undefined {
    const isKept = minutes === this.averageMinutes && nowMs === this.averageMs
    if (isKept && this.nearAverage !== undefined) return this.nearAverage
    const average = this.sums.nearAverageSince(this.windowStart(minutes, nowMs))
    if (this.lastPriceTicks === 0) return undefined
    this.averageMinutes = minutes
    this.averageMs = nowMs
    this.nearAverage = minutes === 0 || average === 0 ? this.lastPriceTicks : Ticks(average)
    return this.nearAverage
  }

  private windowStart(minutes: number, nowMs: Ms): Ms {
    assert(minutes <= this.minutesMax, 'the average is kept for as long as a filter asks')
    return Ms(nowMs - minutes * 60_000)
  }

  /** `averagePrice` in 10^-8 of the quote asset, as the wire shows prices, rounded half up; 0 for none. */
  averagePriceUnits(minutes: number, nowMs: Ms): Int64 {
    const average = this.averagePrice(minutes, nowMs)
    if (average === undefined) return 0
    const { tickLots, lots } = average
    return int64((tickLots * BigInt(this.spec.tickUnits) * 2n + lots) / (lots * 2n))
  }

  private addTrade(trade: TapeTrade): void {
    this.add(
      trade.tradeId,
      trade.priceTicks,
      trade.lots,
      trade.quoteAtoms,
      trade.timeMs,
      trade.isBuyerMaker,
    )
  }

  private add(
    tradeId: TradeId,
    priceTicks: Ticks,
    lots: Lots,
    quoteAtoms: QuoteAtoms,
    timeMs: Ms,
    isBuyerMaker: boolean,
  ): void {
    if (tradeId <= this.lastTradeId) return
    if (this.count === this.rows.size && this.count < TAPE_TRADES) this.rows = this.rows.grown()
    const row = this.count % this.rows.size
    this.rows.set(row, tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker)
    this.count++
    this.nearAverage = undefined
    this.sums.add(timeMs, TickLots(product(priceTicks, lots)), lots)
  }

  private newest(column: Float64Array | Int32Array): number {
    return this.count === 0 ? 0 : column[(this.count - 1) % this.rows.size]!
  }
}

/** The longest window that is queried. */
const minutesAsked = ({ filters }: SymbolSpec): number =>
  Math.max(AVERAGE_MINUTES, ...filters.map(({ avgPriceMins }) => Number(avgPriceMins ?? 0)))
