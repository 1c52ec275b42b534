/**
 * Seeds of the simulated exchange whose operators are restless: calls, auctions, interruptions, halts.
 * `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7` runs one again.
 */
import { expect, test } from 'vitest'
import { patienceMs, seedsFor } from './seeds.ts'
import { runSeed, simulatorNamed } from './simulators.ts'

const { seeds, areEnough } = seedsFor(20)

/** What the seeds together must have met, or they prove little. */
const mustHappen = [
  ...['PhaseChanged', 'AuctionUncrossed', 'trade of an auction', 'interruption', 'OrderClosed 6/8'],
  ...['MatchPrevented', 'OrderDecremented', 'OrderReplenished'].map(
    (name) => `${name} in an auction`,
  ),
  'OrderTriggered after an auction',
  'auction gone on',
  'crash in an auction',
  'crash with nothing lost',
  'torn tail',
]

test(
  'phases, auctions and interruptions are those of the plain twin, also after power loss',
  async () => {
    const counts = new Map<string, number>()
    for (const seed of seeds) {
      for (const [what, times] of await runSeed(simulatorNamed('phases'), seed)) {
        counts.set(what, (counts.get(what) ?? 0) + times)
      }
    }
    const missing = mustHappen.filter((what) => !counts.has(what))
    if (areEnough) expect(missing).toEqual([])
  },
  patienceMs(seeds),
)
