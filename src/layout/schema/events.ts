/** The facts: what happened, journaled and published. */
import type { RecordSchema } from './field.ts'
import {
  across,
  always,
  auction,
  deal,
  detailed,
  detailsOf,
  execution,
  ofSide,
  order,
  prevention,
  progress,
} from './order-fields.ts'

export const events: readonly RecordSchema[] = [
  {
    name: 'OrderAccepted',
    type: 16,
    kind: 'event',
    meaning:
      'An order entered the engine and its funds are held: heldAtoms moved from free to locked ' +
      '(quote for BUY, base for SELL). First event of its execution. A stop, or a pending leg, ' +
      'waits from here on.',
    fields: [
      ...order,
      [
        'heldAtoms',
        'atoms',
        'LIMIT: price × quantity, rounded up, or quantity; MARKET: the cost of the sweep, ' +
          'rounded up at each price; a leg of a list: what the legs before it do not hold already',
      ],
      ['clientOrderId', 'id', "the order's id"],
    ],
    sections: detailed,
  },
  {
    name: 'Trade',
    type: 17,
    kind: 'event',
    meaning:
      "Two orders met at the maker's price. The buyer's locked falls by quoteAtoms plus " +
      "buyerReleasedAtoms, the seller's locked by the quantity; each receives the other side. " +
      "In an auction both rested: the later order is the taker, and its level loses tradeLots after the maker's. " +
      'A commission is taken from what is received, or moves from free where it is in another ' +
      'asset; account 0 receives it.',
    fields: [
      ['tradeId', 'tradeId', 'counts from 1 within the symbol'],
      ['priceTicks', 'ticks', "the maker's price"],
      ['tradeLots', 'lots', 'quantity that changed hands'],
      ['quoteAtoms', 'quoteAtoms', 'what it paid: price × quantity, rounded down'],
      ['updateId', 'int', "depth version after the maker's level lost tradeLots"],
      [
        'buyerReleasedAtoms',
        'quoteAtoms',
        'quote that moves from locked to free: price improvement of a BUY taker, and what the ' +
          'buyer held only for rounding',
      ],
      ['takerPriceTicks', 'ticks', 'as OrderAccepted'],
      ['takerQuoteAtoms', 'quoteAtoms', 'as OrderAccepted; 0 for every maker'],
      ...ofSide('taker'),
      ...ofSide('maker'),
    ],
    sections: [
      detailsOf('takerDetails', 'takerTerms'),
      detailsOf('makerDetails', 'makerTerms'),
      auction,
    ],
  },
  {
    name: 'OrderRested',
    type: 18,
    kind: 'event',
    meaning:
      'What is left of the order whose execution it is joined the end of its price level; of an ' +
      'iceberg, its first slice.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['terms', 'i32', 'as OrderAccepted'],
      ['orderId', 'orderId', ''],
      ['priceTicks', 'ticks', ''],
      ['restedLots', 'lots', 'what joined the level'],
      ['updateId', 'int', 'depth version after it'],
    ],
  },
  {
    name: 'OrderClosed',
    type: 19,
    kind: 'event',
    meaning:
      'An order ended without being filled whole: releasedAtoms moved from locked to free, but ' +
      'for what another leg of its list still needs.',
    fields: [
      ...order,
      ['status', 'i32', 'OrderStatus: CANCELED, EXPIRED or EXPIRED_IN_MATCH'],
      ['reason', 'i32', 'ExpiryReason'],
      ...progress,
      ['restedLots', 'lots', 'what left its price level; 0 when it never rested'],
      ['updateId', 'int', 'depth version after it; unchanged when it never rested'],
      ['releasedAtoms', 'atoms', 'quote for BUY, base for SELL'],
      ['clientOrderId', 'id', "a cancel's id; else the order's own"],
      ['origClientOrderId', 'id', "the order's own id"],
    ],
    sections: [prevention, ...detailed, across],
  },
  {
    name: 'MatchPrevented',
    type: 20,
    kind: 'event',
    meaning:
      'A match of two orders of one owner was prevented; OrderClosed of whichever expires follows.',
    fields: [
      ['takerAccount', 'accountId', ''],
      ['makerAccount', 'accountId', ''],
      ['takerTerms', 'i32', "the taker's prevention mode decides"],
      ['makerTerms', 'i32', ''],
      ['tradeGroupId', 'int', '-1 when it was the same account'],
      ['preventedMatchId', 'int', 'counts from 0 within the symbol'],
      ['priceTicks', 'ticks', "the maker's price, or the auction's"],
      ['takerOrderId', 'orderId', ''],
      ['makerOrderId', 'orderId', ''],
      ['takerPreventedLots', 'lots', 'lost by the taker; 0 when it continues unchanged'],
      ['makerPreventedLots', 'lots', 'lost by the maker; 0 when it stays unchanged'],
      [
        'transferredLots',
        'lots',
        'TRANSFER between two accounts: these changed hands as in a Trade, without commission; else 0',
      ],
      ['transferredAtoms', 'quoteAtoms', 'what they paid: price × quantity, rounded down'],
      ['buyerReleasedAtoms', 'quoteAtoms', 'with transferredLots: as Trade'],
      ['matchLots', 'lots', 'what would have traded: the less of what both had left, as shown'],
    ],
    sections: [across],
  },
  {
    name: 'OrderTriggered',
    type: 22,
    kind: 'event',
    meaning: 'The price woke a stop, which now works as an order. Begins its execution.',
    fields: execution,
    sections: detailed,
  },
  {
    name: 'OrderReleased',
    type: 23,
    kind: 'event',
    meaning:
      'The working order of its list was filled, and a pending leg goes live: it works, or, a ' +
      'stop, waits for its trigger. Begins its execution.',
    fields: execution,
    sections: detailed,
  },
  {
    name: 'OrderFunded',
    type: 27,
    kind: 'event',
    meaning:
      'What the working order of its list has received moves from free to locked for this pending one (faqs/opo.md). ' +
      'Follows the Trade, or the MatchPrevented that transfers.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['terms', 'i32', 'as OrderAccepted'],
      ['orderId', 'orderId', ''],
      ['heldAtoms', 'atoms', 'base atoms'],
    ],
  },
  {
    name: 'OrderReplenished',
    type: 24,
    kind: 'event',
    meaning: "An iceberg's slice was filled; the next one joined the end of its level.",
    fields: [
      ['account', 'accountId', 'owner'],
      ['terms', 'i32', 'as OrderAccepted'],
      ['orderId', 'orderId', ''],
      ['priceTicks', 'ticks', ''],
      ['restedLots', 'lots', 'what joined the level'],
      ['updateId', 'int', 'depth version after it'],
    ],
  },
  {
    name: 'OrderAmended',
    type: 25,
    kind: 'event',
    meaning:
      "An open order's quantity was lowered to `lots`: releasedAtoms moved from locked to " +
      'free. It keeps its priority.',
    fields: [
      ...order,
      ['oldLots', 'lots', 'quantity before'],
      ...progress,
      ['removedLots', 'lots', 'what its price level lost; 0 when what shows is unchanged'],
      ['updateId', 'int', 'depth version after it'],
      ['releasedAtoms', 'atoms', 'quote for BUY, base for SELL'],
      ['clientOrderId', 'id', "the order's id from here on"],
      ['origClientOrderId', 'id', "the order's id before"],
    ],
    sections: detailed,
  },
  {
    name: 'OrderListChanged',
    type: 26,
    kind: 'event',
    meaning: 'An order list was placed, has changed or is done. Follows what happened to its legs.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['kind', 'i32', 'OrderListKind'],
      ['statusType', 'i32', 'ListStatusType'],
      ['orderStatus', 'i32', 'ListOrderStatus'],
      ['orderListId', 'orderListId', 'counts from 1 across the exchange'],
      ['legs', 'int', '2 or 3'],
      ['orderId1', 'orderId', 'of the leg accepted first, which has the lowest id'],
      ['orderId2', 'orderId', ''],
      ['orderId3', 'orderId', '0 when there are two'],
      ['listClientOrderId', 'id', ''],
      ['clientOrderId1', 'id', "the legs' ids as they are now"],
      ['clientOrderId2', 'id', ''],
      ['clientOrderId3', 'id', 'none when there are two'],
    ],
  },
  {
    name: 'OrderDecremented',
    type: 28,
    kind: 'event',
    meaning:
      'Self-trade prevention took quantity from an order that continues: releasedAtoms moved ' +
      'from locked to free. Follows its MatchPrevented.',
    fields: [
      ...order,
      ...progress,
      ['removedLots', 'lots', 'what its price level lost; 0 when it does not rest'],
      ['updateId', 'int', 'depth version after it'],
      ['releasedAtoms', 'atoms', 'quote for BUY, base for SELL'],
      ['clientOrderId', 'id', ''],
    ],
    sections: [always, ...detailed, across],
  },
  {
    name: 'PhaseChanged',
    type: 29,
    kind: 'event',
    meaning:
      "The symbol's phase, or how it ends, is another from here on. An execution of its own, or within that " +
      'of the order whose price interrupts trading, before the order rests or ends.',
    fields: [
      ['phase', 'i32', 'SymbolStatus'],
      ['nextPhase', 'i32', 'SymbolStatus that follows at endsMs'],
      ['cause', 'i32', 'PhaseCause'],
      ['bandBasisPoints', 'i32', 'distance from the anchor that interrupts trading; 0 for none'],
      ['endsMs', 'ms', 'when the phase ends by itself; 0: by a command'],
      ['windowMs', 'ms', 'how long a price stays the anchor; 0 when nothing interrupts'],
      ['orderId', 'orderId', 'the order whose price interrupted trading; else 0'],
      ['resumptions', 'i32', "the operators' resumptions that it knows of"],
      ['extensions', 'i32', 'how often the call was extended; -1 of a change that layout 6 has'],
      ['closeTicks', 'ticks', 'official close of the day that ends with it; else 0'],
      [
        'auctionTicks',
        'ticks',
        'price of the auction that ends with it; 0 if nothing traded in one',
      ],
      ['auctionVolume', 'int64', 'lots that traded in it'],
      [
        'auctionSurplus',
        'int64',
        'lots that were left at its price: of buyers above zero, else of sellers',
      ],
    ],
  },
  {
    name: 'AuctionUncrossed',
    type: 30,
    kind: 'event',
    meaning:
      'A call has ended: price and cut of its auction. The trades follow in executions of their own, until ' +
      'PhaseChanged; no order enters, changes or leaves meanwhile except by them.',
    fields: [
      ['priceTicks', 'ticks', 'price of the auction'],
      ['lastPriceTicks', 'ticks', 'last price before it; 0 for none'],
      ['volume', 'int64', 'lots that trade at the price'],
      [
        'surplus',
        'int64',
        'lots that are left at the price: of buyers above zero, else of sellers',
      ],
      ['cutOrderId', 'orderId', 'the last order that takes part'],
      ['nextPhase', 'i32', 'SymbolStatus that follows the trades'],
      [
        'isBound',
        'i32',
        '1 where the price is a bound of the corridor, beyond which more would trade',
      ],
    ],
  },
  {
    name: 'CountdownChanged',
    type: 40,
    kind: 'event',
    meaning:
      'A countdown began again or ended. One that was over ends behind the cancels of its execution, so that ' +
      'a kill between them leaves the others to the next start.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['scope', 'i32', 'CountdownScope'],
      ['deadlineMs', 'ms', 'when it is over; 0: it ended'],
      ['countdownMs', 'ms', 'its length; 0: its owner ended it'],
    ],
  },
  {
    name: 'ProtectionChanged',
    type: 41,
    kind: 'event',
    meaning:
      'A protection was set, reset or ended, or has tripped: then it stands behind the cancels of its execution. ' +
      'Fills count from 0.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['status', 'i32', 'ProtectionStatus'],
      ['windowMs', 'ms', '0: it ended'],
      ['maxFills', 'int', 'as SetProtection'],
      ['maxNotional', 'quoteAtoms', 'as SetProtection'],
    ],
  },
  {
    name: 'ReferenceChanged',
    type: 46,
    kind: 'event',
    meaning:
      'The reference price is calculated in another way from here on, with no trade before it; or it comes from ' +
      'outside, and is another. An execution of its own.',
    fields: [
      ['calculation', 'i32', 'ReferenceCalculation'],
      ['bucketCount', 'i32', 'of an ARITHMETIC_MEAN; else 0'],
      ['bucketWidthMs', 'ms', 'of an ARITHMETIC_MEAN; else 0'],
      ['externalId', 'int', 'the method of an EXTERNAL price; else 0'],
      ['priceUnits', 'int64', 'EXTERNAL: 10^-8 of the quote asset; -1: there is none'],
    ],
  },
  {
    name: 'BlockTrade',
    type: 50,
    kind: 'event',
    meaning:
      'Two accounts traded outside of the book, by an operator: both paid from free. No order, no last price, no ' +
      'volume.',
    fields: [...deal, ['requestId', 'id', "the operator's id of it"]],
  },
  {
    name: 'Allocation',
    type: 51,
    kind: 'event',
    meaning:
      'A routed order was filled by the account of its group, at the price of a trade that this account made in a ' +
      'book of the group (faqs/sor_faq.md). Order and account exchange base and quote of this symbol. No last price, ' +
      'no volume, no trigger: those are of the trade.',
    fields: [
      ['allocator', 'accountId', "the group's account: the other side"],
      ['sourceSymbolId', 'symbolId', 'the symbol of the trade, this one too'],
      ['allocationId', 'int', 'counts from 0 within the symbol'],
      ['sourceTradeId', 'tradeId', 'the trade, of sourceSymbolId'],
      ['priceUnits', 'int64', 'its price, in 10^-8 of the quote asset'],
      ['allocatedLots', 'lots', 'quantity that changed hands'],
      ['quoteAtoms', 'quoteAtoms', 'what it paid: what the trade paid in its quote asset'],
      ['buyerReleasedAtoms', 'quoteAtoms', 'as Trade, of an order that buys; else 0'],
      ['takerPriceTicks', 'ticks', 'as OrderAccepted'],
      ...ofSide('taker'),
    ],
    sections: [detailsOf('takerDetails', 'takerTerms')],
  },
]
