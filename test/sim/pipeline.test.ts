/**
 * Seeds of the simulated pipeline. `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7`
 * runs one again; a failure names its seed and step.
 */
import { expect, test } from 'vitest'
import { Pipeline } from './pipeline.ts'
import { seedsFor, testSeeds } from './seeds.ts'

/** Seeds in which orders wait for funds, cancel-alls for their turn, and stops for a start. */
const EVENTFUL = [11, 15, 16, 17]
const seeds = seedsFor(10, EVENTFUL)

const mustHappen = [
  'OrderAccepted',
  'Trade',
  'OrderRested',
  'MatchPrevented',
  'OrderTriggered',
  'OrderReleased',
  'OrderReplenished',
  'OrderAmended',
  'OrderDecremented',
  'commission in another asset',
  'ReplaceResult 0/0',
  'OrderListChanged 0 1/0',
  'OrderListChanged 1 2/1',
  'OrderListChanged 2 2/1',
  'OrderState',
  ...['OrderClosed 3/0', 'OrderClosed 6/8'],
  ...['OrderListChanged 3 2/1', 'OrderListChanged 4 2/1', 'OrderFunded'],
  ...['OrderAccepted', 'OrderTriggered', 'OrderReleased'].map((name) => `pegged ${name}`),
  ...['ReferenceChanged', 'ReferenceState', 'ReferenceBucket', 'BlockTrade', 'BlockTradeState'],
  'BookEnd',
  'command ring full',
  'reply ring full',
  'no room for an answer',
  'diff',
  'flush',
  'clock behind',
  'clock set',
  'an hour behind: OrderAccepted',
  'an hour behind: OrderClosed',
  'an hour behind: Rejected',
  'fault in append',
  'fault in doubt',
  'fault in flush',
  'canceled at start',
  'unfinished: PlaceOrder',
  'unfinished: CancelOpenOrders',
  'gone on',
  'gone on at start',
  'passed',
  'passed on the same symbol',
  'a cancel passed',
  'paid, passed',
  'waited for funds',
  'lacked funds alone',
  'refused: symbol busy',
  'refused: account busy',
  'kill in a cascade',
  ...[0, 1, 2, 6, 7].map((status) => `deposit ${status}`),
  ...[0, 1, 2, 3, 4, 5, 6].map((status) => `withdrawal ${status}`),
  ...[1, 2, 3, 4, 5].map((change) => `chain changed ${change}`),
  ...[9, 13, 15, 18].map((refusal) => `wallet refused ${refusal}`),
  ...['routed', 'routed to another book', 'Allocation', 'gone on in the group'],
  ...['FundsMoved', 'MovementState', 'DebtPaid', 'FundsState', 'WithdrawingState', 'ChainState'],
  ...['wide withdrawal.atoms', 'wide deposit.movedAtoms', 'wide withdrawal.feeMovedAtoms'],
  ...['due in the wallet', 'due in the wallet at start'],
  ...['unfinished: ChangeChain', 'end in a reorganisation'],
  ...['payment signed', 'payment sent', 'payment sent again', 'start with payments sent'],
  'stop',
  'kill',
  'power loss',
  'torn tail',
  'follower compared',
  'follower restarted',
]

testSeeds(
  'pipeline',
  'from ring to journal to ring, nothing is lost, early, torn or made up',
  seeds,
  mustHappen,
)

test('gateways that are overrun by a flood of orders begin again from the matcher', () => {
  let overruns = 0
  for (const seed of [4, 5]) {
    const pipeline = new Pipeline(seed)
    for (let round = 0; round < 3; round++) {
      for (let step = 0; step < 100; step++) pipeline.step()
      pipeline.flood()
    }
    pipeline.finish()
    overruns += pipeline.counts.get('overrun') ?? 0
  }
  expect(overruns).toBeGreaterThan(0)
})
