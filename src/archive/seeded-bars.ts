/**
 * Bars of the klines that symbols begin with (market/seeded-klines.ts): written once, when the archive
 * begins, into the table of bars under separate sizes, so that windows of trades and tickers find
 * none of them. Of a past one row alone is written. Klines alone are put together from both.
 */
import { Ms, type SymbolId, TradeId } from '../base/units.ts'
import { Bar } from '../history/bar.ts'
import type { Table } from '../journal/environment.ts'
import { BarKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { BarValue, PastValue } from '../layout/rows.gen.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type { SeededKlines, SeededMinute, SeededPast } from '../market/seeded-klines.ts'
import { BAR_LENGTHS_MS, BarReader, writeBar } from './bars.ts'
import { SeededPastBars } from './seeded-past.ts'

/** The size of a seeded bar: this and its place in BAR_LENGTHS_MS. */
const FIRST_SIZE = BAR_LENGTHS_MS.length
const MINUTES = 1
/** Under which a symbol has its past. */
const PAST_SIZE = FIRST_SIZE + BAR_LENGTHS_MS.length

/** What pasts need of a symbol. */
type Steps = Pick<SymbolSpec, 'atomsPerTickLot' | 'tickLotParts'>

/** Writes the bars of minutes, hours and days, and the rows of pasts, within a transaction. `symbols`: by id. */
export function storeSeeded(
  table: Table,
  klines: readonly SeededKlines[],
  symbols: readonly Steps[],
): void {
  const row = RecordBuffer.allocate(BarValue.bytes)
  for (const past of klines) {
    if (!('minutes' in past)) storePast(table, past, symbols[past.symbol]!)
  }
  for (const symbol of new Set(klines.map((part) => part.symbol))) {
    const minutes = klines.flatMap((part) =>
      part.symbol === symbol && 'minutes' in part ? part.minutes : [],
    )
    for (let length = MINUTES; length < BAR_LENGTHS_MS.length; length++) {
      for (const [openMs, bar] of folded(minutes, BAR_LENGTHS_MS[length]!)) {
        writeBar(bar, row)
        table.put(new BarKey().of(symbol, FIRST_SIZE + length, openMs), row.bytes)
      }
    }
  }
}

function storePast(
  table: Table,
  { symbol, seed, fromMs, days, closeTicks, lots }: SeededPast,
  { atomsPerTickLot, tickLotParts }: Steps,
): void {
  const row = RecordBuffer.allocate(PastValue.bytes)
  PastValue.setSeed(row, 0, seed)
  PastValue.setDays(row, 0, days)
  PastValue.setCloseTicks(row, 0, closeTicks)
  PastValue.setLots(row, 0, lots)
  PastValue.setAtomsPerTickLot(row, 0, atomsPerTickLot)
  PastValue.setTickLotParts(row, 0, tickLotParts)
  table.put(new BarKey().of(symbol, PAST_SIZE, fromMs), row.bytes)
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
    count,
    openTicks,
    highTicks,
    lowTicks,
    closeTicks,
    firstTradeId: TradeId(0),
    lastTradeId: TradeId(0),
    lots,
    quoteAtoms,
    takerBuyLots,
    takerBuyQuoteAtoms,
  })
  return bar
}

/** Reads seeded bars, and those of a past. */
class SeededReader extends BarReader {
  /** By symbol; those that were read. */
  private readonly pasts = new Map<SymbolId, SeededPastBars | undefined>()

  override beginMs(symbolId: SymbolId): Ms | undefined {
    return this.pastOf(symbolId)?.fromMs ?? super.beginMs(symbolId)
  }

  override lastBefore(symbolId: SymbolId, timeMs: Ms, into: Bar): boolean {
    const past = this.pastOf(symbolId)
    return past?.lastBefore(timeMs, into) ?? super.lastBefore(symbolId, timeMs, into)
  }

  override each(...[symbolId, length, fromMs, toMs, visit]: Parameters<BarReader['each']>): void {
    const past = this.pastOf(symbolId)
    if (past === undefined) super.each(symbolId, length, fromMs, toMs, visit)
    // Seconds have no bars.
    else if (length >= MINUTES) past.each(BAR_LENGTHS_MS[length]!, fromMs, toMs, visit)
  }

  private pastOf(symbolId: SymbolId): SeededPastBars | undefined {
    if (this.pasts.has(symbolId)) return this.pasts.get(symbolId)
    let past: SeededPastBars | undefined
    const [start, end] = [PAST_SIZE, PAST_SIZE + 1].map((size) =>
      new BarKey().of(symbolId, size, Ms(0)),
    )
    for (const { key, value } of this.table.rows({ start: start!, end: end!, limit: 1 })) {
      const row = RecordBuffer.allocate(PastValue.bytes)
      row.bytes.set(value)
      past = new SeededPastBars(BarKey.openMs(key), row)
    }
    this.pasts.set(symbolId, past)
    return past
  }
}

/** The bars that klines are made of: seeded ones, and those of trades behind them. */
export class KlineBars {
  private readonly own: BarReader
  private readonly seeded: SeededReader
  private readonly later = new Bar()

  constructor(table: Table) {
    this.own = new BarReader(table)
    this.seeded = new SeededReader(table, FIRST_SIZE)
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
