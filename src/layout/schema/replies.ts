/** Refusals and results of queries: sent to one gateway, never journaled. */
import type { Field, RecordSchema } from './field.ts'
import { deal, detailed, order, placement, progress } from './order-fields.ts'

export const replies: readonly RecordSchema[] = [
  {
    name: 'Rejected',
    type: 64,
    kind: 'reply',
    meaning: 'The command was refused and changed nothing.',
    fields: [
      ['reason', 'i32', 'RejectReason'],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'OrderState',
    type: 65,
    kind: 'reply',
    meaning: 'One open order as it stands.',
    fields: [
      ...order,
      ...progress,
      ['updatedMs', 'ms', 'when it last changed: fill, trigger, release, decrement, amendment'],
      ['clientOrderId', 'id', ''],
    ],
    sections: detailed,
  },
  {
    name: 'QueryEnd',
    type: 66,
    kind: 'reply',
    meaning: 'A page of open orders ends.',
    fields: [
      ['isWhole', 'i32', '1 when no page follows'],
      ['spare', 'i32', 'zero'],
      ['untilOrderId', 'orderId', 'the pages have the orders up to this one'],
    ],
  },
  {
    name: 'BookBegin',
    type: 67,
    kind: 'reply',
    meaning: 'Levels of the book follow: those after the price and side that the query names.',
    fields: [
      ['side', 'i32', 'Side'],
      ['phase', 'i32', 'SymbolStatus of the phase at this place'],
      ['afterTicks', 'ticks', '0 from the best one on'],
      ['updateId', 'int', 'depth version'],
      ['sequence', 'int', 'last event sequence'],
      ['tradeId', 'tradeId', 'last trade id'],
      ['lastPriceTicks', 'ticks', 'price of the last trade; 0 when there was none'],
      ['closeTicks', 'ticks', 'official close; 0 before the first'],
      ['closeMs', 'ms', 'when that was'],
      [
        'auctionTicks',
        'ticks',
        'price of the last auction in which something traded; 0 before the first',
      ],
      ['auctionMs', 'ms', 'when its last trade was made'],
      ['auctionVolume', 'int64', 'lots that traded in it'],
      ['auctionSurplus', 'int64', 'as PhaseChanged'],
    ],
  },
  {
    name: 'BookLevel',
    type: 68,
    kind: 'reply',
    meaning: 'One price level.',
    fields: [
      ['side', 'i32', 'Side'],
      ['orderCount', 'i32', 'orders on it'],
      ['priceTicks', 'ticks', ''],
      ['levelLots', 'lots', 'their open quantity together'],
    ],
  },
  {
    name: 'BookEnd',
    type: 69,
    kind: 'reply',
    meaning: 'A piece of the book ends.',
    fields: [
      ['isWhole', 'i32', '1 when no level follows'],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'ReplaceResult',
    type: 71,
    kind: 'reply',
    meaning:
      'How both halves of a ReplaceOrder ended; the events of what succeeded come before it. ' +
      'Its last record. Says again what was to be placed, at the same offsets, so that streams ' +
      'can report its refusal.',
    fields: [
      ...placement.map(
        (field): Field =>
          field[0] === 'expiresMs' ? ['timeMs', 'ms', "the batch's time, ms"] : field,
      ),
      ['cancelReason', 'i32', 'RejectReason, or 0 when the order was canceled'],
      ['orderReason', 'i32', 'RejectReason, 0 when the order was accepted, -1 when not attempted'],
    ],
  },
  {
    name: 'QuoteResult',
    type: 74,
    kind: 'reply',
    meaning:
      'A QuoteOrders was executed. A QuoteOutcome for each of its levels stands behind it, in their order.',
    fields: [
      ['canceled', 'i32', 'orders that were canceled for it'],
      ['levels', 'i32', 'how many QuoteOutcomes there are'],
    ],
  },
  {
    name: 'OrderListRejected',
    type: 72,
    kind: 'reply',
    meaning:
      'A PlaceOrderList was refused and changed nothing. Says again what was to be placed, so ' +
      'that streams can report its refusal.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['kind', 'i32', 'OrderListKind'],
      ['reason', 'i32', 'RejectReason'],
      ['legs', 'i32', '2 or 3'],
      ['timeMs', 'ms', "the batch's time, ms"],
      ['listClientOrderId', 'id', ''],
      ['clientOrderId1', 'id', ''],
      ['clientOrderId2', 'id', ''],
      ['clientOrderId3', 'id', 'none when there are two'],
    ],
  },
  {
    name: 'AuctionIndicative',
    type: 73,
    kind: 'reply',
    meaning:
      'What the auction would come to if the call ended now. Sent to all gateways while the phase is ' +
      'AUCTION_MATCH, seldom enough to be a small share of the work.',
    fields: [
      ['priceTicks', 'ticks', '0 while the book is not crossed'],
      ['lastPriceTicks', 'ticks', 'last price; 0 for none'],
      ['volume', 'int64', 'as AuctionUncrossed'],
      ['surplus', 'int64', 'as AuctionUncrossed'],
      ['timeMs', 'ms', "the batch's time"],
    ],
  },
  {
    name: 'CountdownState',
    type: 80,
    kind: 'reply',
    meaning: 'The countdowns of an account that run on the symbol.',
    fields: [
      ['deadlineMs', 'ms', "when the symbol's is over; 0 for none"],
      ['countdownMs', 'ms', 'its length'],
      ['allDeadlineMs', 'ms', 'when the one of all symbols is over; 0 for none'],
      ['allCountdownMs', 'ms', 'its length'],
    ],
  },
  {
    name: 'ProtectionState',
    type: 81,
    kind: 'reply',
    meaning: 'The protection of an account on the symbol.',
    fields: [
      ['status', 'i32', 'ProtectionStatus'],
      ['spare', 'i32', 'zero'],
      ['windowMs', 'ms', '0 for none'],
      ['maxFills', 'int', 'as SetProtection'],
      ['maxNotional', 'quoteAtoms', 'as SetProtection'],
    ],
  },
  {
    name: 'ReferenceState',
    type: 86,
    kind: 'reply',
    meaning:
      'How the reference price of the symbol is calculated. Its buckets follow, the oldest first.',
    fields: [
      ['calculation', 'i32', 'ReferenceCalculation'],
      ['bucketCount', 'i32', 'as ReferenceChanged'],
      ['bucketWidthMs', 'ms', 'as ReferenceChanged'],
      ['externalId', 'int', 'as ReferenceChanged'],
      ['priceUnits', 'int64', 'as ReferenceChanged'],
      ['hasPriced', 'i32', '1 once the symbol had a price'],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'ReferenceBucket',
    type: 87,
    kind: 'reply',
    meaning: 'Trades of one bucket of a reference price.',
    fields: [
      ['openMs', 'ms', 'when it began'],
      ['trades', 'int', ''],
      ['tickSum', 'int64', 'their prices together'],
    ],
  },
  {
    name: 'BlockTradeState',
    type: 90,
    kind: 'reply',
    meaning: 'A block trade that was made before.',
    fields: [...deal, ['tradedMs', 'ms', 'when']],
  },
]
