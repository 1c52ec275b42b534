/** Seeds of the whole simulated exchange whose operators open and close symbols by auctions. */
import { expect, test } from 'vitest'
import { patienceMs, seedsFor } from '../seeds.ts'
import { runSeed, simulatorNamed } from '../simulators.ts'

/** Of a quorum, whose members take the lead from each other. */
const EVENTFUL = [3]
const { seeds, areEnough } = seedsFor(2, EVENTFUL)

const mustHappen = [
  ...['PRE_TRADING', 'AUCTION_MATCH', 'POST_TRADING', 'AuctionUncrossed', 'trade of an auction'],
  ...['kill', 'power loss', 'promoted'],
]

test(
  'auctions are those of the plain twin, on one machine and on a quorum, whatever fails',
  async () => {
    const happened = new Set<string>()
    for (const seed of seeds) {
      for (const what of (await runSeed(simulatorNamed('calls'), seed)).keys()) happened.add(what)
    }
    if (areEnough) expect(mustHappen.filter((what) => !happened.has(what))).toEqual([])
  },
  patienceMs(seeds),
)
