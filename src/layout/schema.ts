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
 */
export type FieldType = 'i32' | 'int' | 'id'
export type Field = readonly [name: string, type: FieldType, meaning: string]

export interface RecordSchema {
  readonly name: string
  readonly type: number
  readonly kind: 'command' | 'event' | 'reply'
  readonly meaning: string
  readonly fields: readonly Field[]
}

/** Every record begins with these 16 bytes. */
export const header: readonly Field[] = [
  ['head', 'i32', 'type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31'],
  ['symbolId', 'i32', 'the symbol it concerns'],
  ['gateway', 'i32', 'the gateway that asked, or -1'],
  ['correlation', 'i32', "that gateway's ticket for the request"],
]

/** Every event goes on with these 16 bytes. */
export const eventHeader: readonly Field[] = [
  ['timeMs', 'int', "the batch's time, ms since the Unix epoch"],
  ['sequence', 'int', "place among the symbol's events, from 1, without gaps"],
]

/** Bits of the head's flags. */
export const flags = [
  ['LAST', 1, 'the last record that the command caused; its answer is complete'],
] as const

const order: readonly Field[] = [
  ['account', 'i32', 'owner'],
  ['terms', 'i32', 'side, type, time in force, prevention mode (base/codes.ts, packTerms)'],
  ['orderId', 'int', 'counts from 1 within the symbol'],
  ['priceTicks', 'int', 'limit price; 0 for MARKET'],
  ['lots', 'int', 'original quantity; for a MARKET order by quote amount, what was computed'],
  ['quoteAtoms', 'int', 'quote amount asked for by a MARKET order; else 0'],
]

