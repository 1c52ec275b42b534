/**
 * The bytes of every record, as data. `npm run generate` writes from it records.gen.ts (offsets,
 * readers, writers), RECORDS.md (byte maps) and native-bench/records.gen.h; a test regenerates and
 * compares. Numbers and offsets are the journal's format: append types, never renumber or reuse one.
 *
 * Field types. `i32`: 4 bytes, two's complement. `int`: 8 bytes, an integer within ±(2^53 - 1) carried
 * as an IEEE-754 double, because that is what a typed array reads without conversion. `id`: 32 bytes,
 * a client order id (base/client-order-id.ts). Records are little-endian and aligned to 8 bytes; pairs of i32
 * share 8 bytes, so a record lists them in twos.
 *
 * A *command* asks one symbol's engine for something. An *event* says what happened: events are the
 * facts, and recovery, archive and streams read nothing else. A *reply* answers a query or refuses a
 * command; it changes nothing and is never journaled.
 *
 * An event says all that its readers need of the orders that it concerns. What only some orders have
 * stands in *sections* behind a record's fields; a field of the record says whether a section is there.
 */
import { DETAILED, OrderStatus } from '../base/codes.ts'

export type Carrier = 'i32' | 'int' | 'id'
/** What a field holds: plain numbers, or numbers of a unit (base/units.ts). */
export type FieldType = keyof typeof fieldTypes

/** By type of a field: how bytes carry it, and its unit in TypeScript if it has one. */
export const fieldTypes = {
  i32: { carrier: 'i32', unit: undefined },
  int: { carrier: 'int', unit: undefined },
  id: { carrier: 'id', unit: undefined },
  ticks: { carrier: 'int', unit: 'Ticks' },
  lots: { carrier: 'int', unit: 'Lots' },
  atoms: { carrier: 'int', unit: 'Atoms' },
  quoteAtoms: { carrier: 'int', unit: 'QuoteAtoms' },
  ms: { carrier: 'int', unit: 'Ms' },
  orderId: { carrier: 'int', unit: 'OrderId' },
  tradeId: { carrier: 'int', unit: 'TradeId' },
  orderListId: { carrier: 'int', unit: 'OrderListId' },
  accountId: { carrier: 'i32', unit: 'AccountId' },
  symbolId: { carrier: 'i32', unit: 'SymbolId' },
  assetId: { carrier: 'i32', unit: 'AssetId' },
} as const satisfies Record<string, { carrier: Carrier; unit: string | undefined }>

export const carrierOf = (type: FieldType): Carrier => fieldTypes[type].carrier
export type Field = readonly [name: string, type: FieldType, meaning: string]

export interface RecordSchema {
  readonly name: string
  readonly type: number
  readonly kind: 'command' | 'event' | 'reply'
  readonly meaning: string
  readonly fields: readonly Field[]
  /** What may stand behind the fields, in this order. */
  readonly sections?: readonly RecordSection[]
}

/** Fields that stand behind a record's own, all of them or none. */
export interface Section {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly Field[]
}

/** A section of one record. It is there when the i32 `field` has the value under the mask. */
export interface RecordSection {
  readonly name: string
  readonly section: Section
  readonly field: string
  readonly mask: number
  readonly value: number
}

/** Fields that a record has once for each of its orders, each time in a row: `takerLots`, `makerLots`. */
export interface SideFields {
  readonly record: string
  readonly name: string
  readonly meaning: string
  readonly sides: readonly string[]
  readonly fields: readonly Field[]
}

/** Every record begins with these 16 bytes. */
export const header: readonly Field[] = [
  ['head', 'i32', 'type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31'],
  ['symbolId', 'symbolId', 'the symbol it concerns'],
  ['gateway', 'i32', 'the gateway that asked, or -1'],
  ['correlation', 'i32', "that gateway's ticket for the request"],
]

/** Every event goes on with these 16 bytes. */
export const eventHeader: readonly Field[] = [
  ['timeMs', 'ms', "the batch's time, ms since the Unix epoch"],
  ['sequence', 'int', "place among the symbol's events, from 1, without gaps"],
]

