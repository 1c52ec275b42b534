/**
 * Accounts and symbols on several shards, as bench/scale-out simulates them: beside a plain twin with one
 * ledger, with processes that are killed, and with planted defects that the twin must find.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AccountShard, balanceKey } from '../../../bench/scale-out/account-shard.ts'
import { OneLeader } from '../../../bench/scale-out/one-leader.ts'
import type { Shard } from '../../../bench/scale-out/records.ts'
import { Defect } from '../../../bench/scale-out/shard-process.ts'
import { type Settings, Simulation } from '../../../bench/scale-out/simulation.ts'
import { SymbolShard } from '../../../bench/scale-out/symbol-shard.ts'
import { PlainVenue } from '../../model/plain-venue.ts'

const COSTS = {
  ...{ appendP50Us: 1_000, appendP99Us: 4_000, appendNsPerByte: 12, rowBytes: 100 },
  ...{ hopUs: 500, rowNs: 500 },
}
/** Enough for each defect. */
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)
const USUAL: Settings = {
  ...{ accountShards: 2, symbolShards: 2, accounts: 12, symbols: 3, seed: 1 },
  ...{ ordersPerSecond: 3_000, seconds: 0.2, busiestPercent: 30, costs: COSTS },
}

/** Runs beside the twin; throws when they differ. */
function runBeside(settings: Partial<Settings>): void {
  const twin = new PlainVenue()
  const simulation = new Simulation({
    ...{ ...USUAL, ...settings },
    onCommit: (block) => {
      twin.commit(block)
      twin.check()
    },
  })
  const { orders } = simulation.run()
  expect(orders).toBeGreaterThan(0)
  simulation.finish()
  twin.checkEnd()
  expect(simulation.unanswered).toBe(0)
  expect(twin.settled).toEqual(twin.ledger)
  for (const process of simulation.processes) compare(process.shard, process.recovered(), twin)
}

/** A shard that ran is what its journal leads to, and what the twin says. */
function compare(shard: Shard, recovered: Shard, twin: PlainVenue): void {
  if (shard instanceof AccountShard && recovered instanceof AccountShard) {
    expect(shard.reservations.size).toBe(0)
    expect(recovered.balances).toEqual(shard.balances)
    for (const [key, money] of twin.ledger) {
      const [account, asset] = key.split('/').map(Number)
      const balance = shard.balances.get(balanceKey(account!, asset!))
      if (balance !== undefined) expect(balance).toEqual(money)
    }
  } else if (shard instanceof SymbolShard && recovered instanceof SymbolShard) {
    expect([shard.open.size, recovered.open.size]).toEqual([0, 0])
  } else throw new Error('another kind of shard came back')
}

describe('shards', () => {
  test('neither lose nor double money, whatever is killed', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(),
          accountShards: fc.integer({ min: 1, max: 4 }),
          symbolShards: fc.integer({ min: 1, max: 4 }),
          kills: fc.nat({ max: 6 }),
          takeoverUs: fc.integer({ min: 1, max: 50_000 }),
          busiestPercent: fc.nat({ max: 100 }),
          seconds: fc.constantFrom(0.02, 0.1),
        }),
        runBeside,
      ),
      { numRuns: 40 },
    )
  })

  test('give the same history for the same seed', () => {
    const [first, second, other] = [7, 7, 8].map((seed) =>
      new Simulation({ ...USUAL, seed, kills: 3, takeoverUs: 5_000 }).run(),
    )
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
  })

  test.each(
    Object.values(Defect).filter((defect) => defect !== Defect.none),
  )('a planted defect is found: %s', (defect) => {
    const isFound = (seed: number) => {
      const settings = { seed, kills: 6, takeoverUs: 5_000 }
      runBeside(settings)
      try {
        runBeside({ ...settings, defect })
        return false
      } catch {
        return true
      }
    }
    expect(SEEDS.some(isFound)).toBe(true)
  })
})

test('one leader answers all in one block, and recovers from its journal', () => {
  const simulation = new Simulation({
    ...{ ...USUAL, accountShards: 0, symbolShards: 0, kills: 3, takeoverUs: 5_000 },
  })
  simulation.run()
  simulation.finish()
  expect(simulation.unanswered).toBe(0)
  const [process] = simulation.processes
  const { shard } = process!
  const recovered = process!.recovered()
  if (!(shard instanceof OneLeader && recovered instanceof OneLeader)) throw new Error('no leader')
  expect(recovered.accounts.balances).toEqual(shard.accounts.balances)
  expect(shard.accounts.reservations.size).toBe(0)
  expect(shard.symbols.open.size).toBe(0)
})
