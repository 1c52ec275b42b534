/** Aggregate trades as they happen beside what the archive makes of the same trades. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AggregateWriter, readAggregateTrades } from '../../../../src/archive/aggregate-trades.ts'
import { aggregateRows } from '../../../../src/archive/row-form.ts'
import { RowReader } from '../../../../src/archive/row-reader.ts'
import { Prng } from '../../../../src/base/prng.ts'
import {
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../../../src/base/units.ts'
import { AggregateView } from '../../../../src/core/views/aggregate-view.ts'
import type { TakenTrade } from '../../../../src/core/views/trade-row.ts'
import type { AggregateTradeRow } from '../../../../src/history/market-history.ts'
import { Environment, Sync } from '../../../../src/journal/environment.ts'
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts'

const folder = temporaryFolder()
let environment: Environment
beforeAll(() => {
  environment = new Environment({ folder, tables: ['aggregates'] })
})
afterAll(() => environment.close())

/** Taker orders that trade at prices that get worse for them, each in a separate execution. */
function randomTurns(random: Prng): TakenTrade[][] {
  const turns: TakenTrade[][] = []
  let tradeId = 0
  let timeMs = Ms(1_700_000_000_000)
  for (let takerOrderId = 1; takerOrderId <= 200; takerOrderId++) {
    timeMs = Ms(timeMs + random.below(3))
    const isBuyerMaker = random.chance(0.5)
    let priceTicks = Ticks(random.between(1_000, 1_010))
    const turn: TakenTrade[] = []
    for (let count = random.below(6); count > 0; count--) {
      const lots = Lots(random.between(1, 100))
      const quoteAtoms = QuoteAtoms(priceTicks * lots)
      const trade = { tradeId: TradeId(++tradeId), priceTicks, lots, quoteAtoms, timeMs }
      turn.push({
        ...trade,
        isBuyerMaker,
        takerOrderId: OrderId(takerOrderId),
        isAuction: false,
      })
      if (random.chance(0.4)) priceTicks = Ticks(priceTicks + (isBuyerMaker ? -1 : 1))
    }
    turns.push(turn)
  }
  return turns
}

test.each([1, 2, 3])('the archive and the stream agree: turns %i', (seed) => {
  const symbolId = seed
  const random = new Prng(seed)
  const table = environment.table('aggregates')
  const writer = new AggregateWriter(table)
  const turns = randomTurns(random)
  const known = random.below(turns.length)
  let view = new AggregateView(0)
  const told: AggregateTradeRow[] = []
  const tell = (row: AggregateTradeRow | undefined) => {
    if (row !== undefined) told.push(row)
  }
  const store = () => {
    environment.write(() => writer.store(), Sync.KERNEL)
    environment.release()
  }
  const archive = (trade: TakenTrade) => {
    const { takerOrderId, tradeId, priceTicks, lots, timeMs, isBuyerMaker } = trade
    environment.write(
      () =>
        writer.add(
          SymbolId(symbolId),
          takerOrderId,
          tradeId,
          priceTicks,
          lots,
          timeMs,
          isBuyerMaker,
        ),
      Sync.KERNEL,
    )
  }
  const stored = () =>
    readAggregateTrades(new RowReader(table, aggregateRows), {
      symbolId: SymbolId(symbolId),
      fromId: 1,
      limit: 2_000,
    })
  for (const [index, turn] of turns.entries()) {
    if (index === known) {
      tell(view.complete())
      store()
      view = new AggregateView(stored().at(-1)?.aggregateId ?? 0)
    }
    for (const trade of turn) {
      archive(trade)
      tell(view.add(trade))
    }
    // The end of a turn is not always seen: the next trade ends its aggregate as well.
    if (random.chance(0.7)) tell(view.complete())
  }
  tell(view.complete())
  store()
  expect(told).toEqual(stored())
})

test('a change of the phase ends an aggregate in both, after a restart of the archive too', () => {
  const symbolId = SymbolId(9)
  const table = environment.table('aggregates')
  const writer = new AggregateWriter(table)
  const view = new AggregateView(0)
  const told: AggregateTradeRow[] = []
  const tell = (row: AggregateTradeRow | undefined) => row !== undefined && told.push(row)
  const same = { priceTicks: Ticks(1_000), lots: Lots(5), timeMs: Ms(1_700_000_000_000) }
  const commit = (action: () => void) => {
    environment.write(() => {
      action()
      writer.store()
    }, Sync.KERNEL)
    environment.release()
  }
  for (let tradeId = 1; tradeId <= 4; tradeId++) {
    const taken = { tradeId: TradeId(tradeId), takerOrderId: OrderId(1), isBuyerMaker: true }
    const trade = { ...same, ...taken, quoteAtoms: QuoteAtoms(5_000), isAuction: true }
    tell(view.add(trade))
    const { priceTicks, lots, timeMs } = same
    commit(() =>
      writer.add(symbolId, taken.takerOrderId, taken.tradeId, priceTicks, lots, timeMs, true),
    )
    if (tradeId !== 2) continue
    tell(view.end())
    commit(() => writer.end(symbolId))
    writer.forget()
  }
  tell(view.end())
  const query = { symbolId, fromId: 1, limit: 10 }
  const stored = readAggregateTrades(new RowReader(table, aggregateRows), query)
  expect(stored.map(({ firstTradeId, lastTradeId }) => [firstTradeId, lastTradeId])).toEqual([
    [1, 2],
    [3, 4],
  ])
  // The taker is the archive's own, and forgotten with the phase.
  const shown = ({ takerOrderId: _, ...row }: AggregateTradeRow) => row
  expect(told.map(shown)).toEqual(stored.map(shown))
})
