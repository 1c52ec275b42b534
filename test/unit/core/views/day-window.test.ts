/** The window of 24 hours beside a plain filter over all trades, with history that comes late. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTrade, writeTrade } from '../../../../scripts/layout/codecs.gen.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { Lots, Ms, QuoteAtoms, Ticks, TradeId } from '../../../../src/base/units.ts'
import { DayWindow } from '../../../../src/core/views/day-window.ts'
import { MinuteMoments } from '../../../../src/core/views/minute-moments.ts'
import { Bar } from '../../../../src/history/bar.ts'
import type { DayRows, MinuteRow } from '../../../../src/history/market-history.ts'
import { RecordBuffer } from '../../../../src/layout/record-buffer.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/market/intervals.ts'
import { zeroRecord } from '../../../fixtures/zero-record.ts'

const zeroTrade = zeroRecord(readTrade)

interface PlainTrade {
  readonly tradeId: TradeId
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly timeMs: Ms
  readonly isBuyerMaker: boolean
}

const buffer = RecordBuffer.allocate(256)

function apply(window: DayWindow, trade: PlainTrade): void {
  writeTrade(buffer, 0, {
    ...zeroTrade,
    sequence: trade.tradeId,
    timeMs: trade.timeMs,
    takerTerms: trade.isBuyerMaker ? 1 : 0,
    makerTerms: trade.isBuyerMaker ? 0 : 1,
    tradeId: TradeId(trade.tradeId),
    priceTicks: trade.priceTicks,
    tradeLots: trade.lots,
    quoteAtoms: QuoteAtoms(trade.priceTicks * trade.lots),
  })
  window.apply(buffer, 0)
}

const minuteOf = (timeMs: Ms): number => Math.floor(timeMs / MINUTE_MS)

function barOf(trades: readonly PlainTrade[]): Bar {
  const bar = new Bar()
  for (const trade of trades) {
    const { tradeId, priceTicks, lots, isBuyerMaker } = trade
    bar.add(TradeId(tradeId), priceTicks, lots, QuoteAtoms(priceTicks * lots), isBuyerMaker)
  }
  return bar
}

/** What the archive has at `nowMs`. */
function dayRows(trades: readonly PlainTrade[], nowMs: Ms): DayRows {
  const first = minuteOf(Ms(nowMs - DAY_MS))
  const inside = trades.filter((trade) => minuteOf(trade.timeMs) >= first)
  const minutes: MinuteRow[] = [...new Set(inside.map((trade) => minuteOf(trade.timeMs)))].map(
    (minute) => ({
      ...barOf(inside.filter((trade) => minuteOf(trade.timeMs) === minute)).row(),
      openMs: Ms(minute * MINUTE_MS),
    }),
  )
  const before = trades.filter((trade) => minuteOf(trade.timeMs) < first)
  return { minutes, beforeTicks: Ticks(before.at(-1)?.priceTicks ?? 0) }
}

/** Gives the window what it queries, as the archive does. */
function readMoments(window: DayWindow, trades: readonly PlainTrade[], nowMs: Ms): void {
  for (;;) {
    const query = window.wantedMoments(nowMs)
    if (query === undefined) return
    const moments = new MinuteMoments(query.lastTradeId)
    const { firstTradeId, lastTradeId } = query
    for (const trade of trades.slice(firstTradeId - 1, lastTradeId)) {
      moments.add({ ...trade, quoteAtoms: QuoteAtoms(trade.priceTicks * trade.lots) })
    }
    moments.finish()
    window.putMoments(query.minute, moments)
  }
}

/** The 24 hours beside a plain filter over all trades, to the millisecond. */
function expectDay(window: DayWindow, trades: readonly PlainTrade[], nowMs: Ms): void {
  expect(window.knows(nowMs)).toBe(true)
  const bar = new Bar()
  window.readDay(nowMs, bar)
  expect(bar).toEqual(barOf(trades.filter(({ timeMs }) => timeMs > nowMs - DAY_MS)))
  const before = trades.filter(({ timeMs }) => timeMs <= nowMs - DAY_MS)
  expect(window.beforeTicks(nowMs)).toBe(before.at(-1)?.priceTicks ?? 0)
}

