/** Aggregate trades for one who begins to read while trades happen: none is missing. */
import { expect, test } from 'vitest'
import { btcusdt } from '../../../../../bench/workloads/fake-context.ts'
import { RealTime } from '../../../../../src/base/real-time.ts'
import { Lots, Ms, OrderId, QuoteAtoms, Ticks, TradeId } from '../../../../../src/base/units.ts'
import type { TakenTrade } from '../../../../../src/core/views/trade-row.ts'
import type { FeedParts } from '../../../../../src/gateway/streams/feeds/feed.ts'
import { AggregateTradeFeed } from '../../../../../src/gateway/streams/feeds/trade-feeds.ts'
import type { AggregateTradeRow } from '../../../../../src/history/market-history.ts'

const realTime = new RealTime()

/** Each is an aggregate by itself. */
const trade = (tradeId: number): TakenTrade => ({
  tradeId: TradeId(tradeId),
  priceTicks: Ticks(5_000_000),
  lots: Lots(1),
  quoteAtoms: QuoteAtoms(1),
  timeMs: Ms(1),
  isBuyerMaker: false,
  takerOrderId: OrderId(tradeId),
  isAuction: false,
})
const row = (tradeId: number): AggregateTradeRow => ({
  aggregateId: tradeId - 100,
  firstTradeId: TradeId(tradeId),
  lastTradeId: TradeId(tradeId),
  priceTicks: Ticks(5_000_000),
  lots: Lots(1),
  timeMs: Ms(1),
  isBuyerMaker: false,
  takerOrderId: OrderId(tradeId),
})

/** Ids of the aggregates that are sent when the archive answers after two trades. */
async function toldWith(rows: readonly AggregateTradeRow[]): Promise<number[]> {
  let answer: (rows: readonly AggregateTradeRow[]) => void = () => {}
  const aggregateTrades = () =>
    new Promise<readonly AggregateTradeRow[]>((resolve) => {
      answer = resolve
    })
  const parts = { history: { aggregateTrades }, clock: realTime, warn: () => {} }
  const told: number[] = []
  const feed = new AggregateTradeFeed(parts as unknown as FeedParts, btcusdt, (frame) => {
    const { aggregateId } = frame(false).rows as AggregateTradeRow
    told.push(aggregateId)
  })
  const happens = (tradeId: number) => {
    feed.traded(trade(tradeId))
    feed.turnEnded()
  }
  happens(108)
  happens(109)
  answer(rows)
  await new Promise((resolve) => setImmediate(resolve))
  happens(110)
  return told
}

test.each<[what: string, rows: AggregateTradeRow[]]>([
  ['nothing newer', [row(106), row(107)]],
  ['one of them', [row(106), row(107), row(108)]],
  ['both', [row(106), row(107), row(108), row(109)]],
  ['both, and none before', [row(108), row(109)]],
])('the archive knows %s', async (_, rows) => {
  expect(await toldWith(rows)).toEqual([8, 9, 10])
})

test('the first trades of a symbol are told', async () => {
  expect(await toldWith([])).toEqual([1, 2, 3])
})