/** Bits of the head's flags. */
export const flags = [
  ['LAST', 1, 'the last record that the command caused; its answer is complete'],
  ['TIMED', 2, 'a command whose stages are stamped (shared/stamps.ts)'],
] as const

const order: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['terms', 'i32', 'side, type, time in force, prevention mode, detailed, session (base/codes.ts)'],
  ['orderId', 'orderId', 'counts from 1 within the symbol'],
  ['priceTicks', 'ticks', 'limit price; 0 for MARKET'],
  ['lots', 'lots', 'original quantity; for a MARKET order by quote amount, what was computed'],
  ['quoteAtoms', 'quoteAtoms', 'quote amount asked for by a MARKET order; else 0'],
]

/** Asked for with an order; what is not asked for is 0, a strategy id -1. */
const extras: readonly Field[] = [
  ['stopTicks', 'ticks', 'stop price; of a trailing stop, where tracking starts'],
  ['icebergLots', 'lots', 'the quantity shown at a time'],
  ['strategyId', 'int', ''],
  ['trailingDelta', 'i32', 'basis points'],
  ['strategyType', 'i32', ''],
]

/** What PlaceOrder and ReplaceOrder begin with, at the same offsets. */
const placement: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['terms', 'i32', 'side, type, time in force, prevention mode, detailed, session'],
  ['priceTicks', 'ticks', 'limit price; 0 for MARKET'],
  ['lots', 'lots', 'quantity; 0 for a MARKET order by quote amount'],
  ['quoteAtoms', 'quoteAtoms', 'quote amount of a MARKET order; else 0'],
  ['expiresMs', 'ms', 'refuse when the clock is past this: timestamp + recvWindow; 0 never'],
  ['clientOrderId', 'id', 'chosen by the client or by the gateway; never none'],
  ...extras.map(
    ([name, type, meaning]): Field => [
      name,
      type,
      `only written and read when the terms say detailed${meaning === '' ? '' : `: ${meaning}`}`,
    ],
  ),
]

/** The n-th leg of PlaceOrderList: LIST_LEG_BYTES from the one before it to the next. */
function leg(n: 1 | 2 | 3): readonly Field[] {
  return [
    [`terms${n}`, 'i32', 'as PlaceOrder; every leg is detailed'],
    [`strategyType${n}`, 'i32', ''],
    [`priceTicks${n}`, 'ticks', 'limit price; 0 for none'],
    [`lots${n}`, 'lots', 'quantity'],
    [`stopTicks${n}`, 'ticks', ''],
    [`icebergLots${n}`, 'lots', ''],
    [`strategyId${n}`, 'int', ''],
    [`trailingDelta${n}`, 'i32', ''],
    [`spare${n}`, 'i32', 'zero'],
    [`clientOrderId${n}`, 'id', ''],
  ]
}

/** What the terms of a detailed order do not say, as the order stands after the event. */
export const detailsSection: Section = {
  name: 'DetailsSection',
  meaning: 'What the terms of a detailed order do not say, as it stands after the event.',
  fields: [
    ['orderListId', 'orderListId', '-1 when it is in no list'],
    ['stopTicks', 'ticks', 'stop price asked for; 0 for none'],
    ['icebergLots', 'lots', 'quantity shown at a time; 0 when it shows all'],
    ['strategyId', 'int', '-1 for none'],
    ['trailingMs', 'ms', 'when its tracking started; -1 while it has not'],
    ['workingMs', 'ms', 'when it began to work; -1 while it has not'],
    ['strategyType', 'i32', '0 for none'],
    ['trailingDelta', 'i32', 'basis points; 0 when it does not trail'],
    ['phase', 'i32', 'OrderPhase'],
    ['amendments', 'i32', 'how often its quantity was amended'],
    ['preventedLots', 'lots', 'lost to self-trade prevention'],
  ],
}

