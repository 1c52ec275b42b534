/**
 * A short load of signed orders on a separate exchange for each combination of gateways and matchers:
 * two symbols, equally busy, first as fast as answers come back, then at one pace for all combinations.
 */
import { spanText } from '../../scripts/command-line/progress.ts'
import { load, Plans } from '../wire/load.ts'
import { type Durability, type RingbookServer, startRingbook } from '../wire/server.ts'
import { restingPlan, TWO_SYMBOLS, tradingPlan } from '../wire/workload.ts'
import type { Say } from './host.ts'

export interface Combination {
  readonly gateways: number
  readonly matchers: number
}

export interface Trial extends Combination {
  /** Orders answered a second over connections kept busy. */
  readonly rate: number
  /** Processors that the exchange, and the load generator, kept busy at that. */
  readonly cores: number
  readonly generatorCores: number
  /** From when an order was due to its answer, at `pacedRate` orders a second. */
  readonly pacedRate: number
  readonly p50Us: number
  readonly p99Us: number
}

export interface TrialOptions {
  readonly port: number
  readonly durability: Durability
  /** Length of each load. */
  readonly seconds: number
}

const CONNECTIONS = 64
const RESTING = 2_000
const ROUNDS = 2_500
const WARMUP_SECONDS = 1
/** The pace, as a share of what the first combination takes at most: others must be neither idle nor full. */
const PACE_SHARE = 0.5

/** As many of both as can be of use where there are so many processors. */
export function combinationsFor(processors: number): readonly Combination[] {
  const counts = [1, 2, 4, 8, 16].filter((count) => count <= Math.max(2, processors))
  return counts
    .flatMap((gateways) => counts.map((matchers) => ({ gateways, matchers })))
    .filter(({ gateways, matchers }) => gateways + matchers <= Math.max(4, processors + 1))
}

/** Tries them in the order given. */
export async function tryAll(
  combinations: readonly Combination[],
  options: TrialOptions,
  say: Say,
): Promise<readonly Trial[]> {
  const plans = new Plans()
  const trials: Trial[] = []
  try {
    const beganMs = performance.now()
    for (const [done, combination] of combinations.entries()) {
      const seconds = (performance.now() - beganMs) / 1000
      const secondsLeft = Math.ceil((seconds / done) * (combinations.length - done))
      const left = done === 0 ? '' : `, ${spanText(secondsLeft)} left`
      const place = `${done + 1} of ${combinations.length}${left}`
      say(`orders by ${nameOf(combination)} (${place})`)
      trials.push(await tryOne(combination, options, plans, trials[0]?.pacedRate))
    }
  } finally {
    plans.remove()
  }
  return trials
}

export const nameOf = ({ gateways, matchers }: Combination): string =>
  `${counted(gateways, 'gateway')} and ${counted(matchers, 'matcher')}`

const counted = (count: number, what: string): string =>
  `${count === 1 ? 'one' : count} ${what}${count === 1 ? '' : 's'}`

async function tryOne(
  { gateways, matchers }: Combination,
  { port, durability, seconds }: TrialOptions,
  plans: Plans,
  pace: number | undefined,
): Promise<Trial> {
  const workers = { gateways: String(gateways), matchers: String(matchers) }
  const server = await startRingbook(port, durability, undefined, workers)
  try {
    const options = { port, connections: CONNECTIONS, plan: await prepare(server, plans) }
    const trading = { ...options, cycle: true, seconds, require: '"orderId":' }
    await load({ ...trading, seconds: WARMUP_SECONDS })
    const before = server.processorSeconds()
    const full = await load(trading)
    const cores = (server.processorSeconds() - before) / full.seconds
    const pacedRate = pace ?? Math.round(full.rate * PACE_SHARE)
    const paced = await load({ ...trading, rate: pacedRate })
    const { p50: p50Us, p99: p99Us } = paced.latencyUs
    const generatorCores = full.processorShare
    return { gateways, matchers, rate: full.rate, cores, generatorCores, pacedRate, p50Us, p99Us }
  } finally {
    // What was measured stands, however slowly a loaded machine lets the exchange end.
    await server.stop().catch(({ message }) => process.stderr.write(`${message}\n`))
  }
}

/** Places the resting orders; answers the plan of the orders to measure. */
async function prepare({ port, accounts }: RingbookServer, plans: Plans): Promise<string> {
  const plan = plans.write('resting', restingPlan(accounts, RESTING, TWO_SYMBOLS))
  await load({ port, plan, seconds: 60, connections: CONNECTIONS })
  return plans.write('trading', tradingPlan(accounts, ROUNDS, TWO_SYMBOLS))
}
