/** What an order is, as fields and sections of records: one row for each attribute. */
import { DETAILED, OrderPhase, OrderStatus } from '../../base/codes.ts'
import {
  type Field,
  FLAG_ACROSS,
  FLAG_AUCTION,
  type RecordSection,
  type Section,
  type SideFields,
} from './field.ts'

/** Terms of every order. */
export const order: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['terms', 'i32', 'side, type, time in force, prevention mode, detailed, session (base/codes.ts)'],
  ['orderId', 'orderId', 'counts from 1 within the symbol'],
  ['priceTicks', 'ticks', 'limit price; 0 for MARKET'],
  ['lots', 'lots', 'original quantity; for a MARKET order by quote amount, what was computed'],
  ['quoteAtoms', 'quoteAtoms', 'quote amount asked for by a MARKET order; else 0'],
]

/** What it has come to. */
export const progress: readonly Field[] = [
  ['filledLots', 'lots', ''],
  ['filledAtoms', 'quoteAtoms', 'cumulative quote'],
  ['preventedLots', 'lots', 'lost to self-trade prevention'],
  ['createdMs', 'ms', 'when it was accepted'],
]

/** How it stands, by its last event. */
export const standing: readonly Field[] = [
  ['updatedMs', 'ms', 'when it last changed: fill, trigger, release, decrement, amendment'],
  ['status', 'i32', 'OrderStatus'],
  ['reason', 'i32', 'ExpiryReason'],
]

/**
 * Where the records of a detail's kind have it: its place, from 0 without gaps, among what commands ask for,
 * in the DetailsSection of events, and in the columns of open orders, in which snapshots and hashes have
 * them. A new row takes the next places; fields of 4 bytes come in twos.
 */
interface DetailPlaces {
  readonly asked?: number
  readonly section?: number
  readonly column: number
  /** The layout of snapshots (journal/snapshot.ts) whose images were the first to have the column; all if left out. */
  readonly since?: number
  /** A label's name in executionReport. */
  readonly label?: string
}

/**
 * What only some orders have. A label is sent, kept and sent back, and matching ignores it: its row and
 * its parameter (api/parameters.ts) are all that it needs. Clients choose it above what stands for none.
 */
export const orderDetails = [
  [
    ['stopTicks', 'ticks', 'stop price; of a trailing stop, where tracking starts; 0 for none'],
    { asked: 0, section: 1, column: 0 },
  ],
  [
    ['icebergLots', 'lots', 'the quantity shown at a time; 0 when it shows all'],
    { asked: 1, section: 2, column: 1 },
  ],
  [['hiddenLots', 'lots', 'of a resting iceberg: open, but not shown'], { column: 2 }],
  [['preventedLots', 'lots', 'lost to self-trade prevention'], { section: 10, column: 3 }],
  [['strategyId', 'int64', '-1 for none', -1], { asked: 2, section: 3, column: 4, label: 'j' }],
  [['strategyType', 'i32', '0 for none'], { asked: 4, section: 6, column: 5, label: 'J' }],
  [
    ['trailingDelta', 'i32', 'basis points; 0 when it does not trail'],
    { asked: 3, section: 7, column: 6 },
  ],
  [
    ['trailingMs', 'ms', 'when its tracking started; -1 while it has not', -1],
    { section: 4, column: 7 },
  ],
  [
    ['extremeTicks', 'ticks', 'best price since tracking started; 0 while it has not'],
    { column: 8 },
  ],
  [
    ['workingMs', 'ms', 'when it began to work; -1 while it has not', -1],
    { section: 5, column: 9 },
  ],
  [['amendments', 'i32', 'how often its quantity was amended'], { section: 9, column: 10 }],
  [['orderListId', 'orderListId', '-1 when it is in no list', -1], { section: 0, column: 11 }],
  [['leg', 'i32', 'place in its list, from 0'], { column: 12 }],
  [
    ['phase', 'i32', 'OrderPhase; WORKING also while its execution runs', OrderPhase.WORKING],
    { section: 8, column: 13 },
  ],
  [
    ['costAtoms', 'atoms', 'needed while it waits: what it holds, except what a pair holds once'],
    { column: 14 },
  ],
  [
    ['pegPriceType', 'i32', 'PegPriceType; 0 when it is not pegged'],
    { asked: 5, section: 11, column: 15, since: 6 },
  ],
  [
    ['pegLevels', 'i32', "existing price levels behind the best one; 0 for the best one's price"],
    { asked: 6, section: 12, column: 16, since: 6 },
  ],
  [
    [
      'pegLimitTicks',
      'ticks',
      "the client's own limit, 0 for none, once priceTicks is that of the peg; -1 before",
      -1,
    ],
    { section: 13, column: 17, since: 6 },
  ],
] as const satisfies readonly (readonly [field: Field, places: DetailPlaces])[]

type Label = Extract<(typeof orderDetails)[number], readonly [Field, { readonly label: string }]>
export type OrderLabel = Label[0][0]

const rows: readonly (readonly [field: Field, places: DetailPlaces])[] = orderDetails

function fieldsBy(kind: 'asked' | 'section' | 'column'): readonly Field[] {
  const fields: Field[] = []
  for (const [field, { [kind]: place }] of rows) {
    if (place === undefined) continue
    if (fields[place] !== undefined)
      throw new RangeError(`${field[0]} takes a place twice: ${place}`)
    fields[place] = field
  }
  if (fields.includes(undefined as never)) throw new RangeError(`A place of ${kind} is empty.`)
  return fields
}

