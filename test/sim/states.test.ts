/** Seeds of the simulator of states (states/states-simulation.ts), in which each step happens. */
import { expect, test } from 'vitest'
import { patienceMs, seedsFor } from './seeds.ts'
import { runSeed, simulatorNamed } from './simulators.ts'

const { seeds, areEnough } = seedsFor(4)

const mustHappen = [
  ...['place', 'cancel', 'trade', 'credit', 'reset account'],
  ...['advance', 'expire', 'keep the key', 'pair', 'pair in a call', 'auction'],
  ...['save', 'load', 'reset', 'fork', 'mark', 'revert', 'rule', 'ping'],
]

test(
  'an exchange that is saved, loaded, reset, forked and reverted is as its twin',
  async () => {
    const happened = new Set<string>()
    for (const seed of seeds) {
      for (const what of (await runSeed(simulatorNamed('states'), seed)).keys()) happened.add(what)
    }
    if (areEnough) expect(mustHappen.filter((what) => !happened.has(what))).toEqual([])
  },
  patienceMs(seeds),
)
