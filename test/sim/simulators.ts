/** The simulators by their names, and running them seed after seed. */
import { setImmediate as turn } from 'node:timers/promises'
import { AggregatesSimulation } from './aggregates-simulation.ts'
import { ExchangeSimulation } from './exchange/exchange-simulation.ts'
import { FaultsSimulation } from './faults/faults-simulation.ts'
import { Pipeline } from './pipeline.ts'
import { RoutingSimulation } from './routing-simulation.ts'
import { Simulation } from './simulation.ts'
import { StatesSimulation } from './states/states-simulation.ts'
import { LargeVenue } from './venue/large-venue.ts'
import { deeds } from './venue/venue-deeds.ts'

/** One run from a seed: `step` throws when anything is wrong. */
export interface SimulatorRun {
  readonly counts: ReadonlyMap<string, number>
  step(): void | Promise<void>
  /** After the last step. */
  finish?(): void | Promise<void>
  /** After a failure. */
  dispose?(): void
}

export interface Simulator {
  readonly name: string
  /** Steps of one seed in a usual run. */
  readonly steps: number
  start(seed: number): SimulatorRun
}

/** Share of the steps of phases that change a symbol's phase and how auctions go. */
const PHASES_SHARE = 0.012
/** That share in the simulator of aggregates, which has fewer steps and needs auctions alone. */
const AGGREGATES_SHARE = 0.06

export const simulators: readonly Simulator[] = [
  { name: 'simulation', steps: 2000, start: (seed) => new Simulation(seed) },
  { name: 'phases', steps: 2000, start: (seed) => new Simulation(seed, PHASES_SHARE) },
  { name: 'routing', steps: 2000, start: (seed) => new RoutingSimulation(seed) },
  {
    name: 'aggregates',
    steps: 3000,
    start: (seed) => new AggregatesSimulation(seed, AGGREGATES_SHARE),
  },
  { name: 'pipeline', steps: 3000, start: (seed) => new Pipeline(seed) },
  { name: 'exchange', steps: 1500, start: (seed) => new ExchangeSimulation(seed) },
  { name: 'calls', steps: 1500, start: (seed) => new ExchangeSimulation(seed, true) },
  { name: 'states', steps: 40, start: (seed) => new StatesSimulation(seed) },
  { name: 'faults', steps: 60, start: (seed) => new FaultsSimulation(seed) },
  { name: 'venue', steps: 18, start: (seed) => new LargeVenue(seed, deeds) },
]

/** Throws RangeError when there is none. */
export function simulatorNamed(name: string): Simulator {
  const simulator = simulators.find((it) => it.name === name)
  if (simulator === undefined) throw new RangeError(`there is no simulator ${name}`)
  return simulator
}

/**
 * The first line of an error; where it compares objects, with the first line that differs, since
 * node's own first line only reports that something does.
 */
export function headlineOf(cause: unknown): string {
  const { message } = cause as Error
  const [first, ...others] = message.split('\n')
  const differs = others.filter((line) => /^[+-] /.test(line)).slice(1, 5)
  return differs.length === 0
    ? message
    : `${first} ${differs.map((it) => it.trim()).join(' ')}\n${message}`
}

/** Where a run went wrong. The seed and step reproduce it. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure'
  readonly step: number

  constructor(simulator: Simulator, seed: number, step: number, cause: unknown) {
    const again = `RINGBOOK_SIM_SEED=${seed} npx vitest run --config test/vitest.config.ts`
    const place = `${simulator.name}, seed ${seed}, step ${step}`
    super(`${place}: ${headlineOf(cause)}\n${again} ${simulator.name}.test`, { cause })
    this.step = step
  }
}

/**
 * Runs one seed to its end and answers what happened, how often. Throws SimulationFailure. No event loop turns
 * during a run, only before it: the runner of tests waits for that.
 */
export async function runSeed(
  simulator: Simulator,
  seed: number,
  steps = simulator.steps,
): Promise<ReadonlyMap<string, number>> {
  let step = 0
  let run: SimulatorRun | undefined
  await turn()
  try {
    run = simulator.start(seed)
    for (; step < steps; step++) await run.step()
    await run.finish?.()
    return run.counts
  } catch (cause) {
    run?.dispose?.()
    throw new SimulationFailure(simulator, seed, step, cause)
  }
}

/**
 * Runs the seeds, 1, 2, … when left out, for `stepsMax` steps in all, until one fails; undefined when none
 * does.
 */
export async function stepsUntilFound(
  simulator: Simulator,
  stepsMax: number,
  seeds: Iterable<number> = naturals(),
): Promise<{ readonly steps: number; readonly why: string } | undefined> {
  let done = 0
  for (const seed of seeds) {
    if (done >= stepsMax) break
    const steps = Math.min(simulator.steps, stepsMax - done)
    try {
      await runSeed(simulator, seed, steps)
    } catch (error) {
      if (!(error instanceof SimulationFailure)) throw error
      return { steps: done + error.step, why: error.message }
    }
    done += steps
  }
  return undefined
}

function* naturals(): Iterable<number> {
  for (let number = 1; ; number++) yield number
}