/** Terms of only some orders. */
export const extras = fieldsBy('asked')
/** The sparse columns of open orders (core/matching/details.ts). */
export const orderColumns = fieldsBy('column')
/** Columns that images of snapshots before a layout lack, by that layout. */
export const laterColumns: ReadonlyMap<string, number> = new Map(
  rows.flatMap(([[name], { since }]) => (since === undefined ? [] : [[name, since]])),
)
/** What the terms of a detailed order lack, as the order stands after the event. */
export const detailsSection: Section = {
  name: 'DetailsSection',
  meaning: 'What the terms of a detailed order do not say, as it stands after the event.',
  fields: fieldsBy('section'),
}

/** Fields of a placement that are not written without them. */
export const onlyDetailed: readonly string[] = extras.map(([name]) => name)

/** What PlaceOrder and ReplaceOrder begin with, at the same offsets. */
export const placement: readonly Field[] = [
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
      `only written and read when the terms say detailed: ${meaning}`,
    ],
  ),
]

/** The n-th leg of PlaceOrderList. */
export function leg(n: 1 | 2 | 3): readonly Field[] {
  return [
    [`terms${n}`, 'i32', 'as PlaceOrder; every leg is detailed'],
    [`spare${n}`, 'i32', 'zero'],
    [`priceTicks${n}`, 'ticks', 'limit price; 0 for none'],
    [`lots${n}`, 'lots', 'quantity'],
    [`clientOrderId${n}`, 'id', ''],
    ...extras.map(([name, type]): Field => [`${name}${n}`, type, 'as PlaceOrder']),
  ]
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

/** What a trade of an auction has beside an ordinary one's: its price is that of neither order. */
export const auctionSection: Section = {
  name: 'AuctionSection',
  meaning:
    "What a trade of an auction has beside an ordinary one's: its price is that of neither order.",
  fields: [['makerPriceTicks', 'ticks', "the maker's limit; its level lost tradeLots first"]],
}

/** What a match has beside an ordinary one's whose orders are of two symbols. */
export const acrossSection: Section = {
  name: 'AcrossSection',
  meaning:
    'A prevented match whose orders are of two symbols. Its price, matchLots and what the maker lost are in units ' +
    "of the maker's symbol.",
  fields: [
    ['otherSymbolId', 'symbolId', "the other order's symbol"],
    ['isTaker', 'i32', "1 of the taker's, whose symbol the event is of; 0 of the maker's"],
  ],
}

/** What stands behind a record as often as its fields say. */
export const repeated: readonly Section[] = [
  {
    name: 'QuoteLevel',
    meaning: 'One order that a QuoteOrders wants to stand.',
    fields: [
      ['priceTicks', 'ticks', 'limit price'],
      ['lots', 'lots', 'quantity'],
      ['clientOrderId', 'id', 'of the order, where it is placed'],
    ],
  },
  {
    name: 'QuoteOutcome',
    meaning: 'What became of one level of a QuoteOrders.',
    fields: [
      ['outcome', 'i32', 'QuoteOutcomeKind'],
      ['reason', 'i32', 'RejectReason of an order that was refused; else 0'],
      ['orderId', 'orderId', 'of the order that stands or was filled; 0 when refused'],
    ],
  },
]

export const sections: readonly Section[] = [
  detailsSection,
  preventionSection,
  auctionSection,
  acrossSection,
]

export const detailsOf = (name: string, field: string): RecordSection => ({
  name,
  section: detailsSection,
  field,
  mask: DETAILED,
  value: DETAILED,
})
export const detailed = [detailsOf('details', 'terms')]
export const prevention: RecordSection = {
  name: 'prevention',
  section: preventionSection,
  field: 'status',
  mask: -1,
  value: OrderStatus.EXPIRED_IN_MATCH,
}
export const always: RecordSection = { ...prevention, field: 'terms', mask: 0, value: 0 }

export const auction: RecordSection = {
  name: 'auction',
  section: auctionSection,
  field: 'head',
  mask: FLAG_AUCTION << 8,
  value: FLAG_AUCTION << 8,
}

export const across: RecordSection = {
  name: 'across',
  section: acrossSection,
  field: 'head',
  mask: FLAG_ACROSS << 8,
  value: FLAG_ACROSS << 8,
}

/** A taker's side of a trade, and a maker's. */
export const tradeSide: readonly Field[] = [
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
    name: 'TradeSide',
    meaning: 'One order of a Trade, or the order of an Allocation, from where its side begins.',
    sides: { Trade: ['taker', 'maker'], Allocation: ['taker'] },
    fields: tradeSide,
  },
]

export const sideName = (side: string, field: string): string =>
  `${side}${field[0]!.toUpperCase()}${field.slice(1)}`

export const ofSide = (side: string): readonly Field[] =>
  tradeSide.map(([name, type, meaning]): Field => [sideName(side, name), type, meaning])

/** A waiting order that begins its execution. */
export const execution: readonly Field[] = [
  ...order,
  ['heldAtoms', 'atoms', 'moves from free to locked; negative: back'],
  ['createdMs', 'ms', 'when it was accepted'],
  ['clientOrderId', 'id', ''],
]

/** What a block trade moved. */
export const deal: readonly Field[] = [
  ['buyer', 'accountId', ''],
  ['seller', 'accountId', ''],
  ['blockTradeId', 'int', 'counts from 1 within the symbol'],
  ['priceTicks', 'ticks', ''],
  ['lots', 'lots', 'quantity that changed hands'],
  ['quoteAtoms', 'quoteAtoms', 'what it paid: price × quantity, rounded down'],
  ['buyerCommissionAtoms', 'atoms', 'kept back for account 0 of the base that the buyer receives'],
  [
    'sellerCommissionAtoms',
    'atoms',
    'kept back for account 0 of the quote that the seller receives',
  ],
]
