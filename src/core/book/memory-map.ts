/**
 * Where everything of one book lies in its one region of shared memory. Writer: the symbol's matcher,
 * alone. Nothing is filled at construction: pages of the region that no order has reached stay
 * untouched, so that a large book costs resident memory only for what it has held.
 *
 * ```
 * heads     16 words         counts, best levels, free lists (Head)
 * orders    32 bytes each    links, see orders.ts
 * columns   40 bytes each    order id, open and filled lots, filled atoms; account, terms
 * clients   32 bytes each    client order ids
 * levels    32 bytes each    see levels.ts; a level for every 8 orders
 * accounts   8 bytes each    oldest and newest open order
 * tables     4 bytes a position: slots by order id, by client order id, levels by price
 * groups     1 bit for every 16 ticks, and summaries above (bit-tower.ts)
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
  /** First of the freed slots, and the last slot that was ever used. */
  ORDER_FREE: 4,
  ORDER_FRESH: 5,
  LEVEL_FREE: 6,
  LEVEL_FRESH: 7,
} as const

/** Prices are grouped by 2^GROUP_BITS consecutive ticks (levels.ts). */
export const GROUP_BITS = 4

const HEAD_WORDS = 16
const LINE_BYTES = 64
export const ORDER_LINK_BYTES = 32
export const LEVEL_BYTES = 32

export interface Region {
  readonly at: number
  readonly bytes: number
}

export interface MemoryMap {
  readonly levelsMax: number
  readonly orderTableBits: number
  readonly levelTableBits: number
  readonly groups: number
  readonly bytes: number
  readonly head: Region
  readonly links: Region
  readonly orderId: Region
  readonly openLots: Region
  readonly filledLots: Region
  readonly filledAtoms: Region
  readonly account: Region
  readonly terms: Region
  readonly clientOrderId: Region
  readonly levels: Region
  readonly accounts: Region
  readonly orderTable: Region
  readonly clientTable: Region
  readonly levelTable: Region
  readonly groupWords: Region
}

/** Slots count from 1, so that columns have one more row than there are orders. */
export function mapMemory(shape: BookShape): MemoryMap {
  const { ordersMax, accountsMax } = shape
  const levelsMax = levelsMaxOf(ordersMax)
  const orderTableBits = slotTableBits(ordersMax)
  const levelTableBits = slotTableBits(levelsMax)
  const groups = (shape.priceTicksMax >>> GROUP_BITS) + 1
  let end = 0
  const take = (bytes: number): Region => {
    const region = { at: end, bytes }
    end = Math.ceil((end + bytes) / LINE_BYTES) * LINE_BYTES
    return region
  }
  const column = (bytes: number): Region => take((ordersMax + 1) * bytes)
  const regions = {
    head: take(HEAD_WORDS * 4),
    links: column(ORDER_LINK_BYTES),
    orderId: column(8),
    openLots: column(8),
    filledLots: column(8),
    filledAtoms: column(8),
    account: column(4),
    terms: column(4),
    clientOrderId: column(32),
    levels: take((levelsMax + 1) * LEVEL_BYTES),
    accounts: take(accountsMax * 8),
    orderTable: take(4 * 2 ** orderTableBits),
    clientTable: take(4 * 2 ** orderTableBits),
    levelTable: take(4 * 2 ** levelTableBits),
    groupWords: take(4 * BitTower.wordsFor(groups)),
  }
  return { ...regions, levelsMax, orderTableBits, levelTableBits, groups, bytes: end }
}

export const wordsOf = (memory: SharedArrayBuffer, region: Region): Int32Array =>
  new Int32Array(memory, region.at, region.bytes / 4)

export const floatsOf = (memory: SharedArrayBuffer, region: Region): Float64Array =>
  new Float64Array(memory, region.at, region.bytes / 8)