export const schemas: readonly RecordSchema[] = [
  {
    name: 'PlaceOrder',
    type: 1,
    kind: 'command',
    meaning: 'Enter an order. Stateless checks have passed.',
    fields: [
      ['account', 'i32', 'owner'],
      ['terms', 'i32', 'side, type, time in force, prevention mode'],
      ['priceTicks', 'int', 'limit price; 0 for MARKET'],
      ['lots', 'int', 'quantity; 0 for a MARKET order by quote amount'],
      ['quoteAtoms', 'int', 'quote amount of a MARKET order; else 0'],
      ['expiresMs', 'int', 'refuse when the clock is past this: timestamp + recvWindow; 0 never'],
      ['clientOrderId', 'id', 'chosen by the client or by the gateway; never none'],
    ],
  },
  {
    name: 'CancelOrder',
    type: 2,
    kind: 'command',
    meaning: 'Cancel one open order, found by orderId, by its client id, or by both agreeing.',
    fields: [
      ['account', 'i32', 'must own the order'],
      ['restrictions', 'i32', 'CancelRestrictions'],
      ['orderId', 'int', '0 when found by client id'],
      ['expiresMs', 'int', 'as PlaceOrder'],
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
      ['account', 'i32', 'owner'],
      ['spare', 'i32', 'zero'],
      ['expiresMs', 'int', 'as PlaceOrder'],
      ['clientOrderId', 'id', "the cancels' own id"],
    ],
  },
  {
    name: 'QueryOrder',
    type: 4,
    kind: 'command',
    meaning: 'Answer one open order as OrderState, or Rejected NO_SUCH_ORDER when it is not open.',
    fields: [
      ['account', 'i32', 'must own the order'],
      ['spare', 'i32', 'zero'],
      ['orderId', 'int', '0 when found by client id'],
      ['clientOrderId', 'id', 'none when found by orderId'],
    ],
  },
  {
    name: 'QueryOpenOrders',
    type: 5,
    kind: 'command',
    meaning: 'Answer every open order of the account as OrderState, by orderId, then QueryEnd.',
    fields: [
      ['account', 'i32', 'owner'],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'QueryBook',
    type: 6,
    kind: 'command',
    meaning: 'Answer the whole book as BookBegin, BookLevel for each level, BookEnd.',
    fields: [],
  },
  {
    name: 'OrderAccepted',
    type: 16,
    kind: 'event',
    meaning:
      'An order entered the engine and its funds are held: heldAtoms moved from free to locked (quote for BUY, base for SELL). First event of its command.',
    fields: [
      ...order,
      [
        'heldAtoms',
        'int',
        'LIMIT: price × quantity or quantity; MARKET: the exact cost of the sweep',
      ],
      ['clientOrderId', 'id', "the order's id"],
    ],
  },
  {
    name: 'Trade',
    type: 17,
    kind: 'event',
    meaning:
      "Two orders met at the maker's price. The buyer's locked falls by notional plus buyerReleasedAtoms, the seller's locked by the quantity; each receives the other side less commission, which account 0 receives.",
    fields: [
      ['takerAccount', 'i32', 'owner of the arriving order'],
      ['makerAccount', 'i32', 'owner of the resting order'],
      ['takerTerms', 'i32', 'as OrderAccepted'],
      ['makerTerms', 'i32', 'as OrderAccepted'],
      ['tradeId', 'int', 'counts from 1 within the symbol'],
      ['priceTicks', 'int', "the maker's price"],
      ['tradeLots', 'int', 'quantity that changed hands'],
      ['updateId', 'int', "depth version after the maker's level lost tradeLots"],
      ['takerOrderId', 'int', ''],
      ['takerFilledLots', 'int', 'cumulative, this trade included'],
      ['takerFilledAtoms', 'int', 'cumulative quote, this trade included'],
      ['takerCommissionAtoms', 'int', 'in the asset the taker receives'],
      ['makerOrderId', 'int', ''],
      ['makerFilledLots', 'int', 'cumulative, this trade included'],
      ['makerFilledAtoms', 'int', 'cumulative quote, this trade included'],
      ['makerCommissionAtoms', 'int', 'in the asset the maker receives'],
      ['makerLots', 'int', "the maker's original quantity"],
      ['makerCreatedMs', 'int', "when the maker's order was accepted"],
      [
        'buyerReleasedAtoms',
        'int',
        'quote that moves from locked to free: price improvement of a BUY taker',
      ],
      ['makerClientOrderId', 'id', ''],
    ],
  },
  {
    name: 'OrderRested',
    type: 18,
    kind: 'event',
    meaning: 'What is left of the order just accepted joined the end of its price level.',
    fields: [
      ['account', 'i32', 'owner'],
      ['terms', 'i32', 'as OrderAccepted'],
      ['orderId', 'int', ''],
      ['priceTicks', 'int', ''],
      ['restedLots', 'int', 'what joined the level'],
      ['updateId', 'int', 'depth version after it'],
    ],
  },
  {
    name: 'OrderClosed',
    type: 19,
    kind: 'event',
    meaning: 'An order ended without being filled whole: releasedAtoms moved from locked to free.',
    fields: [
      ...order,
      ['status', 'i32', 'OrderStatus: CANCELED, EXPIRED or EXPIRED_IN_MATCH'],
      ['reason', 'i32', 'ExpiryReason'],
      ['filledLots', 'int', ''],
      ['filledAtoms', 'int', 'cumulative quote'],
      ['preventedLots', 'int', 'lost to self-trade prevention'],
      ['createdMs', 'int', 'when it was accepted'],
      ['restedLots', 'int', 'what left its price level; 0 when it never rested'],
      ['updateId', 'int', 'depth version after it; unchanged when it never rested'],
      ['releasedAtoms', 'int', 'quote for BUY, base for SELL'],
      ['clientOrderId', 'id', "a cancel's id; else the order's own"],
      ['origClientOrderId', 'id', "the order's own id"],
    ],
  },
  {
    name: 'MatchPrevented',
    type: 20,
    kind: 'event',
    meaning:
      'A match of two orders of one owner was prevented; OrderClosed of whichever expires follows.',
    fields: [
      ['takerAccount', 'i32', ''],
      ['makerAccount', 'i32', ''],
      ['takerTerms', 'i32', "the taker's prevention mode decides"],
      ['makerTerms', 'i32', ''],
      ['tradeGroupId', 'int', '-1 when it was the same account'],
      ['preventedMatchId', 'int', 'counts from 0 within the symbol'],
      ['priceTicks', 'int', "the maker's price"],
      ['takerOrderId', 'int', ''],
      ['makerOrderId', 'int', ''],
      ['takerPreventedLots', 'int', '0 when the taker goes on'],
      ['makerPreventedLots', 'int', '0 when the maker stays'],
    ],
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
      ['filledLots', 'int', ''],
      ['filledAtoms', 'int', 'cumulative quote'],
      ['preventedLots', 'int', ''],
      ['createdMs', 'int', ''],
      ['updatedMs', 'int', 'last fill, or createdMs'],
      ['clientOrderId', 'id', ''],
    ],
  },
  {
    name: 'QueryEnd',
    type: 66,
    kind: 'reply',
    meaning: 'A query is answered completely.',
    fields: [],
  },
  {
    name: 'BookBegin',
    type: 67,
    kind: 'reply',
    meaning: 'The levels of the whole book follow, as of these counters.',
    fields: [
      ['updateId', 'int', 'depth version'],
      ['sequence', 'int', 'last event sequence'],
      ['tradeId', 'int', 'last trade id'],
      ['lastPriceTicks', 'int', 'price of the last trade; 0 when there was none'],
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
      ['priceTicks', 'int', ''],
      ['levelLots', 'int', 'their open quantity together'],
    ],
  },
  {
    name: 'BookEnd',
    type: 69,
    kind: 'reply',
    meaning: 'The book is complete.',
    fields: [],
  },
]

/** Commands travel in slots of one size; this is the size. */
export const COMMAND_SLOT_BYTES = 128

export function fieldBytes(type: FieldType): number {
  return type === 'i32' ? 4 : type === 'int' ? 8 : 32
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
    if (type !== 'i32' && offset % 8 !== 0)
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
