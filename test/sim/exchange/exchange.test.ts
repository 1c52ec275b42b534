/**
 * Seeds of the whole simulated exchange. `RINGBOOK_SIM_SEEDS=100` runs more of them,
 * `RINGBOOK_SIM_SEED=7` runs one again; a failure names its seed and step.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectGarbage } from '../collect-garbage.ts'
import { patienceMs, seedsFor, testSeeds } from '../seeds.ts'
import { ExchangeSimulation } from './exchange-simulation.ts'

/** Seeds in which members of a quorum, and a flush in the last one, meet what the first ones do not. */
const EVENTFUL = [45, 49, 50, 58, 62, 63, 94, 1_002]
const seeds = seedsFor(8, EVENTFUL)

const mustHappen = [
  ...['OrderAccepted', 'Trade', 'OrderRested', 'MatchPrevented', 'OrderTriggered'],
  ...['answered PlaceOrder', 'answered CancelOrder', 'answered PlaceOrderList'],
  ...['answered QuoteOrders', 'batch: PlaceOrder', 'batch: CancelOrder', 'batch: ReplaceOrder'],
  ...['answered AmendOrder', 'answered ReplaceOrder', 'answered QueryOrder', 'answered QueryBook'],
  ...['error -1021', 'error -2010', 'error -2011', 'asked for what was lost'],
  ...['OrderClosed 6/8', 'OrderFunded', 'pegged OrderAccepted'],
  ...['ReferenceChanged', 'ReferenceBucket', 'reference-price', 'block-trade', 'BlockTradeState'],
  ...['history', 'diff', 'checkpointed', 'archived', 'archived orders', 'snapshot'],
  ...['answered SetCountdown', 'CountdownChanged', 'answered SetProtection', 'ProtectionChanged'],
  ...['connect', 'lost connection', 'slow party', 'clock step', 'deposit', 'resume'],
  ...['clock set', 'an hour behind: OrderAccepted', 'an hour behind: OrderClosed'],
  ...['freeze', 'freeze that cancels', 'thaw', 'cancel of an account', 'cancel of a symbol'],
  ...['delist', 'rename'],
  ...['slow quorum', 'quorum failed over', 'quorum: lostAnswer', 'quorum: cancelledWait'],
  ...['quorum: late', 'stale leader', 'machine lost'],
  ...['follows', 'loaded', 'follower killed', 'follower cut off', 'followed a new beginning'],
  ...['promoted', 'asked to lead', 'deposed', 'handed over', 'leader cut off'],
  ...['asked who is cut off', 'trimmed', 'too far behind', 'seeded', 'backup'],
  ...['answered withdrawal', 'answered move', 'asked again', 'signed', 'sent', 'sent again'],
  ...[0, 1, 6].map((status) => `deposit ${status}`),
  ...[0, 4, 6].map((status) => `withdrawal ${status}`),
  ...['FundsMoved', 'withdrawal-confirm', 'withdrawal-approve', 'coin-network-suspend'],
  ...['chain-stop', 'chain-resume', 'chain-reorganise'],
  ...['kill', 'power loss', 'promoted'].map((what) => `${what}: a withdrawal is under way`),
  ...['kill', 'power loss', 'torn sector', 'flush beside', 'flush that ends late'],
  'continues from a snapshot',
]

testSeeds(
  'exchange',
  'from request to answer, whatever fails on the way, all is as the plain twin says',
  seeds,
  mustHappen,
)

/** Runs a seed, and lets `between` interrupt it at every hundredth step. Returns its traces there. */
async function traced(seed: number, between: () => Promise<void>): Promise<readonly number[]> {
  const run = new ExchangeSimulation(seed)
  const traces: number[] = []
  for (let step = 1; step <= 1_000; step++) {
    await run.step()
    if (step % 100 !== 0) continue
    await between()
    traces.push(run.trace)
  }
  await run.finish()
  return [...traces, run.trace]
}

/** One with small rings alone, and one with members of a quorum. */
const TRACED = [2, 45]

test(
  'a seed gives the same run, whatever the machine does meanwhile',
  async () => {
    const interrupted = async () => {
      collectGarbage()
      for (let turns = 0; turns < 3; turns++) await turn()
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
    }
    for (const seed of TRACED) {
      expect(await traced(seed, interrupted)).toEqual(await traced(seed, async () => {}))
    }
  },
  patienceMs([...TRACED, ...TRACED]),
)
