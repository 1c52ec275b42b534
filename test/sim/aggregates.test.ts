/**
 * Seeds of aggregate trades: streams of several gateways and the archive beside one list.
 * `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7` runs one again.
 */
import { seedsFor, testSeeds } from './seeds.ts'

const seeds = seedsFor(10, [11, 14, 18])

const mustHappen = [
  ...['aggregate', 'aggregate of several trades', 'aggregate of several pairs'],
  ...['a reader came into an aggregate', 'crash in an auction'],
]

testSeeds('aggregates', 'streams publish the aggregates that the archive counts', seeds, mustHappen)
