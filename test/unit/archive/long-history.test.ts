/**
 * Every query of the archive on a long history, beside brute force over all of it. 40,000 trades unless
 * RINGBOOK_HISTORY_TRADES is set: `RINGBOOK_HISTORY_TRADES=1000000 npx vitest run --config
 * test/vitest.config.ts test/unit/archive/long-history.test.ts`.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LongHistory, type LongTrade, makerIdOf } from '../../../bench/workloads/long-history.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { Prng } from '../../../src/base/prng.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, Ms, OrderId, SymbolId, Ticks } from '../../../src/base/units.ts'
import type { BarRow } from '../../../src/history/market-history.ts'
import { DAY_MS, HOUR_MS, Interval, MINUTE_MS, SECOND_MS } from '../../../src/market/intervals.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const TRADES = Number(process.env.RINGBOOK_HISTORY_TRADES ?? 40_000)
const PATIENCE_MS = Math.max(120_000, TRADES * 4)
const SYMBOLS = 3
const ACCOUNTS = 5
const SPAN_MS = 3 * DAY_MS
const ASKS = 12

const long = new LongHistory(TRADES, SYMBOLS, ACCOUNTS, 1_700_000_000_000, SPAN_MS)
const endMs = Ms(long.startMs + SPAN_MS)
const random = new Prng(1)
const folder = temporaryFolder()
let history: History

beforeAll(() => {
  long.writeJournal(folder)
  const archived = new BigInt64Array(new SharedArrayBuffer(8))
  const agent = new Indexer({
    time: new RealTime(),
    dataFolder: folder,
    matchers: 1,
    archived,
    log: () => {},
  })
  while (agent.doWork() > 0 || agent.isProving);
  agent.close()
  history = new History(archiveFolder(folder))
}, PATIENCE_MS)
afterAll(() => history.close())

/** All trades of a symbol that fit, by looking at each. */
function find(symbolId: SymbolId, fits: (trade: LongTrade) => boolean): LongTrade[] {
  const found: LongTrade[] = []
  for (let tradeId = 1; tradeId <= long.tradesOf(symbolId); tradeId++) {
    const trade = long.tradeOf(symbolId, tradeId)
    if (fits(trade)) found.push(trade)
  }
  return found
}

/** Queried several times, each with its own chances. */
const asks = Array.from({ length: ASKS }, (_, index) => ({
  index,
  symbolId: random.below(SYMBOLS),
  account: random.between(1, ACCOUNTS),
  fromMs: Ms(long.startMs + random.below(SPAN_MS)),
  limit: random.between(1, 1000),
}))

/** The oldest of those from the start, or the newest. */
const limited = <Row>(rows: readonly Row[], isOldest: boolean, limit: number): readonly Row[] =>
  isOldest ? rows.slice(0, limit) : rows.slice(-limit)