/** The match that self-trade prevention prevented, as the order sees it that lost by it. */
export const preventionSection: Section = {
  name: 'PreventionSection',
  meaning: 'The match that self-trade prevention prevented, as the order sees it that lost by it.',
  fields: [
    ['preventedMatchId', 'int', 'as MatchPrevented'],
    ['tradeGroupId', 'int', '-1 when it was the same account'],
    ['counterOrderId', 'orderId', 'the other order'],
    ['lastPreventedLots', 'lots', 'what this order lost'],
    ['matchLots', 'lots', 'what would have traded'],
    ['priceTicks', 'ticks', "the maker's price"],
  ],
}

export const sections: readonly Section[] = [detailsSection, preventionSection]

const detailsOf = (name: string, field: string): RecordSection => ({
  name,
  section: detailsSection,
  field,
  mask: DETAILED,
  value: DETAILED,
})
const detailed = [detailsOf('details', 'terms')]
const prevention: RecordSection = {
  name: 'prevention',
  section: preventionSection,
  field: 'status',
  mask: -1,
  value: OrderStatus.EXPIRED_IN_MATCH,
}
const always: RecordSection = { ...prevention, field: 'terms', mask: 0, value: 0 }

/** A taker's side of a trade, and a maker's. */
const tradeSide: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['terms', 'i32', 'as OrderAccepted'],
  ['status', 'i32', 'OrderStatus after the trade: FILLED or PARTIALLY_FILLED'],
  ['commissionAssetId', 'assetId', 'what its commission is paid in; -1 for the asset it receives'],
  ['orderId', 'orderId', ''],
  ['lots', 'lots', 'original quantity'],
  ['filledLots', 'lots', 'cumulative, this trade included'],
  ['filledAtoms', 'quoteAtoms', 'cumulative quote, this trade included'],
  ['commissionAtoms', 'atoms', 'of what it receives, or from its free balance of another asset'],
  ['createdMs', 'ms', 'when the order was accepted'],
  ['clientOrderId', 'id', ''],
]

export const sideFields: readonly SideFields[] = [
  {
    record: 'Trade',
    name: 'TradeSide',
    meaning: 'One order of a Trade, from where its side begins.',
    sides: ['taker', 'maker'],
    fields: tradeSide,
  },
]

const sideName = (side: string, field: string): string =>
  `${side}${field[0]!.toUpperCase()}${field.slice(1)}`

const ofSide = (side: string): readonly Field[] =>
  tradeSide.map(([name, type, meaning]): Field => [sideName(side, name), type, meaning])

/** A waiting order that begins its turn. */
const turn: readonly Field[] = [
  ...order,
  ['heldAtoms', 'atoms', 'moves from free to locked; negative: back'],
  ['createdMs', 'ms', 'when it was accepted'],
  ['clientOrderId', 'id', ''],
]

