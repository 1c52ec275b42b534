/**
 * Bars of four lengths, aligned to UTC: from them every kline, in any time zone, and every window of
 * trades is put together (market/intervals.ts). The writer keeps the bars that trades reach now in
 * memory and stores each once per transaction; the reader adds up the longest bars that fit a span.
 */
import {
  type Lots,
  Ms,
  type QuoteAtoms,
  SymbolId,
  type Ticks,
  type TradeId,
} from '../base/units.ts'
import { Bar, BarSum } from '../history/bar.ts'
import type { Table } from '../journal/environment.ts'
import { BarKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { BarValue } from '../layout/rows.gen.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../market/intervals.ts'

export const BAR_LENGTHS_MS = [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] as const
const LONGEST = BAR_LENGTHS_MS.length - 1

const barKey = (symbolId: SymbolId, length: number, openMs: Ms): Uint8Array =>
  new BarKey().of(symbolId, length, openMs)

/** The bars of seconds that open in [fromMs, toMs), as keys of the table. */
export const secondsRange = (symbolId: SymbolId, fromMs: Ms, toMs: Ms) => ({
  start: barKey(symbolId, 0, fromMs),
  end: barKey(symbolId, 0, toMs),
})

/** A bar that trades reach now. */
interface OpenBar {
  readonly bar: Bar
  /** -1 before the first. */
  openMs: Ms
  isDirty: boolean
}

/** What trades reach of a symbol. */
interface OpenBars {
  /** Trades of one second that no bar has yet, and where the second begins; -1 before the first. */
  readonly latest: Bar
  secondMs: Ms
  /** One for each length. */
  readonly bars: readonly OpenBar[]
}

/** Writes bars within the archive's transactions. */
export class BarWriter {
  private readonly table: Table
  private readonly key = new BarKey()
  private readonly row = RecordBuffer.allocate(BarValue.bytes)
  /** By symbol. */
  private readonly open: OpenBars[] = []

  constructor(table: Table) {
    this.table = table
  }

  /** Adds a trade of the symbol, newer than all before it. */
  add(
    symbolId: SymbolId,
    timeMs: Ms,
    tradeId: TradeId,
    priceTicks: Ticks,
    lots: Lots,
    quoteAtoms: QuoteAtoms,
    isBuyerMaker: boolean,
  ): void {
    this.open[symbolId] ??= newBars()
    const open = this.open[symbolId]
    if (timeMs < open.secondMs || timeMs >= open.secondMs + SECOND_MS || open.secondMs < 0) {
      this.append(symbolId, open)
      open.secondMs = Ms(Math.floor(timeMs / SECOND_MS) * SECOND_MS)
    }
    open.latest.add(tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
  }

  /** Stores what has changed. */
  store(): void {
    this.open.forEach((open, symbolId) => {
      this.append(SymbolId(symbolId), open)
      open.bars.forEach((bar, length) => {
        if (bar.isDirty) this.storeBar(SymbolId(symbolId), length, bar)
      })
    })
  }

  /** Forgets what a transaction that failed, or a table that was emptied, had in memory. */
  forget(): void {
    this.open.length = 0
  }

  /** Adds the latest trades to the bar of each length. */
  private append(symbolId: SymbolId, { latest, secondMs, bars }: OpenBars): void {
    if (latest.count === 0) return
    for (let length = 0; length <= LONGEST; length++) {
      const lengthMs = BAR_LENGTHS_MS[length]!
      const open = bars[length]!
      const openMs = Ms(Math.floor(secondMs / lengthMs) * lengthMs)
      if (openMs !== open.openMs) {
        if (open.isDirty) this.storeBar(symbolId, length, open)
        this.reopen(symbolId, length, openMs, open)
      }
      open.bar.append(latest)
      open.isDirty = true
    }
    latest.clear()
  }

  private reopen(symbolId: SymbolId, length: number, openMs: Ms, open: OpenBar): void {
    open.openMs = openMs
    const stored = this.table.get(this.key.of(symbolId, length, openMs))
    if (stored === undefined) open.bar.clear()
    else readBar(stored, this.row, open.bar)
  }

  private storeBar(symbolId: SymbolId, length: number, open: OpenBar): void {
    writeBar(open.bar, this.row)
    this.table.put(this.key.of(symbolId, length, open.openMs), this.row.bytes)
    open.isDirty = false
  }
}

const newBars = (): OpenBars => ({
  latest: new Bar(),
  secondMs: Ms(-1),
  bars: BAR_LENGTHS_MS.map(() => ({ bar: new Bar(), openMs: Ms(-1), isDirty: false })),
})

/** Reads bars, by the environment's last refresh. */
export class BarReader {
  protected readonly table: Table
  /** The size of its bars of seconds; the longer ones follow. */
  private readonly firstSize: number
  private readonly row = RecordBuffer.allocate(BarValue.bytes)
  private readonly read = new Bar()

  constructor(table: Table, firstSize = 0) {
    this.table = table
    this.firstSize = firstSize
  }

  /**
   * The bar of [fromMs, toMs), both whole seconds, into `into`: long bars in the middle, shorter
   * ones towards the ends.
   */
  span(symbolId: SymbolId, fromMs: Ms, toMs: Ms, into: Bar): void {
    into.clear()
    this.append(symbolId, fromMs, toMs, LONGEST, into)
  }

  /**
   * The newest bar of trades before `timeMs`, a whole second, into `into`; false for none. Where
   * seconds are kept no more, minutes that are over by then have to do.
   */
  lastBefore(symbolId: SymbolId, timeMs: Ms, into: Bar): boolean {
    for (const length of [0, 1]) {
      const range = {
        start: this.keyOf(symbolId, length, Ms(Math.max(0, timeMs - BAR_LENGTHS_MS[length]!))),
        end: this.keyOf(symbolId, length, Ms(0)),
      }
      for (const { value } of this.table.rows({ ...range, reverse: true, limit: 1 })) {
        readBar(value, this.row, into)
        return true
      }
    }
    return false
  }

  /** Where the first trade's second begins, or its minute, where seconds are kept no more. */
  beginMs(symbolId: SymbolId): Ms | undefined {
    const secondMs = this.edgeMs(symbolId, false)
    const range = {
      start: this.keyOf(symbolId, 1, Ms(0)),
      end: this.keyOf(symbolId, 2, Ms(0)),
      limit: 1,
    }
    for (const key of this.table.keys(range)) {
      const minuteMs = BarKey.openMs(key)
      const isKept = secondMs !== undefined && secondMs < minuteMs + MINUTE_MS
      return isKept ? secondMs : minuteMs
    }
    return secondMs
  }

  /** Where the oldest, or the newest, second with a trade begins; undefined when there is none. */
  edgeMs(symbolId: SymbolId, newest: boolean): Ms | undefined {
    const [first, last] = [this.keyOf(symbolId, 0, Ms(0)), this.keyOf(symbolId, 1, Ms(0))]
    const range = newest ? { start: last, end: first, reverse: true } : { start: first, end: last }
    for (const key of this.table.keys({ ...range, limit: 1 })) return BarKey.openMs(key)
    return undefined
  }

  /**
   * Calls `visit` for each bar of one of BAR_LENGTHS_MS that opens in [fromMs, toMs), ascending; the
   * bar is valid only during the call.
   */
  each(
    symbolId: SymbolId,
    length: number,
    fromMs: Ms,
    toMs: Ms,
    visit: (openMs: Ms, bar: Bar) => void,
  ): void {
    if (fromMs >= toMs) return
    const range = {
      start: this.keyOf(symbolId, length, fromMs),
      end: this.keyOf(symbolId, length, toMs),
    }
    for (const { key, value } of this.table.rows(range)) {
      readBar(value, this.row, this.read)
      visit(BarKey.openMs(key), this.read)
    }
  }

  private keyOf(symbolId: SymbolId, length: number, openMs: Ms): Uint8Array {
    return barKey(symbolId, this.firstSize + length, openMs)
  }

  private append(symbolId: SymbolId, fromMs: Ms, toMs: Ms, length: number, into: Bar): void {
    if (fromMs >= toMs) return
    const lengthMs = BAR_LENGTHS_MS[length]!
    const first = Ms(Math.ceil(fromMs / lengthMs) * lengthMs)
    const end = Ms(Math.floor(toMs / lengthMs) * lengthMs)
    if (first >= end) {
      this.append(symbolId, fromMs, toMs, length - 1, into)
      return
    }
    this.append(symbolId, fromMs, first, length - 1, into)
    this.each(symbolId, length, first, end, (_, bar) => into.append(bar))
    this.append(symbolId, end, toMs, length - 1, into)
  }
}

export function writeBar(bar: Bar, row: RecordBuffer): void {
  BarValue.setCount(row, 0, bar.count)
  BarValue.setFirstTradeId(row, 0, bar.firstTradeId)
  BarValue.setLastTradeId(row, 0, bar.lastTradeId)
  BarValue.setOpenTicks(row, 0, bar.openTicks)
  BarValue.setHighTicks(row, 0, bar.highTicks)
  BarValue.setLowTicks(row, 0, bar.lowTicks)
  BarValue.setCloseTicks(row, 0, bar.closeTicks)
  BarValue.setLots(row, 0, bar.sums, BarSum.LOTS)
  BarValue.setQuoteAtoms(row, 0, bar.sums, BarSum.QUOTE_ATOMS)
  BarValue.setTakerBuyLots(row, 0, bar.sums, BarSum.BUYER_LOTS)
  BarValue.setTakerBuyQuoteAtoms(row, 0, bar.sums, BarSum.BUYER_QUOTE_ATOMS)
}

function readBar(stored: Uint8Array, row: RecordBuffer, bar: Bar): void {
  row.bytes.set(stored)
  bar.count = BarValue.count(row, 0)
  bar.firstTradeId = BarValue.firstTradeId(row, 0)
  bar.lastTradeId = BarValue.lastTradeId(row, 0)
  bar.openTicks = BarValue.openTicks(row, 0)
  bar.highTicks = BarValue.highTicks(row, 0)
  bar.lowTicks = BarValue.lowTicks(row, 0)
  bar.closeTicks = BarValue.closeTicks(row, 0)
  BarValue.getLots(row, 0, bar.sums, BarSum.LOTS)
  BarValue.getQuoteAtoms(row, 0, bar.sums, BarSum.QUOTE_ATOMS)
  BarValue.getTakerBuyLots(row, 0, bar.sums, BarSum.BUYER_LOTS)
  BarValue.getTakerBuyQuoteAtoms(row, 0, bar.sums, BarSum.BUYER_QUOTE_ATOMS)
}
