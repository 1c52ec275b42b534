/**
 * Klines and windows of trades, from the archive's bars (spec, Kline and Ticker objects; supplement
 * 2a.1 "Time windows", 2d). Integers in the symbol's units; nothing is rounded here.
 */
import { Bar } from '#base/bar.ts'
import { type Interval, intervalAfter, intervalOpen, SECOND_MS } from '#base/intervals.ts'
import { BAR_LENGTHS_MS, type BarReader } from './bars.ts'

export interface KlineQuery {
  readonly symbolId: number
  readonly interval: Interval
  /** How far the time zone is ahead of UTC. */
  readonly offsetMs: number
  /** Bounds of the opening time, both included. */
  readonly startTime?: number
  readonly endTime?: number
  readonly limit: number
  /** When it was asked: klines go on to the one under way. */
  readonly nowMs: number
}

/** Sums travel as bigints, exactly. */
export interface BarRow {
  readonly count: number
  readonly firstTradeId: number
  readonly lastTradeId: number
  readonly openTicks: number
  readonly highTicks: number
  readonly lowTicks: number
  readonly closeTicks: number
  readonly lots: bigint
  readonly tickLots: bigint
  readonly takerBuyLots: bigint
  readonly takerBuyTickLots: bigint
}

export interface KlineRow extends BarRow {
  readonly openMs: number
  /** The last millisecond of it. */
  readonly closeMs: number
}

export interface WindowQuery {
  readonly symbolId: number
  /** [fromMs, toMs): whole seconds. */
  readonly fromMs: number
  readonly toMs: number
}

/** What traded in a window. */
export const readWindow = (bars: BarReader, { symbolId, fromMs, toMs }: WindowQuery): BarRow => {
  const bar = new Bar()
  bars.span(symbolId, fromMs, toMs, bar)
  return rowOf(bar)
}

/**
 * From the symbol's first trade on there is a kline for every interval; one without a trade shows the
 * close before it, and no volume.
 */
export function readKlines(bars: BarReader, query: KlineQuery): KlineRow[] {
  const { symbolId, interval, offsetMs, limit, nowMs } = query
  const firstMs = bars.edgeMs(symbolId, false)
  const newestMs = bars.edgeMs(symbolId, true)
  if (firstMs === undefined || newestMs === undefined) return []
  const openOf = (timeMs: number) => intervalOpen(interval, timeMs, offsetMs)
  const after = (openMs: number, count: number) =>
    intervalAfter(interval, openMs, offsetMs, count)
  // The clock may have stepped back behind the last trade.
  let last = openOf(Math.min(query.endTime ?? Number.POSITIVE_INFINITY, Math.max(nowMs, newestMs)))
  let first = openOf(firstMs)
  if (query.startTime === undefined) first = Math.max(first, after(last, 1 - limit))
  else {
    const asked = openOf(query.startTime)
    first = Math.max(first, asked < query.startTime ? after(asked, 1) : asked)
    last = Math.min(last, after(first, limit - 1))
  }
  const opens: number[] = []
  for (let openMs = first; openMs <= last; openMs = after(openMs, 1)) opens.push(openMs)
  return opens.length === 0 ? [] : fill(bars, symbolId, opens, after(last, 1))
}

function fill(
  bars: BarReader,
  symbolId: number,
  opens: readonly number[],
  endMs: number,
): KlineRow[] {
  const before = new Bar()
  let closeTicks = bars.lastBefore(symbolId, opens[0]!, before) ? before.closeTicks : 0
  const bar = new Bar()
  const row = (openMs: number, index: number): KlineRow => {
    const nextMs = opens[index + 1] ?? endMs
    if (bar.count > 0) closeTicks = bar.closeTicks
    const times = { openMs, closeMs: nextMs - 1 }
    return bar.count > 0 ? { ...rowOf(bar), ...times } : { ...quiet(closeTicks), ...times }
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
  bars.each(symbolId, length, opens[0]!, endMs, (openMs, one) => found.set(openMs, rowOf(one)))
  return opens.map((openMs, index) => {
    const traded = found.get(openMs)
    closeTicks = traded?.closeTicks ?? closeTicks
    return { ...(traded ?? quiet(closeTicks)), openMs, closeMs: (opens[index + 1] ?? endMs) - 1 }
  })
}

const rowOf = (bar: Bar): BarRow => ({
  count: bar.count,
  firstTradeId: bar.firstTradeId,
  lastTradeId: bar.lastTradeId,
  openTicks: bar.openTicks,
  highTicks: bar.highTicks,
  lowTicks: bar.lowTicks,
  closeTicks: bar.closeTicks,
  lots: bar.lots,
  tickLots: bar.tickLots,
  takerBuyLots: bar.takerBuyLots,
  takerBuyTickLots: bar.takerBuyTickLots,
})

const quiet = (ticks: number): BarRow => ({
  count: 0,
  firstTradeId: -1,
  lastTradeId: -1,
  openTicks: ticks,
  highTicks: ticks,
  lowTicks: ticks,
  closeTicks: ticks,
  lots: 0n,
  tickLots: 0n,
  takerBuyLots: 0n,
  takerBuyTickLots: 0n,
})

/** A window begins and ends at whole seconds. */
export const wholeSecond = (timeMs: number): number => Math.floor(timeMs / SECOND_MS) * SECOND_MS