export const schemas: readonly RecordSchema[] = [
  {
    name: 'PlaceOrder',
    type: 1,
    kind: 'command',
    meaning: 'Enter an order. Stateless checks have passed.',
    fields: placement,
  },
  {
    name: 'CancelOrder',
    type: 2,
    kind: 'command',
    meaning: 'Cancel one open order, found by orderId, by its client id, or by both agreeing.',
    fields: [
      ['account', 'accountId', 'must own the order'],
      ['restrictions', 'i32', 'CancelRestrictions'],
      ['orderId', 'orderId', '0 when found by client id'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['origClientOrderId', 'id', 'the id to find; none when found by orderId'],
      ['clientOrderId', 'id', "the cancel's own id"],
    ],
  },
  {
    name: 'CancelOpenOrders',
    type: 3,
    kind: 'command',
    meaning: 'Cancel every open order of the account on the symbol, oldest first.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['spare', 'i32', 'zero'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['clientOrderId', 'id', "the cancels' own id"],
    ],
  },
  {
    name: 'QueryOrder',
    type: 4,
    kind: 'command',
    meaning: 'Answer one open order as OrderState, or Rejected NO_SUCH_ORDER when it is not open.',
    fields: [
      ['account', 'accountId', 'must own the order'],
      ['spare', 'i32', 'zero'],
      ['orderId', 'orderId', '0 when found by client id'],
      ['clientOrderId', 'id', 'none when found by orderId'],
    ],
  },
  {
    name: 'QueryOpenOrders',
    type: 5,
    kind: 'command',
    meaning:
      'Answer a page of the open orders of the account as OrderState, by orderId, then QueryEnd.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['limit', 'i32', 'orders on the page'],
      ['afterOrderId', 'orderId', 'the last orderId of the page before; 0 for the first page'],
      ['untilOrderId', 'orderId', 'as the first QueryEnd says; 0 for the first page'],
    ],
  },
  {
    name: 'QueryBook',
    type: 6,
    kind: 'command',
    meaning: 'Answer a piece of the book as BookBegin, BookLevel for each level, BookEnd.',
    fields: [
      ['side', 'i32', 'Side; after the last BUY the piece goes on with the best SELL'],
      ['limit', 'i32', 'levels in the piece'],
      ['afterTicks', 'ticks', 'levels of the side beyond this price; 0 from the best one on'],
    ],
  },
  {
    name: 'PlaceOrderList',
    type: 7,
    kind: 'command',
    meaning:
      'Enter an order list, whole or not at all. OCO: the stop-loss leg, the other leg. OTO: ' +
      'the working leg, the pending one. OTOCO: the working leg, the pending stop-loss leg, ' +
      'the other pending leg.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['kind', 'i32', 'OrderListKind'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['listClientOrderId', 'id', 'never none'],
      ...leg(1),
      ...leg(2),
      ...leg(3),
    ],
  },
  {
    name: 'CancelOrderList',
    type: 8,
    kind: 'command',
    meaning: 'Cancel every open leg of one list, found by its id, by its client id, or by both.',
    fields: [
      ['account', 'accountId', 'must own the list'],
      ['spare', 'i32', 'zero'],
      ['orderListId', 'orderListId', '-1 when found by client id'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['listClientOrderId', 'id', 'none when found by orderListId'],
      ['clientOrderId', 'id', "the cancels' own id"],
    ],
  },
  {
    name: 'ReplaceOrder',
    type: 9,
    kind: 'command',
    meaning:
      'Cancel an order, then place another (supplement 2a.5). Answered by the events of what ' +
      'succeeded and ReplaceResult.',
    fields: [
      ...placement,
      ['cancelOrderId', 'orderId', '0 when found by client id'],
      ['cancelRestrictions', 'i32', 'CancelRestrictions'],
      ['mode', 'i32', 'CancelReplaceMode'],
      ['cancelOrigClientOrderId', 'id', 'none when found by orderId'],
      ['cancelClientOrderId', 'id', "the cancel's own id"],
    ],
  },
  {
    name: 'AmendOrder',
    type: 10,
    kind: 'command',
    meaning: 'Lower the quantity of an open order, which keeps its priority (supplement 2a.6).',
    fields: [
      ['account', 'accountId', 'must own the order'],
      ['spare', 'i32', 'zero'],
      ['orderId', 'orderId', '0 when found by client id'],
      ['lots', 'lots', 'the new quantity'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['origClientOrderId', 'id', 'none when found by orderId'],
      ['clientOrderId', 'id', "the order's new client id; none: it keeps its own"],
    ],
  },
  {
    name: 'CancelSessionOrders',
    type: 11,
    kind: 'command',
    meaning: 'Cancel every open order of the account that belongs to a session, oldest first.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['session', 'i32', 'as the terms of its orders name it'],
      ['clientOrderId', 'id', "the cancels' own id"],
    ],
  },
  {
    name: 'OrderAccepted',
    type: 16,
    kind: 'event',
    meaning:
      'An order entered the engine and its funds are held: heldAtoms moved from free to locked ' +
      '(quote for BUY, base for SELL). First event of its turn. A stop, or a pending leg, ' +
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
    sections: [detailsOf('takerDetails', 'takerTerms'), detailsOf('makerDetails', 'makerTerms')],
  },
  {
    name: 'OrderRested',
    type: 18,
    kind: 'event',
    meaning:
      'What is left of the order whose turn it is joined the end of its price level; of an ' +
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
      ['filledLots', 'lots', ''],
      ['filledAtoms', 'quoteAtoms', 'cumulative quote'],
      ['preventedLots', 'lots', 'lost to self-trade prevention'],
      ['createdMs', 'ms', 'when it was accepted'],
      ['restedLots', 'lots', 'what left its price level; 0 when it never rested'],
      ['updateId', 'int', 'depth version after it; unchanged when it never rested'],
      ['releasedAtoms', 'atoms', 'quote for BUY, base for SELL'],
      ['clientOrderId', 'id', "a cancel's id; else the order's own"],
      ['origClientOrderId', 'id', "the order's own id"],
    ],
    sections: [prevention, ...detailed],
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
      ['priceTicks', 'ticks', "the maker's price"],
      ['takerOrderId', 'orderId', ''],
      ['makerOrderId', 'orderId', ''],
      ['takerPreventedLots', 'lots', 'lost by the taker; 0 when it goes on unchanged'],
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
  },
  {
    name: 'OrderTriggered',
    type: 22,
    kind: 'event',
    meaning: 'The price woke a stop, which now works as an order. Begins its turn.',
    fields: turn,
    sections: detailed,
  },
  {
    name: 'OrderReleased',
    type: 23,
    kind: 'event',
    meaning:
      'The working order of its list was filled, and a pending leg goes live: it works, or, a ' +
      'stop, waits for its trigger. Begins its turn.',
    fields: turn,
    sections: detailed,
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
      ['filledLots', 'lots', ''],
      ['filledAtoms', 'quoteAtoms', 'cumulative quote'],
      ['preventedLots', 'lots', 'lost to self-trade prevention'],
      ['createdMs', 'ms', 'when it was accepted'],
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
      'Self-trade prevention took quantity from an order that goes on: releasedAtoms moved ' +
      'from locked to free. Follows its MatchPrevented.',
    fields: [
      ...order,
      ['filledLots', 'lots', ''],
      ['filledAtoms', 'quoteAtoms', 'cumulative quote'],
      ['preventedLots', 'lots', 'lost so far, this time included'],
      ['createdMs', 'ms', 'when it was accepted'],
      ['removedLots', 'lots', 'what its price level lost; 0 when it does not rest'],
      ['updateId', 'int', 'depth version after it'],
      ['releasedAtoms', 'atoms', 'quote for BUY, base for SELL'],
      ['clientOrderId', 'id', ''],
    ],
    sections: [always, ...detailed],
  },
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
      ['filledLots', 'lots', ''],
      ['filledAtoms', 'quoteAtoms', 'cumulative quote'],
      ['preventedLots', 'lots', ''],
      ['createdMs', 'ms', ''],
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
      ['spare', 'i32', 'zero'],
      ['afterTicks', 'ticks', '0 from the best one on'],
      ['updateId', 'int', 'depth version'],
      ['sequence', 'int', 'last event sequence'],
      ['tradeId', 'tradeId', 'last trade id'],
      ['lastPriceTicks', 'ticks', 'price of the last trade; 0 when there was none'],
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
]

