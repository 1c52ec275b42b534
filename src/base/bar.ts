/**
 * What trades of a span of time come to: prices, volumes, ids. Bars of neighbouring spans add up to
 * the bar of both, exactly: volumes are 64-bit sums of lots and of quote atoms.
 */
import { addInt64, bigintToInt64, int64ToBigint } from './int64.ts'
import type { BarRow } from './market-history.ts'

/** Places in `Bar.sums`: two words each. */
const LOTS = 0
const QUOTE_ATOMS = 2
const BUYER_LOTS = 4
const BUYER_QUOTE_ATOMS = 6
export const BAR_SUM_WORDS = 8

export class Bar {
  /** 0 when nothing traded. */
  count = 0
  firstTradeId = 0
  lastTradeId = 0
  openTicks = 0
  highTicks = 0
  lowTicks = 0
  closeTicks = 0
  /** 64-bit sums as base/int64.ts keeps them: lots, quote atoms, and both of takers that bought. */
  readonly sums = new Int32Array(BAR_SUM_WORDS)

  clear(): void {
    this.count = 0
    this.firstTradeId = 0
    this.lastTradeId = 0
    this.openTicks = 0
    this.highTicks = 0
    this.lowTicks = 0
    this.closeTicks = 0
    this.sums.fill(0)
  }

  /** Adds a trade that is newer than all before. */
  add(
    tradeId: number,
    priceTicks: number,
    lots: number,
    quoteAtoms: number,
    isBuyerMaker: boolean,
  ): void {
    if (this.count === 0) this.#begin(tradeId, priceTicks)
    this.count++
    this.lastTradeId = tradeId
    this.closeTicks = priceTicks
    if (priceTicks > this.highTicks) this.highTicks = priceTicks
    if (priceTicks < this.lowTicks) this.lowTicks = priceTicks
    addInt64(this.sums, LOTS, lots)
    addInt64(this.sums, QUOTE_ATOMS, quoteAtoms)
    if (isBuyerMaker) return
    addInt64(this.sums, BUYER_LOTS, lots)
    addInt64(this.sums, BUYER_QUOTE_ATOMS, quoteAtoms)
  }

  /** Becomes what `row` says. */
  read(row: BarRow): void {
    this.count = row.count
    this.firstTradeId = row.firstTradeId
    this.lastTradeId = row.lastTradeId
    this.openTicks = row.openTicks
    this.highTicks = row.highTicks
    this.lowTicks = row.lowTicks
    this.closeTicks = row.closeTicks
    bigintToInt64(this.sums, LOTS, row.lots)
    bigintToInt64(this.sums, QUOTE_ATOMS, row.quoteAtoms)
    bigintToInt64(this.sums, BUYER_LOTS, row.takerBuyLots)
    bigintToInt64(this.sums, BUYER_QUOTE_ATOMS, row.takerBuyQuoteAtoms)
  }

  /** The same as plain values. */
  row(): BarRow {
    return {
      count: this.count,
      firstTradeId: this.firstTradeId,
      lastTradeId: this.lastTradeId,
      openTicks: this.openTicks,
      highTicks: this.highTicks,
      lowTicks: this.lowTicks,
      closeTicks: this.closeTicks,
      lots: int64ToBigint(this.sums, LOTS),
      quoteAtoms: int64ToBigint(this.sums, QUOTE_ATOMS),
      takerBuyLots: int64ToBigint(this.sums, BUYER_LOTS),
      takerBuyQuoteAtoms: int64ToBigint(this.sums, BUYER_QUOTE_ATOMS),
    }
  }

  /** Adds the bar of a later span. */
  append(later: Bar): void {
    if (later.count === 0) return
    if (this.count === 0) this.#begin(later.firstTradeId, later.openTicks)
    this.count += later.count
    this.lastTradeId = later.lastTradeId
    this.closeTicks = later.closeTicks
    this.highTicks = Math.max(this.highTicks, later.highTicks)
    this.lowTicks = Math.min(this.lowTicks, later.lowTicks)
    for (let word = 0; word < BAR_SUM_WORDS; word += 2) addSum(this.sums, later.sums, word)
  }

  #begin(tradeId: number, priceTicks: number): void {
    this.firstTradeId = tradeId
    this.openTicks = priceTicks
    this.highTicks = priceTicks
    this.lowTicks = priceTicks
  }
}

function addSum(sums: Int32Array, added: Int32Array, word: number): void {
  const low = (sums[word]! >>> 0) + (added[word]! >>> 0)
  sums[word] = low
  sums[word + 1] = sums[word + 1]! + added[word + 1]! + (low >= 4294967296 ? 1 : 0)
}
