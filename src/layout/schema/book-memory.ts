/**
 * The words of one book's memory (core/book/memory-map.ts places each region). Orders, levels and
 * accounts are records of one numbering, so a word has one meaning in all records that have it.
 */
import type { Field, Structure } from './field.ts'

/** A word of a record that has another use in other records, or none. */
const unused = (...numbers: readonly number[]): readonly Field[] =>
  numbers.map((n): Field => [`unused${n}`, 'i32', ''])

export const bookHead: Structure = {
  name: 'BookHead',
  meaning: 'The first region of a book.',
  fields: [
    ['orderCount', 'i32', 'open orders'],
    ['levelCount', 'i32', ''],
    ['bestBid', 'i32', 'the best level of BUY; 0 for none'],
    ['bestAsk', 'i32', 'the best level of SELL, one word after that of BUY'],
    ['orderFree', 'i32', 'first of the freed order records, which NEXT links'],
    ['orderFresh', 'i32', 'how many order records were ever used'],
    ['levelFree', 'i32', 'first of the freed level records'],
    ['levelFresh', 'i32', 'how many level records were ever used'],
    ['bestBidKey', 'i32', 'the key of the best level of BUY'],
    ['bestAskKey', 'i32', 'the key of the best level of SELL, one word after that of BUY'],
    ['orderMask', 'i32', 'mask of the homes in use by order id (core/book/slot-index.ts)'],
    ['clientMask', 'i32', 'the same by client order id'],
    ['idSalt', 'i32', 'salts the hashes of client order ids and of prices'],
    ['asideCount', 'i32', 'open orders that rest on no level'],
    ...unused(14, 15),
  ],
}

/** A record is half a cache line; its number is that of its first word. */
export const bookRecords: readonly Structure[] = [
  {
    name: 'BookOrder',
    meaning: "An open order's links. Its number is its slot.",
    fields: [
      ['next', 'i32', 'the next order of its level, or the level; 0 when it rests on none'],
      ['previous', 'i32', 'the order before it, or the level'],
      ['key', 'i32', 'its price as its side counts it (core/book/levels.ts)'],
      ['accountNext', 'i32', 'the next order of its account, or the account'],
      ['accountPrevious', 'i32', 'the order before it, or the account'],
      ['account', 'accountId', 'owner'],
      ['chain', 'i32', 'the next order of the same home by order id'],
      ['terms', 'i32', 'as OrderAccepted'],
    ],
  },
  {
    name: 'BookPriceLevel',
    meaning: 'A price level: the end mark of the ring of its orders.',
    fields: [
      ['next', 'i32', 'its first order'],
      ['previous', 'i32', 'its last order'],
      ['key', 'i32', "the key of its orders' price"],
      ['count', 'i32', 'its orders'],
      ['lots', 'lots', 'open lots of its orders'],
      ['chain', 'i32', 'the next level of the same home'],
      ...unused(7),
    ],
  },
  {
    name: 'BookAccount',
    meaning: 'An account: the end mark of the ring of its orders. Other words are never used.',
    fields: [
      ...unused(0, 1, 2),
      ['accountNext', 'i32', 'its oldest order'],
      ['accountPrevious', 'i32', 'its newest order'],
      ...unused(5, 6, 7),
    ],
  },
]

export const bookAmounts: Structure = {
  name: 'BookAmounts',
  meaning: "An order's amounts, a cache line.",
  fields: [
    ['orderId', 'orderId', ''],
    ['openLots', 'lots', ''],
    ['filledLots', 'lots', ''],
    ['filledAtoms', 'quoteAtoms', 'cumulative quote'],
    ['clientOrderId', 'id', 'the first word 0 for none'],
  ],
}

export const bookTail: Structure = {
  name: 'BookTail',
  meaning: 'What is seldom needed of an order.',
  fields: [
    ['createdLow', 'i32', 'low word of createdMs'],
    ['updatedLow', 'i32', 'low word of updatedMs'],
    ['timesHigh', 'i32', 'bits 0-14 created, high part; bits 15-29 updated, high part'],
    ['clientChain', 'i32', 'the next order of the same home by client order id'],
  ],
}

export const bookMemory: readonly Structure[] = [bookHead, ...bookRecords, bookAmounts, bookTail]

/** Fields of an order's record that are columns by slot; so are all of its amounts. */
export const recordColumns: readonly string[] = ['account', 'terms']

/** What a new order is given. Its other fields begin as 0, except the links. */
export const givenFields: readonly string[] = ['orderId', 'openLots', 'account', 'terms']
/** What the book links slots by, and the key of a level. The book writes each before it reads it. */
export const linkFields: readonly string[] = [
  ...['next', 'previous', 'key', 'accountNext', 'accountPrevious', 'chain', 'clientChain'],
]

/**
 * What snapshots and hashes have of an open order: columns of the order book (core/book/order-book.ts). Some are
 * methods there, `priceTicksOf(slot)`, because the book packs or computes them.
 */
export const orderImage: readonly Field[] = [
  ['orderId', 'orderId', ''],
  ['priceTicks', 'ticks', ''],
  ['openLots', 'lots', ''],
  ['filledLots', 'lots', ''],
  ['filledAtoms', 'quoteAtoms', ''],
  ['createdMs', 'ms', ''],
  ['updatedMs', 'ms', ''],
  ['account', 'accountId', ''],
  ['terms', 'i32', ''],
  ['clientOrderId', 'id', ''],
]
export const orderMethods: readonly string[] = ['priceTicks', 'createdMs', 'updatedMs']