/** Fields that several records have at the same offsets, so that one reader serves them all. */
export interface SharedFields {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly string[]
  readonly of: readonly string[]
}

const names = (fields: readonly Field[]): readonly string[] => fields.map(([name]) => name)
const namesOf = (kind?: RecordSchema['kind']): readonly string[] =>
  schemas.filter((schema) => kind === undefined || schema.kind === kind).map(({ name }) => name)

const WHOLE_ORDER_EVENTS = [
  'OrderAccepted',
  'OrderTriggered',
  'OrderReleased',
  'OrderClosed',
  'OrderAmended',
  'OrderDecremented',
] as const

/** The generator proves each of these: every record in `of` has every field, at one offset. */
export const sharedFields: readonly SharedFields[] = [
  {
    name: 'RecordHeader',
    meaning: 'Every record.',
    fields: names(header).slice(1),
    of: namesOf(),
  },
  {
    name: 'EventHeader',
    meaning: 'Every event.',
    fields: names([...header, ...eventHeader]).slice(1),
    of: namesOf('event'),
  },
  {
    name: 'OrderEvent',
    meaning: 'Every event of one order that names its price.',
    fields: ['account', 'terms', 'orderId', 'priceTicks'],
    of: [...WHOLE_ORDER_EVENTS, 'OrderRested', 'OrderReplenished'],
  },
  {
    name: 'WholeOrderEvent',
    meaning: 'Every event that says all of what one order asked for.',
    fields: names(order),
    of: WHOLE_ORDER_EVENTS,
  },
  {
    name: 'TurnEvent',
    meaning: 'A waiting order begins its turn.',
    fields: names(turn),
    of: ['OrderTriggered', 'OrderReleased'],
  },
  {
    name: 'JoinEvent',
    meaning: 'Quantity joined the end of a price level.',
    fields: ['account', 'terms', 'orderId', 'priceTicks', 'restedLots', 'updateId'],
    of: ['OrderRested', 'OrderReplenished'],
  },
  {
    name: 'Placement',
    meaning: 'What is to be placed, or was refused.',
    fields: names(placement).filter((name) => name !== 'expiresMs'),
    of: ['PlaceOrder', 'ReplaceOrder', 'ReplaceResult'],
  },
]

