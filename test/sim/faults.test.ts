/** Seeds of the simulator of faults (faults/faults-simulation.ts), in which each step and each fate happens. */
import { expect, test } from 'vitest'
import { fates } from './faults/rule-twin.ts'
import { patienceMs, seedsFor } from './seeds.ts'
import { runSeed, simulatorNamed } from './simulators.ts'

const { seeds, areEnough } = seedsFor(6)

const mustHappen = ['place', 'rule', 'remove rule', 'fill', ...Object.keys(fates)]

test(
  'an exchange that fails by rules does so for those alone whom they name',
  async () => {
    const happened = new Set<string>()
    for (const seed of seeds) {
      for (const what of (await runSeed(simulatorNamed('faults'), seed)).keys()) happened.add(what)
    }
    if (areEnough) expect(mustHappen.filter((what) => !happened.has(what))).toEqual([])
  },
  patienceMs(seeds),
)