test('24 hours begin at a millisecond, wherever in a minute trades and queries are', () => {
  const start = Date.parse('2024-02-28T13:00:00Z')
  // Steps of time that land on the edges of minutes, or just beside them.
  const step = fc.oneof(
    fc.constantFrom(0, 1, 2, 59_999, MINUTE_MS, MINUTE_MS + 1, HOUR_MS, DAY_MS - 1, DAY_MS),
    fc.nat({ max: 3 * MINUTE_MS }),
  )
  const wished = fc.record({ step, priceTicks: fc.integer({ min: 1, max: 9 }).map(Ticks) })
  fc.assert(
    fc.property(fc.array(wished, { maxLength: 30 }), fc.array(step), (wishes, queries) => {
      const window = new DayWindow()
      window.seed({ minutes: [], beforeTicks: Ticks(0) })
      const trades: PlainTrade[] = []
      let timeMs = Ms(start)
      for (const { step, priceTicks } of wishes) {
        timeMs = Ms(timeMs + step)
        const tradeId = trades.length + 1
        const lots = Lots(tradeId)
        const trade = {
          tradeId: TradeId(tradeId),
          priceTicks,
          lots,
          timeMs,
          isBuyerMaker: step % 2 === 0,
        }
        trades.push(trade)
        apply(window, trade)
        for (const aheadMs of [0, ...queries]) {
          const nowMs = Ms(timeMs + aheadMs)
          readMoments(window, trades, nowMs)
          expectDay(window, trades, nowMs)
        }
        // Later queries have made it forget moments that earlier ones need again.
        readMoments(window, trades, timeMs)
      }
    }),
  )
})

test('a window that has not read the moments of its first minute says so', () => {
  const window = new DayWindow()
  window.seed({ minutes: [], beforeTicks: Ticks(0) })
  const timeMs = Ms(Date.parse('2024-02-28T13:00:30Z'))
  apply(window, {
    tradeId: TradeId(1),
    priceTicks: Ticks(5),
    lots: Lots(7),
    timeMs,
    isBuyerMaker: true,
  })
  expect(window.knows(timeMs)).toBe(true)
  expect(window.knows(Ms(timeMs + DAY_MS - MINUTE_MS))).toBe(true)
  // Queried before it is needed.
  expect(window.wantedMoments(Ms(timeMs + DAY_MS - MINUTE_MS))).toMatchObject({
    firstTradeId: TradeId(1),
  })
  expect(window.knows(Ms(timeMs + DAY_MS - 1))).toBe(false)
  expect(window.knows(Ms(timeMs + DAY_MS + MINUTE_MS))).toBe(true)
})

test.each([1, 2, 3, 4, 5])('window %i', (seed) => {
  const random = new Prng(seed)
  const trades: PlainTrade[] = []
  let timeMs = Ms(Date.parse('2024-02-28T13:00:30Z'))
  let window = new DayWindow()
  for (let tradeId = 1; tradeId <= 1500; tradeId++) {
    timeMs = Ms(timeMs + random.below(random.pick([100, MINUTE_MS, 5 * MINUTE_MS, HOUR_MS])))
    const trade = {
      tradeId: TradeId(tradeId),
      priceTicks: Ticks(random.between(900, 1100)),
      lots: Lots(random.between(1, 2 ** 40)),
      timeMs,
      isBuyerMaker: random.chance(0.5),
    }
    if (random.chance(0.01)) {
      window = new DayWindow()
      // Trades that it sees before and after history was queried: history knows the first of them.
      const seen = random.below(4)
      for (const known of trades.slice(-seen || trades.length)) apply(window, known)
      trades.push(trade)
      const rows = dayRows(random.chance(0.5) ? trades : trades.slice(0, -1), timeMs)
      apply(window, trade)
      expect(window.seeded).toBe(false)
      window.seed(rows)
    } else {
      trades.push(trade)
      apply(window, trade)
      if (tradeId === 1) window.seed(dayRows(trades, timeMs))
    }
    const nowMs = Ms(timeMs + random.below(random.chance(0.1) ? DAY_MS : MINUTE_MS))
    const first = minuteOf(Ms(nowMs - DAY_MS))
    const bar = new Bar()
    expect(window.read(nowMs, bar, DAY_MS)).toBe(first * MINUTE_MS)
    expect(bar).toEqual(barOf(trades.filter((one) => minuteOf(one.timeMs) >= first)))
    readMoments(window, trades, nowMs)
    expectDay(window, trades, nowMs)
  }
})

test('a clock that is behind the newest trade shows what a right one would', () => {
  const startMs = 1_700_000_000_000
  const window = new DayWindow()
  window.seed({ minutes: [], beforeTicks: Ticks(0) })
  const trades = [0, 1, 59, 60].map((minutes, index) => ({
    tradeId: TradeId(index + 1),
    priceTicks: Ticks(100 + index),
    lots: Lots(1),
    timeMs: Ms(startMs + minutes * MINUTE_MS),
    isBuyerMaker: false,
  }))
  for (const trade of trades) apply(window, trade)
  const [right, behind] = [new Bar(), new Bar()]
  const openMs = window.read(Ms(startMs + HOUR_MS), right, DAY_MS)
  expect(window.read(Ms(startMs - 5 * DAY_MS), behind, DAY_MS)).toBe(openMs)
  expect(behind.row()).toEqual(right.row())
  expect(behind.row()).toMatchObject({ count: 4, closeTicks: Ticks(103) })
  expect(window.beforeTicks(Ms(startMs - 5 * DAY_MS))).toBe(0)
})
