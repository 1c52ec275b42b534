/**
 * Seeds of a group of symbols with routed orders. `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7`
 * runs one again.
 */
import { seedsFor, testSeeds } from './seeds.ts'

const seeds = seedsFor(12)

const mustHappen = [
  ...['rests', 'is filled'].map((end) => `routed GTC ${end}`),
  ...['MARKET', 'IOC', 'FOK'].flatMap((kind) => [
    `routed ${kind} expires`,
    `routed ${kind} is filled`,
  ]),
  'routed beyond the range',
  ...['predicted', 'allocation', 'allocation of another book', 'the account cannot pay'],
  ...['prevented across books maker', 'prevented across books taker'],
  ...['OrderTriggered', 'OrderReleased', 'OrderReplenished', 'OrderDecremented'].map(
    (name) => `${name} in another book`,
  ),
  'protection in another book',
  ...[
    'unfinished: routed',
    'gone on',
    'AuctionUncrossed',
    'OrderAmended',
    'commission in another asset',
  ],
  ...['crash', 'crash in a cascade', 'crash with nothing lost', 'torn tail'],
]

testSeeds(
  'routing',
  'orders that are routed agree with their plain twin, and survive power loss',
  seeds,
  mustHappen,
)
