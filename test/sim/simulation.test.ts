/**
 * Seeds of the simulated exchange. `RINGBOOK_SIM_SEEDS=1000` runs more of them, `RINGBOOK_SIM_SEED=7`
 * runs one again; a failure names its seed and step.
 */
import { OrderListKind, RejectReason } from '../../src/base/codes.ts'
import { seedsFor, testSeeds } from './seeds.ts'

const seeds = seedsFor(48)

const elsewhere: readonly number[] = [
  // Matchers refuse for them, and this simulation has none with rings.
  ...[RejectReason.NO_ROOM_FOR_ANSWER, RejectReason.SYMBOL_BUSY],
  // Of the prices of pegs, whose filters stay here, and no symbol has those of the average.
  ...[RejectReason.PRICE_FILTER, RejectReason.NOTIONAL_IS_ZERO],
  ...[RejectReason.PERCENT_PRICE, RejectReason.PERCENT_PRICE_BY_SIDE],
  // Only behind more block trades of a symbol than a run makes.
  RejectReason.ID_FORGOTTEN,
]

const mustHappen = [
  'OrderAccepted',
  'Trade',
  'OrderRested',
  'MatchPrevented',
  'transfer',
  ...['OrderAccepted', 'OrderClosed', 'OrderState'].map((name) => `${name} with details`),
  'OrderTriggered',
  'OrderReleased',
  'OrderReplenished',
  'OrderAmended',
  'OrderDecremented',
  'commission in another asset',
  // Amounts that no number carries.
  ...['OrderAccepted.quoteAtoms', 'OrderAccepted.heldAtoms', 'OrderClosed.releasedAtoms'].map(
    (field) => `wide ${field}`,
  ),
  ...['quoteAtoms', 'makerFilledAtoms', 'takerCommissionAtoms'].map(
    (field) => `wide Trade.${field}`,
  ),
  ...[
    'OrderAmended.releasedAtoms',
    'OrderDecremented.releasedAtoms',
    'OrderReleased.heldAtoms',
  ].map((field) => `wide ${field}`),
  'wide OrderTriggered.heldAtoms',
  'wide transfer.transferredAtoms',
  'wide OrderState.filledAtoms',
  'OrderState',
  'QueryEnd',
  'BookLevel',
  'OrderClosed 3/0',
  'OrderClosed 6/1',
  'OrderClosed 6/3',
  'OrderClosed 6/4',
  'OrderClosed 6/5',
  'OrderClosed 6/6',
  'OrderClosed 6/7',
  'OrderClosed 7/0',
  ...Object.values(OrderListKind).flatMap((kind) =>
    ['1/0', '2/1', '3/0'].map((how) => `OrderListChanged ${kind} ${how}`),
  ),
  ...['0/0', '0/1', '1/-1', '1/0', '1/1'].map((how) => `ReplaceResult ${how}`),
  ...['PhaseChanged', 'AuctionUncrossed', 'trade of an auction', 'interruption'],
  'leg amended',
  ...['PlaceOrder', 'CancelOpenOrders'].map((name) => `unfinished: ${name}`),
  'gone on',
  'crash in a cascade',
  'session ended: OrderClosed',
  ...[0, 1, 2, 3].map((outcome) => `quoted ${outcome}`),
  'a quote trades',
  ...[
    RejectReason.INSUFFICIENT_BALANCE,
    RejectReason.WOULD_MATCH_IMMEDIATELY,
    RejectReason.TOO_MANY_MATCHES,
  ].map((reason) => `whole quote refused ${reason}`),
  'clock behind',
  ...['countdown fires', 'countdown cancels', 'several countdowns fire'],
  ...['CountdownChanged', 'CountdownState', 'BlockTrade', 'BlockTradeState'],
  ...['price range', 'price range after trades', 'ReferenceChanged', 'ReferenceBucket'],
  ...['funded by Trade', 'funded by MatchPrevented'],
  ...['free', 'received'].map((of) => `a commission of what was ${of}`),
  ...['a release frees', 'wide OrderFunded.heldAtoms'],
  ...['protection cancels', 'protection trips', 'ProtectionState'],
  ...['OrderAccepted', 'OrderTriggered', 'OrderReleased'].map((name) => `pegged ${name}`),
  'a stop of a frozen account',
  'a leg of a frozen account',
  'append',
  'flush',
  'crash',
  'crash with nothing lost',
  'torn tail',
  ...Object.values(RejectReason)
    .filter((reason) => !elsewhere.includes(reason))
    .map((reason) => `Rejected ${reason}`),
]

testSeeds(
  'simulation',
  'the exchange from a seed agrees with its plain twin and survives power loss',
  seeds,
  mustHappen,
)
