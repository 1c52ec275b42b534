/**
 * Seeds of the simulated exchange. `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7`
 * runs one again; a failure names its seed and step.
 */
import { expect, test } from 'vitest'
import { RejectReason } from '#base/codes.ts'
import { Simulation } from './simulation.ts'

const STEPS = 2000
const only = process.env.RINGBOOK_SIM_SEED
const count = Number(process.env.RINGBOOK_SIM_SEEDS ?? 24)
const seeds = only === undefined ? Array.from({ length: count }, (_, i) => i + 1) : [Number(only)]

/** What the seeds together must have met, or they prove little. */
const mustHappen = [
  'OrderAccepted',
  'Trade',
  'OrderRested',
  'MatchPrevented',
  'OrderState',
  'QueryEnd',
  'BookLevel',
  'OrderClosed 3/0',
  'OrderClosed 6/5',
  'OrderClosed 6/6',
  'OrderClosed 6/7',
  'OrderClosed 7/0',
  'append',
  'flush',
  'crash',
  'crash with nothing lost',
  'torn tail',
  ...Object.values(RejectReason).map((reason) => `Rejected ${reason}`),
]

test('the exchange from a seed agrees with its plain twin and survives power loss', () => {
  const counts = new Map<string, number>()
  for (const seed of seeds) {
    const simulation = new Simulation(seed)
    for (let step = 0; step < STEPS; step++) {
      try {
        simulation.step()
      } catch (cause) {
        throw new Error(`seed ${seed}, step ${step}: ${(cause as Error).message}`, { cause })
      }
    }
    for (const [what, times] of simulation.counts) {
      counts.set(what, (counts.get(what) ?? 0) + times)
    }
  }
  if (only === undefined) expect([...counts.keys()]).toEqual(expect.arrayContaining(mustHappen))
}, 3_600_000)