/** Fields that several records have in the same order, each record from an offset of its own. */
export interface Block {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly Field[]
  readonly of: readonly string[]
}

/** The generator proves each of these. A block is read at `<Record>.<block>At(at)`. */
export const blocks: readonly Block[] = [
  {
    name: 'OrderBlock',
    meaning: 'What one order asked for.',
    fields: order,
    of: [...WHOLE_ORDER_EVENTS, 'OrderState'],
  },
]

/** Fields that a record has once for each leg of an order list: `terms1`, `terms2`, `terms3`. */
export interface LegFields {
  readonly record: string
  readonly fields: readonly string[]
}

/** The generator proves that the legs of each field stand at equal distances. */
export const legFields: readonly LegFields[] = [
  { record: 'PlaceOrderList', fields: names(leg(1)).map((name) => name.slice(0, -1)) },
  { record: 'OrderListChanged', fields: ['orderId', 'clientOrderId'] },
  { record: 'OrderListRejected', fields: ['clientOrderId'] },
]
export const LEGS_MAX = 3

/** Commands travel in slots of one size; a larger command takes several in a row. */
export const COMMAND_SLOT_BYTES = 128
/** From one leg of a PlaceOrderList to the next. */
export const LIST_LEG_BYTES = 88

export function fieldBytes(type: FieldType): number {
  const carrier = carrierOf(type)
  return carrier === 'i32' ? 4 : carrier === 'int' ? 8 : 32
}

/** All fields of a record in order, headers included, with their byte offsets. */
export function fieldsOf(
  schema: RecordSchema,
): readonly { name: string; type: FieldType; meaning: string; offset: number }[] {
  const own =
    schema.kind === 'event'
      ? [...header, ...eventHeader, ...schema.fields]
      : [...header, ...schema.fields]
  let offset = 0
  return own.map(([name, type, meaning]) => {
    if (carrierOf(type) !== 'i32' && offset % 8 !== 0)
      throw new RangeError(`${schema.name}.${name} is not aligned`)
    const field = { name, type, meaning, offset }
    offset += fieldBytes(type)
    return field
  })
}

export function recordBytes(schema: RecordSchema): number {
  const last = fieldsOf(schema).at(-1)!
  return (last.offset + fieldBytes(last.type) + 7) & ~7
}

/** Bytes from the beginning of the record to where a side's fields begin: they stand in a row there. */
export function sideStart({ record, fields }: SideFields, side: string): number {
  const own = fieldsOf(schemas.find(({ name }) => name === record)!)
  const start = own.findIndex(({ name }) => name === sideName(side, fields[0]![0]))
  for (const [i, [name, type]] of fields.entries()) {
    const field = own[start + i]
    if (field?.name !== sideName(side, name) || field.type !== type) {
      throw new RangeError(`${record}.${name} of the ${side} is not in its row`)
    }
  }
  const { offset } = own[start]!
  if (offset % 8 !== 0) throw new RangeError(`the ${side} of ${record} is not aligned`)
  return offset
}
