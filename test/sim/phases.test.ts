/**
 * Seeds of the simulated exchange whose operators are restless: calls, auctions, interruptions, halts.
 * `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7` runs one again.
 */
import { seedsFor, testSeeds } from './seeds.ts'

/** A crash in an auction. */
const EVENTFUL = [40]
const seeds = seedsFor(20, EVENTFUL)

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

testSeeds(
  'phases',
  'phases, auctions and interruptions are those of the plain twin, also after power loss',
  seeds,
  mustHappen,
)
