/** Seeds of the simulator of states (states/states-simulation.ts), in which each step happens. */
import { seedsFor, testSeeds } from './seeds.ts'

// An auction of a saved call is met by few seeds.
const seeds = seedsFor(4, [7])

const mustHappen = [
  ...['place', 'cancel', 'trade', 'credit', 'reset account'],
  ...['advance', 'expire', 'keep the key', 'pair', 'pair in a call', 'auction'],
  ...['save', 'load', 'reset', 'fork', 'mark', 'revert', 'kept', 'rule', 'ping'],
]

testSeeds(
  'states',
  'an exchange that is saved, loaded, reset, forked and reverted is as its twin',
  seeds,
  mustHappen,
)
