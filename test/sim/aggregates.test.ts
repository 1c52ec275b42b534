/**
 * Seeds of aggregate trades: streams of several gateways and the archive beside one list.
 * `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7` runs one again.
 */
import { expect, test } from 'vitest'
import { patienceMs, seedsFor } from './seeds.ts'
import { runSeed, simulatorNamed } from './simulators.ts'

const { seeds, areEnough } = seedsFor(10, [11, 14, 18])

/** What the seeds together must have met, or they prove little. */
const mustHappen = [
  ...['aggregate', 'aggregate of several trades', 'aggregate of several pairs'],
  ...['a reader came into an aggregate', 'crash in an auction'],
]

test(
  'streams publish the aggregates that the archive counts',
  async () => {
    const counts = new Map<string, number>()
    for (const seed of seeds) {
      for (const [what, times] of await runSeed(simulatorNamed('aggregates'), seed)) {
        counts.set(what, (counts.get(what) ?? 0) + times)
      }
    }
    const missing = mustHappen.filter((what) => !counts.has(what))
    if (areEnough) expect(missing).toEqual([])
  },
  patienceMs(seeds),
)
