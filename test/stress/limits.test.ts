/** Real threads on one table of limits: nothing is granted twice, lost, or charged to another. */
import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { AccountId, Ms } from '../../src/base/units.ts'
import { parseConfig } from '../../src/config/config.ts'
import { limitBytes, RateLimits } from '../../src/gateway/limits/rate-limits.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../src/shared/counters.ts'
import type { Granted, LimitsTask } from './limits-worker.ts'

const THREADS = 3
const MINUTES = 20
const ACCOUNTS_MAX = 8
const startMs = 86_400_000 * 19_675
const program = path.resolve(import.meta.dirname, '../../dist/test/stress/limits-worker.js')

/** Runs the role on every thread; answers what all of them were granted, by minute and party. */
async function run(
  role: LimitsTask['role'],
  parties: number,
  steps: number,
  flags: readonly string[],
) {
  const settings = parseConfig(flags, {}, () => '').config!
  const memory = new SharedArrayBuffer(limitBytes(ACCOUNTS_MAX))
  // The salt of the address table, so that each run has the same sets and tags.
  new BigUint64Array(memory)[memory.byteLength / 8 - 1] = 0x9e3779b97f4a7c15n
  const counters = new SharedArrayBuffer(countersBytes(1, THREADS))
  const shared = { memory, counters, barrier: new SharedArrayBuffer(4), settings, startMs }
  const answers = await Promise.all(
    Array.from({ length: THREADS }, async (_, index): Promise<Granted> => {
      const task: LimitsTask = {
        ...shared,
        role,
        index,
        threads: THREADS,
        accountsMax: ACCOUNTS_MAX,
        minutes: MINUTES,
        steps,
        parties,
      }
      const worker = new Worker(program, { workerData: task, execArgv: [] })
      const [granted] = await once(worker, 'message')
      return granted
    }),
  )
  const limits = new RateLimits(
    memory,
    ACCOUNTS_MAX,
    settings,
    ThreadCounters.ofGateway(counters, 0),
  )
  const counter = (name: string) =>
    readCounters(counters, 1, THREADS)
      .filter((it) => it.name === name)
      .reduce((sum, it) => sum + it.value, 0)
  return { answers, limits, counter }
}

/** One number for each minute and party, out of those of the threads. */
const merged = (answers: readonly Granted[], merge: (...values: number[]) => number): Granted =>
  answers[0]!.map((parties, minute) =>
    parties.map((_, party) => merge(...answers.map((granted) => granted[minute]![party]!))),
  )
const sum = (...values: number[]) => values.reduce((total, value) => total + value, 0)

const lastMs = startMs + (MINUTES - 1) * 60_000
const party = (index: number) => Uint8Array.of(10, 0, 0, index).buffer

describe('many gateways', () => {
  test('charge and give back the weight of the same addresses', async () => {
    const flags = ['--weight-limit', '5000', '--ban-after', '1000000']
    const { answers, limits } = await run('chargers', 3, 12_000, flags)
    const kept = merged(answers, sum)
    for (const weights of kept) for (const weight of weights) expect(weight).toBeLessThan(5001)
    // More was requested than there was, so nearly all of it was granted.
    expect(Math.min(...kept.flat())).toBeGreaterThan(4990)
    for (const [index, weight] of kept.at(-1)!.entries()) {
      limits.readWeight(limits.addressOf(party(index), Ms(lastMs)), Ms(lastMs))
      expect(limits.weightUsed).toBe(weight)
    }
  })

  test('count the orders of the same accounts, and credit their fills', async () => {
    const flags = ['--orders-per-second', '3000', '--orders-per-day', '1000000']
    const { answers, limits } = await run('traders', 3, 6_000, flags)
    const counted = merged(answers, sum)
    expect(Math.max(...counted.flat())).toBeLessThan(3001)
    for (let account = 0; account < 3; account++) {
      const inDay = sum(...counted.map((accounts) => accounts[account]!))
      const [day, second] = limits.orderCounts({ id: AccountId(account) }, Ms(lastMs))
      expect([day.count, second.count]).toEqual([inDay, counted.at(-1)![account]])
    }
  })

  test('ban an address once, all until the same moment', async () => {
    const flags = ['--ban-seconds', '1']
    const { answers, counter } = await run('offenders', 3, 2_000, flags)
    const firstMinute = merged(answers, (...ends) => new Set(ends).size)[0]!
    expect(firstMinute).toEqual([1, 1, 1])
    for (const [minute, ends] of merged(answers, Math.max).entries()) {
      for (const end of ends) expect(end).toBeGreaterThan(startMs + minute * 60_000)
    }
    expect(counter('addressesBanned')).toBeGreaterThanOrEqual(3)
  })

  test('refuse no client for what another did, while rows change hands', async () => {
    // About 1 request of an address in a minute, and about 15 in the row that it stands in.
    const flags = ['--weight-limit', '12', '--ban-after', '1']
    const { answers, counter } = await run('strangers', 50_000, 20_000, flags)
    expect(sum(...merged(answers, sum).flat())).toBe(0)
    expect(counter('addressesForgotten')).toBeGreaterThan(100_000)
    expect(counter('addressesBanned')).toBe(0)
  })
})