describe.each(asks)('ask $index', ({ symbolId, account, fromMs, limit }) => {
  const isOwn = (trade: LongTrade) =>
    trade.takerAccount === account || trade.makerAccount === account
  const endTime = Ms(fromMs + HOUR_MS)

  test('public and aggregate trades', () => {
    const fromId = Math.max(1, random.below(long.tradesOf(symbolId)))
    const rows = limited(
      find(SymbolId(symbolId), (it) => it.tradeId >= fromId),
      true,
      limit,
    )
    const shown = history.publicTrades({ symbolId: SymbolId(symbolId), fromId, limit })
    expect(shown).toEqual(
      rows.map(({ tradeId, priceTicks, lots, timeMs, isBuyerMaker }) => ({
        tradeId,
        priceTicks,
        lots,
        timeMs,
        isBuyerMaker,
        quoteAtoms: priceTicks * lots,
      })),
    )
    const within = find(SymbolId(symbolId), (it) => it.timeMs >= fromMs && it.timeMs <= endTime)
    const aggregates = history.aggregateTrades({
      symbolId: SymbolId(symbolId),
      startTime: fromMs,
      endTime,
      limit,
    })
    expect(aggregates.map((row) => [row.firstTradeId, row.priceTicks, row.lots])).toEqual(
      limited(within, true, limit).map((it) => [it.tradeId, it.priceTicks, it.lots]),
    )
  })

  test.each([
    ['from a time', { startTime: fromMs }, true],
    ['up to a time', { endTime }, false],
    ['between times', { startTime: fromMs, endTime }, true],
    ['the newest', {}, false],
  ])("an account's trades and orders, %s", (_, times, isOldest) => {
    const { startTime = 0, endTime: lastMs = Number.POSITIVE_INFINITY } = times as {
      readonly startTime?: Ms
      readonly endTime?: Ms
    }
    const within = find(
      SymbolId(symbolId),
      (it) => isOwn(it) && it.timeMs >= startTime && it.timeMs <= lastMs,
    )
    const sides = within.flatMap((it) => [
      ...(it.takerAccount === account ? [[it.tradeId, it.takerOrderId, false]] : []),
      ...(it.makerAccount === account ? [[it.tradeId, it.makerOrderId, true]] : []),
    ])
    const trades = history.myTrades({
      account: AccountId(account),
      symbolId: SymbolId(symbolId),
      ...times,
      limit,
    })
    const shown = trades.map((row) => [row.tradeId, row.orderId, row.isMaker])
    expect(shown).toEqual(limited(sides, isOldest, limit))
    const orders = history.allOrders({
      account: AccountId(account),
      symbolId: SymbolId(symbolId),
      ...times,
      limit,
    })
    const ids = sides.map((side) => side[1] as number).sort((one, other) => one - other)
    expect(orders.map((row) => row.orderId)).toEqual(limited(ids, isOldest, limit))
  })

  test('one order and its trades', () => {
    const tradeId = random.between(1, long.tradesOf(symbolId))
    const { makerAccount, makerOrderId, lots, priceTicks } = long.tradeOf(symbolId, tradeId)
    const own = { account: AccountId(makerAccount), symbolId: SymbolId(symbolId) }
    for (const id of [{ orderId: OrderId(makerOrderId) }, { clientOrderId: makerIdOf(tradeId) }]) {
      const row = history.order({ ...own, ...id })
      expect(row).toMatchObject({ orderId: makerOrderId, filledLots: lots, priceTicks })
    }
    const trades = history.myTrades({ ...own, orderId: OrderId(makerOrderId), limit: 500 })
    expect(trades).toMatchObject([{ tradeId, lots, isMaker: true }])
  })

  test('klines, windows and days', () => {
    for (const [interval, lengthMs] of [
      [Interval['1s'], SECOND_MS],
      [Interval['1m'], MINUTE_MS],
      [Interval['4h'], 4 * HOUR_MS],
      [Interval['1d'], DAY_MS],
    ] as const) {
      const query = {
        symbolId: SymbolId(symbolId),
        interval,
        offsetMs: 0,
        startTime: fromMs,
        limit: 50,
        nowMs: endMs,
      }
      const klines = history.klines(query)
      expect(klines.length > 0).toBe(Math.ceil(fromMs / lengthMs) * lengthMs <= endMs)
      const closeMs = klines.at(-1)?.closeMs ?? 0
      const trades = find(SymbolId(symbolId), (it) => it.timeMs >= fromMs && it.timeMs <= closeMs)
      for (const { openMs, ...row } of klines) {
        const own = trades.filter((it) => it.timeMs >= openMs && it.timeMs < openMs + lengthMs)
        expectBar(row, own)
      }
    }
    const toMs = Ms(Math.floor(endMs / SECOND_MS) * SECOND_MS)
    const openMs = Ms(Math.floor(fromMs / SECOND_MS) * SECOND_MS)
    const window = history.window({ symbolId: SymbolId(symbolId), fromMs: openMs, toMs })
    expectBar(
      window,
      find(SymbolId(symbolId), (it) => it.timeMs >= openMs && it.timeMs < toMs),
    )
  })
})

function expectBar(bar: BarRow, trades: readonly LongTrade[]): void {
  expect(bar.count).toBe(trades.length)
  if (trades.length === 0) return
  const [first, last] = [trades[0]!, trades.at(-1)!]
  const prices = trades.map(({ priceTicks }) => priceTicks)
  const sum = (of: (trade: LongTrade) => number, rows = trades) =>
    rows.reduce((total, trade) => total + BigInt(of(trade)), 0n)
  const bought = trades.filter(({ isBuyerMaker }) => !isBuyerMaker)
  expect(bar).toMatchObject({
    firstTradeId: first.tradeId,
    lastTradeId: last.tradeId,
    openTicks: first.priceTicks,
    highTicks: prices.reduce((most, price) => Ticks(Math.max(most, price))),
    lowTicks: prices.reduce((least, price) => Ticks(Math.min(least, price))),
    closeTicks: last.priceTicks,
    lots: sum(({ lots }) => lots),
    quoteAtoms: sum(({ lots, priceTicks }) => lots * priceTicks),
    takerBuyLots: sum(({ lots }) => lots, bought),
    takerBuyQuoteAtoms: sum(({ lots, priceTicks }) => lots * priceTicks, bought),
  })
}
