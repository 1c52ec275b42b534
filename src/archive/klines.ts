/**
 * Klines and windows of trades, from the archive's bars. Integers in the symbol's units;
 * nothing is rounded here.
 */
import { Ms, type SymbolId, Ticks } from '../base/units.ts'
import { Bar } from '../history/bar.ts'
import {
  type BarRow,
  type DayQuery,
  type DayRows,
  type KlineQuery,
  type KlineRow,
  type MinuteRow,
  quietBar,
  type WindowQuery,
} from '../history/market-history.ts'
import { intervalAfter, intervalOpen, SECOND_MS } from '../market/intervals.ts'
import { BAR_LENGTHS_MS, type BarReader } from './bars.ts'
import type { KlineBars } from './seeded-bars.ts'

/** The place of minutes among the bars' lengths, and a time later than any bar's. */
const MINUTES = 1
const FOREVER_MS = Ms(2 ** 47)

/** What traded in a window. */
export const readWindow = (bars: BarReader, { symbolId, fromMs, toMs }: WindowQuery): BarRow => {
  const bar = new Bar()
  bars.span(symbolId, fromMs, toMs, bar)
  return bar.row()
}

/** The minutes from `fromMs` on. */
export function readDay(bars: BarReader, { symbolId, fromMs }: DayQuery): DayRows {
  const before = new Bar()
  const beforeTicks = bars.lastBefore(symbolId, fromMs, before) ? before.closeTicks : Ticks(0)
  const minutes: MinuteRow[] = []
  bars.each(symbolId, MINUTES, fromMs, FOREVER_MS, (openMs, bar) => {
    minutes.push({ ...bar.row(), openMs })
  })
  return { beforeTicks: beforeTicks, minutes }
}

/** Where the klines of an answer open. */
export interface KlineSpan {
  readonly symbolId: SymbolId
  /** Ascending. */
  readonly opens: readonly Ms[]
  /** Where the kline after the last would open. */
  readonly endMs: Ms
  /** No trade to come is earlier: klines that end by then stay as they are. */
  readonly settledMs: Ms
}

/**
 * From the symbol's first trade on, or the first kline of a seed, or of seconds from the first that is kept, there is a kline for
 * every interval; one without a trade shows the close before it, and no volume.
 */
export function klineSpan(bars: KlineBars, query: KlineQuery): KlineSpan {
  const { symbolId, interval, offsetMs, limit, nowMs } = query
  const isOfSeconds = intervalAfter(interval, Ms(0), 0, 1) === SECOND_MS
  const firstMs = isOfSeconds ? bars.edgeMs(symbolId, false) : bars.beginMs(symbolId)
  // Before the first trade none is settled: the clock may step back behind klines of a seed.
  const settledMs = bars.edgeMs(symbolId, true) ?? Ms(0)
  if (firstMs === undefined) {
    return { symbolId, opens: [], endMs: Ms(0), settledMs: Ms(0) }
  }
  const openOf = (timeMs: Ms) => intervalOpen(interval, timeMs, offsetMs)
  const after = (openMs: Ms, count: number) => intervalAfter(interval, openMs, offsetMs, count)
  // The clock may have stepped back behind the last trade.
  const newestMs = Math.max(nowMs, settledMs)
  let last = openOf(Ms(Math.min(query.endTime ?? Number.POSITIVE_INFINITY, newestMs)))
  let first = openOf(firstMs)
  if (query.startTime === undefined) first = Ms(Math.max(first, after(last, 1 - limit)))
  else {
    const asked = openOf(query.startTime)
    first = Ms(Math.max(first, asked < query.startTime ? after(asked, 1) : asked))
    last = Ms(Math.min(last, after(first, limit - 1)))
  }
  const opens: Ms[] = []
  for (let openMs = first; openMs <= last; openMs = after(openMs, 1)) opens.push(openMs)
  return { symbolId, opens, endMs: after(last, 1), settledMs }
}

/** The klines of a span from its `from`th on. */
export function readKlines(bars: KlineBars, span: KlineSpan, from = 0): KlineRow[] {
  const opens = from === 0 ? span.opens : span.opens.slice(from)
  return opens.length === 0 ? [] : fill(bars, span.symbolId, opens, span.endMs)
}

function fill(bars: KlineBars, symbolId: SymbolId, opens: readonly Ms[], endMs: Ms): KlineRow[] {
  const before = new Bar()
  let closeTicks = bars.lastBefore(symbolId, opens[0]!, before) ? before.closeTicks : Ticks(0)
  const bar = new Bar()
  const row = (openMs: Ms, index: number): KlineRow => {
    const nextMs = opens[index + 1] ?? endMs
    if (bar.count > 0) closeTicks = bar.closeTicks
    const times = { openMs, closeMs: Ms(nextMs - 1) }
    return bar.count > 0 ? { ...bar.row(), ...times } : { ...quietBar(closeTicks), ...times }
  }
  const lengths: readonly number[] = BAR_LENGTHS_MS
  const length = lengths.indexOf((opens[1] ?? endMs) - opens[0]!)
  if (length < 0 || opens[0]! % lengths[length]! !== 0) {
    return opens.map((openMs, index) => {
      bars.span(symbolId, openMs, opens[index + 1] ?? endMs, bar)
      return row(openMs, index)
    })
  }
  // The klines are the bars themselves: one pass.
  const found = new Map<number, BarRow>()
  bars.each(symbolId, length, opens[0]!, endMs, (openMs, one) => found.set(openMs, one.row()))
  return opens.map((openMs, index) => {
    const traded = found.get(openMs)
    closeTicks = traded?.closeTicks ?? closeTicks
    return {
      ...(traded ?? quietBar(closeTicks)),
      openMs,
      closeMs: Ms((opens[index + 1] ?? endMs) - 1),
    }
  })
}
