/** Seeds of the whole simulated exchange whose operators open and close symbols by auctions. */
import { seedsFor, testSeeds } from '../seeds.ts'

/** A quorum whose members take the lead from each other; a flush that fails behind one that blocked. */
const EVENTFUL = [3, 1_009_735_344]
const seeds = seedsFor(2, EVENTFUL)

const mustHappen = [
  ...['PRE_TRADING', 'AUCTION_MATCH', 'POST_TRADING', 'AuctionUncrossed', 'trade of an auction'],
  ...['kill', 'power loss', 'promoted'],
]

testSeeds(
  'calls',
  'auctions are those of the plain twin, on one machine and on a quorum, whatever fails',
  seeds,
  mustHappen,
)
