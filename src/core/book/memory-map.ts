/**
 * Where everything of one book lies in its one region of shared memory. Writer: the symbol's matcher,
 * alone. Nothing is filled at construction: pages of the region that no order has reached stay
 * untouched, so that a large book costs resident memory only for what it has held.
 *
 * ```
 * heads     16 words         counts, best levels, free lists (Head)
 * records   32 bytes each    links of orders, levels and accounts (RecordWord)
 * columns   40 bytes each    order id, open and filled lots, filled atoms; account, terms
 * clients   32 bytes each    client order ids
 * tables     4 bytes a position: orders by id, orders by client order id, levels by price
 * groups     1 bit for every 16 ticks, and summaries above (bit-tower.ts)
 * ```
 *
 * Orders, levels and accounts have one numbering of records: 0 is none and stays all zeros, then come
 * the orders (their slots), then levels, one for every 8 orders, then accounts. A level is the end
 * mark of the ring of its orders, an account of the ring of its own, so that taking an order out of
 * either is two writes and no question. A record is half a cache line: who needs one of its words
 * needs most of them.
 *
 * ```
 * word      0      1         2       3             4                 5         6         7
 * order     next   previous  level   next of its   previous of its   created,  updated,  times' high
 *                                    account       account           low       low       parts, flag
 * level     first  last      price   order count   open lots (a double)        lower     higher
 * account                            oldest        newest
 * ```
 *
 * With 393,216 orders, 4,096 accounts and 10^8 ticks that is under 122 bytes for each order, all
 * indexes included.
 */
import { BitTower } from './bit-tower.ts'
import { type BookShape, levelsMaxOf } from './face.ts'
import { slotTableBits } from './slot-table.ts'

/** Words of the first region. */
export const Head = {
  ORDER_COUNT: 0,
  LEVEL_COUNT: 1,
  /** The best level of each side, by side. */
  BEST_BID: 2,
  BEST_ASK: 3,
  /** Their prices, by side. */
  BEST_BID_TICKS: 8,
  BEST_ASK_TICKS: 9,
  /** First of the freed records (linked by NEXT), and how many were ever used. */
  ORDER_FREE: 4,
  ORDER_FRESH: 5,
  LEVEL_FREE: 6,
  LEVEL_FRESH: 7,
} as const

/**
 * Words of a record, which starts at record << SHIFT. Users take copies (`const { NEXT } = RecordWord`):
 * V8 folds a module's own constants into its code, but reads imported ones again at each use.
 */
export const RecordWord = {
  SHIFT: 3,
  NEXT: 0,
  PREVIOUS: 1,
  LEVEL: 2,
  ACCOUNT_NEXT: 3,
  ACCOUNT_PREVIOUS: 4,
  CREATED_LOW: 5,
  UPDATED_LOW: 6,
  /** Bits 0-14 created, high part; bits 15-29 updated, high part; bit 30 has a client order id. */
  HIGH: 7,
  PRICE: 2,
  COUNT: 3,
  LOWER: 6,
  HIGHER: 7,
  /** A level's open lots, counted in doubles: (level << LOTS_SHIFT) + LOTS. */
  LOTS_SHIFT: 2,
  LOTS: 2,
} as const

/** Prices are grouped by 2^GROUP_BITS consecutive ticks (levels.ts). */
export const GROUP_BITS = 4

const HEAD_WORDS = 16
const LINE_BYTES = 64
const RECORD_BYTES = 32

interface Region {
  readonly at: number
  readonly bytes: number
}

export interface MemoryMap {
  /** The last record of an order; levels follow. */
  readonly ordersMax: number
  readonly levelsMax: number
  /** The record of account 0. */
  readonly accountsAt: number
  readonly orderTableBits: number
  readonly levelTableBits: number
  readonly groupCount: number
  readonly bytes: number
  readonly head: Region
  readonly records: Region
  readonly orderId: Region
  readonly openLots: Region
  readonly filledLots: Region
  readonly filledAtoms: Region
  readonly account: Region
  readonly terms: Region
  readonly clientOrderId: Region
  readonly orderTable: Region
  readonly clientTable: Region
  readonly levelTable: Region
  readonly groups: Region
}

/** Slots count from 1, so that columns have one more row than there are orders. */
export function mapMemory(shape: BookShape): MemoryMap {
  const { ordersMax, accountsMax } = shape
  const levelsMax = levelsMaxOf(ordersMax)
  const orderTableBits = slotTableBits(ordersMax)
  const levelTableBits = slotTableBits(levelsMax)
  const groupCount = (shape.priceTicksMax >>> GROUP_BITS) + 1
  const accountsAt = ordersMax + levelsMax + 1
  let end = 0
  const take = (bytes: number): Region => {
    const region = { at: end, bytes }
    end = Math.ceil((end + bytes) / LINE_BYTES) * LINE_BYTES
    return region
  }
  const column = (bytes: number): Region => take((ordersMax + 1) * bytes)
  const regions = {
    head: take(HEAD_WORDS * 4),
    records: take((accountsAt + accountsMax) * RECORD_BYTES),
    orderId: column(8),
    openLots: column(8),
    filledLots: column(8),
    filledAtoms: column(8),
    account: column(4),
    terms: column(4),
    clientOrderId: column(32),
    orderTable: take(4 * 2 ** orderTableBits),
    clientTable: take(4 * 2 ** orderTableBits),
    levelTable: take(4 * 2 ** levelTableBits),
    groups: take(4 * BitTower.wordsFor(groupCount)),
  }
  const counts = { ordersMax, levelsMax, accountsAt, groupCount }
  return { ...regions, ...counts, orderTableBits, levelTableBits, bytes: end }
}

export const wordsOf = (memory: SharedArrayBuffer, region: Region): Int32Array =>
  new Int32Array(memory, region.at, region.bytes / 4)

export const doublesOf = (memory: SharedArrayBuffer, region: Region): Float64Array =>
  new Float64Array(memory, region.at, region.bytes / 8)
