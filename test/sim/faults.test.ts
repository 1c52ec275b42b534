/** Seeds of the simulator of faults (faults/faults-simulation.ts), in which each step and each fate happens. */
import { fates } from './faults/rule-twin.ts'
import { seedsFor, testSeeds } from './seeds.ts'

const seeds = seedsFor(6)

const mustHappen = ['place', 'rule', 'remove rule', 'fill', ...Object.keys(fates)]

testSeeds(
  'faults',
  'an exchange that fails by rules does so for those alone whom they name',
  seeds,
  mustHappen,
)
