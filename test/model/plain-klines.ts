/** Klines as a plain filter over all trades: what the fast views and the archive must come to. */
import { Ms, Ticks, TradeId } from '../../src/base/units.ts'
import { Bar } from '../../src/history/bar.ts'
import type { KlineRow, PublicTradeRow } from '../../src/history/market-history.ts'
import { type Interval, intervalAfter, intervalOpen } from '../../src/market/intervals.ts'

/** The kline that opens at `openMs`; the trades before it give a quiet one its price. */
export function plainKline(
  trades: readonly PublicTradeRow[],
  interval: Interval,
  offsetMs: number,
  openMs: Ms,
): KlineRow {
  const endMs = intervalAfter(interval, openMs, offsetMs, 1)
  const bar = new Bar()
  for (const { tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker } of trades) {
    if (timeMs < openMs || timeMs >= endMs) continue
    bar.add(tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
  }
  const times = { openMs, closeMs: Ms(endMs - 1) }
  if (bar.count > 0) return { ...bar.row(), ...times }
  const close = trades.filter(({ timeMs }) => timeMs < openMs).at(-1)?.priceTicks ?? Ticks(0)
  const prices = { openTicks: close, highTicks: close, lowTicks: close, closeTicks: close }
  return { ...bar.row(), ...prices, ...times, firstTradeId: TradeId(-1), lastTradeId: TradeId(-1) }
}

/** The newest `limit` klines at `nowMs`, ascending; none before the first trade. */
export function plainKlines(
  trades: readonly PublicTradeRow[],
  interval: Interval,
  offsetMs: number,
  nowMs: Ms,
  limit: number,
): KlineRow[] {
  const first = trades[0]
  if (first === undefined) return []
  const firstMs = intervalOpen(interval, first.timeMs, offsetMs)
  const rows: KlineRow[] = []
  let openMs = intervalOpen(interval, nowMs, offsetMs)
  while (openMs >= firstMs && rows.length < limit) {
    rows.unshift(plainKline(trades, interval, offsetMs, openMs))
    openMs = intervalAfter(interval, openMs, offsetMs, -1)
  }
  return rows
}
