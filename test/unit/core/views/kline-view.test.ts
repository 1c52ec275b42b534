/** Klines as they grow beside a plain filter over all trades, with trades that come late. */
import { describe, expect, test } from 'vitest'
import { Prng } from '../../../../src/base/prng.ts'
import { Lots, Ms, QuoteAtoms, Ticks, TradeId } from '../../../../src/base/units.ts'
import { KlineView } from '../../../../src/core/views/kline-view.ts'
import type { KlineRow, PublicTradeRow } from '../../../../src/history/market-history.ts'
import {
  DAY_MS,
  HOUR_MS,
  Interval,
  intervalAfter,
  intervalOpen,
} from '../../../../src/market/intervals.ts'
import { plainKline, plainKlines } from '../../../model/plain-klines.ts'

const START_MS = Ms(Date.parse('2024-02-28T22:59:57Z'))

const intervals = Object.entries(Interval).flatMap(([name, interval]) =>
  [0, 8 * HOUR_MS].map((offsetMs) => ({ name, interval, offsetMs })),
)

const tradeAt = (tradeId: number, timeMs: Ms, random = new Prng(tradeId)): PublicTradeRow => ({
  tradeId: TradeId(tradeId),
  priceTicks: Ticks(random.between(900, 1100)),
  lots: Lots(random.between(1, 2 ** 40)),
  quoteAtoms: QuoteAtoms(random.between(0, 2 ** 50)),
  timeMs,
  isBuyerMaker: random.chance(0.5),
})

/** What a reader knows who keeps the last frame about each kline. */
class Reader {
  readonly closed = new Map<number, KlineRow>()

  take(rows: readonly KlineRow[]): void {
    for (const row of rows) this.closed.set(row.openMs, row)
  }
}

describe.each(intervals)('$name at $offsetMs', ({ interval, offsetMs }) => {
  test('random trades, some of them late', () => {
    const random = new Prng(interval * 2 + offsetMs + 1)
    const trades: PublicTradeRow[] = []
    const lengthMs = intervalAfter(interval, Ms(0), 0, 1)
    const seeded = random.below(4)
    let timeMs = START_MS
    for (let tradeId = 1; tradeId <= seeded; tradeId++) {
      timeMs = Ms(timeMs + random.below(lengthMs * 2))
      trades.push(tradeAt(tradeId, timeMs))
    }
    let nowMs = Ms(timeMs + random.below(lengthMs))
    const view = new KlineView(
      interval,
      offsetMs,
      plainKlines(trades, interval, offsetMs, nowMs, 10),
    )
    const reader = new Reader()
    const beganMs = intervalOpen(interval, nowMs, offsetMs)
    for (let step = 0; step < 300; step++) {
      if (random.chance(0.6)) {
        // Late by up to an interval and a half, but never before the trade before it.
        const lateMs = random.chance(0.3) ? random.below(lengthMs * 1.5) : 0
        timeMs = Ms(Math.max(timeMs, nowMs - lateMs))
        const trade = tradeAt(trades.length + 1, timeMs)
        trades.push(trade)
        view.add(trade)
      } else {
        nowMs = Ms(nowMs + random.below(random.chance(0.1) ? lengthMs * 3 : lengthMs / 3))
        reader.take(view.takeClosed(nowMs))
        const openMs = intervalOpen(interval, nowMs, offsetMs)
        const current =
          trades.length > 0 ? plainKline(trades, interval, offsetMs, openMs) : undefined
        expect(view.current()).toEqual(current)
      }
    }
    nowMs = Ms(nowMs + 2 * lengthMs)
    reader.take(view.takeClosed(nowMs))
    expect(reader.closed.size).toBeGreaterThan(10)
    for (const [openMs, row] of reader.closed) {
      expect(row).toEqual(plainKline(trades, interval, offsetMs, Ms(openMs)))
    }
    const firstMs = Ms(Math.max(beganMs, intervalOpen(interval, trades[0]!.timeMs, offsetMs)))
    for (let openMs = firstMs; openMs < nowMs - 2 * lengthMs; ) {
      expect(reader.closed.has(openMs), `the kline of ${openMs} was told`).toBe(true)
      openMs = intervalAfter(interval, openMs, offsetMs, 1)
    }
  })
})

test('a symbol that never traded has no kline before its first trade', () => {
  const view = new KlineView(Interval['1m'], 0, [])
  expect(view.takeClosed(START_MS)).toEqual([])
  expect(view.current()).toBeUndefined()
  const first = tradeAt(1, START_MS)
  view.add(first)
  expect(view.current()).toEqual(plainKline([first], Interval['1m'], 0, Ms(START_MS - 57_000)))
})

test('after a long pause the newest klines that closed are told', () => {
  const first = tradeAt(1, START_MS)
  const view = new KlineView(Interval['1s'], 0, [])
  view.add(first)
  const closed = view.takeClosed(Ms(START_MS + DAY_MS))
  expect(closed).toHaveLength(16)
  expect(closed.at(-1)!.openMs).toBe(START_MS + DAY_MS - 1_000)
  expect(view.current()!.openMs).toBe(START_MS + DAY_MS)
})

test('a trade from before what history told changes nothing', () => {
  const trades = [tradeAt(1, Ms(START_MS - DAY_MS)), tradeAt(2, START_MS)]
  const rows = plainKlines(trades, Interval['1s'], 0, Ms(START_MS + 5_000), 3)
  const view = new KlineView(Interval['1s'], 0, rows)
  const before = view.current()
  view.add(trades[1]!)
  expect(view.current()).toEqual(before)
  expect(view.takeClosed(Ms(START_MS + 5_000))).toEqual([])
})

test('a clock that steps by centuries costs no more than one that pauses', () => {
  const view = new KlineView(Interval['1s'], 0, [])
  view.add(tradeAt(1, START_MS))
  const centuriesMs = 100_000 * DAY_MS
  expect(view.takeClosed(Ms(START_MS + centuriesMs))).toHaveLength(16)
  expect(view.takeClosed(START_MS)).toEqual([])
  const next = tradeAt(2, Ms(START_MS + 5_000))
  view.add(next)
  expect(view.current()).toMatchObject({ openMs: START_MS + 5_000, lastTradeId: 2 })
})
