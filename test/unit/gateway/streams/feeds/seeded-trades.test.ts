/** Trades that wait for the archive: none lost, none twice, however late and often it answers. */

import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../../../src/base/manual-time.ts'
import { Lots, Ms, OrderId, QuoteAtoms, Ticks, TradeId } from '../../../../../src/base/units.ts'
import type { TakenTrade } from '../../../../../src/core/views/trade-row.ts'
import { SeededTrades } from '../../../../../src/gateway/streams/feeds/seeded-trades.ts'

interface OperatorQuery {
  readonly answer: (lastTradeId: number) => void
  readonly fail: () => void
}

const queries: OperatorQuery[] = []
const log: string[] = []
const warnings: string[] = []
let time: ManualTime

const start = () =>
  new SeededTrades<number>({
    time,
    ask: () =>
      new Promise((resolve, reject) => {
        queries.push({ answer: resolve, fail: () => reject(new Error('behind')) })
      }),
    lastTradeIdOf: (lastTradeId) => lastTradeId,
    begin: (lastTradeId) => log.push(`begin ${lastTradeId}`),
    take: ({ tradeId }) => log.push(`take ${tradeId}`),
    caughtUp: () => log.push('caught up'),
    warn: (_, message) => warnings.push(message),
  })

const trade = (tradeId: number): TakenTrade => ({
  tradeId: TradeId(tradeId),
  priceTicks: Ticks(1),
  lots: Lots(1),
  quoteAtoms: QuoteAtoms(1),
  timeMs: Ms(1),
  isBuyerMaker: false,
  takerOrderId: OrderId(1),
  isAuction: false,
})

beforeEach(() => {
  time = new ManualTime(new ManualClock(Ms(0)))
  for (const list of [queries, log, warnings]) list.length = 0
})

async function pass(ms: number): Promise<void> {
  await turn()
  time.advance(ms)
  await turn()
}

test('those that the archive knows are left out', async () => {
  const trades = start()
  for (const id of [5, 6, 7]) trades.add(trade(id))
  queries[0]!.answer(6)
  await pass(0)
  trades.add(trade(8))
  expect(log).toEqual(['begin 6', 'take 7', 'caught up', 'take 8'])
})

test('an archive that fails is asked again, and knows what came before', async () => {
  const trades = start()
  trades.add(trade(1))
  queries[0]!.fail()
  await pass(500)
  trades.add(trade(2))
  expect([queries.length, warnings.length]).toEqual([1, 1])
  await pass(500)
  trades.add(trade(3))
  queries[1]!.answer(2)
  await pass(0)
  expect(log).toEqual(['begin 2', 'take 3', 'caught up'])
})

test('when more trades come than can wait, the archive is asked again', async () => {
  const trades = start()
  for (let id = 1; id <= 65_537; id++) trades.add(trade(id))
  queries[0]!.answer(0)
  await pass(0)
  expect([queries.length, log.length]).toEqual([2, 0])
  trades.add(trade(65_538))
  queries[1]!.answer(65_537)
  await pass(0)
  expect(log).toEqual(['begin 65537', 'take 65538', 'caught up'])
})

test.each([
  'answers',
  'fails',
])('nothing begins when it is closed before the archive %s', async (how) => {
  const trades = start()
  trades.add(trade(1))
  trades.close()
  if (how === 'answers') queries[0]!.answer(0)
  else queries[0]!.fail()
  await pass(5_000)
  expect([queries.length, log, warnings]).toEqual([1, [], []])
})
