/**
 * Bars of the klines that symbols begin with (market/seeded-klines.ts): written once, when the archive
 * begins, into the table of bars under sizes of their own, so that windows of trades and tickers find
 * none of them. Klines alone are put together from both.
 */
import { Ms, type SymbolId, TradeId } from '../base/units.ts'
import { Bar } from '../history/bar.ts'
import type { Table } from '../journal/environment.ts'
import { BarKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { BarValue } from '../layout/rows.gen.ts'
import type { SeededKlines, SeededMinute } from '../market/seeded-klines.ts'
import { BAR_LENGTHS_MS, BarReader, writeBar } from './bars.ts'

/** The size of a seeded bar: this and its place in BAR_LENGTHS_MS. */
const FIRST_SIZE = BAR_LENGTHS_MS.length
const MINUTES = 1

/** Writes the bars of minutes, hours and days, within a transaction. */
export function storeSeeded(table: Table, klines: readonly SeededKlines[]): void {
  const row = RecordBuffer.allocate(BarValue.bytes)
  for (const symbol of new Set(klines.map((part) => part.symbol))) {
    const minutes = klines.flatMap((part) => (part.symbol === symbol ? part.minutes : []))
    for (let length = MINUTES; length < BAR_LENGTHS_MS.length; length++) {
      for (const [openMs, bar] of folded(minutes, BAR_LENGTHS_MS[length]!)) {
        writeBar(bar, row)
        table.put(new BarKey().of(symbol, FIRST_SIZE + length, openMs), row.bytes)
      }
    }
  }
}

/** Returns the bars of that length, by where they open. */
function folded(minutes: readonly SeededMinute[], lengthMs: number): ReadonlyMap<Ms, Bar> {
  const bars = new Map<Ms, Bar>()
  for (const minute of minutes) {
    const openMs = Ms(Math.floor(minute[0] / lengthMs) * lengthMs)
    const bar = bars.get(openMs) ?? new Bar()
    bar.append(barOf(minute))
    bars.set(openMs, bar)
  }
  return bars
}

function barOf(minute: SeededMinute): Bar {
  const [, openTicks, highTicks, lowTicks, closeTicks, count, ...volumes] = minute
  const [lots, quoteAtoms, takerBuyLots, takerBuyQuoteAtoms] = volumes.map(BigInt) as [
    ...[bigint, bigint, bigint, bigint],
  ]
  const bar = new Bar()
  bar.read({
    ...{ count, openTicks, highTicks, lowTicks, closeTicks },
    ...{ firstTradeId: TradeId(0), lastTradeId: TradeId(0) },
    ...{ lots, quoteAtoms, takerBuyLots, takerBuyQuoteAtoms },
  })
  return bar
}

/** The bars that klines are made of: seeded ones, and those of trades behind them. */
export class KlineBars {
  private readonly own: BarReader
  private readonly seeded: BarReader
  private readonly later = new Bar()

  constructor(table: Table) {
    this.own = new BarReader(table)
    this.seeded = new BarReader(table, FIRST_SIZE)
  }

  /** As BarReader.beginMs, of the first of both. */
  beginMs(symbolId: SymbolId): Ms | undefined {
    const own = this.own.beginMs(symbolId)
    const seeded = this.seeded.beginMs(symbolId)
    return own === undefined || (seeded !== undefined && seeded < own) ? seeded : own
  }

  /** As BarReader.edgeMs: no seeded bar is of a second. */
  edgeMs(symbolId: SymbolId, newest: boolean): Ms | undefined {
    return this.own.edgeMs(symbolId, newest)
  }

  /** As BarReader.span. */
  span(symbolId: SymbolId, fromMs: Ms, toMs: Ms, into: Bar): void {
    this.seeded.span(symbolId, fromMs, toMs, into)
    unnumber(into)
    this.own.span(symbolId, fromMs, toMs, this.later)
    into.append(this.later)
  }

  /** As BarReader.lastBefore. */
  lastBefore(symbolId: SymbolId, timeMs: Ms, into: Bar): boolean {
    return (
      this.own.lastBefore(symbolId, timeMs, into) || this.seeded.lastBefore(symbolId, timeMs, into)
    )
  }

  /** As BarReader.each, the seeded ones first: one that trades reach too comes twice, the second time whole. */
  each(
    symbolId: SymbolId,
    length: number,
    fromMs: Ms,
    toMs: Ms,
    visit: (openMs: Ms, bar: Bar) => void,
  ): void {
    // Trades are later than all of them: they share at most one bar, the last.
    const last = new Bar()
    let lastMs = Ms(-1)
    this.seeded.each(symbolId, length, fromMs, toMs, (openMs, bar) => {
      unnumber(bar)
      visit(openMs, bar)
      last.read(bar.row())
      lastMs = openMs
    })
    this.own.each(symbolId, length, fromMs, toMs, (openMs, bar) => {
      if (openMs !== lastMs) visit(openMs, bar)
      else {
        last.append(bar)
        visit(openMs, last)
      }
    })
  }
}

/** Seeded trades have no ids here. */
function unnumber(bar: Bar): void {
  if (bar.count === 0) return
  bar.firstTradeId = TradeId(-1)
  bar.lastTradeId = TradeId(-1)
}
