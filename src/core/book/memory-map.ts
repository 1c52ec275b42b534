/**
 * Where everything of one book lies in its one region of shared memory. Writer: the symbol's matcher,
 * alone. Nothing is filled at construction: pages of the region that no order has reached stay
 * untouched, so that a large book costs resident memory only for what it has held.
 *
 * ```
 * heads     16 words         counts, best levels, free lists (Head)
 * records   32 bytes each    links of orders, levels and accounts (RecordWord)
 * amounts   64 bytes each    order id, open and filled lots, filled atoms; client order id
 * tails     16 bytes each    times of an order, and a link (TailWord)
 * indexes    4 bytes a home  orders by id, orders by client order id (slot-index.ts)
 * levels                     homes by key, 4 bytes and 2 bits each (levels.ts)
 * groups                     1 bit for every 64 ticks of a side, and summaries above (bit-tower.ts)
 * ```
 *
 * Orders, levels and accounts are records of one numbering, named by the word that they start at: 0 is
 * none and stays all zeros, then come the orders (their slots), then levels, one for every 8 orders,
 * then accounts. A level is the end mark of the ring of its orders, an account of the ring of its own,
 * so that taking an order out of either is two writes and no question. A record is half a cache line:
 * who needs one of its words needs most of them.
 *
 * ```
 * word      0      1         2     3             4                 5        6      7
 * order     next   previous  key   next of its   previous of its   account  chain  terms
 *                                  account       account
 * level     first  last      key   order count   open lots (a double)       chain
 * account                          oldest        newest
 * ```
 *
 * The columns of the book's face are views of records and amounts that start at one of their words,
 * so that one number, the slot, finds an order in all of them, and an order lies in three cache lines.
 *
 * Every open order has a record, the ones that rest on no level too: their NEXT is 0, and no level
 * counts them. One record more than `ordersMax` is for the order that is at work.
 *
 * With 393,216 orders, 4,096 accounts and 10^8 ticks that is under 122 bytes for each order, all
 * indexes included.
 */
import { Doubles, Words } from '../../base/units.ts'
import { BitTower } from './bit-tower.ts'
import { type BookShape, levelsMaxOf } from './face.ts'

/** Words of the first region. */
export const Head = {
  ORDER_COUNT: 0,
  LEVEL_COUNT: 1,
  /** The best level of each side, by side. */
  BEST_BID: 2,
  BEST_ASK: 3,
  /** Their keys, by side. */
  BEST_BID_KEY: 8,
  BEST_ASK_KEY: 9,
  /** First of the freed records (linked by NEXT), and how many were ever used. */
  ORDER_FREE: 4,
  ORDER_FRESH: 5,
  LEVEL_FREE: 6,
  LEVEL_FRESH: 7,
  /** Masks of the homes in use (slot-index.ts): by order id, by client order id. */
  ORDER_MASK: 10,
  CLIENT_MASK: 11,
  /** Salts the hashes of client order ids and of prices. */
  ID_SALT: 12,
  /** Open orders that rest on no level. */
  ASIDE_COUNT: 13,
} as const

/** Words of a record, which is named by its first word: a multiple of RECORD_WORDS. */
export const RecordWord = {
  NEXT: 0,
  PREVIOUS: 1,
  /** A price as its side counts it: keyOf in levels.ts. */
  KEY: 2,
  ACCOUNT_NEXT: 3,
  ACCOUNT_PREVIOUS: 4,
  ACCOUNT: 5,
  /** The next order of the same home by order id; the next level of the same home. */
  CHAIN: 6,
  TERMS: 7,
  COUNT: 3,
  /** A level's open lots, counted in doubles: (level >> 1) | LOTS. */
  LOTS: 2,
} as const

export const RECORD_WORDS = 8
/** Slots are multiples of RECORD_WORDS. */
export const SLOT_SHIFT = 3

/** Doubles of an order's amounts, at slot | these; half of the cache line is its client order id. */
export const AmountDouble = {
  ORDER_ID: 0,
  OPEN_LOTS: 1,
  FILLED_LOTS: 2,
  FILLED_ATOMS: 3,
} as const

/** Words of an order that are seldom needed, at (slot >> 1) | these. */
export const TailWord = {
  CREATED_LOW: 0,
  UPDATED_LOW: 1,
  /** Bits 0-14 created, high part; bits 15-29 updated, high part. */
  TIMES_HIGH: 2,
  /** The next order of the same home by client order id. */
  CLIENT_CHAIN: 3,
} as const

/** Keys are grouped by what is left of them without these low bits (levels.ts). */
export const GROUP_BITS = 6

const HEAD_WORDS = 16
const LINE_BYTES = 64

interface Region {
  readonly at: number
  readonly bytes: number
}

export interface MemoryMap {
  readonly ordersMax: number
  /** The last record of an order; levels follow. */
  readonly slotMax: number
  readonly levelsMax: number
  /** The record of account 0. */
  readonly accountsAt: number
  readonly levelRowBits: number
  /** Groups of keys, as many for BUY as for SELL. */
  readonly groupCount: number
  readonly bytes: number
  readonly head: Region
  readonly records: Region
  readonly amounts: Region
  readonly tails: Region
  readonly orderHomes: Region
  readonly clientHomes: Region
  readonly levelTaken: Region
  readonly levelShared: Region
  readonly levelHomes: Region
  readonly groups: Region
}

/** Slot 0 is none, so that there is one more than there are orders, and one is the order at work's. */
export function mapMemory(shape: BookShape): MemoryMap {
  const { ordersMax, accountsMax } = shape
  const levelsMax = levelsMaxOf(ordersMax)
  const orderHomes = 2 ** Math.max(4, Math.floor(Math.log2(ordersMax / 2)))
  const levelRowBits = Math.max(4, Math.ceil(Math.log2(levelsMax / 2 ** GROUP_BITS)))
  const groupCount = 2 * ((shape.priceTicksMax >>> GROUP_BITS) + 1)
  const slots = ordersMax + 1
  const slotMax = slots * RECORD_WORDS
  const accountsAt = (slots + levelsMax + 1) * RECORD_WORDS
  let end = 0
  const take = (bytes: number): Region => {
    const region = { at: end, bytes }
    end = Math.ceil((end + bytes) / LINE_BYTES) * LINE_BYTES
    return region
  }
  const regions = {
    head: take(HEAD_WORDS * 4),
    records: take((accountsAt + accountsMax * RECORD_WORDS) * 4),
    amounts: take((slots + 1) * 64),
    tails: take((slots + 1) * 16),
    orderHomes: take(4 * orderHomes),
    clientHomes: take(4 * orderHomes),
    levelTaken: take(2 ** (levelRowBits + GROUP_BITS - 3)),
    levelShared: take(2 ** (levelRowBits + GROUP_BITS - 3)),
    levelHomes: take(4 * 2 ** (levelRowBits + GROUP_BITS)),
    groups: take(4 * BitTower.wordsFor(groupCount)),
  }
  const counts = { ordersMax, slotMax, levelsMax, accountsAt, groupCount }
  return { ...regions, ...counts, levelRowBits, bytes: end }
}

/** A region, from one of its words or doubles on. */
export const wordsOf = <Of extends number>(
  memory: SharedArrayBuffer,
  region: Region,
  from = 0,
): Words<Of> => Words(new Int32Array(memory, region.at + from * 4, region.bytes / 4 - from))

export const doublesOf = <Of extends number>(
  memory: SharedArrayBuffer,
  region: Region,
  from = 0,
): Doubles<Of> => Doubles(new Float64Array(memory, region.at + from * 8, region.bytes / 8 - from))
