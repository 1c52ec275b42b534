/**
 * Where everything of one book lies in its one region of shared memory. Writer: the symbol's matcher,
 * alone. Nothing is filled at construction: pages of the region that no order has reached stay
 * untouched, so that a large book costs resident memory only for what it has held.
 *
 * ```
 * head      16 words         counts, best levels, free lists (Head)
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
 * then accounts. A level is the end mark of the ring of its orders, an account that of its orders,
 * so that taking an order out of either is two writes and no branch. A record is half a cache line:
 * who needs one of its words needs most of them.
 *
 * The words of each, and their places: layout/schema/book-memory.ts.
 *
 * The columns of the order book are views of records and amounts that start at one of their words,
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
import { AMOUNTS_BYTES, HEAD_WORDS, RECORD_WORDS, TAIL_BYTES } from './book-words.gen.ts'
import { type BookShape, levelsMaxOf } from './order-book.ts'

export {
  AmountDouble,
  Head,
  RECORD_WORDS,
  RecordWord,
  SLOT_SHIFT,
  TailWord,
} from './book-words.gen.ts'

/** Keys are grouped by what is left of them without these low bits (levels.ts). */
export const GROUP_BITS = 6

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
    amounts: take((slots + 1) * AMOUNTS_BYTES),
    tails: take((slots + 1) * TAIL_BYTES),
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
