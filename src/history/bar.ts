/**
 * The sum of a span's trades: prices, volumes, ids. Bars of neighbouring spans add up to the bar of
 * both, exactly: volumes are 96-bit sums of lots and of quote atoms.
 */
import { addInt96, addSum96, bigintToInt96, int96ToBigint } from '../base/int96.ts'
import { type Lots, type QuoteAtoms, Ticks, TradeId } from '../base/units.ts'
import type { BarRow } from './market-history.ts'

/** Places in `Bar.sums`: three words each. */
export const BarSum = { LOTS: 0, QUOTE_ATOMS: 3, BUYER_LOTS: 6, BUYER_QUOTE_ATOMS: 9 } as const
const { LOTS, QUOTE_ATOMS, BUYER_LOTS, BUYER_QUOTE_ATOMS } = BarSum
const BAR_SUM_WORDS = 12

export class Bar {
  /** 0 when nothing traded. */
  count = 0
  /** This and the next are -1 where no trade has an id: in a seed's klines. */
  firstTradeId = TradeId(0)
  lastTradeId = TradeId(0)
  openTicks = Ticks(0)
  highTicks = Ticks(0)
  lowTicks = Ticks(0)
  closeTicks = Ticks(0)
  /** Sums as base/int96.ts keeps them: lots, quote atoms, and both of takers that bought. */
  readonly sums = new Int32Array(BAR_SUM_WORDS)

  clear(): void {
    this.count = 0
    this.firstTradeId = TradeId(0)
    this.lastTradeId = TradeId(0)
    this.openTicks = Ticks(0)
    this.highTicks = Ticks(0)
    this.lowTicks = Ticks(0)
    this.closeTicks = Ticks(0)
    this.sums.fill(0)
  }

  /** Adds a trade newer than all earlier ones. */
  add(
    tradeId: TradeId,
    priceTicks: Ticks,
    lots: Lots,
    quoteAtoms: QuoteAtoms,
    isBuyerMaker: boolean,
  ): void {
    if (this.count === 0) this.begin(tradeId, priceTicks)
    else if (this.firstTradeId < 0) this.firstTradeId = tradeId
    this.count++
    this.lastTradeId = tradeId
    this.closeTicks = priceTicks
    if (priceTicks > this.highTicks) this.highTicks = priceTicks
    if (priceTicks < this.lowTicks) this.lowTicks = priceTicks
    addInt96(this.sums, LOTS, lots)
    addInt96(this.sums, QUOTE_ATOMS, quoteAtoms)
    if (isBuyerMaker) return
    addInt96(this.sums, BUYER_LOTS, lots)
    addInt96(this.sums, BUYER_QUOTE_ATOMS, quoteAtoms)
  }

  /** Takes the values of `row`. */
  read(row: BarRow): void {
    this.count = row.count
    this.firstTradeId = row.firstTradeId
    this.lastTradeId = row.lastTradeId
    this.openTicks = row.openTicks
    this.highTicks = row.highTicks
    this.lowTicks = row.lowTicks
    this.closeTicks = row.closeTicks
    bigintToInt96(this.sums, LOTS, row.lots)
    bigintToInt96(this.sums, QUOTE_ATOMS, row.quoteAtoms)
    bigintToInt96(this.sums, BUYER_LOTS, row.takerBuyLots)
    bigintToInt96(this.sums, BUYER_QUOTE_ATOMS, row.takerBuyQuoteAtoms)
  }

  /** Returns the bar as plain values. */
  row(): BarRow {
    return {
      count: this.count,
      firstTradeId: this.firstTradeId,
      lastTradeId: this.lastTradeId,
      openTicks: this.openTicks,
      highTicks: this.highTicks,
      lowTicks: this.lowTicks,
      closeTicks: this.closeTicks,
      lots: int96ToBigint(this.sums, LOTS),
      quoteAtoms: int96ToBigint(this.sums, QUOTE_ATOMS),
      takerBuyLots: int96ToBigint(this.sums, BUYER_LOTS),
      takerBuyQuoteAtoms: int96ToBigint(this.sums, BUYER_QUOTE_ATOMS),
    }
  }

  /** Adds the bar of a later span. */
  append(later: Bar): void {
    if (later.count === 0) return
    if (this.count === 0) this.begin(later.firstTradeId, later.openTicks)
    else if (this.firstTradeId < 0) this.firstTradeId = later.firstTradeId
    this.count += later.count
    this.lastTradeId = later.lastTradeId
    this.closeTicks = later.closeTicks
    this.highTicks = Ticks(Math.max(this.highTicks, later.highTicks))
    this.lowTicks = Ticks(Math.min(this.lowTicks, later.lowTicks))
    for (let word = 0; word < BAR_SUM_WORDS; word += 3) addSum96(this.sums, later.sums, word)
  }

  private begin(tradeId: TradeId, priceTicks: Ticks): void {
    this.firstTradeId = tradeId
    this.openTicks = priceTicks
    this.highTicks = priceTicks
    this.lowTicks = priceTicks
  }
}
