// Generated from layout/schema.ts by `npm run generate`. Do not edit.

/** Words of the head, and its size in words. */
export const HEAD_WORDS = 16
/** Words of a record. Slots are multiples of it, and of 2 to the power of SLOT_SHIFT. */
export const RECORD_WORDS = 8
export const SLOT_SHIFT = 3
export const AMOUNTS_BYTES = 64
export const TAIL_BYTES = 16

/** Words of the head. */
export const Head = {
  /** open orders */
  ORDER_COUNT: 0,
  LEVEL_COUNT: 1,
  /** the best level of BUY; 0 for none */
  BEST_BID: 2,
  /** the best level of SELL, one word after that of BUY */
  BEST_ASK: 3,
  /** first of the freed order records, which NEXT links */
  ORDER_FREE: 4,
  /** how many order records were ever used */
  ORDER_FRESH: 5,
  /** first of the freed level records */
  LEVEL_FREE: 6,
  /** how many level records were ever used */
  LEVEL_FRESH: 7,
  /** the key of the best level of BUY */
  BEST_BID_KEY: 8,
  /** the key of the best level of SELL, one word after that of BUY */
  BEST_ASK_KEY: 9,
  /** mask of the homes in use by order id (core/book/slot-index.ts) */
  ORDER_MASK: 10,
  /** the same by client order id */
  CLIENT_MASK: 11,
  /** salts the hashes of client order ids and of prices */
  ID_SALT: 12,
  /** open orders that rest on no level */
  ASIDE_COUNT: 13,
} as const

/** Words of a record, at its number | these. LOTS counts in doubles: (level >> 1) | LOTS. */
export const RecordWord = {
  /** the next order of its level, or the level; 0 when it rests on none; its first order */
  NEXT: 0,
  /** the order before it, or the level; its last order */
  PREVIOUS: 1,
  /** its price as its side counts it (core/book/levels.ts); the key of its orders' price */
  KEY: 2,
  /** the next order of its account, or the account; its oldest order */
  ACCOUNT_NEXT: 3,
  /** the order before it, or the account; its newest order */
  ACCOUNT_PREVIOUS: 4,
  /** owner */
  ACCOUNT: 5,
  /** the next order of the same home by order id; the next level of the same home */
  CHAIN: 6,
  /** as OrderAccepted */
  TERMS: 7,
  /** its orders */
  COUNT: 3,
  /** open lots of its orders */
  LOTS: 2,
} as const

/** Doubles of an order's amounts, at slot | these. */
export const AmountDouble = {
  ORDER_ID: 0,
  OPEN_LOTS: 1,
  FILLED_LOTS: 2,
  /** cumulative quote */
  FILLED_ATOMS: 3,
} as const

/** Words of a tail, at (slot >> 1) | these. */
export const TailWord = {
  /** low word of createdMs */
  CREATED_LOW: 0,
  /** low word of updatedMs */
  UPDATED_LOW: 1,
  /** bits 0-14 created, high part; bits 15-29 updated, high part */
  TIMES_HIGH: 2,
  /** the next order of the same home by client order id */
  CLIENT_CHAIN: 3,
} as const
