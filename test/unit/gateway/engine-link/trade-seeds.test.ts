/** How the views of trades begin, with an archive that answers, that fails, and that is far behind. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { btcusdt } from '../../../../bench/workloads/fake-context.ts'
import { ArchiveBehind, HistoryFailure } from '../../../../src/api/history-failure.ts'
import { Lots, Ms, QuoteAtoms, SymbolId, Ticks, TradeId } from '../../../../src/base/units.ts'
import { LastPrices } from '../../../../src/core/ledger/last-prices.ts'
import { Markets } from '../../../../src/gateway/engine-link/markets.ts'
import { TradeSeeds } from '../../../../src/gateway/engine-link/trade-seeds.ts'
import type { PublicTradeRow } from '../../../../src/history/market-history.ts'
import { FakedTime } from '../../../fixtures/faked-time.ts'

const realTime = new FakedTime()

const LAST_TICKS = 4_200_000
const trade: PublicTradeRow = {
  tradeId: TradeId(7),
  priceTicks: Ticks(LAST_TICKS),
  lots: Lots(3),
  quoteAtoms: QuoteAtoms(3 * LAST_TICKS),
  timeMs: Ms(Date.now()),
  isBuyerMaker: false,
}

/** An archive that fails with each of `failures` in turn, and then answers. */
function setting(failures: Error[]) {
  const markets = new Markets([btcusdt], [0])
  const lastPrices = new LastPrices(new SharedArrayBuffer(LastPrices.bytes))
  lastPrices.publish(SymbolId(0), Ticks(LAST_TICKS))
  const warnings: string[] = []
  const seeds = new TradeSeeds({
    markets,
    lastPrices,
    clock: realTime,
    history: {
      publicTrades: async () => {
        const failure = failures.shift()
        if (failure !== undefined) throw failure
        return [trade]
      },
      day: async () => ({ beforeTicks: Ticks(0), minutes: [] }),
    },
    warn: (_, message) => warnings.push(message),
  })
  return { seeds, warnings, tape: markets.tapes[0]!, day: markets.dayWindows[0]! }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an archive that answers', async () => {
  const { seeds, tape, day } = setting([])
  await seeds.seed(SymbolId(0))
  expect([tape.seeded, day.seeded, tape.lastTradeId]).toEqual([true, true, 7])
})

test('one that is far behind holds up no other, and answers later', async () => {
  const { seeds, tape, day, warnings } = setting([new ArchiveBehind(), new ArchiveBehind()])
  await seeds.seed(SymbolId(0))
  expect([tape.seeded, day.seeded]).toEqual([false, false])
  expect(tape.lastPriceTicks).toBe(LAST_TICKS)
  expect(tape.nearAverageTicks(5, Ms(Date.now()))).toBe(LAST_TICKS)
  await vi.advanceTimersByTimeAsync(10_000)
  expect([tape.seeded, day.seeded, tape.lastTradeId]).toEqual([true, true, 7])
  expect(warnings).toEqual([])
})

test('one that fails ends a start, and is asked again once clients are served', async () => {
  const failure = new HistoryFailure('TIMEOUT', 'too late')
  await expect(setting([failure]).seeds.seed(SymbolId(0))).rejects.toBe(failure)
  const { seeds, tape, warnings } = setting([failure])
  seeds.clientsAreServed()
  const seeded = seeds.seed(SymbolId(0))
  await vi.advanceTimersByTimeAsync(10_000)
  await seeded
  expect(tape.seeded).toBe(true)
  expect(warnings).toHaveLength(1)
})

test('an answer to what was asked before records were missed again is not taken', async () => {
  const markets = new Markets([btcusdt], [0])
  const [tape, day] = [markets.tapes[0]!, markets.dayWindows[0]!]
  const answers: (() => void)[] = []
  const seeds = new TradeSeeds({
    markets,
    lastPrices: new LastPrices(new SharedArrayBuffer(LastPrices.bytes)),
    clock: realTime,
    history: {
      publicTrades: () => new Promise((resolve) => answers.push(() => resolve([trade]))),
      day: async () => ({ beforeTicks: Ticks(0), minutes: [] }),
    },
    warn: () => {},
  })
  const first = seeds.seed(SymbolId(0))
  day.missed()
  tape.missed()
  answers[0]!()
  await first
  expect([tape.seeded, day.seeded]).toEqual([false, false])
  const asked = [seeds.seed(SymbolId(0)), seeds.seed(SymbolId(0))]
  answers[1]!()
  await asked[0]
  expect([tape.seeded, day.seeded]).toEqual([false, false])
  answers[2]!()
  await asked[1]
  expect([tape.seeded, day.seeded, tape.lastTradeId]).toEqual([true, true, 7])
})

test('nothing is asked of it once the gateway is closed', async () => {
  const failures = Array.from({ length: 100 }, () => new ArchiveBehind())
  const { seeds } = setting(failures)
  await seeds.seed(SymbolId(0))
  seeds.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(failures.length).toBeGreaterThan(90)
})

test('many symbols are read in turn, so that the queue of the archive stays short', async () => {
  const symbols = Array.from({ length: 100 }, (_, id) => ({ ...btcusdt, id: SymbolId(id) }))
  const markets = new Markets(
    symbols,
    symbols.map(() => 0),
  )
  let underWay = 0
  let most = 0
  const seeds = new TradeSeeds({
    markets,
    lastPrices: new LastPrices(new SharedArrayBuffer(LastPrices.bytes)),
    clock: realTime,
    history: {
      publicTrades: async () => {
        most = Math.max(most, ++underWay)
        await Promise.resolve()
        underWay--
        return [trade]
      },
      day: async () => ({ beforeTicks: Ticks(0), minutes: [] }),
    },
    warn: () => {},
  })
  await Promise.all(symbols.map(({ id }) => seeds.seed(id)))
  expect(markets.tapes.every(({ seeded }) => seeded)).toBe(true)
  expect(most).toBe(32)
})
